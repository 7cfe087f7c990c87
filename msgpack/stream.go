package msgpack

import (
	"encoding/binary"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/items"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of one value after the other, as MessagePack's
// streaming readers take them. It takes records of any kind; keys may be nil and are not
// used.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return items.NewRecordWriter(w, c), nil
}

// Records reads one value after the other. Limits are for one value each.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return items.Records(r, c.Limits, step, c.Decode)
}

// step passes over a type byte with its length, and the bytes of what has one.
func step(s *items.Scanner, src []byte) bool {
	b, at := src[s.At], s.At+1
	// length reads a length of so many bytes.
	length := func(size int) (n uint64, ok bool) {
		if len(src)-at < size {
			return 0, false
		}
		var wide [8]byte
		copy(wide[8-size:], src[at:at+size])
		at += size
		return binary.BigEndian.Uint64(wide[:]), true
	}
	skip, children, ok := uint64(0), uint64(0), true
	switch {
	case b < 0x80 || b >= 0xe0 || b >= 0xc0 && b <= 0xc3: // in the byte itself
	case b < 0x90:
		children = 2 * uint64(b&0x0f)
	case b < 0xa0:
		children = uint64(b & 0x0f)
	case b < 0xc0:
		skip = uint64(b & 0x1f)
	case b <= 0xc6: // bin
		skip, ok = length(1 << (b - 0xc4))
	case b <= 0xc9: // ext, with its type
		skip, ok = length(1 << (b - 0xc7))
		skip++
	case b <= 0xcb: // float
		skip = 4 << (b - 0xca)
	case b <= 0xcf: // uint
		skip = 1 << (b - 0xcc)
	case b <= 0xd3: // int
		skip = 1 << (b - 0xd0)
	case b <= 0xd8: // fixext, with its type
		skip = 1<<(b-0xd4) + 1
	case b <= 0xdb: // str
		skip, ok = length(1 << (b - 0xd9))
	default: // array and map
		children, ok = length(2 << (b & 1))
		children <<= (b - 0xdc) >> 1
	}
	if !ok {
		return false
	}
	s.At = at
	s.Skip(skip)
	if s.Left--; s.Left > 1<<50 {
		return s.End()
	}
	s.Left += children
	return true
}
