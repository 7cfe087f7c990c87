package glyph_test

import (
	"testing"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func BenchmarkEncode(b *testing.B)  { codectest.Encode(b, glyph.Codec{}, canonical) }
func BenchmarkDecode(b *testing.B)  { codectest.Decode(b, glyph.Codec{}) }
func BenchmarkStructs(b *testing.B) { codectest.Structs(b, glyph.Codec{}) }

// BenchmarkDecodeJSON is the decoder on JSON, which it reads as well.
func BenchmarkDecodeJSON(b *testing.B) {
	for _, doc := range codectest.Documents() {
		codectest.Measure(b, doc.Name, len(doc.JSON), func() error { _, err := glyph.Codec{}.Decode(doc.JSON); return err })
	}
}

// BenchmarkJSONToGlyph is the path that the reference implementation is
// measured on: JSON bytes to canonical text.
func BenchmarkJSONToGlyph(b *testing.B) {
	for _, doc := range codectest.Documents() {
		var buf []byte
		codectest.Measure(b, doc.Name+"/glyph", len(doc.JSON), func() error {
			v, err := wire.ParseJSON(doc.JSON)
			if err == nil {
				buf, err = glyph.Codec{}.AppendEncode(buf[:0], v)
			}
			return err
		})
		codectest.Measure(b, doc.Name+"/goccy", len(doc.JSON), func() error {
			var v any
			if err := gojson.Unmarshal(doc.JSON, &v); err != nil {
				return err
			}
			_, err := gojson.Marshal(v)
			return err
		})
	}
}

// BenchmarkHostile shows that time grows with the input and no faster.
func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for _, c := range hostileDocuments(n) {
			codec := glyph.Codec{Limits: wire.Limits{Depth: bound.MostDepth}}
			codectest.Measure(b, c.name, len(c.text), func() error { _, _ = codec.Decode([]byte(c.text)); return nil })
		}
	}
}
