package wire

import (
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// This file parses JSON in the cells of other formats' documents.

// doubledEscapes are those of a cell in which each backslash is two.
var doubledEscapes = scan.Escapes{Doubled: true, Pairs: true}

// doubledText is text for a string with such escapes, the first of which is at i.
func (p *jsonParser) doubledText(start, i int) (string, int) {
	s, end := ours{&p.Builder}.Unescape(&doubledEscapes, aliasString(p.buf), start, i)
	if p.buf[end] != '"' {
		return "", p.expected(end, "the end of a string")
	}
	return s, end + 1
}

// CellBuilder returns a Builder that parses cells.
func (internal) CellBuilder(t inplace.Token) *Builder {
	t.Check()
	return new(jsonParser).forCells()
}

// forCells makes the parser ready for the cells of a document.
func (p *jsonParser) forCells() *Builder {
	p.buf, p.sites, p.wideSite = nil, [maxSites]*shape{}, nil
	p.budget, p.counting = 4*maxShapeDepth, 0
	p.Builder = Builder{}
	p.cells = p
	return &p.Builder
}

// CopyCells is Copy, without padding, for a document that has cells.
func (b ours) CopyCells(text []byte) string {
	p := b.cells
	p.buf = p.copyText(text, jsonPadding)
	p.admit(len(text))
	return aliasString(p.buf[:len(text)])
}

// admit raises by n bytes what bounds the parser's guesses.
func (p *jsonParser) admit(n int) {
	p.budget += n / 4
	p.counting += n
}

// maxSites is how many columns have a memory of their own of the last object.
const maxSites = 16

// ParseCell parses a JSON text, within limits, and returns how many values are left. The text
// is cell, or if that is nil a part of what CopyCells returned, with two backslashes for each.
// The error has a kind and the code of a limit, no more. Objects are expected to be like the
// last one of the column.
func (b ours) ParseCell(cell []byte, from, end, column, depth, values int) (v Value, left int, err *Error) {
	p, doc, mark := b.cells, b.cells.buf, b.mark()
	if cell != nil {
		from, end = 0, len(cell)
		p.buf = p.cloneBytes(append(cell, jsonPadding...))
		p.admit(end)
	}
	after := p.buf[end]
	p.buf[end] = 0 // ends the text, see jsonParser
	p.end, p.depth, p.values, p.doubled = end, depth, values-1, cell == nil
	if p.values < 0 {
		p.tooMany(from)
	} else if i := p.value(from, &v, &p.sites[column%maxSites]); i >= 0 && i != end {
		p.expected(i, "the end")
	}
	p.buf[end], p.buf = after, doc
	if err = p.err; err != nil {
		p.pop(mark)
		p.err, p.path = nil, p.path[:0]
	}
	return v, p.values, err
}
