package bcp

import (
	"bufio"
	"cmp"
	"io"

	"github.com/wirekit/wirekit/wire"
)

// mostKept is how many bytes of memory are reused: one large body does not keep its
// own for the small ones after it.
const mostKept = 1 << 20

// input is the bytes of a payload, in memory or from a reader. Running out
// of bytes is the same error in both, at the same offset. After an error of
// the reader there are no more bytes; what is read after any other error is not used.
type input struct {
	err  error  // the first
	buf  []byte // all bytes, or of a reader the one that was read last
	pos  int
	base int // offset of buf[0]

	r byteReader // nil if all bytes are in buf

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

// fail notes the first error.
func (in *input) fail(err error) { in.err = cmp.Or(in.err, err) }

// atEnd reports whether all bytes have been read.
func (in *input) atEnd() bool {
	if in.pos < len(in.buf) || in.r == nil || in.err != nil {
		return in.pos == len(in.buf)
	}
	b, err := in.r.ReadByte()
	if err == nil {
		in.base, in.pos, in.buf = in.base+in.pos, 0, append(in.buf[:0], b)
	} else if err != io.EOF {
		in.fail(ioFailure(err))
	}
	return err != nil
}

// byte reads one byte.
func (in *input) byte() byte {
	if in.atEnd() {
		in.fail(unexpectedEOF(in.offset()))
		return 0
	}
	in.pos++
	return in.buf[in.pos-1]
}

// upTo returns the next n bytes, or fewer if the input has no more.
func (in *input) upTo(n int) []byte {
	end := in.pos + min(n, len(in.buf)-in.pos)
	here := in.buf[in.pos:end:end]
	in.pos = end
	if in.r == nil {
		return here
	}
	b := in.kept[:0]
	if cap(b) == 0 || cap(b) < min(n, unseen) {
		b = make([]byte, 0, min(n, unseen))
	}
	b = append(b, here...)
	for len(b) < n {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(n, 2*cap(b))), b...)
		}
		m, err := readSome(in.r, b[len(b):min(n, cap(b))])
		b = b[:len(b)+m]
		if err == io.EOF {
			break
		}
		if err != nil {
			in.fail(ioFailure(err))
			return nil
		}
	}
	in.base += len(b) - len(here)
	if in.again && cap(b) <= mostKept {
		in.kept = b[:0]
	}
	return b
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
func (in *input) take(n int) []byte {
	b := in.upTo(n)
	if len(b) < n {
		in.fail(unexpectedEOF(in.offset()))
	}
	return b
}

// all returns all bytes up to the end of the input, which must not be more
// than limit.
func (in *input) all(limit int) []byte {
	start := in.offset()
	b := in.upTo(limit)
	if !in.atEnd() {
		in.fail(raise(fault(start, "payload_too_large", wire.ErrLimit, "more than %d bytes", limit), "PayloadBytes"))
	}
	return b
}
