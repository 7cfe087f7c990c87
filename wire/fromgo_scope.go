package wire

import "sync"

// view is [internal.ViewGo] with these options.
func (o Options) view(v any, f func(Value) error) error {
	c := conversions.Get().(*fromGo)
	c.begin(o)
	err := c.any(v, &c.result)
	if err == nil {
		err = f(c.result)
	}
	c.recycle() // not after a panic: who knows who has the Value then
	conversions.Put(c)
	return err
}

// begin makes the conversion ready for a value, in the slots that it keeps.
func (c *fromGo) begin(o Options) {
	c.plans = o.Marshalers.all()
	c.self = c.here() // or the Builder takes the slab for another's
	c.slab = c.kept[:0]
	c.values, c.depth = 0, 0
}

// overwrite makes the conversion free for the next record, which gets the slots of the
// last one as they are.
func (c *fromGo) overwrite() {
	if poison || c.spilled+c.shapes > 0 || c.longKeys {
		c.recycle()
	}
}

// conversions are idle, with memory for Values and the key lists of maps.
var conversions = sync.Pool{New: func() any { return new(fromGo) }}

const (
	// minKept and maxKept bound the slots that an idle conversion keeps.
	minKept, maxKept = 64, 1 << 16
	// maxKeptKeys is the length of keys up to which their lists are kept.
	maxKeptKeys = 1 << 10
)

// recycle makes the conversion free for another one, with nothing in it that
// belongs to this one.
func (c *fromGo) recycle() {
	kept, keys := c.kept, c.mapKeys
	if c.longKeys {
		keys = nil
	}
	used := kept[:cap(kept)]
	if cap(kept) > 0 && len(c.slab) > 0 && &c.slab[0] == &used[0] {
		used = used[:len(c.slab)]
	}
	if poison {
		poisonValues([][]Value{used})
		kept = make([]Value, 0, cap(kept))
	} else {
		clear(used)
	}
	// Objects take a slot more than they have members.
	if need := min(c.values+c.values/2+minKept, maxKept); need > cap(kept) && c.values > 0 {
		kept = make([]Value, 0, need)
	}
	clear(c.names[:cap(c.names)])
	clear(c.entries[:cap(c.entries)])
	clear(c.waiting[:cap(c.waiting)])
	names, entries, waiting := c.names[:0], c.entries[:0], c.waiting[:0]
	*c = fromGo{kept: kept[:0], mapKeys: keys}
	if cap(names) <= maxKeptKeys && cap(entries) <= maxKeptKeys && cap(waiting) <= maxKeptKeys {
		c.names, c.entries, c.waiting = names, entries, waiting
	}
}
