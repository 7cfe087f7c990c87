// Package outline lists what program texts declare, without a parser for each
// language: the heads of types and functions, with what is in a class below
// it, and their names.
//
// A scanner knows how a family of languages writes comments, strings and
// blocks. In languages with braces it keeps the heads at the top and inside
// classes, modules and the like, and passes over the bodies of functions; in
// Python it goes by indentation; in Ruby, Lua, Elixir, Perl and shell by how
// lines begin. Everything takes time in proportion to the text, and what a
// scanner does not understand costs heads, never more.
package outline

// A Head is one declaration.
type Head struct {
	Text  string // on one line
	Name  string // what is declared; may be empty
	Depth int    // how many classes or the like are around it
	Type  bool   // it declares a class or the like
	Value bool   // it declares a property of Swift, or has nothing else

	// Exports are the names that a statement of a script exports that declares none:
	// export { a, b as c } from "./d". It is not nil for one.
	Exports []string

	comment []byte // about it
	private bool   // by a label before it, or as what has none in a class
}

// MaxHead bounds the text of a head, in bytes.
const MaxHead = 400

// mostHeads bounds what is listed of one file.
const mostHeads = 20_000

// Known reports whether files with a suffix, such as ".py", have an outline.
func Known(ext string) bool { return languages[ext] != nil }

// Heads lists the declarations of a text, by the suffix of the file it is in.
func Heads(ext string, src []byte) []Head {
	l := languages[ext]
	if l == nil {
		return nil
	}
	s := scanner{lang: l, src: src}
	switch {
	case l == python:
		return indented(&s)
	case l.head != nil:
		return lineHeads(&s)
	}
	return braces(&s)
}
