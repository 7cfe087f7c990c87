package glyph

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// settings are a Codec, resolved for one document.
type settings struct {
	Codec
	null      string
	threshold int // of exponents
	upstream  bool

	strict   bool // refuse what has no canonical form
	maxDepth int
	maxLen   int
}

func (c Codec) settings() settings {
	maxCols := defaultMaxCols
	if c.Profile == ProfileLossless {
		maxCols = math.MaxInt
	}
	c.MinRows, c.MaxCols = cmp.Or(max(c.MinRows, 0), defaultMinRows), cmp.Or(max(c.MaxCols, 0), maxCols)
	c.Counts = c.Counts || c.Profile == ProfileUpstream
	s := settings{Codec: c, null: "_", threshold: expThreshold,
		upstream: c.Profile == ProfileUpstream, maxDepth: math.MaxInt, maxLen: math.MaxInt}
	if c.NullStyle == NullSymbol {
		s.null = "∅"
	}
	if s.upstream {
		s.threshold = upstreamExpThreshold
	}
	return s
}

// The document's defaults.
const (
	defaultMinRows = 3
	defaultMaxCols = 20
)

// encoder appends one value. Once err is set, it writes nothing that counts.
type encoder struct {
	settings
	dst    []byte
	cell   bool // inside a table's cell: no tables, "|" escaped
	err    error
	shapes shapeTable

	plan tablePlan
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func borrowEncoder(dst []byte, s settings) *encoder {
	e := encoders.Get().(*encoder)
	e.settings, e.dst, e.cell, e.err = s, dst, false, nil
	e.shapes.last = noShape
	return e
}

// giveBack returns the encoder's memory to the pool, without anything that
// belongs to the caller.
func (e *encoder) giveBack() {
	e.settings, e.dst, e.err = settings{}, nil, nil
	e.plan.clear()
	if e.shapes.reset() && cap(e.plan.choices) <= maxKeptChoices {
		encoders.Put(e)
	}
}

// finish returns the text, or dst and the error.
func (e *encoder) finish(dst []byte, v wire.Value) ([]byte, error) {
	if !e.stopped() && !scan.IsUTF8(e.dst[len(dst):]) {
		e.err = wire.Internal.InvalidUTF8(v, format)
		e.fail(wire.CodeInvalidUTF8, wire.ErrUTF8, "a key of the schema is not valid UTF-8") // unless it is in v
	}
	if e.err != nil {
		return dst, e.err
	}
	return e.dst, nil
}

// fail sets the error, unless there is one. No text is short enough from then on.
func (e *encoder) fail(code string, kind error, message string) {
	if e.err == nil {
		e.err = fault(code, kind, message)
	}
	e.maxLen = -1
}

// stopped reports whether something has failed, or the text is too long by now.
func (e *encoder) stopped() bool { return len(e.dst) > e.maxLen && e.refuse(0) }

// enter checks the limits where a container begins.
func (e *encoder) enter(depth int) bool {
	return depth <= e.maxDepth && len(e.dst) <= e.maxLen || !e.refuse(depth)
}

// refuse fails where containers nest too deep, or else because of a text that is too long,
// and returns true. Its callers are small enough to be inlined.
//
//go:noinline
func (e *encoder) refuse(depth int) bool {
	if depth > e.maxDepth {
		e.fail(wire.CodeTooDeep, wire.ErrLimit, "arrays and objects nest deeper than the limit; raise Limits.Depth")
	}
	e.fail(wire.CodeOutputTooLong, wire.ErrLimit, "the text gets longer than the limit; raise Limits.OutputBytes")
	return true
}

// value appends v, which lies in depth containers.
func (e *encoder) value(v wire.Value, depth int) {
	switch v.Kind() {
	case wire.KindNull:
		e.dst = append(e.dst, e.null...)
	case wire.KindBool:
		letter := byte('f')
		if v.Bool() {
			letter = 't'
		}
		e.dst = append(e.dst, letter)
	case wire.KindNumber:
		e.number(v)
	case wire.KindString:
		if wire.Internal.Tag(v) == tagID {
			e.id(v.Text())
		} else {
			e.str(v.Text())
		}
	case wire.KindBytes:
		e.dst = append(e.dst, `b64"`...)
		e.dst = append(wire.Internal.AppendText(e.dst, v), '"')
	case wire.KindTime:
		t := v.Time()
		if e.Profile.sorted() {
			t = t.UTC()
		}
		if e.strict && !writableTime(t) {
			e.fail("time_out_of_range", wire.ErrRange, "a year beyond four digits or an offset of a day has no RFC 3339 form")
			return
		}
		e.dst = appendTime(e.dst, t)
	case wire.KindArray:
		if depth++; !e.enter(depth) {
			return
		}
		if !e.NoTabular && v.Len() >= e.MinRows && v.Index(0).Kind() == wire.KindObject {
			e.records(v, depth)
		} else {
			e.list(v, depth)
		}
	case wire.KindObject:
		e.object(v, e.shapes.of(v.Keys(), &e.settings), depth+1)
	}
}

func (e *encoder) number(v wire.Value) {
	if e.Profile.rounds() && wire.Internal.IsFloat(v) {
		f, _ := v.Float64()
		e.dst = appendFloat(e.dst, f, e.threshold)
		return
	}
	if text, ok := wire.Internal.Spelling(v); ok && e.Profile == ProfileLossless {
		e.dst = append(e.dst, text...)
		return
	}
	from := len(e.dst)
	e.dst = wire.Internal.AppendText(e.dst, v)
	switch {
	case e.Profile == ProfileLossless, isCanonical(e.dst[from:], e.threshold):
		return
	case e.Profile == ProfileExact:
		e.dst = splitNumber(string(e.dst[from:])).append(e.dst[:from])
		return
	}
	var ok bool
	if e.dst, ok = canonicalNumber(e.dst, from, e.threshold); !ok && e.strict {
		e.fail(wire.CodeNumberRange, wire.ErrRange,
			fmt.Sprintf("%.40s is beyond float64's range; the profiles Lossless and Exact keep it", e.dst[from:]))
	}
}

func (e *encoder) str(s string) {
	if e.upstream {
		if upstreamBare(s) {
			e.dst = append(e.dst, s...)
		} else {
			e.dst = appendQuotedFrom(e.dst, s, 0, e.cell)
		}
		return
	}
	e.dst = appendText(e.dst, s, e.cell)
}

// appendText appends a string, inside of a table's cell or not. One of two words, which
// may overlap, is copied as it is looked at.
func appendText(dst []byte, s string, cell bool) []byte {
	out, ok := appendPlain(dst, s, cellMark(cell))
	if !ok {
		return appendAnyText(dst, s, cell)
	}
	return out
}

// cellMark returns the byte that a string is escaped for that has it, inside of a table's cell
// or not.
func cellMark(cell bool) byte {
	if cell {
		return '|'
	}
	return '"'
}

// appendPlain is appendText for a string of 4 to 16 bytes that is bare or has nothing to
// escape, and not the byte mark. It reports false, and has appended nothing, for all else,
// and where dst has no room.
func appendPlain(dst []byte, s string, mark byte) ([]byte, bool) {
	const marks, most = len(`""`), 16
	n, from := len(s), len(dst)
	if uint(n-4) > most-4 || cap(dst)-from < n+marks {
		return dst, false
	}
	var first, last uint64
	if n >= 8 {
		first, last = scan.Load64(s, 0), scan.Load64(s, n-8)
	} else {
		first = uint64(scan.Load32(s, 0)) | uint64(scan.Load32(s, n-4))<<32
		last = first
	}
	text := dst[from : from+n+marks]
	switch {
	case notParts(first)|notParts(last) == 0 && class[s[0]]&classStart != 0:
		if n > 5 || !reserved(s) {
			putWords(text[:n], first, last)
			return dst[:from+n], true
		}
	case (first|last)&scan.Highs == 0 && scan.StringStops(first)|scan.StringStops(last) == 0 && !holds(first, mark) && !holds(last, mark):
		text[0], text[n+1] = '"', '"'
		putWords(text[1:n+1], first, last)
		return dst[:from+n+marks], true
	}
	return dst, false
}

// putWords fills text with the words of a string, as appendText has them.
func putWords(text []byte, first, last uint64) {
	if n := len(text); n >= 8 {
		binary.LittleEndian.PutUint64(text, first)
		binary.LittleEndian.PutUint64(text[n-8:], last)
	} else {
		binary.LittleEndian.PutUint32(text, uint32(first))
		binary.LittleEndian.PutUint32(text[n-4:], uint32(first>>32))
	}
}

// appendAnyText is appendText for every string.
func appendAnyText(dst []byte, s string, cell bool) []byte {
	i := 0
	if s != "" && class[s[0]]&classStart != 0 {
		if i = partRun(s, 1); i == len(s) && !reserved(s) && s != "_" {
			return scan.AppendWords(dst, s)
		}
	}
	if i < len(s) && s[i] >= utf8.RuneSelf && bare(s, false) {
		return append(dst, s...)
	}
	if out, ok := scan.AppendPlain(dst, s, cellMark(cell)); ok {
		return out
	}
	return appendQuotedFrom(dst, s, i, cell)
}

func holds(w uint64, b byte) bool {
	w ^= uint64(b) * scan.Ones
	return (w-scan.Ones)&^w&scan.Highs != 0
}

func (e *encoder) id(s string) {
	if s == "" || s[0] != '^' {
		if e.strict {
			e.fail("invalid_id", wire.ErrShape, fmt.Sprintf("the text %.40q of an id does not begin with ^", s))
		}
		e.str(s)
		return
	}
	e.dst = append(e.dst, '^')
	if s = s[1:]; bareID(s, e.upstream) {
		e.dst = append(e.dst, s...)
		return
	}
	e.dst = appendQuotedFrom(e.dst, s, 0, e.cell)
}

// records appends an array that may be a table.
func (e *encoder) records(v wire.Value, depth int) {
	switch {
	case e.cell:
		e.list(v, depth)
	case e.Profile != ProfileLossless:
		columns, _ := e.columns(v, e.shapes.of(v.Index(0).Keys(), &e.settings))
		if len(columns) > 0 && len(columns) <= e.MaxCols {
			e.table(v, columns, depth)
		} else {
			e.list(v, depth)
		}
	case e.plan.followed:
		e.planned(v, depth)
	default:
		e.shorter(v, depth)
	}
}

// list appends an array in brackets.
func (e *encoder) list(v wire.Value, depth int) {
	e.dst = append(e.dst, '[')
	shape := e.shapes.last
	for i := range v.Len() {
		c := v.Index(i)
		if i > 0 {
			e.dst = append(e.dst, e.separator(c))
		}
		switch c.Kind() {
		case wire.KindNumber:
			e.number(c)
		case wire.KindObject:
			shape = e.shapes.like(shape, c.Keys(), &e.settings)
			if i == 0 {
				e.shapes.last = shape
			}
			e.object(c, shape, depth+1)
		default:
			e.value(c, depth)
		}
		if e.stopped() {
			wire.AtIndex(e.err, i)
			return
		}
	}
	e.dst = append(e.dst, ']')
}

// separator returns what is between the element written last and the next.
func (e *encoder) separator(next wire.Value) byte {
	if !e.Commas {
		return ' '
	}
	switch next.Kind() {
	case wire.KindNumber, wire.KindArray, wire.KindObject:
		return ','
	}
	if e.dst[len(e.dst)-1] == '"' {
		return ','
	}
	return ' ' // which becomes part of the word's token
}

// endsValue are the bytes after which a comma and a quotation mark are one token.
var endsValue = [256]bool{'"': true, ']': true, '}': true}

// saveTokens changes the separators of the member that begins at from, and has that value,
// to those that take fewer tokens. The object begins at first.
func (e *encoder) saveTokens(first, from int, value wire.Value) {
	switch {
	case from > first && e.dst[from+1] == '"' && endsValue[e.dst[from-1]]:
		e.dst[from] = ','
	case from == first && value.Kind() == wire.KindString:
		e.colon(from)
	}
}

// colon puts a colon after the first key of an object, which begins at from and
// has a text as its value, if both are words.
func (e *encoder) colon(from int) {
	if key := e.dst[from+1:]; class[key[0]]&classStart != 0 {
		if i := partRun(string(key[:min(len(key), longestKey)]), 0); i+1 < len(key) && key[i] == '=' && class[key[i+1]]&classStart != 0 {
			key[i] = ':'
		}
	}
}

// longestKey is the length of the longest key that colon looks at.
const longestKey = 64

// object appends an object of the shape.
func (e *encoder) object(v wire.Value, shape int32, depth int) {
	if !e.enter(depth) {
		return
	}
	s := &e.shapes.list[shape] // which may move
	if s.from == s.to {
		e.dst = append(e.dst, "{}"...)
		return
	}
	s.uses++
	pipe, base := s.pipe && e.cell, s.from
	// These may move, but what is in them stays, apart from children.
	slots, labels := e.shapes.slots[s.from:s.to], e.shapes.text[:cap(e.shapes.text)]
	first := len(e.dst)
	if slot := &slots[0]; e.Commas && class[labels[slot.from+1]]&classStart != 0 && v.Index(int(slot.index)).Kind() != wire.KindString {
		e.dst = append(e.dst, '{') // and the blank, which becomes part of the word's token
	}
	for i := range slots {
		slot := &slots[i]
		from := len(e.dst)
		e.dst = appendLabel(e.dst, labels, slot.from, slot.to)
		if pipe {
			e.dst = scan.EscapeByte(e.dst, from, '|')
		}
		index := int(slot.index)
		c := v.Index(index)
		if e.member(c, base+i, depth); e.stopped() {
			wire.AtKey(e.err, v.Keys().At(index))
			return
		}
		if e.Commas {
			e.saveTokens(first, from, c)
		}
	}
	e.dst[first] = '{' // a label begins with the blank that separates members
	e.dst = append(e.dst, '}')
}

// member appends the value of a member, whose slot is at.
func (e *encoder) member(v wire.Value, at, depth int) {
	switch kind := v.Kind(); {
	case kind == wire.KindString && wire.Internal.Tag(v) == 0 && !e.upstream:
		e.dst = appendText(e.dst, v.Text(), e.cell)
	case kind == wire.KindNumber:
		e.number(v)
	case kind == wire.KindObject:
		known := e.shapes.slots[at].child
		child := e.shapes.like(known, v.Keys(), &e.settings)
		if child != known {
			e.shapes.slots[at].child = child
		}
		e.object(v, child, depth+1)
	default:
		e.value(v, depth)
	}
}

// labelRoom is the length of the labels that are copied as a whole.
const labelRoom = 16

// appendLabel appends labels[from:to].
func appendLabel(dst, labels []byte, from, to int) []byte {
	n := len(dst)
	if to-from > labelRoom || from+labelRoom > len(labels) || cap(dst)-n < labelRoom {
		return append(dst, labels[from:to]...)
	}
	*(*[labelRoom]byte)(dst[n : n+labelRoom]) = [labelRoom]byte(labels[from : from+labelRoom])
	return dst[:n+to-from]
}

// header appends the directive that defines the schema inline, unless it has no
// keys to replace.
func (e *encoder) header(schema *SchemaContext) {
	if schema != nil && len(schema.keys) > 0 {
		e.dst = append(schema.appendDirective(e.dst, true, e.upstream), '\n')
	}
}
