package wirekit

import (
	"time"

	"github.com/wirekit/wirekit/internal/measure"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Compare measures v in every codec, in the order of [Codecs].
func Compare(v wire.Value) []Result { return Comparer{}.Compare(v) }

// A Comparer measures values in several formats. The zero Comparer uses every
// codec and counts with [tokens.O200k].
type Comparer struct {
	// Codecs to measure; nil means all.
	Codecs []wire.Codec
	// Counter of tokens; nil means tokens.O200k.
	Counter tokens.Counter
	// Identical makes a changed order of members, a changed spelling of numbers
	// and a changed kind count as losses too. By default a loss is judged
	// against JSON, as [wire.EqualAsJSON] does.
	Identical bool
	// Speed measures encoding and decoding too, which takes up to a tenth of
	// a second for each codec.
	Speed bool
}

// A Result is one value in one format, measured.
type Result struct {
	Codec   wire.Codec
	Encoded []byte
	// Err is why the codec refused the value, or could not read its own
	// encoding back; the fields below are then zero.
	Err error

	Gzip int // length after gzip at its default level
	// Tokens is what a model is sent; -1 for a binary format, which a model
	// cannot read.
	Tokens int
	// Loss is what the value that was decoded again differs in, found by
	// comparison, and LossPath the first place.
	Loss     wire.Loss
	LossPath string
	// Lossless is the Comparer's judgement of Loss.
	Lossless bool

	// Encoding and Decoding are the times of the fastest of a few runs; 0
	// unless the Comparer measures Speed.
	Encoding, Decoding time.Duration
}

// Name returns the codec's full name: "gcf", "glyph:canonical".
func (r Result) Name() string { return r.Codec.Info().FullName() }

func (c Comparer) codecs() []wire.Codec {
	if c.Codecs == nil {
		return Codecs()
	}
	return c.Codecs
}

func (c Comparer) counter() tokens.Counter {
	if c.Counter == nil {
		return tokens.O200k{}
	}
	return c.Counter
}

// Compare measures v in each codec. A codec that refuses v has a Result with
// its error.
func (c Comparer) Compare(v wire.Value) []Result {
	results := make([]Result, 0, len(c.codecs()))
	for _, codec := range c.codecs() {
		r := c.measure(codec, v)
		if r.Err == nil {
			r.Gzip = measure.Gzip(r.Encoded)
			if c.Speed {
				r.time(v)
			}
		}
		results = append(results, r)
	}
	return results
}

// measure encodes, counts, decodes and compares once.
func (c Comparer) measure(codec wire.Codec, v wire.Value) Result {
	m, err := measure.Once(codec, c.counter(), v)
	if err != nil {
		return Result{Codec: codec, Err: err}
	}
	lossless := m.Equal
	if c.Identical {
		lossless = m.Loss == 0
	}
	return Result{
		Codec: codec, Encoded: m.Encoded, Tokens: m.Tokens,
		Loss: m.Loss, LossPath: m.LossPath, Lossless: lossless,
	}
}

// time measures until a tenth of a second or ten runs have passed.
func (r *Result) time(v wire.Value) {
	const runs, enough = 10, 100 * time.Millisecond
	buf := make([]byte, 0, len(r.Encoded))
	begin := time.Now()
	for n := 0; n < runs && (n == 0 || time.Since(begin) < enough); n++ {
		start := time.Now()
		encoded, _ := r.Codec.AppendEncode(buf, v)
		middle := time.Now()
		_, _ = r.Codec.Decode(encoded)
		end := time.Now()
		r.Encoding = fastest(r.Encoding, middle.Sub(start))
		r.Decoding = fastest(r.Decoding, end.Sub(middle))
	}
}

func fastest(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}
