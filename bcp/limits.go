package bcp

import (
	"github.com/wirekit/wirekit/internal/base/bound"
)

// Limits bound what one payload may hold. A field that is zero means its
// default, a negative one no limit. Exceeding a limit is an error that wraps
// [wire.ErrLimit] and names the field to raise.
//
// An encoder keeps to what a decoder with the same Limits accepts.
type Limits struct {
	// BlockBytes is the largest body, inflated and with its summary; default
	// 16 MiB, which is the format's own limit.
	BlockBytes int
	// PayloadBytes is the most that an encoder writes and that a decoder reads
	// of a payload that is compressed as a whole, or of what follows END;
	// default 256 MiB.
	PayloadBytes int
	// InflatedBytes is the most memory that a payload may stand for beyond
	// what it holds itself: the bodies of compressed and referenced blocks, or
	// all of a payload that is compressed as a whole, with 256 bytes for every
	// block, file entry and hunk in them and their strings counted twice. The
	// default is in proportion: 17 MiB and 32 bytes for every byte of the
	// payload so far, at most 256 MiB. A limit that is given is absolute.
	InflatedBytes int
	// KeptBytes is the most that a decoder keeps of earlier bodies to resolve
	// references, and that an encoder's deduplication refers to: the bodies
	// that fit when they come. Default 32 MiB.
	KeptBytes int
	// Blocks is the number of blocks; default 1 Mi.
	Blocks int
	// TreeDepth is the nesting of file entries; default 512, at most 10,000.
	TreeDepth int
}

// The defaults of [Limits].
const (
	defaultBlockBytes   = 16 << 20
	defaultPayloadBytes = 256 << 20
	defaultKeptBytes    = 32 << 20
	defaultBlocks       = 1 << 20
	defaultTreeDepth    = bound.Depth
)

// The default of Limits.InflatedBytes. A block of the largest size passes in
// any payload.
const (
	inflatedFloor   = defaultBlockBytes + 1<<20
	inflatedPerByte = 32
	inflatedMost    = 256 << 20
)

// What an entry, a hunk or a block of inflated content is charged with: they
// are much larger in memory than in the payload.
const recordCharge = 256

const noLimit = int(^uint(0) >> 1)

// resolved returns the limits with the defaults. InflatedBytes stays zero for its default,
// see inflated.
func (l Limits) resolved() Limits {
	or := func(n *int, byDefault int) {
		switch {
		case *n == 0:
			*n = byDefault
		case *n < 0:
			*n = noLimit
		}
	}
	or(&l.BlockBytes, defaultBlockBytes)
	or(&l.PayloadBytes, defaultPayloadBytes)
	or(&l.InflatedBytes, 0)
	or(&l.KeptBytes, defaultKeptBytes)
	or(&l.Blocks, defaultBlocks)
	or(&l.TreeDepth, defaultTreeDepth)
	l.TreeDepth = min(l.TreeDepth, bound.MostDepth)
	return l
}

// inflated returns the limit InflatedBytes for a payload of which stored bytes
// are known.
func (l Limits) inflated(stored int) int {
	switch {
	case l.InflatedBytes != 0:
		return l.InflatedBytes
	case stored >= (inflatedMost-inflatedFloor)/inflatedPerByte:
		return inflatedMost
	}
	return inflatedFloor + inflatedPerByte*stored
}

// A meter counts what inflated content takes against Limits.InflatedBytes, or what
// bodies kept for references take against Limits.KeptBytes: there the encoder's
// deduplication asks its own, so that it agrees with the decoder.
type meter struct {
	used, most int
}

// add reports whether n more bytes may be taken, and counts them if so.
func (m *meter) add(n int) bool {
	if n > m.most-m.used {
		return false
	}
	m.used += n
	return true
}
