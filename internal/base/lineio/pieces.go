package lineio

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// ErrUTF8 is returned for a line that is not UTF-8, as far as it is not too long.
var ErrUTF8 = errors.New("bytes that are not UTF-8")

// Pieces reads a stream in pieces of whole lines, for formats whose records are
// more than a line: a piece begins where its reader said it was done with the one
// before. What stops the reading comes after all lines before it, so it does not
// matter in which portions they came.
type Pieces struct {
	r      io.Reader
	max    int    // bytes of a line without its end
	buf    []byte // what was read and is not done with
	whole  int    // length of the prefix of buf that is whole lines
	offset int    // of buf[0] in the stream
	lines  int    // before it

	ended bool // nothing is left to read
	cut   bool // then: the last line has no line feed

	stop error // why nothing more is read
	at   int   // where in buf that shows, if the text is the reason
}

// PieceSize is how much is read at a time.
const PieceSize = 64 << 10

// NewPieces returns the pieces of r, whose lines have at most max bytes without their ends.
func NewPieces(r io.Reader, max int) *Pieces { return &Pieces{r: r, max: max} }

// pieceBuffers hold pieces while they are read.
var pieceBuffers = sync.Pool{New: func() any {
	buf := make([]byte, 0, 3*PieceSize)
	return &buf
}}

// maxPieceBuffer is the length up to which one is kept.
const maxPieceBuffer = 1 << 20

// Begin makes the pieces those of a stream's rest, before which there are offset bytes
// and that many lines, in memory that Free takes back.
func (p *Pieces) Begin(offset, lines int) {
	p.buf, p.offset, p.lines = *pieceBuffers.Get().(*[]byte), offset, lines
}

// Free ends the use of pieces after Begin.
func (p *Pieces) Free() {
	if buf := p.buf[:0]; cap(buf) <= maxPieceBuffer {
		pieceBuffers.Put(&buf)
	}
}

// Text returns the whole lines that were read and are not done with. It is valid
// until the next call of Done or More.
func (p *Pieces) Text() []byte { return p.buf[:p.whole] }

// Len returns the length of Text.
func (p *Pieces) Len() int { return p.whole }

// Offset returns where in the stream Text begins, and Lines how many lines are
// before it.
func (p *Pieces) Offset() int { return p.offset }

// Lines returns how many lines there are before Text.
func (p *Pieces) Lines() int { return p.lines }

// Ended reports whether nothing is left to read after Text.
func (p *Pieces) Ended() bool { return p.ended }

// Cut reports whether the stream has ended with a line that has no line feed.
func (p *Pieces) Cut() bool { return p.cut }

// Fault returns Text with what follows it, and where in it the fault is that More
// returned ErrUTF8 or ErrTooLong for.
func (p *Pieces) Fault() (text []byte, at int) { return p.buf, p.at }

// Done drops the first n bytes of Text, which end with a line.
func (p *Pieces) Done(n int) {
	p.lines += bytes.Count(p.buf[:n], []byte{'\n'})
	p.offset += n
	p.whole -= n
	p.at -= n
	p.buf = p.buf[:copy(p.buf, p.buf[n:])]
}

// More makes Text longer by at least one line. It reports false if the stream has
// ended. The error is ErrUTF8, ErrTooLong, io.ErrNoProgress or the reader's.
func (p *Pieces) More() (bool, error) {
	for empty := 0; ; empty++ {
		if p.stop != nil {
			return false, p.stop
		}
		if p.ended {
			return false, nil
		}
		n, err := p.read()
		if end := p.lastLine(n, err); end > p.whole {
			if p.accept(end) {
				return true, nil
			}
			continue
		}
		switch {
		case n > 0:
			empty = -1
		case empty >= MaxEmptyReads && p.stop == nil:
			p.stop = io.ErrNoProgress
		}
		// With so many bytes more, the last character within the limit is whole.
		if len(p.buf)-p.whole > bound.Add(p.max, utf8.UTFMax) {
			p.accept(len(p.buf))
		}
	}
}

// read reads once, after what is there.
func (p *Pieces) read() (int, error) {
	if len(p.buf) == cap(p.buf) {
		p.buf = slices.Grow(p.buf, max(len(p.buf), PieceSize))
	}
	n, err := p.r.Read(p.buf[len(p.buf):cap(p.buf)])
	p.buf = p.buf[:len(p.buf)+n]
	return n, err
}

// lastLine returns where the last whole line ends after a read of n bytes, and
// notes what the read's error means.
func (p *Pieces) lastLine(n int, err error) int {
	switch {
	case err == io.EOF:
		p.ended = true
		p.cut = len(p.buf) > 0 && p.buf[len(p.buf)-1] != '\n'
		return len(p.buf)
	case err != nil:
		p.stop = err
	}
	from := len(p.buf) - n
	if last := bytes.LastIndexByte(p.buf[from:], '\n'); last >= 0 {
		return from + last + 1
	}
	return p.whole
}

// accept makes the lines before end whole, up to the first that is not UTF-8 or too long.
// It reports false if that is the first of them.
func (p *Pieces) accept(end int) bool {
	was, fault := p.whole, error(nil)
	at := was + scan.ValidUTF8(p.buf[was:end])
	if at < end {
		fault = ErrUTF8
	}
	if i := p.tooLong(p.buf[was:end]); i >= 0 && was+i <= at {
		at, fault = was+i, ErrTooLong
	}
	if fault != nil {
		p.stop, p.at, p.ended, p.cut = fault, at, false, false
		end = was + bytes.LastIndexByte(p.buf[was:at], '\n') + 1
	}
	p.whole = end
	return end > was
}

// tooLong returns where the first line that is too long passes the limit, -1 if none does.
func (p *Pieces) tooLong(text []byte) int {
	for from := 0; len(text)-from > p.max; {
		line, _, _ := bytes.Cut(text[from:], []byte{'\n'})
		if len(bytes.TrimSuffix(line, []byte{'\r'})) > p.max {
			return from + p.max
		}
		from += len(line) + 1
	}
	return -1
}
