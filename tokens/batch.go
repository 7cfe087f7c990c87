package tokens

// Batcher is a Counter that counts several texts faster than each alone if they
// say much the same, such as one value in several formats. All counters of this
// package are Batchers.
type Batcher interface {
	Counter
	// Batch returns a counter for the texts to come. Its counts are those of
	// the Counter; it is not safe for concurrent use. Batches of this package
	// keep the counts of pieces of up to 16 bytes, and have a method Release,
	// which gives these to later ones and ends them.
	Batch() Bounded
}

// A batch keeps the memo from one text to the next.
type batch struct {
	Counter
	encoding *encoding
	memo     *memo
}

// Count implements [Counter].
func (b *batch) Count(text []byte) (int, error) { return b.CountUpTo(text, noBound) }

// CountUpTo implements [Bounded].
func (b *batch) CountUpTo(text []byte, bound int) (int, error) {
	if b.memo == nil {
		b.memo = b.encoding.borrowMemo()
	}
	return b.encoding.countWith(b.memo, text, bound)
}

// Release gives the batch's memory to later ones. The batch must not be used any
// more.
func (b *batch) Release() {
	if b.memo != nil {
		b.encoding.memos.Put(b.memo)
		b.memo = nil
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
