package wire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	gojson "github.com/goccy/go-json"
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

func BenchmarkJSONDecode(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		run := func(name string, f func() error) {
			b.Run(doc.Name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(doc.JSON)))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("wire", func() error { _, err := wire.ParseJSON(doc.JSON); return err })
		run("goccy", func() error { var v any; return gojson.Unmarshal(doc.JSON, &v) })
		run("encoding", func() error { var v any; return json.Unmarshal(doc.JSON, &v) })
	}
}

func BenchmarkJSONEncode(b *testing.B) {
	for _, doc := range benchmarkDocuments() {
		value, err := wire.ParseJSON(doc.JSON)
		if err != nil {
			b.Fatal(err)
		}
		var data any
		if err := gojson.Unmarshal(doc.JSON, &data); err != nil {
			b.Fatal(err)
		}
		compact := int64(len(wire.AppendJSON(nil, value)))
		run := func(name string, f func() error) {
			b.Run(doc.Name+"/"+name, func(b *testing.B) {
				b.SetBytes(compact)
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		var buf []byte
		run("wire", func() error { buf, err = wire.JSON{}.AppendEncode(buf[:0], value); return err })
		run("goccy", func() error { _, err := gojson.Marshal(data); return err })
		run("encoding", func() error { _, err := json.Marshal(data); return err })
	}
}
