package tokens

import "sync"

// Batcher is a Counter that counts several texts faster than each alone if they
// say much the same, such as one value in several formats. All counters of this
// package are Batchers.
type Batcher interface {
	Counter
	// Batch returns a counter for the texts to come. Its counts are those of
	// the Counter; it is not safe for concurrent use, and keeps up to a
	// megabyte of the pieces that it has counted. Batches of this package have
	// a method Release, which gives their memory to later ones, with the counts
	// of pieces of up to eight bytes, and ends them.
	Batch() Bounded
}

// The memo of a batch has that many slots, at 16 bytes each. It grows when a
// text is much longer than those before.
const (
	leastBatchSlots = 1 << 8
	mostBatchSlots  = 1 << 14
)

// A batch keeps the memo from one text to the next.
type batch struct {
	Counter
	encoding *encoding
	memo     memo
	arrays   *batchArrays // what the memo's slots are parts of
}

type batchArrays struct {
	slots [mostBatchSlots]remembered
	text  []byte
}

var batchPool = sync.Pool{New: func() any { return new(batchArrays) }}

// Count implements [Counter].
func (b *batch) Count(text []byte) (int, error) { return b.CountUpTo(text, noBound) }

// CountUpTo implements [Bounded].
func (b *batch) CountUpTo(text []byte, bound int) (int, error) {
	n := max(leastBatchSlots, min(mostBatchSlots, 4*slotsFor(text)))
	if n > 4*len(b.memo.slots) {
		b.grow(n)
	}
	return b.encoding.countWith(&b.memo, text, bound)
}

// grow forgets the longer pieces, which are found again, and makes room for more.
func (b *batch) grow(n int) {
	if b.arrays == nil {
		b.arrays = batchPool.Get().(*batchArrays)
		b.memo = memo{copy: true, text: b.arrays.text, short: b.encoding.borrowShort()}
	}
	b.memo.text, b.memo.slots = b.memo.text[:0], b.arrays.slots[:n]
	clear(b.memo.slots)
}

// Release gives the batch's memory to later ones. The batch must not be used any
// more.
func (b *batch) Release() {
	if b.arrays != nil {
		b.arrays.text = b.memo.text
		batchPool.Put(b.arrays)
		b.encoding.short.Put(b.memo.short)
		b.arrays, b.memo = nil, memo{}
	}
}

// Batch implements [Batcher].
func (c O200k) Batch() Bounded { return &batch{Counter: c, encoding: &o200kBase} }

// Batch implements [Batcher].
func (c Cl100k) Batch() Bounded { return &batch{Counter: c, encoding: &cl100kBase} }

// Batch implements [Batcher].
func (v *Vocabulary) Batch() Bounded { return &batch{Counter: v, encoding: &v.encoding} }

// Batch implements [Batcher] with a batch of Base.
func (e Estimate) Batch() Bounded {
	if e.Base == nil {
		e.Base = Cl100k{}
	}
	if b, ok := e.Base.(Batcher); ok {
		e.Base = b.Batch()
	}
	return e
}
