package tokens

import (
	"runtime"

	"github.com/wirekit/wirekit/internal/parallel"
)

const (
	// parallelFrom is the length from which a text is counted in parts at once.
	parallelFrom = 512 << 10
	// partLen is the least length of a part.
	partLen = 128 << 10
)

// countParts counts a long text to its end, in parts on all processors.
func (e *encoding) countParts(text []byte) (int, error) {
	parts := cutParts(text)
	counts := make([]int, len(parts))
	err := parallel.Each(runtime.GOMAXPROCS(0), len(parts), func(_, i int) (err error) {
		counts[i], err = e.countAlone(parts[i], noBound)
		return err
	})
	if err != nil {
		return 0, err
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	return total, nil
}

// cutParts cuts a text into parts of at least partLen bytes, but for the last.
func cutParts(text []byte) [][]byte {
	var parts [][]byte
	for len(text) > 0 {
		end := partEnd(text, partLen)
		parts = append(parts, text[:end])
		text = text[end:]
	}
	return parts
}

// partEnd returns the end of the first part of text that is at least that long.
func partEnd(text []byte, length int) int {
	for i := length; i < len(text); i++ {
		if pieceBegins(text, i) {
			return i
		}
	}
	return len(text)
}

// pieceBegins reports whether a piece begins at text[i], whatever is elsewhere, so
// that the text's tokens are those of text[:i] and those of text[i:]. It knows two such
// places, in all patterns of this package.
//
// After a line end, where neither white space nor a slash follows: a piece that holds a
// line end has nothing after it but white space and, in o200k_base, slashes. A run of
// white space before the line end is cut there at the end of a text too.
//
// In front of a digit, where ASCII that is neither a digit nor white space is before
// it: digits share no piece with anything else. After white space this does not hold,
// because the last of it is a piece of its own only if something follows.
func pieceBegins(text []byte, i int) bool {
	before, at := text[i-1], text[i]
	if before == '\n' {
		return at > ' ' && at < 0x7f && at != '/'
	}
	return at-'0' < 10 && before > ' ' && before < 0x7f && before-'0' >= 10
}
