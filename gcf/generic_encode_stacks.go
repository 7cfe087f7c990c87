package gcf

// The stacks of an encoder hold a few elements in the encoder itself, which
// lies in AppendEncode's frame, and move to the heap when there are more: an
// ordinary document is encoded without an allocation. Slices into the frame
// would not do, because the compiler takes whatever is stored behind a pointer
// for escaping.

// columnStack holds the columns of the tables being written.
type columnStack struct {
	n    int
	few  [24]column
	many []column // all of them, once there are more
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
		s.many = append(append(make([]column, 0, 4*len(s.few)), s.few[:]...), c)
	}
	s.n++
}

// shapeStack holds the shapes of the tables being written.
type shapeStack struct {
	n    int
	few  [8]shape
	many []shape // all of them, once there are more
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
		s.many = append(append(make([]shape, 0, 4*len(s.few)), s.few[:]...), v)
	}
	s.n++
}

// indexStack holds the columns of the shapes' members, and scratch lists of
// members by column.
type indexStack struct {
	n    int
	few  [128]int32
	many []int32 // all of them, once there are more
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
		s.many = append(make([]int32, 0, 4*s.n), s.few[:from]...)
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
