package gotype

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// This file is the only one in which plans touch memory that the type system
// does not watch. What holds it together:
//
//   - A Ptr is the address of a variable of the type that its plan was made for,
//     or nil. It comes from reflect (Value.UnsafePointer), from a pointer or a
//     slice that was read through it, or from Add.
//   - Add stays within one variable: offsets are those of fields, multiples of an
//     element's size below a slice's length. An address is never held as a
//     number, so the collector sees every one.
//   - At is used with the variable's own type or one of the same layout: a named
//     type's underlying one, Slice for any slice, a pointer for any pointer. So
//     what is stored through it has its write barrier.
//   - Memory for values of a program's types is made by reflect or by a typed
//     make: the collector knows what is in it.
//   - Held takes an interface apart. What it says is used for pointers, slices and
//     structs of more than one word only, and what the interface holds is read and
//     never written.
//   - What HoldString and HoldFloat return refers to a variable that no one writes
//     any more, as what an interface holds never changes.
//   - What Room returns was made for a string that no one has.
//   - What is handed out of a larger piece of memory has a capacity of its length,
//     so that no one appends into its neighbour.

// A Ptr is the address of a Go variable.
type Ptr = unsafe.Pointer

// Add returns the address off bytes after p, within the same variable.
func Add(p Ptr, off uintptr) Ptr { return unsafe.Add(p, off) }

// At returns p as the address of a T.
func At[T any](p Ptr) *T { return (*T)(p) }

// A Slice is what a variable of any slice type holds.
type Slice struct {
	Data     Ptr
	Len, Cap int
}

// Empty is the Data of slices without elements that are not nil.
var Empty = Ptr(new(struct{}))

// A TypeWord tells types apart: it is what interfaces have for the type of what they
// hold.
type TypeWord struct{ p Ptr }

// IsNil reports whether there is no type.
func (w TypeWord) IsNil() bool { return w.p == nil }

// Hash returns a number that is the same for the same type.
func (w TypeWord) Hash() uintptr { n := uintptr(w.p); return n>>5 ^ n>>12 }

// WordSize is the size of an address.
const WordSize = unsafe.Sizeof(Ptr(nil))

// Held returns the type of what v holds, and its address; if it is a pointer, the
// pointer itself.
func Held(v any) (TypeWord, Ptr) {
	words := At[[2]Ptr](Ptr(&v))
	return TypeWord{words[0]}, words[1]
}

var (
	stringWord, floatWord = wordOf(""), wordOf(0.0)
	mapWord, listWord     = wordOf(map[string]any(nil)), wordOf([]any(nil))
)

// WordFor returns the word that interfaces have for T, which is not an interface type.
func WordFor[T any]() TypeWord {
	var v T
	return wordOf(v)
}

func wordOf(v any) TypeWord {
	word, _ := Held(v)
	return word
}

// HoldString returns an interface that holds the string at p, without a copy.
func HoldString(p *string) any { return hold(stringWord, Ptr(p)) }

// HoldFloat returns an interface that holds the number at p, without a copy.
func HoldFloat(p *float64) any { return hold(floatWord, Ptr(p)) }

// HoldMap returns an interface that holds the map[string]any at p, which is what
// [Held] returned for one.
func HoldMap(p Ptr) any { return hold(mapWord, p) }

// HoldList returns an interface that holds the []any at p, without a copy.
func HoldList(p Ptr) any { return hold(listWord, p) }

func hold(word TypeWord, p Ptr) (v any) {
	*At[[2]Ptr](Ptr(&v)) = [2]Ptr{word.p, p}
	return v
}

// Room returns an empty slice with room for n bytes. They are not cleared, which would
// take as long as some formats take to write them, so whoever hands the slice out
// cuts off what is left of the room.
func Room(n int) []byte {
	var b strings.Builder
	b.Grow(n + 1)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)[:0]
}

// IsZero reports whether all bytes of the variable at p, which has that size, are 0.
//
// It reads words, as they were written: vectors would wait for stores that have just been made.
func IsZero(p Ptr, size uintptr) bool {
	i, bits := uintptr(0), uint64(0)
	for ; i+8 <= size; i += 8 {
		bits |= binary.NativeEndian.Uint64(At[[8]byte](Add(p, i))[:])
	}
	for ; i < size; i++ {
		bits |= uint64(*At[byte](Add(p, i)))
	}
	return bits == 0
}

// Int returns the integer at p, whose type has that op, and whether it is an
// int64; (0, false) if the op is not an integer's.
func Int(op Op, p Ptr) (int64, bool) {
	switch op {
	case Int64:
		return *At[int64](p), true
	case Int32:
		return int64(*At[int32](p)), true
	case Int16:
		return int64(*At[int16](p)), true
	case Int8:
		return int64(*At[int8](p)), true
	case Uint32:
		return int64(*At[uint32](p)), true
	case Uint16:
		return int64(*At[uint16](p)), true
	case Uint8:
		return int64(*At[uint8](p)), true
	case Uint64:
		n := int64(*At[uint64](p))
		return n, n >= 0
	}
	return 0, false
}

// SetInt stores n in the integer at p, whose type has that op, if it is one and can hold it.
func SetInt(op Op, p Ptr, n int64) bool {
	if op.IsUint() {
		return n >= 0 && SetUint(op, p, uint64(n))
	}
	// An int64 that shifting cuts is outside the smaller type's range.
	if cut := 64 - op.Bits(); n<<cut>>cut != n {
		return false
	}
	switch op {
	case Int64:
		*At[int64](p) = n
	case Int32:
		*At[int32](p) = int32(n)
	case Int16:
		*At[int16](p) = int16(n)
	case Int8:
		*At[int8](p) = int8(n)
	default:
		return false
	}
	return true
}

// SetUint is SetInt for a uint64 and the unsigned types.
func SetUint(op Op, p Ptr, n uint64) bool {
	if cut := 64 - op.Bits(); n<<cut>>cut != n {
		return false
	}
	switch op {
	case Uint64:
		*At[uint64](p) = n
	case Uint32:
		*At[uint32](p) = uint32(n)
	case Uint16:
		*At[uint16](p) = uint16(n)
	case Uint8:
		*At[uint8](p) = uint8(n)
	default:
		return false
	}
	return true
}
