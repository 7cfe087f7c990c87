package gcf

import (
	"io"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// chunks are the pieces of whole lines that a stream is read in.
type chunks struct {
	*lineio.Pieces
	max   int  // bytes of a line
	begun bool // the byte order mark is past
}

func newChunks(r io.Reader, max int) chunks {
	return chunks{Pieces: lineio.NewPieces(r, max), max: max}
}

// more makes the piece longer by at least one line. It reports false if the
// stream has ended. The position of an error is that in the piece.
func (c *chunks) more() (bool, error) {
	more, err := c.More()
	if err == nil {
		return more, nil
	}
	src, at := c.Fault()
	l := lex.Lines{Src: src}
	switch err {
	case lineio.ErrUTF8:
		return false, l.NotUTF8(at)
	case lineio.ErrTooLong:
		return false, l.TooLong(at)
	}
	return false, err
}

// load makes l ready to read the piece, from the next line on.
func (c *chunks) load(l *lex.Lines) {
	src := c.Text()
	l.Src, l.Base = src, 0
	if !c.begun {
		l.Base = len(src) - len(scan.TrimBOM(src))
		c.begun = true
	}
	l.Doc = string(src[l.Base:])
	l.Pos, l.Start, l.End, l.Indent, l.Done = 0, 0, 0, 0, false
}

// fill makes a line of l current if there is one left in the stream.
func (c *chunks) fill(l *lex.Lines) error {
	for l.Done && !c.Ended() {
		c.Done(c.Len())
		if _, err := c.more(); err != nil {
			return err
		}
		c.load(l)
		if err := l.Next(); err != nil {
			return err
		}
	}
	return nil
}

// A sink writes a stream, up to the first error.
type sink struct {
	w      io.Writer
	err    error
	closed bool
}

// checkOpen refuses what comes after the end.
func (s *sink) checkOpen() {
	if s.closed {
		s.stop(lex.Fault("closed", wire.ErrShape, "", "the stream is closed", ""))
	}
}

// stop keeps the first error, which it returns.
func (s *sink) stop(err error) error {
	if s.err == nil {
		s.err = err
	}
	return s.err
}

// write writes whole lines, unless there was an error.
func (s *sink) write(lines []byte) error {
	if s.err == nil {
		s.err = lineio.WriteWhole(s.w, lines)
	}
	return s.err
}

// moved gives an error about the piece its position in the stream. Errors of the
// reader stay as they are.
func (c *chunks) moved(err error) error {
	if e, ok := err.(*wire.Error); ok && e.Format == lex.FormatName && e.Line > 0 {
		return wire.Internal.Shift(e, c.Offset(), c.Lines(), 0)
	}
	return err
}

// ending returns the ending of the stream, whose warnings have their positions in it.
func (c *chunks) ending(e lex.Ending) lex.Ending {
	if warn := e.Warn; warn != nil {
		e.Warn = func(e *wire.Error) { warn(c.moved(e).(*wire.Error)) }
	}
	return e
}
