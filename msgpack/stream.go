package msgpack

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of one value after the other, as MessagePack's
// streaming readers take them. It takes records of any kind; keys may be nil and are not
// used.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return items.NewRecordWriter(w, c)
}

// Records reads one value after the other. Limits are for one value each.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return items.Records(r, c.Limits, step, c.Decode)
}

// step passes over a type byte with its length, and the bytes of what has one.
func step(s *items.Scanner, src []byte) bool {
	b, at := src[s.At], s.At+1
	n := uint64(0) // the number after the type byte
	if b >= typeNil && b < fixNeg {
		size, ok := arguments[b-typeNil], false
		if n, ok = items.Uint(src, at, size); !ok && (b < float32s || b >= fixExt1) {
			return false
		}
		at += size
	}
	skip, children := uint64(0), uint64(0)
	switch {
	case b < fixMap || b >= fixNeg: // in the byte itself
	case b < fixArray:
		children = 2 * uint64(b&0x0f)
	case b < fixStr:
		children = uint64(b & 0x0f)
	case b < typeNil:
		skip = uint64(b & 0x1f)
	case b >= float32s && b < fixExt1: // the number is the value
	case b >= ext8 && b < float32s: // with its type
		skip = n + 1
	case b >= fixExt1 && b < str8: // with its type
		skip = 1<<(b-fixExt1) + 1
	case b < array16: // a bin or a str
		skip = n
	default: // an array or a map
		children = n << ((b - array16) >> 1)
	}
	s.At = at
	s.Skip(skip)
	if s.Left--; s.Left > 1<<50 {
		return s.End()
	}
	s.Left += children
	return true
}
