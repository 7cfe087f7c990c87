package gcf

import (
	"bytes"
	"errors"
	"io"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// chunks reads a stream in pieces of whole lines. A piece begins where its
// reader said it was done with the piece before.
type chunks struct {
	r      io.Reader
	max    int    // bytes of a piece that is no more than its reader asked for
	buf    []byte // what was read and is not done with
	whole  int    // length of the prefix of buf that is whole lines
	ended  bool   // nothing is left to read
	begun  bool   // the byte order mark is behind
	offset int    // of buf[0] in the stream
	line   int    // lines before it
}

// chunkSize is how much is read at a time.
const chunkSize = 64 << 10

// done drops the first n bytes of the piece, which end with a line.
func (c *chunks) done(n int) {
	c.line += bytes.Count(c.buf[:n], []byte{'\n'})
	c.offset += n
	c.whole -= n
	c.buf = c.buf[:copy(c.buf, c.buf[n:])]
}

// more makes the piece longer by at least one line. It reports false if the
// stream has ended.
func (c *chunks) more() (bool, error) {
	if c.ended {
		return false, nil
	}
	for empty := 0; ; {
		if len(c.buf) == cap(c.buf) {
			grown := make([]byte, len(c.buf), max(2*cap(c.buf), chunkSize))
			copy(grown, c.buf)
			c.buf = grown
		}
		n, err := c.r.Read(c.buf[len(c.buf):cap(c.buf)])
		from := len(c.buf)
		c.buf = c.buf[:from+n]
		if err == io.EOF {
			c.ended = true
		} else if err != nil {
			return false, err
		}
		last := from + bytes.LastIndexByte(c.buf[from:], '\n') + 1
		switch {
		case c.ended:
			grew := len(c.buf) > c.whole
			c.whole = len(c.buf)
			return grew, nil
		case last > from:
			c.whole = last
			return true, nil
		case len(c.buf) > c.max:
			return false, c.moved(wire.ErrorAt(c.buf, c.max, wire.Error{Format: formatName, Code: "line_too_long", Kind: wire.ErrLimit,
				Message: "a line, or a row with what belongs to it, is longer than the limit", Hint: "raise Limits.LineBytes"}))
		case n == 0:
			if empty++; empty == maxEmptyReads {
				return false, io.ErrNoProgress
			}
		}
	}
}

// maxEmptyReads is how often a reader may return nothing.
const maxEmptyReads = 100

// load makes l ready to read the piece, from the next line on.
func (c *chunks) load(l *lines) error {
	src := c.buf[:c.whole]
	l.src, l.base = src, 0
	if !c.begun {
		l.base = len(src) - len(scan.TrimBOM(src))
		c.begun = true
	}
	text := src[l.base:]
	if n := scan.ValidUTF8(text); n < len(text) {
		return l.fail(n, wire.Error{Code: "invalid_utf8", Kind: wire.ErrUTF8, Message: "bytes that are not UTF-8"})
	}
	l.text = string(text)
	l.pos, l.start, l.end, l.indent, l.done = 0, 0, 0, 0, false
	return nil
}

// moved gives an error about the piece its position in the stream.
func (c *chunks) moved(err error) error {
	var e *wire.Error
	if errors.As(err, &e) && e.Line > 0 {
		return e.Moved(c.offset, c.line)
	}
	return err
}
