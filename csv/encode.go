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
	columns.Encoder
	comma byte
	text  bool
}

func (c Codec) encoder(comma byte, keys *wire.Keys) *encoder {
	return &encoder{
		Encoder: columns.Encoder{Format: format, Noun: "table", Nested: "json, gcf, gcx and glyph carry nested values", Limits: c.Limits, Keys: keys},
		comma:   comma,
		text:    c.AllStrings,
	}
}

// Header implements [columns.Rows].
func (e *encoder) Header() error {
	for i := range e.Width() {
		name := e.Name(i)
		e.string(name, name == "" || strings.HasPrefix(name, "\ufeff"))
		e.Dst = append(e.Dst, e.comma)
	}
	return e.endLine()
}

// endLine ends a line after its last cell.
func (e *encoder) endLine() error {
	e.Dst[len(e.Dst)-1] = '\n'
	return e.Fits()
}

// Record implements [columns.Rows].
func (e *encoder) Record(record wire.Value, _ int) (bool, error) {
	if err := e.Row(record, e); err != nil {
		return true, err
	}
	return true, e.endLine()
}

// Absent implements [columns.Cells].
func (e *encoder) Absent() error {
	if e.text {
		return e.Refused("absent_member", wire.ErrShape, "every cell of a table of texts is a string", "csv without all-strings has absent members")
	}
	e.Dst = append(e.Dst, e.comma)
	return nil
}

// Cell implements [columns.Cells].
func (e *encoder) Cell(v wire.Value) error {
	dst, text, isText := columns.AppendScalar(e.Dst, v)
	switch {
	case isText:
		e.string(text, text == "" && (e.Width() == 1 || !e.text) || !e.text && columns.IsScalar(text))
		if err := e.Fits(); err != nil {
			return err
		}
	case e.text:
		return e.Refused("not_a_text", wire.ErrShape, fmt.Sprintf("a table of texts cannot hold a %s", v.Kind()), "csv without all-strings carries it")
	default:
		e.Dst = dst
	}
	e.Dst = append(e.Dst, e.comma)
	return nil
}

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

// string writes a string, quoted if it must be.
func (e *encoder) string(s string, quoted bool) {
	if !quoted && !e.marked(s) {
		e.Dst = append(e.Dst, s...)
		return
	}
	e.Dst = append(e.Dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		e.Dst = append(append(e.Dst, s[:i+1]...), '"')
		s = s[i+1:]
	}
	e.Dst = append(append(e.Dst, s...), '"')
}
