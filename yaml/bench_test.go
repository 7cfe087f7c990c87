package yaml

import (
	"bytes"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

func BenchmarkCodec(b *testing.B) {
	for _, doc := range []sample.Document{{Name: "rows", JSON: sample.Rows(500)}, {Name: "orders", JSON: sample.Orders(100)}, {Name: "api", JSON: sample.API(100)}} {
		v := codectest.JSON(b, doc.JSON)
		text := codectest.Encoded(b, Codec{}, v)
		var buf []byte
		codectest.Measure(b, doc.Name+"/encode", len(text), func() (err error) {
			buf, err = Codec{}.AppendEncode(buf[:0], v)
			return err
		})
		codectest.Measure(b, doc.Name+"/decode", len(text), func() error { return codectest.Err(Codec{}.Decode(text)) })
		codectest.Measure(b, doc.Name+"/lent", len(text), func() error {
			return wire.View(Codec{}, text, func(wire.Value) error { return nil })
		})
		codectest.Measure(b, doc.Name+"/json", len(text), func() error {
			return wire.View(Codec{}, doc.JSON, func(wire.Value) error { return nil })
		})
	}
}

// BenchmarkDocuments reads texts of many documents, whole and as streams.
func BenchmarkDocuments(b *testing.B) {
	v := codectest.JSON(b, sample.Rows(500))
	text := codectest.Encoded(b, Codec{MultiDocument: true}, v)
	codectest.Measure(b, "whole", len(text), func() error { return codectest.Err(Codec{MultiDocument: true}.Decode(text)) })
	codectest.Measure(b, "stream", len(text), func() error {
		for _, err := range (Codec{}).Records(bytes.NewReader(text)) {
			if err != nil {
				return err
			}
		}
		return nil
	})
}
