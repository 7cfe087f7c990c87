package bcp

import (
	"errors"
	"fmt"

	"github.com/wirekit/wirekit/wire"
)

// formatName is the codec's name and the Format of every error.
const formatName = "bcp"

// The codes of the faults that the document names for its wire layer, beside
// [wire.CodeUnexpectedEnd]. Every error of this package is a [*wire.Error]; docs/bcp.md
// lists all codes.
const (
	CodeVarintTooLong      = "varint_too_long"     // more than ten bytes
	CodeInvalidMagic       = "invalid_magic"       // neither of the two
	CodeUnsupportedVersion = "unsupported_version" // another major version
	CodeReservedNonZero    = "reserved_non_zero"   // the last byte of the header
)

// ErrNotFound is wrapped by the error of a [Store] for a hash that it does not have.
var ErrNotFound = errors.New("bcp: not in the content store")

// fault returns the error for the byte at offset. A position in a binary
// payload has no line, so the message carries the offset.
func fault(offset int, code string, kind error, format string, args ...any) *wire.Error {
	e := failure(code, kind, format, args...)
	e.Offset = offset
	e.Message += fmt.Sprintf(" (at byte %d)", offset)
	return e
}

// failure is fault without a position.
func failure(code string, kind error, format string, args ...any) *wire.Error {
	return &wire.Error{Format: formatName, Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}

func unexpectedEOF(offset int) *wire.Error {
	e := failure(wire.CodeUnexpectedEnd, wire.ErrTruncated, "unexpected end of input at byte %d", offset)
	e.Offset = offset
	return e
}

// ioFailure wraps an error of a reader or writer, which stays visible to
// errors.Is and errors.As; nil stays nil.
func ioFailure(err error) error {
	var own *wire.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return failure("io", err, "%v", err)
}

// raise adds the hint that names the limit at fault.
func raise(e *wire.Error, limit string) *wire.Error {
	return hinted(e, "raise Limits."+limit+" if the source is trusted")
}

// hinted adds a hint.
func hinted(e *wire.Error, hint string) *wire.Error {
	e.Hint = hint
	return e
}
