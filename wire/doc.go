// Package wire holds the value model and the contract that every codec of
// wirekit keeps.
//
// # Values
//
// A [Value] is one value of JSON's data model, with bytes and time added:
// null, bool, number, string, bytes, time, array or object (the terms are
// those of RFC 8259). It differs from map[string]any in what it keeps: the
// order of members, and numbers exactly as they are spelled, of any size. It is
// 24 bytes long, immutable, and safe to share between goroutines. Objects of
// one shape share one [Keys], so a table of ten thousand rows holds its column
// names once, and "all rows have these columns" is a comparison of pointers.
//
// Values come from text ([ParseJSON], or any codec's Decode), from Go values
// ([FromGo]), from constructors ([String], [Int], [Array], [Object], [ObjectOf] …), or
// from a [Builder] of objects, which decoders use. They go to text ([AppendJSON], or any codec's
// AppendEncode) and to Go values ([ToGo]).
//
// [Equal] compares data, [Identical] also order and spelling, and [Difference]
// names what was lost between two values.
//
// # What a program calls
//
//   - Go values to a format's bytes and back: [Marshal], [Unmarshal],
//     [DecodeAs], with [Options]; from readers and to writers: [MarshalWrite],
//     [UnmarshalRead]; record by record, of a type: [NewEncoder], [NewDecoder].
//   - Values: [ParseJSON], [FromGo], [ToGo], the constructors, [Value]'s accessors,
//     [Equal], [Difference].
//   - Codecs by name: [NewRegistry], or package wirekit, which has one with all.
//   - Documents that only pass through: [View] and [ViewRecords] reuse their memory.
//   - Documents of strangers: [Untrusted]. What went wrong: [Error] and its kinds.
//   - A type's own way into values and back: methods MarshalWire() (Value, error) and
//     UnmarshalWire(Value) error; for types of other packages [MarshalersOf],
//     in [Options].
//
// # Codecs
//
// A [Codec] writes values in one format and reads them back. Codecs are plain
// structs whose zero value is the documented default and whose fields are
// options:
//
//	text, err := gcf.Codec{}.AppendEncode(nil, v)
//
// "Encode" and "decode" mean the way between a Value and a format's bytes;
// "marshal" and "unmarshal" mean the way between a Go value and bytes, through
// a Value. [JSON] is a codec too, so JSON takes part everywhere
// as the baseline.
//
// An [Info] declares what a codec may lose; a codec that declares nothing is
// lossless, and package conformance holds each to what it declares. [Limits]
// bound depth, sizes and counts; every error is an [*Error] with a code, a position or a
// path, and a kind for errors.Is.
//
// # For authors of codecs
//
// A codec must have the three methods of [Codec]; its example is a whole one. What more
// it can do is said there, and by [Streamer] with [RecordWriter].
// The codecs of this module have a method Internal besides, by which this package reuses
// their memory, reads a stream on several goroutines and finds their variants; a codec of
// another module needs none.
//
//   - Decoding: a [Builder] makes objects that share key lists; [ErrorAt] gives an error its
//     place; [Limits.Resolved] has the numbers to compare with.
//   - Encoding: the objects of a table share their [Value.Keys], [Value.Text] is the text of
//     strings and numbers, [AtKey] and [AtIndex] put the path into an error.
//   - Declaring: [Info] and [Loss], which [Difference] measures.
package wire
