// Package lex is what the profiles of GCF share with the sets of package set: lines,
// headers and scalars, read and written, errors, and the hash of pack roots. Nothing in it
// knows a document's structure.
package lex
