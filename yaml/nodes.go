package yaml

import (
	"bytes"
	"math"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// The parser makes a node of 160 bytes of every key and every value before
// anything of a document can be looked at, and a text can hold one for each of
// its bytes. Unless the caller sets Limits.Values, the nodes of a text are
// therefore bounded in proportion to its length.
const (
	// freeNodes is what every text may hold.
	freeNodes = 300_000
	// freeBytes is the length from which on a text may hold more: one node for
	// two bytes.
	freeBytes = 1_000_000
)

// nodeLimit returns how many nodes a text of n bytes may hold.
func nodeLimit(l wire.Limits, n int) int {
	if l.Values != 0 {
		return math.MaxInt
	}
	return bound.Add(freeNodes, max(0, n-freeBytes)/2)
}

// mostNodes returns a number of nodes that src does not exceed by more than a
// few, from the marks that are before them. A mark inside of a scalar counts
// as well: who can be misled into counting too many refuses a text that is
// mostly marks, who can be misled into counting too few has no limit.
func mostNodes(src []byte) int {
	comma := 1
	if bytes.IndexByte(src, '{') >= 0 {
		comma = 2 // {a,b} holds keys without values
	}
	n := 0
	before := byte('\n')         // the last character that is not a blank
	mayBeKey, inLine := false, 0 // whether a key of the line at hand may have begun with a bracket, and commas and brackets since
	add := func(nodes int) {
		if n += nodes; mayBeKey {
			if inLine++; inLine > shortKey {
				n += nodes * (keyFactor - 1)
			}
		}
	}
	for i, c := range src {
		switch c {
		case ',':
			add(comma)
		case '\n':
			mayBeKey, inLine = false, 0
		case '[', '{':
			mayBeKey = mayBeKey || before != ':'
			add(1)
		case '-':
			if blankAt(src, i+1) {
				n++
				if i+1 < len(src) && src[i+1] != ' ' || blankAt(src, i+2) {
					n++ // an element that is null, which takes twice the memory
				}
			}
		case ':', '?':
			if blankAt(src, i+1) {
				n += 2
			}
		}
		if c != ' ' {
			before = c
		}
	}
	return n
}

// What is in brackets in one line may be a key, and the parser keeps all its tokens until it
// knows. So what follows the first commas and brackets there counts as more nodes.
const (
	shortKey  = 1024
	keyFactor = 5
)

// blankAt reports whether white space or the end of the text is at i.
func blankAt(src []byte, i int) bool {
	return i >= len(src) || src[i] <= ' '
}
