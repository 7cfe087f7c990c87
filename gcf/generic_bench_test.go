package gcf_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gojson "github.com/goccy/go-json"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

// The benchmarks set MB/s relative to the compact JSON of the same data, and
// run goccy/go-json and encoding/json on it beside GCF:
//
//	go test -bench . -benchmem ./gcf

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

type benchmarkRun struct {
	name string
	run  func() error
}

func benchmark(b *testing.B, bytes int, runs ...benchmarkRun) {
	for _, r := range runs {
		b.Run(r.name, func(b *testing.B) {
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				if err := r.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// prepared is a document in every form that a benchmark begins with.
type prepared struct {
	value   wire.Value
	any     any
	compact []byte // JSON
	gcf     []byte
}

func prepare(b *testing.B, doc sample.Document) (p prepared) {
	b.Helper()
	var err error
	if p.value, err = wire.ParseJSON(doc.JSON); err != nil {
		b.Fatal(err)
	}
	if err = gojson.Unmarshal(doc.JSON, &p.any); err != nil {
		b.Fatal(err)
	}
	p.compact = wire.AppendJSON(nil, p.value)
	if p.gcf, err = (gcf.Codec{}).AppendEncode(nil, p.value); err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkEncode(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		b.Run(doc.Name, func(b *testing.B) {
			p := prepare(b, doc)
			var buf []byte
			benchmark(b, len(p.compact),
				benchmarkRun{"gcf", func() (err error) { buf, err = gcf.Codec{}.AppendEncode(buf[:0], p.value); return err }},
				benchmarkRun{"json-goccy", func() error { _, err := gojson.Marshal(p.any); return err }},
				benchmarkRun{"json-encoding", func() error { _, err := json.Marshal(p.any); return err }},
			)
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		b.Run(doc.Name, func(b *testing.B) {
			p := prepare(b, doc)
			benchmark(b, len(p.compact),
				benchmarkRun{"gcf", func() error { _, err := gcf.Codec{}.Decode(p.gcf); return err }},
				benchmarkRun{"json-goccy", func() error { var v any; return gojson.Unmarshal(p.compact, &v) }},
				benchmarkRun{"json-encoding", func() error { var v any; return json.Unmarshal(p.compact, &v) }},
			)
		})
	}
}

// BenchmarkFromJSON is the whole way from JSON bytes to GCF.
func BenchmarkFromJSON(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		b.Run(doc.Name, func(b *testing.B) {
			p := prepare(b, doc)
			var buf []byte
			benchmark(b, len(p.compact), benchmarkRun{"gcf", func() error {
				v, err := wire.ParseJSON(p.compact)
				if err == nil {
					buf, err = gcf.Codec{}.AppendEncode(buf[:0], v)
				}
				return err
			}})
		})
	}
}

// BenchmarkHostile decodes and refuses documents of growing size: MB/s, here
// relative to the document itself, must not fall with the size.
func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for name, doc := range hostileDocuments(n) {
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), n), func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				for b.Loop() {
					_, _ = gcf.Codec{}.Decode(doc)
				}
			})
		}
	}
}

// BenchmarkStructs measures 10,000 structs of 6 fields, with goccy/go-json on
// the same structs beside it.
func BenchmarkStructs(b *testing.B) {
	type user struct {
		ID     int64   `json:"id"`
		Name   string  `json:"name"`
		Email  string  `json:"email"`
		Team   string  `json:"team"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
	}
	var rows []user
	if err := json.Unmarshal(sample.Rows(10_000), &rows); err != nil {
		b.Fatal(err)
	}
	text, err := gojson.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	doc, err := gcf.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, len(text),
		benchmarkRun{"marshal", func() error { _, err := gcf.Marshal(rows); return err }},
		benchmarkRun{"marshal-values", func() error { _, err := wire.Marshal(gcf.Codec{}, rows); return err }},
		benchmarkRun{"marshal-goccy", func() error { _, err := gojson.Marshal(rows); return err }},
		benchmarkRun{"unmarshal", func() error { var back []user; return gcf.Unmarshal(doc, &back) }},
		benchmarkRun{"unmarshal-values", func() error { var back []user; return wire.Unmarshal(gcf.Codec{}, doc, &back) }},
		benchmarkRun{"unmarshal-goccy", func() error { var back []user; return gojson.Unmarshal(text, &back) }},
	)
}
