// Package arrange puts the members of rows in an order that takes fewer tokens.
// What comes back differs from what was given in the order of members only.
//
// Its functions take a Builder that is new and used for nothing else. What they make lies in
// memory that it borrows, until its GiveBack.
package arrange
