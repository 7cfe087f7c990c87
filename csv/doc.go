// Package csv carries tables of scalars as comma-separated values, without loss
// for who knows one convention, and as ordinary CSV for who does not.
//
// # Grammar
//
// RFC 4180, with LF written and LF or CR LF read as the end of a line:
//
//	table  = header { row }
//	header = name { "," name } LF
//	row    = cell { "," cell } LF
//	cell   = bare | '"' { any character, '"' doubled } '"'
//
// # What a program calls
//
//   - Values: [Codec]. Go values: [Marshal], [Unmarshal].
//   - One record after the other: [Codec.NewRecordWriter] and [Codec.Records].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
//
// # Convention
//
// A bare cell that is a scalar in JSON's grammar is that scalar: 12, -0.50,
// 1e9, true, null. Any other bare cell is a string: 007, +49, N/A, 12 kg. A
// quoted cell is always a string. An empty bare cell is a member that the row
// does not have, "" the empty string. So a string is quoted only where bare it
// would read as something else or break the grammar; readers of CSV do not tell
// quoted cells from bare ones, and see an ordinary table.
//
// A value is an array of objects, whose members are scalars; the header is the
// union of their names. What has no form is an error with a hint: an array or
// object in a cell, a row without members, a row that lacks the one column of a
// table. An empty array is the empty text.
//
// # Foreign tables
//
// They are read by the same rules. A first line that names the separator, sep=; (see
// [Separator]), and at the end blank lines and rows of separators alone are passed over;
// elsewhere a blank line or an empty row, a row of another width than the header, a name
// that occurs twice and a quotation mark inside of a bare cell are errors. Where tabs part
// cells, which have no quotation marks in the definition of tab-separated values, one that
// a cell does not begin with is a character like any other.
//
// Numbers and bools of Go take quoted cells, and what other programs spell in them: see
// [wire.ToGo].
//
// [Codec] with AllStrings set takes every cell for the string it is.
//
// # What is lost
//
// Members that one row has in another order than the header; bytes and times
// become the text that JSON gives them.
package csv
