package gcf

import "sync"

// The stacks of an encoder hold a few elements in the encoder itself, which
// lies in AppendEncode's frame, and move to the heap when there are more: an
// ordinary document is encoded without an allocation. Slices into the frame
// would not do, because the compiler takes whatever is stored behind a pointer
// for escaping. What they moved to is used again by other encoders.

// columnStack holds the columns of the tables being written.
type columnStack struct {
	n    int
	few  [24]column
	many []column      // all of them, once there are more
	room *room[column] // which they are in
}

func (s *columnStack) at(i int) *column {
	if s.many != nil {
		return &s.many[i]
	}
	return &s.few[i]
}

func (s *columnStack) push(c column) {
	switch {
	case s.many != nil:
		s.many = append(s.many[:s.n], c)
	case s.n < len(s.few):
		s.few[s.n] = c
	default:
		s.room = columnRooms.take(4 * len(s.few))
		s.many = append(append(s.room.elements, s.few[:]...), c)
	}
	s.n++
}

// shapeStack holds the shapes of the tables being written.
type shapeStack struct {
	n    int
	few  [8]shape
	many []shape      // all of them, once there are more
	room *room[shape] // which they are in
}

func (s *shapeStack) at(i int) *shape {
	if s.many != nil {
		return &s.many[i]
	}
	return &s.few[i]
}

func (s *shapeStack) push(v shape) {
	switch {
	case s.many != nil:
		s.many = append(s.many[:s.n], v)
	case s.n < len(s.few):
		s.few[s.n] = v
	default:
		s.room = shapeRooms.take(4 * len(s.few))
		s.many = append(append(s.room.elements, s.few[:]...), v)
	}
	s.n++
}

// indexStack holds the columns of the shapes' members, and scratch lists of
// members by column.
type indexStack struct {
	n    int
	few  [128]int32
	many []int32      // all of them, once there are more
	room *room[int32] // which they are in
}

// slice returns n elements from i on; it is valid until the next grow.
func (s *indexStack) slice(i, n int) []int32 {
	if s.many != nil {
		return s.many[i : i+n]
	}
	return s.few[i : i+n]
}

// grow pushes n zeros and returns them.
func (s *indexStack) grow(n int) []int32 {
	from := s.n
	s.n += n
	if s.many == nil && s.n > len(s.few) {
		s.room = indexRooms.take(4 * s.n)
		s.many = append(s.room.elements, s.few[:from]...)
	}
	if s.many == nil {
		clear(s.few[from:s.n])
		return s.few[from:s.n]
	}
	s.many = s.many[:from]
	if s.n > cap(s.many) {
		s.many = append(make([]int32, 0, 2*s.n), s.many...)
	}
	s.many = s.many[:s.n]
	clear(s.many[from:])
	return s.many[from:]
}

// rooms are memory for stacks that is idle.
type rooms[T any] struct {
	pool sync.Pool // of *room[T]
	most int       // of the elements of an idle one
}

type room[T any] struct{ elements []T }

var (
	columnRooms = rooms[column]{most: 1 << 10}
	shapeRooms  = rooms[shape]{most: 1 << 10}
	indexRooms  = rooms[int32]{most: 1 << 14}
	nameRooms   sync.Pool // of map[string]int
)

// maxNames is the number of names up to which a map is used again.
const maxNames = 1 << 9

// take returns room for n elements or more.
func (r *rooms[T]) take(n int) *room[T] {
	idle, ok := r.pool.Get().(*room[T])
	if !ok {
		idle = new(room[T])
	}
	if cap(idle.elements) < n {
		idle.elements = make([]T, 0, n)
	}
	return idle
}

// leave takes the elements of a stack that were in the room at first, without what is
// in them.
func (r *rooms[T]) leave(in *room[T], elements []T) {
	if in == nil || cap(elements) > r.most {
		return
	}
	clear(elements[:cap(elements)])
	in.elements = elements[:0]
	r.pool.Put(in)
}

// leaveStacks ends the time of the stacks.
func (e *encoder) leaveStacks() {
	columnRooms.leave(e.columns.room, e.columns.many)
	shapeRooms.leave(e.shapes.room, e.shapes.many)
	indexRooms.leave(e.indexes.room, e.indexes.many)
}

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
