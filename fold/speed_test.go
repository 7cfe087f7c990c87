package fold

import (
	"testing"
	"time"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// BenchmarkSearch measures the search for columns and frames, for texts that repeat and
// for phrases, over all payloads, as milliseconds for each KB of JSON. What Fold does
// besides, it does for any answer: it encodes and counts.
func BenchmarkSearch(b *testing.B) {
	for _, inner := range []wire.Codec{wire.JSON{}, glyph.Codec{}, gcf.Codec{}} {
		for _, part := range []string{"columns", "legend", "phrases", "all"} {
			b.Run(inner.Info().Name+"/"+part, func(b *testing.B) {
				size := 0
				best := time.Duration(time.Hour)
				for b.Loop() {
					size = 0
					start := time.Now()
					for _, p := range payload.All() {
						size += len(p.JSON)
						o := newFolding(Options{Counter: tokens.O200k{}}, inner)
						v := p.Value
						if part == "columns" || part == "all" {
							c := columns{style: o.style, count: o.count}
							c.find(v)
							v = c.cut(v)
						}
						if part == "phrases" || part == "all" {
							o.addPhrases(&ruled{wrapper: wrapper{data: v}})
						}
						if part == "legend" || part == "all" {
							o.addLegend(&ruled{wrapper: wrapper{data: v}})
						}
					}
					best = min(best, time.Since(start))
				}
				b.ReportMetric(float64(best.Nanoseconds())/1e6/(float64(size)/1024), "ms/KB")
			})
		}
	}
}

// BenchmarkUnfold compares unfolding with decoding the text that the folded
// value came in.
func BenchmarkUnfold(b *testing.B) {
	for _, inner := range []wire.Codec{wire.JSON{}, glyph.Codec{}, gcf.Codec{}} {
		b.Run(inner.Info().Name, func(b *testing.B) {
			var texts [][]byte
			for _, p := range payload.All() {
				codec := Codec{Inner: inner, Options: eager}
				text, err := codec.AppendEncode(nil, p.Value)
				if err != nil {
					b.Fatal(err)
				}
				if v, _ := inner.Decode(text); IsFolded(v) {
					texts = append(texts, text)
				}
			}
			// The best rounds count: what else the machine does is not part of it.
			best := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				var took [2]time.Duration
				for _, text := range texts {
					start := time.Now()
					v, err := inner.Decode(text)
					if err != nil {
						b.Fatal(err)
					}
					middle := time.Now()
					if _, err := Unfold(v, wire.Limits{}); err != nil {
						b.Fatal(err)
					}
					took[0] += middle.Sub(start)
					took[1] += time.Since(middle)
				}
				best[0], best[1] = min(best[0], took[0]), min(best[1], took[1])
			}
			b.ReportMetric(float64(best[1])/float64(best[0]), "unfold/decode")
		})
	}
}
