// Package govalue is the folder of Go types and of the walk over their values: where a
// type's fields are and under which keys, and how variables are read and stored by address.
//
// It is below package wire. Its packages import the standard library, internal/base and
// each other only.
package govalue
