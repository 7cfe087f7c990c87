package glyph

import (
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A goReader reads GLYPH text into Go variables.
type goReader struct {
	gotext.Reader
	cell    bool            // within a table's cell: "\|" stands for "|"
	columns []gotext.Column // of a stream's rows
}

// goTexts reads GLYPH into Go variables.
var goTexts = gotext.Format[*goTree, *goReader]{
	Root: func(v any) (*gotext.Root[*goTree], gotext.Var) { return goRoots.Of(v, newGoTree) },
	New: func() *goReader {
		return &goReader{Reader: gotext.Reader{Marks: gotext.Marks{Null: '_', Between: ' ', Assign: '=', Cell: '|', True: "t", False: "f"}}}
	},
	Longest: 32 << 20, // within it no limit of the codec can be exceeded
}

// Document implements [gotext.Documents].
func (r *goReader) Document(_ *goTree, root gotext.Var) int {
	r.cell = false
	return r.Value(root, 0)
}

// IsNull implements [gotext.Grammar].
func (r *goReader) IsNull(i int) int {
	if c := r.Text[i+1]; class[c]&classPart != 0 || c >= utf8.RuneSelf {
		return -1
	}
	return i + 1
}

// Str implements [gotext.Grammar].
func (r *goReader) Str(i int, op gotype.Op) (string, int) {
	s := r.Text
	c := s[i]
	if op == gotype.Time {
		end := i
		for class[s[end]]&classToken != 0 {
			end++
		}
		if c-'0' > 9 || tooFine(s[i:end]) {
			return "", -1
		}
		return s[i:end], end
	}
	if c == '"' {
		end := scan.StringEnd(s, i+1)
		switch s[end] {
		case '"':
			return s[i+1 : end], end + 1
		case '\\':
			return r.Unescaped(escapesOf(r.cell), i+1, end)
		}
		return "", -1
	}
	end := i
	switch {
	case class[c]&classStart != 0:
	case c >= utf8.RuneSelf:
		first, n := utf8.DecodeRuneInString(s[i:])
		if !wordStart(first) {
			return "", -1
		}
		end += n
	default:
		return "", -1
	}
	end = wordEnd(s, end)
	word := s[i:end]
	if reserved(word) || word == "_" || s[end] == '"' {
		return "", -1
	}
	return word, end
}

// Key implements [gotext.Grammar].
func (r *goReader) Key(i int) (string, int) {
	if r.Text[i] == '"' {
		return r.Str(i, gotype.String)
	}
	end := partRun(r.Text, i)
	if end == i {
		return "", -1
	}
	return r.Text[i:end], end
}

// Other implements [gotext.Grammar]: it reads a list that is a table.
func (r *goReader) Other(v gotext.Var, i int) int {
	const end = "@end"
	if v.Form != gotext.List || r.cell {
		return -1
	}
	row, _ := v.Row()
	if row == nil {
		return -1
	}
	t := r.Table(row, i, r.header)
	if t == nil {
		return -1
	}
	i += len(t.Declared)
	start, made := i, gotext.Items{Node: v.Node}
	r.cell = true
	for r.Text[i] == '|' {
		if i = r.row(t.Columns, r.Through(r.Add(&made, start, i)), i); i < 0 {
			return -1
		}
	}
	r.cell = false
	if made.Len == 0 || !strings.HasPrefix(r.Text[i:], end) {
		return -1
	}
	r.End(v, made)
	return i + len(end)
}

// header reads the header of a table.
func (r *goReader) header(row *gotext.Node, t *gotext.Table, i int) int {
	const begin = "@tab _ "
	if !r.At(i, begin+"[") {
		return -1
	}
	if t.Columns, i = r.Columns(row, t, i+len(begin)); i < 0 || r.Text[i] != '\n' {
		return -1
	}
	return i + 1
}

// row reads a row of a table into a struct.
func (r *goReader) row(columns []gotext.Column, v gotext.Var, i int) int {
	if i = r.Row(columns, v, i+1); i < 0 || r.Text[i] != '\n' {
		return -1
	}
	return i + 1
}

// Odd implements [gotext.Grammar].
func (r *goReader) Odd(c *gotext.Column, row gotext.Var, i int) int {
	if r.Text[i] == '|' { // absent
		return i
	}
	return r.Value(c.Of(row), i)
}

// A rowTarget is the struct that the rows of a stream are stored in where they need no
// Values.
type rowTarget = gotext.Target[*goTree, *goReader]

// newTarget returns the target of the rows, nil if all need Values.
func (t *tableReader) newTarget(to inplace.Target) *rowTarget {
	record, c := goTexts.Target(to), &t.codec
	if record == nil || c.Lenient || c.Warn != nil || c.Limits != (wire.Limits{}) || t.p.schema != nil {
		return nil
	}
	record.Reader.cell = true
	for _, name := range t.head.columns.All() {
		m := record.Member(name)
		if m == nil {
			return nil
		}
		record.Reader.columns = append(record.Reader.columns, m.Column('|'))
	}
	return record
}

// store stores the row at i. It reports false, and has stored nothing, for one that needs
// Values.
func (t *tableReader) store(i int) bool {
	return t.target.Store(t.p.s, t.p.end, func(r *goReader, v gotext.Var) bool { return r.row(r.columns, v, i) == t.p.end })
}
