package bcp

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/wirekit/wirekit/internal/base/bound"
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
func deflate(src []byte) []byte { return appendDeflated(nil, src) }

// appendDeflated appends src as one zstd frame.
func appendDeflated(dst, src []byte) []byte { return zstdEncoder().EncodeAll(src, dst) }

// zstdMaxBlock is the most that one block of a zstd frame inflates to.
const zstdMaxBlock = 128 << 10

// firstGuess bounds what inflate allocates before it has inflated anything.
const firstGuess = 64 << 10

var errDeclared = errors.New("the frame declares more than its blocks can hold")

// inflate returns what src, one or more zstd frames, inflates to, as long as
// that is at most limit bytes. Its output grows as it goes, up to what the
// blocks of the frames can hold, so that it allocates in proportion to what
// really comes out.
func inflate(src []byte, limit int) ([]byte, error) {
	if len(src) == 0 {
		return nil, errors.New("no data") // the library takes it for a success
	}
	size, err := sizeOfFrames(src)
	switch {
	case err != nil:
		return nil, err
	case size.least > uint64(limit):
		return nil, errBomb
	}
	// A block may exceed the limit before that is noticed.
	most := int(min(size.most, uint64(limit)+zstdMaxBlock, uint64(noLimit)))
	guess := min(most, max(firstGuess, 4*len(src)))
	if size.declared {
		guess = most
	}
	for {
		out, err := zstdDecoder().DecodeAll(src, make([]byte, 0, guess))
		switch {
		case len(out) > limit:
			return nil, errBomb
		case err == nil:
			return trimmed(out), nil
		case guess >= most || len(out)+zstdMaxBlock < guess:
			// It was not for want of room. A block that does not fit is
			// not told apart by its error, only by where it is.
			return nil, err
		}
		guess = min(bound.Times(guess, 4), most)
	}
}

// trimmed returns b without the memory after it, if that is much.
func trimmed(b []byte) []byte {
	if cap(b)-len(b) > firstGuess && cap(b)-len(b) > len(b)/4 {
		return append(make([]byte, 0, len(b)), b...)
	}
	return b[:len(b):len(b)]
}

// frameSizes is what zstd frames inflate to.
type frameSizes struct {
	least, most uint64
	declared    bool // by all frames
}

// sizeOfFrames adds up what the headers of src's frames and blocks tell: blocks
// that are stored or one repeated byte say how long they are, others are no
// longer than zstdMaxBlock. It stops without an error where src is malformed,
// which the decoder says better.
func sizeOfFrames(src []byte) (frameSizes, error) {
	total := frameSizes{declared: true}
	for len(src) > 0 {
		var h zstd.Header
		if h.Decode(src) != nil {
			return total, nil
		}
		src = src[h.HeaderSize:]
		if h.Skippable {
			src = src[min(uint64(len(src)), uint64(h.SkippableSize)):]
			continue
		}
		blocks, rest := sizeOfBlocks(src)
		switch {
		case !h.HasFCS:
			total.declared = false
		case h.FrameContentSize > blocks.most:
			return total, errDeclared
		default:
			blocks = frameSizes{least: max(blocks.least, h.FrameContentSize), most: h.FrameContentSize}
		}
		total.least += blocks.least
		total.most += blocks.most
		src = rest
		if h.HasCheckSum {
			src = src[min(4, len(src)):]
		}
	}
	return total, nil
}

// sizeOfBlocks does so for the blocks of one frame and returns what follows
// them.
func sizeOfBlocks(src []byte) (size frameSizes, rest []byte) {
	const repeated, compressed, reserved = 1, 2, 3 // and 0 for one that is stored
	for len(src) >= 3 {
		head := int(src[0]) | int(src[1])<<8 | int(src[2])<<16
		last, kind, n := head&1 != 0, head>>1&3, head>>3
		src = src[3:]
		length := n // of the block in src
		if kind == repeated {
			length = 1
		}
		if kind == reserved || length > len(src) {
			return size, nil
		}
		src = src[length:]
		if kind == compressed {
			size.most += zstdMaxBlock
		} else {
			size.least += uint64(n)
			size.most += uint64(n)
		}
		if last {
			return size, src
		}
	}
	return size, nil
}

// errBomb is the error of inflating more than a limit.
var errBomb = errors.New("inflated data exceed the limit")

// inflateFault describes a failure of inflate with a limit of that name.
func inflateFault(o origin, err error, name string, limit int) error {
	if errors.Is(err, errBomb) {
		e := o.fault(0, "decompression_bomb", wire.ErrLimit, "compressed data inflate to more than %d bytes", limit)
		return raise(e, name)
	}
	return o.fault(0, "decompress_failed", wire.ErrSyntax, "zstd: %v", err)
}
