// Package set sends keyed sets of flat rows, and what changes in them, in the generic
// profile of GCF (section 10a of the specification).
//
// A [Set] is a table in which one field identifies a row. [Encode] writes it in full, with
// its [PackRoot], a hash that does not depend on the order of rows and fields. [Diff]
// finds the [Delta] between two sets of one schema, [EncodeDelta] and [DecodeDelta] carry
// it, and [Apply] checks the root of the base, applies all of the delta or nothing, and
// checks the root of the result. [EncodeUnchanged] says that a root is current.
//
// [Session] and [Receiver] are the two sides of a conversation about one set: the session
// answers with whichever of the three fits what the receiver holds.
//
// What all rows hold as values, without keys and deltas, is the business of package gcf.
package set
