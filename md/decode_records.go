package md

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/wire"
)

// lone reads the form of md:kv that an object has.
func (d *decoder) lone() (wire.Value, error) {
	v, err := d.members("## record", 1)
	if err == nil && d.Pos < d.End {
		return wire.Value{}, d.Fail(d.Pos, "text_after_record", wire.ErrSyntax, "a line that is no member of the record", "members are lines of - key: value")
	}
	return v, err
}

// members reads a heading and the lines of its record, which is at that level, and blank
// ones.
func (d *decoder) members(heading string, level int) (wire.Value, error) {
	start := d.Pos
	if err := d.take(1, start); err != nil {
		return wire.Value{}, err
	}
	line, err := d.line(start)
	if err == nil && line.raw != heading {
		err = d.Fail(start, "wrong_heading", wire.ErrSyntax, fmt.Sprintf("expected %s or a line of - key: value, found %.40q", heading, line.raw), "records have numbers from 1 on")
	}
	if err != nil {
		return wire.Value{}, err
	}
	o := d.Build.Object()
	for d.skipBlank(); strings.HasPrefix(d.Str[d.Pos:d.End], "- "); d.skipBlank() {
		line, err := d.line(d.Pos)
		var key string
		var value cell
		if err == nil {
			key, value, err = d.key(line)
		}
		if err == nil && !d.Build.Key(&o, key) {
			err = d.Fail(d.afterSpace(line.at+1), wire.CodeDuplicateKey, wire.ErrDuplicateKey, fmt.Sprintf("the key %.40q for the second time", key), "")
		}
		if err != nil {
			return wire.Value{}, err
		}
		v, err := d.lineValue(value, level)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, key)
		}
		d.Build.Put(&o, v)
	}
	return d.Build.EndObject(&o), nil
}

// line reads the line from start, without the space around it.
func (d *decoder) line(start int) (cell, error) {
	end := start + strings.IndexByte(d.Str[start:], '\n')
	d.Pos = min(end+1, d.End)
	if end-start > d.Limits.LineBytes {
		return cell{}, d.TooLong(start, "line")
	}
	return d.cellFrom(start, end), nil
}

// cellFrom returns what is from one position to another, without the space around it.
func (d *decoder) cellFrom(at, end int) cell {
	at = d.afterSpace(at)
	return cell{strings.TrimRight(d.Str[at:max(at, end)], " \t\r"), at}
}

// key returns the key of a member's line, and what follows its colon.
func (d *decoder) key(line cell) (key string, value cell, err error) {
	c := d.cellFrom(line.at+1, line.at+len(line.raw))
	end := strings.Index(c.raw, ": ")
	quoted := strings.HasPrefix(c.raw, `"`)
	if quoted {
		for end = 1; end < len(c.raw) && c.raw[end] != '"'; end++ {
			if c.raw[end] == '\\' {
				end++
			}
		}
		if end++; end > len(c.raw) || !strings.HasPrefix(c.raw[end:], ": ") {
			end = -1
		}
	}
	if end <= 0 {
		return "", value, d.Fail(c.at, "no_key", wire.ErrSyntax, "a line without a key, a colon and a space", "members are lines of - key: value")
	}
	value = d.cellFrom(c.at+end+1, c.at+len(c.raw))
	if !quoted {
		return c.raw[:end], value, nil
	}
	v, err := d.quoted(cell{c.raw[:end], c.at})
	return v.Text(), value, err
}

// lineValue returns the value after a key of a record at that level.
func (d *decoder) lineValue(c cell, level int) (wire.Value, error) {
	if err := d.take(1, c.at); err != nil {
		return wire.Value{}, err
	}
	switch c.raw[0] {
	case '"':
		return d.quoted(c)
	case '[', '{':
		if d.Limits.Depth <= level {
			return wire.Value{}, d.Fail(c.at, wire.CodeTooDeep, wire.ErrLimit, tooDeep, "raise Limits.Depth")
		}
		v, err := d.json(c, wire.Limits{Depth: d.Limits.Depth - level, Values: d.Limits.Values - d.Values + 1})
		d.Values += count(v) - 1
		return v, err
	}
	if i := strings.IndexFunc(c.raw, func(r rune) bool { return r < ' ' && r != '\t' }); i >= 0 {
		return wire.Value{}, d.Fail(c.at+i, "misplaced_character", wire.ErrSyntax, "a control character", "write it with an escape, in quotation marks")
	}
	return columns.Scalar(c.raw), nil
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
