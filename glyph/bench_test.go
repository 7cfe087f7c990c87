package glyph_test

import (
	"os"
	"path/filepath"
	"testing"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

// benchmarkDocuments are the generated documents and, where the shared corpora
// are beside the repository, twitter and citm from there.
func benchmarkDocuments() []sample.Document {
	docs := sample.Documents()
	for _, name := range []string{"twitter", "citm_catalog"} {
		if b, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpora", name+".json")); err == nil {
			docs = append(docs, sample.Document{Name: name, JSON: b})
		}
	}
	return docs
}

// measure runs f with throughput relative to the document's compact JSON.
func measure(b *testing.B, name string, size int, f func() error) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		v, err := wire.ParseJSON(doc.JSON)
		if err != nil {
			b.Fatal(err)
		}
		var data any
		if err := gojson.Unmarshal(doc.JSON, &data); err != nil {
			b.Fatal(err)
		}
		size := len(wire.AppendJSON(nil, v))
		var buf []byte
		measure(b, doc.Name+"/glyph", size, func() error { buf, err = glyph.Codec{}.AppendEncode(buf[:0], v); return err })
		measure(b, doc.Name+"/canonical", size, func() error {
			buf, err = glyph.Codec{Profile: glyph.Canonical}.AppendEncode(buf[:0], v)
			return err
		})
		measure(b, doc.Name+"/goccy", size, func() error { _, err := gojson.Marshal(data); return err })
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		v, err := wire.ParseJSON(doc.JSON)
		if err != nil {
			b.Fatal(err)
		}
		size := len(wire.AppendJSON(nil, v))
		text, err := glyph.Codec{}.AppendEncode(nil, v)
		if err != nil {
			b.Fatal(err)
		}
		measure(b, doc.Name+"/glyph", size, func() error { _, err := glyph.Codec{}.Decode(text); return err })
		measure(b, doc.Name+"/json", size, func() error { _, err := glyph.Codec{}.Decode(doc.JSON); return err })
		measure(b, doc.Name+"/goccy", size, func() error { var v any; return gojson.Unmarshal(doc.JSON, &v) })
	}
}

// BenchmarkJSONToGlyph is the path that the reference implementation is
// measured on: JSON bytes to canonical text.
func BenchmarkJSONToGlyph(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		var buf []byte
		measure(b, doc.Name+"/glyph", len(doc.JSON), func() error {
			v, err := wire.ParseJSON(doc.JSON)
			if err == nil {
				buf, err = glyph.Codec{}.AppendEncode(buf[:0], v)
			}
			return err
		})
		measure(b, doc.Name+"/goccy", len(doc.JSON), func() error {
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
			codec := glyph.Codec{Limits: wire.Limits{Depth: wire.MaxDepth}}
			measure(b, c.name, len(c.text), func() error { _, _ = codec.Decode([]byte(c.text)); return nil })
		}
	}
}

// BenchmarkStructs compares a slice of structs with goccy on the same structs.
func BenchmarkStructs(b *testing.B) {
	type row struct {
		ID     int     `json:"id"`
		Name   string  `json:"name"`
		Email  string  `json:"email"`
		Team   string  `json:"team"`
		Score  float64 `json:"score"`
		Active bool    `json:"active"`
	}
	src := sample.Rows(10_000)
	var rows []row
	if err := gojson.Unmarshal(src, &rows); err != nil {
		b.Fatal(err)
	}
	text, err := glyph.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	measure(b, "marshal/glyph", len(src), func() error { _, err := glyph.Marshal(rows); return err })
	measure(b, "marshal/goccy", len(src), func() error { _, err := gojson.Marshal(rows); return err })
	measure(b, "unmarshal/glyph", len(src), func() error { var out []row; return glyph.Unmarshal(text, &out) })
	measure(b, "unmarshal/goccy", len(src), func() error { var out []row; return gojson.Unmarshal(src, &out) })
}
