package bcp

import (
	"encoding/binary"
	"math/bits"

	"github.com/wirekit/wirekit/wire"
)

// maxVarintLen is the length of the longest varint, that of 1<<64 - 1.
const maxVarintLen = binary.MaxVarintLen64

// EncodeVarint writes value as unsigned LEB128 to the start of buf and returns
// the number of bytes written, 1 to 10. It panics if buf is too short; ten
// bytes always suffice.
func EncodeVarint(value uint64, buf []byte) int { return binary.PutUvarint(buf, value) }

// sizeVarint returns the number of bytes that EncodeVarint writes.
func sizeVarint(value uint64) int {
	return (bits.Len64(value|1) + 6) / 7
}

// DecodeVarint reads the varint that buf starts with and returns it with its
// length. Bytes after it are left alone. Longer forms than necessary are
// accepted; a value that does not fit in 64 bits is an error.
func DecodeVarint(buf []byte) (value uint64, n int, err error) {
	value, n = binary.Uvarint(buf)
	if n <= 0 {
		return 0, 0, varintFault(n, len(buf), 0)
	}
	return value, n, nil
}

// What binary.Uvarint returns instead of a length.
const (
	varintTruncated = 0
	varintOverflow  = -maxVarintLen
	varintTooLong   = -maxVarintLen - 1
)

// varintFault turns a count of binary.Uvarint that is not positive into an error. start is the
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
