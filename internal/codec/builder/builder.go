// Package builder is wire.Builder with what only this module's decoders may do: fill the
// memory of Values before these are made. What each method demands of its caller is said
// at the method that has its name, of wire.Internal or of what its Fill returns.
package builder

import (
	"iter"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A Builder is a [wire.Builder]. No value that a program outside can get at has one as an
// embedded field: its methods would be those of the value.
type Builder wire.Builder

// Object begins an object.
func (b *Builder) Object() wire.ObjectBuilder { return (*wire.Builder)(b).Object() }

// Key begins a member and reports whether the key is new to the object.
func (b *Builder) Key(o *wire.ObjectBuilder, key string) (fresh bool) {
	return (*wire.Builder)(b).Key(o, key)
}

// Put ends a member with its value.
func (b *Builder) Put(o *wire.ObjectBuilder, v wire.Value) { (*wire.Builder)(b).Put(o, v) }

// EndObject returns the object.
func (b *Builder) EndObject(o *wire.ObjectBuilder) wire.Value { return (*wire.Builder)(b).EndObject(o) }

// Mark returns the height of the stack of children.
func (b *Builder) Mark() int { return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Mark() }

// Reserve makes room for n more children on the stack.
func (b *Builder) Reserve(n int) { wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Reserve(n) }

// Push puts a child on the stack.
func (b *Builder) Push(v wire.Value) { wire.Internal.Push((*wire.Builder)(b), v) }

// Array returns the array of the children above mark, which leave the stack.
func (b *Builder) Array(mark int) wire.Value { return wire.Internal.Array((*wire.Builder)(b), mark) }

// Row returns the object that has the children above mark as the values of keys.
func (b *Builder) Row(keys *wire.Keys, mark int) wire.Value {
	return wire.Internal.Row((*wire.Builder)(b), keys, mark)
}

// Text returns a string with a copy of p.
func (b *Builder) Text(p []byte) string { return wire.Internal.Text((*wire.Builder)(b), p) }

// Borrow gives the Builder memory that other documents had before.
func (b *Builder) Borrow(to inplace.Target) {
	wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Borrow(to)
}

// GiveBack ends the time of what was made since Borrow.
func (b *Builder) GiveBack(err error) {
	wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).GiveBack(err)
}

// View calls f with what read returns, in memory that is reused, and returns its error.
func (b *Builder) View(to inplace.Target, read func() (wire.Value, error), f func(wire.Value) error) error {
	b.Borrow(to)
	v, err := read()
	if err == nil {
		err = f(v)
	}
	b.GiveBack(err)
	return err
}

// Records yields the records of a stream, in memory that is reused. An error is yielded once
// that is given back.
func (b *Builder) Records(to inplace.Target, records iter.Seq2[wire.Value, error], yield func(wire.Value, error) bool) {
	b.Borrow(to)
	var failed error
	records(func(v wire.Value, err error) bool {
		failed = err
		return err == nil && yield(v, nil)
	})
	b.GiveBack(failed)
	if failed != nil {
		yield(wire.Value{}, failed)
	}
}

// EndRecord ends a record of a stream.
func (b *Builder) EndRecord() { wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).EndRecord() }

// NewKeys is wire.NewKeys for names in a text that the Builder has copied.
func (b *Builder) NewKeys(names ...string) (*wire.Keys, error) {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).NewKeys(names)
}

// Copy returns a copy of a document, for Values to point into.
func (b *Builder) Copy(text []byte, padding string) string {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Copy(text, padding)
}

// NewCells returns a Builder that parses JSON in cells.
func NewCells() *Builder { return (*Builder)(wire.Internal.CellBuilder(inplace.Ours())) }

// CopyCells is Copy for a document that has such cells.
func (b *Builder) CopyCells(text []byte) string {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).CopyCells(text)
}

// ParseCell parses a cell, or what lies in the document.
func (b *Builder) ParseCell(cell []byte, from, end, column, depth, values int) (v wire.Value, left int, err *wire.Error) {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).ParseCell(cell, from, end, column, depth, values)
}

// Room returns a buffer for n bytes of text.
func (b *Builder) Room(n int) []byte {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Room(n)
}

// TextOf returns text in such a buffer as a string.
func (b *Builder) TextOf(text []byte) string {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).TextOf(text)
}

// Unescape returns the string that has the text s[start:i] and what follows it, with its
// escapes decoded, up to what ends it, and where that is.
func (b *Builder) Unescape(e *scan.Escapes, s string, start, i int) (text string, end int) {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Unescape(e, s, start, i)
}

// Slots returns memory for the n values of an object.
func (b *Builder) Slots(n int) []wire.Value {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Slots(n)
}

// RowOf returns the object that has slots as the values of keys.
func (b *Builder) RowOf(keys *wire.Keys, slots []wire.Value) wire.Value {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).RowOf(keys, slots)
}

// RowFrom returns the object that has a copy of values as the values of keys.
func (b *Builder) RowFrom(keys *wire.Keys, values []wire.Value) wire.Value {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).RowFrom(keys, values)
}

// KeysSoFar returns the keys of an object whose values are not put.
func (b *Builder) KeysSoFar(o *wire.ObjectBuilder) *wire.Keys {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).KeysSoFar(o)
}

// KeyOf is Key for an object whose values are not put; it returns the position of the value.
func (b *Builder) KeyOf(o *wire.ObjectBuilder, key string, next int) int {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).KeyOf(o, key, next)
}

// Growing returns an object of the first values of slots, to which others are added.
func (b *Builder) Growing(keys *wire.Keys, slots []wire.Value) wire.Value {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Growing(keys, slots)
}

// Elements returns memory for the n elements of an array; n is not 0.
func (b *Builder) Elements(n int) []wire.Value { return b.Slots(n - 1)[:n] }

// ArrayOf returns the array of elements.
func (b *Builder) ArrayOf(elements []wire.Value) wire.Value {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).ArrayOf(elements)
}

// Untake returns the memory of elements of which no array is made.
func (b *Builder) Untake(elements []wire.Value) {
	wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).Untake(elements)
}

// KeyIn is Key for a predicted key in a text.
func (b *Builder) KeyIn(o *wire.ObjectBuilder, text string, i int, separator byte) int {
	return wire.Internal.KeyIn((*wire.Builder)(b), o, text, i, separator)
}

// KeysOf returns the keys of an object that was just made.
func (b *Builder) KeysOf(v wire.Value) *wire.Keys {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).KeysOf(v)
}

// MakesGo reports whether containers become Go values as soon as they are made.
func (b *Builder) MakesGo() bool {
	return wire.Internal.Fill(inplace.Ours(), (*wire.Builder)(b)).MakesGo()
}

// NumberText returns the number that text, which follows JSON's grammar, spells.
func NumberText(text string) wire.Value { return wire.Internal.NumberText(inplace.Ours(), text) }

// Decimal returns the number without an exponent that s has at i, and where it ends, as
// [scan.Decimal] does. What follows may make it another, or something else.
func Decimal(s string, i int) (wire.Value, int) {
	n, end, whole := scan.Decimal(s, i)
	if !whole && end > 0 {
		return NumberText(s[i:end]), end
	}
	return wire.Int(n), end
}

// BytesText returns a byte string that points into s.
func BytesText(s string) wire.Value { return wire.Internal.BytesText(inplace.Ours(), s) }

// AppendNested appends a part of a longer text of JSON.
func AppendNested(dst []byte, v wire.Value, depth, max int) ([]byte, error) {
	return wire.Internal.AppendNested(inplace.Ours(), dst, v, depth, max)
}

// Map returns v with what scalar makes of each value in it that is neither array nor object.
func Map(b *Builder, v wire.Value, scalar func(wire.Value) wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		mark := b.Mark()
		for e := range v.Elements() {
			b.Push(Map(b, e, scalar))
		}
		return b.Array(mark)
	case wire.KindObject:
		o := b.Object()
		for key, member := range v.Members() {
			b.Key(&o, key)
			b.Put(&o, Map(b, member, scalar))
		}
		return b.EndObject(&o)
	}
	return scalar(v)
}

// Count returns the number of values in v, or a number above most.
func Count(v wire.Value, most int) int {
	n := 1
	for e := range v.Elements() {
		if n += Count(e, most-n); n > most {
			break
		}
	}
	return n
}
