package wirekit

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/wirekit/wirekit/internal/choose"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Compare measures v in the formats of these names; without names in every codec of
// [Registry], in its order, and last in the configuration that [Choose] takes where that
// is another.
func Compare(ctx context.Context, v wire.Value, formats ...string) ([]Measurement, error) {
	return Chooser{Formats: formats}.Compare(ctx, v)
}

// A Measurement is one value in one format, measured.
type Measurement struct {
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
	// Lossless is the Chooser's judgement of Loss, see Chooser.Exact.
	Lossless bool

	// EncodeTime and DecodeTime are those of the fastest of a few runs; 0 before
	// MeasureSpeed.
	EncodeTime, DecodeTime time.Duration
}

// Name returns the codec's full name: "gcf", "glyph:canonical".
func (m Measurement) Name() string { return m.Codec.Info().FullName() }

// codecs returns what Compare measures of v.
func (c Chooser) codecs(ctx context.Context, v wire.Value) ([]wire.Codec, error) {
	r := cmp.Or(c.Registry, registry)
	if len(c.Formats) == 0 {
		codecs := r.Codecs()
		best, _ := c.Choose(ctx, v) // what keeps all formats from v is said of each
		if best.Codec != nil && !slices.Contains(names(codecs), best.Name()) {
			codecs = append(codecs, best.Codec)
		}
		return codecs, nil
	}
	codecs := make([]wire.Codec, len(c.Formats))
	for i, name := range c.Formats {
		var err error
		if codecs[i], err = r.Lookup(name); err != nil {
			return nil, err
		}
	}
	return codecs, nil
}

// Compare measures v in each of Formats or, if there are none, in every codec of the
// Registry, without their variants, and last in the variant or folded format that Choose
// takes, if it takes one. A format that refuses v has a Measurement with its error. It is an error if a name is unknown, or if ctx ends, which is looked at before
// each format.
func (c Chooser) Compare(ctx context.Context, v wire.Value) ([]Measurement, error) {
	codecs, err := c.codecs(ctx, v)
	if err != nil {
		return nil, err
	}
	c.Counter = cmp.Or(c.Counter, tokens.Default())
	results := make([]Measurement, 0, len(codecs))
	for _, codec := range codecs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		codec = choose.Limited(codec, c.Limits)
		m, err := measure.Once(codec, c.Counter, v)
		if err != nil {
			results = append(results, Measurement{Codec: codec, Err: err})
			continue
		}
		lossless := m.Equal
		if c.Exact {
			lossless = m.Loss == 0
		}
		results = append(results, Measurement{
			Codec: codec, Encoded: m.Encoded, Gzip: measure.Gzip(m.Encoded), Tokens: m.Tokens,
			Loss: m.Loss, LossPath: m.LossPath, Lossless: lossless,
		})
	}
	return results, nil
}

// MeasureSpeed measures encoding and decoding of v, the value that was compared, until a
// tenth of a second or ten runs have passed. It does nothing if there is an Err.
func (m *Measurement) MeasureSpeed(v wire.Value) {
	const runs, enough = 10, 100 * time.Millisecond
	buf := make([]byte, 0, len(m.Encoded))
	begin := time.Now()
	for n := 0; m.Err == nil && n < runs && (n == 0 || time.Since(begin) < enough); n++ {
		start := time.Now()
		encoded, _ := m.Codec.AppendEncode(buf, v)
		middle := time.Now()
		_, _ = m.Codec.Decode(encoded)
		encode, decode := middle.Sub(start), time.Since(middle)
		m.EncodeTime = min(cmp.Or(m.EncodeTime, encode), encode)
		m.DecodeTime = min(cmp.Or(m.DecodeTime, decode), decode)
	}
}
