package csv

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
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

	keys   *wire.Keys      // of rows that have all columns in their order; nil if there may be none
	layout *columns.Layout // of rows that have not; nil before the first one
}

func (e *encoder) table(v wire.Value) error {
	var err error
	if e.comma, err = e.c.comma(); err != nil {
		return err
	}
	if e.keys, e.layout, err = columns.Find(format, v); err != nil || v.Len() == 0 {
		return err
	}
	if err := e.header(); err != nil {
		return err
	}
	for i := range v.Len() {
		if err := e.row(v.Index(i)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return nil
}

func (e *encoder) header() error {
	if e.keys == nil {
		e.lone = len(e.layout.Names) == 1
		for i, name := range e.layout.Names {
			e.name(i, name)
		}
		return e.endLine()
	}
	e.lone = e.keys.Len() == 1
	for i, name := range e.keys.All() {
		e.name(i, name)
	}
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
	keys := row.Keys()
	if e.keys == nil || keys != e.keys && !keys.Same(e.keys) {
		return e.planned(row, keys)
	}
	for i := range row.Len() {
		if i > 0 {
			e.dst = append(e.dst, e.comma)
		}
		if err := e.cell(row.Index(i)); err != nil {
			return wire.AtKey(err, keys.At(i))
		}
	}
	return e.endLine()
}

// planned writes a row that has other members than the table.
func (e *encoder) planned(row wire.Value, keys *wire.Keys) error {
	if e.layout == nil {
		e.layout = new(columns.Layout)
		e.layout.Add(e.keys)
	}
	found := 0
	for i, at := range e.layout.Plan(keys) {
		if i > 0 {
			e.dst = append(e.dst, e.comma)
		}
		if at < 0 {
			if e.c.AllStrings {
				return wire.AtKey(refused("absent_member", wire.ErrShape, "every cell of a table of texts is a string", "csv without text has absent members"), e.layout.Names[i])
			}
			continue
		}
		found++
		if err := e.cell(row.Index(int(at))); err != nil {
			return wire.AtKey(err, e.layout.Names[i])
		}
	}
	if found < row.Len() {
		for _, name := range keys.All() {
			if !e.layout.Has(name) {
				return wire.AtKey(refused(wire.CodeUnknownMember, wire.ErrUnknownMember, "the table has no column of that name", "declare all members, or encode the whole value at once"), name)
			}
		}
	}
	if found == 0 {
		return refused("empty_row", wire.ErrShape, "a row without members has no form", "")
	}
	return e.endLine()
}

func (e *encoder) cell(v wire.Value) error {
	switch v.Kind() {
	case wire.KindArray, wire.KindObject:
		return refused("nested_cell", wire.ErrShape, "a cell cannot hold "+columns.WithArticle(v.Kind()), "json, gcf, gcx and glyph carry nested values")
	case wire.KindString:
		e.string(v.Text())
		return e.fits()
	case wire.KindBytes, wire.KindTime:
		e.spelled(v)
		return e.fits()
	}
	if e.c.AllStrings {
		return refused("not_a_text", wire.ErrShape, fmt.Sprintf("a table of texts cannot hold a %s", v.Kind()), "csv without text carries it")
	}
	switch v.Kind() {
	case wire.KindNull:
		e.dst = append(e.dst, "null"...)
	case wire.KindBool:
		e.dst = strconv.AppendBool(e.dst, v.Bool())
	case wire.KindNumber:
		e.dst = v.AppendNumber(e.dst)
	}
	return nil
}

// spelled writes bytes or a time, whose text has no quotation marks or line ends.
func (e *encoder) spelled(v wire.Value) {
	from := len(e.dst)
	e.dst = v.AppendText(e.dst)
	text := e.dst[from:]
	if e.quotesEmpty(len(text)) || !e.c.AllStrings && columns.IsScalar(text) || bytes.IndexByte(text, e.comma) >= 0 {
		e.dst = append(slices.Insert(e.dst, from, '"'), '"')
	}
}

// string writes a string as a cell.
func (e *encoder) string(s string) {
	e.text(s, e.quotesEmpty(len(s)) || !e.c.AllStrings && columns.IsScalar(s))
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
