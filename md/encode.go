package md

import (
	"bytes"
	"errors"
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

// refused is an error of encoding.
func refused(code string, kind error, message, hint string) error {
	return columns.Refused(format, code, kind, message, hint)
}

func (e *encoder) fits() error {
	if len(e.dst) > e.max {
		return refused(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

func (e *encoder) table(v wire.Value) error {
	var err error
	if e.keys, e.layout, err = columns.Find(format, v); err != nil || v.Len() == 0 {
		return err
	}
	var names []string
	if e.layout != nil {
		names = e.layout.Names
	} else {
		for _, name := range e.keys.All() {
			names = append(names, name)
		}
	}
	e.dst = append(e.dst, '|')
	for _, name := range names {
		e.dst = append(e.dst, ' ')
		e.text(name)
		e.dst = append(e.dst, " |"...)
	}
	e.dst = append(append(append(e.dst, "\n|"...), strings.Repeat(" --- |", len(names))...), '\n')
	for i := range v.Len() {
		if err := e.row(v.Index(i)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return e.fits()
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
		return refused("nested_cell", wire.ErrShape, "a cell cannot hold "+columns.WithArticle(v.Kind()), "md:kv carries nested values as JSON")
	}
	e.dst = append(e.dst, ' ')
	switch text, ok := e.scalar(v); {
	case !ok:
	case columns.IsScalar(text):
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
		return refused("not_a_record", wire.ErrShape, "records are an object or an array of them, not "+columns.WithArticle(v.Kind()), "put it into an object")
	}
	e.level = 2
	for i := range v.Len() {
		record := v.Index(i)
		if record.Kind() != wire.KindObject {
			return wire.AtIndex(refused("not_a_record", wire.ErrShape, "a record is an object, not "+columns.WithArticle(record.Kind()), ""), i)
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
		} else if text, ok := e.scalar(v); ok && isBare(text) && !columns.IsScalar(text) && text[0] != '[' && text[0] != '{' {
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
	switch {
	case !isBare(s):
		e.quote(s)
	case strings.IndexByte(s, '|') < 0:
		e.dst = append(e.dst, s...)
	case strings.Contains(s, `\|`):
		e.quote(s)
	default:
		e.dst = append(e.dst, strings.ReplaceAll(s, "|", `\|`)...)
	}
}

// quote writes a string as a cell in quotation marks, without a bar in it.
func (e *encoder) quote(s string) {
	from := len(e.dst)
	if e.dst = scan.AppendQuote(e.dst, s); strings.IndexByte(s, '|') >= 0 {
		e.dst = append(e.dst[:from], bytes.ReplaceAll(e.dst[from:], []byte{'|'}, []byte(`\u007c`))...)
	}
}

// isBare reports whether a string can be written without quotation marks: it does not
// begin like a quoted one, has no space around it, and no control characters.
func isBare(s string) bool {
	if s == "" || s[0] == '"' || s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' {
			return false
		}
	}
	return true
}
