package bcp

import (
	"errors"
	"fmt"

	"github.com/wirekit/wirekit/wire"
)

// formatName is the codec's name and the Format of every error.
const formatName = "bcp"

// ErrVarintTooLong is the cause of the error for a varint of more than ten bytes. Like
// the other causes below it wraps a kind of package wire, which is the error's Kind.
var ErrVarintTooLong = newKind("varint of more than 10 bytes", wire.ErrSyntax)

// Causes that callers act upon. All other faults are told apart by
// [wire.Error]'s Code.
var (
	// ErrMissingEnd: the input ends where a block could begin, without END.
	ErrMissingEnd = newKind("no END block", wire.ErrTruncated)
	// ErrTrailingData: bytes after END that are not an index trailer.
	ErrTrailingData = newKind("data after the END block", wire.ErrSyntax)
	// ErrMissingContentStore: a reference that the payload itself does not
	// resolve, and no store to ask.
	ErrMissingContentStore = newKind("no content store", wire.ErrShape)
	// ErrBomb: compressed data that inflates beyond the limit.
	ErrBomb = newKind("inflated data exceed the limit", wire.ErrLimit)
	// ErrNotFound: a content store does not have the hash.
	ErrNotFound = newKind("not in the content store", wire.ErrShape)
)

type kind struct {
	text string
	is   error
}

func newKind(text string, is error) error { return &kind{text, is} }

func (k *kind) Error() string { return k.text }
func (k *kind) Unwrap() error { return k.is }

// UnexpectedEOFError is the cause of the error for an input that ends inside a header, a
// frame, a field or a summary. Offset is where the missing byte would be.
type UnexpectedEOFError struct{ Offset int }

func (e UnexpectedEOFError) Error() string {
	return fmt.Sprintf("unexpected end of input at byte %d", e.Offset)
}
func (UnexpectedEOFError) Unwrap() error { return wire.ErrTruncated }

// InvalidMagicError is the cause of the error for an input that starts with neither magic.
// Found holds its first four bytes, the first one lowest.
type InvalidMagicError struct{ Found uint32 }

func (e InvalidMagicError) Error() string {
	found := [4]byte{byte(e.Found), byte(e.Found >> 8), byte(e.Found >> 16), byte(e.Found >> 24)}
	return fmt.Sprintf("magic number % X is neither %q nor %q", found, MagicLCP, MagicBCP)
}
func (InvalidMagicError) Unwrap() error { return wire.ErrUnknownFormat }

// UnsupportedVersionError is the cause of the error for a payload of another major version.
type UnsupportedVersionError struct{ Major, Minor uint8 }

func (e UnsupportedVersionError) Error() string {
	return fmt.Sprintf("version %d.%d; this package reads version %d", e.Major, e.Minor, VersionMajor)
}
func (UnsupportedVersionError) Unwrap() error { return wire.ErrVersion }

// ReservedNonZeroError is the cause of the error for a reserved byte that is not zero.
type ReservedNonZeroError struct {
	Offset int
	Value  uint8
}

func (e ReservedNonZeroError) Error() string {
	return fmt.Sprintf("reserved byte %d is 0x%02X, not 0", e.Offset, e.Value)
}
func (ReservedNonZeroError) Unwrap() error { return wire.ErrSyntax }

// InvalidBlockTypeError is the cause of the error for a block type above 255.
type InvalidBlockTypeError struct{ Raw uint64 }

func (e InvalidBlockTypeError) Error() string {
	return fmt.Sprintf("block type %d is above 255", e.Raw)
}
func (InvalidBlockTypeError) Unwrap() error { return wire.ErrSyntax }

// UnresolvedReferenceError is the cause of the error for a reference to content that neither
// the payload nor the store has.
type UnresolvedReferenceError struct{ Hash Hash }

func (e UnresolvedReferenceError) Error() string {
	return fmt.Sprintf("no content with hash %s", e.Hash)
}
func (UnresolvedReferenceError) Unwrap() error { return wire.ErrShape }

// fault returns the error for the byte at offset. A position in a binary
// payload has no line, so the message carries the offset.
func fault(offset int, code string, kind error, format string, args ...any) *wire.Error {
	e := failure(code, kind, format, args...)
	e.Offset = offset
	e.Message += fmt.Sprintf(" (at byte %d)", offset)
	return e
}

// failure is fault without a position. kind is one of package wire, or a cause that
// wraps one.
func failure(code string, kind error, format string, args ...any) *wire.Error {
	e := &wire.Error{Format: formatName, Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
	if is := errors.Unwrap(kind); is != nil {
		e.Kind, e.Cause = is, kind
	}
	return e
}

func unexpectedEOF(offset int) *wire.Error {
	e := failure(wire.CodeUnexpectedEnd, UnexpectedEOFError{offset}, "%v", UnexpectedEOFError{offset})
	e.Offset = offset
	return e
}

// ioFailure wraps an error of a reader or writer, which stays visible to
// errors.Is and errors.As.
func ioFailure(err error) error {
	var own *wire.Error
	if errors.As(err, &own) {
		return err
	}
	return failure("io", err, "%v", err)
}

// raise adds the hint that names the limit at fault.
func raise(e *wire.Error, limit string) *wire.Error {
	e.Hint = "raise Limits." + limit + " if the source is trusted"
	return e
}
