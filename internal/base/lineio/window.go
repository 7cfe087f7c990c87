package lineio

import (
	"bytes"
	"io"
	"slices"
	"unicode/utf8"
)

// A Window is what is at hand of a stream, for formats whose records do not end with lines.
type Window struct {
	r       io.Reader
	buf     []byte
	from    int // what precedes it in buf is done with
	offset  int // of buf in the stream
	lines   int // before buf
	columns int // characters of its first line that are before buf
	err     error
}

// NewWindow returns a Window at the beginning of r.
func NewWindow(r io.Reader) *Window { return &Window{r: r, buf: make([]byte, 0, PieceSize)} }

// Text returns what is at hand. It is valid until the next call of More.
func (w *Window) Text() []byte { return w.buf[w.from:] }

// Drop drops the first n bytes of Text.
func (w *Window) Drop(n int) { w.from += n }

// More makes Text longer. The error is the reader's, io.EOF at the end, or io.ErrNoProgress.
func (w *Window) More() error {
	if w.err != nil {
		return w.err
	}
	w.offset, w.lines, w.columns = w.At()
	w.buf = w.buf[:copy(w.buf, w.buf[w.from:])]
	w.from = 0
	if len(w.buf) == cap(w.buf) {
		w.buf = slices.Grow(w.buf, len(w.buf))
	}
	for range MaxEmptyReads {
		var n int
		n, w.err = w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		if w.buf = w.buf[:len(w.buf)+n]; n > 0 {
			return nil
		}
		if w.err != nil {
			return w.err
		}
	}
	w.err = io.ErrNoProgress
	return w.err
}

// At returns where Text begins: the bytes and lines of the stream before it, and the
// characters before it on its own line.
func (w *Window) At() (offset, lines, columns int) {
	before := w.buf[:w.from]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 {
		return w.offset + w.from, w.lines + bytes.Count(before, newline), utf8.RuneCount(before[line+1:])
	}
	return w.offset + w.from, w.lines, w.columns + utf8.RuneCount(before)
}
