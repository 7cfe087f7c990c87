package lines

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// A body is a text as lines of the result, before marks are chosen.
type body struct {
	lines             []line
	ended             bool // the text ends with a line feed
	legend            [][]byte
	headings, repeats int
}

// A line of a body is one of the text, or what others become.
type line struct {
	kind kind
	text []byte // of a plain line what its heading does not say, with references; of a heading, its text

	// Of a repeat:
	block int32 // number of the block; 0 for the line above
	lines int32 // length of the block that begins here; 0 if it is repeated
	times int32
}

type kind uint8

const (
	plain kind = iota
	heading
	repeat
)

// split returns the lines of a text.
func split(text []byte) body {
	b := body{lines: make([]line, 0, bytes.Count(text, []byte{'\n'})+1)}
	text, b.ended = bytes.CutSuffix(text, []byte{'\n'})
	for l := range bytes.SplitSeq(text, []byte{'\n'}) {
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

// beforeDigits returns which characters are before a digit in text: one that is before none
// can be a sigil, and with a digit it is a reference.
func beforeDigits(text []byte) (taken [256]bool) {
	for i := 1; i < len(text); i++ {
		if scan.IsDigit(text[i]) {
			taken[text[i-1]] = true
		}
	}
	return taken
}

// choose returns marks for the steps of a body, and false where there are none: no
// line of the text begins with one of a line's.
func (b *body) choose(taken [256]bool) (m marks, ok bool) {
	var begins [256]bool
	for _, l := range b.lines {
		if l.kind == plain && len(l.text) > 0 {
			begins[l.text[0]] = true
		}
	}
	ok = true
	pick := func(from string, used *[256]bool) byte {
		for i := range len(from) {
			if c := from[i]; !used[c] && c != m.sigil && c != m.heading {
				return c
			}
		}
		ok = false
		return 0
	}
	if len(b.legend) > 0 {
		m.sigil = pick(sigils, &taken)
	}
	if b.headings > 0 {
		m.heading = pick(heads, &begins)
	}
	if b.repeats > 0 {
		m.repeat = pick(repeaten, &begins)
	}
	return m, ok
}

// orWithout returns the body, or the one without its last step if no mark is free.
func (b body) orWithout(before body, taken [256]bool) body {
	if _, ok := b.choose(taken); ok {
		return b
	}
	return before
}

// render writes the body. It reports false if nothing was found or no mark is free.
func (b *body) render(taken [256]bool, count *phrases.Counting) (encoding, bool) {
	m, ok := b.choose(taken)
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
			out = append(out, l.text...)
		}
	}
	if b.ended {
		out = append(out, '\n')
	}
	return encoding{*b, out, count.Text(out)}, true
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

// maxEntries bounds the legend.
const maxEntries = 32

// withLegend returns the body with phrases that repeat in a legend.
func (b body) withLegend(taken [256]bool, count *phrases.Counting) body {
	m, ok := (&body{legend: [][]byte{nil}}).choose(taken)
	if !ok {
		return b
	}
	texts := make([]phrases.Text, len(b.lines))
	for i, l := range b.lines {
		if l.kind == plain {
			texts[i] = phrases.Text{Text: l.text, Times: 1}
		}
	}
	legend, referring := phrases.Refer(texts, phrases.Notation{Count: count.Text, Reference: m.refer, Sample: maxEntries / 2, Most: maxEntries})
	if legend == nil {
		return b
	}
	b.lines, b.legend = slices.Clone(b.lines), legend
	for i := range b.lines {
		if l := &b.lines[i]; l.kind == plain {
			l.text = referring[i]
		}
	}
	return b
}

// refer appends a reference that is before the rest of a line.
func (m marks) refer(out []byte, entry int, rest []byte) []byte {
	out = m.appendReference(out, entry)
	if len(rest) > 0 && (scan.IsDigit(rest[0]) || rest[0] == ';') {
		out = append(out, ';')
	}
	return out
}
