package faulty

import (
	"bytes"
	"math/rand/v2"
)

// Damaged returns a copy of a document with one to three random changes, some of which put
// one of the tokens or a piece of another document into it.
func Damaged(r *rand.Rand, src, other []byte, tokens []string) []byte {
	b := bytes.Clone(src)
	for range 1 + r.IntN(3) {
		b = damagedOnce(r, b, other, tokens[r.IntN(len(tokens))])
	}
	return b
}

func damagedOnce(r *rand.Rand, b, other []byte, token string) []byte {
	from := r.IntN(len(b) + 1)
	to := min(len(b), from+1+r.IntN(1+r.IntN(20)))
	replace := func(with []byte) []byte {
		return bytes.Join([][]byte{b[:from], with, b[to:]}, nil)
	}
	switch r.IntN(9) {
	case 0: // leave out
		return replace(nil)
	case 1: // repeat
		return replace(bytes.Repeat(b[from:to], 2+r.IntN(3)))
	case 2, 3: // insert
		to = from
		return replace([]byte(token))
	case 4: // overwrite
		return replace([]byte(token))
	case 5: // flip a bit
		if from < len(b) {
			b[from] ^= 1 << r.IntN(8)
		}
		return b
	case 6: // change a digit, that is mostly a count or a value
		if at := bytes.IndexAny(b[from:], "0123456789"); at >= 0 {
			b[from+at] = byte('0' + r.IntN(10))
		}
		return b
	case 7: // a piece of another document
		at := r.IntN(len(other) + 1)
		return replace(other[at:min(len(other), at+r.IntN(40))])
	default: // swap two lines
		lines := bytes.SplitAfter(b, []byte("\n"))
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil)
	}
}
