package main

import (
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// record is a small document: what a server or a tool converts all day.
const record = `{"id":48213,"name":"Björn Lindqvist","email":"bjorn@example.com","team":"platform",` +
	`"score":87.25,"active":true,"tags":["a","b"],"manager":null,"level":3}`

// textFormats are those that conversions are measured between.
var textFormats = []string{"gcf", "gcx", "glyph", "toon"}

// conversions measures Convert from JSON to each text format and back.
func conversions(docs []sample.Document, each time.Duration) {
	docs = append([]sample.Document{{Name: "record", JSON: []byte(record)}, {Name: "rows of 10 KB", JSON: sample.Rows(100)}}, docs...)
	var t conversionTables
	for _, doc := range docs {
		t.measure(doc, each)
	}
	t.speed.print("Convert", "× goccy")
	t.allocs.print("Allocated", "by a call, least and most")
}

// converted is a row of the table: a text in one format, and what becomes of it.
type converted struct {
	name    string
	output  int
	convert *operation
}

// conversionTables are what is measured of all documents.
type conversionTables struct{ speed, allocs grid }

func (t *conversionTables) measure(doc sample.Document, each time.Duration) {
	compact := wire.AppendJSON(nil, must(wire.ParseJSON(doc.JSON)))
	var all []*operation
	op := func(f func()) *operation {
		all = append(all, &operation{run: f, steady: true})
		return all[len(all)-1]
	}
	goccy := op(func() {
		var x any
		_ = gojson.Unmarshal(compact, &x)
		_, _ = gojson.Marshal(x)
	})
	var rows []converted
	add := func(src []byte, from, to string) {
		rows = append(rows, converted{
			name:    from + " to " + to,
			output:  len(must(wirekit.Convert(src, from, to))),
			convert: op(func() { _, _ = wirekit.Convert(src, from, to) }),
		})
	}
	add(compact, "json", "json")
	for _, name := range textFormats {
		text, err := wirekit.Convert(compact, "json", name)
		if err != nil {
			continue // the format does not carry this document
		}
		add(compact, "json", name)
		add(text, name, "json")
	}
	measure(all, each)
	t.speed.add("goccy/go-json: µs", doc.Name, micros(goccy.best))
	for _, r := range rows {
		t.speed.add(r.name, doc.Name, ratio(goccy, r.convert))
		t.allocs.add(r.name, "allocations", float64(r.convert.allocs))
		t.allocs.add(r.name, "bytes / output", float64(r.convert.bytes)/float64(r.output))
	}
}
