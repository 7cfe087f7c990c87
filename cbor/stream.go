package cbor

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of a CBOR sequence (RFC 8742): one item after the
// other. It takes records of any kind; keys may be nil and are not used.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return items.NewRecordWriter(w, c)
}

// Records reads a CBOR sequence (RFC 8742). Limits are for one item each.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return items.Records(r, c.Limits, step, c.Decode)
}

// mostOpen bounds the levels that are kept, which is more than any limit of depth.
const mostOpen = bound.MostDepth + 1

// step passes over a head, and the bytes of a string.
func step(s *items.Scanner, src []byte) bool {
	h, at := src[s.At], s.At+1
	if h == 0xff {
		s.At = at
		last := len(s.Around) - 1
		if s.Left > 0 || last < 0 {
			return s.End()
		}
		s.Left, s.Around = s.Around[last], s.Around[:last]
		return true
	}
	major, info := h&majorBits, h&infoBits
	n := uint64(info)
	switch {
	case info >= 24 && info < 28:
		size, ok := 1<<(info-24), false
		if n, ok = items.Uint(src, at, size); !ok {
			return false
		}
		at += size
	case info >= 28 && info != open, info == open && (major < majorBytes || major > majorMap), len(s.Around) == mostOpen:
		s.At = at
		return s.End()
	}
	s.At = at
	if s.Left == 0 {
		s.Left = 1 // an element of the innermost array or map without a length
	}
	s.Left--
	switch {
	case info == open && major >= majorBytes && major <= majorMap:
		s.Around, s.Left = append(s.Around, s.Left), 0
	case major == majorBytes || major == majorText:
		s.Skip(n)
	case major == majorArray || major == majorMap:
		if n > 1<<40 || s.Left > 1<<50 {
			return s.End()
		}
		s.Left += n << (major >> 5 & 1) // a map has two for each
	case major == majorTag:
		s.Left++
	}
	return true
}
