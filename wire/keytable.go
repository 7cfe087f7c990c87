package wire

import (
	"hash/maphash"
	"math/bits"
)

// A keyTable finds keys in a list that grows: open addressing with linear probing.
// A slot is 0 or the upper half of a key's hash and, below it, the key's position
// plus 1.
type keyTable struct {
	slots []uint64
	used  int
}

var keySeed = maphash.MakeSeed()

// build makes the table of names, which are distinct.
func (t *keyTable) build(names []string) {
	size := 8 * linearKeys
	for size < 2*len(names) {
		size *= 2
	}
	t.slots = make([]uint64, 1<<bits.Len(uint(size-1)))
	for i, name := range names {
		t.put(maphash.String(keySeed, name)>>32<<32 | uint64(i+1))
	}
	t.used = len(names)
}

// add returns the key's position in names. If there is none, it returns -1, and the
// key's is the next one.
func (t *keyTable) add(names []string, key string) int {
	if t.used >= len(t.slots)/4*3 {
		t.grow()
	}
	hash := maphash.String(keySeed, key) >> 32
	mask := len(t.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 {
			t.used++
			t.slots[at] = hash<<32 | uint64(t.used)
			return -1
		}
		if slot>>32 == hash {
			if i := int(uint32(slot)) - 1; names[i] == key {
				return i
			}
		}
	}
}

func (t *keyTable) grow() {
	old := t.slots
	t.slots = make([]uint64, 4*len(old))
	for _, slot := range old {
		if slot != 0 {
			t.put(slot)
		}
	}
}

// put puts a slot of a key that the table does not hold where it belongs.
func (t *keyTable) put(slot uint64) {
	mask := len(t.slots) - 1
	at := int(slot>>32) & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = slot
}
