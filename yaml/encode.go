package yaml

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// flowDepth is the level from which on containers are written in flow style,
// so that indentation stays a small part of the text.
const flowDepth = 16

// An encoder writes documents.
type encoder struct {
	dst   []byte
	max   int
	depth int // the most levels
	known [flowDepth]labels
}

// labels are what is known about the keys of the last mapping of a level.
type labels struct {
	keys  *wire.Keys
	plain uint64 // a bit for each of the first keys: it is plain
}

const maxLabels = 64

// of returns what is known about keys.
func (l *labels) of(keys *wire.Keys) uint64 {
	if l.keys == keys {
		return l.plain
	}
	*l = labels{keys: keys}
	for i := range min(keys.Len(), maxLabels) {
		if plainSafe(keys.At(i)) {
			l.plain |= 1 << i
		}
	}
	return l.plain
}

func refused(code string, kind error, message, hint string) error {
	return &wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint}
}

func (e *encoder) documents(v wire.Value) error {
	if v.Kind() != wire.KindArray {
		return refused("not_an_array", wire.ErrShape, fmt.Sprintf("several documents are an array, not of kind %s", v.Kind()), "yaml carries any value as one document")
	}
	e.depth-- // the array of the documents is a level
	for i := range v.Len() {
		e.dst = append(e.dst, "---\n"...)
		if err := e.document(v.Index(i)); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	if v.Len() == 1 { // or it would be the text of that document
		e.dst = append(e.dst, "...\n"...)
	}
	return e.fits()
}

// document writes a value as a document that ends with a line end.
func (e *encoder) document(v wire.Value) error {
	if err := e.block(v, 0, false); err != nil {
		return err
	}
	return e.fits()
}

func (e *encoder) fits() error {
	if len(e.dst) > e.max {
		return refused(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

// indent begins a line in block style.
func (e *encoder) indent(level int) {
	const blanks = "                                "
	const _ = uint(len(blanks) - 2*flowDepth)
	e.dst = append(e.dst, blanks[:2*level]...)
}

// block writes a value at a level, ends the line, and begins where it is;
// inline means after a key, where collections begin on a line of their own.
func (e *encoder) block(v wire.Value, level int, inline bool) error {
	kind := v.Kind()
	switch {
	case kind >= wire.KindArray && v.Len() > 0 && level < min(flowDepth, e.depth):
		if inline {
			e.dst = append(e.dst, '\n')
			e.indent(level)
		}
		if kind == wire.KindArray {
			return e.sequence(v, level)
		}
		return e.mapping(v, level)
	case inline:
		e.dst = append(e.dst, ' ')
	}
	switch {
	case kind == wire.KindString:
		e.string(v.Text(), level)
	case kind <= wire.KindNumber: // which is too short to be looked at alone
		e.scalar(v)
		e.dst = append(e.dst, '\n')
		return nil
	default:
		if err := e.flow(v, level); err != nil {
			return err
		}
		e.dst = append(e.dst, '\n')
	}
	return e.fits()
}

func (e *encoder) sequence(v wire.Value, level int) error {
	for i := range v.Len() {
		if i > 0 {
			e.indent(level)
		}
		e.dst = append(e.dst, '-', ' ')
		element := v.Index(i)
		if text, ok := wire.Internal.Spelling(element); ok {
			e.dst = append(append(e.dst, text...), '\n')
		} else if err := e.block(element, level+1, false); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return e.fits()
}

func (e *encoder) mapping(v wire.Value, level int) error {
	keys := v.Keys()
	plain := e.known[level].of(keys)
	for i, key := range keys.All() {
		if i > 0 {
			e.indent(level)
		}
		if plain>>i&1 != 0 {
			e.dst = append(scan.AppendWords(e.dst, key), ':')
		} else {
			e.key(key, level)
		}
		member := v.Index(i)
		if text, ok := wire.Internal.Spelling(member); ok {
			e.dst = append(scan.AppendWords(append(e.dst, ' '), text), '\n')
		} else if err := e.block(member, level+1, true); err != nil {
			return wire.AtKey(err, key)
		}
	}
	return e.fits()
}

// key writes a key up to its colon.
func (e *encoder) key(key string, level int) {
	start := len(e.dst)
	if plainSafe(key) {
		e.dst = append(e.dst, key...)
	} else {
		e.dst = appendQuoted(e.dst, key)
	}
	if len(e.dst)-start > maxPlain {
		e.dst = append(appendQuoted(append(e.dst[:start], '?', ' '), key), '\n')
		e.indent(level)
	}
	e.dst = append(e.dst, ':')
}

// string writes a string and ends the line.
func (e *encoder) string(s string, level int) {
	if plainSafe(s) {
		e.dst = append(scan.AppendWords(e.dst, s), '\n')
		return
	}
	ended, ok := literal(s)
	if !ok || level > flowDepth {
		e.dst = append(appendQuoted(e.dst, s), '\n')
		return
	}
	e.dst = append(e.dst, '|')
	if !ended {
		e.dst = append(e.dst, '-')
	}
	e.dst = append(e.dst, '\n')
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if line != "" {
			e.indent(max(level, 1))
		}
		e.dst = append(append(e.dst, line...), '\n')
	}
}

// flow writes a value in flow style.
func (e *encoder) flow(v wire.Value, level int) error {
	switch v.Kind() {
	case wire.KindArray, wire.KindObject:
	case wire.KindString:
		e.flowString(v.Text())
		return e.fits()
	default:
		e.scalar(v)
		return e.fits()
	}
	if level >= e.depth {
		return refused(wire.CodeTooDeep, wire.ErrLimit, fmt.Sprintf("more than %d levels", e.depth), "raise Limits.Depth")
	}
	brackets, keys := "[]", (*wire.Keys)(nil)
	if v.Kind() == wire.KindObject {
		brackets, keys = "{}", v.Keys()
	}
	e.dst = append(e.dst, brackets[0])
	for i := range v.Len() {
		if i > 0 {
			e.dst = append(e.dst, ',', ' ')
		}
		if keys != nil {
			e.flowKey(keys.At(i))
		}
		err := e.flow(v.Index(i), level+1)
		switch {
		case err != nil && keys != nil:
			return wire.AtKey(err, keys.At(i))
		case err != nil:
			return wire.AtIndex(err, i)
		}
	}
	e.dst = append(e.dst, brackets[1])
	return e.fits()
}

// flowKey writes a key in flow style.
func (e *encoder) flowKey(key string) {
	start := len(e.dst)
	e.flowString(key)
	if len(e.dst)-start > maxPlain {
		e.dst = appendQuoted(append(e.dst[:start], '?', ' '), key)
	}
	e.dst = append(e.dst, ':', ' ')
}

// flowString writes a string or key in flow style, where readers also take a
// colon or a question mark within a plain scalar, or at an end of it, for an
// indicator.
func (e *encoder) flowString(s string) {
	if plainSafe(s) && !strings.ContainsAny(s, ":?") {
		e.dst = append(e.dst, s...)
		return
	}
	e.dst = appendQuoted(e.dst, s)
}

// scalar writes what is not a string.
func (e *encoder) scalar(v wire.Value) {
	switch v.Kind() {
	case wire.KindNull:
		e.dst = append(e.dst, "null"...)
	case wire.KindBool:
		e.dst = strconv.AppendBool(e.dst, v.Bool())
	case wire.KindNumber:
		e.dst = wire.Internal.AppendNumber(e.dst, v)
	case wire.KindBytes, wire.KindTime:
		e.spelled(v)
	}
}

// spelled writes bytes or a time as the string that comes back. Its text has nothing in
// it that is escaped, and a time looks like one.
func (e *encoder) spelled(v wire.Value) {
	from := len(e.dst)
	e.dst = wire.Internal.AppendText(e.dst, v)
	if text := e.dst[from:]; len(text) > maxPlain || looksLike(text) || misleading(text) {
		e.dst = append(slices.Insert(e.dst, from, '"'), '"')
	}
}
