package tron

import (
	"slices"
	"strconv"
	"sync"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// shapes are the lists of keys that the objects of a value have.
type shapes struct {
	list   []*shape          // in the order of their first objects; unused ones follow
	byHash map[uint64]*shape // by the hash of the keys, or the next one that is free
	last   *shape
}

// A shape is one list of keys.
type shape struct {
	keys     *wire.Keys
	count    int      // of objects
	labels   []string // what precedes the values of an instance; nil if it has no class
	inObject int      // bytes of the keys in an object; 0 until they are counted
	inClass  int      // bytes of the names in a class
	next     *shape   // of the object after the last one of this shape
}

// maxKept is how many shapes are kept for the next value.
const maxKept = 1024

// idle are empty.
var idle = sync.Pool{New: func() any { return newShapes() }}

func newShapes() *shapes { return &shapes{byHash: map[uint64]*shape{}} }

// reset forgets all shapes.
func (s *shapes) reset() {
	if len(s.list) > maxKept {
		*s = *newShapes()
		return
	}
	for _, used := range s.list {
		*used = shape{}
	}
	clear(s.byHash)
	s.list, s.last = s.list[:0], nil
}

// find returns the shape of objects with these keys. If there is none, it returns nil and the
// key in byHash that it would have.
func (s *shapes) find(keys *wire.Keys) (found *shape, hash uint64) {
	last := s.last
	if last != nil && last.next != nil && last.next.keys == keys {
		s.last = last.next
		return s.last, 0
	}
	hash = wire.Internal.Hash(keys)
	for found = s.byHash[hash]; found != nil && !wire.Internal.Same(found.keys, keys); found = s.byHash[hash] {
		hash++
	}
	if found != nil {
		s.follow(found)
	}
	return found, hash
}

// follow makes a shape the last one, which is expected where it followed before.
func (s *shapes) follow(found *shape) {
	if s.last != nil {
		s.last.next = found
	}
	s.last = found
}

// add is find that makes the shape if there is none.
func (s *shapes) add(keys *wire.Keys) *shape {
	found, hash := s.find(keys)
	if found != nil {
		return found
	}
	n := len(s.list)
	if n == cap(s.list) || s.list[:n+1][n] == nil {
		s.list = append(s.list, new(shape))
	}
	s.list = s.list[:n+1]
	found = s.list[n]
	found.keys, s.byHash[hash] = keys, found
	s.follow(found)
	return found
}

// eachObject calls f with the keys of each object in v that has some, an object before what
// is in it, as many levels deep. It stops at more than left values, which are as many bytes
// of text at least: a value that contains others many times may have any number.
func eachObject(v wire.Value, depth int, left *int, f func(*wire.Keys)) {
	if v.Kind() < wire.KindArray {
		return
	}
	if *left -= v.Len(); depth == 0 || *left < 0 {
		return
	}
	if v.Kind() == wire.KindObject && v.Len() > 0 {
		f(v.Keys())
	}
	for i := range v.Len() {
		eachObject(v.Index(i), depth-1, left, f)
	}
}

// document appends the document of v. Where no class pays it is JSON, which is written until
// one does.
func (s *shapes) document(dst []byte, v wire.Value, l *wire.Limits) ([]byte, error) {
	text, pays, err := wire.Internal.AppendClassed(dst, len(dst), v, l, 0, s.count)
	if pays {
		s.reset()
		limits := l.Resolved()
		eachObject(v, limits.Depth, &limits.OutputBytes, func(keys *wire.Keys) { s.add(keys).count++ })
		s.last = nil
		text, _, err = wire.Internal.AppendClassed(s.header(dst, (*shape).pays), len(dst), v, l, 0, s.labels)
	}
	if err != nil {
		return dst, err
	}
	return text, nil
}

// count counts an object with these keys, and stops as soon as a class for it pays.
func (s *shapes) count(keys *wire.Keys) (labels []string, stop bool) {
	found := s.add(keys)
	found.count++
	return nil, found.pays("A")
}

// labels returns what precedes the values of an instance with these keys.
func (s *shapes) labels(keys *wire.Keys) (labels []string, stop bool) {
	if found, _ := s.find(keys); found != nil {
		return found.labels, false
	}
	return nil, false
}

// header appends the classes of the shapes that are to have one and an empty line, or nothing
// if there are none.
func (s *shapes) header(dst []byte, wanted func(s *shape, name string) bool) []byte {
	n := 0
	for _, shape := range s.list {
		name := className(n)
		if !wanted(shape, name) {
			continue
		}
		n++
		shape.labels = slices.Repeat([]string{","}, shape.keys.Len())
		shape.labels[0] = name + "("
		dst = append(append(append(dst, "class "...), name...), ':', ' ')
		for i, key := range shape.keys.All() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if isName(key) {
				dst = append(dst, key...)
			} else {
				dst = scan.AppendQuote(dst, key)
			}
		}
		dst = append(dst, '\n')
	}
	if n > 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// className returns the name of class n: A to Z, A1 to Z1, A2 and so on.
func className(n int) string {
	name := string(rune('A' + n%26))
	if n >= 26 {
		name += strconv.Itoa(n / 26)
	}
	return name
}

// leastOfOne is how many objects of one member pay for their class.
const leastOfOne = 8

// pays reports whether objects of the shape are to be instances of a class of that name. The
// first condition is that of tokens, with about two for each key of an object; the second
// holds that no document gets longer by it.
func (s *shape) pays(name string) bool {
	x, n := s.keys.Len(), s.count
	if n*(2*x-2) <= 2*x+3 && !(x == 1 && n >= leastOfOne) {
		return false
	}
	if s.inObject == 0 {
		var quote [64]byte
		for _, key := range s.keys.All() {
			quoted := len(scan.AppendQuote(quote[:0], key))
			s.inObject += quoted + 1
			if s.inClass += quoted; isName(key) {
				s.inClass -= quoted - len(key)
			}
		}
	}
	saved := int64(n) * int64(s.inObject-len(name)) // more than 32 bits hold, where keys are long
	return saved > int64(8+len(name)+x+s.inClass+1)
}
