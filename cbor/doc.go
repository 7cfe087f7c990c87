// Package cbor reads and writes CBOR, the Concise Binary Object Representation
// (RFC 8949), under the contract of the other formats: for programs, not for
// models.
//
// Struct fields are named by their json tags, or wire tags, as everywhere in this
// module; tags of the form cbor:"…", keyasint and toarray among them, are not read.
//
//	item   = head content
//	head   = a byte of major type and argument, and up to eight bytes of argument
//	array  = head item*        map = head (text item)*
//
// The codec is lossless for every value but for the spelling of numbers. Members
// keep their order. Integers of any size and decimal numbers are exact: an integer
// beyond 64 bits is a bignum (tags 2 and 3), a number that is not a float64's shortest
// text a decimal fraction (tag 4). Any other number that is not whole is the
// shortest float that holds it. Bytes are byte strings, times are tag 0: RFC 3339
// with its offset.
//
// Items and strings of indefinite length are read, tag 1 is a time, and tag 55799,
// which marks a document as CBOR, is passed over. Of tags 21 to 24 and 32 to 36 the
// content is read, and [Codec].Warn is told. What has no form in the value model
// is refused: keys that are no text, undefined, other tags and simple values, NaN and
// infinities. A document is detected by that tag; package wirekit tells others by reading
// them.
//
// # What a program calls
//
//   - Values: [Codec]. Go values: [Marshal], [Unmarshal].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
package cbor
