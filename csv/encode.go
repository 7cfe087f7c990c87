package csv

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// An encoder writes one table, or the rows of a stream.
type encoder struct {
	c     Codec
	comma byte
	dst   []byte
	max   int
	lone  bool // the table has one column, and an empty line would be no row

	columns.Table
}

func (e *encoder) header() error {
	for i := range e.Width() {
		e.name(i, e.Name(i))
	}
	e.lone = e.Width() == 1
	return e.endLine()
}

// name writes the name of column i.
func (e *encoder) name(i int, name string) {
	if i > 0 {
		e.dst = append(e.dst, e.comma)
	}
	e.text(name, name == "" || strings.HasPrefix(name, "\ufeff"))
}

func (e *encoder) endLine() error {
	e.dst = append(e.dst, '\n')
	return e.fits()
}

func (e *encoder) fits() error {
	if len(e.dst) > e.max {
		return refused(wire.CodeOutputTooLong, wire.ErrLimit, "the table gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

func (e *encoder) row(row wire.Value) error {
	places, err := e.Places(format, row)
	if err != nil {
		return err
	}
	if places != nil {
		return e.placed(row, places)
	}
	for i := range row.Len() {
		if i > 0 {
			e.dst = append(e.dst, e.comma)
		}
		if err := e.cell(row.Index(i)); err != nil {
			return wire.AtKey(err, row.Keys().At(i))
		}
	}
	return e.endLine()
}

// placed writes a row that has its members elsewhere than the table.
func (e *encoder) placed(row wire.Value, places []int32) error {
	for i, at := range places {
		if i > 0 {
			e.dst = append(e.dst, e.comma)
		}
		if at >= 0 {
			if err := e.cell(row.Index(int(at))); err != nil {
				return wire.AtKey(err, e.Layout.Names[i])
			}
		} else if e.c.AllStrings {
			return wire.AtKey(refused("absent_member", wire.ErrShape, "every cell of a table of texts is a string", "csv without text has absent members"), e.Layout.Names[i])
		}
	}
	return e.endLine()
}

func (e *encoder) cell(v wire.Value) error {
	if v.Kind() >= wire.KindArray {
		return refused("nested_cell", wire.ErrShape, "a cell cannot hold "+columns.WithArticle(v.Kind()), "json, gcf, gcx and glyph carry nested values")
	}
	dst, text, isText := columns.AppendScalar(e.dst, v)
	switch {
	case isText:
		e.text(text, e.quotesEmpty(len(text)) || !e.c.AllStrings && columns.IsScalar(text))
		return e.fits()
	case e.c.AllStrings:
		return refused("not_a_text", wire.ErrShape, fmt.Sprintf("a table of texts cannot hold a %s", v.Kind()), "csv without text carries it")
	}
	e.dst = dst
	return nil
}

// quotesEmpty reports whether a text of that length is empty, and no cell while it is
// bare.
func (e *encoder) quotesEmpty(n int) bool { return n == 0 && (e.lone || !e.c.AllStrings) }

// marked reports whether a text has something in it that a bare cell cannot hold.
func (e *encoder) marked(s string) bool {
	i, n := 0, len(s)
	if n >= 8 {
		pattern := uint64(e.comma) * scan.Ones
		for i < n-8 && marks(scan.Load64(s, i), pattern) == 0 {
			i += 8
		}
		if i >= n-8 && marks(scan.Load64(s, n-8), pattern) == 0 {
			return false
		}
	}
	for ; i < n; i++ {
		if b := s[i]; b == e.comma || b <= '"' && (b == '"' || b == '\n' || b == '\r') {
			return true
		}
	}
	return false
}

// text writes a string, quoted if it must be.
func (e *encoder) text(s string, quoted bool) {
	if !quoted && !e.marked(s) {
		e.dst = append(e.dst, s...)
		return
	}
	e.dst = append(e.dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		e.dst = append(append(e.dst, s[:i+1]...), '"')
		s = s[i+1:]
	}
	e.dst = append(append(e.dst, s...), '"')
}
