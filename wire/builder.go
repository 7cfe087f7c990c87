package wire

import (
	"bytes"
	"slices"
)

// A Builder makes the objects of one document. It takes their values from slabs and lets
// objects of one shape share their [Keys], so a decoder allocates per few thousand values,
// not per value. The zero Builder is ready to use. It must not be copied once it was used,
// and is not safe for concurrent use; the objects it made are.
//
//	o := b.Object()
//	for … {
//		if !b.Key(&o, key) {
//			… // the object has it already
//		}
//		b.Put(&o, value)
//	}
//	object := b.EndObject(&o)
//
// Objects can be begun while others are open, but are ended before these go on. An object
// whose keys are known before is made by [ObjectOf], and an array by [Array].
type Builder struct {
	_     noCopy
	self  uintptr // where the Builder was when it took memory last
	stack []Value
	slab  []Value // len is what is taken of the current chunk
	chunk int     // size of the next chunk
	split bool    // the current record is in more than one chunk
	text  []byte  // len is what is taken of the current chunk of text

	tree   *shape // &root, or that of mem; nil before the first object
	root   shape
	shapes int
	unused []shape // the rest of the current chunk of shapes
	keys   []byte  // len is what is taken of the current chunk of keys' text
	weight int     // about what the key lists of the tree hold

	cells    *jsonParser // what the Builder is that of, if it parses JSON in cells
	sink     *goValues   // what makes Go values of arrays and objects, if they become such
	mem      *memory     // what is borrowed, if anything
	ownTexts bool        // strings are not in mem
	shared   *memory     // what the tree and the stack are borrowed from, if only these are
	spilled  int         // slots taken beside it
	high     int         // most slots of it that a record had
	peak     int         // most values that the stack had when a container was complete
}

const (
	minChunk = 16
	minStack = 16
	maxChunk = 2048
	// firstText and textChunk are the sizes of the first chunk that cloneText copies into,
	// and of those of a long document.
	firstText = 64
	textChunk = 16 << 10
	// maxKeyChunk is the most memory that one key in use keeps from others.
	maxKeyChunk  = 1 << 10
	minKeyChunk  = 64
	minShapes    = 8
	maxNewShapes = 64
)

// noCopy makes go vet find copies of a Builder.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// init begins with memory of its own, in a new Builder, in a copy, and in one
// on a stack that has moved: a copy must not go on with the memory that the
// original still fills.
func (b *Builder) init() {
	b.self = b.here()
	b.slab, b.text, b.keys = nil, nil, nil
	b.stack, b.unused = slices.Clone(b.stack), nil
	b.tree, b.mem, b.shared = nil, nil, nil
}

// top returns the root of the tree of key lists.
func (b *Builder) top() *shape {
	if b.tree == nil {
		b.tree = &b.root
	}
	return b.tree
}

// take returns n free slots, whose content is undefined.
func (b *Builder) take(n int) []Value {
	from := len(b.slab)
	if n > cap(b.slab)-from || b.self != b.here() {
		return b.takeNew(n)
	}
	b.slab = b.slab[:from+n]
	return b.slab[from : from+n : from+n]
}

// free returns the slots of the chunk that no one has taken, of which take returns the
// first ones.
func (b *Builder) free() []Value {
	if b.self != b.here() {
		return nil
	}
	return b.slab[len(b.slab):cap(b.slab)]
}

// takeNew is take where the chunk has no room, or belongs to another Builder.
func (b *Builder) takeNew(n int) []Value {
	if b.self != b.here() {
		b.init()
	}
	if n > cap(b.slab)-len(b.slab) {
		if n >= maxChunk/4 {
			return b.spill(make([]Value, n))
		}
		if b.chunk == 0 {
			b.chunk = minChunk
		}
		size := max(b.chunk, n)
		b.chunk = min(2*size, maxChunk)
		b.split = len(b.slab) > 0
		b.slab = b.spill(make([]Value, 0, size))
	}
	from := len(b.slab)
	b.slab = b.slab[:from+n]
	return b.slab[from : from+n : from+n]
}

// untake gives slots back if nothing was taken since, and reports that.
func (b *Builder) untake(slots []Value) bool {
	from := len(b.slab) - len(slots)
	if from < 0 || &b.slab[from] != &slots[0] {
		return false
	}
	b.slab = b.slab[:from]
	return true
}

// endRecord says that nothing made from now on will refer to what
// was made before, so that each record of a stream can be freed once it is not
// used any more. Key lists stay shared.
//
// Without it, a record that lies in two chunks of a slab would keep the first
// one alive as long as the second, which the next such record keeps alive in
// turn, and so on.
//
// In memory that is borrowed the next record begins where this one did.
func (b *Builder) endRecord() {
	if b.mem != nil {
		b.rewind()
		return
	}
	if b.split || cap(b.slab)-len(b.slab) < cap(b.slab)/4 {
		b.slab, b.split = nil, false
	}
}

// mark returns the height of the stack, for arrayAbove.
func (b *Builder) mark() int { return len(b.stack) }

// push puts a child on the stack.
func (b *Builder) push(v Value) {
	if len(b.stack) == cap(b.stack) {
		b.deepen()
	}
	b.stack = append(b.stack, v)
}

// deepen doubles the stack, which append does only while it is small.
func (b *Builder) deepen() { b.stack = slices.Grow(b.stack, max(minStack, len(b.stack))) }

// pop takes what is above mark off the stack.
func (b *Builder) pop(mark int) {
	b.peak = max(b.peak, len(b.stack))
	b.stack = b.stack[:mark]
}

// arrayAbove takes the children above mark off the stack and returns their array.
func (b *Builder) arrayAbove(mark int) Value {
	n := len(b.stack[mark:])
	if n == 0 {
		return Array()
	}
	if b.sink != nil {
		v := b.sink.array(b.stack[mark:])
		b.pop(mark)
		return v
	}
	slots := b.take(n)
	copy(slots, b.stack[mark:])
	b.pop(mark)
	return childrenValue(KindArray, &slots[0], n)
}

// first returns the first n of slots, which were taken for what has no more. If others took
// slots since, the rest belongs to no one.
func (b *Builder) first(slots []Value, n int) []Value {
	if n < len(slots) && !b.untake(slots[n:]) && 2*n < len(slots) && len(slots) >= maxChunk/4 {
		// They have an allocation of their own, most of which is not needed.
		return append(b.take(n)[:0], slots[:n]...)
	}
	return slots[:n]
}

// rowAbove takes the children above mark off the stack and returns the object that
// has them as the values of keys. It panics if there are not as many.
func (b *Builder) rowAbove(keys *Keys, mark int) Value {
	v := ours{b}.RowFrom(keys, b.stack[mark:])
	b.pop(mark)
	return v
}

// textsOwned reports whether strings belong to the caller.
func (b *Builder) textsOwned() bool { return b.mem == nil || b.ownTexts }

// cloneText returns a string with a copy of p. Short copies share larger
// allocations.
func (b *Builder) cloneText(p []byte) string {
	if len(p) == 0 {
		return ""
	}
	return aliasString(b.cloneBytes(p))
}

// cloneBytes is cloneText for text that is still written to.
func (b *Builder) cloneBytes(p []byte) []byte {
	if b.self != b.here() {
		b.init()
	}
	if len(p) > cap(b.text)-len(b.text) {
		next := max(2*cap(b.text), len(p))
		switch {
		case !b.textsOwned():
			next = max(next, textChunk)
		case len(p) > textChunk/4:
			return bytes.Clone(p)
		default:
			next = min(max(next, firstText), textChunk)
		}
		b.text = make([]byte, 0, next)
	}
	from := len(b.text)
	b.text = append(b.text, p...)
	return b.text[from:]
}

// An ObjectBuilder is the state of one object between [Builder.Object] and
// [Builder.EndObject].
type ObjectBuilder struct {
	mark int
	slot int // where the next value goes: -1 for a new member
	at   *shape
	wide *wideKeys // set once the object has left the shape tree
}

// A shape is a node of the tree of key lists: the keys on the way from the
// root are an object's keys so far. The next key is mostly the one that
// followed last time, so a lookup is mostly one comparison.
type shape struct {
	key      string
	plain    bool // key has no byte that JSON escapes
	ident    bool // key is an identifier: letters, digits and _, no digit first
	depth    int
	text     int // length of the keys up to this one
	parent   *shape
	last     *shape // the child used last
	first    *shape // child
	sibling  *shape // the parent's next child
	children int
	index    map[string]*shape // of the children, once there are many
	keys     *Keys             // made when first an object ends here
	gaps     [2][]gap          // before the values of an object of them

	// inside is the shape of the last object that was the value of this key,
	// or an element of it. Only ParseJSON keeps it.
	inside *shape
}

// The shape tree is bounded: an object that would make it larger or deeper
// keeps its own key list. Hostile input costs no more than its length.
const (
	maxShapes     = 4096
	maxShapeDepth = 256
	fewChildren   = 8
)

// wideKeys is the key list of an object outside the shape tree.
type wideKeys struct {
	names []string
	index keyTable // once there are many
}

// Object begins an object.
func (b *Builder) Object() ObjectBuilder {
	return ObjectBuilder{mark: len(b.stack), slot: -1, at: b.top()}
}

// Key begins a member and reports whether the key is new to the object. If it
// is not, the next value replaces the one at the key's first position.
func (b *Builder) Key(o *ObjectBuilder, key string) (fresh bool) {
	o.at, fresh = b.after(o, key) // inlined, so that it writes to the caller's frame without a barrier
	return fresh
}

// after returns the shape of the object with the key, nil if it is outside the tree.
func (b *Builder) after(o *ObjectBuilder, key string) (at *shape, fresh bool) {
	if len(b.stack) == cap(b.stack) {
		b.deepen() // for Put, which is short enough to be inlined
	}
	if o.at != nil {
		if next := o.at.last; next != nil && next.key == key {
			return next, true
		}
		return b.afterOther(o, key)
	}
	return nil, b.wideKey(o, key)
}

// afterOther is after for a key that did not follow the last time.
func (b *Builder) afterOther(o *ObjectBuilder, key string) (*shape, bool) {
	at := o.at
	if next := at.child(key); next != nil {
		at.last = next
		return next, true
	}
	for s := at; s.depth > 0; s = s.parent {
		if s.key == key {
			o.slot = s.depth - 1
			return at, false
		}
	}
	if b.shapes >= maxShapes || at.depth >= maxShapeDepth {
		b.widen(o)
		return nil, b.wideKey(o, key)
	}
	next := b.newShape(key)
	next.depth, next.parent, next.sibling = at.depth+1, at, at.first
	at.first = next
	at.children++
	next.text = at.text + len(next.key)
	b.weight += len(key)
	switch {
	case at.index != nil:
		at.index[next.key] = next
	case at.children > fewChildren:
		at.index = make(map[string]*shape, 4*fewChildren)
		for c := at.first; c != nil; c = c.sibling {
			at.index[c.key] = c
		}
	}
	at.last = next
	return next, true
}

func (s *shape) child(key string) *shape {
	if s.index != nil {
		return s.index[key]
	}
	for c := s.first; c != nil; c = c.sibling {
		if c.key == key {
			return c
		}
	}
	return nil
}

// newShape returns a shape with a copy of the key.
func (b *Builder) newShape(key string) *shape {
	if b.self != b.here() {
		b.init()
	}
	if len(b.unused) == 0 {
		b.unused = make([]shape, min(max(b.shapes, minShapes), maxNewShapes))
	}
	s := &b.unused[0]
	b.unused = b.unused[1:]
	b.shapes++
	s.key, s.plain, s.ident = b.copyKey(key), plainKey(key), isIdentifier(key)
	return s
}

// copyKey returns a copy of a key: key lists outlive the text that they were
// read from.
func (b *Builder) copyKey(key string) string {
	if b.self != b.here() {
		b.init()
	}
	if len(key) > cap(b.keys)-len(b.keys) {
		b.keys = make([]byte, 0, max(len(key), min(2*cap(b.keys), maxKeyChunk), minKeyChunk))
	}
	from := len(b.keys)
	b.keys = append(b.keys, key...)
	return aliasString(b.keys[from:])
}

func plainKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; c < 0x20 || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func isIdentifier(key string) bool {
	for i := range len(key) {
		switch c := key[i]; {
		case c|0x20-'a' <= 'z'-'a', i > 0 && c-'0' <= 9, c == '_':
		default:
			return false
		}
	}
	return key != ""
}

// widen moves the object out of the shape tree.
func (b *Builder) widen(o *ObjectBuilder) {
	o.wide = &wideKeys{names: slices.Clone(b.list(o.at).names)}
}

func (b *Builder) wideKey(o *ObjectBuilder, key string) bool {
	w := o.wide
	if w.index.slots == nil {
		if i := slices.Index(w.names, key); i >= 0 {
			o.slot = i
			return false
		}
		w.names = append(w.names, b.copyKey(key))
		if len(w.names) > linearKeys {
			w.index.build(w.names)
		}
		return true
	}
	if i := w.index.add(w.names, key); i >= 0 {
		o.slot = i
		return false
	}
	if len(w.names) == cap(w.names) {
		w.names = slices.Grow(w.names, len(w.names))
	}
	w.names = append(w.names, b.copyKey(key))
	return true
}

// Put ends a member with its value. Between Key and Put the stack must be
// where it was.
func (b *Builder) Put(o *ObjectBuilder, v Value) {
	if o.slot < 0 {
		b.stack = append(b.stack, v) // Key has made room
		return
	}
	b.stack[o.mark+o.slot] = v
	o.slot = -1
}

// list returns the keys on the way to s, which is in the Builder's tree.
func (b *Builder) list(s *shape) *Keys {
	if s.keys == nil {
		b.weight += s.text + shapeWeight*s.depth
	}
	return s.list()
}

// list returns the keys on the way to s.
func (s *shape) list() *Keys {
	if s.keys != nil {
		return s.keys
	}
	if s.depth == 0 {
		return noKeys
	}
	names := make([]string, s.depth)
	for at := s; at.depth > 0; at = at.parent {
		names[at.depth-1] = at.key
	}
	s.keys = &Keys{names: names}
	return s.keys
}

// EndObject takes the object's values off the stack and returns the object.
func (b *Builder) EndObject(o *ObjectBuilder) Value { return b.rowAbove(b.keysOf(o), o.mark) }

// keysOf returns the keys of an object.
func (b *Builder) keysOf(o *ObjectBuilder) *Keys {
	if o.at == nil {
		return &Keys{names: o.wide.names}
	}
	if o.at.keys != nil {
		return o.at.keys
	}
	return b.list(o.at)
}
