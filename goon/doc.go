// Package goon implements GOON (Graph Object Output Notation), a line-oriented
// text for the answers of graph queries, made for language models to read.
//
// # The document
//
// The package implements "GKG ADR 012: GOON Format", wire version 1.0.0, and
// reads and writes the pagination of later versions as well. A text is
//
//	text     = "@header" LF { field LF }
//	           "@nodes"  LF { type "(" count "):" LF { id { " " pair } LF } }
//	           ( "@edges" LF { type "(" count "):" LF { ref " --> " ref [ " depth=" n ] LF } }
//	           | "@paths" LF { "path=" n ": " ref { " --" type "--> " ref } LF } )
//	           [ "@rows"  LF { [ pair { " " pair } ] LF } ]
//	field    = name ":" text            query_type, goon_version, nodes, edges …
//	pair     = name "=" value           and after a cut text:  name_len=N
//	ref      = type ":" id
//	value    = bare | quoted            bare: [A-Za-z0-9_\-:./@+]+
//
// A path that is broken has a line for each of its pieces, all of its number.
//
// Nodes are grouped by type and ordered by id, properties from identity to
// long text, edges by relationship. Responses of type path_finding have
// @paths instead of @edges; aggregations have @rows, and the nodes that their
// rows are grouped by are listed once in @nodes. Texts of more than 1,000
// characters, 200 for name, title, description, body and note, are cut, and
// the length of the whole text follows.
//
// # What a program calls
//
// [Response] is the typed model.
//
//   - From a server's JSON: [ParseJSON]; from a value [FromValue]; from a list
//     of other objects [FromList]; from a program the Builder of package response, or
//     [NewNode] and the fields of Response.
//   - To text and back: [Codec.AppendResponse], [Codec.DecodeResponse], or [Marshal]
//     and [Unmarshal] with a Response. A [Node]'s members are [Node.Get] and
//     [Node.Properties].
//   - As any format: [Codec] accepts responses in their JSON form and refuses
//     every other value; so do [Marshal], [Unmarshal].
//   - To tell a text from JSON: [Codec.Sniff]. Out of the JSON envelope that the REST
//     API puts around it: [ExtractResult].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
//
// # What gets lost
//
// GOON is a rendering and lossy by design. A decoded text has no null or empty
// properties; no text after a cut; no control characters but line feed,
// carriage return and tab; no difference between the text 18 and the number
// 18, between 1.0 and 1, or between a list and its JSON text. The order of
// nodes and edges, repeated edges, format_version, the alias of a group column,
// step numbers of paths (they are counted anew), depths in paths and places in
// paths outside of path_finding do not come back, nor do cells that are empty or
// of no column, nor the columns of a response that is not an aggregation. What does
// come back is written again as the same bytes, except that a text which was
// quoted for nothing but control characters that quoting drops is bare the
// second time, or left out if nothing else was in it.
//
// # What is deliberate
//
// The document describes an encoder only; the decoder reads everything that an
// encoder of the document's rules writes, checks every count, and refuses a
// text that was cut anywhere, for which it wants the last line feed. (Only rows
// outside of an aggregation are counted nowhere.) What the known servers write
// against the document is read and noted: repeated edges that are counted, no
// @paths or @rows where there are none, dates with a blank. [Codec.Strict]
// refuses that, [Codec.Lenient] overlooks what models do to a text as well.
//
// Names – types, properties, columns – are raw in the document. Here a name that
// would break the grammar is quoted, so no string of the data can begin or end a
// line. NEL, U+2028 and U+2029, which end lines for many readers, are escaped in
// values, too. A path is never joined where its steps do not connect, and an edge
// that has no place in a text is refused. A date and time is bare only in the exact
// form YYYY-MM-DD HH:MM:SS[.fraction] with a valid date; the reference accepts
// others, line feeds included. Edges that differ in depth are different, and the
// header counts what is listed: the document's words. The marker of an empty
// section is always there.
//
// A cut text is known by its breadcrumb: the property description that ends in
// "..." and, as the very next member, description_len above the limit. The
// same two members in JSON mean a cut text too and are written as they
// are, so a decoded response can travel as JSON in between.
//
// The server that GOON was made for has since replaced it by other formats.
package goon
