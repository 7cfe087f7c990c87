// Package lineio reads text line by line with bounded memory, and counts where it
// is. The decoders of streams share it: [Reader] for formats of a record a line,
// [Append] and [Slice] for those that put lines together, [Each] for those that are not
// ended by a line that is too long, [Pieces] for those whose
// records begin and end with lines.
package lineio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// ErrTooLong is returned for a line longer than the limit.
var ErrTooLong = errors.New("line is longer than the limit")

// Append appends the next line of r, with its end, to dst, which may hold lines
// that belong together. The error is io.EOF if the text ended after what was
// appended, ErrTooLong as soon as dst has more than max bytes, or the reader's.
func Append(dst []byte, r *bufio.Reader, max int) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		dst = append(dst, part...)
		if len(dst) > max {
			return dst, ErrTooLong
		}
		if err != bufio.ErrBufferFull {
			return dst, err
		}
	}
}

// Slice is Append for a line alone. It is valid until r is read again, and lies
// in buf only where r's buffer is too short for it.
func Slice(buf *[]byte, r *bufio.Reader, max int) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err == bufio.ErrBufferFull && len(line) <= max {
		*buf, err = Append(append((*buf)[:0], line...), r, max)
		return *buf, err
	}
	if len(line) > max {
		err = ErrTooLong
	}
	return line, err
}

// Each calls f with each line of r and its end, valid until f returns; with no line and tooLong
// in the place of one of more than max bytes, which is passed over. The error is the reader's.
func Each(r *bufio.Reader, max int, f func(line []byte, tooLong bool)) error {
	var buf []byte
	for {
		line, err := Slice(&buf, r, max)
		tooLong := err == ErrTooLong
		if tooLong {
			if err = bufio.ErrBufferFull; line[len(line)-1] == '\n' {
				err = nil
			}
			for line = nil; err == bufio.ErrBufferFull; {
				_, err = r.ReadSlice('\n')
			}
		}
		if tooLong || len(line) > 0 {
			f(line, tooLong)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// A Reader reads lines. A byte order mark at the start of a line is skipped, as files that
// were put together have it within the text;
// LF and CRLF end a line; the last line may end without either.
type Reader struct {
	r    *bufio.Reader
	max  int
	line []byte
	last []byte // what Next returned

	next   int // offset of the next line
	number int // of the line read last, counted from 1
	offset int // of the line read last
	ended  bool
}

// NewReader returns a Reader of r that refuses lines of more than max bytes,
// not counting the line end.
func NewReader(r io.Reader, max int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// NewPartReader returns a Reader of a part, as NewReader's would be after what is
// before it. Free ends it.
func NewPartReader(p Part, max int) *Reader {
	return &Reader{r: p.Reader(), max: max, next: p.Offset, number: p.Lines}
}

// Free ends the use of a Reader from [NewPartReader].
func (r *Reader) Free() { Free(r.r) }

// Next returns the next line without its end. It is valid until the next call.
// The error is io.EOF after the last line, ErrTooLong, or the reader's.
func (r *Reader) Next() ([]byte, error) {
	if r.ended {
		return nil, io.EOF
	}
	r.offset = r.next
	line, err := Slice(&r.line, r.r, bound.Add(r.max, len("\r\n")))
	r.next += len(line)
	r.ended = err != nil
	switch {
	case err == ErrTooLong:
		r.number++
		return nil, err
	case err == nil || err == io.EOF && len(line) > 0:
		r.last, err = r.cut(line)
		return r.last, err
	}
	return nil, err
}

// cut takes the line end and a byte order mark off.
func (r *Reader) cut(line []byte) ([]byte, error) {
	r.number++
	rest := scan.TrimBOM(line)
	r.offset += len(line) - len(rest)
	line = rest
	if text, ok := bytes.CutSuffix(line, newline); ok {
		line = bytes.TrimSuffix(text, []byte{'\r'})
	}
	if len(line) > r.max {
		r.ended = true
		return nil, ErrTooLong
	}
	return line, nil
}

// Line returns the line read last. It is valid until the next one is read.
func (r *Reader) Line() []byte { return r.last }

// Number returns the number of the line read last, counted from 1.
func (r *Reader) Number() int { return r.number }

// Offset returns the offset of the first byte of the line read last.
func (r *Reader) Offset() int { return r.offset }

// A RecordError says which record of a stream an error is about.
type RecordError struct {
	Record int // counted from 1
	Err    error
}

// Error implements the interface error.
func (e *RecordError) Error() string { return fmt.Sprintf("record %d: %v", e.Record, e.Err) }

// Unwrap returns the error itself.
func (e *RecordError) Unwrap() error { return e.Err }

// SkipMark takes a byte order mark at the beginning of a text, and returns it. It is valid
// until in is read.
func SkipMark(in *bufio.Reader) []byte {
	const mark = "\ufeff"
	next, _ := in.Peek(1)
	if string(next) != mark[:1] {
		return nil // no more is waited for
	}
	next, _ = in.Peek(len(mark))
	next = next[:len(next)-len(scan.TrimBOM(next))]
	_, _ = in.Discard(len(next))
	return next
}
