package wire_test

import (
	"encoding/json"
	"testing"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func BenchmarkJSONDecode(b *testing.B) {
	for _, doc := range codectest.Documents() {
		run := func(name string, f func() error) { codectest.Measure(b, doc.Name+"/"+name, len(doc.JSON), f) }
		run("wire", func() error { _, err := wire.ParseJSON(doc.JSON); return err })
		run("goccy", func() error { var v any; return gojson.Unmarshal(doc.JSON, &v) })
		run("encoding", func() error { var v any; return json.Unmarshal(doc.JSON, &v) })
	}
}

func BenchmarkJSONEncode(b *testing.B) {
	for _, doc := range codectest.Documents() {
		value, err := wire.ParseJSON(doc.JSON)
		if err != nil {
			b.Fatal(err)
		}
		var data any
		if err := gojson.Unmarshal(doc.JSON, &data); err != nil {
			b.Fatal(err)
		}
		compact := len(wire.AppendJSON(nil, value))
		run := func(name string, f func() error) { codectest.Measure(b, doc.Name+"/"+name, compact, f) }
		var buf []byte
		run("wire", func() error { buf, err = wire.JSON{}.AppendEncode(buf[:0], value); return err })
		run("goccy", func() error { _, err := gojson.Marshal(data); return err })
		run("encoding", func() error { _, err := json.Marshal(data); return err })
	}
}
