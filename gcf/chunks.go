package gcf

import (
	"bytes"
	"io"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// chunks reads a stream in pieces of whole lines. A piece begins where its
// reader said it was done with the piece before. What stops the reading comes
// after all lines before it, so it does not matter in which portions they came.
type chunks struct {
	r      io.Reader
	max    int    // bytes of a line
	buf    []byte // what was read and is not done with
	whole  int    // length of the prefix of buf that is whole lines
	begun  bool   // the byte order mark is behind
	offset int    // of buf[0] in the stream
	line   int    // lines before it

	ended bool // nothing is left to read
	cut   bool // then: the last line has no line feed

	stop   stopReason // why nothing more is read
	at     int        // where in buf that shows, for some reasons
	failed error      // of the reader
}

// stopReason says why a stream is not read to its end.
type stopReason uint8

const (
	stopNot  stopReason = iota
	stopFail            // the reader fails
	stopUTF8            // bytes that are not UTF-8
	stopLong            // a line longer than the limit
)

const (
	// chunkSize is how much is read at a time.
	chunkSize = 64 << 10
	// maxEmptyReads is how often in a row a reader may return nothing.
	maxEmptyReads = 100
)

// done drops the first n bytes of the piece, which end with a line.
func (c *chunks) done(n int) {
	c.line += bytes.Count(c.buf[:n], []byte{'\n'})
	c.offset += n
	c.whole -= n
	c.at -= n
	c.buf = c.buf[:copy(c.buf, c.buf[n:])]
}

// more makes the piece longer by at least one line. It reports false if the
// stream has ended. The position of an error is that in the piece.
func (c *chunks) more() (bool, error) {
	for empty := 0; ; empty++ {
		if c.stop != stopNot {
			return false, c.fault()
		}
		if c.ended {
			return false, nil
		}
		n, err := c.read()
		if end := c.lastLine(n, err); end > c.whole {
			if c.accept(end) {
				return true, nil
			}
			continue
		}
		switch {
		case n > 0:
			empty = -1
		case empty >= maxEmptyReads && c.stop == stopNot:
			c.stop, c.failed = stopFail, io.ErrNoProgress
		}
		if len(c.buf)-c.whole > c.max && c.stop == stopNot {
			c.stop, c.at = stopLong, c.whole+c.max
		}
	}
}

// read reads once, behind what is there.
func (c *chunks) read() (int, error) {
	if len(c.buf) == cap(c.buf) {
		grown := make([]byte, len(c.buf), max(2*cap(c.buf), chunkSize))
		copy(grown, c.buf)
		c.buf = grown
	}
	n, err := c.r.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	return n, err
}

// lastLine returns where the last whole line ends after a read of n bytes, and
// notes what the read's error means.
func (c *chunks) lastLine(n int, err error) int {
	switch {
	case err == io.EOF:
		c.ended = true
		c.cut = len(c.buf) > 0 && c.buf[len(c.buf)-1] != '\n'
		return len(c.buf)
	case err != nil:
		c.stop, c.failed = stopFail, err
	}
	from := len(c.buf) - n
	if last := bytes.LastIndexByte(c.buf[from:], '\n'); last >= 0 {
		return from + last + 1
	}
	return c.whole
}

// accept makes the lines before end whole, up to the first that is not UTF-8.
// It reports false if that is the first of them.
func (c *chunks) accept(end int) bool {
	was := c.whole
	if n := scan.ValidUTF8(c.buf[was:end]); n < end-was {
		c.stop, c.at, c.ended, c.cut = stopUTF8, was+n, false, false
		end = was + bytes.LastIndexByte(c.buf[was:c.at], '\n') + 1
	}
	c.whole = end
	return end > was
}

// fault returns the error for what stops the reading.
func (c *chunks) fault() error {
	switch c.stop {
	case stopUTF8:
		return wire.ErrorAt(c.buf, c.at, wire.Error{Format: formatName, Code: "invalid_utf8", Kind: wire.ErrUTF8,
			Message: "bytes that are not UTF-8"})
	case stopLong:
		return wire.ErrorAt(c.buf, c.at, wire.Error{Format: formatName, Code: "line_too_long", Kind: wire.ErrLimit,
			Message: "the line is longer than the limit", Hint: "raise Limits.LineBytes"})
	}
	return c.failed
}

// load makes l ready to read the piece, from the next line on.
func (c *chunks) load(l *lines) {
	src := c.buf[:c.whole]
	l.src, l.base = src, 0
	if !c.begun {
		l.base = len(src) - len(scan.TrimBOM(src))
		c.begun = true
	}
	l.text = string(src[l.base:])
	l.pos, l.start, l.end, l.indent, l.done = 0, 0, 0, 0, false
}

// moved gives an error about the piece its position in the stream. Errors of the
// reader stay as they are.
func (c *chunks) moved(err error) error {
	if e, ok := err.(*wire.Error); ok && e.Format == formatName && e.Line > 0 {
		return e.Moved(c.offset, c.line)
	}
	return err
}

// writeWhole writes all of b. A writer that takes less without an error breaks
// its contract, which must not cost data.
func writeWhole(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		return io.ErrShortWrite
	}
	return err
}
