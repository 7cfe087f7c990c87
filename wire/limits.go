package wire

import "github.com/wirekit/wirekit/internal/base/bound"

// Limits bound what a codec does with one document. A field that is zero means
// its default; a negative one means no limit. Exceeding a limit is an error
// that wraps [ErrLimit]. A format that can be far longer than the value's JSON
// bounds its output in proportion to that as well, as long as OutputBytes is
// zero.
type Limits struct {
	Depth       int // nesting of arrays and objects; default 512, at most 10,000
	InputBytes  int // length of a document to decode; default 1 GiB
	OutputBytes int // length of what one call encodes; default 256 MiB
	Values      int // values in one document, keys not counted; default 64 Mi
	LineBytes   int // longest line, of formats read line by line; default 16 MiB
}

// Resolved returns the limits with every default filled in: each field of the
// result is the number to compare with. Codecs call it once per document.
func (l Limits) Resolved() Limits {
	l.resolve(&l)
	return l
}

// resolve is Resolved for a result in memory: a small document takes less time than
// a few copies of Limits, which is too many words for registers.
func (l *Limits) resolve(into *Limits) {
	into.Depth = min(resolved(l.Depth, bound.Depth), bound.MostDepth)
	into.InputBytes = resolved(l.InputBytes, bound.InputBytes)
	into.OutputBytes = resolved(l.OutputBytes, bound.OutputBytes)
	into.Values = resolved(l.Values, bound.Values)
	into.LineBytes = resolved(l.LineBytes, bound.LineBytes)
}

// Untrusted returns limits for documents from strangers, which are a few times
// tighter than the defaults and finite in what they let a server spend: 16 MiB
// in, 16 MiB out, a million values, 128 levels, lines of 1 MiB. What they
// refuse is an error that wraps [ErrLimit].
//
//	codec := gcf.Codec{Limits: wire.Untrusted()}
//
// Limits apply to each record of a stream. When reading an untrusted stream, bound the
// number of records as well.
func Untrusted() Limits {
	return Limits{
		Depth:       128,
		InputBytes:  16 << 20,
		OutputBytes: 16 << 20,
		Values:      1_000_000,
		LineBytes:   1 << 20,
	}
}

func resolved(n, byDefault int) int {
	const unlimited = int(^uint(0) >> 1)
	switch {
	case n == 0:
		return byDefault
	case n < 0:
		return unlimited
	}
	return n
}
