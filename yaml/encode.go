package yaml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// flowDepth is the level from which on containers are written in flow style,
// so that indentation stays a small part of the text.
const flowDepth = 16

// An encoder writes documents.
type encoder struct {
	items.Encoder
	known *[flowDepth]labels // nil in a writer that is kept
}

// labels are what is known about the keys of the last mapping of a level.
type labels struct {
	keys  *wire.Keys
	plain uint64 // a bit for each of the first keys: it is plain
}

const maxLabels = 64

// of returns what is known about keys.
func (l *labels) of(keys *wire.Keys) uint64 {
	if l.keys != keys {
		*l = labels{keys: keys}
		for i := range min(keys.Len(), maxLabels) {
			if plainSafe(keys.At(i)) {
				l.plain |= 1 << i
			}
		}
	}
	return l.plain
}

func (e *encoder) documents(dst []byte, v wire.Value) (_ []byte, err error) {
	if v.Kind() != wire.KindArray {
		return dst, e.Refuse("not_an_array", wire.ErrShape, fmt.Sprintf("several documents are an array, not of kind %s", v.Kind()), "yaml carries any value as one document")
	}
	e.Depth-- // the array of the documents is a level
	for i := range v.Len() {
		if dst, err = e.document(append(dst, "---\n"...), v.Index(i)); err != nil {
			return dst, wire.AtIndex(err, i)
		}
	}
	if v.Len() == 1 { // or it would be the text of that document
		dst = append(dst, "...\n"...)
	}
	return dst, e.fits(dst, 0)
}

// document writes a value as a document that ends with a line end.
func (e *encoder) document(dst []byte, v wire.Value) ([]byte, error) {
	dst, err := e.Item(dst, v)
	dst = append(dst, '\n')
	return dst, cmp.Or(err, e.fits(dst, 0))
}

// fits refuses a text that is longer than it may be, with what is still to be written.
func (e *encoder) fits(dst []byte, more int) error {
	if len(dst)+more > e.Max {
		return e.Refuse(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

// lineStart are the end of a line and the blanks of the next one, at any level.
const lineStart = "\n                                  "

const _ = uint(len(lineStart) - 1 - 2*(flowDepth+1))

// Item implements [items.Writer]: it writes a value, whose last line it does not end, in
// block style if there may be one.
func (e *encoder) Item(dst []byte, v wire.Value) (_ []byte, err error) {
	switch kind := v.Kind(); {
	case kind == wire.KindString:
		dst = e.string(dst, v.Text())
	case kind <= wire.KindNumber: // which is too short to be looked at alone
		return appendScalar(dst, v), nil
	case kind >= wire.KindArray && v.Len() > 0 && e.Level < flowDepth && e.Depth > 0:
		dst, _ = e.Open(dst, kind, v.Len())
		e.Level++
		e.Depth--
		if dst, err = e.children(dst, v); err != nil {
			return dst, err
		}
		e.Level--
		e.Depth++
	default:
		if dst, err = e.flow(dst, v); err != nil {
			return dst, err
		}
	}
	return dst, e.fits(dst, 1)
}

// Open implements [items.Writer] for containers in block style, and refuses others. Those
// after a key begin in the line after it.
func (e *encoder) Open(dst []byte, k wire.Kind, n int) ([]byte, error) {
	switch {
	case n == 0:
		return append(dst, brackets(k)...), nil
	case e.Level == flowDepth:
		return dst, errForm
	}
	e.Line, e.Mark = 1+2*e.Level, &mark
	if end := len(dst) - 1; e.Level > 0 && dst[end-1] == ':' {
		dst = append(dst[:end], lineStart[:e.Line]...)
	}
	return dst, nil
}

var (
	mark    = gotext.NewLabel("- ")
	errForm = errors.New("yaml: not in this form")
)

// brackets are those of an array or an object.
func brackets(k wire.Kind) string {
	if k == wire.KindArray {
		return "[]"
	}
	return "{}"
}

// children writes the elements or members of a container that has been opened.
func (e *encoder) children(dst []byte, v wire.Value) (_ []byte, err error) {
	if v.Kind() == wire.KindObject {
		return e.members(dst, v)
	}
	before, line := 0, e.Line
	for i := range v.Len() {
		dst = mark.AppendLine(dst, before)
		before = line
		child := v.Index(i)
		if text, ok := wire.Internal.Spelling(child); ok {
			dst = appendNumber(dst, text)
		} else if dst, err = e.Item(dst, child); err != nil {
			return dst, wire.AtIndex(err, i)
		}
	}
	return dst, nil
}

func (e *encoder) members(dst []byte, v wire.Value) (_ []byte, err error) {
	keys, before, start, plain := v.Keys(), "", lineStart[:e.Line], uint64(0)
	if e.known != nil {
		plain = e.known[e.Level-1].of(keys)
	}
	for i := range v.Len() {
		key, child := keys.At(i), v.Index(i)
		dst = append(dst, before...)
		before = start
		if plain>>i&1 != 0 {
			dst = append(scan.AppendWords(dst, key), ": "...)
		} else if dst, err = e.Text(dst, key); err != nil {
			dst = append(append(appendQuoted(append(dst, "? "...), key), start...), ": "...)
		}
		if text, ok := wire.Internal.Spelling(child); ok {
			dst = appendNumber(dst, text)
		} else if dst, err = e.Item(dst, child); err != nil {
			return dst, wire.AtKey(err, key)
		}
	}
	return dst, nil
}

// Text implements [items.Writer] for a key, with what is before its value. It refuses one that
// is longer than a key of one line.
func (e *encoder) Text(dst []byte, key string) ([]byte, error) {
	start := len(dst)
	if plainSafe(key) {
		dst = scan.AppendWords(dst, key)
	} else if dst = appendQuoted(dst, key); len(dst)-start > maxPlain {
		return dst[:start], errForm
	}
	return append(dst, ": "...), nil
}

// Int implements [items.Writer].
func (e *encoder) Int(dst []byte, n int64) []byte { return decimal.AppendInt(dst, n) }

// Float implements [items.Writer].
func (e *encoder) Float(dst []byte, f float64) []byte { return appendScalar(dst, wire.Float(f)) }

// Time implements [items.Writer].
func (e *encoder) Time(dst []byte, t time.Time) ([]byte, error) { return e.Item(dst, wire.Time(t)) }

// String implements [items.Writer].
func (e *encoder) String(dst []byte, s string) ([]byte, error) { return e.Item(dst, wire.String(s)) }

// string writes a string.
func (e *encoder) string(dst []byte, s string) []byte {
	if plainSafe(s) {
		return scan.AppendWords(dst, s)
	}
	ended, ok := literal(s)
	if !ok || e.Level > flowDepth {
		return appendQuoted(dst, s)
	}
	dst = append(dst, '|')
	if !ended {
		dst = append(dst, '-')
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		blanks := 0
		if line != "" {
			blanks = 2 * max(e.Level, 1)
		}
		dst = append(append(dst, lineStart[:1+blanks]...), line...)
	}
	return dst
}

// flow writes a value in flow style.
func (e *encoder) flow(dst []byte, v wire.Value) (_ []byte, err error) {
	kind := v.Kind()
	if kind < wire.KindArray {
		if kind == wire.KindString {
			dst = appendFlowString(dst, v.Text())
		} else {
			dst = appendScalar(dst, v)
		}
		return dst, e.fits(dst, 0)
	}
	if e.Depth <= 0 {
		return dst, e.Refuse(wire.CodeTooDeep, wire.ErrLimit, fmt.Sprintf("more than %d levels", e.Level), "raise Limits.Depth")
	}
	e.Level++
	e.Depth--
	ends := brackets(kind)
	dst = append(dst, ends[0])
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		if kind == wire.KindArray {
			if dst, err = e.flow(dst, v.Index(i)); err != nil {
				return dst, wire.AtIndex(err, i)
			}
			continue
		}
		key := v.Keys().At(i)
		if dst, err = e.flow(appendFlowKey(dst, key), v.Index(i)); err != nil {
			return dst, wire.AtKey(err, key)
		}
	}
	e.Level--
	e.Depth++
	dst = append(dst, ends[1])
	return dst, e.fits(dst, 0)
}

// appendFlowKey appends a key in flow style.
func appendFlowKey(dst []byte, key string) []byte {
	start := len(dst)
	dst = appendFlowString(dst, key)
	if len(dst)-start > maxPlain {
		dst = appendQuoted(append(dst[:start], '?', ' '), key)
	}
	return append(dst, ':', ' ')
}

// appendFlowString appends a string or key in flow style, where readers also take a
// colon or a question mark within a plain scalar, or at an end of it, for an
// indicator.
func appendFlowString(dst []byte, s string) []byte {
	if plainSafe(s) && !strings.ContainsAny(s, ":?") {
		return append(dst, s...)
	}
	return appendQuoted(dst, s)
}

// floatTag marks numbers that readers of YAML 1.1 take for strings without it.
const floatTag = "!!float "

// appendNumber appends the text of a number, with a tag if it has an exponent without a
// sign or no point before it.
func appendNumber(dst []byte, text string) []byte {
	if hasExponent(text) {
		e := strings.IndexAny(text, "eE")
		if strings.IndexByte(text[:e], '.') < 0 || text[e+1] != '-' && text[e+1] != '+' {
			dst = append(dst, floatTag...)
		}
	}
	return append(dst, text...)
}

// hasExponent reports whether a number has an e, whose bit no other byte of one has.
func hasExponent(text string) bool {
	const bit = 0x40 * scan.Ones
	all, n := uint64(0), len(text)
	switch {
	case n > 8:
		for i := 0; i < n-8; i += 8 {
			all |= scan.Load64(text, i)
		}
		all |= scan.Load64(text, n-8)
	case n >= 4:
		all = uint64(scan.Load32(text, 0) | scan.Load32(text, n-4))
	default:
		for i := range n {
			all |= uint64(text[i])
		}
	}
	return all&bit != 0
}

// appendScalar appends what is not a string. Bytes and times are the string that comes back:
// their text has nothing in it that is escaped, and a time looks like one.
func appendScalar(dst []byte, v wire.Value) []byte {
	from := len(dst)
	switch v.Kind() {
	case wire.KindNull:
		return append(dst, "null"...)
	case wire.KindBool:
		return strconv.AppendBool(dst, v.Bool())
	}
	dst = wire.Internal.AppendText(dst, v)
	switch text := dst[from:]; {
	case v.Kind() == wire.KindNumber:
		if bytes.ContainsAny(text, "eE") {
			dst = appendNumber(dst[:from], string(text))
		}
	case len(text) > maxPlain || looksLike(text) || misleading(text):
		dst = append(slices.Insert(dst, from, '"'), '"')
	}
	return dst
}
