package lineio

import (
	"bytes"
	"errors"
)

// ErrSparse is the error of Join for rows among which one is too much: see
// [Output.Columns]. Nothing of them is taken.
var ErrSparse = errors.New("the rows are mostly empty cells")

const (
	// narrow is how many columns a table has at most whose rows are not bounded: each
	// has about as many bytes besides.
	narrow = 64
	// freeCells is how many bytes of empty cells a stream may have whatever its
	// records hold.
	freeCells = 16 << 20
	// cellFactor is how many it may have besides for each row and for each byte of
	// one that is not an empty cell.
	cellFactor = 64
)

// A sparsity bounds the empty cells of a table by what its rows hold. Without that,
// a stream of as many records as it has columns would be the square of its source.
type sparsity struct {
	columns int
	missing []byte // in the cell of a missing member
	left    int64  // bytes that empty cells may still have
}

// Columns bounds the rows that follow, of so many columns. missing is what the cell
// of a missing member holds. Limits.OutputBytes, if it is set and more, is how long
// empty cells may be that nothing in the records accounts for.
func (o *Output) Columns(n int, missing string, outputBytes int) {
	o.sparsity = sparsity{}
	if n > narrow {
		o.sparsity = sparsity{n, []byte(missing), int64(max(freeCells, outputBytes))}
	}
}

// Holds accounts for a row, and reports whether the stream may have it.
func (o *Output) Holds(row []byte) bool { return o.add(row) }

func (s *sparsity) add(row []byte) bool {
	if s.columns == 0 {
		return true
	}
	empty := s.columns
	if len(s.missing) > 0 {
		empty = min(empty, bytes.Count(row, s.missing))
	}
	cells := empty * (len(s.missing) + len("|"))
	left := s.left + cellFactor*int64(len("\n")+len(row)-cells) - int64(cells)
	if left < 0 {
		return false
	}
	s.left = left
	return true
}

// addAll is add for all rows of a text, which end at ends, or for none of them.
func (s *sparsity) addAll(text []byte, ends []int) bool {
	if s.columns == 0 {
		return true
	}
	after, from := *s, 0
	for _, end := range ends {
		if !after.add(text[from:end]) {
			return false
		}
		from = end
	}
	*s = after
	return true
}
