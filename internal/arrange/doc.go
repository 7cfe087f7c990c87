// Package arrange puts the members of rows in an order that takes fewer tokens.
// What comes back differs from what was given in the order of members only.
//
// The programs of the playground show formats in their default configuration and
// have to be small. In them the functions return what they are given.
package arrange
