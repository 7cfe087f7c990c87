package gcf

import (
	"slices"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

func (e *encoder) tableRows(t *table) error {
	for i := range t.rows.Len() {
		key, row := "", t.rows.Index(i)
		if t.form == tableKeyed {
			key = t.rows.Keys().At(i)
		}
		if err := e.row(t, i, key, row); err != nil {
			if t.form == tableKeyed {
				return wire.AtKey(err, key)
			}
			return wire.AtIndex(err, i)
		}
		if e.over() {
			return e.tooLong()
		}
	}
	return nil
}

// row writes one row, with that key in a keyed table, and what is attached to it (section
// 7.4).
func (e *encoder) row(t *table, i int, key string, row wire.Value) error {
	var m members
	s := e.shape(t, row.Keys()) // which may drop another one, so it comes before what is pushed
	at := len(e.indexes)
	if !s.identity {
		m = e.members(t, s, row.Len())
	}
	e.indent(t.indent)
	attached := t.to > 0 && e.hasAttachments(t, m, row)
	if attached {
		e.count("@", i, " ")
	}
	if t.form == tableKeyed {
		e.dst = lex.AppendString(e.dst, key)
		e.byte('|')
	}
	if err := e.cells(t, i, m, row); err != nil {
		return err
	}
	e.dst[len(e.dst)-1] = '\n' // instead of the last separator
	if attached {
		if err := e.attachments(t, i, m, row); err != nil {
			return err
		}
	}
	e.used = max(e.used, len(e.indexes))
	e.indexes = e.indexes[:at]
	return nil
}

// members are the numbers of a row's members by column, 1 more each, and 0 for a column
// that the row has no member for; nil for a row whose members are the columns.
type members []int32

// members pushes those of a row with that shape and so many members.
func (e *encoder) members(t *table, s *shape, n int) members {
	from := len(e.indexes)
	e.indexes = slices.Grow(e.indexes, t.width)[:from+t.width]
	m := e.indexes[from:]
	clear(m)
	for j, c := range e.indexes[s.at : s.at+n] {
		m[c] = int32(j + 1)
	}
	return m
}

// at returns the number of the member for a column, -1 if there is none.
func (m members) at(column int) int {
	if m == nil {
		return column
	}
	return int(m[column]) - 1
}

// below reports whether a value of the column goes below its row.
func (c *column) below(v wire.Value) bool {
	return lex.IsContainer(v.Kind()) && c.form > cellFlat || c.form == cellPath
}

// hasAttachments reports whether anything of the row goes below it.
func (e *encoder) hasAttachments(t *table, m members, row wire.Value) bool {
	columns := e.columns[t.columns:]
	for j := t.from; j < t.to; j++ {
		if k := m.at(j); k >= 0 && columns[j].below(row.Index(k)) {
			return true
		}
	}
	return false
}

// cells writes the cells of a row, each with a separator after it.
func (e *encoder) cells(t *table, i int, m members, row wire.Value) error {
	dst, columns := e.dst, e.columns[t.columns:t.columns+t.width]
	for j := range columns {
		c, k := &columns[j], m.at(j)
		if k < 0 {
			dst = c.appendAbsent(dst)
			continue
		}
		v := row.Index(k)
		if c.form == cellScalar {
			var ok bool
			if dst, ok = lex.AppendScalar(dst, v); !ok {
				return wire.AtKey(e.outOfRange(v), c.name)
			}
			dst = append(dst, '|')
		} else {
			e.dst = dst
			if err := e.cell(c, i, v); err != nil {
				return wire.AtKey(err, c.name)
			}
			dst = e.dst
		}
		if len(dst) > e.max {
			if e.dst = dst; e.over() {
				return wire.AtKey(e.tooLong(), c.name)
			}
			dst = e.dst
		}
	}
	e.dst = dst
	return nil
}

// appendAbsent appends the cell or cells of a column that the row has no member for.
func (c *column) appendAbsent(dst []byte) []byte {
	if c.form == cellPath {
		return dst
	}
	return appendCells(dst, lex.Absent, max(1, c.leaves))
}

// cell writes the cell or cells of a column's value, each with a separator
// after it.
func (e *encoder) cell(c *column, i int, v wire.Value) error {
	switch {
	case c.form == cellPath:
		return nil
	case c.form == cellFlat && v.Kind() == wire.KindNull:
		e.dst = appendCells(e.dst, lex.Null, c.leaves)
		return nil
	case c.form == cellFlat:
		return e.leaves(v, c.model)
	case !lex.IsContainer(v.Kind()):
		if err := e.scalar(v); err != nil {
			return err
		}
	case c.form == cellInline && i == 0:
		e.text("^{")
		for _, key := range c.model.Keys().All() {
			e.key(key)
			e.byte(',')
		}
		e.dst[len(e.dst)-1] = '}' // instead of the last comma
	default:
		e.text(lex.Attachment)
	}
	e.byte('|')
	return nil
}

// leaves writes the cells of a flattened object, in the order of model.
func (e *encoder) leaves(v, model wire.Value) error {
	dst, keys := e.dst, model.Keys()
	for i := range v.Len() {
		child := v.Index(i)
		if e.reorder && v.Keys() != keys {
			child, _ = v.Get(keys.At(i))
		}
		if child.Kind() == wire.KindObject {
			e.dst = dst
			if err := e.leaves(child, model.Index(i)); err != nil {
				return wire.AtKey(err, keys.At(i))
			}
			dst = e.dst
			continue
		}
		var ok bool
		if dst, ok = lex.AppendScalar(dst, child); !ok {
			return wire.AtKey(e.outOfRange(child), keys.At(i))
		}
		if dst = append(dst, '|'); len(dst) > e.max {
			if e.dst = dst; e.over() {
				return wire.AtKey(e.tooLong(), keys.At(i))
			}
			dst = e.dst
		}
	}
	e.dst = dst
	return nil
}

// attachments writes what goes below a row: the containers in the order of
// their cells, then the fields that have no column.
func (e *encoder) attachments(t *table, i int, m members, row wire.Value) error {
	for pass := range 2 {
		for j := t.from; j < t.to; j++ {
			c, k := &e.columns[t.columns+j], m.at(j)
			if k < 0 || (c.form == cellPath) != (pass == 1) {
				continue
			}
			if v := row.Index(k); c.below(v) {
				if err := e.attach(t, i, c, v); err != nil {
					return wire.AtKey(err, c.name)
				}
			}
		}
	}
	return nil
}

// attach writes one value below row i.
func (e *encoder) attach(t *table, i int, c *column, v wire.Value) error {
	if e.over() {
		return e.tooLong()
	}
	e.indent(t.indent)
	if c.form == cellInline {
		if err := e.leaves(v, v); err != nil {
			return err
		}
		e.dst[len(e.dst)-1] = '\n'
		return nil
	}
	e.byte('.')
	e.key(c.name)
	e.byte(' ')
	if c.form == cellShared && i > 0 {
		return e.sharedRows(v, t.indent+4)
	}
	return e.item(v, t.indent+4)
}

// sharedRows writes an array whose fields an earlier row declared: scalars in
// the order of those fields, if all its rows have them in that order.
func (e *encoder) sharedRows(rows wire.Value, indent int) error {
	keys := rows.Index(0).Keys()
	for row := range rows.Elements() {
		if row.Keys() != keys {
			return e.table(rows, tableShared, indent)
		}
	}
	if err := e.enter(2); err != nil {
		return err
	}
	e.count("[", rows.Len(), "]\n")
	for i := range rows.Len() {
		row := rows.Index(i)
		e.indent(indent)
		if err := e.leaves(row, row); err != nil {
			return wire.AtIndex(err, i)
		}
		e.dst[len(e.dst)-1] = '\n'
		if e.over() {
			return e.tooLong()
		}
	}
	e.leave(2)
	return nil
}
