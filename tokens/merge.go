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
// each time and is the faster one for the usual piece; the other keeps ranks in
// a heap, in O(n log n) time and 20 bytes of memory per byte of the piece.

// shortPiece is the length up to which searching is at least as fast as a heap.
const shortPiece = 96

var errPieceTooLong = errors.New("tokens: a single word or run of 2 GiB or more cannot be counted")

// merge returns the number of tokens of a piece.
func (v *vocabulary) merge(piece []byte) (int, error) {
	switch {
	case len(piece) <= shortPiece:
		var starts shortStarts
		return v.mergeShort(piece, &starts), nil
	case len(piece) > math.MaxInt32:
		return 0, errPieceTooLong
	}
	_, n := v.mergeLong(piece)
	return n, nil
}

// appendMerged appends the ends of the tokens of a piece that begins at start.
func (v *vocabulary) appendMerged(dst []int, piece []byte, start int) ([]int, error) {
	switch {
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
	next  []int32  // of a part: where it ends
	prev  []int32  // of a part: the part before it, or -1
	ranks []uint32 // of a part: its rank together with the next part; unranked for what is not part
	queue pairHeap
}

// mergeLong merges a piece of any length below 2 GiB and returns its parts and
// their number.
func (v *vocabulary) mergeLong(piece []byte) (parts, int) {
	n := len(piece)
	p := parts{
		next:  make([]int32, n),
		prev:  make([]int32, n),
		ranks: make([]uint32, n),
		queue: make(pairHeap, 0, n),
	}
	for i := range n {
		p.next[i] = int32(i + 1)
		p.prev[i] = int32(i - 1)
		p.ranks[i] = unranked
		if i+1 < n {
			if r := v.pairs[uint(piece[i])<<8|uint(piece[i+1])]; r != unranked {
				p.ranks[i] = r
				p.queue = append(p.queue, newPair(r, i))
			}
		}
	}
	p.queue.init()
	count := n
	for len(p.queue) > 0 {
		pair := p.queue.pop()
		at := pair.part()
		// An entry is out of date if one of its parts was joined meanwhile:
		// the string that begins at this part, and so its rank, is another.
		if p.ranks[at] != pair.rank() {
			continue
		}
		count--
		joined := p.next[at]
		end := p.next[joined]
		p.ranks[joined] = unranked
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
	p.ranks[at] = r
	if r != unranked {
		p.queue.push(newPair(r, at))
	}
}

// A pair is a rank and the first of the two parts, in that order of
// significance, so that pairs are joined in the order of their numbers.
type pair uint64

func newPair(rank uint32, part int) pair { return pair(rank)<<32 | pair(part) }

func (p pair) rank() uint32 { return uint32(p >> 32) }
func (p pair) part() int    { return int(uint32(p)) }

// pairHeap is a binary heap with the smallest pair first. It is written out
// because container/heap boxes every element.
type pairHeap []pair

func (h pairHeap) init() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h *pairHeap) push(p pair) {
	*h = append(*h, p)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if s[parent] <= p {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = p
}

func (h *pairHeap) pop() pair {
	s := *h
	first, last := s[0], len(s)-1
	s[0] = s[last]
	*h = s[:last]
	if last > 1 {
		h.down(0)
	}
	return first
}

func (h pairHeap) down(i int) {
	p := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if p <= h[child] {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = p
}
