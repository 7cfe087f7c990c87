package md

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// An encoder writes one document, or the records of a stream.
type encoder struct {
	columns.Encoder
	lone bool // the record is not in a list
}

func (c Codec) encoder(keys *wire.Keys) *encoder {
	if c.KV {
		keys = nil
	}
	return &encoder{Encoder: columns.Encoder{Base: records.Base{Format: format, Limits: c.Limits, Keys: keys}, Noun: "text", Nested: "md:kv carries nested values as JSON", Lists: c.KV}}
}

// NewRecordWriter returns a writer of rows, whose header it writes, or with KV of
// records, which need no keys. Rows may lack members, but have none that keys have not.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	return columns.NewWriter(w, c.encoder(keys))
}

// Header implements [records.Form].
func (e *encoder) Header(dst []byte) ([]byte, error) {
	if e.Lists {
		return dst, nil
	}
	dst = append(dst, '|')
	for i := range e.Width() {
		dst = append(appendText(append(dst, ' '), e.Name(i), false), " |"...)
	}
	dst = append(dst, "\n|"...)
	for range e.Width() {
		dst = append(dst, " --- |"...)
	}
	dst = append(dst, '\n')
	return dst, e.Fits(dst)
}

// Record implements [records.Form].
func (e *encoder) Record(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	level, err := 2, error(nil)
	switch {
	case !e.Lists:
		if dst, err = e.Row(append(dst, '|'), record, e); err == nil {
			dst = append(dst, '\n')
			err = e.Fits(dst)
		}
		return dst, true, err
	case before < 0:
		return dst, false, nil
	case record.Kind() != wire.KindObject:
		return dst, true, e.Refused("not_a_record", wire.ErrShape, "a record is an object, not "+wire.Internal.WithArticle(record.Kind()), "")
	case e.lone:
		dst, level = append(dst, "## record\n"...), 1
	default:
		if before > 0 {
			dst = append(dst, '\n')
		}
		dst = append(strconv.AppendInt(append(dst, "## "...), int64(before)+1, 10), '\n')
	}
	dst, err = e.members(dst, record, level)
	return dst, true, err
}

// Fork implements [records.Forker].
func (e *encoder) Fork() records.Form {
	f := *e
	f.Layout = nil
	return &f
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
func (e *encoder) members(dst []byte, record wire.Value, level int) (_ []byte, err error) {
	if record.Len() > 0 {
		dst = append(dst, '\n')
	}
	for key, v := range record.Members() {
		dst = append(dst, "- "...)
		if plainKey(key) {
			dst = append(dst, key...)
		} else {
			dst = scan.AppendQuote(dst, key)
		}
		if dst, err = e.member(append(dst, ": "...), v, level); err == nil {
			dst = append(dst, '\n')
			err = e.Fits(dst)
		}
		if err != nil {
			return dst, wire.AtKey(err, key)
		}
	}
	return dst, e.Fits(dst)
}

// member writes a value of a record at that level.
func (e *encoder) member(dst []byte, v wire.Value, level int) ([]byte, error) {
	if v.Kind() < wire.KindArray {
		dst, text, isText := columns.AppendScalar(dst, v)
		switch {
		case !isText:
		case isBare(text) && !columns.IsScalar(text) && text[0] != '[' && text[0] != '{':
			dst = append(dst, text...)
		default:
			dst = scan.AppendQuote(dst, text)
		}
		return dst, nil
	}
	depth := e.Limits.Resolved().Depth - level
	if depth <= 0 {
		return dst, e.Refused(wire.CodeTooDeep, wire.ErrLimit, tooDeep, "raise Limits.Depth")
	}
	dst, err := builder.AppendNested(dst, v, depth, e.Max)
	if fault, ok := err.(*wire.Error); ok {
		fault.Format = format
	}
	return dst, err
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
