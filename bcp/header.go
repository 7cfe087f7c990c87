package bcp

import (
	"cmp"

	"github.com/wirekit/wirekit/wire"
)

// The magics without their zero byte: that of the document, and that since the format was
// renamed, which changed nothing else.
const (
	magicLCP = "LCP"
	magicBCP = "BCP"
)

// HeaderSize is the number of bytes of a header.
const HeaderSize = 8

// The version that this package writes.
const (
	versionMajor = 1
	versionMinor = 0
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

// Header is a payload's first eight bytes. A header whose version is 0.0 is written
// as 1.0, so the zero Header is that of a new payload.
type Header struct {
	Magic        string // "LCP" or "BCP"; "" is written as "LCP"
	VersionMajor uint8
	VersionMinor uint8
	Flags        HeaderFlags
}

// NewHeader returns a header of the current version with the document's magic.
func NewHeader(flags HeaderFlags) Header {
	return Header{Magic: magicLCP, VersionMajor: versionMajor, VersionMinor: versionMinor, Flags: flags}
}

// append appends the header's eight bytes.
func (h Header) append(dst []byte) []byte {
	major, minor := h.version()
	dst = append(dst, cmp.Or(h.Magic, magicLCP)...)
	return append(dst, 0, major, minor, byte(h.Flags), 0)
}

// magicOf returns the magic that a payload starts with, "" for neither.
func magicOf(src []byte) string {
	if len(src) >= 4 && src[3] == 0 {
		switch string(src[:3]) {
		case magicLCP:
			return magicLCP
		case magicBCP:
			return magicBCP
		}
	}
	return ""
}

// version returns the version that is written.
func (h Header) version() (major, minor uint8) {
	if h.VersionMajor == 0 && h.VersionMinor == 0 {
		return versionMajor, versionMinor
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
	h.append(buf[:0])
	return nil
}

// ReadHeader reads the header that buf starts with. It checks, in the order of
// the document, the length, the magic (either one is accepted), the major
// version and the reserved byte. Any minor version and any flags are accepted.
func ReadHeader(buf []byte) (Header, error) {
	if len(buf) < HeaderSize {
		return Header{}, unexpectedEOF(len(buf))
	}
	h := Header{Magic: magicOf(buf), VersionMajor: buf[4], VersionMinor: buf[5], Flags: HeaderFlags(buf[6])}
	switch {
	case h.Magic == "":
		return Header{}, fault(0, CodeInvalidMagic, wire.ErrUnknownFormat, "magic number % X is neither %q nor %q", buf[:4], magicLCP+"\x00", magicBCP+"\x00")
	case h.VersionMajor != versionMajor:
		return Header{}, fault(4, CodeUnsupportedVersion, wire.ErrVersion, "version %d.%d; this package reads version %d", h.VersionMajor, h.VersionMinor, versionMajor)
	case buf[7] != 0:
		return Header{}, fault(7, CodeReservedNonZero, wire.ErrSyntax, "reserved byte 7 is 0x%02X, not 0", buf[7])
	}
	return h, nil
}

// checkHeader says whether an encoder can write h.
func checkHeader(h Header) error {
	switch {
	case h.Magic != "" && h.Magic != magicLCP && h.Magic != magicBCP:
		return failure(CodeInvalidMagic, wire.ErrShape, "Header.Magic is %q, neither %q nor %q", h.Magic, magicLCP, magicBCP)
	case h.VersionMajor != versionMajor && (h.VersionMajor != 0 || h.VersionMinor != 0):
		return failure(CodeUnsupportedVersion, wire.ErrVersion, "version %d.%d cannot be written", h.VersionMajor, h.VersionMinor)
	}
	return nil
}
