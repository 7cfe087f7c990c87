package partial

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// This file reads what is around the value.

// maxStart is how far a bracket in prose is looked after to see whether it begins a value.
const maxStart = 256

// A fence is a line of backticks or tildes, with a word perhaps.
const fence = "((?:`{3,}|~{3,})[\\pL\\pN_+.-]*)"

// fences are at the end of what is before the value and at the start of what is after it.
var fences = map[Kind]*regexp.Regexp{
	ProseBefore: regexp.MustCompile(fence + "\\s*$"),
	ProseAfter:  regexp.MustCompile("^\\s*" + fence),
}

// onlyFence is what may be before a value that begins a text.
var onlyFence = regexp.MustCompile(`^[\s\v\pZ\x{85}\x{FEFF}\x{200B}]*(?:` + fence + `\s*)?$`)

// prose reads up to where the value begins: at a quotation mark only if that is the first of
// the text.
func (p *Parser) prose() {
	if p.pos == p.head {
		p.pos = p.ahead(p.pos)
		if p.head = p.pos; p.pos < p.valid && p.isQuote() {
			p.state = inValue
			return
		}
	}
	switch begins := p.toValue(); {
	case begins && len(p.open) > 0:
		p.ambiguous(p.pos, "the value is within brackets that are not JSON", "")
	case begins:
		p.around(p.pos, ProseBefore)
		p.state = inValue
	}
}

// tail reads what is left out after the value: there must be no other value in it.
func (p *Parser) tail() {
	if p.toValue() {
		p.ambiguous(p.pos, "the text has more than one value", "use Options.Many for values that follow one another, and give each text with prose alone")
	}
}

// toValue goes to the next bracket around the value, and reports whether it begins another one.
// It counts it if it does not.
func (p *Parser) toValue() bool {
	n := bytes.IndexAny(p.buf[p.pos:p.valid], "{[]}")
	if n < 0 {
		p.pos = p.valid
		return false
	}
	p.pos += n
	c, open := p.buf[p.pos], len(p.open)
	switch {
	case c == '{' || c == '[':
		if begins, decided := p.begun(c); begins || !decided {
			return begins
		}
		p.open = append(p.open, c+2) // what closes it
	case open > 0 && p.open[open-1] == c:
		p.open = p.open[:open-1]
	case p.state == inTail:
		p.ambiguous(p.pos, "a bracket after the value that nothing opens", "")
	}
	p.pos++
	return false
}

// begun reports whether the bracket at pos begins a value, and whether that is decided. It does
// if nothing is before it, but for white space and a fence.
func (p *Parser) begun(c byte) (begins, decided bool) {
	next, before := p.ahead(p.pos+1), p.buf[p.head:p.pos]
	rest := p.buf[next:min(p.valid, next+maxStart)]
	switch {
	case p.state == inProse && len(before) < maxStart && onlyFence.Match(before):
		return true, true
	case len(rest) == 0:
		return false, false
	case strings.IndexByte(map[byte]string{'{': `"}`, '[': `"{[]-0123456789`}[c], rest[0]) >= 0, p.quoteAt(next) >= 0:
		return true, true
	}
	long := len(rest) == maxStart
	n := bytes.IndexFunc(rest, func(r rune) bool { return r >= utf8.RuneSelf || !isName(byte(r)) })
	if n < 0 {
		return false, long || c == '{' && !p.lenient()
	}
	if c == '[' {
		_, ok := words[string(rest[:n])]
		return ok && strings.IndexByte(", ]\n\r\t", rest[n]) >= 0, true
	}
	after := bytes.TrimLeft(rest[n:], " \t\n\r")
	return p.lenient() && n > 0 && bytes.HasPrefix(after, []byte(":")), n == 0 || !p.lenient() || len(after) > 0 || long
}

// end reads what follows the value.
func (p *Parser) end() {
	if p.pos = p.ahead(p.pos); p.pos == p.valid {
		return
	}
	c := p.buf[p.pos]
	switch {
	case p.lenient() && isCloser(c):
		if p.last.closer = p.pos; mayEndBefore(p.root) {
			p.ambiguous(p.pos, fmt.Sprintf("%q closes nothing; there may be one too many in another place", c), "")
			return
		}
		p.repair(ExtraCloser, p.pos, p.pos+1, "", true)
		p.pos++
	case p.o.Level > Strict && (c == '`' || c == '~' ||
		p.last.closer < 0 && p.last.kind >= wire.KindArray && strings.IndexByte(",:]}{[\"'=+0123456789", c) < 0):
		p.head, p.state = p.pos, inTail
	default:
		r, _ := utf8.DecodeRune(p.buf[p.pos:])
		p.fail(p.pos, wire.CodeTrailingData, wire.ErrSyntax, fmt.Sprintf("expected the end after the top-level value, found %q", r), "")
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

// around lists what buf[head:to], before or after the value, is left out as.
func (p *Parser) around(to int, kind Kind) {
	from := p.head
	if at := fences[kind].FindSubmatchIndex(p.buf[from:to]); at != nil {
		start, end := from+at[2], from+at[3]
		if from = end; kind == ProseBefore {
			p.leftOut(p.head, start, kind)
			from = to
		}
		if p.kinds&(1<<Fence) == 0 {
			p.repairAt(Repair{Kind: Fence, Offset: start, Read: string(p.buf[start:end]), Sure: true})
		}
	}
	p.leftOut(from, to, kind)
}

// leftOut lists text that is not part of the value.
func (p *Parser) leftOut(from, to int, kind Kind) {
	rest := bytes.TrimLeft(p.buf[from:to], " \t\n\r")
	s := string(bytes.TrimRight(rest, " \t\n\r"))
	at, sure := to-len(rest), false
	switch {
	case s == "":
		return
	case isOdd([]byte(s)):
		p.ambiguous(at, "what is around the value has a quotation mark without another", "")
		return
	case strings.TrimFunc(s, isPadding) == "":
		kind, sure = Padding, true
	case p.lenient() && comments.MatchString(s):
		kind, sure = Comment, true
	case s[0] == '<' && s[len(s)-1] == '>':
		if kind == ProseAfter && p.kinds&(1<<Tag) > 0 && strings.Count(s, "<") == 1 && s[1] == '/' {
			return // it ends the tag that is listed
		}
		kind = Tag
	}
	p.repairAt(Repair{Kind: kind, Offset: at, Read: s, Sure: sure})
}

// comments are nothing but a comment, or lines of them.
var comments = regexp.MustCompile(`^(?:/\*(?:[^*]|\*+[^*/])*\*+/|(?:\s*(?:#|//)[^\n]*)+)$`)

// scalar reads a text that has no string, array or object: it is a number or a word, alone or
// in a fence.
func (p *Parser) scalar() {
	head := p.head
	p.pos, p.look = head, 0
	if fence := fences[ProseAfter].FindSubmatchIndex(p.buf[head:]); fence != nil {
		p.around(head+fence[1], ProseBefore)
		p.pos += fence[1]
		if end := fences[ProseBefore].FindIndex(p.buf[p.pos:]); end != nil {
			p.valid = p.pos + end[0]
		}
	}
	p.state = inValue
	p.run()
	if p.valid = len(p.buf); head < p.valid && (!p.whole || p.root.Kind() >= wire.KindString) {
		p.err, p.repairs, p.whole = nil, p.repairs[:0], false
		p.fail(head, "no_value", wire.ErrSyntax, "the text has no JSON value", "")
	}
	p.pos = p.valid
}

// finish reads what only the end decides.
func (p *Parser) finish() {
	p.run()
	if p.err == nil && p.state == inProse {
		p.scalar()
	}
	switch n := len(p.frames); {
	case p.err != nil:
	case n > 0 && p.last.around == n, p.o.Many && n == 1 && p.state == inAfter:
		p.pop()
	case p.state == inTail:
		p.around(len(p.buf), ProseAfter)
	}
}
