package codectest

import (
	"os"
	"path/filepath"
	"testing"

	gojson "github.com/goccy/go-json"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// Documents are the generated documents and, where the shared corpora are beside
// the repository, twitter and citm from there. It is called from a package's own
// folder, one level below the module's.
func Documents() []sample.Document {
	docs := sample.Documents()
	for _, name := range []string{"twitter", "citm_catalog"} {
		if b, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpora", name+".json")); err == nil {
			docs = append(docs, sample.Document{Name: name, JSON: b})
		}
	}
	return docs
}

// Measure runs f with throughput relative to a size.
func Measure(b *testing.B, name string, size int, f func() error) {
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

// Encode measures codecs, and goccy/go-json on any, encoding the documents.
// Throughput is relative to their compact JSON.
func Encode(b *testing.B, codecs ...wire.Codec) {
	for _, doc := range Documents() {
		v := JSON(b, doc.JSON)
		size := len(wire.AppendJSON(nil, v))
		for _, c := range codecs {
			var buf []byte
			Measure(b, doc.Name+"/"+c.Info().FullName(), size, func() (err error) {
				buf, err = c.AppendEncode(buf[:0], v)
				return err
			})
		}
		var data any
		require.NoError(b, gojson.Unmarshal(doc.JSON, &data))
		Measure(b, doc.Name+"/goccy", size, func() error { _, err := gojson.Marshal(data); return err })
	}
}

// Decode measures codecs decoding what they make of the documents, and goccy on
// the JSON.
func Decode(b *testing.B, codecs ...wire.Codec) {
	for _, doc := range Documents() {
		v := JSON(b, doc.JSON)
		size := len(wire.AppendJSON(nil, v))
		for _, c := range codecs {
			text := Encoded(b, c, v)
			Measure(b, doc.Name+"/"+c.Info().FullName(), size, func() error { _, err := c.Decode(text); return err })
		}
		Measure(b, doc.Name+"/goccy", size, func() error { var v any; return gojson.Unmarshal(doc.JSON, &v) })
	}
}

// A GoCodec is a codec with the functions for Go values that formats have.
type GoCodec interface {
	wire.Codec
	Marshal(v any) ([]byte, error)
	Unmarshal(src []byte, v any) error
}

// Structs measures a slice of structs, straight and by the way through Values, with
// goccy on the same structs beside it.
func Structs(b *testing.B, c GoCodec) {
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
	require.NoError(b, gojson.Unmarshal(src, &rows))
	text, err := c.Marshal(rows)
	require.NoError(b, err)
	name := c.Info().Name
	Measure(b, "marshal/"+name, len(src), func() error { _, err := c.Marshal(rows); return err })
	Measure(b, "marshal/"+name+"-values", len(src), func() error { _, err := wire.Marshal(Values(c), rows); return err })
	Measure(b, "marshal/goccy", len(src), func() error { _, err := gojson.Marshal(rows); return err })
	Measure(b, "unmarshal/"+name, len(src), func() error { var out []row; return c.Unmarshal(text, &out) })
	Measure(b, "unmarshal/"+name+"-values", len(src), func() error { var out []row; return wire.Unmarshal(Values(c), text, &out) })
	Measure(b, "unmarshal/goccy", len(src), func() error { var out []row; return gojson.Unmarshal(src, &out) })
}
