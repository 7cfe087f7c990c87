package gotype

import "reflect"

// Slabs is memory for variables: small ones of a type lie side by side. The zero
// Slabs is ready to use.
type Slabs struct{ slabs [maxSlabs]slab }

// A slab is memory for variables of one type.
type slab struct {
	typ  *Type
	free Ptr // nil if nothing is left
	left int
	made int // variables in the last piece
}

const (
	// maxSlabs is the number of types that have a slab.
	maxSlabs = 8
	// maxPiece is the most memory that one variable in use keeps from being
	// freed, maxShared the size from which variables have memory of their own.
	maxPiece  = 4 << 10
	maxShared = 1 << 10
)

// Make returns the memory of n variables of type t in a row, all zero.
func (m *Slabs) Make(t *Type, n int) Ptr {
	size := int(t.Size)
	if n == 0 || size == 0 {
		return Empty
	}
	// A method may want its variable to be an allocation of its own, as
	// runtime.SetFinalizer does.
	if t.Unmarshal != NoMethod || n > maxShared/size {
		return reflect.MakeSlice(t.slice, n, n).UnsafePointer()
	}
	var s *slab
	for i := range m.slabs {
		if s = &m.slabs[i]; s.typ == t || s.typ == nil {
			break
		}
	}
	if s.typ != t {
		if s.typ != nil {
			return reflect.MakeSlice(t.slice, n, n).UnsafePointer()
		}
		s.typ = t
	}
	if s.left < n {
		s.made = max(n, min(2*s.made, maxPiece/size))
		s.free, s.left = reflect.MakeSlice(t.slice, s.made, s.made).UnsafePointer(), s.made
	}
	p := s.free
	if s.left -= n; s.left == 0 {
		s.free = nil // the end of the piece is not an address in it
	} else {
		s.free = Add(p, uintptr(n*size))
	}
	return p
}

// Point makes the pointer at p point to a zero variable of type t, and returns that.
func (m *Slabs) Point(p Ptr, t *Type) Ptr {
	to := m.Make(t, 1)
	*At[Ptr](p) = to
	return to
}

// Clear forgets the memory.
func (m *Slabs) Clear() {
	for i := range m.slabs {
		if m.slabs[i].typ == nil {
			return // slabs are used in their order
		}
		m.slabs[i] = slab{}
	}
}

// Copy copies n variables of type t.
func Copy(t *Type, dst, src Ptr, n int) {
	if n > 0 {
		reflect.Copy(t.list(dst, n), t.list(src, n))
	}
}

// list returns the n variables at p as a slice.
func (t *Type) list(p Ptr, n int) reflect.Value {
	return reflect.NewAt(t.slice, Ptr(&Slice{Data: p, Len: n, Cap: n})).Elem()
}

// Boxes is memory for what empty interfaces hold: strings lie side by side, and so
// do numbers. The zero Boxes is ready to use.
type Boxes struct {
	Bytes int // of all the memory so far

	strings []string
	floats  []float64
}

// String returns an interface that holds s.
func (b *Boxes) String(s string) any {
	return HoldString(box(b, &b.strings, s))
}

// Float returns an interface that holds f.
func (b *Boxes) Float(f float64) any {
	return HoldFloat(box(b, &b.floats, f))
}

// box returns a variable that holds v, in the last piece of its kind or the next one.
func box[T any](b *Boxes, piece *[]T, v T) *T {
	const few, most = 2, maxPiece / 16
	if len(*piece) == cap(*piece) {
		*piece = make([]T, 0, max(few, min(2*cap(*piece), most)))
		b.Bytes += int(reflect.TypeFor[T]().Size()) * cap(*piece)
	}
	*piece = append(*piece, v)
	return &(*piece)[len(*piece)-1]
}

// Clear forgets the memory.
func (b *Boxes) Clear() { *b = Boxes{} }
