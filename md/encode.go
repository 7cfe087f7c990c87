package md

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/wire"
)

// An encoder writes one document, or the records of a stream.
type encoder struct {
	columns.Encoder
	lone bool // the record is not in a list
}

func (c Codec) encoder(keys *wire.Keys) *encoder {
	return &encoder{Encoder: columns.Encoder{Format: format, Noun: "text", Nested: "md:kv carries nested values as JSON", Lists: c.KV, Limits: c.Limits, Keys: keys}}
}

// NewRecordWriter returns a writer of rows, whose header it writes, or with KV of
// records, which need no keys. Rows may lack members, but have none that keys have not.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	return columns.NewWriter(w, func() columns.Rows { return c.encoder(keys) })
}

// Header implements [columns.Rows].
func (e *encoder) Header() error {
	if e.Lists {
		return nil
	}
	e.Dst = append(e.Dst, '|')
	for i := range e.Width() {
		e.Dst = append(appendText(append(e.Dst, ' '), e.Name(i), false), " |"...)
	}
	e.Dst = append(e.Dst, "\n|"...)
	for range e.Width() {
		e.Dst = append(e.Dst, " --- |"...)
	}
	e.Dst = append(e.Dst, '\n')
	return e.Fits(e.Dst)
}

// Record implements [columns.Rows].
func (e *encoder) Record(record wire.Value, before int) (bool, error) {
	switch {
	case !e.Lists:
		e.Dst = append(e.Dst, '|')
		if err := e.Row(record, e); err != nil {
			return true, err
		}
		e.Dst = append(e.Dst, '\n')
		return true, e.Fits(e.Dst)
	case before < 0:
		return false, nil
	case record.Kind() != wire.KindObject:
		return true, e.Refused("not_a_record", wire.ErrShape, "a record is an object, not "+columns.WithArticle(record.Kind()), "")
	case e.lone:
		e.Dst = append(e.Dst, "## record\n"...)
		return true, e.members(record, 1)
	case before > 0:
		e.Dst = append(e.Dst, '\n')
	}
	e.Dst = append(strconv.AppendInt(append(e.Dst, "## "...), int64(before)+1, 10), '\n')
	return true, e.members(record, 2)
}

// Absent implements [columns.Cells].
func (e *encoder) Absent(dst []byte) ([]byte, error) { return append(dst, " |"...), nil }

// Cell implements [columns.Cells].
func (e *encoder) Cell(dst []byte, v wire.Value) ([]byte, error) {
	dst, text, isText := columns.AppendScalar(append(dst, ' '), v)
	if isText {
		dst = appendText(dst, text, columns.IsScalar(text))
	}
	dst = append(dst, " |"...)
	return dst, e.Fits(dst)
}

// members writes the lines of a record, which is at that level.
func (e *encoder) members(record wire.Value, level int) error {
	if record.Len() > 0 {
		e.Dst = append(e.Dst, '\n')
	}
	for key, v := range record.Members() {
		e.Dst = append(e.Dst, "- "...)
		if plainKey(key) {
			e.Dst = append(e.Dst, key...)
		} else {
			e.Dst = scan.AppendQuote(e.Dst, key)
		}
		e.Dst = append(e.Dst, ": "...)
		err := e.member(v, level)
		e.Dst = append(e.Dst, '\n')
		if err == nil {
			err = e.Fits(e.Dst)
		}
		if err != nil {
			return wire.AtKey(err, key)
		}
	}
	return e.Fits(e.Dst)
}

// member writes a value of a record at that level.
func (e *encoder) member(v wire.Value, level int) (err error) {
	if v.Kind() < wire.KindArray {
		dst, text, isText := columns.AppendScalar(e.Dst, v)
		switch {
		case !isText:
		case isBare(text) && !columns.IsScalar(text) && text[0] != '[' && text[0] != '{':
			dst = append(dst, text...)
		default:
			dst = scan.AppendQuote(dst, text)
		}
		e.Dst = dst
		return nil
	}
	depth := e.Limits.Resolved().Depth - level
	if depth <= 0 {
		return e.Refused(wire.CodeTooDeep, wire.ErrLimit, tooDeep, "raise Limits.Depth")
	}
	e.Dst, err = builder.AppendNested(e.Dst, v, depth, e.Max)
	if fault, ok := err.(*wire.Error); ok {
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

// appendText appends a string as a cell, in quotation marks if it is to be or must be.
func appendText(dst []byte, s string, quoted bool) []byte {
	bars := strings.IndexByte(s, '|') >= 0
	switch from := len(dst); {
	case quoted || !isBare(s) || bars && strings.Contains(s, `\|`):
		if dst = scan.AppendQuote(dst, s); bars {
			dst = append(dst[:from], bytes.ReplaceAll(dst[from:], []byte{'|'}, []byte(`\u007c`))...)
		}
		return dst
	case bars:
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	return append(dst, s...)
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
