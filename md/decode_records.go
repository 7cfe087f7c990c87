package md

import (
	"fmt"
	"math"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/wire"
)

// members reads a heading and the lines of its record, which is at that level, and blank
// ones.
func (d *decoder) members(heading string, level int) (wire.Value, error) {
	start := d.Pos
	if err := d.take(1, start); err != nil {
		return wire.Value{}, err
	}
	line, err := d.line()
	if err == nil && line.raw != heading {
		err = d.Fail(start, "wrong_heading", wire.ErrSyntax, fmt.Sprintf("expected %s or a line of - key: value, found %.40q", heading, line.raw), "records have numbers from 1 on")
	}
	if err != nil {
		return wire.Value{}, err
	}
	o := d.Build.Object()
	for !d.AtEnd() && strings.HasPrefix(d.Str[d.Pos:], "- ") {
		key, value, err := d.key()
		if err == nil && !d.Build.Key(&o, key.raw) {
			err = d.Fail(key.at, wire.CodeDuplicateKey, wire.ErrDuplicateKey, fmt.Sprintf("the key %.40q for the second time", key.raw), "")
		}
		if err != nil {
			return wire.Value{}, err
		}
		v, err := d.lineValue(value, level)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, key.raw)
		}
		d.Build.Put(&o, v)
	}
	return d.Build.EndObject(&o), nil
}

// line reads the next line, without the space around it.
func (d *decoder) line() (cell, error) {
	start := d.Pos
	end := start + strings.IndexByte(d.Str[start:], '\n')
	d.Pos = min(end+1, d.End)
	if len(strings.TrimSuffix(d.Str[start:end], "\r")) > d.Limits.LineBytes {
		return cell{}, d.TooLong(start, "line")
	}
	return d.cellFrom(start, end), nil
}

// cellFrom returns what is from one position to another, without the space around it.
func (d *decoder) cellFrom(at, end int) cell {
	at = d.afterSpace(at)
	for end = max(at, end); end > at && (d.Str[end-1] == ' ' || d.Str[end-1] == '\t' || d.Str[end-1] == '\r'); {
		end--
	}
	return cell{d.Str[at:end], at}
}

// key reads the line of a member, and returns its key and what follows the colon.
func (d *decoder) key() (key, value cell, err error) {
	line, err := d.line()
	if err != nil {
		return key, value, err
	}
	key = d.cellFrom(line.at+1, line.at+len(line.raw))
	end := strings.Index(key.raw, ": ")
	if strings.HasPrefix(key.raw, `"`) {
		for end = 1; end < len(key.raw) && key.raw[end] != '"'; end++ {
			if key.raw[end] == '\\' {
				end++
			}
		}
		if end++; end > len(key.raw) || !strings.HasPrefix(key.raw[end:], ": ") {
			end = -1
		}
	}
	if end <= 0 {
		return key, value, d.Fail(key.at, "no_key", wire.ErrSyntax, "a line without a key, a colon and a space", "members are lines of - key: value")
	}
	value = d.cellFrom(key.at+end+1, key.at+len(key.raw))
	key.raw = key.raw[:end]
	key.raw, err = d.unquoted(key)
	return key, value, err
}

// lineValue returns the value after a key of a record at that level.
func (d *decoder) lineValue(c cell, level int) (wire.Value, error) {
	if err := d.take(1, c.at); err != nil {
		return wire.Value{}, err
	}
	switch c.raw[0] {
	case '"':
		if text, err := d.unquoted(c); err != nil || text != c.raw {
			return wire.String(text), err
		}
	case '[', '{':
		if d.Limits.Depth <= level {
			return wire.Value{}, d.Fail(c.at, wire.CodeTooDeep, wire.ErrLimit, tooDeep, "raise Limits.Depth")
		}
		v, err := d.json(c, wire.Limits{Depth: d.Limits.Depth - level, Values: d.Limits.Values - d.Values + 1})
		d.Values += builder.Count(v, math.MaxInt) - 1
		return v, err
	}
	if i := strings.IndexFunc(c.raw, func(r rune) bool { return r < ' ' && r != '\t' }); i >= 0 {
		return wire.Value{}, d.Fail(c.at+i, "misplaced_character", wire.ErrSyntax, "a control character", "write it with an escape, in quotation marks")
	}
	return columns.Scalar(c.raw), nil
}
