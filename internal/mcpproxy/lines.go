package mcpproxy

import (
	"bufio"
	"errors"
	"io"
)

// DefaultMaxLine is the longest message of standard input and output that is
// looked at. Longer ones are forwarded in pieces, as they are.
const DefaultMaxLine = 64 << 20

// keptBuffer is the size above which a unit's buffer is not kept for the next.
const keptBuffer = 1 << 20

// A scanner reads a stream in units of whole lines: a message is a line, and an event
// ends with a blank one.
type scanner struct {
	in         *bufio.Reader
	most       int                    // the longest unit that is returned whole
	ends       func(line []byte) bool // whether a line is the last of its unit; nil if each is
	noComments bool                   // lines that begin with a colon are left out
	unit       []byte
	passes     bool // the unit at hand is too long
	inLine     bool // what was read last ends within a line
}

func newScanner(src io.Reader, most int, ends func(line []byte) bool) *scanner {
	return &scanner{in: bufio.NewReaderSize(src, 64<<10), most: most, ends: ends}
}

// next returns the next unit, or a piece of one that is too long. It is valid until the
// next call. With an error comes what there was before it, which lacks its end.
func (s *scanner) next() (text []byte, whole bool, err error) {
	if cap(s.unit) > keptBuffer {
		s.unit = nil
	}
	s.unit = s.unit[:0]
	goesOn := s.inLine // a line of which a piece was returned, and which is not blank
	for start := 0; ; {
		part, err := s.in.ReadSlice('\n')
		s.unit = append(s.unit, part...)
		if s.inLine = errors.Is(err, bufio.ErrBufferFull); s.inLine {
			err = nil
		}
		line := s.unit[start:]
		comment := s.noComments && len(line) > 0 && line[0] == ':'
		if comment && s.inLine {
			s.unit = s.unit[:start+1] // the colon, by which the rest is a comment, too
		} else if comment {
			s.unit = s.unit[:start]
		}
		s.passes = s.passes || len(s.unit) > s.most
		ended := err != nil || !s.inLine && !comment && (s.ends == nil || !goesOn && s.ends(line))
		if ended || s.passes {
			whole = !s.passes
			s.passes = !ended
			return s.unit, whole, err
		}
		if !s.inLine {
			start = len(s.unit)
		}
	}
}

// copyLines copies src to dst. Each line of at most max bytes is written at
// once as what f makes of it, its end included; a last line without an end is
// one too. The error is nil at the end of src.
func copyLines(dst io.Writer, src io.Reader, max int, f func(line []byte) []byte) error {
	lines := newScanner(src, max, nil)
	for {
		line, whole, err := lines.next()
		var failed error
		if n := len(line); n > 0 && whole {
			_, failed = dst.Write(f(line))
		} else if n > 0 { // not at once, by which a child knows a line
			if _, failed = dst.Write(line[:n-1]); failed == nil {
				_, failed = dst.Write(line[n-1:])
			}
		}
		if failed != nil {
			return failed
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
