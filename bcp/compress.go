package bcp

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/wirekit/wirekit/wire"
)

// minCompress is the size from which a block's body is worth compressing.
const minCompress = 256

// The zstd coders are made on first use and shared: making one costs hundreds
// of microseconds and megabytes, using one costs next to nothing. DecodeAll
// and EncodeAll are safe for concurrent use.
var (
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
		if err != nil {
			panic(err) // the options are constant
		}
		return e
	})
	zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
		// The output is limited by the capacity of the destination. The
		// limit on memory would also refuse windows that are larger than the
		// content, which other encoders declare.
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// deflate returns src as one zstd frame.
func deflate(src []byte) []byte {
	return zstdEncoder().EncodeAll(src, nil)
}

// What zstd data can inflate to at most: four bytes are the smallest block,
// and no block holds more than 128 KiB.
const (
	zstdMinBlock = 4
	zstdMaxBlock = 128 << 10
)

// firstGuess bounds what inflate allocates before it has inflated anything.
const firstGuess = 64 << 10

// inflate returns what src, one or more zstd frames, inflates to, as long as
// that is at most limit bytes. It allocates in proportion to what really comes
// out: a size that the frame declares counts only within what its length can
// hold, and without one the destination grows step by step.
func inflate(src []byte, limit int) ([]byte, error) {
	if len(src) == 0 {
		return nil, errors.New("no data") // the library takes it for a success
	}
	possible := (len(src)/zstdMinBlock + 1) * zstdMaxBlock
	if possible < len(src) {
		possible = limit
	}
	most := min(limit, possible)
	guess := min(most, max(firstGuess, 4*len(src)))
	var head zstd.Header
	if head.Decode(src) == nil && head.HasFCS {
		if head.FrameContentSize > uint64(most) {
			if head.FrameContentSize > uint64(limit) {
				return nil, ErrBomb
			}
			return nil, errors.New("the frame declares more than its blocks can hold")
		}
		guess = max(int(head.FrameContentSize), min(guess, firstGuess))
	}
	for {
		out, err := zstdDecoder().DecodeAll(src, make([]byte, 0, guess))
		switch {
		case err == nil:
			return out, nil
		case !errors.Is(err, zstd.ErrDecoderSizeExceeded):
			return nil, err
		case guess >= most:
			if most < limit {
				return nil, errors.New("the frame declares more than its blocks can hold")
			}
			return nil, ErrBomb
		}
		guess = min(most, 4*guess)
	}
}

// inflateFault describes a failure of inflate.
func inflateFault(o origin, err error, limit int) error {
	if errors.Is(err, ErrBomb) {
		return o.fault(0, "decompression_bomb", ErrBomb, "compressed data inflate to more than %d bytes", limit)
	}
	return o.fault(0, "decompress_failed", wire.ErrSyntax, "zstd: %v", err)
}
