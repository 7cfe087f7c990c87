package glyph

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/order"
	"github.com/wirekit/wirekit/wire"
)

// shapeTable holds what the encoder knows of each key list that it has met: the
// order in which the keys are written and their text. Rows of one table and records of
// one kind share their Keys, so this is sorted and quoted once per shape.
//
// The parts of a shape are ranges of common slices, so that a table without
// content can be reused.
type shapeTable struct {
	byKeys map[*wire.Keys]int32
	list   []shape
	slots  []slot
	text   []byte

	serial int32 // of the last union
	last   int32 // the shape of the last list's first row

	// all are the columns of the last union, merged those of a plan's ordered ones, each in
	// its order.
	all, merged []slot
	// seen holds the numbers of a union's columns, order what an ordered union's rows
	// demand of them.
	seen  map[string]place
	order order.Graph
	// shapes are those of the rows of the last list, in the order of their first rows.
	shapes []int32
	// names are the keys that may become numbers, uses how often the text has each.
	names []string
	uses  map[string]int
}

// A place is the number of a key's column in the union of that serial.
type place struct{ serial, column int32 }

// noShape is the index of no shape.
const noShape = int32(-1)

// A shape is one key list: slots[from:to], in the order in which they are
// written.
type shape struct {
	keys     *wire.Keys
	from, to int
	labels   int   // length of the labels
	uses     int   // objects written with their labels
	pipe     bool  // the text of a key holds "|"
	serial   int32 // the last union that met the shape
	next     int32 // the shape that was asked for after this one
}

// A slot is one key of a shape. text[from:to] is " key=".
type slot struct {
	from, to int
	index    int32 // the member's position in the Keys
	rank     int32 // the key's number in the schema, or noRank
	// child is the shape of the last object that was this member's value; of a union's
	// column, how many shapes have it.
	child int32
}

const noRank = int32(1<<31 - 1)

// maxKept bounds what a shapeTable keeps between documents, in bytes of text
// and in slots.
const maxKept = 1 << 16

// maxKeptNames bounds the names that may become numbers: a map that held many takes long
// to clear.
const maxKeptNames = 1 << 10

// reset forgets all shapes and reports whether the table is worth keeping.
func (t *shapeTable) reset() bool {
	if cap(t.text) > maxKept || cap(t.slots)+cap(t.all)+cap(t.merged)+t.order.Size()+cap(t.shapes) > maxKept || max(len(t.byKeys), len(t.seen)) > maxKept {
		return false
	}
	clear(t.byKeys)
	clear(t.seen)
	clear(t.uses)
	clear(t.names)
	if cap(t.names) > maxKeptNames {
		t.names, t.uses = nil, nil
	}
	clear(t.list)
	t.list, t.slots, t.text, t.names, t.serial = t.list[:0], t.slots[:0], t.text[:0], t.names[:0], 0
	return true
}

// like is of for keys that are likely to be those of the last shape, or of the one that
// came after it before.
func (t *shapeTable) like(last int32, keys *wire.Keys, s *settings) int32 {
	if last >= 0 && t.list[last].keys == keys {
		return last
	}
	return t.after(last, keys, s)
}

// after is like for keys that are not those of the last shape.
func (t *shapeTable) after(last int32, keys *wire.Keys, s *settings) int32 {
	if last < 0 {
		return t.of(keys, s)
	}
	next := t.list[last].next
	if t.list[next].keys != keys {
		next = t.of(keys, s)
		t.list[last].next = next
	}
	return next
}

// of returns the shape of the keys.
func (t *shapeTable) of(keys *wire.Keys, s *settings) int32 {
	if id, ok := t.byKeys[keys]; ok {
		return id
	}
	if t.byKeys == nil {
		t.byKeys = make(map[*wire.Keys]int32)
	}
	id := int32(len(t.list)) - 1
	// Objects that were built one by one have Keys of their own each.
	if id < 0 || !wire.Internal.Same(t.list[id].keys, keys) {
		id++
		t.add(keys, s)
	}
	t.byKeys[keys] = id
	return id
}

func (t *shapeTable) add(keys *wire.Keys, s *settings) {
	sh := shape{keys: keys, from: len(t.slots), to: len(t.slots) + keys.Len()}
	text := len(t.text)
	for i, name := range keys.All() {
		at := slot{from: len(t.text), index: int32(i), rank: noRank, child: noShape}
		t.text = append(t.text, ' ')
		if n, ok := s.Schema.number(name); ok {
			at.rank = int32(n)
			t.text = strconv.AppendInt(append(t.text, '#'), int64(n), 10)
		} else {
			t.text = appendKey(t.text, name, s.upstream)
		}
		after := byte('=')
		if s.Commas && t.text[len(t.text)-1] == '"' {
			after = ':'
		}
		t.text = append(t.text, after)
		at.to = len(t.text)
		t.slots = append(t.slots, at)
	}
	sh.pipe = bytes.IndexByte(t.text[text:], '|') >= 0
	sh.labels = len(t.text) - text
	if s.Profile.sorted() {
		slices.SortFunc(t.slots[sh.from:], t.compare)
	}
	t.list = append(t.list, sh)
}

// compare is the canonical order: keys of the schema by number, then the others
// by the bytes of their text.
func (t *shapeTable) compare(a, b slot) int {
	if a.rank != b.rank {
		return cmp.Compare(a.rank, b.rank)
	}
	return bytes.Compare(t.name(a), t.name(b))
}

// name returns the canonical text of a slot's key.
func (t *shapeTable) name(s slot) []byte { return t.text[s.from+1 : s.to-1] }

// sameKey reports whether two slots are of one key.
func (t *shapeTable) sameKey(a, b slot) bool { return bytes.Equal(t.name(a), t.name(b)) }
