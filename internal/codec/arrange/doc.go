// Package arrange puts the members of rows in an order that takes fewer tokens.
// What comes back differs from what was given in the order of members only.
package arrange
