package partial

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// This file reads what is around the value.

// wrap is what is known of the text around the value.
type wrap struct {
	from   int    // where what follows the value begins, -1 before
	open   []byte // what closes the brackets that are open in the text around the value
	fenced bool   // there is a fence before the value
	tagged bool   // there is a tag before the value
}

// maxStart is how far a bracket in prose is looked after to see whether it begins a value.
const maxStart = 256

// toBracket goes to the next bracket or brace, and reports whether there is one so far.
func (p *Parser) toBracket() bool {
	n := bytes.IndexAny(p.buf[p.pos:p.valid], "{[]}")
	if n < 0 {
		p.pos = p.valid
		return false
	}
	p.pos += n
	return true
}

// prose reads up to where the value begins.
func (p *Parser) prose() {
	if p.quotedRoot() {
		return
	}
	for p.toBracket() {
		begins, decided := p.bracket()
		switch {
		case !decided:
			return
		case begins && len(p.after.open) > 0:
			p.ambiguous(p.pos, "the value is within brackets that are not JSON", "")
			return
		case begins:
			p.around(p.head, p.pos, ProseBefore)
			p.state = inValue
			return
		}
		p.pos++
	}
}

// bracket looks at a bracket around the value. It counts it if it does not begin one.
func (p *Parser) bracket() (begins, decided bool) {
	c, n := p.buf[p.pos], len(p.after.open)
	if c == ']' || c == '}' {
		if n > 0 && p.after.open[n-1] == c {
			p.after.open = p.after.open[:n-1]
		} else if p.state == inTail {
			p.ambiguous(p.pos, "a bracket after the value that nothing opens", "")
		}
		return false, true
	}
	if p.state == inProse && p.alone() {
		return true, true
	}
	if p.look <= p.pos {
		p.look = p.pos + 1
	}
	if begins, decided = p.begun(p.pos); decided && !begins {
		p.after.open = append(p.after.open, c+2) // what closes it
	}
	return begins, decided
}

// quotedRoot begins a string if that is the first of the text.
func (p *Parser) quotedRoot() bool {
	for p.pos < p.valid && p.pos == p.head && strings.IndexByte(" \t\n\r", p.buf[p.pos]) >= 0 {
		p.pos++
		p.head++
	}
	if p.pos == p.valid || p.pos != p.head || !p.isQuote() {
		return false
	}
	p.state = inValue
	return true
}

// alone reports whether nothing but white space and a fence is before pos.
func (p *Parser) alone() bool {
	_, rest := fence(strings.TrimLeftFunc(string(p.buf[p.head:min(p.pos, p.head+maxStart)]), isPadding))
	return p.pos-p.head < maxStart && strings.TrimFunc(rest, isPadding) == ""
}

// begun reports whether the bracket at i begins a value, and whether that is decided.
func (p *Parser) begun(i int) (begins, decided bool) {
	for p.look < p.valid && strings.IndexByte(" \t\n\r", p.buf[p.look]) >= 0 {
		p.look++
	}
	rest := p.buf[p.look:min(p.valid, p.look+maxStart)]
	if len(rest) == 0 {
		return false, false
	}
	if strings.IndexByte(map[byte]string{'{': `"}`, '[': `"{[]-0123456789`}[p.buf[i]], rest[0]) >= 0 || p.quoteAt(p.look) >= 0 {
		return true, true
	}
	name := 0
	for name < len(rest) && isName(rest[name]) {
		name++
	}
	end := rest[name:]
	if p.buf[i] == '{' {
		end = bytes.TrimLeft(end, " \t\n\r")
		return p.lenient() && len(end) > 0 && end[0] == ':' && name > 0, name == 0 || !p.lenient() || len(end) > 0 || len(rest) == maxStart
	}
	_, ok := words[string(rest[:name])]
	return ok && len(end) > 0 && strings.IndexByte(", ]\n\r\t", end[0]) >= 0, len(end) > 0 || name == maxStart
}

// end reads what follows the value.
func (p *Parser) end() {
	for p.pos < p.valid && strings.IndexByte(" \t\n\r", p.buf[p.pos]) >= 0 {
		p.pos++
	}
	if p.pos == p.valid {
		return
	}
	c := p.buf[p.pos]
	switch {
	case p.o.Level == Strict:
		p.trailingData()
	case p.lenient() && (c == ']' || c == '}'):
		if p.last.closer = p.pos; mayEndBefore(p.root) {
			p.ambiguous(p.pos, fmt.Sprintf("%q closes nothing; there may be one too many in another place", c), "")
			return
		}
		p.repair(ExtraCloser, p.pos, p.pos+1, "", true)
		p.pos++
	case c == '`' || c == '~':
		p.after.from, p.state = p.pos, inTail
	case p.last.closer >= 0 || p.root.Kind() < wire.KindArray || strings.IndexByte(",:]}{[\"'=+0123456789", c) >= 0:
		p.trailingData()
	default:
		p.after.from, p.state = p.pos, inTail
	}
}

// mayEndBefore reports whether a bracket too many after a value may be one of those in it: some
// array or object is not the last in another of its kind.
func mayEndBefore(v wire.Value) bool {
	for v.Kind() >= wire.KindArray && v.Len() > 0 {
		n := v.Len() - 1
		for i := range n {
			if v.Index(i).Kind() == v.Kind() {
				return true
			}
		}
		v = v.Index(n)
	}
	return false
}

func (p *Parser) trailingData() {
	r, _ := utf8.DecodeRune(p.buf[p.pos:])
	p.fail(p.pos, wire.CodeTrailingData, wire.ErrSyntax, fmt.Sprintf("expected the end after the top-level value, found %q", r), "")
}

// tail reads what is left out after the value: there must be no other value in it.
func (p *Parser) tail() {
	for p.toBracket() {
		begins, decided := p.bracket()
		switch {
		case !decided:
			return
		case begins:
			p.ambiguous(p.pos, "the text has more than one value", "use Options.Many for values that follow one another, and give each text with prose alone")
			return
		}
		p.pos++
	}
}

// fence returns the fence that s begins with, and what follows it.
func fence(s string) (mark, rest string) {
	run := len(s) - len(strings.TrimLeft(s, "`"))
	if run == 0 {
		run = len(s) - len(strings.TrimLeft(s, "~"))
	}
	if run < 3 {
		return "", s
	}
	rest = strings.TrimLeftFunc(s[run:], func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_+.-", r)
	})
	return s[:len(s)-len(rest)], rest
}

// around lists what buf[from:to], before or after the value, is left out as.
func (p *Parser) around(from, to int, kind Kind) {
	s := string(p.buf[from:to])
	lead := len(s) - len(strings.TrimLeft(s, " \t\n\r"))
	s = strings.TrimRight(s[lead:], " \t\n\r")
	from += lead
	if kind == ProseBefore { // the fence comes last
		if at := fenceBefore(s); at >= 0 {
			p.leftOut(from, strings.TrimSpace(s[:at]), kind)
			p.repairAt(Repair{Kind: Fence, Offset: from + at, Read: s[at:], Sure: true})
			p.after.fenced = true
			return
		}
		p.leftOut(from, s, kind)
		return
	}
	if mark, rest := fence(s); mark != "" {
		if !p.after.fenced {
			p.repairAt(Repair{Kind: Fence, Offset: from, Read: mark, Sure: true})
		}
		from += len(s) - len(strings.TrimLeft(rest, " \t\n\r"))
		s = strings.TrimSpace(rest)
	}
	p.leftOut(from, s, kind)
}

// fenceBefore returns where the fence is that s ends with, -1 if it ends with none.
func fenceBefore(s string) int {
	at := max(strings.LastIndex(s, "```"), strings.LastIndex(s, "~~~"))
	if at < 0 {
		return -1
	}
	at = len(strings.TrimRight(s[:at+3], s[at:at+1]))
	if _, rest := fence(s[at:]); rest != "" {
		return -1
	}
	return at
}

// leftOut lists text that is not part of the value.
func (p *Parser) leftOut(at int, s string, kind Kind) {
	sure := false
	switch {
	case s == "":
		return
	case isOdd([]byte(s)):
		p.ambiguous(at, "what is around the value has a quotation mark without another", "")
		return
	case strings.TrimFunc(s, isPadding) == "":
		kind, sure = Padding, true
	case p.lenient() && isComment(s):
		kind, sure = Comment, true
	case s[0] == '<' && s[len(s)-1] == '>':
		if kind == ProseAfter && p.after.tagged && strings.Count(s, "<") == 1 && s[1] == '/' {
			return // it ends the tag that is listed
		}
		p.after.tagged = kind == ProseBefore
		kind = Tag
	}
	p.repairAt(Repair{Kind: kind, Offset: at, Read: s, Sure: sure})
}

func isComment(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "//") {
			return strings.HasPrefix(s, "/*") && strings.Index(s, "*/") == len(s)-len("*/")
		}
	}
	return true
}

// finish reads what only the end decides.
func (p *Parser) finish() {
	if p.valid < len(p.buf) {
		p.cut()
		return
	}
	if p.state == inStart {
		p.start()
	}
	if p.state == inComment && !p.block() {
		p.endComment()
	}
	if n := len(p.frames); p.err == nil && n > 0 && p.last.around == n {
		p.pop()
	}
	if p.err != nil {
		return
	}
	base := 0
	if p.o.Many {
		base = 1
	}
	switch p.state {
	case inProse:
		p.scalar()
	case inConfirm:
		p.pos = p.text.mark
		p.endString()
	case inNumber:
		if p.number < mayEnd && len(p.frames) == base {
			p.endNumber()
		}
	case inTail:
		p.around(p.after.from, len(p.buf), ProseAfter)
	}
	if p.o.Many && len(p.frames) == 1 && p.state == inAfter {
		p.pop()
	}
}

// scalar reads a text without a string, an array or an object at its end: it is a number or a
// word, alone or in a fence.
func (p *Parser) scalar() {
	s := strings.TrimLeft(string(p.buf[p.head:]), " \t\n\r")
	at := len(p.buf) - len(s)
	mark, rest := fence(s)
	if inner := strings.TrimLeft(rest, " \t\n\r"); mark != "" {
		at, s = len(p.buf)-len(inner), inner
	}
	n := scan.Number(s)
	if n == 0 {
		n = len(s) - len(strings.TrimLeftFunc(s, unicode.IsLetter))
	}
	v, word := words[s[:n]]
	after, left := fence(strings.TrimLeft(s[n:], " \t\n\r"))
	number := n > 0 && scan.Number(s[:n]) == n
	upper := word && unicode.IsUpper(rune(s[0]))
	if !number && (!word || upper && !p.lenient()) || strings.TrimSpace(left) != "" || (mark == "") != (after == "") && mark == "" {
		if strings.TrimSpace(string(p.buf)) != "" {
			p.fail(p.head, "no_value", wire.ErrSyntax, "the text has no JSON value", "")
		}
		return
	}
	if mark != "" {
		p.repairAt(Repair{Kind: Fence, Offset: at - len(rest) + len(strings.TrimLeft(rest, " \t\n\r")) - len(mark), Read: mark, Sure: true})
	}
	if upper {
		p.repair(Word, at, at+n, v.String(), true)
	}
	if number {
		v = builder.NumberText(s[:n])
	}
	p.values--
	p.pos = at + n
	p.complete(v)
}
