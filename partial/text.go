package partial

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// text is the open string or key.
type text struct {
	key     bool
	close   string // its closing mark
	from    int    // where it begins in the text
	mark    int    // where what may be its closing mark is
	decoded []byte // what it has so far, once it is not what the text has
	apart   bool   // decoded is in use
	control bool   // it has a line break or tab
	inner   int    // closing marks in it that do not end it
	escaped bool   // it has one with a backslash
	quoted  int    // its repair for the marks around it, counted from 1
}

// minDecoded is the least room for what escapes mean.
const minDecoded = 256

// quotes are the marks that begin a string, and what ends it.
var quotes = []struct {
	open, close string
	kind        Kind
}{
	{`"`, `"`, 0}, {`'`, `'`, SingleQuotes}, {"“", "”", TypographicQuotes}, {"”", "”", TypographicQuotes},
	{"„", "“", TypographicQuotes}, {"‘", "’", TypographicQuotes},
}

// isQuote reports whether a string may begin at pos.
func (p *Parser) isQuote() bool { return p.quoteAt(p.pos) >= 0 }

// quoteAt returns which of quotes is at i, -1 if none.
func (p *Parser) quoteAt(i int) int {
	switch {
	case p.buf[i] == '"':
		return 0
	case !p.lenient() || p.buf[i] != '\'' && p.buf[i] < utf8.RuneSelf:
		return -1
	}
	for n, q := range quotes {
		if bytes.HasPrefix(p.buf[i:p.valid], []byte(q.open)) {
			return n
		}
	}
	return -1
}

// quote begins a string, or a key, if there is one at pos, and reports that.
func (p *Parser) quote(key bool) bool {
	n := p.quoteAt(p.pos)
	if n < 0 {
		return false
	}
	q := quotes[n]
	t := &p.text
	*t = text{key: key, close: q.close, decoded: t.decoded[len(t.decoded):]}
	if n > 0 {
		p.repair(q.kind, p.pos, p.pos+len(q.open), `"`, true)
		t.quoted = len(p.repairs)
	}
	p.pos += len(q.open)
	t.from, p.state, p.last.mark = p.pos, inString, ""
	if !key && len(p.frames) > 0 {
		p.begin()
	}
	return true
}

func (p *Parser) inText() bool { return p.state >= inString && p.state <= inEscape }

// soFar returns the text that the open string has.
func (p *Parser) soFar() string {
	t := &p.text
	end := p.pos
	if p.state == inConfirm {
		end = t.mark
	}
	if t.apart {
		return p.b.TextOf(t.decoded[:len(t.decoded):len(t.decoded)])
	}
	return p.b.TextOf(p.buf[t.from:end:end])
}

// split begins to keep the string apart from the text, which has it in another form. The
// memory of what Value returned is only appended to.
func (t *text) split(soFar string) {
	if t.apart {
		return
	}
	if n := len(soFar) + minDecoded; cap(t.decoded) < n {
		t.decoded = make([]byte, 0, 2*n)
	}
	t.decoded, t.apart = append(t.decoded, soFar...), true
}

// string reads more of a string.
func (p *Parser) string() {
	t := &p.text
	from := p.pos
	for {
		at := p.pos
		p.pos, _ = scan.TextEnd(p.buf[:p.valid], at)
		if t.close != `"` {
			if n := bytes.Index(p.buf[at:p.pos], []byte(t.close)); n >= 0 {
				p.pos = at + n
			} else if p.pos < p.valid && p.buf[p.pos] == '"' {
				p.pos++
				continue
			}
		}
		break
	}
	if t.apart {
		t.decoded = append(t.decoded, p.buf[from:p.pos]...)
	}
	if p.pos == p.valid {
		return
	}
	switch c := p.buf[p.pos]; {
	case bytes.HasPrefix(p.buf[p.pos:], []byte(t.close)):
		t.mark = p.pos
		p.state = inConfirm
		if p.lenient() && !(len(p.frames) == 0 && t.close == `"`) {
			p.pos += len(t.close)
			return
		}
		p.endString()
	case c == '\\':
		p.state = inEscape
	case p.lenient() && (c == '\n' || c == '\r' || c == '\t'):
		p.control(c)
	default:
		p.fail(p.pos, "control_character", wire.ErrSyntax, fmt.Sprintf("control character U+%04X in a string; it must be written as an escape", c), "")
	}
}

// control takes a line break or tab as part of the string.
func (p *Parser) control(c byte) {
	t := &p.text
	afterColon := len(p.repairs) > 0 && p.repairs[len(p.repairs)-1].Kind == MissingColon
	if t.inner > 0 || t.key || afterColon {
		p.twoReadings(p.pos)
		return
	}
	if !t.control {
		t.control = true
		p.repair(ControlInText, p.pos, p.pos+1, strconv.Quote(string(c)), true)
	}
	p.pos++
	if t.apart {
		t.decoded = append(t.decoded, c)
	}
}

func (p *Parser) twoReadings(at int) {
	p.ambiguous(at, "a quotation mark is missing, or one within the string lacks its backslash; the string begins at offset "+
		strconv.Itoa(p.text.from), `write \" for quotation marks in strings`)
}

// endString ends the string before its closing mark.
func (p *Parser) endString() {
	t := &p.text
	s := p.soFar()
	p.pos = t.mark + len(t.close)
	if !t.key {
		p.complete(wire.String(s))
		p.last.mark = t.close
		return
	}
	p.frames[len(p.frames)-1].key = s
	p.last.bare, p.state = false, inColon
	p.last.mark, p.last.end = t.close, p.pos
}

// confirm looks at what follows a closing mark: the string ends there if that may follow a
// string. If it may not, the mark is part of the string, unless another mark seems to be
// missing.
func (p *Parser) confirm() {
	t := &p.text
	for p.pos < p.valid && strings.IndexByte(" \t\n\r", p.buf[p.pos]) >= 0 {
		p.pos++
	}
	if p.pos == p.valid {
		return
	}
	end := t.mark + len(t.close)
	blanks := p.buf[end:p.pos]
	c := p.buf[p.pos]
	r, _ := utf8.DecodeRune(p.buf[p.pos:])
	ends := strings.IndexByte(",]}/#+;=", c) >= 0 || p.quoteAt(p.pos) >= 0 && quotes[p.quoteAt(p.pos)].close == t.close || isPadding(r) && r >= utf8.RuneSelf
	if t.key {
		ends = ends || strings.IndexByte(":={[-", c) >= 0 || scan.IsDigit(c)
	}
	if ends || len(p.frames) == 0 {
		p.pos = end
		p.endString()
		return
	}
	p.pos, p.state = t.mark, inString
	if !p.isInner(c, blanks) {
		p.state = inConfirm
		p.twoReadings(t.mark)
		return
	}
	p.repair(InnerQuote, t.mark, end, strconv.Quote(t.close), false)
	if t.quoted > 0 && p.err == nil {
		p.repairs[t.quoted-1].Sure = false
	}
	t.inner++
	if t.apart {
		t.decoded = append(t.decoded, p.buf[t.mark:end]...)
	}
	p.pos = end
}

// isInner reports whether a closing mark before blanks and c is part of the string for sure: an
// apostrophe, or one of two that are around words.
func (p *Parser) isInner(c byte, blanks []byte) bool {
	t := &p.text
	soFar := p.soFar()
	before := strings.TrimRight(soFar, " \t\n\r")
	switch {
	case t.key || t.escaped || t.control || c == ':' || len(bytes.Trim(blanks, " ")) > 0:
		return false
	case before != "" && strings.IndexByte(",:{[", before[len(before)-1]) >= 0:
		return false
	case (t.close == "'" || t.close == "’") && len(before) == len(soFar) && before != "" && len(blanks) == 0:
		return scan.IsLetter(before[len(before)-1]) && scan.IsLetter(c)
	case t.inner%2 == 0: // the first of two
		return (before == "" || len(before) < len(soFar)) && len(blanks) == 0
	}
	return before != "" && len(before) == len(soFar)
}

// escape reads an escape.
func (p *Parser) escape() {
	rest := p.buf[p.pos:p.valid]
	if len(rest) < 2 {
		return
	}
	c := rest[1]
	if p.text.escaped = p.text.escaped || p.text.close == string(c); p.text.escaped && p.text.inner > 0 {
		p.twoReadings(p.pos)
		return
	}
	if letter := scan.JSONEscapes.Letters[c]; letter != 0 {
		p.unescape(2, letter)
		return
	}
	if c == 'u' {
		p.unicode(rest)
		return
	}
	r, n := utf8.DecodeRune(rest[1:])
	switch {
	case !p.lenient():
		p.fail(p.pos, wire.CodeInvalidEscape, wire.ErrSyntax, "no escape begins with a backslash and "+strconv.QuoteRune(r), "")
	case c == '\'':
		p.repair(Escape, p.pos, p.pos+2, `'`, true)
		p.unescape(2, '\'')
	case c < 0x20 || strings.IndexByte("avxUN01234567", c) >= 0:
		p.ambiguous(p.pos, "a backslash and "+strconv.QuoteRune(r)+" are an escape of other languages", `write \\ for a backslash`)
	default:
		p.repair(Escape, p.pos, p.pos+1+n, `\\`+string(r), false)
		p.unescape(1+n, rest[:1+n]...)
	}
}

// unicode reads an escape with u, or two that are the halves of a surrogate pair.
func (p *Parser) unicode(rest []byte) {
	const length = len(`\u0000`)
	for i := 2; i < min(length, len(rest)); i++ {
		if !isHex(rest[i]) {
			p.fail(p.pos, wire.CodeInvalidEscape, wire.ErrSyntax, `\u needs four hexadecimal digits`, "")
			return
		}
	}
	if len(rest) < length {
		return
	}
	r, _ := scan.Hex4(rest[2:])
	n := length
	if r&0xF800 == 0xD800 {
		low, whole, ok := lowHalf(rest[length:])
		if r >= 0xDC00 || !ok {
			p.fail(p.pos, "lone_surrogate", wire.ErrUTF8, fmt.Sprintf(`\u%04x is half of a surrogate pair and has no other half`, r), "")
			return
		}
		if !whole {
			return
		}
		r, n = 0x10000+(r-0xD800)<<10+(low-0xDC00), 2*length
	}
	p.unescape(n, utf8.AppendRune(nil, r)...)
}

// lowHalf reads the second half of a surrogate pair. ok says that there may be one, whole that
// all of it is there.
func lowHalf(rest []byte) (low rune, whole, ok bool) {
	const begins = `\u`
	n := min(len(rest), len(begins))
	if string(rest[:n]) != begins[:n] {
		return 0, false, false
	}
	for i := n; i < min(len(rest), 6); i++ {
		c := rest[i] | 0x20
		if !isHex(rest[i]) || i == 2 && c != 'd' || i == 3 && c < 'c' {
			return 0, false, false
		}
	}
	if len(rest) < 6 {
		return 0, false, true
	}
	low, _ = scan.Hex4(rest[2:])
	return low, true, true
}

func isHex(c byte) bool { return scan.IsDigit(c) || c|0x20-'a' <= 'f'-'a' }

// unescape appends what an escape of n bytes means.
func (p *Parser) unescape(n int, means ...byte) {
	t := &p.text
	t.split(p.soFar())
	t.decoded = append(t.decoded, means...)
	p.pos += n
	p.state = inString
}
