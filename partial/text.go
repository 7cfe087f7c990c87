package partial

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// text is the open string or key, or the last one.
type text struct {
	key     bool
	mark    rune // what ends it
	from    int  // where it begins in the text
	apart   bool // Parser.decoded is in use
	control bool // it has a line break or tab
	inner   int  // closing marks in it that do not end it
	escaped bool // it has one with a backslash
	listed  int  // its repair for the marks around it, counted from 1
}

// decodedRoom is the least memory that is made for strings with escapes.
const decodedRoom = 512

// marks are what begins a string, and at the same place what ends it.
var marks, endMarks = []rune(`"'“”„‘`), []rune(`"'””“’`)

// isQuote reports whether a string may begin at pos.
func (p *Parser) isQuote() bool { return p.quoteAt(p.pos) >= 0 }

// quoteAt returns which of marks is at i, -1 if none.
func (p *Parser) quoteAt(i int) int {
	r, _ := utf8.DecodeRune(p.buf[i:])
	n := slices.Index(marks, r)
	if n > 0 && !p.lenient() {
		return -1
	}
	return n
}

// quote begins a string, or a key, if there is one at pos, and reports that.
func (p *Parser) quote(key bool) bool {
	n := p.quoteAt(p.pos)
	if n < 0 {
		return false
	}
	from := p.pos + utf8.RuneLen(marks[n])
	p.text, p.decoded = text{key: key, mark: endMarks[n], from: from}, p.decoded[len(p.decoded):]
	if n > 0 {
		p.repair(min(SingleQuotes+Kind(n-1), TypographicQuotes), p.pos, from, `"`, true)
		p.text.listed = len(p.repairs)
	}
	p.pos, p.state = from, inString
	if !key && len(p.frames) > 0 {
		p.begin()
	}
	return true
}

// soFar returns the text that the open string has before pos.
func (p *Parser) soFar() string {
	if p.text.apart {
		return p.b.TextOf(p.decoded[:len(p.decoded):len(p.decoded)])
	}
	return p.b.TextOf(p.buf[p.text.from:p.pos:p.pos])
}

// take appends what is before end to the string.
func (p *Parser) take(end int) {
	if p.text.apart {
		p.decoded = append(p.decoded, p.buf[p.pos:end]...)
	}
	p.pos = end
}

// string reads more of a string.
func (p *Parser) string() {
	end, _ := scan.TextEnd(p.buf[:p.valid], p.pos)
	if p.text.mark != '"' {
		if n := bytes.IndexRune(p.buf[p.pos:end], p.text.mark); n >= 0 {
			end = p.pos + n
		}
	}
	if p.take(end); end == p.valid {
		return
	}
	switch r, n := utf8.DecodeRune(p.buf[end:]); {
	case r == p.text.mark:
		p.mark(end + n)
	case r == '"':
		p.take(end + n)
	case r == '\\':
		p.escape(p.buf[end:p.valid])
	case p.lenient() && (r == '\n' || r == '\r' || r == '\t'):
		p.control(r)
	default:
		p.fail(p.pos, "control_character", wire.ErrSyntax, fmt.Sprintf("control character U+%04X in a string; it must be written as an escape", r), "")
	}
}

// control takes a line break or tab as part of the string.
func (p *Parser) control(c rune) {
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
	p.take(p.pos + 1)
}

func (p *Parser) twoReadings(at int) {
	p.ambiguous(at, "a quotation mark is missing, or one within the string lacks its backslash; the string begins at offset "+
		strconv.Itoa(p.text.from), `write \" for quotation marks in strings`)
}

// mark reads a closing mark, which ends before end: the string ends there if what follows may
// follow a string. If it may not, the mark is part of the string, unless another mark seems to
// be missing.
func (p *Parser) mark(end int) {
	t := &p.text
	next := end
	if p.lenient() && len(p.frames) > 0 {
		if next = p.ahead(end); next == p.valid && !p.closed {
			return
		}
	}
	switch {
	case next == p.valid, !p.lenient(), len(p.frames) == 0, p.mayFollow(next):
		s := p.soFar()
		if p.pos = end; t.key {
			p.endKey(s, false)
		} else {
			p.complete(wire.String(s))
		}
	case !p.isInner(p.buf[next], p.buf[end:next]):
		p.twoReadings(p.pos)
	default:
		p.repair(InnerQuote, p.pos, end, strconv.Quote(string(p.buf[p.pos:end])), false)
		if t.listed > 0 && p.err == nil {
			p.repairs[t.listed-1].Sure = false
		}
		t.inner++
		p.take(end)
	}
}

// mayFollow reports whether what is at i may follow a string.
func (p *Parser) mayFollow(i int) bool {
	c := p.buf[i]
	return strings.IndexByte(",]}/#+;=", c) >= 0 || p.text.key && (strings.IndexByte(":{[-", c) >= 0 || scan.IsDigit(c)) ||
		p.paddingAt(i) || p.quoteAt(i) >= 0 && endMarks[p.quoteAt(i)] == p.text.mark
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
	case (t.mark == '\'' || t.mark == '’') && len(before) == len(soFar) && before != "" && len(blanks) == 0:
		return scan.IsLetter(before[len(before)-1]) && scan.IsLetter(c)
	case t.inner%2 == 0: // the first of two
		return (before == "" || len(before) < len(soFar)) && len(blanks) == 0
	}
	return before != "" && len(before) == len(soFar)
}

// openEscape is an escape, or those of a surrogate pair, of which more must come.
var openEscape = regexp.MustCompile(`^\\(u[[:xdigit:]]{0,3}|u[dD][89abAB][[:xdigit:]]{2}(\\(u([dD]([c-fC-F][[:xdigit:]]?)?)?)?)?)?$`)

// escape reads the escape that rest begins with.
func (p *Parser) escape(rest []byte) {
	const hex = len(`\u0000`)
	if len(rest) < 2*hex && openEscape.Match(rest) {
		return
	}
	r, size := utf8.DecodeRune(rest[1:])
	t := &p.text
	if t.escaped = t.escaped || r == t.mark; t.escaped && t.inner > 0 {
		p.twoReadings(p.pos)
		return
	}
	half, isHex := scan.Hex4(rest[2:])
	n := 2
	if r == 'u' {
		if n = hex; isHex && half&0xFC00 == 0xD800 {
			n = 2 * hex
		}
		n = min(n, len(rest))
	}
	if !t.apart { // the memory of what Value returned is only appended to
		soFar := p.buf[t.from:p.pos]
		if cap(p.decoded) < len(soFar)+2*scan.Ahead {
			p.decoded = make([]byte, 0, 2*len(soFar)+decodedRoom)
		}
		p.decoded, t.apart = append(p.decoded, soFar...), true
	}
	if means, end, _ := scan.JSONEscapes.Unescape(p.decoded, string(rest[:n]), 0); end == n {
		p.decoded = means
		p.pos += n
		return
	}
	switch {
	case r == 'u' && isHex:
		p.fail(p.pos, "lone_surrogate", wire.ErrUTF8, fmt.Sprintf("%s is half of a surrogate pair and has no other half", rest[:hex]), "")
	case r == 'u' || !p.lenient():
		p.fail(p.pos, wire.CodeInvalidEscape, wire.ErrSyntax, fmt.Sprintf("no escape of JSON is %q", rest[:n]), `\u needs four hexadecimal digits`)
	case r == '\'':
		p.repair(Escape, p.pos, p.pos+2, `'`, true)
		p.pos++
		p.take(p.pos + 1)
	case r < ' ' || strings.ContainsRune("avxUN01234567", r):
		p.ambiguous(p.pos, "a backslash and "+strconv.QuoteRune(r)+" are an escape of other languages", `write \\ for a backslash`)
	default:
		p.repair(Escape, p.pos, p.pos+1+size, `\\`+string(r), false)
		p.take(p.pos + 1 + size)
	}
}
