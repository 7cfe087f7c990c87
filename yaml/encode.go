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

func (e *encoder) documents(v wire.Value) error {
	if v.Kind() != wire.KindArray {
		return e.Refuse("not_an_array", wire.ErrShape, fmt.Sprintf("several documents are an array, not of kind %s", v.Kind()), "yaml carries any value as one document")
	}
	e.Depth-- // the array of the documents is a level
	for i := range v.Len() {
		e.Dst = append(e.Dst, "---\n"...)
		if err := e.document(v.Index(i)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	if v.Len() == 1 { // or it would be the text of that document
		e.Dst = append(e.Dst, "...\n"...)
	}
	return e.fits(0)
}

// document writes a value as a document that ends with a line end.
func (e *encoder) document(v wire.Value) error {
	err := e.Item(v)
	e.Dst = append(e.Dst, '\n')
	return cmp.Or(err, e.fits(0))
}

// fits refuses a text that is longer than it may be, with what is still to be written.
func (e *encoder) fits(more int) error {
	if len(e.Dst)+more > e.Max {
		return e.Refuse(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

// lineStart are the end of a line and the blanks of the next one, at any level.
const lineStart = "\n                                  "

const _ = uint(len(lineStart) - 1 - 2*(flowDepth+1))

// Item writes a value, whose last line it does not end, in block style if there may be
// one.
func (e *encoder) Item(v wire.Value) error {
	switch kind := v.Kind(); {
	case kind == wire.KindString:
		e.string(v.Text())
	case kind <= wire.KindNumber: // which is too short to be looked at alone
		e.scalar(v)
		return nil
	case kind >= wire.KindArray && v.Len() > 0 && e.Level < flowDepth && e.Depth > 0:
		_ = e.Open(kind, v.Len())
		e.Level++
		e.Depth--
		if err := e.children(v); err != nil {
			return err
		}
		e.Level--
		e.Depth++
	default:
		if err := e.flow(v); err != nil {
			return err
		}
	}
	return e.fits(1)
}

// Open implements [items.Writer] for containers in block style, and refuses others. Those
// after a key begin in the line after it.
func (e *encoder) Open(k wire.Kind, n int) error {
	switch {
	case n == 0:
		e.Dst = append(e.Dst, brackets(k)...)
		return nil
	case e.Level == flowDepth:
		return errForm
	}
	e.Line, e.Mark = 1+2*e.Level, &mark
	if end := len(e.Dst) - 1; e.Level > 0 && e.Dst[end-1] == ':' {
		e.Dst = append(e.Dst[:end], lineStart[:e.Line]...)
	}
	return nil
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
func (e *encoder) children(v wire.Value) error {
	if v.Kind() == wire.KindObject {
		return e.members(v)
	}
	before, line := 0, e.Line
	for i := range v.Len() {
		dst := mark.AppendLine(e.Dst, before)
		before = line
		child := v.Index(i)
		if text, ok := wire.Internal.Spelling(child); ok {
			e.Dst = appendNumber(dst, text)
			continue
		}
		e.Dst = dst
		if err := e.Item(child); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return nil
}

func (e *encoder) members(v wire.Value) (err error) {
	keys, before, start, plain := v.Keys(), "", lineStart[:e.Line], uint64(0)
	if e.known != nil {
		plain = e.known[e.Level-1].of(keys)
	}
	for i := range v.Len() {
		key, child := keys.At(i), v.Index(i)
		dst := append(e.Dst, before...)
		before = start
		if plain>>i&1 != 0 {
			dst = append(scan.AppendWords(dst, key), ": "...)
		} else if dst, err = appendKey(dst, key); err != nil {
			dst = append(append(appendQuoted(append(dst, "? "...), key), start...), ": "...)
		}
		if text, ok := wire.Internal.Spelling(child); ok {
			e.Dst = appendNumber(dst, text)
			continue
		}
		e.Dst = dst
		if err = e.Item(child); err != nil {
			return wire.AtKey(err, key)
		}
	}
	return nil
}

// appendKey appends a key up to its value, and refuses one that is longer than a key of one
// line.
func appendKey(dst []byte, key string) ([]byte, error) {
	start := len(dst)
	if plainSafe(key) {
		dst = scan.AppendWords(dst, key)
	} else if dst = appendQuoted(dst, key); len(dst)-start > maxPlain {
		return dst[:start], errForm
	}
	return append(dst, ": "...), nil
}

// Text implements [items.Writer]: it writes a key, but for those that need a line more.
func (e *encoder) Text(key string) (err error) {
	e.Dst, err = appendKey(e.Dst, key)
	return err
}

// Int implements [items.Writer].
func (e *encoder) Int(n int64) { _ = e.Item(wire.Int(n)) }

// Float implements [items.Writer].
func (e *encoder) Float(f float64) { _ = e.Item(wire.Float(f)) }

// Time implements [items.Writer].
func (e *encoder) Time(t time.Time) error { return e.Item(wire.Time(t)) }

// String implements [items.Writer].
func (e *encoder) String(s string) error { return e.Item(wire.String(s)) }

// string writes a string.
func (e *encoder) string(s string) {
	if plainSafe(s) {
		e.Dst = scan.AppendWords(e.Dst, s)
		return
	}
	ended, ok := literal(s)
	if !ok || e.Level > flowDepth {
		e.Dst = appendQuoted(e.Dst, s)
		return
	}
	e.Dst = append(e.Dst, '|')
	if !ended {
		e.Dst = append(e.Dst, '-')
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		blanks := 0
		if line != "" {
			blanks = 2 * max(e.Level, 1)
		}
		e.Dst = append(append(e.Dst, lineStart[:1+blanks]...), line...)
	}
}

// flow writes a value in flow style.
func (e *encoder) flow(v wire.Value) error {
	kind := v.Kind()
	if kind < wire.KindArray {
		if kind == wire.KindString {
			e.flowString(v.Text())
		} else {
			e.scalar(v)
		}
		return e.fits(0)
	}
	if e.Depth <= 0 {
		return e.Refuse(wire.CodeTooDeep, wire.ErrLimit, fmt.Sprintf("more than %d levels", e.Level), "raise Limits.Depth")
	}
	e.Level++
	e.Depth--
	ends := brackets(kind)
	e.Dst = append(e.Dst, ends[0])
	for i := range v.Len() {
		if i > 0 {
			e.Dst = append(e.Dst, ',', ' ')
		}
		if kind == wire.KindArray {
			if err := e.flow(v.Index(i)); err != nil {
				return wire.AtIndex(err, i)
			}
			continue
		}
		key := v.Keys().At(i)
		e.flowKey(key)
		if err := e.flow(v.Index(i)); err != nil {
			return wire.AtKey(err, key)
		}
	}
	e.Dst = append(e.Dst, ends[1])
	e.Level--
	e.Depth++
	return e.fits(0)
}

// flowKey writes a key in flow style.
func (e *encoder) flowKey(key string) {
	start := len(e.Dst)
	e.flowString(key)
	if len(e.Dst)-start > maxPlain {
		e.Dst = appendQuoted(append(e.Dst[:start], '?', ' '), key)
	}
	e.Dst = append(e.Dst, ':', ' ')
}

// flowString writes a string or key in flow style, where readers also take a
// colon or a question mark within a plain scalar, or at an end of it, for an
// indicator.
func (e *encoder) flowString(s string) {
	if plainSafe(s) && !strings.ContainsAny(s, ":?") {
		e.Dst = append(e.Dst, s...)
		return
	}
	e.Dst = appendQuoted(e.Dst, s)
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

// scalar writes what is not a string.
func (e *encoder) scalar(v wire.Value) {
	switch v.Kind() {
	case wire.KindNull:
		e.Dst = append(e.Dst, "null"...)
	case wire.KindBool:
		e.Dst = strconv.AppendBool(e.Dst, v.Bool())
	case wire.KindNumber:
		start := len(e.Dst)
		e.Dst = wire.Internal.AppendText(e.Dst, v)
		if text := e.Dst[start:]; bytes.ContainsAny(text, "eE") {
			e.Dst = appendNumber(e.Dst[:start], string(text))
		}
	case wire.KindBytes, wire.KindTime:
		e.spelled(v)
	}
}

// spelled writes bytes or a time as the string that comes back. Its text has nothing in
// it that is escaped, and a time looks like one.
func (e *encoder) spelled(v wire.Value) {
	from := len(e.Dst)
	e.Dst = wire.Internal.AppendText(e.Dst, v)
	if text := e.Dst[from:]; len(text) > maxPlain || looksLike(text) || misleading(text) {
		e.Dst = append(slices.Insert(e.Dst, from, '"'), '"')
	}
}
