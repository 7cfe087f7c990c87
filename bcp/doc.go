// Package bcp reads and writes LCP, the LLM Context Pack, since renamed to BCP,
// the Bit Context Protocol: a binary container for what a language model is
// given to read, such as source files, turns of a conversation, results of
// tools, documents and diffs. It implements the document "bcp-wire" (version
// 1.0 of the format) and the layers above it that the document names.
//
// # The format
//
//	payload   = header, { frame }, end, [ index trailer ]
//	header    = magic (4), major, minor, flags, 0          "LCP\0" or "BCP\0", 1, 0
//	frame     = type varint, flags, length varint, body
//	end       = 255 varint, 0, 0                           FF 01 00 00
//	body      = [ length varint, summary ], { field }
//	field     = id varint, wire type varint, value         0: varint; 1: bytes; 2: fields
//	varint    = unsigned LEB128, 1 to 10 bytes
//
// Header flag 1: everything after the header is zstd data. Header flag 2: an
// index trailer, whose form is not defined, follows END.
//
// Block flag 1: the body starts with a summary. Block flag 2: the body is zstd
// data. Block flag 4: the body is the BLAKE3 hash of the real one, as it is
// with its summary and before compression; the real one is in a content store
// or in an earlier block.
//
// Eleven types of block have fields with names: [Code], [Conversation],
// [FileTree], [ToolResult], [Document], [StructuredData], [Diff], [Annotation],
// [EmbeddingRef], [Image] and [Extension]. Blocks and fields that this package
// does not know are kept and written again.
//
// # What a program calls
//
//   - Packs: [Decode] and [Encode], with options [DecodeOptions] and
//     [EncodeOptions]; a [Builder] puts a [Payload] together; [FromManifest] and
//     [Payload.Value] go from and to JSON-like values in the words of the
//     reference's manifests.
//   - Block by block: [EncodeOptions.NewEncoder] and [DecodeOptions.NewDecoder].
//   - Content elsewhere: a [Store], such as [NewMemoryStore] returns.
//   - Any value as one block of JSON: [Codec], [Marshal], [Unmarshal], which take a
//     [*Payload] as what it is.
//   - What went wrong: the code of a [*wire.Error]. Those that the document names are
//     constants, such as [CodeInvalidMagic].
//   - The primitives of the document: [EncodeVarint] and [DecodeVarint], [Header] with
//     [HeaderFlags.HasIndex] and [ReadHeader], [BlockFrame] and [ReadFrame]. They also
//     make the fields for [Block.Extra].
//
// Package pack makes packs of folders, package render makes text for a model of
// a payload, package store keeps content on disk.
//
// # What is deliberate
//
// The magic is the document's "LCP\0" unless "BCP\0" is asked for; both are read
// and kept. END is written with its flags and length, as every implementation
// does; a bare END at the end of the input, which is what the document says, is
// read as well. References resolve against earlier blocks too, so that
// payloads written with [EncodeOptions.Dedup] are complete by themselves. What a
// store returns is hashed again.
//
// Numbers that do not fit their field, values of enumerations without meaning
// (languages excepted), fields of the wrong wire type and text that is not
// UTF-8 are errors, where the reference cuts, guesses or repairs. [DecodeOptions.Strict]
// and Lenient move that line.
//
// Lengths are compared with the bytes that are there before memory is taken
// for them, from a reader in steps of at most 64 KiB or the bytes read so far.
// zstd data stop at the limit ([Limits]) while they inflate; by default it is in
// proportion to the payload.
//
// Errors are [*wire.Error] with the offset in the payload, which a message
// mentions, and the path of the field: /blocks/3/entries/0/name. Errors in
// compressed bodies carry the offset of the body.
package bcp
