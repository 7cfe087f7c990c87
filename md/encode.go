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

// An encoder writes one document, or the records of a stream.
type encoder struct {
	Codec
	columns.Table
	lone bool // the record is not in a list
	dst  []byte
	max  int
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

func (e *encoder) header() {
	e.dst = append(e.dst, '|')
	for i := range e.Width() {
		e.dst = append(e.dst, ' ')
		e.text(e.Name(i), false)
		e.dst = append(e.dst, " |"...)
	}
	e.dst = append(e.dst, "\n|"...)
	for range e.Width() {
		e.dst = append(e.dst, " --- |"...)
	}
	e.dst = append(e.dst, '\n')
}

func (e *encoder) row(row wire.Value) error {
	places, err := e.Places(format, row)
	if err != nil {
		return err
	}
	e.dst = append(e.dst, '|')
	for i := range max(len(places), row.Len()) {
		at := i
		if places != nil {
			at = int(places[i])
		}
		if at < 0 {
			e.dst = append(e.dst, " |"...)
		} else if err := e.cell(row.Index(at)); err != nil {
			return wire.AtKey(err, row.Keys().At(at))
		}
	}
	e.dst = append(e.dst, '\n')
	return e.fits()
}

func (e *encoder) cell(v wire.Value) error {
	if v.Kind() >= wire.KindArray {
		return refused("nested_cell", wire.ErrShape, "a cell cannot hold "+columns.WithArticle(v.Kind()), "md:kv carries nested values as JSON")
	}
	var text string
	var isText bool
	if e.dst, text, isText = columns.AppendScalar(append(e.dst, ' '), v); isText {
		e.text(text, columns.IsScalar(text))
	}
	e.dst = append(e.dst, " |"...)
	return e.fits()
}

// record writes record i in the form of md:kv.
func (e *encoder) record(record wire.Value, i int) error {
	if record.Kind() != wire.KindObject {
		return refused("not_a_record", wire.ErrShape, "a record is an object, not "+columns.WithArticle(record.Kind()), "")
	}
	if e.lone {
		e.dst = append(e.dst, "## record\n"...)
		return e.members(record, 1)
	}
	if i > 0 {
		e.dst = append(e.dst, '\n')
	}
	e.dst = append(strconv.AppendInt(append(e.dst, "## "...), int64(i)+1, 10), '\n')
	return e.members(record, 2)
}

// members writes the lines of a record, which is at that level.
func (e *encoder) members(record wire.Value, level int) error {
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
			if err := e.nested(v, level); err != nil {
				return wire.AtKey(err, key)
			}
		} else if dst, text, isText := columns.AppendScalar(e.dst, v); !isText {
			e.dst = dst
		} else if isBare(text) && !columns.IsScalar(text) && text[0] != '[' && text[0] != '{' {
			e.dst = append(dst, text...)
		} else {
			e.dst = scan.AppendQuote(dst, text)
		}
		e.dst = append(e.dst, '\n')
		if err := e.fits(); err != nil {
			return wire.AtKey(err, key)
		}
	}
	return e.fits()
}

// nested writes an array or object in a record.
func (e *encoder) nested(v wire.Value, level int) error {
	limits := wire.Limits{Depth: e.Limits.Depth - level, OutputBytes: max(1, e.max-len(e.dst))}
	if limits.Depth <= 0 {
		return refused(wire.CodeTooDeep, wire.ErrLimit, tooDeep, "raise Limits.Depth")
	}
	var err error
	e.dst, err = wire.JSON{Limits: limits}.AppendEncode(e.dst, v)
	var fault *wire.Error
	if errors.As(err, &fault) {
		fault.Format = format
	}
	return err
}

const tooDeep = "the members are nested deeper than the limit"

// plainKey reports whether a key needs no quotation marks: none that could begin another
// block of Markdown, or end before its colon.
func plainKey(key string) bool {
	if !isBare(key) || key[len(key)-1] == ':' || strings.Contains(key, ": ") {
		return false
	}
	first := key[0]
	return first|0x20 >= 'a' && first|0x20 <= 'z' || first == '_' || first == '$' || first == '@' || first >= 0x80 ||
		first-'0' <= 9 && !strings.ContainsAny(key, " .)")
}

// text writes a string as a cell, in quotation marks if it is to be or must be.
func (e *encoder) text(s string, quoted bool) {
	bars := strings.IndexByte(s, '|') >= 0
	switch from := len(e.dst); {
	case quoted || !isBare(s) || bars && strings.Contains(s, `\|`):
		if e.dst = scan.AppendQuote(e.dst, s); bars {
			e.dst = append(e.dst[:from], bytes.ReplaceAll(e.dst[from:], []byte{'|'}, []byte(`\u007c`))...)
		}
	case bars:
		e.dst = append(e.dst, strings.ReplaceAll(s, "|", `\|`)...)
	default:
		e.dst = append(e.dst, s...)
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
