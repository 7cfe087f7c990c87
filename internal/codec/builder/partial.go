package builder

import "github.com/wirekit/wirekit/wire"

// PartialRows makes the objects of rows that lack some of a table's members. Rows that
// lack the same ones share a key list as long as few sets of members alternate. The zero
// PartialRows is ready to use.
type PartialRows struct {
	known [1 << partialBits]partialKeys
}

// partialBits makes room for a few sets of members; most tables have no more.
const partialBits = 4

type partialKeys struct {
	table *wire.Keys // of a row that has all members
	gaps  uint64     // a bit for each of them that a row with keys lacks
	keys  *wire.Keys
}

var noKeys, _ = wire.NewKeys()

// Row returns the object of a row without the members at gaps, which ascend. The others
// have their values in slots, which Slots returned for all members and which belong to the
// object from then on.
func (p *PartialRows) Row(b *Builder, keys *wire.Keys, gaps []int, slots []wire.Value) wire.Value {
	if len(gaps) == 0 {
		return b.RowOf(keys, slots)
	}
	n := gaps[0]
	for i, gap := range gaps {
		end := len(slots)
		if i+1 < len(gaps) {
			end = gaps[i+1]
		}
		for at := gap + 1; at < end; at++ {
			slots[n] = slots[at]
			n++
		}
	}
	return p.Compact(b, keys, gaps, slots)
}

// Compact is Row for slots that have the values without gaps.
func (p *PartialRows) Compact(b *Builder, keys *wire.Keys, gaps []int, slots []wire.Value) wire.Value {
	var known *partialKeys
	if keys.Len() <= 64 {
		var set uint64
		for _, i := range gaps {
			set |= 1 << (i & 63)
		}
		known = &p.known[set*0x9E3779B97F4A7C15>>(64-partialBits)]
		if known.table == keys && known.gaps == set {
			return b.RowOf(known.keys, slots)
		}
		*known = partialKeys{table: keys, gaps: set}
	}
	o, n := b.Object(), 0
	for i, key := range keys.All() {
		if len(gaps) > 0 && gaps[0] == i {
			gaps = gaps[1:]
			continue
		}
		b.Key(&o, key)
		b.Put(&o, slots[n])
		n++
	}
	b.RowOf(noKeys, slots) // frees them: the values are on the stack
	row := b.EndObject(&o)
	if known != nil {
		known.keys = b.KeysOf(row)
	}
	return row
}
