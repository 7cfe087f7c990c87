// Package tron reads and writes TRON, Token Reduced Object Notation, which has nothing to
// do with the blockchain of that name: JSON after a header of classes, which name the
// members of objects whose shape repeats, anywhere in a document.
//
//	class A: id,name,role
//
//	{"users":[A(1,"Ada","admin"),A(2,"Bob","user")],"owner":A(3,"Eve","user")}
//
// A(1,"Ada","admin") is the object of the members of A, in their order, with these values.
// Everything else is JSON (RFC 8259), so a document without classes is JSON.
//
//	document = *( class sep ) value *sep
//	class    = "class" Name [ "(" Name ")" ] ":" member *( ( "," / newline ) member ) [ "," ]
//	sep      = ";" / newline, with white space
//	value    = JSON's, whose lists may end in a comma, or an instance
//	instance = Name "(" value *( "," value ) *( "," member "=" value ) [ "," ] ")"
//	member   = Name / string
//	Name     = a letter or _, and letters, digits and _
//
// A class in parentheses is a parent, whose members precede the class's own. Comments begin
// with # and end with their line.
//
// The specification is tron-format/tron-format.github.io, as of December 2025.
//
// # What is deliberate
//
//   - Keys keep their order and their number: an object is an instance of a class that has
//     its very keys, in its order. A member that is absent makes another shape; null is null.
//   - A class is written where it takes fewer bytes and, as a rule, fewer tokens: for 4
//     objects of 2 members, 3 of 3, 2 of 4 and more, 8 of 1. A document is never longer than
//     as compact JSON. The same value is always written as the same text.
//   - A line that begins with a name or a string after a class may be a member or data. It is
//     data if a parenthesis follows the name, or nothing the string.
//   - Numbers and strings are JSON's, unlike in the published reader, and numbers keep their
//     text.
//
// A stream of records is an array whose classes precede the first record: those of the
// columns and of the objects in the first record. Records of other shapes are objects.
package tron
