// Package yaml reads YAML 1.2 by its core schema, and writes it so that readers
// of 1.1 and 1.2 see the same.
//
// Struct fields are named by their json tags, or wire tags, as everywhere in this
// module; tags of the form yaml:"…" are not read.
//
// # What a program calls
//
//   - Values: [Codec]. Go values: [Marshal], [Unmarshal].
//   - One document after the other: [Codec.NewRecordWriter] and [Codec.Records].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
//
// # What is read
//
// A document's mappings, sequences and scalars become objects, arrays, strings,
// numbers, booleans and null. The order of members and the digits of numbers
// are kept; numbers in YAML's own spellings (+1, .5, 0x1F, 0o17, 007) become
// JSON's. Text is parsed with go.yaml.in/yaml/v4; where documents and lines end
// and which plain scalar is what is decided here:
//
//	null     null Null NULL ~ and nothing
//	boolean  true True TRUE false False FALSE
//	number   YAML 1.2.2, section 10.3.2, without infinities and not-a-number
//	string   everything else: yes, no, on, 2026-01-09, 1:20, 1_000
//
// Aliases become copies, counted as such against Limits.Values; unless that is
// set, they are as few as keeps their memory in proportion to the text: 300,000
// with all that the text holds, and one for two bytes beyond a megabyte. The strings
// and keys that they copy have at most 8 MiB and 8 times the text's bytes, or
// Limits.OutputBytes if that is more. A plain
// key << merges mappings as YAML 1.1 has it. The tags !!str, !!int, !!float, !!bool,
// !!null, !!map, !!seq, !!set, !!omap and !!binary (bytes) are understood; any other is an
// error, as are keys that are not scalars, duplicate keys, aliases to what they
// are in, and .inf and .nan.
//
// # What is written
//
// Block style, two spaces a level; what is nested deeper than 16 levels is
// written in flow style. A string is plain if no version of YAML and no
// common reader takes it for something else, as a literal block if it has
// several lines that a block keeps, and in double quotes otherwise. A number with
// an exponent that YAML 1.1 takes for a string has the tag !!float: "!!float 1e-7".
//
// # Documents
//
// A text of several documents is an error for [Codec], unless MultiDocument is set:
// then a value is an array and each element a document. [Codec.Records] reads
// one document after the other in any case.
//
// # What is lost
//
// Nothing of JSON's values; bytes and times become the text that JSON gives them.
// Comments, anchors and styles are not part of a value.
package yaml
