package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// attachments reads what belongs to a row and stands below it (sections 7.4.4
// and 7.4.5): attachments by name and positional bodies, in source order. The
// values go to the row's cells; members without a column are returned.
func (d *decoder) attachments(t *rows, n, line int, hasID bool) ([]wire.Member, error) {
	open, err := d.openCells(t, line, hasID)
	if err != nil {
		return nil, err
	}
	var extra extras
	// Cells before positional are filled, or no positional body can fill them.
	for positional := 0; !d.done; {
		if d.atAttachment(t.indent) {
			filled, err := d.named(t, n, &extra)
			if err != nil {
				return nil, err
			}
			if filled {
				open--
			}
			continue
		}
		if open == 0 || d.indent != t.indent && d.indent != t.indent+2 || d.text[d.here()] == '@' || d.atBlock() {
			break
		}
		for positional < t.plan.width && !d.takesBody(t, positional) {
			positional++
		}
		if positional == t.plan.width {
			break
		}
		if err := d.positional(t, positional); err != nil {
			return nil, wire.AtKey(err, t.plan.name(positional))
		}
		open--
	}
	if open > 0 {
		return nil, d.missing(t, line)
	}
	if !d.done && d.indent > t.indent {
		return nil, d.deeper(t)
	}
	return extra.members, nil
}

// openCells counts the row's attachment markers and checks that they may be
// there.
func (d *decoder) openCells(t *rows, line int, hasID bool) (open int, err error) {
	for c, m := range d.marks[t.cells:] {
		if m != markAttachment && m != markSchema {
			continue
		}
		if t.plan.grouped != nil && t.plan.grouped[c] {
			return 0, d.syntax(line, "invalid_attachment_marker", "an attachment marker in a path column")
		}
		open++
	}
	if open > 0 && !hasID {
		return 0, d.syntax(line, "missing_attachment", "a row with attachments begins with its id")
	}
	return open, nil
}

// takesBody reports whether a column's cell waits for a positional body.
func (d *decoder) takesBody(t *rows, column int) bool {
	switch d.marks[t.cells+column] {
	case markSchema:
		return true
	case markAttachment:
		return t.schemas != nil && t.schemas[column] != nil
	}
	return false
}

func (d *decoder) missing(t *rows, line int) error {
	for c, m := range d.marks[t.cells:] {
		if m == markAttachment || m == markSchema {
			return wire.AtKey(d.syntax(line, "missing_attachment", "an attachment marker without anything attached to it"), t.plan.name(c))
		}
	}
	return nil
}

// fill gives the cell of a column its value.
func (d *decoder) fill(t *rows, column int, v wire.Value) {
	d.cells[t.cells+column] = v
	d.marks[t.cells+column] = markFilled
}

// positional reads the current line as the body of the object in that column.
func (d *decoder) positional(t *rows, column int) error {
	schema := t.schemas[column]
	mark, line := d.Mark(), d.here()
	i, width := line, 0
	for more := true; more; width++ {
		v, m, next, err := d.token(i, d.end, '|')
		if err == nil {
			err = d.mustBeValue(i, m)
		}
		if err != nil {
			return err
		}
		d.Push(v)
		more = next < d.end
		i = next + 1
	}
	if width != schema.width {
		return d.syntax(line, "inline_width_mismatch", "the inline schema declares "+itoa(schema.width)+" fields, the body has "+itoa(width)+" values")
	}
	if err := d.spend(width + 1); err != nil {
		return err
	}
	d.fill(t, column, d.Row(schema.keys, mark))
	t.inline = width
	return d.next()
}

// named reads an attachment by name and reports whether it filled a cell; if
// not, it was added to extra.
func (d *decoder) named(t *rows, n int, extra *extras) (filled bool, err error) {
	at := d.here()
	name, next, err := d.scalars.key(at+1, d.end)
	if err != nil {
		return false, err
	}
	form := d.skipBlanks(next, d.end)
	if next == at+1 || form == next || form == d.end {
		return false, d.syntax(next, "invalid_attachment", "an attachment is a dot, a field's name, a blank, and {} or a count in brackets")
	}
	column := t.plan.column(name)
	if column >= 0 {
		switch d.marks[t.cells+column] {
		case markFilled:
			return false, d.duplicateAttachment(at)
		case markAttachment:
			v, err := d.attached(t, n, column, form)
			if err != nil {
				return false, wire.AtKey(err, strings.Clone(name))
			}
			d.fill(t, column, v)
			return true, nil
		case markAbsent:
		default:
			column = -2
		}
	}
	if column == -2 || !holdsPath(name) {
		return false, d.syntax(at, "orphan_attachment", "the row has no ^ for this field")
	}
	if !extra.open(name) {
		return false, d.duplicateAttachment(at)
	}
	var v wire.Value
	if d.text[form] == '=' {
		if v, err = d.value(form+1, d.end); err == nil {
			err = d.next()
		}
	} else {
		v, err = d.attached(t, n, -1, form)
	}
	if err != nil {
		return false, wire.AtKey(err, strings.Clone(name))
	}
	extra.members = append(extra.members, wire.Member{Key: name, Value: v})
	return false, nil
}

func (d *decoder) duplicateAttachment(at int) error {
	return d.fail(at, wire.Error{Code: "duplicate_attachment", Kind: wire.ErrDuplicateKey,
		Message: "a second attachment of one field in one row"})
}

// attached reads the value of an attachment from its form on. column is -1 for
// a member without a column.
func (d *decoder) attached(t *rows, n, column, form int) (wire.Value, error) {
	body := t.indent + 4
	switch {
	case d.text[form:d.end] == "{}":
		if err := d.next(); err != nil {
			return wire.Value{}, err
		}
		d.lastIndent = -1
		return d.object(body)
	case d.text[form] != '[':
		return wire.Value{}, d.syntax(form, "invalid_attachment", "behind an attachment's name stands {} or a count in brackets")
	}
	var shared *plan
	if column >= 0 && t.shared != nil {
		shared = t.shared[column]
	}
	if n == 0 && column >= 0 {
		if err := d.share(t, column, form); err != nil {
			return wire.Value{}, err
		}
	}
	return d.block(form, body, shared)
}

// share notes the fields that an array attached to the first row declares: later
// rows may leave them out (section 7.4.5.3).
func (d *decoder) share(t *rows, column, form int) error {
	close := strings.IndexByte(d.text[form:d.end], ']')
	if close < 0 || form+close+1 == d.end || d.text[form+close+1] != '{' || d.text[form+close-1] == ':' {
		return nil
	}
	p, _, err := d.fields(form+close+1, planTable)
	if err != nil {
		return err
	}
	if t.shared == nil {
		t.shared = make([]*plan, t.plan.width)
	}
	t.shared[column] = p
	return nil
}

// extras are the members of a row that have no column.
type extras struct {
	members []wire.Member
	seen    map[string]bool // once there are many
}

// open reports whether there is no member of that name yet.
func (e *extras) open(name string) bool {
	if e.seen == nil {
		for _, m := range e.members {
			if m.Key == name {
				return false
			}
		}
		if len(e.members) < fewColumns {
			return true
		}
		e.seen = make(map[string]bool, 4*fewColumns)
		for _, m := range e.members {
			e.seen[m.Key] = true
		}
	}
	if e.seen[name] {
		return false
	}
	e.seen[name] = true
	return true
}
