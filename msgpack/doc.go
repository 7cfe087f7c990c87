// Package msgpack reads and writes MessagePack under the contract of the other
// formats: for programs, not for models.
//
// Struct fields are named by their json tags, or wire tags, as everywhere in this
// module; tags of the form msgpack:"…" are not read.
//
//	value  = type-byte [length] content
//	array  = type-byte [length] value*      map = type-byte [length] (str value)*
//
// Members keep their order, integers their 64 bits, bytes are bin and times
// timestamps (extension -1), those with an offset from UTC the text of RFC 3339.
// A number that is not whole is a float32 if that holds it and a float64
// otherwise. The format has no larger integers and no decimal numbers: those are
// refused with a hint, as are, when reading, keys that are no str, other
// extensions, NaN and infinities.
//
// No signature tells the format from other bytes; package wirekit tells it by reading them.
//
// # What a program calls
//
//   - Values: [Codec]. Go values: [Marshal], [Unmarshal].
//
// The further methods of [Codec] are those of the interfaces of package wire,
// by which conversion, detection and streams go.
package msgpack
