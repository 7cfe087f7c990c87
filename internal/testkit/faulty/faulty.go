// Package faulty has readers and writers that behave as badly as io.Reader and
// io.Writer allow, and some that behave worse, for the tests of streams.
package faulty

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"testing/iotest"
)

// Readers iterates over readers that all give data and then io.EOF, each in
// other pieces: at once, by one byte, by halves, with empty reads between, with
// io.EOF beside the last bytes. What is read must not depend on which one it
// was.
func Readers(data []byte) iter.Seq2[string, io.Reader] {
	return func(yield func(string, io.Reader) bool) {
		_ = yield("whole", bytes.NewReader(data)) &&
			yield("one byte", iotest.OneByteReader(bytes.NewReader(data))) &&
			yield("halves", iotest.HalfReader(bytes.NewReader(data))) &&
			yield("stuttering", &stuttering{r: bytes.NewReader(data)}) &&
			yield("seven bytes", &pieces{data: data, size: 7, err: io.EOF}) &&
			yield("end beside data", iotest.DataErrReader(bytes.NewReader(data)))
	}
}

// Failing iterates over readers that all give data and then err: after the
// last bytes or beside them, in one piece or in many. What precedes the fault
// must be read alike from each, and err be told.
func Failing(data []byte, err error) iter.Seq2[string, io.Reader] {
	return func(yield func(string, io.Reader) bool) {
		_ = yield("behind the data", &pieces{data: data, size: len(data), err: err}) &&
			yield("beside the data", &pieces{data: data, size: len(data), err: err, beside: true}) &&
			yield("by one byte", &pieces{data: data, size: 1, err: err}) &&
			yield("by one byte, beside the last", &pieces{data: data, size: 1, err: err, beside: true}) &&
			yield("by seven bytes", &pieces{data: data, size: 7, err: err})
	}
}

// pieces gives data by size bytes and then err, or err beside the last bytes.
type pieces struct {
	data   []byte
	size   int
	err    error
	beside bool
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, p.err
	}
	n := copy(b[:min(len(b), p.size)], p.data)
	p.data = p.data[n:]
	if p.beside && len(p.data) == 0 {
		return n, p.err
	}
	return n, nil
}

// Crumbs returns a reader that gives data by one to most bytes, how many at random, and
// then err.
func Crumbs(random *rand.Rand, data []byte, most int, err error) io.Reader {
	return &crumbs{pieces{data: data, err: err}, random, most}
}

type crumbs struct {
	pieces
	random *rand.Rand
	most   int
}

func (c *crumbs) Read(b []byte) (int, error) {
	c.size = 1 + c.random.IntN(c.most)
	return c.pieces.Read(b)
}

// stuttering reads nothing, without an error, every other time.
type stuttering struct {
	r     io.Reader
	empty bool
}

func (s *stuttering) Read(b []byte) (int, error) {
	if s.empty = !s.empty; s.empty {
		return 0, nil
	}
	return s.r.Read(b)
}

// patience is how many empty reads a Stuck reader gives before it panics.
const patience = 100_000

// Stuck returns a reader that gives data and then for ever nothing without an
// error. Callers that read it must give up, with io.ErrNoProgress; who does not makes
// it panic.
func Stuck(data []byte) io.Reader { return &stuck{data: data} }

type stuck struct {
	data  []byte
	empty int
}

func (s *stuck) Read(b []byte) (int, error) {
	n := copy(b, s.data)
	s.data = s.data[n:]
	if n == 0 {
		if s.empty++; s.empty > patience {
			panic("faulty: a reader that gives nothing is read for ever")
		}
	}
	return n, nil
}

// ErrFull is the error of a writer that takes no more.
var ErrFull = errors.New("faulty: no space left")

// A Writer takes bytes up to a limit. Beyond it, it takes the part that fits
// and returns ErrFull, or, if Silent, no error at all: against io.Writer's
// contract, and as io.Copy and bufio expect it of some.
type Writer struct {
	Limit  int
	Silent bool
	taken  []byte // a buffer's further methods would pass the limit by
}

// Write takes what fits.
func (w *Writer) Write(p []byte) (int, error) {
	n := min(len(p), w.Limit-len(w.taken))
	w.taken = append(w.taken, p[:n]...)
	if n < len(p) && !w.Silent {
		return n, ErrFull
	}
	return n, nil
}

// Len returns how many bytes were taken.
func (w *Writer) Len() int { return len(w.taken) }

// String returns what was taken.
func (w *Writer) String() string { return string(w.taken) }

// Cuts iterates over the beginnings of data that are shorter than it: all of
// them up to a length of dense, and beyond it as many again, evenly spread.
func Cuts(data []byte, dense int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		step := 1
		for n := 0; n < len(data); n += step {
			if !yield(data[:n:n]) {
				return
			}
			if n == dense {
				step = max(1, (len(data)-dense)/max(dense, 1))
			}
		}
	}
}
