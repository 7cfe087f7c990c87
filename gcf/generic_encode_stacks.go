package gcf

import (
	"slices"
	"sync"
)

// A stack holds what belongs to the tables being written, innermost on top. The memory
// below a pointer into it stays as it is when the stack moves to more.
type stack[T any] struct {
	elements []T
	peak     int // those beyond were not used
}

func (s *stack[T]) len() int    { return len(s.elements) }
func (s *stack[T]) at(i int) *T { return &s.elements[i] }

// add pushes a zero and returns it.
func (s *stack[T]) add() *T {
	n := len(s.elements)
	if n == cap(s.elements) {
		s.elements = slices.Grow(s.elements, max(n, minStack))
	}
	s.elements = s.elements[:n+1]
	var zero T
	s.elements[n] = zero
	return &s.elements[n]
}

// minStack is the room of a stack that is not empty.
const minStack = 16

// slice returns n elements from i on; it is valid until more are pushed.
func (s *stack[T]) slice(i, n int) []T { return s.elements[i : i+n] }

// grow pushes n zeros and returns them.
func (s *stack[T]) grow(n int) []T {
	from := len(s.elements)
	if n > cap(s.elements)-from {
		s.elements = append(make([]T, 0, 2*(from+n)), s.elements...)
	}
	s.elements = s.elements[:from+n]
	clear(s.elements[from:])
	return s.elements[from:]
}

// cut pops the elements from n on.
func (s *stack[T]) cut(n int) {
	s.peak = max(s.peak, len(s.elements))
	s.elements = s.elements[:n]
}

// empty pops all elements and forgets what was in them. It keeps the memory of that
// many.
func (s *stack[T]) empty(most int) {
	if cap(s.elements) > most {
		*s = stack[T]{}
		return
	}
	*s = stack[T]{elements: emptied(s.elements, s.peak)}
}

// emptied returns the room of a stack without what is in it and in the elements after
// it, of which that many were used in all.
func emptied[T any](elements []T, used int) []T {
	clear(elements[:max(used, len(elements))])
	return elements[:0]
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// giveBack makes the encoder free for another document, without what belongs to
// this one.
func (e *encoder) giveBack() {
	e.dst, e.measure, e.chained = nil, measure{}, 0
	if e.bare[0] != nil {
		clear(e.bare[:])
		e.nextBare = 0
	}
	e.columns.empty(1 << 10)
	e.shapes.empty(1 << 10)
	e.indexes.empty(1 << 14)
	encoders.Put(e)
}

// nameRooms are maps of columns that are idle.
var nameRooms sync.Pool // of map[string]int

// maxNames is the number of names up to which a map is reused.
const maxNames = 1 << 9

// takeNames returns an empty map, a new one with room for n names.
func takeNames(n int) map[string]int {
	if idle, ok := nameRooms.Get().(map[string]int); ok {
		return idle
	}
	return make(map[string]int, n)
}

// leaveNames ends the time of a map, if it is one.
func leaveNames(names map[string]int) {
	if names != nil && len(names) <= maxNames {
		clear(names)
		nameRooms.Put(names)
	}
}
