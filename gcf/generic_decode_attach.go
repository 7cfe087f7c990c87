package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// attachments reads what belongs to a row and is below it (sections 7.4.4
// and 7.4.5): attachments by name and positional bodies, in source order. The
// values go to the row's cells; members without a column are returned.
func (d *decoder) attachments(t *rows, n, line int, hasID bool) (extra []extraMember, err error) {
	if t.open > 0 {
		if err := d.checkMarkers(t, line, hasID); err != nil {
			return nil, err
		}
	}
	// Attachments mostly come in the order of their cells. Before next and
	// before positional no cell takes one.
	next, positional := 0, 0
	for !d.Done {
		if d.atAttachment(t.indent) {
			next = t.nextOpen(next)
			if err := d.named(t, n, next, &extra); err != nil {
				return nil, err
			}
			continue
		}
		if t.open == 0 || d.Indent != t.indent && d.Indent != t.indent+2 || d.Doc[d.here()] == '@' || d.atBlock() {
			break
		}
		for positional < t.plan.width && !t.takesBody(positional) {
			positional++
		}
		if positional == t.plan.width {
			break
		}
		if err := d.positional(t, positional); err != nil {
			return nil, wire.AtKey(err, t.plan.name(positional))
		}
	}
	if t.open > 0 {
		err := d.Syntax(line, "missing_attachment", "an attachment marker without anything attached to it")
		return nil, wire.AtKey(err, t.plan.name(t.nextOpen(0)))
	}
	if !d.Done && d.Indent > t.indent {
		return nil, d.deeper(t)
	}
	return extra, nil
}

// nextOpen returns the first column from i on that waits for an attachment, or
// the number of columns.
func (t *rows) nextOpen(i int) int {
	for i < len(t.cells) && !isOpen(t.cells[i]) {
		i++
	}
	return i
}

// isOpen reports whether a cell waits for an attachment.
func isOpen(cell wire.Value) bool { return wire.Internal.Tag(cell)&^lex.MarkAbsent != 0 }

// checkMarkers checks that the row's attachment markers may be there.
func (d *decoder) checkMarkers(t *rows, line int, hasID bool) error {
	for _, f := range t.plan.fields {
		for _, c := range f.leaves {
			if isOpen(t.cells[c]) {
				return d.Syntax(line, "invalid_attachment_marker", "an attachment marker in a path column")
			}
		}
	}
	if !hasID {
		return d.Syntax(line, "missing_attachment", "a row with attachments begins with its id")
	}
	return nil
}

// takesBody reports whether a column's cell waits for a positional body.
func (t *rows) takesBody(column int) bool {
	switch wire.Internal.Tag(t.cells[column]) {
	case lex.MarkSchema:
		return true
	case lex.MarkAttachment:
		return t.schemas != nil && t.schemas[column] != nil
	}
	return false
}

// fill gives the cell of a column that waited for it its value.
func (t *rows) fill(column int, v wire.Value) {
	t.cells[column] = v
	t.open--
}

// positional reads the current line as the body of the object in that column.
func (d *decoder) positional(t *rows, column int) error {
	schema := t.schemas[column]
	slots, line := d.Slots(schema.width), d.here()
	i, width := line, 0
	for more := true; more; width++ {
		v, next, err := d.Token(i, d.End, '|')
		if err == nil && wire.Internal.Tag(v) != 0 {
			err = d.noValue(i, wire.Internal.Tag(v))
		}
		if err != nil {
			return err
		}
		if width < len(slots) {
			slots[width] = v
		}
		more = next < d.End
		i = next + 1
	}
	if width != schema.width {
		return d.Syntax(line, "inline_width_mismatch", "the inline schema declares "+itoa(schema.width)+" fields, the body has "+itoa(width)+" values")
	}
	if err := d.spend(width + 1); err != nil {
		return err
	}
	t.fill(column, d.RowOf(schema.keys, slots))
	t.inline = width
	return d.Next()
}

// named reads an attachment by name into its cell, or if it has none into extra.
// expected is the column that it probably belongs to.
func (d *decoder) named(t *rows, n, expected int, extra *[]extraMember) error {
	if expected < t.plan.width && t.plan.bare {
		// No bare name is the beginning of another's text with a blank.
		name := t.plan.names[expected]
		next := d.here() + 1 + len(name)
		if next < d.End && d.Doc[next] == ' ' && d.Doc[d.here()+1:next] == name && wire.Internal.Tag(t.cells[expected]) == lex.MarkAttachment {
			return d.fillNamed(t, n, expected, d.SkipBlanks(next, d.End))
		}
	}
	at := d.here()
	name, next, err := d.Scalars.ReadKey(at+1, d.End)
	if err != nil {
		return err
	}
	form := d.SkipBlanks(next, d.End)
	if next == at+1 || form == next || form == d.End {
		return d.Syntax(next, "invalid_attachment", "an attachment is a dot, a field's name, a blank, and {} or a count in brackets")
	}
	if column := t.plan.column(name); column >= 0 {
		switch cell := t.cells[column]; {
		case wire.Internal.Tag(cell) == lex.MarkAttachment:
			return d.fillNamed(t, n, column, form)
		case lex.IsContainer(cell.Kind()):
			return d.duplicateAttachment(at)
		case wire.Internal.Tag(cell) != lex.MarkAbsent:
			return d.orphanAttachment(at)
		}
	}
	if !lex.HoldsPath(name) {
		return d.orphanAttachment(at)
	}
	var v wire.Value
	if d.Doc[form] == '=' {
		v, err = d.lastValue(form + 1)
	} else {
		shared := t.sharedExtra[name]
		if v, err = d.attached(t, form, &shared); n == 0 && shared != nil {
			if t.sharedExtra == nil {
				t.sharedExtra = make(map[string]*plan)
			}
			t.sharedExtra[strings.Clone(name)] = shared
		}
	}
	if err != nil {
		return wire.AtKey(err, strings.Clone(name))
	}
	*extra = append(*extra, extraMember{wire.Member{Key: name, Value: v}, at})
	return nil
}

// fillNamed reads the value of an attachment, from its form on, into its cell.
func (d *decoder) fillNamed(t *rows, n, column, form int) error {
	var shared *plan
	if t.shared != nil {
		shared = t.shared[column]
	}
	v, err := d.attached(t, form, &shared)
	if err != nil {
		return wire.AtKey(err, t.plan.name(column))
	}
	if n == 0 && shared != nil {
		if t.shared == nil {
			t.shared = d.columnPlans(t.plan.width)
		}
		t.shared[column] = shared
	}
	t.fill(column, v)
	return nil
}

func (d *decoder) orphanAttachment(at int) error {
	return d.Syntax(at, "orphan_attachment", "the row has no ^ for this field")
}

func (d *decoder) duplicateAttachment(at int) error {
	return d.Fail(at, wire.Error{Code: "duplicate_attachment", Kind: wire.ErrDuplicateKey,
		Message: "a second attachment of one field in one row"})
}

// attached reads the value of an attachment from its form on. An array that is attached to
// the first row declares the fields of those of later rows, which may leave them out (section
// 7.4.5.3): shared is as for block.
func (d *decoder) attached(t *rows, form int, shared **plan) (wire.Value, error) {
	switch {
	case d.Doc[form:d.End] == "{}":
		return d.below(t.indent + 4)
	case d.Doc[form] != '[':
		return wire.Value{}, d.Syntax(form, "invalid_attachment", "after an attachment's name comes {} or a count in brackets")
	}
	return d.block(form, t.indent+4, shared)
}

// An extraMember is a member of a row that has no column.
type extraMember struct {
	wire.Member
	at int // where its attachment begins
}
