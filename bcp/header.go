package bcp

import (
	"github.com/wirekit/wirekit/wire"
)

// Magic is the four bytes that a payload starts with.
type Magic string

const (
	// MagicLCP is the magic of the document, written by default.
	MagicLCP Magic = "LCP\x00"
	// MagicBCP is the magic since the format was renamed; nothing else changed.
	MagicBCP Magic = "BCP\x00"
)

// Name returns the magic without its zero byte.
func (m Magic) Name() string {
	if len(m) == 0 {
		return MagicLCP.Name()
	}
	return string(m[:len(m)-1])
}

// The header's size and the version that this package writes.
const (
	HeaderSize   = 8
	VersionMajor = 1
	VersionMinor = 0
)

// HeaderFlags is the bit field of the header. Bits without a name are
// reserved; they are kept as they are read.
type HeaderFlags uint8

const (
	// HeaderCompressed: everything after the header is zstd data.
	HeaderCompressed HeaderFlags = 1 << 0
	// HeaderHasIndex: an index trailer follows END.
	HeaderHasIndex HeaderFlags = 1 << 1

	headerReserved = ^(HeaderCompressed | HeaderHasIndex)
)

// IsCompressed reports whether everything after the header is zstd data.
func (f HeaderFlags) IsCompressed() bool { return f&HeaderCompressed != 0 }

// HasIndex reports whether an index trailer follows END.
func (f HeaderFlags) HasIndex() bool { return f&HeaderHasIndex != 0 }

// Header is a payload's first eight bytes. The zero Magic stands for [MagicLCP],
// and a header whose version is 0.0 is written as 1.0, so the zero Header is
// that of a new payload.
type Header struct {
	Magic        Magic
	VersionMajor uint8
	VersionMinor uint8
	Flags        HeaderFlags
}

// NewHeader returns a header of the current version with the document's magic.
func NewHeader(flags HeaderFlags) Header {
	return Header{Magic: MagicLCP, VersionMajor: VersionMajor, VersionMinor: VersionMinor, Flags: flags}
}

// Append appends the header's eight bytes.
func (h Header) Append(dst []byte) []byte {
	if h.Magic == "" {
		h.Magic = MagicLCP
	}
	major, minor := h.version()
	dst = append(dst, h.Magic...)
	return append(dst, major, minor, byte(h.Flags), 0)
}

// version returns the version that is written.
func (h Header) version() (major, minor uint8) {
	if h.VersionMajor == 0 && h.VersionMinor == 0 {
		return VersionMajor, VersionMinor
	}
	return h.VersionMajor, h.VersionMinor
}

// WriteTo writes the header to the first eight bytes of buf. A shorter buf is an
// error, and so is a header of another format or version.
func (h Header) WriteTo(buf []byte) error {
	if err := checkHeader(h); err != nil {
		return err
	}
	if len(buf) < HeaderSize {
		return unexpectedEOF(len(buf))
	}
	h.Append(buf[:0])
	return nil
}

// ReadHeader reads the header that buf starts with. It checks, in the order of
// the document, the length, the magic (either one is accepted), the major
// version and the reserved byte. Any minor version and any flags are accepted.
func ReadHeader(buf []byte) (Header, error) {
	if len(buf) < HeaderSize {
		return Header{}, unexpectedEOF(len(buf))
	}
	h := Header{VersionMajor: buf[4], VersionMinor: buf[5], Flags: HeaderFlags(buf[6])}
	switch string(buf[:4]) {
	case string(MagicLCP):
		h.Magic = MagicLCP
	case string(MagicBCP):
		h.Magic = MagicBCP
	default:
		kind := InvalidMagicError{uint32(buf[0]) | uint32(buf[1])<<8 | uint32(buf[2])<<16 | uint32(buf[3])<<24}
		return Header{}, fault(0, "invalid_magic", kind, "%v", kind)
	}
	if h.VersionMajor != VersionMajor {
		kind := UnsupportedVersionError{h.VersionMajor, h.VersionMinor}
		return Header{}, fault(4, "unsupported_version", kind, "%v", kind)
	}
	if buf[7] != 0 {
		kind := ReservedNonZeroError{7, buf[7]}
		return Header{}, fault(7, "reserved_non_zero", kind, "%v", kind)
	}
	return h, nil
}

// checkHeader says whether an encoder can write h.
func checkHeader(h Header) error {
	switch {
	case h.Magic != "" && h.Magic != MagicLCP && h.Magic != MagicBCP:
		return failure("invalid_magic", wire.ErrShape, "magic %q is neither %q nor %q", string(h.Magic), MagicLCP, MagicBCP)
	case h.VersionMajor != VersionMajor && (h.VersionMajor != 0 || h.VersionMinor != 0):
		return failure("unsupported_version", wire.ErrVersion, "version %d.%d cannot be written", h.VersionMajor, h.VersionMinor)
	}
	return nil
}
