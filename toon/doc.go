// Package toon implements TOON, Token-Oriented Object Notation: a text of lines
// in which indentation stands for braces, an array says its length, and a table
// names its fields once.
//
// # The document
//
// The package implements the TOON Specification, version 4.4 of 2026-10-08
// (toon-spec: 4.4), encoder and decoder. A document is
//
//	document = object | array | keyed object | value | "[]" | nothing, which is {}
//	field    = key ":" [ " " value ]           no value: an object, its fields one level deeper
//	         | key ": []"                      the empty array
//	         | header " " value { D value }    an array of primitives
//	         | header rows                     a table, one row a line, one level deeper
//	         | header items                    a list, each item after "- ",  one level deeper
//	header   = [ key ] "[" n [ D ] "]" [ fields ] ":"        an array of n elements
//	         | [ key ] "[" n ":" [ D ] "]" fields ":"        an object of n uniform objects
//	fields   = "{" name [ fields ] { D name [ fields ] } "}"
//	row      = value { D value }               for a keyed object: key ": " value { D value }
//	D        = "," | tab | "|"                 the comma is not written in brackets
//
// Lines that begin with # are comments. A value is null, true, false, a number
// in JSON's grammar, a quoted string, or else a string as it is:
//
//	users[2]{id,name,address{city}}:
//	  1,Ada,London
//	  2,Grace,New York
//	tags[3]: a,b,"c,d"
//	meta:
//	  total: 2
//
// Which form a value has follows from its shape. An array of objects with the
// same keys is a table if every column holds primitives only, or objects that
// are uniform in the same way; an object of at least two such objects is a keyed
// table; an array of primitives is in its header's line; everything else is
// a list or an object of lines.
//
// # What a program calls
//
//   - Values: [Codec]. Go values: [Marshal], [Unmarshal].
//   - Tables of which the number of rows is known, row by row:
//     [Codec.NewTableWriter]; records one after the other:
//     [Codec.NewRecordWriter] and [Codec.Records].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
//
// # Strict and lenient
//
// Decode checks every condition of the specification's section 14. With
// [Codec.Lenient] it applies the five recoveries of section 14.4 and no others:
// counts that are not met, duplicate keys, indentation, blank lines, and lines
// that are too deep.
//
// # What is deliberate
//
// Numbers are exact: the numeric domain is that of decimals of any length, so
// digits beyond a float64 are written and read as they are. NaN and the
// infinities do not exist in the data model. Times are RFC 3339 strings, bytes
// base64. [Codec.KeepOrder] and [Codec.KeepNumbers] keep what canonical output
// changes: the order of members in tables, and the spelling of numbers. Key
// folding and path expansion, which the specification removed in 4.0, are not
// there: a dot in a key is a character.
package toon
