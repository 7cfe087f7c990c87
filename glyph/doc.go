// Package glyph implements GLYPH-Loose, the schema-optional subset of GLYPH: a
// compact text for JSON-like data that language models read, with a canonical
// form for hashing, caching and comparing.
//
// # The document
//
// The package implements "GLYPH-Loose Mode Specification", spec id
// glyph-loose-1.0.0 of 2026-01-13. The text of a value is
//
//	value  = "_"                          null; also read: ∅ null none nil
//	       | "t" | "f"                    bool; also read: true false
//	       | number                       42, 3.14, 1e-06
//	       | word | string                hello, "hello world"
//	       | "^" id | "b64" string | time ^user:42, b64"AAEC", 2025-01-13T12:34:56Z
//	       | "[" [ value { " " value } ] "]"
//	       | "{" [ key "=" value { " " key "=" value } ] "}"
//	       | table
//	table  = "@tab _ " [ "rows=" n " cols=" n " " ] "[" key { " " key } "]" LF
//	         { "|" cell { "|" cell } "|" LF } "@end"
//	key    = word | string | "#" n        #n under a schema directive only
//
// A word begins with a letter or "_" and goes on with letters, digits, "_",
// "-", "." and "/". In a cell every "|" is written "\|", and a list is never a
// table.
//
// # Profiles
//
// One value has several such texts, and a [Profile] chooses. [ProfileLossless], the zero
// Codec's, changes nothing: members keep their order, numbers their spelling, and
// a key that a table's row lacks is an empty cell. A list of at least three
// objects is a table where that is shorter.
//
// [ProfileCanonical] is the document's canonical form, which [CanonicalizeLoose]
// and the document's other functions use. Members are in the
// bytewise order of their keys' canonical text, so a quoted key comes before a
// bare one; numbers are doubles; a list of at least three objects that share at
// least half of their keys is a table of at most 20 columns. [ProfileExact] is canonical
// too and keeps what ProfileCanonical rounds.
//
// The parser reads more than the encoder writes: any JSON text, any white
// space, commas between elements, ":" for "=". What it cannot read is an error
// with a position, never a guess.
//
// # What a program calls
//
//   - Values: [Codec]. Go values: [Marshal], [Unmarshal]. The
//     document's canonical text: [CanonicalizeLoose], with its options
//     [CanonicalizeLooseNoTabular] and [CanonicalizeLooseWithOpts] (of
//     [DefaultLooseCanonOpts]); the hash of a text: [Codec.Fingerprint].
//   - JSON: [FromJSONLoose] and [ToJSONLoose], with options [BridgeOpts].
//   - Tables row by row: [Codec.NewTableWriter] and [Codec.Records]. One table as
//     Go maps: [ParseTabularLoose].
//   - Keys as numbers across messages: [NewSchemaContext] and
//     [NewSchemaContextWithID]; the sender writes [CanonicalizeLooseWithSchema],
//     the receiver keeps a [SchemaRegistry], which [ParseLoosePayload] fills.
//   - Patches: [Diff], or [NewPatchBuilder] with WithBaseValue or
//     WithBaseFingerprint; [Patch.AppendText], [ParsePatch], [Patch.Apply].
//   - Schemas: [NewSchemaBuilder] with AddStruct and AddOpenStruct of [Field]s, which
//     are of a [PrimitiveType], [ListType], [MapType] or [RefType];
//     [ValidateWithSchema], [ValidateStrict], [Schema.As].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
//
// # Names from the document
//
// The names with Loose and Opts, [Map], [MapEntry], [Int] and [Str],
// [ValidateWithSchema] and [ValidateStrict], the builders and their Build are those
// of the document, whose snippets compile as they are. Build returns no error: a patch that
// a mistake was made in has no text and applies to nothing, and no value is valid under
// such a schema.
//
// # What is deliberate
//
// Where the document is silent or disagrees with the reference implementations,
// this package decides as follows. The string "_" is quoted as a value and bare
// as a key. Under ProfileCanonical, whole numbers beyond ±(2^53-1) are written as floats,
// as the document's corpus has them, and a key that a table's row lacks is null
// when read back, as the document shows; times are in UTC. Sorted keys under a
// schema are in the order of their numbers, and #N that is none of them is an
// error. A patch keeps the order of its operations and is applied only to the
// base that it names. Bare words depend on the tables of package unicode, that
// is on Go's version.
package glyph
