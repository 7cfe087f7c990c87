package gotext

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// Arrays is the memory of the lists that a reader makes, whose lengths it does
// not know before.
type Arrays struct {
	Memory  gotype.Slabs
	lengths []int32 // of the last list of each node
}

// begin prepares for values of a tree with that root.
func (a *Arrays) begin(root *Node) {
	a.lengths = slices.Grow(a.lengths[:0], root.Nodes)[:root.Nodes]
	clear(a.lengths)
}

// grow gives a list that is full memory for more elements: for as many as the
// last one of its node had, then for twice as many as it has. If rest is not 0,
// the list is that of the whole text, of which its elements so far took length
// bytes and rest are left: then for as many as follow if all are as long, but no
// more than four times as many.
//
// One list only begins with the length of the last one: those within it, of types
// that hold themselves, would all have memory for as many otherwise.
func (a *Arrays) grow(list *Items, length, rest int) {
	const few, most = 4, 1 << 10
	size := 2 * list.Len
	switch last := int(a.lengths[list.Number]); {
	case list.Len == 0 && last > 0:
		size = min(last, most)
		a.lengths[list.Number] = 0
	case list.Len == 0:
		size = few
	case rest > 0 && list.Len >= 2*few:
		follow := rest/(length/list.Len+1)*17/16 + few
		if uintptr(follow)*list.Size > 2*uintptr(rest) {
			follow = min(follow, 3*list.Len)
		}
		size = list.Len + max(few, follow)
	}
	data := a.Memory.Make(list.Elem.Type, size)
	gotype.Copy(list.Elem.Type, data, list.first, list.Len)
	list.first, list.cap = data, size
}

// End makes the list v that of these elements. Its capacity is its length: the memory after
// them is not used again, and an append by the caller copies them.
func (a *Arrays) End(v Var, list Items) {
	a.lengths[list.Number] = int32(min(list.Len, math.MaxInt32))
	list.cap = list.Len
	v.SetItems(list)
}

// mostClaimed returns the bytes of memory that so much text may claim.
func mostClaimed(length int) int64 {
	const each, least = 64, 1 << 16
	return each*int64(length) + least
}

// Claims bounds the memory of lists whose lengths a text declares by the text's own
// length, where they may lie in each other. The zero Claims is ready to use.
type Claims struct {
	open int64 // bytes of the lists around
}

// Begin returns the bytes of a list of n elements of that size, which are declared
// where left bytes of a text of that length remain. It reports false if these are
// very many for that, or with those of the lists around for the text.
func (c *Claims) Begin(n int, size uintptr, left, length int) (claimed int64, ok bool) {
	claimed = int64(n) * int64(size)
	if claimed > mostClaimed(left) || c.open+claimed > mostClaimed(length) {
		return 0, false
	}
	c.open += claimed
	return claimed, true
}

// End ends a list, which is read.
func (c *Claims) End(claimed int64) { c.open -= claimed }

// padding comes after the text of a document: no scan goes beyond it, and
// labels are compared as words.
const padding = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// LineFeeds returns a text whose lines end in line feeds, as writers end them: a copy if the
// first line ends in CR LF. A reader that finds a line feed within a string leaves the
// document to Values.
func LineFeeds(src []byte) []byte {
	if i := bytes.IndexByte(src, '\n'); i < 1 || src[i-1] != '\r' {
		return src
	}
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
}

// Padded returns a copy of a document with a byte that ends its last value after it,
// and more that are in none.
func Padded(src []byte, end byte) string {
	var text strings.Builder
	text.Grow(len(src) + 1 + len(padding))
	text.Write(src)
	text.WriteByte(end)
	text.WriteString(padding)
	return text.String()
}
