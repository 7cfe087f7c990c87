package toon

import (
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// encoder appends one value. Once err is set, it writes nothing that counts.
//
// A depth is that of section 1.3, a level of indentation; the nesting of arrays
// and objects, which Limits.Depth bounds, is counted by level.
type encoder struct {
	dst         []byte
	unit        int
	delim       byte
	keepOrder   bool
	keepNumbers bool

	level      int
	maxLevel   int
	start      int // len(dst) at the beginning
	maxLen     int
	indented   int // bytes of indentation
	freeIndent int // bytes of indentation that need no text beside them
	grouped    int // objects of nested groups
	limits     wire.Limits

	tables tables
	err    error
}

// Indentation may take a thirty-second of Limits.OutputBytes, and maxIndented times
// the text beside it: a short value that nests deep must not grow without bound.
const maxIndented = 8

// Objects of nested groups take no text of their own in a table's rows, so a
// short text could make very many. It may make as many as sparseGroups, or a
// 512th of Limits.Values if that is more, and one for every two bytes of text.
const sparseGroups = bound.Values / 512

// maxGroups returns how many objects of nested groups a text may make.
func maxGroups(limits wire.Limits, text int) int {
	return bound.Add(max(sparseGroups, limits.Values/512), text/2)
}

// What is said of a text that makes more.
const (
	tooManyGroups = "the nested groups of tables make many more objects than the text is long"
	moreGroups    = "raise Limits.Values, a 512th of which may be such objects"
)

// reset makes e ready to append to dst.
func (e *encoder) reset(c Codec, dst []byte, limits wire.Limits) {
	*e = encoder{
		dst:         dst,
		unit:        c.unit(),
		delim:       c.delimiter(),
		keepOrder:   c.KeepOrder,
		keepNumbers: c.KeepNumbers,
		maxLevel:    limits.Depth,
		start:       len(dst),
		maxLen:      bound.Add(len(dst), limits.OutputBytes),
		freeIndent:  limits.OutputBytes / 32,
		limits:      limits,
		tables:      e.tables,
	}
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// giveBack returns the encoder's memory to the pool, without anything that
// belongs to the caller.
func (e *encoder) giveBack() {
	kept := e.tables
	*e = encoder{}
	if kept.reset() {
		e.tables = kept
		encoders.Put(e)
	}
}

// finish returns the text, or dst and the error.
func (e *encoder) finish(dst []byte, v wire.Value) ([]byte, error) {
	e.fits()
	e.boundGroups(len(e.dst) - e.start)
	if e.err == nil && !scan.IsUTF8(e.dst[len(dst):]) {
		e.err = wire.Internal.InvalidUTF8(v, format)
	}
	if e.err != nil {
		return dst, e.err
	}
	return e.dst, nil
}

// boundGroups fails if a text of that length makes too many objects of nested groups.
func (e *encoder) boundGroups(text int) {
	if e.grouped > maxGroups(e.limits, text) {
		e.fail("too_many_groups", wire.ErrLimit, tooManyGroups, moreGroups)
	}
}

func (e *encoder) fail(code string, kind error, message, hint string) {
	if e.err == nil {
		e.err = &wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint}
	}
}

// fits checks the length of the text and reports whether all is well.
func (e *encoder) fits() bool {
	if len(e.dst) > e.maxLen {
		e.fail(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit", "raise Limits.OutputBytes")
	}
	return e.err == nil
}

// enter checks the limits where a container begins; leave ends it.
func (e *encoder) enter() bool {
	if e.level++; e.level > e.maxLevel {
		e.fail(wire.CodeTooDeep, wire.ErrLimit, "arrays and objects nest deeper than the limit", "raise Limits.Depth")
	}
	return e.fits()
}

func (e *encoder) leave() { e.level-- }

// newline begins a line at the depth, and reports whether all is well.
func (e *encoder) newline(depth int) bool {
	n := depth * e.unit
	if e.indented += n; (e.indented > e.freeIndent || len(e.dst) > e.maxLen) && !e.roomy(e.dst, n) {
		return false
	}
	e.dst = appendNewline(e.dst, n)
	return true
}

// lineBegin is a line end, and as many spaces as most lines begin with or more.
var lineBegin = [32]byte([]byte("\n                               "))

// appendNewline appends a line end and n spaces.
func appendNewline(dst []byte, n int) []byte {
	if end := len(dst); n < len(lineBegin) && cap(dst)-end >= len(lineBegin) {
		*(*[len(lineBegin)]byte)(dst[end : end+len(lineBegin)]) = lineBegin // no call
		return dst[:end+1+n]
	}
	dst = append(dst, '\n')
	for ; n > len(spaces); n -= len(spaces) {
		dst = append(dst, spaces...)
	}
	return append(dst, spaces[:n]...)
}

// roomy checks the limits where a line begins that is indented by n bytes.
func (e *encoder) roomy(dst []byte, n int) bool {
	if text := len(dst) - e.start - (e.indented - n); e.indented > bound.Add(e.freeIndent, maxIndented*text) {
		e.fail("indentation_too_long", wire.ErrLimit, "the value nests so deep that its text is mostly indentation",
			"raise Limits.OutputBytes, a thirty-second of which may be indentation, or lower Codec.Indent")
		return false
	}
	e.dst = dst
	return e.fits()
}

// root appends the document.
func (e *encoder) root(v wire.Value) {
	switch kind := v.Kind(); {
	case kind == wire.KindArray && v.Len() == 0:
		e.empty("[]")
	case kind == wire.KindArray:
		e.array(v, 0, true)
	case kind == wire.KindObject && v.Len() == 0:
		e.empty("")
	case kind == wire.KindObject:
		if !e.keyed(v, 0) {
			e.fields(v, 0, true)
		}
	case kind == wire.KindString && strings.HasPrefix(v.Text(), "\ufeff"):
		// A byte order mark at the very start would be taken off.
		e.dst = appendQuoted(e.dst, v.Text())
	default:
		e.scalar(v)
	}
}

// empty appends the text of an empty container.
func (e *encoder) empty(text string) {
	e.enter()
	e.dst = append(e.dst, text...)
	e.leave()
}

// fields appends the members of an object that are at the depth. The first one goes on
// in the line that is begun, if inLine.
func (e *encoder) fields(v wire.Value, depth int, inLine bool) {
	if !e.enter() {
		return
	}
	keys, indent := v.Keys(), depth*e.unit
	dst := e.dst
	for i := range v.Len() {
		if i > 0 || !inLine {
			if e.indented += indent; (e.indented > e.freeIndent || len(dst) > e.maxLen) && !e.roomy(dst, indent) {
				return
			}
			dst = appendNewline(dst, indent)
		}
		key := keys.At(i)
		dst = appendKey(dst, key)
		switch member := v.Index(i); member.Kind() {
		case wire.KindString:
			dst = appendString(append(dst, ": "...), member.Text(), e.delim)
		case wire.KindArray, wire.KindObject:
			e.dst = dst
			if e.field(member, depth); e.err != nil {
				wire.AtKey(e.err, key)
				return
			}
			dst = e.dst
		default:
			dst = e.appendScalar(append(dst, ": "...), member)
		}
	}
	e.dst = dst
	e.leave()
}

// field appends what follows the key of a field that is at the depth, an array or an
// object.
func (e *encoder) field(v wire.Value, depth int) {
	switch {
	case v.Kind() == wire.KindArray && v.Len() > 0:
		e.array(v, depth, true)
	case v.Kind() == wire.KindArray:
		e.empty(": []")
	case v.Len() == 0:
		e.empty(":")
	case !e.keyed(v, depth):
		e.dst = append(e.dst, ':')
		e.fields(v, depth+1, false)
	}
}

// array appends an array with elements from its bracket on, whose header is at the
// depth. tabular says whether it may be a table in that place.
func (e *encoder) array(v wire.Value, depth int, tabular bool) {
	if !e.enter() {
		return
	}
	switch first := v.Index(0).Kind(); {
	case first < wire.KindArray && primitives(v):
		e.bracket(v.Len(), false)
		e.dst = append(e.dst, ": "...)
		e.elements(v)
	case first == wire.KindObject && tabular && e.tables.begin(v, e):
		e.table(v, depth)
	case e.err == nil:
		e.bracket(v.Len(), false)
		e.dst = append(e.dst, ':')
		e.items(v, depth+1)
	}
	e.leave()
}

// elements appends the elements of an array of primitives, or the members of an
// object of them, of which there are some.
func (e *encoder) elements(v wire.Value) {
	dst, delim := e.dst, e.delim
	for element := range v.Elements() {
		if element.Kind() == wire.KindString {
			dst = append(appendString(dst, element.Text(), delim), delim)
		} else if text, ok := wire.Internal.Spelling(element); ok && !e.keepNumbers {
			if dst, ok = decimal.AppendPlain(dst, text); !ok {
				dst = canonicalNumber(append(dst, text...), len(dst))
			}
			dst = append(dst, delim)
		} else {
			dst = append(e.appendScalar(dst, element), delim)
		}
		if len(dst)-1 > e.maxLen {
			break
		}
	}
	if e.dst = dst[:len(dst)-1]; len(e.dst) > e.maxLen {
		e.fits()
	}
}

// primitives reports whether all elements or members of v are primitives.
func primitives(v wire.Value) bool {
	for e := range v.Elements() {
		if e.Kind() >= wire.KindArray {
			return false
		}
	}
	return true
}

// bracket appends the bracket of a header.
func (e *encoder) bracket(n int, keyed bool) {
	e.dst = strconv.AppendInt(append(e.dst, '['), int64(n), 10)
	if keyed {
		e.dst = append(e.dst, ':')
	}
	if e.delim != ',' {
		e.dst = append(e.dst, e.delim)
	}
	e.dst = append(e.dst, ']')
}

// items appends the elements of an array in list form, at the depth.
func (e *encoder) items(v wire.Value, depth int) {
	i := 0
	for element := range v.Elements() {
		if !e.newline(depth) {
			return
		}
		if e.item(element, depth); e.err != nil {
			wire.AtIndex(e.err, i)
			return
		}
		i++
	}
}

// item appends one element of a list. The first field of an object is one level
// deeper than the hyphen before it.
func (e *encoder) item(v wire.Value, depth int) {
	if e.dst = append(e.dst, '-'); v.Kind() == wire.KindObject && v.Len() == 0 {
		e.empty("")
		return
	}
	e.dst = append(e.dst, ' ')
	switch {
	case v.Kind() == wire.KindObject:
		e.fields(v, depth+1, true)
	case v.Kind() == wire.KindArray && v.Len() == 0:
		e.bracket(0, false)
		e.empty(":")
	case v.Kind() == wire.KindArray:
		e.array(v, depth, false)
	default:
		e.scalar(v)
	}
}

// table appends a table from its bracket on, a keyed one of an object: v is an array or an
// object whose layout begin has found.
func (e *encoder) table(v wire.Value, depth int) {
	keyed := v.Kind() == wire.KindObject
	e.bracket(v.Len(), keyed)
	e.grouped += (len(e.tables.groups) - 1) * v.Len()
	e.dst = append(e.tables.appendFields(e.dst, 0, e.delim), ':')
	for i := range v.Len() {
		if !e.newline(depth + 1) {
			return
		}
		if keyed {
			e.dst = append(appendKey(e.dst, v.Keys().At(i)), ": "...)
		}
		e.row(v.Index(i), 0)
	}
}

// keyed appends an object as a keyed table from its bracket on, and reports
// whether it has that form.
func (e *encoder) keyed(v wire.Value, depth int) bool {
	if v.Len() < 2 || v.Index(0).Kind() != wire.KindObject {
		return false
	}
	if !e.enter() {
		return true
	}
	defer e.leave()
	if !e.tables.begin(v, e) {
		return e.err != nil
	}
	e.table(v, depth)
	return true
}

// row appends the cells of one row that the group's columns have.
func (e *encoder) row(v wire.Value, g int) {
	at := &e.tables.groups[g]
	if at.last != v.Keys() {
		e.tables.fit(g, v.Keys(), false)
	}
	if at.ordered && !at.nested {
		e.elements(v)
		return
	}
	for c := at.from; c < at.to; c++ {
		if c > at.from {
			e.dst = append(e.dst, e.delim)
		}
		col := e.tables.columns[c]
		if col.group > 0 {
			e.row(v.Index(int(col.at)), int(col.group))
		} else {
			e.scalar(v.Index(int(col.at)))
		}
		if len(e.dst) > e.maxLen {
			e.fits()
			return
		}
	}
}

// scalar appends a primitive.
func (e *encoder) scalar(v wire.Value) { e.dst = e.appendScalar(e.dst, v) }

// appendScalar is scalar for a text that loops keep in a variable of their own.
func (e *encoder) appendScalar(dst []byte, v wire.Value) []byte {
	switch v.Kind() {
	case wire.KindString:
		return appendString(dst, v.Text(), e.delim)
	case wire.KindNumber:
		if e.keepNumbers {
			return wire.Internal.AppendText(dst, v)
		}
		return appendNumber(dst, v)
	case wire.KindNull:
		return append(dst, "null"...)
	case wire.KindBool:
		return strconv.AppendBool(dst, v.Bool())
	}
	var buf [64]byte // bytes and times
	return appendString(dst, string(wire.Internal.AppendText(buf[:0], v)), e.delim)
}
