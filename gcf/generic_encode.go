package gcf

import (
	"fmt"
	"strconv"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// encoder appends one document in the generic profile. Its methods write whole
// lines or the rest of a line that the caller began; indent is always the
// number of spaces before a line.
type encoder struct {
	dst       []byte
	max       int // dst must not get longer
	depth     int // levels of arrays and objects left
	noFlatten bool
	noKeyed   bool
	dense     bool
	reorder   bool

	measure measure // what max may still become
	chained int     // objects that path columns make beyond one for each cell

	// The stacks of the tables being written, innermost on top.
	columns []column
	shapes  []shape
	indexes []int32          // columns of the shapes' members, and scratch lists of members by column
	used    int              // the length of the longest of them so far
	names   []map[string]int // idle ones of tables, empty
}

func (e *encoder) tooLong() error {
	return lex.Fault(wire.CodeOutputTooLong, wire.ErrLimit, "", "the document gets longer than the limit"+e.measure.reason(), "raise Limits.OutputBytes")
}

// within returns the error of what was written, or that it is too long.
func (e *encoder) within(err error) error {
	if err == nil && e.over() {
		return e.tooLong()
	}
	return err
}

// enter counts the levels of containers that the caller is about to write, and
// checks what was written so far; leave ends them.
func (e *encoder) enter(levels int) error {
	if e.depth -= levels; e.depth < 0 {
		return lex.Fault(wire.CodeTooDeep, wire.ErrLimit, "", "arrays and objects nest deeper than the limit", "raise Limits.Depth")
	}
	return e.within(nil)
}

func (e *encoder) leave(levels int) { e.depth += levels }

// appendSpaces appends n spaces, in steps of eight: each is one store.
func appendSpaces(dst []byte, n int) []byte {
	for ; n > 0; n -= 8 {
		dst = append(dst, "        "...)
	}
	return dst[:len(dst)+n]
}

func (e *encoder) indent(n int)  { e.dst = appendSpaces(e.dst, n) }
func (e *encoder) text(s string) { e.dst = append(e.dst, s...) }
func (e *encoder) byte(c byte)   { e.dst = append(e.dst, c) }
func (e *encoder) count(before string, n int, after string) {
	e.dst = append(strconv.AppendInt(append(e.dst, before...), int64(n), 10), after...)
}
func (e *encoder) key(k string) { e.dst = lex.AppendKey(e.dst, k) }

// root writes the document's value (section 7.1).
func (e *encoder) root(v wire.Value) error {
	switch v.Kind() {
	case wire.KindArray:
		e.text("## ")
	case wire.KindObject:
		if !e.isKeyedMap(v) {
			return e.object(v, 0)
		}
		e.text("## ")
		return e.table(v, tableKeyed, 0)
	}
	return e.item(v, 0)
}

// scalar writes a scalar token.
func (e *encoder) scalar(v wire.Value) error {
	dst, ok := lex.AppendScalar(e.dst, v)
	if !ok {
		return e.outOfRange(v)
	}
	e.dst = dst
	return nil
}

func (e *encoder) outOfRange(v wire.Value) error {
	return lex.Fault("out_of_range", wire.ErrRange, "", fmt.Sprintf("the number %s is outside GCF's domain: integers of int64, from -9223372036854775808 to 9223372036854775807, and decimals of a double", lex.Abbreviated(v.Text())), "make it a string")
}

// object writes an object's members (section 7.2).
func (e *encoder) object(v wire.Value, indent int) error {
	if err := e.enter(1); err != nil {
		return err
	}
	keys := v.Keys()
	for i := range v.Len() {
		if err := e.within(e.member(keys.At(i), v.Index(i), indent)); err != nil {
			return wire.AtKey(err, keys.At(i))
		}
	}
	e.leave(1)
	return nil
}

// blockName begins the line of a member that has a block of its own.
func (e *encoder) blockName(key string) {
	e.text("## ")
	e.key(key)
}

// member writes an object's member.
func (e *encoder) member(key string, v wire.Value, indent int) error {
	e.indent(indent)
	switch v.Kind() {
	case wire.KindArray:
		form := e.arrayForm(v)
		if form == arrayInline {
			e.key(key)
		} else {
			e.blockName(key)
			e.byte(' ')
		}
		return e.array(v, form, indent)
	case wire.KindObject:
		e.blockName(key)
		if e.isKeyedMap(v) {
			e.byte(' ')
			return e.table(v, tableKeyed, indent)
		}
		e.byte('\n')
		return e.object(v, indent+2)
	}
	e.key(key)
	return e.item(v, indent)
}

// arrayForm is one of the forms of section 7.3.
type arrayForm uint8

const (
	arrayEmpty    arrayForm = iota // [0]
	arrayInline                    // [N]: a,b
	arrayTable                     // [N]{fields} and rows
	arrayExpanded                  // [N] and items
)

// arrayForm returns the form that an array is written in.
func (e *encoder) arrayForm(v wire.Value) arrayForm {
	n := v.Len()
	if n == 0 {
		return arrayEmpty
	}
	scalars, filled := 0, false
	for i := range n {
		switch e := v.Index(i); e.Kind() {
		case wire.KindArray:
			return arrayExpanded
		case wire.KindObject:
			if scalars > 0 {
				return arrayExpanded
			}
			filled = filled || e.Len() > 0
		default:
			if scalars < i {
				return arrayExpanded
			}
			scalars++
		}
	}
	switch {
	case scalars > 0:
		return arrayInline
	case !filled, e.dense && e.sparseRows(v):
		return arrayExpanded
	}
	return arrayTable
}

// array writes an array from its count on; indent is that of its rows or items.
func (e *encoder) array(v wire.Value, form arrayForm, indent int) error {
	switch form {
	case arrayEmpty:
		e.text("[0]\n")
		return nil
	case arrayTable:
		return e.table(v, tableArray, indent)
	case arrayExpanded:
		return e.expanded(v, indent)
	}
	if err := e.enter(1); err != nil {
		return err
	}
	e.count("[", v.Len(), "]: ")
	dst := e.dst
	for i := range v.Len() {
		var ok bool
		if dst, ok = lex.AppendScalar(dst, v.Index(i)); !ok {
			return wire.AtIndex(e.outOfRange(v.Index(i)), i)
		}
		if dst = append(dst, ','); len(dst) > e.max {
			if e.dst = dst; e.over() {
				return wire.AtIndex(e.tooLong(), i)
			}
			dst = e.dst
		}
	}
	dst[len(dst)-1] = '\n' // instead of the last comma
	e.dst = dst
	e.leave(1)
	return nil
}

// expanded writes an array item by item (section 7.6), from its count on.
func (e *encoder) expanded(v wire.Value, indent int) error {
	if err := e.enter(1); err != nil {
		return err
	}
	e.count("[", v.Len(), "]\n")
	for i := range v.Len() {
		e.indent(indent)
		e.count("@", i, " ")
		if err := e.within(e.item(v.Index(i), indent+2)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	e.leave(1)
	return nil
}

// item writes a value after what its line begins with, such as the id of an element;
// indent is that of what follows the line.
func (e *encoder) item(v wire.Value, indent int) error {
	switch v.Kind() {
	case wire.KindArray:
		return e.array(v, e.arrayForm(v), indent)
	case wire.KindObject:
		if e.isKeyedMap(v) {
			return e.table(v, tableKeyed, indent)
		}
		e.text("{}\n")
		return e.object(v, indent)
	}
	e.byte('=')
	if err := e.scalar(v); err != nil {
		return err
	}
	e.byte('\n')
	return nil
}

// isKeyedMap reports whether an object is written as a keyed table (section
// 7.2a.1): two or more members, all of them objects, with at least one field
// that can be a column.
func (e *encoder) isKeyedMap(v wire.Value) bool {
	n := v.Len()
	if e.noKeyed || n < 2 {
		return false
	}
	columns := false
	for i := range n {
		row := v.Index(i)
		if row.Kind() != wire.KindObject {
			return false
		}
		for j := 0; !columns && j < row.Len(); j++ {
			columns = !lex.HoldsPath(row.Keys().At(j))
		}
	}
	return columns && (!e.dense || !e.sparseMap(v))
}

// sparseMap reports whether Dense makes an object of objects, none of them a
// scalar, sections instead of a keyed table: if less than 70 % of the cells have a
// member.
func (e *encoder) sparseMap(rows wire.Value) bool {
	members, _, cells := e.filling(rows)
	return bound.Times(members, 100) < bound.Times(cells, 70)
}

// sparseRows reports whether Dense makes an array of objects items instead of a
// table: if less than half of the cells have a member, and the marks of the others
// are more than what items take, the key of each member and two marks for each row.
// A container has such marks below its row, too.
func (e *encoder) sparseRows(rows wire.Value) bool {
	members, containers, cells := e.filling(rows)
	empty := cells - members
	return empty > members && empty > bound.Add(members, 2*rows.Len())-2*containers
}

// filling returns how well a table of those rows, which are objects, would be
// filled: the members that they have, the containers among these, and the cells.
func (e *encoder) filling(rows wire.Value) (members, containers, cells int) {
	for row := range rows.Elements() {
		for member := range row.Elements() {
			members++
			if lex.IsContainer(member.Kind()) {
				containers++
			}
		}
	}
	t := e.open(rows)
	e.union(&t)
	e.close(&t)
	return members, containers, bound.Times(rows.Len(), t.width)
}
