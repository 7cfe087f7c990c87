package wire_test

import (
	"encoding/json"
	"testing"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// tableRow is the row of the speed targets: six fields, none optional.
type tableRow struct {
	ID     int     `json:"id"`
	Name   string  `json:"name"`
	Email  string  `json:"email"`
	Team   string  `json:"team"`
	Score  float64 `json:"score"`
	Active bool    `json:"active"`
}

// tableRows returns the rows of the sample documents as structs, and their
// JSON.
func tableRows(tb testing.TB, n int) ([]tableRow, []byte) {
	var rows []tableRow
	if err := json.Unmarshal(sample.Rows(n), &rows); err != nil {
		tb.Fatal(err)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		tb.Fatal(err)
	}
	return rows, text
}

func BenchmarkStructs(b *testing.B) {
	rows, text := tableRows(b, 10_000)
	value, err := wire.ParseJSON(text)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, f func() error) { codectest.Measure(b, name, len(text), f) }
	var buf []byte
	run("encode/FromGo", func() error { _, err := wire.FromGo(rows); return err })
	run("encode/FromGo+JSON", func() error {
		v, err := wire.FromGo(rows)
		buf = wire.AppendJSON(buf[:0], v)
		return err
	})
	run("encode/Marshal", func() error { _, err := wire.Marshal(wire.JSON{}, rows); return err })
	run("encode/goccy", func() error { _, err := gojson.Marshal(rows); return err })
	run("encode/encoding", func() error { _, err := json.Marshal(rows); return err })
	optional := make([]optionalRow, len(rows))
	for i := range rows {
		optional[i] = optionalRow{ID: i, Name: rows[i].Name, Base: &base{i, rows[i].Team}, Tags: []string{rows[i].Email}}
	}
	run("optional/FromGo", func() error { _, err := wire.FromGo(optional); return err })
	run("optional/goccy", func() error { _, err := gojson.Marshal(optional); return err })
	run("decode/ToGo", func() error { var out []tableRow; return wire.ToGo(value, &out) })
	run("decode/ParseJSON", func() error { _, err := wire.ParseJSON(text); return err })
	run("decode/Unmarshal", func() error { var out []tableRow; return wire.Unmarshal(wire.JSON{}, text, &out) })
	run("decode/goccy", func() error { var out []tableRow; return gojson.Unmarshal(text, &out) })
	run("decode/encoding", func() error { var out []tableRow; return json.Unmarshal(text, &out) })
}

// BenchmarkData converts documents without a schema.
func BenchmarkData(b *testing.B) {
	for _, doc := range sample.Documents() {
		value, err := wire.ParseJSON(doc.JSON)
		if err != nil {
			b.Fatal(err)
		}
		var data any
		if err := wire.ToGo(value, &data); err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func() error) { codectest.Measure(b, doc.Name+"/"+name, len(doc.JSON), f) }
		run("FromGo", func() error { _, err := wire.FromGo(data); return err })
		run("Marshal", func() error { _, err := wire.Marshal(wire.JSON{}, data); return err })
		run("goccyMarshal", func() error { _, err := gojson.Marshal(data); return err })
		run("ToGo", func() error { var out any; return wire.ToGo(value, &out) })
		run("Unmarshal", func() error { var out any; return wire.Unmarshal(wire.JSON{}, doc.JSON, &out) })
		run("goccyUnmarshal", func() error { var out any; return gojson.Unmarshal(doc.JSON, &out) })
	}
}
