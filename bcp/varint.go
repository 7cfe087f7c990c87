package bcp

import (
	"math/bits"

	"github.com/wirekit/wirekit/wire"
)

// maxVarintLen is the length of the longest varint, that of 1<<64 - 1.
const maxVarintLen = 10

// EncodeVarint writes value as unsigned LEB128 to the start of buf and returns
// the number of bytes written, 1 to 10. It panics if buf is too short; ten
// bytes always suffice.
func EncodeVarint(value uint64, buf []byte) int {
	i := 0
	for value >= 0x80 {
		buf[i] = byte(value) | 0x80
		value >>= 7
		i++
	}
	buf[i] = byte(value)
	return i + 1
}

// appendVarint is EncodeVarint in appending form.
func appendVarint(dst []byte, value uint64) []byte {
	for value >= 0x80 {
		dst = append(dst, byte(value)|0x80)
		value >>= 7
	}
	return append(dst, byte(value))
}

// sizeVarint returns the number of bytes that EncodeVarint writes.
func sizeVarint(value uint64) int {
	return (bits.Len64(value|1) + 6) / 7
}

// DecodeVarint reads the varint that buf starts with and returns it with its
// length. Bytes after it are left alone. Longer forms than necessary are
// accepted; a value that does not fit in 64 bits is an error.
func DecodeVarint(buf []byte) (value uint64, n int, err error) {
	value, n = consumeVarint(buf)
	if n <= 0 {
		return 0, 0, varintFault(n, len(buf), 0)
	}
	return value, n, nil
}

// What consumeVarint returns instead of a length.
const (
	varintTruncated = 0
	varintTooLong   = -1
	varintOverflow  = -2
)

// consumeVarint is DecodeVarint with the error as a count that is not
// positive, so that the hot path carries no error value.
func consumeVarint(buf []byte) (value uint64, n int) {
	for i, b := range buf {
		if i == maxVarintLen {
			return 0, varintTooLong
		}
		if b < 0x80 {
			if i == maxVarintLen-1 && b > 1 {
				return 0, varintOverflow
			}
			return value | uint64(b)<<(7*i), i + 1
		}
		value |= uint64(b&0x7F) << (7 * i)
	}
	return 0, varintTruncated
}

// varintFault turns a count of consumeVarint into an error. start is the
// varint's offset, have the number of bytes that were there.
func varintFault(n, have, start int) *wire.Error {
	switch n {
	case varintTooLong:
		return fault(start, CodeVarintTooLong, wire.ErrSyntax, "varint of more than %d bytes", maxVarintLen)
	case varintOverflow:
		return fault(start, "varint_overflow", wire.ErrRange, "varint does not fit in 64 bits")
	}
	return unexpectedEOF(start + have)
}
