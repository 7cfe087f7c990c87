package gcx

import (
	"encoding/binary"
	"strconv"
	"sync"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/order"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// valueField is the field of sections whose rows are values, not objects.
const valueField = "value"

// valueEncoder writes one value as a payload. Once err is set, nothing it
// writes counts.
type valueEncoder struct {
	c     Codec
	given []byte // what the caller gave to append to
	dst   []byte
	start int // where the payload begins in dst
	max   int // length of dst that the limit allows
	depth int
	err   error

	table table
	token []byte // of a section's tool, as the header has it
	meta  []Meta // of a wrapper's headers

	order []int // of the members of the objects that are being written in theirs
}

// begin makes the encoder append to dst, and returns it.
func (e *valueEncoder) begin(c *Codec, dst []byte) *valueEncoder {
	limits := c.Limits.Resolved()
	e.c = *c
	e.given, e.dst, e.start, e.err = dst, dst, len(dst), nil
	e.max, e.depth = bound.Add(len(dst), limits.OutputBytes), limits.Depth
	// Readers count empty cells as values.
	e.table.reorder, e.table.room = c.Reorder, limits.Values/2
	return e
}

// encoders are idle, and hold memory for the columns of a table.
var encoders = sync.Pool{New: func() any { return new(valueEncoder) }}

// giveBack returns the encoder's memory to the pool, without anything that
// belongs to the caller.
func (e *valueEncoder) giveBack() {
	const widest = 1 << 10 // columns, and bytes of a token
	t := &e.table
	if max(cap(t.sets), cap(t.names), cap(e.token), cap(e.meta), cap(e.order), cap(t.order.names), cap(t.order.lists)) > widest {
		return
	}
	if len(t.order.lists) > 0 {
		t.order.reset()
	}
	if cap(t.order.pairs)+t.order.graph.Size() > 8*widest {
		t.order.pairs, t.order.graph = nil, order.Graph{}
	}
	clear(t.known.keys[:])
	clear(e.meta[:cap(e.meta)])
	e.order = e.order[:0]
	e.c = Codec{}
	e.given, e.dst, e.err = nil, nil, nil
	t.begin(wire.Value{})
	encoders.Put(e)
}

// finish returns the payload, or dst as it was given and the error.
func (e *valueEncoder) finish(v wire.Value) ([]byte, error) {
	payload := e.dst[e.start:]
	err := e.err
	if err == nil && len(e.dst) > e.max {
		err = outputTooLong()
	}
	if err == nil && !scan.IsUTF8(payload) {
		if err = wire.Internal.InvalidUTF8(v, name); err == nil {
			err = checkText(payload)
		}
	}
	if err == nil && e.c.Interop {
		err = e.c.checkLine(payload)
	}
	if err != nil {
		return e.given, err
	}
	return e.dst, nil
}

// stopped reports whether something has failed, or the payload is too long by now.
func (e *valueEncoder) stopped() bool {
	if len(e.dst) > e.max {
		e.fail(outputTooLong())
	}
	return e.err != nil
}

func (e *valueEncoder) fail(err *wire.Error) {
	if e.err == nil && err != nil {
		e.err = err
	}
}

// baseToken returns the tool as the header has it. Its dots are escaped, for
// the first dot that is not separates the key of a list; see wrapper.go.
func (e *valueEncoder) baseToken() []byte {
	tool := e.c.tool()
	if e.c.Interop && !plainToken(tool, "") {
		e.fail(foreign("tool " + strconv.Quote(tool)))
	}
	if e.c.Plain {
		tool = stripCR(tool)
	}
	e.token = appendToken(e.token[:0], tool, ".")
	return e.token
}

// sectionExtras are what a section's header has besides its tool and fields.
type sectionExtras struct {
	before, after []Meta // pairs before and after fields=, safe as they are
	depth         int    // levels of arrays and objects around the value
	marked        bool   // types= even where it says nothing new
	sections      int    // of the payload, if it has more than one
}

// section writes a section whose rows are v: the rows of a table, the elements
// of an array, or the one row that an object or a scalar is.
func (e *valueEncoder) section(token []byte, v wire.Value, x sectionExtras) {
	t := &e.table
	t.reset(v)
	e.heading(token, x.before)
	if t.counted {
		e.dst = strconv.AppendInt(append(e.dst, " "+metaRows+"="...), int64(t.n), 10)
	}
	typesAt := len(e.dst)
	if x.marked {
		e.dst = append(e.dst, markedTypes...)
	}
	if x.sections > 1 {
		e.dst = strconv.AppendInt(append(e.dst, " "+metaSections+"="...), int64(x.sections), 10)
	}
	for _, m := range x.after {
		e.dst = appendMeta(e.dst, m.Key, m.Value)
	}
	e.dst = append(e.dst, '\n')
	e.writeRows(x.depth)
	if e.err == nil && !inferred(t.sets) {
		e.dst = t.withTypes(e.dst, typesAt, x.marked)
	}
}

// markedTypes is what a header has that is marked, where types= says nothing new.
const markedTypes = " " + metaTypes + "=a"

// heading writes a header up to the fields.
func (e *valueEncoder) heading(token []byte, before []Meta) {
	t := &e.table
	e.dst = append(append(e.dst, tag+" tool="...), token...)
	for _, m := range before {
		e.dst = appendMeta(e.dst, m.Key, m.Value)
	}
	if t.bare() {
		e.dst = append(e.dst, " "+metaFields+"="+valueField...)
		return
	}
	e.dst = append(e.dst, " "+metaFields+"="...)
	for i := range t.width() {
		f := t.field(i)
		if e.c.Interop && !plainToken(f, ",") {
			e.fail(foreign("field " + strconv.Quote(f)))
		}
		if e.c.Plain {
			f = stripCR(f)
		}
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		e.dst = appendToken(e.dst, f, ",")
	}
}

// A table is a value as rows, and what is known of its columns.
type table struct {
	v       wire.Value
	keys    *wire.Keys // the columns, if all rows have them
	names   []string   // else those of the columns; none if the rows are values
	order   keyOrder
	known   placesCache
	list    bool // v's elements are the rows; else v is the only one
	counted bool // the header has rows=
	n       int  // number of rows

	columnLetters

	reorder bool // objects may lose the order of their members
	room    int  // empty cells that tables may still have
}

func (t *table) reset(v wire.Value) {
	t.begin(v)
	switch v.Kind() {
	case wire.KindArray:
		t.list, t.counted, t.n = true, true, v.Len()
		t.findColumns()
	case wire.KindObject:
		if keys := v.Keys(); areFields(keys) {
			t.keys = keys
		}
	}
	t.columnLetters.reset(t.width())
}

// begin forgets the columns of the last section.
func (t *table) begin(v wire.Value) {
	clear(t.names)
	t.v, t.keys, t.names, t.list, t.counted, t.n = v, nil, t.names[:0], false, false, 1
}

// bare reports whether the rows are values.
func (t *table) bare() bool { return t.keys == nil && len(t.names) == 0 }

func (t *table) width() int {
	if t.keys != nil {
		return t.keys.Len()
	}
	return max(1, len(t.names))
}

// field returns the name of a column.
func (t *table) field(i int) string {
	if t.keys != nil {
		return t.keys.At(i)
	}
	return t.names[i]
}

// areFields reports whether keys can be a section's fields and be told from the
// field that stands for whole values.
func areFields(keys *wire.Keys) bool {
	return keys.Len() > 1 || keys.Len() == 1 && keys.At(0) != valueField && keys.At(0) != ""
}

// writeRows writes the table's rows. Only when all of them are written is it
// known whether a column needs quotation marks; then they are written again.
func (e *valueEncoder) writeRows(depth int) {
	t := &e.table
	if t.list && depth >= e.depth {
		e.fail(tooDeep())
		return
	}
	start := len(e.dst)
	for again := true; again; again = t.endPass() {
		e.dst = e.dst[:start]
		t.beginPass(nil)
		switch {
		case t.list && t.bare():
			e.values(depth)
		case t.list:
			e.objects(depth)
		case t.bare():
			e.single(t.v, depth)
		case t.keys == nil:
			var room [16]int
			e.object(t.v, t.appendPlaces(room[:0], t.v.Keys()), depth)
		default:
			e.object(t.v, nil, depth)
		}
		if e.err != nil {
			return
		}
	}
}

// single writes a row of the only column.
func (e *valueEncoder) single(v wire.Value, depth int) {
	start := len(e.dst)
	e.cell(0, v, depth)
	e.endRow(start)
}

// object writes the row of an object. places says where the members of the columns are, -1 for
// those that it lacks; it is nil for one that has the table's keys.
func (e *valueEncoder) object(v wire.Value, places []int, depth int) {
	if depth >= e.depth {
		e.fail(tooDeep())
		return
	}
	n := v.Len()
	if places != nil {
		n = len(places)
	}
	start := len(e.dst)
	for i := range n {
		if i > 0 {
			e.dst = append(e.dst, '\t')
		}
		place := i
		if places != nil {
			place = places[i]
		}
		if place < 0 {
			e.table.flags[i] |= sawMissing
			e.table.allow(i, missingLetters)
			continue
		}
		if e.cell(i, v.Index(place), depth+1); e.stopped() {
			wire.AtKey(e.err, v.Keys().At(place))
			return
		}
	}
	e.endRow(start)
}

// values writes rows of one cell each.
func (e *valueEncoder) values(depth int) {
	t := &e.table
	i := 0
	for v := range t.v.Elements() {
		if text, ok := wire.Internal.Spelling(v); ok && !t.quoted(0) {
			e.dst = append(append(e.dst, text...), '\n')
			t.allow(0, numberLetters)
		} else {
			e.single(v, depth+1)
		}
		if e.stopped() {
			wire.AtIndex(e.err, i)
			return
		}
		if t.stop() {
			return
		}
		i++
	}
}

// objects writes one row per object; they have some or all of the keys.
func (e *valueEncoder) objects(depth int) {
	t := &e.table
	var last *wire.Keys
	var places []int // of each column, the member's place; nil for the same order
	clear(t.known.keys[:])
	i := 0
	for v := range t.v.Elements() {
		if keys := v.Keys(); keys != last {
			last, places = keys, nil
			if t.keys == nil || keys != t.keys && !wire.Internal.Same(keys, t.keys) {
				places = t.known.of(t, keys)
			}
		}
		if e.object(v, places, depth+1); e.err != nil {
			wire.AtIndex(e.err, i)
			return
		}
		if t.stop() {
			return
		}
		i++
	}
}

// placesCache keeps the places of the last few shapes: rows that lack members
// mostly lack the same ones.
type placesCache struct {
	keys   [8]*wire.Keys
	places [8][]int
	next   int
}

func (c *placesCache) of(t *table, keys *wire.Keys) []int {
	for i, k := range c.keys {
		if k == keys {
			return c.places[i]
		}
	}
	i := c.next
	c.next = (i + 1) % len(c.keys)
	c.keys[i], c.places[i] = keys, t.appendPlaces(c.places[i][:0], keys)
	return c.places[i]
}

// appendPlaces appends, for each of the columns, the place of its member, or -1.
func (t *table) appendPlaces(places []int, keys *wire.Keys) []int {
	for i := range t.width() {
		places = append(places, keys.Index(t.field(i)))
	}
	return places
}

func (e *valueEncoder) endRow(start int) {
	if t := &e.table; len(e.dst) == start {
		switch {
		case !e.c.Plain:
			if t.sets[0] != 0 {
				// A blank line is not a row: the cell must be quoted to be one.
				t.allow(0, 0)
			}
		case e.c.Interop && t.keys == nil: // else Record looks
			e.fail(foreign("a row that is a blank line"))
		}
	}
	e.dst = guardRow(append(e.dst, '\n'), start)
	if len(e.dst) > e.max {
		e.fail(outputTooLong())
	}
}

// cell writes one cell of column i: as it is where that reads back, and else as a JSON
// literal if the column is quoted.
func (e *valueEncoder) cell(i int, v wire.Value, depth int) {
	if e.c.Plain {
		e.plainCell(v, depth)
		return
	}
	t := &e.table
	switch v.Kind() {
	case wire.KindNumber:
		e.dst = wire.Internal.AppendText(e.dst, v)
	case wire.KindBool:
		e.dst = gotext.AppendBool(e.dst, v.Bool())
	case wire.KindArray, wire.KindObject:
		e.nested(v, depth)
	case wire.KindNull:
		e.dst = t.null(e.dst, i)
		return
	case wire.KindString:
		e.dst = t.text(e.dst, i, v.Text())
		return
	default:
		e.dst = t.text(e.dst, i, string(wire.Internal.AppendText(nil, v)))
		return
	}
	t.allow(i, numberLetters) // as columns do that are quoted
}

// appendString appends a string as it is and returns the letters under which it is
// read back. One of a few words is copied while it is looked at.
func appendString(dst []byte, s string) ([]byte, letterSet) {
	const most = 64
	from, n := len(dst), len(s)
	if uint(n-1) >= most || cap(dst)-from < n {
		return appendLongString(dst, s)
	}
	out := dst[:from+n]
	text, found := out[from:], uint64(0)
	switch {
	case n >= 8:
		first, last := scan.Load64(s, 0), scan.Load64(s, n-8)
		binary.LittleEndian.PutUint64(text, first)
		binary.LittleEndian.PutUint64(text[n-8:], last)
		found = specials(first) | specials(last)
		for i := 8; i < n-8; i += 8 {
			w := scan.Load64(s, i)
			binary.LittleEndian.PutUint64(text[i:], w)
			found |= specials(w)
		}
	case n >= 4:
		first, last := scan.Load32(s, 0), scan.Load32(s, n-4)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
		found = specials(uint64(first) | uint64(last)<<32)
	default:
		first, middle, last := s[0], s[n/2], s[n-1]
		text[0], text[n/2], text[n-1] = first, middle, last
		found = specials(uint64(first) | uint64(middle)<<8 | uint64(last)*(scan.Ones>>16<<16))
	}
	switch {
	case found != 0:
		return appendLongString(dst, s)
	case firstByte[s[0]]:
		return out, readableLetters(s)
	}
	return out, anyLetter
}

// appendLongString is appendString for all other strings.
func appendLongString(dst []byte, s string) ([]byte, letterSet) {
	set := stringLetters(s)
	if set != 0 {
		dst = appendEscaped(dst, s)
	}
	return dst, set
}

// nested writes an array or an object as compact JSON.
func (e *valueEncoder) nested(v wire.Value, depth int) {
	if depth >= e.depth {
		e.fail(tooDeep())
		return
	}
	start := len(e.dst)
	out, err := builder.AppendNested(e.dst, v, e.depth-depth, e.max)
	if err != nil {
		e.err = renamed(err)
		return
	}
	e.dst = escapeJSON(out, start)
}

func tooDeep() *wire.Error {
	return &wire.Error{Format: name, Code: wire.CodeTooDeep, Kind: wire.ErrLimit,
		Message: "arrays and objects nest deeper than the limit", Hint: "raise Limits.Depth"}
}

// findColumns finds the fields of an array of objects. There are none if its
// elements are rows of one value: because they are not all objects, because no
// order of the fields gives every object's members in their order, which Reorder
// gives up, or because a cell of JSON for each takes less.
func (t *table) findColumns() {
	if t.v.Len() == 0 || t.v.Index(0).Kind() != wire.KindObject {
		return
	}
	first := t.v.Index(0).Keys()
	uniform := true
	for element := range t.v.Elements() {
		if element.Kind() != wire.KindObject {
			return
		}
		if keys := element.Keys(); keys != first && uniform {
			uniform = wire.Internal.Same(keys, first)
		}
	}
	if !uniform && t.order.merge(t) {
		t.names = append(t.names, t.order.sorted...)
	} else if uniform && areFields(first) {
		t.keys = first
	}
}
