// Package inplace says who belongs to this module: the token that opens wire.Internal,
// which fills the memory of Values before they are made, and the description of what a
// codec can do beside its methods. Packages outside can import neither.
package inplace

import "reflect"

// A Token opens wire.Internal. The zero Token opens nothing: type inference can give that
// to anyone who sees a signature with one, and therefore no Token is ever passed to a
// function that another module may have written.
type Token struct{ ours bool }

// Ours returns the token. Callers keep the rules of what they call: slots are not
// touched once the Value of them is made.
func Ours() Token { return Token{ours: true} }

// Check panics if the token is a zero one.
func (t Token) Check() {
	if !t.ours {
		panic("wire: Internal is for the packages of wirekit")
	}
}

// A Target is what package wire has a codec of this module decode into: nil is memory that
// is reused, a [Record] a Go value, anything else is known to package wire alone. A codec
// passes it on to the Builder that borrows.
type Target interface{ Target() }

// Owned is the target of Values that belong to the caller.
type Owned struct{}

// Target implements [Target].
func (Owned) Target() {}

// A Record is the target of a stream's records, which are stored in what V points to before
// the next one is read. A codec may do that itself, without a Value of the record.
type Record struct {
	V      any  // points to a variable that is zero; nil if all records need Values
	Stored bool // the codec has stored the last record, and yields no Value of it

	missed int // records in a row that needed Values
}

// Target implements [Target].
func (*Record) Target() {}

// mostMissed is after how many records in a row that need Values no other is tried.
const mostMissed = 16

// Read has read store the next record and reports whether it did; if not, the variable is
// zero again.
func (r *Record) Read(read func() bool) bool {
	if r.V == nil || r.missed == mostMissed {
		return false
	}
	if r.Stored = read(); r.Stored {
		r.missed = 0
	} else {
		r.missed++
		reflect.ValueOf(r.V).Elem().SetZero()
	}
	return r.Stored
}
