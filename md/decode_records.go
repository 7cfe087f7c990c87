package md

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/wire"
)

// records reads the form of md:kv.
func (d *decoder) records() (wire.Value, error) {
	if d.line() == "## record" {
		d.nextLine()
		d.level = 1
		v, err := d.members()
		if err == nil && d.pos < d.end {
			return wire.Value{}, d.fail(d.pos, "text_after_record", wire.ErrSyntax, "a line that is no member of the record", "members are lines of - key: value")
		}
		return v, err
	}
	d.level = 2
	mark := d.build.Mark()
	if err := d.take(1, d.pos); err != nil {
		return wire.Value{}, err
	}
	for n := 1; d.pos < d.end; n++ {
		if heading := d.line(); heading != "## "+strconv.Itoa(n) {
			return wire.Value{}, wire.AtIndex(d.fail(d.pos, "wrong_heading", wire.ErrSyntax, fmt.Sprintf("expected ## %d or a line of - key: value, found %.40q", n, heading),
				"records have numbers from 1 on"), n-1)
		}
		d.nextLine()
		record, err := d.members()
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n-1)
		}
		d.build.Push(record)
	}
	return d.build.Array(mark), nil
}

func (d *decoder) nextLine() {
	d.pos = min(d.pos+strings.IndexByte(d.str[d.pos:], '\n')+1, d.end)
}

// members reads the lines of one record, and blank ones.
func (d *decoder) members() (wire.Value, error) {
	if err := d.take(1, d.pos); err != nil {
		return wire.Value{}, err
	}
	o := d.build.Object()
	for d.skipBlank(); strings.HasPrefix(d.str[d.pos:d.end], "- "); d.skipBlank() {
		start := d.pos
		line := d.line()
		if err := d.checkLine(start, start+len(line)); err != nil {
			return wire.Value{}, err
		}
		key, after, err := d.key(d.cellFrom(start+2, start+len(line)))
		if err != nil {
			return wire.Value{}, err
		}
		if !d.build.Key(&o, key) {
			return wire.Value{}, d.fail(d.afterSpace(start+2), wire.CodeDuplicateKey, wire.ErrDuplicateKey, fmt.Sprintf("the key %.40q for the second time", key), "")
		}
		v, err := d.lineValue(after)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, key)
		}
		d.build.Put(&o, v)
		d.nextLine()
	}
	return d.build.EndObject(&o), nil
}

// key returns the key of a line, and what follows its colon.
func (d *decoder) key(line cell) (key string, value cell, err error) {
	end := strings.Index(line.raw, ": ")
	if strings.HasPrefix(line.raw, `"`) {
		end = 1
		for ; end < len(line.raw) && line.raw[end] != '"'; end++ {
			if line.raw[end] == '\\' {
				end++
			}
		}
		end++
		if end > len(line.raw) || !strings.HasPrefix(line.raw[end:], ": ") {
			end = -1
		}
	}
	if end <= 0 {
		return "", value, d.fail(line.at, "no_key", wire.ErrSyntax, "a line without a key, a colon and a space", "members are lines of - key: value")
	}
	key = line.raw[:end]
	if key[0] == '"' {
		v, err := d.quoted(cell{key, line.at})
		if err != nil {
			return "", value, err
		}
		key = v.Text()
	}
	return key, d.cellFrom(line.at+end+1, line.at+len(line.raw)), nil
}

// cellFrom returns what is from one position to another, without the space before it.
func (d *decoder) cellFrom(at, end int) cell {
	at = d.afterSpace(at)
	return cell{d.str[at:max(at, end)], at}
}

// lineValue returns the value after a key.
func (d *decoder) lineValue(c cell) (wire.Value, error) {
	if c.raw == "" {
		return wire.Value{}, d.fail(c.at, "no_value", wire.ErrSyntax, "a key without a value", `write "" for an empty text`)
	}
	if err := d.take(1, c.at); err != nil {
		return wire.Value{}, err
	}
	switch c.raw[0] {
	case '"':
		return d.quoted(c)
	case '[', '{':
		within, err := below(d.limits.Depth, d.level)
		if err != nil {
			return wire.Value{}, d.fail(c.at, wire.CodeTooDeep, wire.ErrLimit, err.Error(), "raise Limits.Depth")
		}
		within.Values = d.limits.Values - d.values + 1
		v, err := d.json(c, wire.JSON{Limits: within})
		d.values += count(v) - 1
		return v, err
	}
	if i := strings.IndexFunc(c.raw, func(r rune) bool { return r < ' ' && r != '\t' }); i >= 0 {
		return wire.Value{}, d.fail(c.at+i, "misplaced_character", wire.ErrSyntax, "a control character", "write it with an escape, in quotation marks")
	}
	return columns.Scalar(c.raw), nil
}

// below returns the limits of what is in a record's member, with the record itself at
// that level.
func below(depth, level int) (wire.Limits, error) {
	if depth <= level {
		return wire.Limits{}, fmt.Errorf("deeper than %d levels", depth)
	}
	return wire.Limits{Depth: depth - level}, nil
}

// count returns how many values v has, itself included.
func count(v wire.Value) int {
	n := 1
	if v.Kind() >= wire.KindArray {
		for i := range v.Len() {
			n += count(v.Index(i))
		}
	}
	return n
}
