package md

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// An encoder writes one document.
type encoder struct {
	dst    []byte
	max    int
	limits wire.Limits
	level  int // of the records of md:kv

	keys   *wire.Keys      // of rows that have all columns in their order; nil if there may be none
	layout *columns.Layout // of rows that have not; nil before the first one
}

// leastFull is how many cells a table may have for each that is not empty; small ones
// may have looseCells in any case.
const (
	leastFull  = 64
	looseCells = 4096
)

// refused is an error of encoding.
func refused(code string, kind error, message, hint string) error {
	return &wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint}
}

func (e *encoder) fits() error {
	if len(e.dst) > e.max {
		return refused(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

func (e *encoder) table(v wire.Value) error {
	if v.Kind() != wire.KindArray {
		return refused("not_a_table", wire.ErrShape, fmt.Sprintf("a table is an array of objects, and this a value of kind %s", v.Kind()),
			"md:kv carries objects; or name the array inside of it")
	}
	if v.Len() == 0 {
		return nil
	}
	if err := e.findColumns(v); err != nil {
		return err
	}
	names := e.keys
	if names == nil {
		var err error
		if names, err = wire.NewKeys(e.layout.Names...); err != nil {
			return err
		}
	}
	e.dst = append(e.dst, '|')
	for _, name := range names.All() {
		e.dst = append(e.dst, ' ')
		e.text(name)
		e.dst = append(e.dst, " |"...)
	}
	e.dst = append(e.dst, "\n|"...)
	for range names.Len() {
		e.dst = append(e.dst, " --- |"...)
	}
	e.dst = append(e.dst, '\n')
	for i := range v.Len() {
		if err := e.row(v.Index(i)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return e.fits()
}

// findColumns finds the names that rows have, in the order of their first occurrence.
func (e *encoder) findColumns(v wire.Value) error {
	first := v.Index(0)
	uniform := first.Kind() == wire.KindObject
	members := 0
	for i := range v.Len() {
		row := v.Index(i)
		switch {
		case row.Kind() != wire.KindObject:
			return wire.AtIndex(refused("not_a_row", wire.ErrShape, fmt.Sprintf("a row is an object, and this a value of kind %s", row.Kind()), ""), i)
		case row.Len() == 0:
			return wire.AtIndex(refused("empty_row", wire.ErrShape, "a row without members has no form", "md:kv carries it"), i)
		}
		uniform = uniform && first.SameKeys(row)
		members += row.Len()
	}
	if uniform {
		e.keys = first.Keys()
		return nil
	}
	e.layout = columns.Get()
	var last *wire.Keys
	for i := range v.Len() {
		if keys := v.Index(i).Keys(); keys != last && e.layout.IsNew(keys) {
			last = keys
			e.layout.Add(keys)
		}
	}
	if n := len(e.layout.Names); v.Len() > looseCells/n && v.Len() > leastFull*members/n {
		return refused("nearly_empty", wire.ErrLimit,
			fmt.Sprintf("a table of %d rows and %d columns with %d cells that are not empty", v.Len(), n, members), "md:kv carries such rows")
	}
	return nil
}

func (e *encoder) row(row wire.Value) error {
	e.dst = append(e.dst, '|')
	keys := row.Keys()
	if e.keys != nil {
		for i := range row.Len() {
			if err := e.cell(row.Index(i)); err != nil {
				return wire.AtKey(err, keys.At(i))
			}
		}
	} else {
		for i, at := range e.layout.Plan(keys) {
			if at < 0 {
				e.dst = append(e.dst, " |"...)
			} else if err := e.cell(row.Index(int(at))); err != nil {
				return wire.AtKey(err, e.layout.Names[i])
			}
		}
	}
	e.dst = append(e.dst, '\n')
	return e.fits()
}

func (e *encoder) cell(v wire.Value) error {
	if v.Kind() >= wire.KindArray {
		return refused("nested_cell", wire.ErrShape, fmt.Sprintf("a cell cannot hold a value of kind %s", v.Kind()), "md:kv carries nested values as JSON")
	}
	e.dst = append(e.dst, ' ')
	switch text, ok := e.scalar(v); {
	case !ok:
	case isScalar(text):
		e.quote(text)
	default:
		e.text(text)
	}
	e.dst = append(e.dst, " |"...)
	return e.fits()
}

// records writes the form of md:kv.
func (e *encoder) records(v wire.Value) error {
	e.level = 1
	if v.Kind() == wire.KindObject {
		e.dst = append(e.dst, "## record\n"...)
		return e.members(v)
	}
	if v.Kind() != wire.KindArray {
		return refused("not_a_record", wire.ErrShape, fmt.Sprintf("records are objects, and this a value of kind %s", v.Kind()), "put it into an object")
	}
	e.level = 2
	for i := range v.Len() {
		record := v.Index(i)
		if record.Kind() != wire.KindObject {
			return wire.AtIndex(refused("not_a_record", wire.ErrShape, fmt.Sprintf("a record is an object, and this a value of kind %s", record.Kind()), ""), i)
		}
		if i > 0 {
			e.dst = append(e.dst, '\n')
		}
		e.dst = append(strconv.AppendInt(append(e.dst, "## "...), int64(i)+1, 10), '\n')
		if err := e.members(record); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return nil
}

func (e *encoder) members(record wire.Value) error {
	if record.Len() > 0 {
		e.dst = append(e.dst, '\n')
	}
	for key, v := range record.Members() {
		e.dst = append(e.dst, "- "...)
		if plainKey(key) {
			e.dst = append(e.dst, key...)
		} else {
			e.dst = scan.AppendQuote(e.dst, key)
		}
		e.dst = append(e.dst, ": "...)
		if v.Kind() >= wire.KindArray {
			if err := e.nested(v); err != nil {
				return wire.AtKey(err, key)
			}
		} else if text, ok := e.scalar(v); ok && isBare(text) && !isScalar(text) && text[0] != '[' && text[0] != '{' {
			e.dst = append(e.dst, text...)
		} else if ok {
			e.dst = scan.AppendQuote(e.dst, text)
		}
		e.dst = append(e.dst, '\n')
		if err := e.fits(); err != nil {
			return wire.AtKey(err, key)
		}
	}
	return e.fits()
}

// nested writes an array or object in a record.
func (e *encoder) nested(v wire.Value) error {
	within, err := below(e.limits.Depth, e.level)
	if err != nil {
		return refused(wire.CodeTooDeep, wire.ErrLimit, err.Error(), "raise Limits.Depth")
	}
	within.OutputBytes = max(1, e.max-len(e.dst))
	e.dst, err = wire.JSON{Limits: within}.AppendEncode(e.dst, v)
	var fault *wire.Error
	if errors.As(err, &fault) {
		fault.Format = format
	}
	return err
}

// plainKey reports whether a key needs no quotation marks: none that could begin another
// block of Markdown, or end before its colon.
func plainKey(key string) bool {
	if key == "" || key[len(key)-1] == ' ' || key[len(key)-1] == ':' || strings.Contains(key, ": ") {
		return false
	}
	first := key[0]
	if !(first|0x20 >= 'a' && first|0x20 <= 'z' || first == '_' || first == '$' || first == '@' || first >= 0x80) &&
		(first-'0' > 9 || strings.ContainsAny(key, " .)")) {
		return false
	}
	return isBare(key)
}

// scalar writes null, a boolean or a number. Of any other it returns the text.
func (e *encoder) scalar(v wire.Value) (text string, ok bool) {
	switch v.Kind() {
	case wire.KindNull:
		e.dst = append(e.dst, "null"...)
	case wire.KindBool:
		e.dst = strconv.AppendBool(e.dst, v.Bool())
	case wire.KindNumber:
		e.dst = v.AppendNumber(e.dst)
	case wire.KindString:
		return v.Text(), true
	default:
		return string(v.AppendText(nil)), true
	}
	return "", false
}

// text writes a string as a cell, whatever it looks like.
func (e *encoder) text(s string) {
	n := len(s)
	if n > 0 && s[0] > ' ' && s[0] != '"' && s[n-1] > ' ' && !marked(s) {
		e.dst = append(e.dst, s...)
		return
	}
	if !isBare(s) || strings.Contains(s, `\|`) {
		e.quote(s)
		return
	}
	for {
		i := strings.IndexByte(s, '|')
		if i < 0 {
			break
		}
		e.dst = append(append(e.dst, s[:i]...), `\|`...)
		s = s[i+1:]
	}
	e.dst = append(e.dst, s...)
}

// marked reports whether a string has a bar or a control character in it.
func marked(s string) bool {
	i, n := 0, len(s)
	if n >= 8 {
		for i < n-8 && marks(scan.Load64(s, i)) == 0 {
			i += 8
		}
		if i >= n-8 && marks(scan.Load64(s, n-8)) == 0 {
			return false
		}
	}
	for ; i < n; i++ {
		if s[i] < ' ' || s[i] == '|' {
			return true
		}
	}
	return false
}

// quote writes a string as a cell in quotation marks, without a bar in it.
func (e *encoder) quote(s string) {
	e.dst = append(e.dst, '"')
	for {
		i := strings.IndexByte(s, '|')
		if i < 0 {
			break
		}
		e.dst = append(scan.AppendEscaped(e.dst, s[:i]), `\u007c`...)
		s = s[i+1:]
	}
	e.dst = append(scan.AppendEscaped(e.dst, s), '"')
}

// isBare reports whether a string can be written without quotation marks: it does not
// begin like a quoted one, has no space around it, and no control characters.
func isBare(s string) bool {
	n := len(s)
	if n == 0 || s[0] <= ' ' || s[0] == '"' || s[n-1] <= ' ' {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' }) < 0
}

// isScalar reports whether a bare cell of that text is a scalar.
func isScalar(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case 'n':
		return s == "null"
	case 't':
		return s == "true"
	case 'f':
		return s == "false"
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return scan.Number(s) == len(s)
	}
	return false
}
