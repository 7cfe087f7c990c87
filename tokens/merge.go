package tokens

import (
	"errors"
	"math"
)

// Byte pair encoding begins with the piece's single bytes as parts. As long as
// two adjacent parts together are a token, it joins the pair of the lowest
// rank, of equal ones the leftmost. A vocabulary with a list of merges joins only
// pairs of that list, and ranks them by their place in it. What remains are the piece's tokens, of
// which most callers want the number only.
//
// Two implementations take the same steps: one searches the lowest rank anew
// each time and is the faster one for the usual piece; the other keeps a tree of ranks,
// each the lower of two below it, in O(n log n) time and 24 bytes of memory per byte of the
// piece.

// shortPiece is the length up to which searching is at least as fast.
const shortPiece = 48

var errPieceTooLong = errors.New("tokens: a single word or run of 2 GiB or more cannot be counted")

// countNew returns the number of tokens of a piece that is not remembered.
func (v *vocabulary) countNew(piece []byte) (int, error) {
	switch {
	case v.isToken(piece):
		return 1, nil
	case len(piece) <= shortPiece:
		var starts shortStarts
		return v.mergeShort(piece, &starts), nil
	case len(piece) > math.MaxInt32:
		return 0, errPieceTooLong
	}
	_, n := v.mergeLong(piece)
	return n, nil
}

// appendPieceEnds appends the ends of the tokens of a piece that begins at start.
func (v *vocabulary) appendPieceEnds(dst []int, piece []byte, start int) ([]int, error) {
	switch {
	case v.isToken(piece):
		return append(dst, start+len(piece)), nil
	case len(piece) <= shortPiece:
		var starts shortStarts
		n := v.mergeShort(piece, &starts)
		for _, end := range starts[1 : n+1] {
			dst = append(dst, start+int(end))
		}
		return dst, nil
	case len(piece) > math.MaxInt32:
		return dst, errPieceTooLong
	}
	p, _ := v.mergeLong(piece)
	for i := 0; i < len(piece); {
		i = int(p.next[i])
		dst = append(dst, start+i)
	}
	return dst, nil
}

// shortStarts are the starts of the parts of a short piece: part i is
// piece[starts[i]:starts[i+1]].
type shortStarts [shortPiece + 1]uint8

// mergeShort merges a piece of at most shortPiece bytes, leaves its parts in
// starts and returns their number.
func (v *vocabulary) mergeShort(piece []byte, starts *shortStarts) int {
	// ranks[i] is the rank of parts i and i+1 together.
	var ranks [shortPiece]uint32
	n := len(piece)
	for i := range n + 1 {
		starts[i] = uint8(i)
	}
	for i := range n - 1 {
		ranks[i] = v.pairs[uint(piece[i])<<8|uint(piece[i+1])]
	}
	for n > 1 {
		least := newPair(unranked, 0)
		for i, r := range ranks[:n-1] {
			least = min(least, newPair(r, i))
		}
		if least.rank() == unranked {
			break
		}
		at := least.part()
		copy(starts[at+1:n], starts[at+2:n+1])
		copy(ranks[at:n-2], ranks[at+1:n-1])
		n--
		if at < n-1 {
			ranks[at] = v.pairRank(piece[starts[at]:starts[at+2]], int(starts[at+1]-starts[at]))
		}
		if at > 0 {
			ranks[at-1] = v.pairRank(piece[starts[at-1]:starts[at+1]], int(starts[at]-starts[at-1]))
		}
	}
	return n
}

// parts is a doubly linked list of the parts of a long piece. A part is named
// by the index of its first byte.
type parts struct {
	next []int32 // of a part: where it ends
	prev []int32 // of a part: the part before it, or -1
	// lowest[n+i] is part i together with the next part, n the length of the piece, and
	// lowest[i] the least of lowest[2*i] and lowest[2*i+1]. The least of all is lowest[1].
	lowest []pair
}

// mergeLong merges a piece of any length below 2 GiB and returns its parts and
// their number.
func (v *vocabulary) mergeLong(piece []byte) (parts, int) {
	n := len(piece)
	p := parts{next: make([]int32, n), prev: make([]int32, n), lowest: make([]pair, 2*n)}
	for i := range n {
		p.next[i] = int32(i + 1)
		p.prev[i] = int32(i - 1)
		r := uint32(unranked)
		if i+1 < n {
			r = v.pairs[uint(piece[i])<<8|uint(piece[i+1])]
		}
		p.lowest[n+i] = newPair(r, i)
	}
	for i := n - 1; i > 0; i-- {
		p.lowest[i] = min(p.lowest[2*i], p.lowest[2*i+1])
	}
	count := n
	for p.lowest[1].rank() != unranked {
		count--
		at := p.lowest[1].part()
		joined := p.next[at]
		end := p.next[joined]
		p.setRank(int(joined), unranked)
		p.next[at] = end
		if int(end) < n {
			p.prev[end] = int32(at)
		}
		p.rerank(v, piece, at)
		if before := p.prev[at]; before >= 0 {
			p.rerank(v, piece, int(before))
		}
	}
	return p, count
}

// rerank looks the part up together with its new neighbour.
func (p *parts) rerank(v *vocabulary, piece []byte, at int) {
	r := uint32(unranked)
	if second := int(p.next[at]); second < len(piece) {
		r = v.pairRank(piece[at:p.next[second]], second-at)
	}
	p.setRank(at, r)
}

// setRank sets the rank of a part together with the next part; unranked for what is not a part.
func (p *parts) setRank(at int, rank uint32) {
	i := len(p.next) + at
	p.lowest[i] = newPair(rank, at)
	for i /= 2; i > 0; i /= 2 {
		least := min(p.lowest[2*i], p.lowest[2*i+1])
		if p.lowest[i] == least {
			break
		}
		p.lowest[i] = least
	}
}

// A pair is a rank and the first of the two parts, in that order of
// significance, so that pairs are joined in the order of their numbers.
type pair uint64

func newPair(rank uint32, part int) pair { return pair(rank)<<32 | pair(part) }

func (p pair) rank() uint32 { return uint32(p >> 32) }
func (p pair) part() int    { return int(uint32(p)) }
