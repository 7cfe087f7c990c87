package csv

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// An encoder writes one table, or the rows of a stream.
type encoder struct {
	columns.Encoder
	comma byte
	text  bool
	flat  gotext.Flat // of Go values in a stream
}

func (c Codec) encoder(comma byte, keys *wire.Keys) *encoder {
	return &encoder{
		Encoder: columns.Encoder{Base: records.Base{Format: format, Limits: c.Limits, Keys: keys}, Noun: "table", Nested: "json, gcf, gcx and glyph carry nested values"},
		comma:   comma,
		text:    c.AllStrings,
	}
}

// Header implements [records.Form].
func (e *encoder) Header(dst []byte) ([]byte, error) {
	for i := range e.Width() {
		name := e.Name(i)
		quoted := name == "" || strings.HasPrefix(name, "\ufeff") || e.Width() == 1 && Separator([]byte(name)) != 0
		dst = append(e.appendString(dst, name, quoted), e.comma)
	}
	return e.endLine(dst)
}

// endLine ends a line after its last cell.
func (e *encoder) endLine(dst []byte) ([]byte, error) {
	dst[len(dst)-1] = '\n'
	return dst, e.Fits(dst)
}

// Record implements [records.Form].
func (e *encoder) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	dst, err := e.Row(dst, record, e)
	if err == nil {
		dst, err = e.endLine(dst)
	}
	return dst, true, err
}

// Fork implements [records.Forker].
func (e *encoder) Fork() records.Form {
	f := *e
	f.Layout = nil
	return &f
}

// Absent implements [columns.Cells].
func (e *encoder) Absent(dst []byte) ([]byte, error) {
	if e.text {
		return dst, e.Refused("absent_member", wire.ErrShape, "every cell of a table of texts is a string", "csv without all-strings has absent members")
	}
	return append(dst, e.comma), nil
}

// Cell implements [columns.Cells].
func (e *encoder) Cell(dst []byte, v wire.Value) ([]byte, error) {
	switch kind := v.Kind(); { // most cells, as a rule
	case kind == wire.KindString:
		return e.string(dst, v.Text())
	case kind == wire.KindNumber && !e.text:
		return append(wire.Internal.AppendText(dst, v), e.comma), nil
	}
	dst, text, isText := columns.AppendScalar(dst, v)
	switch {
	case isText:
		return e.string(dst, text)
	case e.text:
		return dst, e.Refused("not_a_text", wire.ErrShape, fmt.Sprintf("a table of texts cannot hold a %s", v.Kind()), "csv without all-strings carries it")
	}
	return append(dst, e.comma), nil
}

// string appends the cell of a string.
func (e *encoder) string(dst []byte, s string) ([]byte, error) {
	dst = e.appendString(dst, s, s == "" && (e.Width() == 1 || !e.text) || !e.text && columns.IsScalar(s))
	if len(dst) > e.Max { // Fits is called only for its error
		return dst, e.Fits(dst)
	}
	return append(dst, e.comma), nil
}

// marked reports whether a text has something in it that a bare cell cannot hold.
func (e *encoder) marked(s string) bool {
	i, n, pattern := 0, len(s), uint64(e.comma)*scan.Ones
	for i < n-8 && marks(scan.Load64(s, i), pattern) == 0 {
		i += 8
	}
	if end, ok := scan.EndWord(s); ok && i >= n-8 && marks(end, pattern) == 0 {
		return false
	}
	for ; i < n; i++ {
		if b := s[i]; b == e.comma || b <= '"' && (b == '"' || b == '\n' || b == '\r') {
			return true
		}
	}
	return false
}

// appendString appends a string, quoted if it must be.
func (e *encoder) appendString(dst []byte, s string, quoted bool) []byte {
	if !quoted && !e.marked(s) {
		return scan.AppendWords(dst, s)
	}
	dst = append(dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			return append(append(dst, s...), '"')
		}
		dst = append(append(dst, s[:i+1]...), '"')
		s = s[i+1:]
	}
}
