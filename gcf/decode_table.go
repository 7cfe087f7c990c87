package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// markFilled is the mark of a cell whose attachment has been read.
const markFilled = markSchema + 1

// rows is the state of one table while its rows are read.
type rows struct {
	plan   *plan
	indent int
	cells  int // where a row's cells begin on the decoder's stacks

	// What earlier rows established for a column (section 7.4.5); nil at first.
	schemas []*plan // inline object schemas
	shared  []*plan // shared array schemas

	plain      int // rows that may still turn out not to be plain before plainRow is given up
	inline     int // cells of the last positional body; 0 if the last row had none
	identities map[string]bool
}

// plainTries is how often plainRow may be tried in vain on one table.
const plainTries = 4

// tableBlock reads a table whose header is the current line.
func (d *decoder) tableBlock(c count, p *plan, indent int) (wire.Value, error) {
	if c.keyed && c.n == 0 {
		return wire.Value{}, d.syntax(c.at, "invalid_count", "a keyed map with a zero count; an empty object has another form")
	}
	if err := d.next(); err != nil {
		return wire.Value{}, err
	}
	return d.table(c, p, indent)
}

// table reads the rows of an array or of a keyed map, which ends where its
// count, its indentation or, with a deferred count, the next block says.
func (d *decoder) table(c count, p *plan, indent int) (wire.Value, error) {
	if err := d.enter(); err != nil {
		return wire.Value{}, err
	}
	if err := d.enter(); err != nil {
		return wire.Value{}, err
	}
	if p.levels > d.depth {
		return wire.Value{}, d.tooDeep()
	}
	t := rows{plan: p, indent: indent, cells: len(d.cells)}
	if p.kind == planTable && p.fields == nil && p.identity < 0 {
		t.plain = plainTries
	}
	mark, n := d.Mark(), 0
	var object wire.ObjectBuilder
	if c.keyed {
		object = d.Object()
	}
	for n != c.n && d.at(indent) && !d.atBlock() {
		at := d.here()
		key, row, err := d.row(&t, n)
		switch {
		case err != nil && c.keyed && key != "":
			return wire.Value{}, wire.AtKey(err, strings.Clone(key))
		case err != nil:
			return wire.Value{}, wire.AtIndex(err, n)
		case !c.keyed:
			d.Push(row)
		case !d.Key(&object, key):
			return wire.Value{}, d.fail(at, wire.Error{Code: "duplicate_key", Kind: wire.ErrDuplicateKey,
				Message: "a duplicate member key of a keyed map"})
		default:
			d.Put(&object, row)
		}
		n++
	}
	d.lastInline = t.inline > 0
	if n != c.n && !d.done && d.indent > indent {
		return wire.Value{}, d.deeper(&t)
	}
	if err := d.check(c, n, d.here()); err != nil {
		return wire.Value{}, err
	}
	d.lastIndent = indent
	d.leave()
	d.leave()
	if c.keyed {
		return d.EndObject(&object), nil
	}
	return d.Array(mark), nil
}

// atBlock reports whether the current line begins a block or is the summary:
// no row does, because strings that begin with # are quoted.
func (d *decoder) atBlock() bool {
	return d.text[d.here()] == '#' && (strings.HasPrefix(d.line(), "## ") || strings.HasPrefix(d.line(), "##!"))
}

// deeper returns the error for a line below a row that nothing can take.
func (d *decoder) deeper(t *rows) error {
	if d.indent == t.indent+2 && strings.IndexByte(d.line(), '|') >= 0 {
		return d.orphanInline()
	}
	return d.unexpected(t.indent)
}

// row reads the row with that number, with everything attached to it. key is
// the member's key in a keyed map.
func (d *decoder) row(t *rows, n int) (key string, v wire.Value, err error) {
	line := d.here()
	i, hasID := line, false
	if d.text[i] == '@' {
		if i, err = d.id(n); err != nil {
			return "", v, err
		}
		hasID = true
	}
	var marks rowMarks
	if t.plain > 0 && !hasID {
		v, ok, err := d.plainRow(t, i)
		if err != nil || ok && !d.atAttachment(t.indent) {
			return "", v, err
		}
		if ok {
			v, err = d.finishRow(t, n, line, hasID, d.unpack(v))
			return "", v, err
		}
		t.plain--
	}
	if marks, err = d.readCells(t, line, i); err != nil {
		return "", v, err
	}
	if err := d.spend(t.plan.width + 1); err != nil {
		return "", v, err
	}
	if t.plan.kind == planKeyed {
		if key, err = d.memberKey(i, t); err != nil {
			return "", v, err
		}
	}
	if t.plan.identity >= 0 {
		if err := d.identity(t, line); err != nil {
			return key, v, err
		}
	}
	if err := d.endCells(t); err != nil {
		return key, v, err
	}
	v, err = d.finishRow(t, n, line, hasID, marks)
	return key, v, err
}

// finishRow reads what is attached to a row whose cells are on the stacks, and
// makes its object.
func (d *decoder) finishRow(t *rows, n, line int, hasID bool, marks rowMarks) (v wire.Value, err error) {
	var extra []wire.Member
	if marks.attached || d.atAttachment(t.indent) {
		if extra, err = d.attachments(t, n, line, hasID); err != nil {
			return v, err
		}
	}
	first := t.cells
	if t.plan.kind == planKeyed {
		first++
	}
	if marks.absent || extra != nil {
		v, err = d.partialRow(t.plan, t.cells, first, extra)
	} else {
		v, err = d.fullRow(t.plan, t.cells, first)
	}
	d.cells, d.marks = d.cells[:t.cells], d.marks[:t.cells]
	return v, err
}

// endCells goes on to the line behind a row's own.
func (d *decoder) endCells(t *rows) error {
	t.inline = 0
	d.lastIndent = -1
	return d.next()
}

// plainRow is row for one that has a value in every cell and nothing attached,
// as most have: its cells go straight to where its object is made. It reports
// false, with nothing done, if the row turns out to be none.
func (d *decoder) plainRow(t *rows, i int) (v wire.Value, ok bool, err error) {
	mark, n := d.Mark(), 0
	for more := true; more && n < t.plan.width; n++ {
		v, m, next, err := d.token(i, d.end, '|')
		if err != nil {
			return wire.Value{}, false, wire.AtKey(err, t.plan.name(n))
		}
		if m != markValue {
			break
		}
		d.Push(v)
		more = next < d.end
		i = next + 1
	}
	if n < t.plan.width || i <= d.end {
		d.Array(mark) // takes the values off again
		return wire.Value{}, false, nil
	}
	v = d.Row(t.plan.keys, mark)
	if err := d.spend(n + 1); err != nil {
		return wire.Value{}, false, err
	}
	return v, true, d.endCells(t)
}

// unpack puts the cells of a row that plainRow made on the stacks again:
// something is attached to it after all.
func (d *decoder) unpack(v wire.Value) rowMarks {
	for cell := range v.Elements() {
		d.cells = append(d.cells, cell)
		d.marks = append(d.marks, markValue)
	}
	return rowMarks{}
}

// atAttachment reports whether the current line is an attachment by name of a
// row with that indentation, at the row's level or one deeper.
func (d *decoder) atAttachment(indent int) bool {
	return !d.done && d.text[d.here()] == '.' && (d.indent == indent || d.indent == indent+2)
}

// rowMarks says which marks there are among a row's cells.
type rowMarks struct{ absent, attached bool }

// readCells puts the row's cells, from i on, on the stacks. line is where the
// row begins.
func (d *decoder) readCells(t *rows, line, i int) (marks rowMarks, err error) {
	for more := true; more; i++ {
		v, m, next, err := d.token(i, d.end, '|')
		if err != nil {
			return marks, wire.AtKey(err, t.plan.name(len(d.cells)-t.cells))
		}
		if len(d.cells)-t.cells == t.plan.width {
			return marks, d.widthError(t, line)
		}
		switch m {
		case markValue:
		case markAbsent:
			marks.absent = true
		case markSchema:
			if err := d.schema(t, len(d.cells)-t.cells, i, next); err != nil {
				return marks, err
			}
			marks.attached = true
		default:
			marks.attached = true
		}
		d.cells = append(d.cells, v)
		d.marks = append(d.marks, m)
		more = next < d.end
		i = next
	}
	if len(d.cells)-t.cells != t.plan.width {
		return marks, d.widthError(t, line)
	}
	return marks, nil
}

// name returns the name of a column for an error's path.
func (p *plan) name(column int) string {
	return strings.Clone(p.names[min(column, p.width-1)])
}

func (d *decoder) widthError(t *rows, line int) error {
	cells := 1 + delimiters(d, line)
	if t.inline > 0 && cells == t.inline {
		return d.orphanInline()
	}
	return d.syntax(line, "row_width_mismatch", "the header declares "+itoa(t.plan.width)+" fields, the row has "+itoa(cells)+" cells")
}

// delimiters counts the cell delimiters from i to the line's end.
func delimiters(d *decoder, i int) (n int) {
	for {
		_, _, next, err := d.token(i, d.end, '|')
		if err != nil || next == d.end {
			return n
		}
		n++
		i = next + 1
	}
}

// schema reads the inline schema that the cell text[i:end] declares.
func (d *decoder) schema(t *rows, column, i, end int) error {
	i = d.skipBlanks(i, end)
	p, next, err := d.fields(i+1, planInline)
	if err != nil {
		return err
	}
	if d.skipBlanks(next, end) != end {
		return d.syntax(next, "invalid_attachment_marker", "characters behind the fields of an inline schema")
	}
	if t.schemas == nil {
		t.schemas = make([]*plan, t.plan.width)
	}
	t.schemas[column] = p
	return nil
}

// memberKey returns the key of a keyed map's row: the text of its first cell,
// which is a string whatever it looks like (section 7.2a.3).
func (d *decoder) memberKey(i int, t *rows) (string, error) {
	cell, m := d.cells[t.cells], d.marks[t.cells]
	if m != markValue || cell.IsNull() {
		return "", d.syntax(i, "invalid_member_key", "the key of a member is a string; quote it")
	}
	if cell.Kind() == wire.KindString {
		return cell.Text(), nil
	}
	i = d.skipBlanks(i, d.end)
	end := delimiter(d.text[:d.end], i, '|')
	return d.text[i:d.trimBlanks(i, end)], nil
}

// identity refuses a second row with the same value in the column that
// identifies rows (section 10a.1).
func (d *decoder) identity(t *rows, line int) error {
	at := t.cells + t.plan.identity
	v := d.cells[at]
	if d.marks[at] != markValue || isContainer(v.Kind()) {
		return d.syntax(line, "invalid_identity", "the field that identifies a row has no scalar value")
	}
	var id string
	if v.Kind() == wire.KindNumber {
		canonical, _ := appendNumber(nil, v)
		id = string(canonical)
	} else {
		id = v.Kind().String() + wire.Array(v).String()
	}
	if t.identities == nil {
		t.identities = make(map[string]bool)
	}
	if t.identities[id] {
		return d.fail(line, wire.Error{Code: "duplicate_identity", Kind: wire.ErrDuplicateKey,
			Message: "two rows have the same value in the field that identifies them"})
	}
	t.identities[id] = true
	return nil
}

// fullRow makes the object of a row that has every field. Its cells begin at
// cells on the stack, its fields at first.
func (d *decoder) fullRow(p *plan, cells, first int) (wire.Value, error) {
	mark := d.Mark()
	if p.fields == nil {
		for _, cell := range d.cells[first:] {
			d.Push(cell)
		}
		return d.Row(p.keys, mark), nil
	}
	for i := range p.fields {
		switch f := &p.fields[i]; {
		case f.column >= 0:
			d.Push(d.cells[cells+f.column])
		case d.leafState(f, cells) == leavesNull:
			d.Push(wire.Null())
		default:
			d.Push(d.fullGroup(f, cells))
		}
	}
	return d.Row(p.keys, mark), d.checkGroups()
}

// partialRow makes the object of a row with absent fields or with members that
// have no column.
func (d *decoder) partialRow(p *plan, cells, first int, extra []wire.Member) (wire.Value, error) {
	o := d.Object()
	if p.fields == nil {
		for i := range p.keys.Len() {
			if d.marks[first+i] != markAbsent {
				d.Key(&o, p.keys.At(i))
				d.Put(&o, d.cells[first+i])
			}
		}
	}
	for i := range p.fields {
		f := &p.fields[i]
		v, ok := wire.Value{}, true
		if f.column >= 0 {
			v, ok = d.cells[cells+f.column], d.marks[cells+f.column] != markAbsent
		} else {
			switch d.leafState(f, cells) {
			case leavesAbsent:
				ok = false
			case leavesFull:
				v = d.fullGroup(f, cells)
			case leavesMixed:
				v, ok = d.partialGroup(f, cells)
			}
		}
		if ok {
			d.Key(&o, f.name)
			d.Put(&o, v)
		}
	}
	for _, m := range extra {
		if !d.Key(&o, m.Key) {
			return wire.Value{}, d.duplicateKey(d.here())
		}
		d.Put(&o, m.Value)
	}
	return d.EndObject(&o), d.checkGroups()
}

func (d *decoder) checkGroups() error {
	if d.grouped < 0 {
		return d.fail(d.here(), wire.Error{Code: "too_many_values", Kind: wire.ErrLimit,
			Message: "path columns make far more objects than the document is long"})
	}
	return nil
}

// leavesState says what all the cells of a group have in common.
type leavesState uint8

const (
	leavesMixed  leavesState = iota // some are ~
	leavesFull                      // none is ~, and not all are null
	leavesAbsent                    // all are ~: the group is absent
	leavesNull                      // all are null: the group is
)

func (d *decoder) leafState(f *node, cells int) leavesState {
	absent, null := 0, 0
	for _, c := range f.leaves {
		if d.marks[cells+c] == markAbsent {
			absent++
		} else if d.cells[cells+c].IsNull() {
			null++
		}
	}
	switch len(f.leaves) {
	case absent:
		return leavesAbsent
	case null:
		return leavesNull
	}
	if absent > 0 {
		return leavesMixed
	}
	return leavesFull
}

// fullGroup makes the object of a group none of whose cells is absent.
func (d *decoder) fullGroup(f *node, cells int) wire.Value {
	d.grouped--
	mark := d.Mark()
	for i := range f.children {
		if c := &f.children[i]; c.column >= 0 {
			d.Push(d.cells[cells+c.column])
		} else {
			d.Push(d.fullGroup(c, cells))
		}
	}
	return d.Row(f.keys, mark)
}

// partialGroup makes the object of a group some of whose cells may be absent,
// and reports whether there is any.
func (d *decoder) partialGroup(f *node, cells int) (v wire.Value, ok bool) {
	d.grouped--
	o := d.Object()
	for i := range f.children {
		c := &f.children[i]
		if c.column >= 0 {
			if d.marks[cells+c.column] != markAbsent {
				d.Key(&o, c.name)
				d.Put(&o, d.cells[cells+c.column])
				ok = true
			}
			continue
		}
		// The child's parts lie on the builder's stack above o's members, and
		// are gone again when o goes on.
		if child, some := d.partialGroup(c, cells); some {
			d.Key(&o, c.name)
			d.Put(&o, child)
			ok = true
		}
	}
	if !ok {
		return wire.Value{}, false
	}
	return d.EndObject(&o), true
}
