// Package conformance proves that a codec keeps the promises of the contract
// in package wire. It takes any [wire.Codec], of this module or not:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, mine.Codec{})
//	}
//
// [Run] puts the codec through every corpus and through random values, and
// through the bytes that come of cutting and damaging its own documents:
//
//   - A value comes back [wire.Identical], or differs only in the ways that
//     Info().Loss declares, or is refused with a [*wire.Error] that has format,
//     code, kind, message, and a path that leads to a part of the value.
//   - A codec whose Info().Accepts is empty refuses nothing but text that is
//     not UTF-8 and what exceeds a limit.
//   - AppendEncode leaves what dst held before untouched; on error it returns
//     dst as it was given.
//   - Identical values have one encoding, whatever they are made of; only Go's
//     floating-point numbers from 2^53 on may differ from the same digits.
//   - Encoding what was decoded is stable: after the first decoding nothing
//     more is lost.
//   - Decode leaves src untouched, and the value does not change when src does.
//   - No bytes make Decode panic. Its errors are [*wire.Error]s with format,
//     code, kind, message and a true position, and come with a null value.
//   - All of it holds for goroutines that share the codec.
//
// [Suite] is Run with options: the codec under other limits, more random
// values, further corpora. [Check] and [CheckBytes] are the rules for one value
// and for one document, for fuzz targets. [NewGenerator] makes random values.
//
// A run takes a few seconds and some hundred megabytes, whatever the codec: a
// value is not made so deep that its indentation would fill the memory, and
// what was read far too deep is not written again.
//
// A failure is reported with the smallest value that [Shrink] finds for it.
package conformance
