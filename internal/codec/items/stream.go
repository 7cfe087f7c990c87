package items

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"math"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of one item after the other, with nothing between them.
func NewRecordWriter(w io.Writer, c wire.Codec) (wire.RecordWriter, error) {
	return records.NewWriter(w, &recordWriter{records.Base{Format: c.Info().Name, Valid: true}, c})
}

type recordWriter struct {
	records.Base
	codec wire.Codec
}

// Record implements [records.Form].
func (w *recordWriter) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	text, err := w.codec.AppendEncode(dst, record)
	return text, true, err
}

// A Scanner finds the end of an item that arrives piece by piece. The zero Scanner is at
// the beginning of one.
type Scanner struct {
	At   int    // of what comes next in the item; beyond what is there while that is awaited
	Left uint64 // items to come, of all that have a declared length
	// Around are the same of what each array, map or string without one is in.
	Around []uint64
}

// Scan goes on in src, which begins with the item and has more of it than the last time.
// step looks at the head at s.At, and reports false where src ends within it. Scan returns
// the length of the item, or -1 if src ends before.
func (s *Scanner) Scan(src []byte, step func(s *Scanner, src []byte) bool) int {
	for s.At <= len(src) {
		if s.Left == 0 && len(s.Around) == 0 {
			return s.At
		}
		if s.At == len(src) || !step(s, src) {
			break
		}
	}
	return -1
}

// Uint returns the big-endian number of so many bytes at a position of src, 8 at most. It
// reports false where src ends before.
func Uint(src []byte, at, size int) (n uint64, ok bool) {
	if len(src)-at >= 8 {
		return binary.BigEndian.Uint64(src[at:]) >> (64 - 8*size), true
	}
	if len(src)-at < size {
		return 0, false
	}
	for _, b := range src[at : at+size] {
		n = n<<8 | uint64(b)
	}
	return n, true
}

// Skip passes over n bytes, which need not be there yet. No declared length makes At overflow.
func (s *Scanner) Skip(n uint64) { s.At += int(min(n, uint64(math.MaxInt-s.At))) }

// End ends the item at once: what is there is not well-formed, as decoding will find.
func (s *Scanner) End() bool {
	s.Left, s.Around = 0, nil
	return true
}

// Records yields the items of a stream, which decode reads one at a time, as soon as all of
// one has arrived. Limits are for one item each.
func Records(r io.Reader, l wire.Limits, step func(s *Scanner, src []byte) bool, decode func(src []byte) (wire.Value, error)) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		most, in := l.Resolved().InputBytes, lineio.NewWindow(r)
		for n := 0; ; n++ {
			s, failed := Scanner{Left: 1}, error(nil)
			size := s.Scan(in.Text(), step)
			for size < 0 && failed == nil && len(in.Text()) <= most {
				failed = in.More()
				size = s.Scan(in.Text(), step)
			}
			item := in.Text()
			switch {
			case size >= 0:
				item = item[:size]
			case failed != nil && failed != io.EOF:
				yield(wire.Value{}, failed)
				return
			case len(item) == 0:
				return
			}
			v, err := decode(item)
			if err != nil {
				offset, _, _ := in.At()
				yield(wire.Value{}, wire.AtIndex(moved(err, offset), n))
				return
			}
			if !yield(v, nil) {
				return
			}
			in.Drop(len(item))
		}
	}
}

// moved gives an error of one item the offset that it has in the stream.
func moved(err error, offset int) error {
	var e *wire.Error
	if !errors.As(err, &e) {
		return err
	}
	m := *e
	m.Offset += offset
	return &m
}
