package beam

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Report]())
	beam.RegisterCoder(reflect.TypeFor[Report](), encodeReport, decodeReport)
	beam.RegisterDoFn(reflect.TypeFor[*measureFn]())
	register.Emitter1[Report]()
	register.Function2x1(sum)
	register.Function1x1(reportBad)
}

func encodeReport(r Report) ([]byte, error) { return json.Marshal(r) }

func decodeReport(text []byte) (r Report, err error) {
	err = json.Unmarshal(text, &r)
	return r, err
}

// MeasureOptions say what is measured. The zero MeasureOptions measure what wirekit
// compare does without flags.
type MeasureOptions struct {
	// Formats are names with variants: "gcf", "glyph:canonical". Nil means every format
	// as it is.
	Formats []string
	// Variants measures the variants of all formats too, if Formats is nil.
	Variants bool
	// Counter is one of [tokens.Names]; empty means the default.
	Counter string
}

// Measure measures each document in each format and returns one [Report], also of no
// documents. What was passed over before, and is counted there, is in bad, of which there
// may be any number. Measure panics, as transforms do, if there is no format or counter
// of a name in the options.
func Measure(s beam.Scope, documents beam.PCollection, o MeasureOptions, bad ...beam.PCollection) beam.PCollection {
	s = s.Scope("wirekit.Precision")
	fn := &measureFn{MeasureOptions: o}
	if err := fn.Setup(); err != nil {
		panic(fmt.Errorf("%s: %w", s, err))
	}
	nothing := Report{Counter: fn.comparer.Counter.Name()}
	parts := []beam.PCollection{beam.Create(s, nothing), beam.ParDo(s, fn, documents)}
	for _, b := range bad {
		parts = append(parts, beam.ParDo(s, reportBad, b))
	}
	return beam.Combine(s, sum, beam.Flatten(s, parts...))
}

// reportBad is the report about a document that was passed over.
func reportBad(b Rejected) Report {
	code := b.Code
	if b.Format != "" {
		code = b.Format + "/" + code
	}
	return Report{Rejected: b.Records, RejectedCodes: map[string]int64{code: b.Records}, RejectedSamples: []Rejected{b}}
}

// sum adds reports.
func sum(a, b Report) Report {
	a.add(&b)
	return a
}

// measureFn measures documents, and reports once a bundle.
type measureFn struct {
	MeasureOptions
	comparer wirekit.Chooser
	sum      Report // of the bundle
}

// Setup finds the formats and the tokenizer.
func (fn *measureFn) Setup() (err error) {
	fn.comparer = wirekit.Chooser{}
	names := fn.Formats
	if names != nil {
		names = append([]string{"json"}, names...) // which the others are compared with
	} else if fn.Variants {
		for _, c := range describe.All(wirekit.Registry()) {
			names = append(names, c.Info().FullName())
		}
	}
	for _, name := range names {
		codec, err := wirekit.Lookup(name)
		if err != nil {
			return err
		}
		if full := codec.Info().FullName(); !slices.Contains(fn.comparer.Formats, full) {
			fn.comparer.Formats = append(fn.comparer.Formats, full)
		}
	}
	fn.comparer.Counter, err = tokens.Lookup(cmp.Or(fn.Counter, tokens.Default().Name()))
	return err
}

// StartBundle forgets the bundle before, which may have failed.
func (fn *measureFn) StartBundle(context.Context, func(Report)) { fn.sum = Report{} }

// ProcessElement measures a document. What is kept does not grow with their number: a
// report of each would be many times its size.
func (fn *measureFn) ProcessElement(ctx context.Context, d Document, _ func(Report)) error {
	v, err := wire.JSON{}.Decode(d.JSON)
	if err != nil {
		bad := reportBad(badOf(err, d.File, d.Offset, "json", d.JSON))
		fn.sum.add(&bad)
		return nil
	}
	r, err := fn.measure(ctx, d, v)
	if err == nil {
		fn.sum.add(r)
	}
	return err
}

// FinishBundle reports.
func (fn *measureFn) FinishBundle(_ context.Context, emit func(Report)) { emit(fn.sum) }

// measure reports on one document.
func (fn *measureFn) measure(ctx context.Context, d Document, v wire.Value) (*Report, error) {
	results, err := fn.comparer.Compare(ctx, v)
	if err != nil {
		return nil, err
	}
	r := &Report{Documents: 1, Counter: fn.comparer.Counter.Name(), Formats: make(map[string]*FormatReport, len(results))}
	plain := slices.IndexFunc(results, func(m wirekit.Measurement) bool { return m.Name() == "json" && m.Err == nil && m.Tokens >= 0 })
	if plain < 0 {
		return nil, fmt.Errorf("beam: %s at byte %d cannot be written as JSON again", d.File, d.Offset)
	}
	base := results[plain].Tokens
	r.JSONTokens, r.BestTokens = int64(base), int64(base)
	for _, m := range results {
		r.Formats[m.Name()] = formatReport(d, m, base)
		if m.Err == nil && m.Lossless && m.Tokens >= 0 {
			r.BestTokens = min(r.BestTokens, int64(m.Tokens))
		}
	}
	return r, nil
}

// formatReport reports on one document in one format.
func formatReport(d Document, m wirekit.Measurement, base int) *FormatReport {
	example := Example{File: d.File, Offset: d.Offset, Number: d.Number, JSONTokens: int64(base)}
	if m.Err != nil {
		example.Reason = m.Err.Error()
		return &FormatReport{Refused: 1, Refusals: map[string]int64{badOf(m.Err, "", 0, "", nil).Code: 1}, FirstRefused: []Example{example}}
	}
	f := &FormatReport{Carried: 1, Bytes: int64(len(m.Encoded)), Gzip: int64(m.Gzip), JSONTokens: int64(base)}
	if m.Tokens >= 0 {
		f.Tokens, example.Tokens = int64(m.Tokens), int64(m.Tokens)
		f.Best, f.Worst = []Example{example}, []Example{example}
	}
	if m.Loss != 0 {
		f.Losses = map[string]int64{m.Loss.String(): 1}
	}
	if m.Lossless {
		f.Lossless = 1
	} else {
		example.Reason = fmt.Sprintf("%s at %q", m.Loss, m.LossPath)
		f.FirstLossy = []Example{example}
	}
	return f
}
