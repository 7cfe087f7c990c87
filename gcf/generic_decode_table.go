package gcf

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// rows is the state of one table while its rows are read.
type rows struct {
	plan   *plan
	indent int

	// The row being read: what its columns hold, and the number of cells that
	// wait for an attachment. If members are columns, cells are the Builder's
	// slots for the row's object.
	cells []wire.Value
	open  int

	// What earlier rows established (section 7.4.5); nil at first. A part of a stream that is
	// read once more establishes the same.
	schemas []*plan // of objects, by column
	shared  []*plan // of arrays, by column; those of the first row
	// sharedExtra are those of members without a column, by name.
	sharedExtra map[string]*plan

	inline     int            // cells of the last positional body; 0 if the last row had none
	identities map[string]int // the rows by the value that identifies them
}

// tableFields reads the fields of a table whose header is the current line.
func (d *decoder) tableFields(c count) (*plan, error) {
	kind := planTable
	if c.keyed {
		kind = planKeyed
	}
	p, next, err := d.fields(c.next, kind)
	switch {
	case err != nil:
		return nil, err
	case next != d.End:
		return nil, d.Syntax(next, "invalid_line", "characters after the fields of a table")
	case c.keyed && c.n == 0:
		return nil, d.Syntax(c.at, "invalid_count", "a keyed map with a zero count; an empty object has another form")
	}
	return p, d.Next()
}

// enterTable is enter for a table and its rows, leaveTable ends it after so many rows.
func (d *decoder) enterTable(p *plan) error {
	for range 2 {
		if err := d.enter(); err != nil {
			return err
		}
	}
	if p.levels > d.depth {
		return d.tooDeep()
	}
	return nil
}

func (d *decoder) leaveTable(t *rows, c count, n int) error {
	d.lastInline = t.inline > 0
	if n != c.n && !d.Done && d.Indent > t.indent {
		return d.deeper(t)
	}
	if err := d.check(c, n, d.here()); err != nil {
		return err
	}
	d.lastIndent = t.indent
	d.leave()
	d.leave()
	return nil
}

// table reads the rows of an array or of a keyed map, which ends where its
// count, its indentation or, with a deferred count, the next block says.
func (d *decoder) table(c count, p *plan, indent int) (wire.Value, error) {
	if err := d.enterTable(p); err != nil {
		return wire.Value{}, err
	}
	t := rows{plan: p, indent: indent}
	established := len(d.established)
	mark, n := d.Mark(), 0
	var object wire.ObjectBuilder
	if c.keyed {
		object = d.Object()
	}
	for n != c.n && d.At(indent) && !d.atBlock() {
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
			return wire.Value{}, d.Fail(at, wire.Error{Code: wire.CodeDuplicateKey, Kind: wire.ErrDuplicateKey,
				Message: "a duplicate member key of a keyed map"})
		default:
			d.Put(&object, row)
		}
		n++
	}
	if err := d.leaveTable(&t, c, n); err != nil {
		return wire.Value{}, err
	}
	d.established = d.established[:established]
	if c.keyed {
		return d.EndObject(&object), nil
	}
	return d.Array(mark), nil
}

// columnPlans returns room for a plan of each column, as long as the table is read.
func (d *decoder) columnPlans(width int) []*plan {
	from := len(d.established)
	d.established = slices.Grow(d.established, width)[:from+width]
	plans := d.established[from:]
	clear(plans)
	return plans
}

// atBlock reports whether the current line begins a block or is the summary:
// no row does, because strings that begin with # are quoted.
func (d *decoder) atBlock() bool {
	return d.Doc[d.here()] == '#' && (strings.HasPrefix(d.Line(), "## ") || strings.HasPrefix(d.Line(), "##!"))
}

// deeper returns the error for a line below a row that nothing can take.
func (d *decoder) deeper(t *rows) error {
	if d.Indent == t.indent+2 && strings.IndexByte(d.Line(), '|') >= 0 {
		return d.orphanInline()
	}
	return d.unexpected(t.indent)
}

// row reads the row with that number, with everything attached to it. key is
// the member's key in a keyed map.
func (d *decoder) row(t *rows, n int) (key string, v wire.Value, err error) {
	line := d.here()
	i, hasID := line, false
	if d.Doc[i] == '@' {
		if i, err = d.id(n); err != nil {
			return "", v, err
		}
		hasID = true
	}
	tags, err := d.readCells(t, line, i)
	if err == nil {
		err = d.spend(t.plan.width + 1)
	}
	if err == nil && t.plan.kind == planKeyed {
		key, err = d.entryKey(i, t)
	}
	if err == nil && t.plan.identity >= 0 {
		err = d.identity(t, n, line)
	}
	if err == nil {
		t.inline, d.lastIndent = 0, -1
		err = d.Next()
	}
	var extra []extraMember
	if err == nil && (tags&^lex.MarkAbsent != 0 || d.atAttachment(t.indent)) {
		extra, err = d.attachments(t, n, line, hasID)
	}
	if err == nil {
		v, err = d.rowObject(t, tags&lex.MarkAbsent != 0, extra)
	}
	return key, v, err
}

// atAttachment reports whether the current line is an attachment by name of a
// row with that indentation, at the row's level or one deeper.
func (d *decoder) atAttachment(indent int) bool {
	return !d.Done && d.Doc[d.here()] == '.' && (d.Indent == indent || d.Indent == indent+2)
}

// readCells reads the row's cells, from i on, and returns the tags among them.
// line is where the row begins.
func (d *decoder) readCells(t *rows, line, i int) (tags uint8, err error) {
	if t.cells == nil || t.plan.fields == nil {
		t.cells = d.Slots(t.plan.width)
	}
	cells, n := t.cells, 0
	t.open = 0
	for more := true; more; n++ {
		v, next, err := d.Token(i, d.End, '|')
		if err != nil {
			return 0, wire.AtKey(err, t.plan.name(n))
		}
		if n < len(cells) {
			cells[n] = v
			if tag := wire.Internal.Tag(v); tag != 0 {
				tags |= tag
				if tag != lex.MarkAbsent {
					t.open++
				}
				if tag == lex.MarkSchema {
					if err := d.schema(t, n, i, next); err != nil {
						return 0, err
					}
				}
			}
		}
		more = next < d.End
		i = next + 1
	}
	if n != len(cells) {
		return 0, d.widthError(t, line, n)
	}
	return tags, nil
}

// name returns the name of a column for an error's path.
func (p *plan) name(column int) string {
	return strings.Clone(p.names[min(column, p.width-1)])
}

func (d *decoder) widthError(t *rows, line, cells int) error {
	if t.inline > 0 && cells == t.inline {
		return d.orphanInline()
	}
	kind := wire.ErrSyntax
	if cells < t.plan.width {
		kind = d.CutOff(d.End)
	}
	return d.Fail(line, wire.Error{Code: wire.CodeRowWidth, Kind: kind,
		Message: "the header declares " + itoa(t.plan.width) + " fields, the row has " + itoa(cells) + " cells"})
}

// schema reads the inline schema that the cell text[i:end] declares.
func (d *decoder) schema(t *rows, column, i, end int) error {
	i = d.SkipBlanks(i, end)
	p, next, err := d.fields(i+1, planInline)
	if err != nil {
		return err
	}
	if d.SkipBlanks(next, end) != end {
		return d.Syntax(next, "invalid_attachment_marker", "characters after the fields of an inline schema")
	}
	if t.schemas == nil {
		t.schemas = d.columnPlans(t.plan.width)
	}
	t.schemas[column] = p
	return nil
}

// entryKey returns the key of a keyed map's row: the text of its first cell,
// which is a string whatever it looks like (section 7.2a.3).
func (d *decoder) entryKey(i int, t *rows) (string, error) {
	cell := t.cells[0]
	if wire.Internal.Tag(cell) != 0 || cell.Kind() == wire.KindNull {
		return "", d.Syntax(i, "invalid_member_key", "the key of a member is a string; quote it")
	}
	if cell.Kind() == wire.KindString {
		return cell.Text(), nil
	}
	i = d.SkipBlanks(i, d.End)
	end := lex.Delimiter(d.Doc[:d.End], i, '|')
	return d.Doc[i:d.TrimBlanks(i, end)], nil
}

// identity refuses a second row with the same value in the column that
// identifies rows (section 10a.1). A stream may read a row once more.
func (d *decoder) identity(t *rows, n, line int) error {
	v := t.cells[t.plan.identity]
	if wire.Internal.Tag(v) != 0 {
		return d.Syntax(line, "invalid_identity", "the field that identifies a row has no scalar value")
	}
	var id string
	if v.Kind() == wire.KindNumber {
		canonical, _ := lex.AppendNumber(nil, v)
		id = string(canonical)
	} else {
		id = v.Kind().String() + wire.Array(v).String()
	}
	if t.identities == nil {
		t.identities = make(map[string]int)
	}
	if first, ok := t.identities[id]; ok && first != n {
		return d.Fail(line, wire.Error{Code: "duplicate_identity", Kind: wire.ErrDuplicateKey,
			Message: "two rows have the same value in the field that identifies them"})
	}
	t.identities[id] = n
	return nil
}

// rowObject makes the object of a row from its cells, some of which may be
// absent, and from members that have no column.
func (d *decoder) rowObject(t *rows, absent bool, extra []extraMember) (wire.Value, error) {
	p, members := t.plan, t.cells
	switch {
	case p.fields != nil:
		members = d.Slots(len(p.fields))
		for i, f := range p.fields {
			members[i] = d.member(f, t.cells)
		}
		if err := d.spendGroups(); err != nil {
			return wire.Value{}, err
		}
	case p.kind == planKeyed:
		members = members[1:]
	}
	if absent || extra != nil {
		return d.partialRow(p, members, extra)
	}
	return d.RowOf(p.keys, members), nil
}

// spendGroups counts the objects that path columns made of a row as values.
func (d *decoder) spendGroups() error {
	made := d.groups
	d.groups = 0
	if d.grouped -= made; d.grouped < 0 {
		return d.Fail(d.here(), wire.Error{Code: wire.CodeTooManyValues, Kind: wire.ErrLimit,
			Message: "path columns make more objects than the document is long: unless Limits.Values is set, 65,536 and one for two bytes",
			Hint:    "raise Limits.Values"})
	}
	return d.spend(made)
}

// partialRow makes the object of the members that are not absent, and of extra.
func (d *decoder) partialRow(p *plan, members []wire.Value, extra []extraMember) (wire.Value, error) {
	if extra == nil {
		return d.present(p.keys, members), nil
	}
	o := d.Object()
	for i, v := range members {
		if wire.Internal.Tag(v) != lex.MarkAbsent {
			d.Key(&o, p.keys.At(i))
			d.Put(&o, v)
		}
	}
	for _, m := range extra {
		if !d.Key(&o, m.Key) {
			return wire.Value{}, d.duplicateAttachment(m.at)
		}
		d.Put(&o, m.Value)
	}
	d.RowOf(noKeys, members) // frees the slots: the values are on the stack
	return d.EndObject(&o), nil
}

var noKeys = mustKeys()

// member returns the value of a field with groups among its siblings, tagged
// as absent if it is. A group all of whose cells are absent is, and so is null.
func (d *decoder) member(f *node, cells []wire.Value) wire.Value {
	if f.column >= 0 {
		return cells[f.column]
	}
	absent, null := 0, 0
	for _, c := range f.leaves {
		if wire.Internal.Tag(cells[c]) == lex.MarkAbsent {
			absent++
		} else if cells[c].Kind() == wire.KindNull {
			null++
		}
	}
	switch len(f.leaves) {
	case absent:
		return absentMember
	case null:
		return wire.Null()
	}
	return d.group(f, cells)
}

// absentMember is in the place of a member that a row lacks.
var absentMember = wire.Internal.TaggedString("", lex.MarkAbsent)

// group makes the object of a group, which is absent if all its cells are.
func (d *decoder) group(f *node, cells []wire.Value) wire.Value {
	d.groups++
	members, absent := d.Slots(len(f.children)), 0
	for i, c := range f.children {
		if c.column >= 0 {
			members[i] = cells[c.column]
		} else {
			members[i] = d.group(c, cells)
		}
		if wire.Internal.Tag(members[i]) == lex.MarkAbsent {
			absent++
		}
	}
	switch absent {
	case 0:
		return d.RowOf(f.keys, members)
	case len(members):
		d.RowOf(noKeys, members) // frees the slots
		return absentMember
	}
	return d.present(f.keys, members)
}

// present makes the object of the members that are not absent.
func (d *decoder) present(keys *wire.Keys, members []wire.Value) wire.Value {
	gaps := d.gaps[:0]
	for i := range members {
		if wire.Internal.Tag(members[i]) == lex.MarkAbsent {
			gaps = append(gaps, i)
		}
	}
	d.gaps = gaps
	return d.partial.Row(&d.Builder, keys, gaps, members)
}
