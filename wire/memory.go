package wire

import (
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// A memory is what decoding takes from one document to the next: room for Values,
// for the copy of a text and for strings with escapes, and the tree of key lists.
//
// Values are overwritten, key lists never: they belong to the collector, so a
// cache that is keyed by a list cannot meet another one in its place.
type memory struct {
	_    noCopy
	kind memoryKind

	slots []Value
	stack []Value
	text  []byte
	chunk []byte
	want  int // slots that the next large document should find

	root   shape
	shapes int
	unused []shape
	keys   []byte
	weight int

	// Only where memory is poisoned: chunks beside slots, and what the record had
	// whose time ends with the next one.
	spills, previous [][]Value
}

// A memoryKind says whose documents are in a memory.
type memoryKind uint8

const (
	pooledMemory memoryKind = iota // all; what it keeps is bounded
	largeMemory                    // large ones; in a pool of its own
	ownedMemory                    // those of the caller that it is the target of
)

var (
	// memories are idle.
	memories = sync.Pool{New: func() any { return new(memory) }}
	// largeMemories are those of large documents, which the collector frees unless the
	// next one comes soon.
	largeMemories sync.Pool
)

const (
	// maxKeptBytes is the most that an idle memory holds, but for its tree.
	maxKeptBytes = 5 << 18
	// maxKeptStack is the length of the stack up to which it is kept: that of a stream's
	// records that are decoded at once.
	maxKeptStack = 24 << 10
	// maxKeptShapes and maxKeptWeight bound the tree that is kept: one document's
	// shapes are not to fill what others have of it.
	maxKeptShapes = 1 << 10
	maxKeptWeight = 1 << 18
	// shapeWeight is what a key list holds for each key, with what hangs on it,
	// beside its text.
	shapeWeight = 128
	// leastLarge is the length of a text from which on it gets a large memory, if there is
	// one, and mostLarge how many times as long as that the last text in it may be.
	leastLarge = 64 << 10
	mostLarge  = 8

	valueBytes = 24
)

// Target implements [inplace.Target].
func (*memory) Target() {}

// ownTexts is the target of Values that are valid until giveBack, as in shared memory, but
// whose strings belong to the caller.
type ownTexts struct{}

// Target implements [inplace.Target].
func (ownTexts) Target() {}

// borrow gives the Builder, which is new, memory until giveBack: the one that is to be used,
// or one of the pool. Where Go values are to be made it gets none.
func (b *Builder) borrow(to inplace.Target) {
	switch to := to.(type) {
	case inplace.Owned:
		b.borrowTree()
		return
	case ownTexts, *inplace.Record:
		b.ownTexts = true
	case *goValues:
		b.borrowTree()
		b.sink, b.slab, b.chunk = to, to.slots[:0], 2*cap(to.slots)
		return
	case *memory:
		to.kind = ownedMemory
		b.use(to)
		return
	}
	b.use(memories.Get().(*memory))
}

// use makes the Builder begin in m.
func (b *Builder) use(m *memory) {
	b.mem = m
	if b.slab = m.slots[:0]; !b.ownTexts {
		b.text = m.chunk[:0]
	}
	b.growOn(m)
}

// enlarge begins in the memory of a large document, if there is one, for a text of that
// size. Nothing has been made yet.
func (b *Builder) enlarge(size int) {
	small := b.mem
	if size < leastLarge || small.kind != pooledMemory || poison || b.high+len(b.slab)+len(b.stack)+len(b.text) > 0 {
		return
	}
	m, ok := largeMemories.Get().(*memory)
	switch {
	case !ok:
		return
	case cap(m.text) > mostLarge*size:
		largeMemories.Put(m)
		return
	case m.want > cap(m.slots):
		m.slots = make([]Value, 0, m.want)
	}
	b.leave(small)
	small.putBack()
	b.use(m)
}

// putBack makes m idle.
func (m *memory) putBack() {
	switch m.kind {
	case pooledMemory:
		memories.Put(m)
	case largeMemory:
		largeMemories.Put(m)
	}
}

// borrowTree gives the Builder, which is new, the tree of key lists and the stack of
// shared memory until giveBack. What it makes belongs to the caller: key
// lists always do.
func (b *Builder) borrowTree() {
	b.shared = memories.Get().(*memory)
	b.growOn(b.shared)
}

// growOn makes the Builder go on with the tree and the stack of m.
func (b *Builder) growOn(m *memory) {
	b.self, b.stack, b.peak = b.here(), m.stack[:0], 0
	b.tree, b.shapes, b.unused, b.keys, b.weight = &m.root, m.shapes, m.unused, m.keys, m.weight
}

// leave ends that.
func (b *Builder) leave(m *memory) {
	m.shapes, m.unused, m.keys, m.weight = b.shapes, b.unused, b.keys, b.weight
	if m.kind != ownedMemory && (m.shapes > maxKeptShapes || m.weight > maxKeptWeight) {
		m.forget()
	}
	b.stack, b.tree, b.unused, b.keys = nil, nil, nil, nil
}

func (b *Builder) copyText(text []byte, padding string) []byte {
	size := len(text) + len(padding)
	if b.mem != nil {
		b.enlarge(size)
	}
	if b.textsOwned() {
		copied := make([]byte, size) // of which the compiler clears the padding only
		copy(copied, text)
		copy(copied[len(text):], padding)
		return copied
	}
	if cap(b.mem.text) < size {
		b.mem.text = make([]byte, 0, size+size/32)
		clear(b.mem.slots[:cap(b.mem.slots)]) // nothing keeps the one before
	}
	b.mem.text = appendNear(b.mem.text[:0], text, padding)
	return b.mem.text
}

// appendNear appends the text and the padding. A text of a MiB at once would be
// copied past the caches, where it is looked for next.
func appendNear(dst, text []byte, padding string) []byte {
	const most = 1 << 18
	for len(text) > most {
		dst = append(dst, text[:most]...)
		text = text[most:]
	}
	return append(append(dst, text...), padding...)
}

// giveBack ends what borrow or borrowTree began, see internal.GiveBack.
func (b *Builder) giveBack(err error) {
	if err != nil {
		detach(err)
	}
	switch m := b.mem; {
	case m != nil:
		b.release()
		m.putBack()
	case b.shared != nil:
		if b.sink != nil && cap(b.slab) <= maxGoSlots {
			b.sink.slots = b.slab[:0]
			clear(b.slab[:cap(b.slab)])
			b.slab = nil
		}
		m, b.shared, b.sink = b.shared, nil, nil
		clear(b.stack[:max(b.peak, len(b.stack))])
		if m.stack = b.stack[:0]; cap(m.stack) > maxKeptStack {
			m.stack = nil
		}
		b.leave(m)
		memories.Put(m)
	}
}

// detach detaches every Error in err's tree.
func detach(err error) {
	if e, ok := err.(*Error); ok && e != nil {
		e.detach()
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		detach(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			detach(err)
		}
	}
}

// detach copies what may lie in memory that is reused.
func (e *Error) detach() {
	for i, token := range e.path {
		e.path[i] = strings.Clone(token)
	}
	e.Code, e.Message, e.Hint = strings.Clone(e.Code), strings.Clone(e.Message), strings.Clone(e.Hint)
}

// newKeys is the package's function [NewKeys] for names that may lie in the text
// that the Builder has copied. In borrowed memory a list that was there before is
// the same one again, with all that was found out about it.
func (b *Builder) newKeys(names ...string) (*Keys, error) {
	if b.mem == nil {
		return NewKeys(names...)
	}
	o := b.Object()
	for _, name := range names {
		if !b.Key(&o, name) {
			return NewKeys(names...) // which says what occurs twice
		}
	}
	if o.at == nil {
		return &Keys{names: o.wide.names}, nil
	}
	return b.list(o.at), nil
}

// release makes the borrowed memory idle.
func (b *Builder) release() {
	m := b.mem
	if m.kind != largeMemory {
		m.wipe(m.slots[:max(b.high, b.usedSlots())])
		clear(b.stack[:max(b.peak, len(b.stack))])
	}
	if m.stack = b.stack[:0]; !b.ownTexts {
		m.chunk = b.text[:0]
	}
	m.bound(b.spilled)
	b.leave(m)
	b.mem, b.slab, b.text = nil, nil, nil
}

// rewind is EndRecord in borrowed memory. The record that has just been made is
// in use until the next one is.
func (b *Builder) rewind() {
	m := b.mem
	used := b.usedSlots()
	b.high = max(b.high, used)
	if poison {
		poisonValues(m.previous)
		m.previous, m.spills = append(m.spills, m.slots[:used]), nil
		m.slots = make([]Value, 0, cap(m.slots))
	}
	if b.spilled > 0 {
		m.grow(b.spilled)
		b.spilled = 0
	}
	if b.slab, b.split = m.slots[:0], false; !b.ownTexts {
		b.text = b.text[:0]
	}
}

// grow makes room for what did not fit.
func (m *memory) grow(spilled int) {
	need := cap(m.slots) + spilled + spilled/16
	if m.kind == pooledMemory {
		need = min(need, maxKeptBytes/valueBytes)
	}
	m.slots = make([]Value, 0, need)
}

// usedSlots returns how many of the borrowed slots have been taken.
func (b *Builder) usedSlots() int {
	kept := b.mem.slots[:cap(b.mem.slots)]
	if len(kept) > 0 && cap(b.slab) > 0 && &b.slab[:1][0] == &kept[0] {
		return len(b.slab)
	}
	return len(kept)
}

// bound leaves what is too large to keep to large documents, and otherwise makes room for
// the slots that were taken beside those there were.
func (m *memory) bound(spilled int) {
	if m.kind == ownedMemory {
		if spilled > 0 {
			m.grow(spilled)
		}
		return
	}
	need := valueBytes*(cap(m.slots)+spilled+cap(m.stack)) + cap(m.text) + cap(m.chunk)
	switch {
	case need > maxKeptBytes && poison:
		m.slots, m.stack, m.text, m.chunk = nil, nil, nil, nil
		return
	case need > maxKeptBytes || m.kind == largeMemory:
		m.kind, m.want = largeMemory, cap(m.slots)+spilled+spilled/16
		return
	case spilled > 0:
		m.grow(spilled)
	}
	if cap(m.stack) > maxKeptStack {
		m.stack = nil
	}
}

// forget drops the tree.
func (m *memory) forget() {
	m.root, m.shapes, m.unused, m.keys, m.weight = shape{}, 0, nil, nil, 0
}

// wipe makes slots that were used, and the text, free for others.
func (m *memory) wipe(used []Value) {
	if !poison {
		clear(used)
		return
	}
	poisonValues(append(append(m.previous, m.spills...), used))
	text := m.text
	for i := range text {
		text[i] = byte(stale)
	}
	*m = memory{kind: m.kind, root: m.root}
	m.slots, m.text = make([]Value, 0, cap(used)), make([]byte, 0, cap(text))
}

// poisonValues marks Values that are no longer valid, so that using one panics.
func poisonValues(chunks [][]Value) {
	for _, chunk := range chunks {
		for i := range chunk {
			chunk[i] = Value{meta: meta{kind: stale}}
		}
	}
}

// spill notes a chunk of slots that is taken beside those borrowed.
func (b *Builder) spill(chunk []Value) []Value {
	b.spilled += cap(chunk)
	if poison && b.mem != nil {
		b.mem.spills = append(b.mem.spills, chunk[:cap(chunk)])
	}
	return chunk
}

// stale is the kind of Values whose memory may be reused.
const stale Kind = 0xDB

// live panics, where memory is poisoned, if the value's time is over.
func (m meta) live() {
	if poison && m.kind == stale {
		panic("wire: a Value is used after the end of the function that it was lent to; Clone what is kept")
	}
}
