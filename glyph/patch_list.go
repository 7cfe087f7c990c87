package glyph

import "slices"

// nodeList is a list of nodes in blocks, so that a patch of many insertions and
// deletions at a long list's start does not move the whole list each time.
type nodeList struct {
	blocks [][]*node // none is empty
	n      int
}

// blockSize is the length from which a block is split.
const blockSize = 512

func newNodeList(nodes []*node) nodeList {
	l := nodeList{n: len(nodes)}
	for block := range slices.Chunk(nodes, blockSize) {
		l.blocks = append(l.blocks, slices.Clone(block))
	}
	return l
}

// find returns the block of element i and the element's place in it. For i == n
// that is after the last element of the last block.
func (l *nodeList) find(i int) (block, at int) {
	last := len(l.blocks) - 1
	if i > l.n/2 { // the end is nearer
		from := l.n
		for b := last; b >= 0; b-- {
			if from -= len(l.blocks[b]); i >= from {
				return b, i - from
			}
		}
	}
	for b := range last {
		if i < len(l.blocks[b]) {
			return b, i
		}
		i -= len(l.blocks[b])
	}
	return last, i
}

func (l *nodeList) at(i int) *node {
	b, at := l.find(i)
	return l.blocks[b][at]
}

func (l *nodeList) insert(i int, v *node) {
	if len(l.blocks) == 0 {
		l.blocks, l.n = [][]*node{{v}}, 1
		return
	}
	b, at := l.find(i)
	l.n++
	block := slices.Insert(l.blocks[b], at, v)
	if l.blocks[b] = block; len(block) > blockSize {
		half := len(block) / 2
		l.blocks = slices.Insert(l.blocks, b+1, slices.Clone(block[half:]))
		l.blocks[b] = block[:half:half]
	}
}

func (l *nodeList) delete(i int) {
	b, at := l.find(i)
	l.blocks[b] = slices.Delete(l.blocks[b], at, at+1)
	l.n--
	if len(l.blocks[b]) == 0 {
		l.blocks = slices.Delete(l.blocks, b, b+1)
	}
}
