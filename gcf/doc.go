// Package gcf reads and writes GCF, the Graph Compact Format: a text format
// that gives a language model JSON's data in a fraction of the tokens. It
// implements the GCF Specification 3.5.3, which the paper "GCF: A
// Token-Optimized Wire Format for LLM Interactions" introduced at version 3.1.
//
// # The generic profile
//
// A document is a header line and the lines of one value. Nesting is
// indentation, two spaces a level.
//
//	GCF profile=generic
//	name=Ada                               a member: key=scalar
//	tags[2]: x,y                           an array of scalars
//	## address                             a nested object
//	  city=Lagos
//	## orders [2]{id,"customer>name",items} an array of objects: a table
//	@0 O1|Ann|^                            a row; ^ is attached below it
//	.items [2]{sku,qty}
//	    A|1
//	    B|2
//	@1 O2|Bo|~                             ~ is an absent field, - is null
//	## hosts [2:]{key,cpu}                 an object of objects: a keyed table
//	web-1|23
//	db-1|41
//	## mixed [2]                           any other array, item by item
//	@0 =1
//	@1 {}
//
// A scalar is - (null), true, false, a number in JSON's grammar, a string in
// quotation marks with JSON's escapes, or any other text, which is a string as
// it is. Keys are identifiers or quoted strings. Lines that begin with "# "
// are comments. A count of ? is given later, by a "##! summary" line at the
// end.
//
// Column names with ">" between their parts are paths: "customer>name" is the
// member name of the object customer. Every [Codec] reads all of this; it
// writes the one canonical form that the specification prescribes, or, with
// NoFlatten and NoKeyedMaps, the form of version 3.1, or, with Reorder,
// ReorderNested and Dense, forms that take fewer tokens. Where the names of path
// columns would take more than twice what attachments take, the objects are attached.
//
// # What a program calls
//
//   - Values: [Codec], or [EncodeGeneric] and [DecodeGeneric], which are its
//     default. Go values: [Marshal], [Unmarshal].
//   - Records: [Codec.NewRecordWriter] and [Codec.Records]. Objects with tables,
//     written part by part: [Codec.NewStreamEncoder].
//   - Graphs of code: [Encode], [Decode]; with options [GraphCodec.AppendGraph]
//     and [GraphCodec.DecodeGraph]; in parts [GraphCodec.NewStreamEncoder] and
//     [GraphCodec.Items]; to a consumer that has seen part of it
//     [EncodeWithSession], [GraphCodec.AppendWithSession] and [SessionDecoder].
//   - Graphs that change: [DiffGraphs], [EncodeDelta], [DecodeDelta],
//     [ApplyDelta], [PackRoot];
//     [EncodeUnchanged] and [DecodeUnchanged] say that a graph has not changed.
//   - Sets of rows with a key, and what changes in them: package gcf/set.
//
// The further methods of [Codec] and [GraphCodec] are those of the interfaces
// of package wire, by which conversion, detection and streams go.
//
// The paper gives [Encode], [Decode], [EncodeGeneric], [DecodeGeneric],
// [EncodeWithSession], [EncodeDelta], [StreamEncoder] and [GenericStreamEncoder] their
// names.
//
// # What survives
//
// Decoding an encoded value gives an equal value, always. What may differ is
// declared by [Codec.Info]: numbers come back in canonical spelling (1.0 as 1),
// and the members of a table's rows in the order of its columns, which is that
// of the first row that has them; members whose name holds ">" come last in
// their row.
//
// What the format cannot carry is refused: integers outside int64 and decimals
// outside the range of a double, with an error that wraps [wire.ErrRange]. A
// decimal with more digits than a double keeps all of them; readers that
// compute with doubles see the double that JSON would have given them. A
// number's form says whether it is an integer of 64 bits or a double: digits are
// an integer; a point, an exponent, or a Go floating-point number make a double,
// which is written with an exponent from 2^53 on. Equal values may so have two
// texts.
//
// Decoding is strict, as the specification wants: each of its error conditions
// has its code in [wire.Error], in lower case with underscores
// (row_width_mismatch). Two more things are deliberate. Where the
// specification's text and its conformance suite differ, the suite decides:
// strings with a comma or a bar are quoted everywhere. And output is bounded: by
// Limits.OutputBytes if that is set, else by 8 MiB and 8 times what the value
// takes as JSON. Rows that share no members make a table whose size is the
// product of rows and columns, so 100,000 objects with a key of their own each
// end in an error at once.
//
// # Cut documents
//
// A document with deferred counts ends with a summary that gives them. Without
// one it may be cut: it is accepted, as section 8.6 wants, but a last line
// without its line feed is an error, [Codec] tells Warn of a missing summary and
// refuses it with Strict, streams as well.
package gcf
