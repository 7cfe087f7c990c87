// Package inplace is the permit to fill the memory of Values before they are
// made. The decoders of this module have it; nobody else can, since nobody else
// imports this package, and so no caller of package wire has a slice that a
// Value can see.
package inplace

// A Token is the permit. Its zero value permits nothing.
type Token struct{ ours bool }

// Permit returns the permit. Who uses it keeps what it asks for: slots are not
// touched any more once the Value of them is made.
func Permit() Token { return Token{ours: true} }

// Check panics if the token is not from Permit.
func (t Token) Check() {
	if !t.ours {
		panic("wire: slots without a permit")
	}
}
