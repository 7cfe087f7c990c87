package bcp

import (
	"bufio"
	"io"

	"github.com/wirekit/wirekit/wire"
)

// mostKept is how many bytes of memory are reused: one large body does not keep its
// own for the small ones after it.
const mostKept = 1 << 20

// input is the bytes of a payload, in memory or from a reader. Running out
// of bytes is the same error in both, at the same offset.
type input struct {
	buf  []byte
	pos  int
	base int // offset of buf[0], or of the reader's next byte

	r      byteReader // nil if all bytes are in buf
	peeked bool
	peek   byte

	again bool   // what was read is used before the next bytes are
	kept  []byte // then: the memory for them, of mostKept bytes at most
}

type byteReader interface {
	io.Reader
	io.ByteReader
}

// newInput reads from r byte by byte where it can, so that nothing is read
// beyond what is used; other readers are buffered.
func newInput(r io.Reader) input {
	br, ok := r.(byteReader)
	if !ok {
		br = bufio.NewReaderSize(r, 16<<10)
	}
	return input{r: br}
}

// unseen bounds what is allocated for bytes that have not been seen yet.
const unseen = 64 << 10

func (in *input) offset() int { return in.base + in.pos }

// rest returns the bytes in memory that have not been read.
func (in *input) rest() []byte { return in.buf[in.pos:] }

// atEnd reports whether there is no further byte.
func (in *input) atEnd() (bool, error) {
	if in.r == nil {
		return in.pos == len(in.buf), nil
	}
	if in.peeked {
		return false, nil
	}
	b, err := in.r.ReadByte()
	if err == io.EOF {
		return true, nil
	}
	if err != nil {
		return false, ioFailure(err)
	}
	in.peeked, in.peek = true, b
	return false, nil
}

// byte reads one byte.
func (in *input) byte() (byte, error) {
	if in.r == nil {
		if in.pos == len(in.buf) {
			return 0, unexpectedEOF(in.offset())
		}
		b := in.buf[in.pos]
		in.pos++
		return b, nil
	}
	end, err := in.atEnd()
	if err != nil {
		return 0, err
	}
	if end {
		return 0, unexpectedEOF(in.offset())
	}
	in.peeked = false
	in.base++
	return in.peek, nil
}

// upTo returns the next n bytes, or fewer if the input has no more.
func (in *input) upTo(n int) ([]byte, error) {
	if in.r == nil {
		end := in.pos + min(n, len(in.buf)-in.pos)
		b := in.buf[in.pos:end:end]
		in.pos = end
		return b, nil
	}
	b := in.kept[:0]
	if cap(b) == 0 || cap(b) < min(n, unseen) {
		b = make([]byte, 0, min(n, unseen))
	}
	if in.peeked && n > 0 {
		b = append(b, in.peek)
		in.peeked = false
	}
	for len(b) < n {
		if len(b) == cap(b) {
			grown := make([]byte, len(b), min(n, 2*cap(b)))
			copy(grown, b)
			b = grown
		}
		m, err := readSome(in.r, b[len(b):min(n, cap(b))])
		b = b[:len(b)+m]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, ioFailure(err)
		}
	}
	in.base += len(b)
	if in.again && cap(b) <= mostKept {
		in.kept = b[:0]
	}
	return b, nil
}

// emptyReads is how often in a row a reader may return nothing and no error.
const emptyReads = 100

// readSome reads at least one byte, or returns an error.
func readSome(r io.Reader, b []byte) (int, error) {
	for range emptyReads {
		n, err := r.Read(b)
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// take returns the next n bytes. Nothing is allocated for bytes that are not
// there but up to 64 KiB.
func (in *input) take(n int) ([]byte, error) {
	b, err := in.upTo(n)
	if err != nil {
		return nil, err
	}
	if len(b) < n {
		return nil, unexpectedEOF(in.offset())
	}
	return b, nil
}

// all returns all bytes up to the end of the input, which must not be more
// than limit.
func (in *input) all(limit int) ([]byte, error) {
	start := in.offset()
	b, err := in.upTo(limit)
	if err != nil {
		return nil, err
	}
	if end, err := in.atEnd(); err != nil {
		return nil, err
	} else if !end {
		return nil, raise(fault(start, "payload_too_large", wire.ErrLimit, "more than %d bytes", limit), "PayloadBytes")
	}
	return b, nil
}
