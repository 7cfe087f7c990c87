// Package md carries tables of scalars as Markdown, and records as lines of keys and
// values: what language models have read most of.
//
// # Grammar
//
// A table is one of GitHub Flavored Markdown (section 4.10), an object a row:
//
//	table     = header delimiter { row }
//	header    = "|" { " " name " |" } LF
//	delimiter = "|" { " --- |" } LF
//	row       = "|" { " " [ cell " " ] "|" } LF
//
// A cell in JSON's grammar is that scalar: 12, -0.50, true, null, "12". Any other is the
// string that it spells, in which \| is a bar; so strings are quoted only where they
// would read as something else, are empty, begin or end with a space, or have control
// characters. In quotation marks a bar is \u007c. An empty cell is a member that the row
// does not have.
//
// With [Codec.KV] each record is a numbered heading and a list:
//
//	records = { "## " number LF LF { "- " key ": " value LF } }
//
// Strings and keys are quoted as in cells; arrays and objects in a record are compact
// JSON. An object on its own has the heading "## record".
//
// # What a program calls
//
// Values: [Codec]. Go values: [Marshal], [Unmarshal]. The further
// methods of [Codec] are those of the interfaces of package wire.
//
// Streams of rows have their header first, so [Codec.NewRecordWriter] is given the names;
// the records of md:kv need none.
//
// # What is read
//
// [Codec.Decode] tells the two forms apart. Of tables it reads what renderers accept:
// colons in the delimiter row, spaces around cells, no outer bars, empty names, cells that
// begin with a quotation mark and are not JSON. It refuses what they would fill up or leave
// out: a row of another width than the header. Text before or after a table is an error, for
// the table is the document, and so is a last row that seems to be cut off.
//
// # What is lost
//
// In tables, the order of members that a row has in another one than the header. Bytes
// and times become the text that JSON gives them.
package md
