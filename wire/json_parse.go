package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// jsonParser parses a private copy of the text, followed by eight zero bytes:
// a zero byte ends every run the parser scans, so the scanning loops need no
// check for the end, and eight bytes can be loaded at any position of the text.
//
// Its functions take the position of the first byte they look at and return
// the position after the last, or -1 once err is set.
type jsonParser struct {
	Builder
	format    string
	limits    Limits // resolved
	buf       []byte
	end       int    // length of the text
	depth     int    // levels left
	values    int    // values left
	budget    int    // slots that predictions may still take before they prove right
	counting  int    // bytes that may still be looked at for the length of arrays
	beyond    uint64 // has the high bit of a byte if a string may be more than ASCII
	rejectDup bool
	doubled   bool             // the text is in a cell, with two backslashes for one
	wideSite  *shape           // the site of members of objects outside the shape tree
	sites     [maxSites]*shape // of cells, by their columns
	classes   *classes         // of a document in TRON

	err      *Error
	failedAt int
	path     []string // innermost first
}

const jsonPadding = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// parsers are idle, without memory.
var parsers = sync.Pool{New: func() any { return new(jsonParser) }}

// borrowParser returns a parser that works in the memory of the target, see [ours.Borrow].
func borrowParser(to inplace.Target, format string, limits *Limits, rejectDup bool) *jsonParser {
	p := parsers.Get().(*jsonParser)
	limits.resolve(&p.limits)
	p.format, p.depth, p.rejectDup = format, p.limits.Depth, rejectDup
	p.borrow(to)
	return p
}

// giveBack ends the time of the parser, and of what it made in borrowed memory.
func (p *jsonParser) giveBack(err error) {
	p.Builder.giveBack(err)
	*p = jsonParser{}
	parsers.Put(p)
}

// parse parses one JSON text, which is src or the end of it. The parser can parse
// another afterwards, unless it failed; the texts' objects share their keys.
func (p *jsonParser) parse(src, text []byte) (Value, error) {
	if err := p.load(src, text); err != nil {
		return Value{}, err
	}
	return p.whole(src, text, p.space(0), p.space)
}

// whole parses the value at i, which is all that is left of the text but for what skip skips.
func (p *jsonParser) whole(src, text []byte, i int, skip func(int) int) (v Value, err error) {
	if i >= 0 {
		i = p.value(i, &v, &p.top().inside)
	}
	if i >= 0 {
		if i = skip(i); i != p.end {
			p.trailing(i)
		}
	}
	if err := p.check(src, text); err != nil {
		return Value{}, err
	}
	return v, nil
}

// check returns the error of the text that was parsed, if there is one: the first
// byte that is not UTF-8, or what else was found first.
func (p *jsonParser) check(src, text []byte) error {
	if p.err == nil && p.beyond&scan.Highs == 0 {
		return nil
	}
	if n := scan.ValidUTF8(text); n < len(text) {
		*p.top() = shape{} // whose keys may be what is wrong
		p.fail(n, CodeInvalidUTF8, ErrUTF8, "bytes that are not UTF-8")
		p.path = nil
	}
	if p.err == nil {
		return nil
	}
	err := ErrorAt(src, p.failedAt+len(src)-p.end, *p.err) // a byte order mark is before the text
	err.path = p.path
	return err
}

// load copies the text, which is src or the end of it, and checks what can be
// checked at once.
func (p *jsonParser) load(src, text []byte) error {
	if len(src) > p.limits.InputBytes {
		return ErrorAt(src, p.limits.InputBytes, Error{Format: p.format, Code: CodeInputTooLong, Kind: ErrLimit,
			Message: "the document is longer than the limit", Hint: "raise Limits.InputBytes"})
	}
	p.buf = p.copyText(text, jsonPadding)
	p.end = len(text)
	p.values = max(0, p.limits.Values-1) // one is the text's own
	p.budget = len(text)/4 + 4*maxShapeDepth
	if p.mem == nil && p.chunk == 0 {
		p.chunk = slotsOf(text)
	}
	p.counting = len(text)
	p.beyond = 0
	return nil
}

// slotsOf returns how many slots a text needs, unless it is long: one for each
// element and member, and one for the keys of each object.
func slotsOf(text []byte) int {
	const long, most = 4 << 10, 256
	if len(text) > long {
		return most
	}
	count := func(c byte) int { return bytes.Count(text, []byte{c}) }
	return min(count(',')+count('[')+2*count('{'), most)
}

// trailing fails because of what follows the value.
func (p *jsonParser) trailing(i int) {
	p.fail(i, CodeTrailingData, ErrSyntax, "expected the end after the top-level value, found "+p.found(i))
}

// fail records the first error and returns -1.
func (p *jsonParser) fail(i int, code string, kind error, message string) int {
	p.err = &Error{Format: p.format, Code: code, Kind: kind, Message: message}
	p.failedAt = i
	return -1
}

// limited fails because of a limit; the hint says how to raise it.
func (p *jsonParser) limited(i int, code, message, hint string) int {
	p.fail(i, code, ErrLimit, message)
	p.err.Hint = hint
	return -1
}

// expected fails because the byte at i is not what the grammar wants there.
func (p *jsonParser) expected(i int, what string) int {
	if p.cells != nil {
		return p.fail(i, "", ErrSyntax, "") // a cell that is a string
	}
	if i >= p.end {
		return p.fail(p.end, CodeUnexpectedEnd, ErrTruncated, "the text ends where "+what+" was expected")
	}
	return p.fail(i, "unexpected_character", ErrSyntax, "expected "+what+", found "+p.found(i))
}

func (p *jsonParser) found(i int) string {
	if i >= p.end {
		return "the end"
	}
	r, _ := utf8.DecodeRune(p.buf[i:p.end])
	return strconv.QuoteRune(r)
}

// load returns the eight bytes at i, the first one lowest.
func load(buf []byte, i int) uint64 { return binary.LittleEndian.Uint64(buf[i : i+8 : i+8]) }

// space skips white space. Indentation is mostly one line end and a run of
// blanks.
func (p *jsonParser) space(i int) int {
	const blanks = 0x2020202020202020
	for {
		switch p.buf[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
		for i < p.end {
			w := load(p.buf, i) ^ blanks
			if w != 0 {
				i += bits.TrailingZeros64(w) / 8
				break
			}
			i += 8
		}
	}
}

// value parses a value into dst. site is where it is: it has
// the shape of the last object there, see shape.inside.
func (p *jsonParser) value(i int, dst *Value, site **shape) int {
	c := p.buf[i]
	if c == '"' {
		buf := p.buf
		end := i + 1
		w := load(buf, end)
		beyond := w
		found := scan.StringStops(w)
		for found == 0 {
			if end += 8; end-i > 16 {
				p.beyond |= beyond
				return p.longString(i+1, end, dst)
			}
			w = load(buf, end)
			beyond |= w
			found = scan.StringStops(w)
		}
		p.beyond |= beyond
		if end += bits.TrailingZeros64(found) / 8; buf[end] != '"' {
			return p.longString(i+1, end, dst)
		}
		*dst = spanValue(KindString, formPlain, buf, i+1, end)
		return end + 1
	}
	switch c {
	case '{':
		*dst, i = p.object(i, site)
		return i
	case '[':
		*dst, i = p.array(i, site)
		return i
	case 't', 'f', 'n':
		return p.word(i, dst)
	case ' ', '\n', '\r', '\t':
		return p.value(p.space(i), dst, site)
	default:
		if c == '-' || c-'0' <= 9 {
			return p.number(i, dst)
		}
		if p.classes != nil && isNameStart(c) {
			*dst, i = p.named(i)
			return i
		}
		return p.expected(i, "a value")
	}
}

// stacked parses a value into the stack, which may move while it does.
func (p *jsonParser) stacked(i, at int, site **shape) int {
	var v Value
	switch p.buf[i] {
	case '{':
		v, i = p.object(i, site)
	case '[':
		v, i = p.array(i, site)
	default:
		if p.classes == nil || !isNameStart(p.buf[i]) {
			return p.value(i, &p.stack[at], site)
		}
		i = p.value(i, &v, site)
	}
	p.stack[at] = v // not through a pointer: the stack has moved
	return i
}

// word parses true, false or null, of which the first letter is there.
func (p *jsonParser) word(i int, dst *Value) int {
	word, v := "null", Value{}
	switch p.buf[i] {
	case 't':
		word, v = "true", Bool(true)
	case 'f':
		word, v = "false", Bool(false)
	}
	for j := 1; j < len(word); j++ {
		if p.buf[i+j] != word[j] {
			if p.classes != nil {
				*dst, i = p.named(i)
				return i
			}
			return p.expected(i+j, strconv.Quote(word))
		}
	}
	if p.classes != nil && isNameByte(p.buf[i+len(word)]) {
		*dst, i = p.named(i)
		return i
	}
	*dst = v
	return i + len(word)
}

// number parses a number, which keeps its text.
func (p *jsonParser) number(start int, dst *Value) int {
	buf := p.buf
	end := start + 1
	if buf[start] == '-' || buf[end] > ',' { // many are a single digit
		if end = numberEnd(buf, start); end < 0 {
			return p.badNumber(start)
		}
	}
	*dst = spanValue(KindNumber, formText, buf, start, end)
	return end
}

// badNumber fails because of what is not a number.
func (p *jsonParser) badNumber(start int) int {
	buf, i := p.buf, start
	if buf[i] == '-' {
		i++
	}
	switch {
	case buf[i]-'0' > 9:
		return p.expected(i, "a digit")
	case buf[i] == '0' && buf[i+1]-'0' <= 9:
		return p.fail(start, "leading_zero", ErrSyntax, "a number with a leading zero")
	}
	if i = digitsEnd(buf, i); buf[i] == '.' && buf[i+1]-'0' > 9 {
		return p.expected(i+1, "a digit after the decimal point")
	} else if buf[i] == '.' {
		i = digitsEnd(buf, i+1)
	}
	if i++; buf[i] == '+' || buf[i] == '-' { // after the e
		i++
	}
	return p.expected(i, "a digit of the exponent")
}

// longString parses a string from start, after its opening quotation mark, of which the
// bytes before i are plain.
func (p *jsonParser) longString(start, i int, dst *Value) int {
	s, end := p.text(start, i)
	if *dst = stringValue(KindString, s); end == start+len(s)+1 {
		dst.form = formPlain
	}
	return end
}

// text parses a string's text as longString does. Escapes are decoded in place.
func (p *jsonParser) text(start, i int) (string, int) {
	end, beyond := scan.TextEnd(p.buf, i)
	p.beyond |= beyond
	text := p.buf[:end]
	if p.buf[end] == '\\' {
		if p.doubled {
			return p.doubledText(start, end)
		}
		text, end, beyond = scan.JSONEscapes.Unescape(text, aliasString(p.buf), end)
		p.beyond |= beyond
	}
	if p.buf[end] != '"' {
		return "", p.badString(end)
	}
	return aliasString(text[start:]), end + 1
}

// badString fails because of what a string cannot have at i.
func (p *jsonParser) badString(i int) int {
	switch c := p.buf[i]; {
	case i >= p.end, c == '\\' && i+1 >= p.end:
		return p.fail(p.end, CodeUnterminated, ErrTruncated, "the text ends inside a string")
	case c != '\\':
		return p.fail(i, "control_character", ErrSyntax,
			fmt.Sprintf("control character U+%04X in a string; it must be written as an escape", c))
	case p.buf[i+1] != 'u':
		return p.fail(i, CodeInvalidEscape, ErrSyntax, "no escape begins with a backslash and "+p.found(i+1))
	}
	r, ok := scan.Hex4(p.buf[i+2:])
	if !ok {
		return p.fail(i, CodeInvalidEscape, ErrSyntax, `\u needs four hexadecimal digits`)
	}
	return p.fail(i, "lone_surrogate", ErrUTF8, fmt.Sprintf(`\u%04x is half of a surrogate pair and has no other half`, r))
}

func (p *jsonParser) array(i int, site **shape) (Value, int) {
	if p.depth--; p.depth < 0 {
		return Value{}, p.tooDeep(i)
	}
	mark := p.mark()
	if i = p.space(i + 1); p.buf[i] == ']' {
		p.depth++
		return Value{meta: meta{kind: KindArray}}, i + 1
	}
	if c := p.buf[i]; c-'0' <= 9 || c == '-' {
		if v, end := p.numbers(i); end >= 0 {
			p.depth++
			return v, end
		}
	}
	for {
		at := len(p.stack)
		if p.values--; p.values < 0 {
			return Value{}, p.tooMany(i)
		}
		p.push(Value{})
		if i = p.stacked(i, at, site); i < 0 {
			return Value{}, p.within(strconv.Itoa(at - mark))
		}
		if p.buf[i] <= ' ' {
			i = p.space(i)
		}
		switch p.buf[i] {
		case ',':
			if i++; p.buf[i] <= ' ' {
				i = p.space(i)
			}
		case ']':
			p.depth++
			return p.arrayAbove(mark), i + 1
		default:
			return Value{}, p.expected(i, "',' or ']' after an element")
		}
	}
}

// within notes, while an error unwinds, where in its container it occurred.
func (p *jsonParser) within(token string) int {
	p.path = append(p.path, token)
	return -1
}

func (p *jsonParser) tooMany(i int) int {
	return p.limited(i, CodeTooManyValues, "the document holds more values than the limit", "raise Limits.Values")
}

func (p *jsonParser) tooDeep(i int) int {
	return p.limited(i, CodeTooDeep, "arrays and objects nest deeper than the limit", "raise Limits.Depth")
}
