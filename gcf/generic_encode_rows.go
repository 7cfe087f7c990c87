package gcf

import (
	"strconv"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

func (e *encoder) tableRows(t *table) error {
	for i := range t.rows.Len() {
		row := t.rows.Index(i)
		if err := e.row(t, i, row); err != nil {
			if t.form == tableKeyed {
				return wire.AtKey(err, t.rows.Key(i))
			}
			return wire.AtIndex(err, i)
		}
		if e.over() {
			return e.tooLong()
		}
	}
	return nil
}

// row writes one row and what is attached to it (section 7.4).
func (e *encoder) row(t *table, i int, row wire.Value) error {
	s := *e.shape(t, row.Keys())
	e.indent(t.indent)
	attached := t.to > 0 && e.hasAttachments(t, s, row)
	if attached {
		e.dst = append(strconv.AppendInt(append(e.dst, '@'), int64(i), 10), ' ')
	}
	if t.form == tableKeyed {
		e.dst = lex.AppendString(e.dst, t.rows.Key(i))
		e.byte('|')
	}
	var err error
	if s.identity {
		err = e.fullCells(t, i, row)
	} else {
		err = e.someCells(t, i, s, row)
	}
	if err != nil {
		return err
	}
	e.dst[len(e.dst)-1] = '\n' // instead of the last separator
	if !attached {
		return nil
	}
	return e.attachments(t, i, s, row)
}

// hasAttachments reports whether anything of the row goes below it.
func (e *encoder) hasAttachments(t *table, s shape, row wire.Value) bool {
	if s.identity {
		columns := e.columns.slice(t.columns, t.to)
		for j := t.from; j < t.to; j++ {
			switch form := columns[j].form; {
			case form == cellPath, form > cellFlat && lex.IsContainer(row.Index(j).Kind()):
				return true
			}
		}
		return false
	}
	for j, c := range e.indexes.slice(s.at, row.Len()) {
		switch form := e.columns.at(t.columns + int(c)).form; {
		case form == cellPath:
			return true
		case form > cellFlat && lex.IsContainer(row.Index(j).Kind()):
			return true
		}
	}
	return false
}

// fullCells writes the cells of a row that has a member for every column, in
// their order. Each cell has a separator after it.
func (e *encoder) fullCells(t *table, i int, row wire.Value) error {
	dst, columns := e.dst, e.columns.slice(t.columns, row.Len())
	for j := range columns {
		c, v := &columns[j], row.Index(j)
		if c.form == cellScalar {
			var ok bool
			if dst, ok = appendScalar(dst, v); !ok {
				return wire.AtKey(e.outOfRange(v), c.name)
			}
			if dst = append(dst, '|'); len(dst) <= e.max {
				continue
			}
		}
		e.dst = dst
		if c.form != cellScalar {
			if err := e.cell(c, i, v); err != nil {
				return wire.AtKey(err, c.name)
			}
		}
		if e.over() {
			return wire.AtKey(e.tooLong(), c.name)
		}
		dst = e.dst
	}
	e.dst = dst
	return nil
}

// someCells is fullCells for a row with members missing or in another order.
func (e *encoder) someCells(t *table, i int, s shape, row wire.Value) error {
	at := e.indexes.len()
	members := e.members(t, s, row)
	for j, m := range members {
		c := e.columns.at(t.columns + j)
		if m == 0 {
			e.absentCells(c)
			continue
		}
		v := row.Index(int(m - 1))
		if c.form == cellScalar {
			dst, ok := appendScalar(e.dst, v)
			if !ok {
				return wire.AtKey(e.outOfRange(v), c.name)
			}
			e.dst = append(dst, '|')
		} else if err := e.cell(c, i, v); err != nil {
			return wire.AtKey(err, c.name)
		}
		if e.over() {
			return wire.AtKey(e.tooLong(), c.name)
		}
	}
	e.indexes.cut(at)
	return nil
}

// members pushes, for each column, 1 more than the number of the row's member
// that belongs to it, 0 if none does.
func (e *encoder) members(t *table, s shape, row wire.Value) []int32 {
	members := e.indexes.grow(e.columns.len() - t.columns)
	for j, c := range e.indexes.slice(s.at, row.Len()) {
		members[c] = int32(j + 1)
	}
	return members
}

func (e *encoder) absentCells(c *column) {
	switch c.form {
	case cellPath:
	case cellFlat:
		for range c.leaves {
			e.text("~|")
		}
	default:
		e.text("~|")
	}
}

// cell writes the cell or cells of a column's value, each with a separator
// after it.
func (e *encoder) cell(c *column, i int, v wire.Value) error {
	switch {
	case c.form == cellPath:
		return nil
	case c.form == cellFlat:
		if v.IsNull() {
			for range c.leaves {
				e.text("-|")
			}
			return nil
		}
		if e.reorder {
			return e.reordered(v, c.model)
		}
		return e.leaves(v)
	case !lex.IsContainer(v.Kind()):
		if err := e.scalar(v); err != nil {
			return err
		}
	case c.form == cellInline && i == 0:
		e.text("^{")
		for j := range c.model.Len() {
			if j > 0 {
				e.byte(',')
			}
			e.key(c.model.Key(j))
		}
		e.byte('}')
	default:
		e.byte('^')
	}
	e.byte('|')
	return nil
}

// leaves writes the cells of a flattened object.
func (e *encoder) leaves(v wire.Value) error {
	dst := e.dst
	for i := range v.Len() {
		child := v.Index(i)
		if child.Kind() == wire.KindObject {
			e.dst = dst
			if err := e.leaves(child); err != nil {
				return wire.AtKey(err, v.Key(i))
			}
			dst = e.dst
			continue
		}
		var ok bool
		if dst, ok = appendScalar(dst, child); !ok {
			return wire.AtKey(e.outOfRange(child), v.Key(i))
		}
		if dst = append(dst, '|'); len(dst) > e.max {
			if e.dst = dst; e.over() {
				return wire.AtKey(e.tooLong(), v.Key(i))
			}
			dst = e.dst
		}
	}
	e.dst = dst
	return nil
}

// reordered is leaves for an object that has the members of model, in the order of
// that.
func (e *encoder) reordered(v, model wire.Value) error {
	ordered := v.SameKeys(model)
	for i := range model.Len() {
		child, key := v.Index(i), model.Key(i)
		if !ordered {
			child, _ = v.Get(key)
		}
		var err error
		if child.Kind() == wire.KindObject {
			err = e.reordered(child, model.Index(i))
		} else if err = e.scalar(child); err == nil {
			e.byte('|')
		}
		if err == nil && e.over() {
			err = e.tooLong()
		}
		if err != nil {
			return wire.AtKey(err, key)
		}
	}
	return nil
}

// attachments writes what goes below a row: the containers in the order of
// their cells, then the fields that have no column.
func (e *encoder) attachments(t *table, i int, s shape, row wire.Value) error {
	at := e.indexes.len()
	if !s.identity {
		e.members(t, s, row)
	}
	for pass := range 2 {
		if pass == 1 && !t.paths {
			break
		}
		for j := t.from; j < t.to; j++ {
			// The stack may move meanwhile; what is below its top stays as it is.
			c := e.columns.at(t.columns + j)
			if c.form <= cellFlat || (c.form == cellPath) != (pass == 1) {
				continue
			}
			member := j
			if !s.identity {
				if member = int(e.indexes.slice(at+j, 1)[0]) - 1; member < 0 {
					continue
				}
			}
			v := row.Index(member)
			if c.form != cellPath && !lex.IsContainer(v.Kind()) {
				continue
			}
			if err := e.attach(t, i, c, v); err != nil {
				return wire.AtKey(err, c.name)
			}
		}
	}
	e.indexes.cut(at)
	return nil
}

// attach writes one value below row i.
func (e *encoder) attach(t *table, i int, c *column, v wire.Value) error {
	if e.over() {
		return e.tooLong()
	}
	e.indent(t.indent)
	if c.form == cellInline {
		if err := e.leaves(v); err != nil {
			return err
		}
		e.dst[len(e.dst)-1] = '\n'
		return nil
	}
	e.byte('.')
	e.label(c.name, c.bare)
	e.byte(' ')
	body := t.indent + 4
	switch v.Kind() {
	case wire.KindArray:
		if c.form == cellShared && i > 0 {
			return e.sharedRows(v, body)
		}
		return e.array(v, e.arrayForm(v), body)
	case wire.KindObject:
		if e.isKeyedMap(v) {
			return e.table(v, tableKeyed, body)
		}
		e.text("{}\n")
		return e.object(v, body)
	}
	e.byte('=')
	if err := e.scalar(v); err != nil {
		return err
	}
	e.byte('\n')
	return nil
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
	e.byte('[')
	e.int(rows.Len())
	e.text("]\n")
	for i := range rows.Len() {
		e.indent(indent)
		if err := e.leaves(rows.Index(i)); err != nil {
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
