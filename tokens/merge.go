package tokens

import (
	"errors"
	"math"
	"slices"
)

// Byte pair encoding begins with the piece's single bytes as parts. As long as
// two adjacent parts together are a token, it joins the pair of the lowest
// rank, of equal ones the leftmost. A vocabulary with a list of merges joins only
// pairs of that list, and ranks them by their place in it. What remains are the piece's tokens, of
// which most callers want the number only.
//
// A tree of ranks, each the lower of two below it, finds the lowest in O(log n) steps and
// takes 24 bytes of memory per byte of the piece.

var errPieceTooLong = errors.New("tokens: a single word or run of 2 GiB or more cannot be counted")

// countNew returns the number of tokens of a piece that is not remembered. If that is more than
// one, p has them.
func (v *vocabulary) countNew(piece []byte, p *parts) (int, error) {
	switch {
	case !v.strict && v.rank(piece) != unranked:
		return 1, nil
	case len(piece) > math.MaxInt32:
		return 0, errPieceTooLong
	}
	return p.merge(v, piece), nil
}

// appendPieceEnds appends the ends of the tokens of a piece that begins at start.
func (v *vocabulary) appendPieceEnds(dst []int, piece []byte, start int, p *parts) ([]int, error) {
	n, err := v.countNew(piece, p)
	for i := 0; i < len(piece) && n > 1; {
		i = int(p.next[i])
		dst = append(dst, start+i)
	}
	if n == 1 {
		dst = append(dst, start+len(piece))
	}
	return dst, err
}

// parts is a doubly linked list of the parts of a piece. A part is named by the index of its
// first byte. The next piece takes the same memory.
type parts struct {
	next []int32 // of a part: where it ends
	prev []int32 // of a part: the part before it, or -1
	// lowest[n+i] is part i together with the next part, n the length of the piece, and
	// lowest[i] the least of lowest[2*i] and lowest[2*i+1]. The least of all is lowest[1].
	lowest []pair
}

// shrink lets go of memory that most pieces do not need.
func (p *parts) shrink() {
	if cap(p.next) > 1<<10 {
		*p = parts{}
	}
}

// merge merges a piece of any length below 2 GiB and returns the number of its parts.
func (p *parts) merge(v *vocabulary, piece []byte) int {
	n := len(piece)
	next, prev, lowest := slices.Grow(p.next[:0], n)[:n], slices.Grow(p.prev[:0], n)[:n], slices.Grow(p.lowest[:0], 2*n)[:2*n]
	p.next, p.prev, p.lowest = next, prev, lowest
	for i := range n {
		next[i], prev[i] = int32(i+1), int32(i-1)
		lowest[n+i] = newPair(unranked, i)
	}
	for i := range n - 1 {
		lowest[n+i] = newPair(v.pairs[uint(piece[i])<<8|uint(piece[i+1])], i)
	}
	for i := n - 1; i > 0; i-- {
		lowest[i] = min(lowest[2*i], lowest[2*i+1])
	}
	count := n
	for lowest[1].rank() != unranked {
		count--
		at := lowest[1].part()
		joined := next[at]
		end := next[joined]
		p.setRank(int(joined), unranked)
		next[at] = end
		if int(end) < n {
			prev[end] = int32(at)
		}
		p.rerank(v, piece, at)
		if before := prev[at]; before >= 0 {
			p.rerank(v, piece, int(before))
		}
	}
	return count
}

// rerank looks the part up together with its new neighbour.
func (p *parts) rerank(v *vocabulary, piece []byte, at int) {
	r := uint32(unranked)
	if second := int(p.next[at]); second < len(piece) {
		r = v.joinRank(v.rank(piece[at:p.next[second]]), second-at)
	}
	p.setRank(at, r)
}

// setRank sets the rank of a part together with the next part; unranked for what is not a part.
func (p *parts) setRank(at int, rank uint32) {
	lowest, least := p.lowest, newPair(rank, at)
	for i := uint(len(p.next) + at); i > 0 && lowest[i] != least; i /= 2 {
		lowest[i] = least
		least = min(least, lowest[i^1])
	}
}

// A pair is a rank and the first of the two parts, in that order of
// significance, so that pairs are joined in the order of their numbers.
type pair uint64

func newPair(rank uint32, part int) pair { return pair(rank)<<32 | pair(part) }

func (p pair) rank() uint32 { return uint32(p >> 32) }
func (p pair) part() int    { return int(uint32(p)) }
