package lines

import (
	"bytes"
	"regexp"
)

// A Normalization says what is taken out of a text before it is encoded. All of it is
// a loss: it does not come back.
type Normalization struct {
	// Escapes takes out ANSI escape sequences, which colour terminals.
	Escapes bool
	// Progress keeps of a line that carriage returns write again and again what
	// comes after the last of them.
	Progress bool
	// TrailingBlanks takes blanks and tabs off the ends of lines.
	TrailingBlanks bool
}

// Removed counts what normalization took out.
type Removed struct {
	Escapes        int // sequences
	Progress       int // states of lines that were written again
	TrailingBlanks int // lines that had some
}

// Normalize returns a text without what is to be taken out, and how much of it there
// was: text itself if there was nothing.
func Normalize(text []byte, n Normalization) ([]byte, Removed) {
	var r Removed
	if n == (Normalization{}) {
		return text, r
	}
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		end := len(line) - len(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'}))
		line, feed := line[:len(line)-end], line[len(line)-end:]
		if n.Escapes {
			line = escapes.ReplaceAllFunc(line, func([]byte) []byte { r.Escapes++; return nil })
		}
		if n.Progress {
			if i := bytes.LastIndexByte(line, '\r') + 1; i > 0 {
				r.Progress += bytes.Count(line, []byte{'\r'})
				line = line[i:]
			}
		}
		if n.TrailingBlanks {
			if short := bytes.TrimRight(line, " \t"); len(short) < len(line) {
				r.TrailingBlanks++
				line = short
			}
		}
		out = append(append(out, line...), feed...)
	}
	if r == (Removed{}) {
		return text, r
	}
	return out, r
}

// escapes are control sequences (ESC [ … letter) and operating system commands (ESC ] …
// BEL or ESC \). An ESC that begins neither stays.
var escapes = regexp.MustCompile(`\x1B(?:\[[ -?]*[@-~]|\][^\x07\x1B]*(?:\x07|\x1B[\\\x07]))`)
