package wire

import (
	"math"
	"math/bits"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// tally counts the memory of what empty interfaces and maps get. A row of a table may be a
// byte of text or none, and a map of one member takes 336 bytes.
type tally struct {
	most  int // bytes
	bytes int // of maps and lists
	boxes gotype.Boxes
}

// memoryFor returns how many bytes a document of that length may become.
func memoryFor(c Codec, length int) int {
	const each, least = 40, 32 << 20 // which leaves room for what decoding takes
	if _, ok := c.(JSON); ok {
		return math.MaxInt
	}
	return each*length + least
}

// addMap counts a map of n members: groups of eight slots, at most seven eighths of
// which are used in a map of more than one group.
func (m *tally) addMap(n int) error {
	const header, group, table = 48, 288, 64
	switch {
	case n == 0:
		return m.add(header)
	case n <= 8:
		return m.add(header + group)
	}
	slots := 1 << bits.Len(uint(n+n/7))
	return m.add(header + table + slots/8*group)
}

// addList counts a list of n elements.
func (m *tally) addList(n int) error {
	const header, element = 24, 16
	return m.add(header + element*n)
}

func (m *tally) add(bytes int) error {
	if m.bytes += bytes; m.bytes+m.boxes.Bytes > m.most {
		return &Error{Format: goFormat, Code: "too_much_memory", Kind: ErrLimit,
			Message: "the maps and lists of the document take more than 40 bytes of memory for each of its bytes and 32 MiB",
			Hint:    "decode it to a Value, or unmarshal it into structs"}
	}
	return nil
}
