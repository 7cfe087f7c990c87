// Package gcx reads and writes GCX1, the Gortex Compact Wire Format, a
// tab-separated text format for the results of MCP tools. It implements the
// document "GCX1, Gortex Compact Wire Format", draft v1.
//
//	GCX1 tool=search_symbols fields=id,kind,line rows=2 total=7
//	# 2 matches
//	a.go::Foo	function	10
//	b.go::Bar	type	30
//
// A payload is one or more sections. A section is a header line and its rows:
//
//	header  = "GCX1" " tool=" name " fields=" field { "," field } { " " key "=" value }
//	row     = cell { TAB cell }
//	comment = "#" text
//
// Cells escape backslash, TAB and LF as \\, \t and \n; a backslash before any
// other character is that character. Cells missing at the end of a row are
// empty, cells too many are an error, blank lines are ignored. A line that
// begins with a header ends the section.
//
// # What a program calls
//
//   - Any value: [Codec.AppendEncode] and [Codec.Decode], the document's generic
//     fallback and its inverse. Go values: [Marshal], [Unmarshal].
//   - Results of tools in a layout of their own, structs that embed [Extras] as those
//     in package layouts do: [Marshal] and [Unmarshal], or [Codec.AppendResult] and
//     [Codec.DecodeResult].
//   - Sections whose cells are text: [Codec.AppendSections] and
//     [Codec.DecodeSections]; row by row [Codec.NewEncoder] and
//     [Codec.NewDecoder] with its NextSection and Rows. [RowSection] and
//     [Section.Scan] make them of structs and the reverse.
//   - The document's envelopes of requests, tool definitions and errors: package
//     envelope.
//   - To recognise a payload where JSON is expected: [Codec.Sniff].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
//
// # Values
//
// The generic fallback writes an object as one row, an array of objects as one
// row each, and every other value, or element of an array, as a cell of the
// field "value"; arrays and objects inside a cell are compact JSON. Cells have
// no types, and the fallback sorts the fields and writes nothing for null, for
// "" and for a member that is missing. The zero Codec loses nothing of that:
//
//   - Fields are in the order of the members. Objects whose orders contradict
//     each other, or that have hardly a member in common, become cells of JSON.
//   - A cell that reads as a number, a boolean, an array or an object is one.
//     Where that, or an empty cell, would not give a column's values back, the
//     header has types= with one letter for each column, the last for all that
//     follow: a and s where an empty cell is "", m and M where it is a missing member, n
//     and N where it is null; capitals and s have strings only. Homogeneous columns
//     need none.
//   - An array has rows= and its number of rows, a payload of several sections
//     sections= and their number. Readers compare, so a payload that was cut is
//     noticed.
//   - An object around lists becomes one section for each list, its scalars
//     pairs of the headers. Codec.Single keeps it one row.
//
// Every other decoder sees one or two more pairs in a header. Codec.Plain
// writes the document's bytes and declares what they lose.
//
// A payload of another producer is read in the same way. Without rows= and
// types= a single row is an object, any other number of rows an array. Further
// pairs of the header make it an object of those pairs and the member "rows";
// several sections, or a tool with a dot, an object of arrays with the text
// after the dot as keys. If those keys are not distinct, the value is the
// array of the sections.
//
// # What the document leaves open
//
// A first cell that begins with # or GCX and a digit is written with a
// backslash before it: without, it would be a comment, or begin a section that
// its text makes up. Spaces in headers are written as backslash and space,
// commas in fields and equals signs in keys alike; the document demands an
// escape and names none. The reference decoders read the former and reject the
// latter, as they reject the raw space; Codec.Interop refuses what they would
// not read. A row of one empty cell is a blank line, which is a row only where
// rows= is the number of rows, or where it is rows=*, there are types= and the field
// is not "value". A CR, for which the document has no escape, is stripped from the
// cells and headers of sections and layouts and by Codec.Plain; other values
// keep it.
//
// A payload of another version gives an error that wraps [wire.ErrVersion]; a
// caller can then ask for JSON instead.
package gcx
