package bcp

import "github.com/wirekit/wirekit/wire"

// Limits bound what one payload may hold. A field that is zero means its
// default, a negative one no limit. Exceeding a limit is an error that wraps
// [wire.ErrLimit].
type Limits struct {
	// BlockBytes is the largest body, inflated and with its summary; default
	// 16 MiB, which is the format's own limit.
	BlockBytes int
	// PayloadBytes is the most that a whole-payload zstd frame may inflate to,
	// that the compressed and referenced blocks of one payload may add up to,
	// that an encoder writes, and that a decoder keeps of earlier blocks to
	// resolve references; default 256 MiB.
	PayloadBytes int
	// Blocks is the number of blocks; default 1 Mi.
	Blocks int
	// TreeDepth is the nesting of file entries; default 512, at most 10,000.
	TreeDepth int
}

// The defaults of [Limits].
const (
	DefaultBlockBytes   = 16 << 20
	DefaultPayloadBytes = 256 << 20
	DefaultBlocks       = 1 << 20
	DefaultTreeDepth    = wire.DefaultDepth
)

func (l Limits) resolved() Limits {
	const most = int(^uint(0) >> 1)
	or := func(n, byDefault int) int {
		switch {
		case n == 0:
			return byDefault
		case n < 0:
			return most
		}
		return n
	}
	return Limits{
		BlockBytes:   or(l.BlockBytes, DefaultBlockBytes),
		PayloadBytes: or(l.PayloadBytes, DefaultPayloadBytes),
		Blocks:       or(l.Blocks, DefaultBlocks),
		TreeDepth:    min(or(l.TreeDepth, DefaultTreeDepth), wire.MaxDepth),
	}
}

// Mode says how much a decoder accepts.
type Mode uint8

const (
	// ModeDefault accepts what the reference accepts, except where that would
	// change or lose data without a word.
	ModeDefault Mode = iota
	// ModeStrict accepts the canonical form only: varints of minimal length,
	// fields in ascending order and once, reserved bits zero, END of four
	// bytes. Encoding an uncompressed payload that it accepts gives the same
	// bytes again.
	ModeStrict
	// ModeLenient accepts also text that is not UTF-8, which is kept as it is,
	// and values without a name in every enumeration. Encoding such a payload
	// needs ModeLenient as well.
	ModeLenient
)
