// Package interop exchanges documents with published implementations of the
// formats in other languages. It holds tests only, with the build tag
// interop: make interop installs the packages with npm into a temporary folder
// and runs them with Node.
package interop
