package gotype

import "unsafe"

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
//   - What is handed out of a larger piece of memory has a capacity of its length,
//     so that nobody appends into its neighbour.

// A Ptr is the address of a Go variable.
type Ptr = unsafe.Pointer

// Add returns the address off bytes behind p, within the same variable.
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
