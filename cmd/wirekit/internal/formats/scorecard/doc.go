// Package scorecard measures what GCX1 saves on the results of tools: bytes,
// gzip and tokens beside compact JSON, and whether the payload gives the very
// value back. The command "wirekit gcx scorecard" calls it.
//
// It follows the section "Benchmark" of the document "GCX1, Gortex Compact Wire
// Format", draft v1, with three differences. The payloads are those of the
// lossless [gcx.Codec], so each round trip is a comparison of values and not
// of a first header. The medians are the mean of the two middle values where
// their number is even. And a column of estimates never mixes with counts: the
// two counts of a case are both exact or both estimated.
//
// The cases are [Builtin], or a folder that [Load] reads.
//
// # What a program calls
//
//   - [Builtin] or [Load] for cases ([ErrNoCases] where a folder has none),
//     [Run] to measure, and the methods of [Scorecard] to write what came out.
package scorecard
