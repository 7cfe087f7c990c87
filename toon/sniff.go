package toon

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// maxSniffed bounds the length of what Sniff looks at.
const maxSniffed = 64 << 10

// Sniff reports whether src begins with a header that what follows agrees with:
// as many values in its line as it declares, or deeper lines below. A header
// further down counts if Decode reads all of src, which checks every count.
// Text of plain "key: value" lines is not claimed, which is YAML to most readers.
func (c Codec) Sniff(src []byte) bool {
	src = scan.TrimBOM(src)
	head := src[:min(len(src), maxSniffed)]
	if bytes.IndexByte(head, '[') < 0 {
		return false
	}
	p := new(parser).configure(Codec{Lenient: true, Indent: c.Indent, V3: c.V3}, wire.Limits{}.Resolved())
	p.reset(head)
	if p.beginsCounted(len(head) < len(src)) {
		return true
	}
	p.next = 0
	return p.holdsHeader() && wire.View(c, src, func(wire.Value) error { return nil }) == nil
}

// holdsHeader reports whether a line is a header with a count.
func (p *parser) holdsHeader() bool {
	for p.advance(); !p.ended(); p.advance() {
		i, end := p.line.text, p.line.end
		for i+1 < end && p.s[i] == '-' && p.s[i+1] == ' ' {
			i += 2
		}
		if bracket, colon := p.colon(i, end); bracket >= 0 && colon > bracket {
			if _, ok := p.header(i, bracket, end); ok {
				return true
			}
		}
	}
	return false
}

// beginsCounted reports whether the first line with content is a header that what follows
// agrees with. cut says that the text goes on.
func (p *parser) beginsCounted(cut bool) bool {
	p.advance()
	i, end := p.line.text, p.line.end
	bracket, colon := p.colon(i, end)
	if i > p.line.start || bracket < 0 || colon < 0 {
		return false
	}
	h, ok := p.header(i, bracket, end)
	if !ok {
		return false
	}
	if h.rest < end {
		n := p.countCells(h.rest, end, h.delim)
		return n == h.n || n < h.n && cut && p.next > p.end
	}
	p.advance()
	if p.ended() {
		return true
	}
	deeper := p.line.text > p.line.start
	return deeper == (h.n > 0) && (h.list != nil || !deeper || p.isItem())
}
