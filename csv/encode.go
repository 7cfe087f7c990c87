package csv

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// An encoder writes one table.
type encoder struct {
	c     Codec
	comma byte
	dst   []byte
	max   int
	lone  bool // the table has one column, and an empty line would be no row
}

// leastFull is how many cells a table may have for each that is not empty;
// small ones may have looseCells in any case.
const (
	leastFull  = 64
	looseCells = 4096
)

func (e *encoder) table(v wire.Value) error {
	var err error
	if e.comma, err = e.c.comma(); err != nil {
		return err
	}
	if v.Kind() != wire.KindArray {
		return refused("not_a_table", wire.ErrShape, fmt.Sprintf("a table is an array of objects, not %s %s", article(v.Kind()), v.Kind()),
			"put the object into an array, or name the array inside of it")
	}
	if v.Len() == 0 {
		return nil
	}
	keys, err := columns(v)
	if err != nil {
		return err
	}
	if err := e.header(keys); err != nil {
		return err
	}
	for i := range v.Len() {
		if err := e.row(keys, v.Index(i)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return nil
}

func article(k wire.Kind) string {
	if k == wire.KindArray || k == wire.KindObject {
		return "an"
	}
	return "a"
}

// columns returns the names that rows have, in the order of their first
// occurrence, and refuses rows that are none and tables that are nearly empty.
func columns(v wire.Value) (*wire.Keys, error) {
	first := v.Index(0)
	uniform := first.Kind() == wire.KindObject
	members := 0
	for i := range v.Len() {
		row := v.Index(i)
		if err := checkRow(row); err != nil {
			return nil, wire.AtIndex(err, i)
		}
		uniform = uniform && first.SameKeys(row)
		members += row.Len()
	}
	if uniform {
		return first.Keys(), nil
	}
	var names []string
	known := make(map[string]bool)
	var last *wire.Keys
	for i := range v.Len() {
		keys := v.Index(i).Keys()
		if keys == last {
			continue
		}
		last = keys
		for _, name := range keys.All() {
			if !known[name] {
				known[name] = true
				names = append(names, name)
			}
		}
	}
	if v.Len() > looseCells/len(names) && v.Len() > leastFull*members/len(names) {
		return nil, refused("nearly_empty", wire.ErrLimit,
			fmt.Sprintf("a table of %d rows and %d columns with %d cells that are not empty", v.Len(), len(names), members),
			"fewer than one cell in 64 is too few; json or gcf carry such rows")
	}
	return wire.NewKeys(names...)
}

func checkRow(row wire.Value) error {
	if row.Kind() != wire.KindObject {
		return refused("not_a_row", wire.ErrShape, fmt.Sprintf("a row is an object, not %s %s", article(row.Kind()), row.Kind()), "")
	}
	if row.Len() == 0 {
		return refused("empty_row", wire.ErrShape, "a row without members has no form", "")
	}
	return nil
}

func (e *encoder) header(keys *wire.Keys) error {
	e.lone = keys.Len() == 1
	for i, name := range keys.All() {
		if i > 0 {
			e.dst = append(e.dst, e.comma)
		}
		e.text(name, name == "" || strings.HasPrefix(name, "\ufeff"))
	}
	return e.endLine()
}

func (e *encoder) endLine() error {
	e.dst = append(e.dst, '\n')
	if len(e.dst) > e.max {
		return refused("output_too_long", wire.ErrLimit, "the table gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

func (e *encoder) row(keys *wire.Keys, row wire.Value) error {
	if row.Keys().Same(keys) {
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
	found := 0
	for i, name := range keys.All() {
		if i > 0 {
			e.dst = append(e.dst, e.comma)
		}
		member, ok := row.Get(name)
		if !ok {
			if e.c.Text {
				return wire.AtKey(refused("absent_member", wire.ErrShape, "every cell of a table of texts is a string", "csv without text has absent members"), name)
			}
			continue
		}
		found++
		if err := e.cell(member); err != nil {
			return wire.AtKey(err, name)
		}
	}
	if found < row.Len() {
		for name := range row.Members() {
			if keys.Index(name) < 0 {
				return wire.AtKey(refused("unknown_member", wire.ErrShape, "the table has no column of that name", "declare all members, or encode the whole value at once"), name)
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
		return refused("nested_cell", wire.ErrShape, fmt.Sprintf("a cell cannot hold %s %s", article(v.Kind()), v.Kind()), "json, gcf, gcx and glyph carry nested values")
	case wire.KindString:
		e.string(v.Text())
		return nil
	case wire.KindBytes, wire.KindTime:
		e.string(string(v.AppendText(nil)))
		return nil
	}
	if e.c.Text {
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

// string writes a string as a cell.
func (e *encoder) string(s string) {
	if s == "" {
		e.text(s, e.lone || !e.c.Text)
		return
	}
	e.text(s, !e.c.Text && isScalar(s))
}

// isScalar reports whether a bare cell of that text is a scalar.
func isScalar(s string) bool {
	switch s[0] {
	case 'n':
		return s == "null"
	case 't':
		return s == "true"
	case 'f':
		return s == "false"
	}
	return scan.Number(s) == len(s)
}

// text writes a string, quoted if it must be.
func (e *encoder) text(s string, quoted bool) {
	if !quoted {
		for i := range len(s) {
			if b := s[i]; b == e.comma || b == '"' || b == '\n' || b == '\r' {
				quoted = true
				break
			}
		}
	}
	if !quoted {
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
