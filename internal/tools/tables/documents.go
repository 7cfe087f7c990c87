package main

import (
	"encoding/json"
	"io"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// documents measures encoding and decoding of every codec.
func documents(w io.Writer, docs []sample.Document, each time.Duration) {
	t := pairTables{unit: "MB/s", figure: speed}
	for _, doc := range docs {
		v := must(wire.ParseJSON(doc.JSON))
		compact := wire.AppendJSON(nil, v)
		var data any
		must(0, gojson.Unmarshal(compact, &data))
		pairs := []pair{
			{"goccy/go-json, any", func() { _, _ = gojson.Marshal(data) }, func() { var x any; _ = gojson.Unmarshal(compact, &x) }},
			{"encoding/json, any", func() { _, _ = json.Marshal(data) }, func() { var x any; _ = json.Unmarshal(compact, &x) }},
		}
		for _, codec := range wirekit.Registry().Codecs() {
			encoded, err := codec.AppendEncode(nil, v)
			if err != nil {
				continue // the format does not carry this document
			}
			buf := make([]byte, 0, len(encoded))
			pairs = append(pairs, pair{codec.Info().Name, func() { buf, _ = codec.AppendEncode(buf[:0], v) }, func() { _, _ = codec.Decode(encoded) }})
		}
		t.measure(doc.Name, len(compact), pairs, each)
	}
	t.write.print(w, "Encoding", "× goccy")
	t.read.print(w, "Decoding", "× goccy")
	t.allocs.print(w, "Allocations", "of a call, least and most")
}

// record is a small document: what a server or a tool converts all day.
const record = `{"id":48213,"name":"Björn Lindqvist","email":"bjorn@example.com","team":"platform",` +
	`"score":87.25,"active":true,"tags":["a","b"],"manager":null,"level":3}`

// conversions measures Convert from JSON to each text format and back.
func conversions(w io.Writer, docs []sample.Document, each time.Duration) {
	docs = append([]sample.Document{{Name: "record", JSON: []byte(record)}, {Name: "rows of 10 KB", JSON: sample.Rows(100)}}, docs...)
	var speed, allocs grid
	for _, doc := range docs {
		compact := wire.AppendJSON(nil, must(wire.ParseJSON(doc.JSON)))
		var r race
		r.add(func() {
			var x any
			_ = gojson.Unmarshal(compact, &x)
			_, _ = gojson.Marshal(x)
		})
		names, outputs := []string{""}, []int{0}
		add := func(src []byte, from, to string) {
			names = append(names, from+" to "+to)
			outputs = append(outputs, len(must(wirekit.Convert(src, from, to))))
			r.add(func() { _, _ = wirekit.Convert(src, from, to) })
		}
		add(compact, "json", "json")
		for _, name := range []string{"gcf", "gcx", "glyph", "toon"} {
			if text, err := wirekit.Convert(compact, "json", name); err == nil { // the format carries this document
				add(compact, "json", name)
				add(text, name, "json")
			}
		}
		r.measure(each, true)
		speed.add("goccy/go-json: µs", doc.Name, micros(0, r[0]))
		for i, o := range r[1:] {
			name := names[i+1]
			speed.add(name, doc.Name, ratio(r[0], o))
			allocs.add(name, "allocations", float64(o.allocs))
			allocs.add(name, "bytes / output", float64(o.bytes)/float64(outputs[i+1]))
		}
	}
	speed.print(w, "Convert", "× goccy")
	allocs.print(w, "Allocated", "by a call, least and most")
}
