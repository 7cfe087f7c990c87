package lines

import (
	"bytes"
	"strconv"
)

// A body is a text as lines of the result, before marks are chosen.
type body struct {
	lines             []line
	ended             bool // the text ends with a line feed
	legend            [][]byte
	pieces            []piece // of the lines with references, in their order
	headings, repeats int
}

// A line of a body is one of the text, or stands for others.
type line struct {
	kind kind
	text []byte // of a plain line what its heading does not say; of a heading, its text

	// Of a repeat:
	block int32 // number of the block; 0 for the line above
	lines int32 // length of the block that begins here; 0 if it is repeated
	times int32

	// pieces of the body's are what a plain line is written as, if there are any.
	from, to int32
}

type kind uint8

const (
	plain kind = iota
	heading
	repeat
)

// A piece is a part of a line: a text, or a reference to an entry of the legend.
type piece struct {
	text  []byte
	entry int // counted from 1; 0 for a text
}

// split returns the lines of a text.
func split(text []byte) body {
	b := body{lines: make([]line, 0, bytes.Count(text, []byte{'\n'})+1)}
	text, b.ended = bytes.CutSuffix(text, []byte{'\n'})
	for more := true; more; {
		var l []byte
		l, text, more = bytes.Cut(text, []byte{'\n'})
		b.lines = append(b.lines, line{text: l})
	}
	return b
}

// marks are the characters that give lines and references away; 0 is none.
type marks struct{ sigil, heading, repeat byte }

// The characters that can be marks, the best first. Any that cannot be mistaken for
// text would do.
const (
	sigils   = "$~^@%#&!*+?|"
	heads    = ">=#:@^%!~+|?"
	repeaten = "&*%+^~@#!?|="
)

// freeMarks returns which characters are before no digit in text, so that one with
// a digit is a reference.
func freeMarks(text []byte) (free [256]bool) {
	for i := range free {
		free[i] = true
	}
	for i := 1; i < len(text); i++ {
		if isDigit(text[i]) {
			free[text[i-1]] = false
		}
	}
	return free
}

// choose returns marks for the steps of a body, and false where there are none: no
// line of the text begins with one of a line's.
func (b *body) choose(free [256]bool) (m marks, ok bool) {
	var begins [256]bool
	for _, l := range b.lines {
		if l.kind == plain && len(l.text) > 0 {
			begins[l.text[0]] = true
		}
	}
	ok = true
	pick := func(from string, usable func(byte) bool) byte {
		for i := range len(from) {
			if c := from[i]; usable(c) && c != m.sigil && c != m.heading {
				return c
			}
		}
		ok = false
		return 0
	}
	if len(b.legend) > 0 {
		m.sigil = pick(sigils, func(c byte) bool { return free[c] })
	}
	if b.headings > 0 {
		m.heading = pick(heads, func(c byte) bool { return !begins[c] })
	}
	if b.repeats > 0 {
		m.repeat = pick(repeaten, func(c byte) bool { return !begins[c] })
	}
	return m, ok
}

// orWithout returns the body, or the one without its last step if no mark is free.
func (b body) orWithout(before body, free [256]bool) body {
	if _, ok := b.choose(free); ok {
		return b
	}
	return before
}

// render writes the body. It reports false if nothing was found or no mark is free.
func (b *body) render(free [256]bool, count *counting) (encoding, bool) {
	m, ok := b.choose(free)
	if !ok || m == (marks{}) {
		return encoding{}, false
	}
	out := appendHead(nil, m, len(b.legend))
	for i, text := range b.legend {
		out = append(m.appendReference(out, i+1), '=')
		out = append(append(out, text...), '\n')
	}
	for i, l := range b.lines {
		if i > 0 {
			out = append(out, '\n')
		}
		switch l.kind {
		case heading:
			out = append(append(out, m.heading), l.text...)
		case repeat:
			out = l.appendRepeat(append(out, m.repeat))
		case plain:
			out = b.appendPlain(out, l, m)
		}
	}
	if b.ended {
		out = append(out, '\n')
	}
	e := encoding{text: out, legend: b.legend, headings: b.headings, repeats: b.repeats}
	e.tokens = count.text(out)
	return e, true
}

// appendRepeat appends what comes after the mark: "1, 3 lines:" where block 1 begins,
// "1" or "1*5" where it is repeated, "*5" for the line above.
func (l line) appendRepeat(out []byte) []byte {
	if l.block > 0 {
		out = strconv.AppendInt(out, int64(l.block), 10)
	}
	if l.lines > 0 {
		out = strconv.AppendInt(append(out, ", "...), int64(l.lines), 10)
		return append(out, " lines:"...)
	}
	if l.block == 0 || l.times > 1 {
		out = strconv.AppendInt(append(out, '*'), int64(l.times), 10)
	}
	return out
}

func (m marks) appendReference(out []byte, entry int) []byte {
	return strconv.AppendInt(append(out, m.sigil), int64(entry), 10)
}

// appendPlain appends a line of text with its references.
func (b *body) appendPlain(out []byte, l line, m marks) []byte {
	if l.from == l.to {
		return append(out, l.text...)
	}
	for i, p := range b.pieces[l.from:l.to] {
		if p.entry > 0 {
			out = m.appendReference(out, p.entry)
			continue
		}
		if i > 0 && (isDigit(p.text[0]) || p.text[0] == ';') {
			out = append(out, ';')
		}
		out = append(out, p.text...)
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// estimate returns about how many tokens a text has: a word with the blank or the
// character before it is one, as are three digits.
func estimate(text []byte) (n int) {
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; {
		case isLetter(c):
			for i < len(text) && isLetter(text[i]) {
				i++
			}
			n += (i - start + 6) / 7
		case isDigit(c):
			for i < len(text) && isDigit(text[i]) {
				i++
			}
			n += (i - start + 2) / 3
		default:
			for i < len(text) && !isLetter(text[i]) && !isDigit(text[i]) && (text[i] == ' ') == (c == ' ') {
				i++
			}
			length := i - start
			if i < len(text) && !isDigit(text[i]) {
				length--
			}
			if c == ' ' {
				length = min(length, 1)
			}
			n += (length + 1) / 2
		}
	}
	return n
}
