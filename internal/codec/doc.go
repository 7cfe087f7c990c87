// Package codec is the folder of what codecs share, above package wire: the builder of
// decoders, tables and their columns, streams that are split, Go values as formats see
// them, the order of members, variants.
//
// Formats import it; it imports no format.
package codec
