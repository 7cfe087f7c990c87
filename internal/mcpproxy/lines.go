package mcpproxy

import (
	"bufio"
	"errors"
	"io"
)

// DefaultMaxLine is the longest message of standard input and output that is
// looked at. Longer ones are forwarded in pieces, as they are.
const DefaultMaxLine = 64 << 20

// keptBuffer is the size above which a line's buffer is not kept for the next.
const keptBuffer = 1 << 20

// copyLines copies src to dst. Each line of at most max bytes is written at
// once as what f makes of it, its end included; a last line without an end is
// one too. The error is nil at the end of src.
func copyLines(dst io.Writer, src io.Reader, max int, f func(line []byte) []byte) error {
	r := bufio.NewReaderSize(src, 64<<10)
	var line []byte // the parts of a line before the one at hand
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong || len(line)+len(part) > max {
			for _, piece := range [][]byte{line, part} {
				if _, err := dst.Write(piece); err != nil {
					return err
				}
			}
			line, tooLong = nil, err != nil
		} else if errors.Is(err, bufio.ErrBufferFull) {
			line = append(line, part...)
		} else if len(line)+len(part) > 0 {
			if len(line) > 0 {
				line = append(line, part...)
				part = line
			}
			if _, err := dst.Write(f(part)); err != nil {
				return err
			}
			if line = line[:0]; cap(line) > keptBuffer {
				line = nil
			}
		}
		switch {
		case err == nil || errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
}
