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
// ([FromGo]), from constructors ([String], [Int], [Array], [Object] …), or from
// a [Builder], which decoders use. They go to text ([AppendJSON], or any codec's
// AppendEncode) and to Go values ([ToGo]).
//
// [Equal] compares data, [Identical] also order and spelling, and [Difference]
// names what was lost between two values.
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
// a Value. [JSON] and [JSONLines] are codecs too, so JSON takes part everywhere
// as the baseline.
//
// An [Info] declares what a codec may lose; a codec that declares nothing is
// lossless, and package conformance holds each to what it declares. [Limits]
// bound depth, sizes and counts; every error is an [*Error] with the format's
// own code, a position or a path, and a kind for errors.Is.
package wire
