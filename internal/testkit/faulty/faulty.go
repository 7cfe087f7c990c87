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
			yield("seven bytes", crumbs{bytes.NewReader(data), seven}) &&
			yield("end beside data", iotest.DataErrReader(bytes.NewReader(data)))
	}
}

// Failing iterates over readers that all give data and then err: after the
// last bytes or beside them, in one piece or in many. What precedes the fault
// must be read alike from each, and err be told.
func Failing(data []byte, err error) iter.Seq2[string, io.Reader] {
	return func(yield func(string, io.Reader) bool) {
		failing := func() io.Reader { return ending(data, err) }
		_ = yield("behind the data", failing()) &&
			yield("beside the data", iotest.DataErrReader(failing())) &&
			yield("by one byte", iotest.OneByteReader(failing())) &&
			yield("by one byte, beside the last", iotest.DataErrReader(iotest.OneByteReader(failing()))) &&
			yield("by seven bytes", crumbs{failing(), seven})
	}
}

// ending returns a reader that gives data and then err.
func ending(data []byte, err error) io.Reader {
	return io.MultiReader(bytes.NewReader(data), iotest.ErrReader(err))
}

// Crumbs returns a reader that gives data by one to most bytes, how many at random, and
// then err.
func Crumbs(random *rand.Rand, data []byte, most int, err error) io.Reader {
	return crumbs{ending(data, err), func() int { return 1 + random.IntN(most) }}
}

// crumbs gives what another reader has in pieces of that size.
type crumbs struct {
	io.Reader
	size func() int
}

func (c crumbs) Read(b []byte) (int, error) { return c.Reader.Read(b[:min(len(b), c.size())]) }

func seven() int { return 7 }

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
