package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// parallel prints how much faster copies of records are on all processors than on one: from
// JSON Lines to every format, from every format to JSON Lines, and of nested records.
func parallel(w io.Writer, each time.Duration) {
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors)
	var t grid
	rows, orders := sample.Rows(200_000), sample.Orders(20_000)
	add := func(json []byte, what, from, to string) {
		source, target := must(wirekit.Lookup(from)).(wire.Streamer), must(wirekit.Lookup(to)).(wire.Streamer)
		v := must(wire.ParseJSON(json))
		if v.Kind() == wire.KindObject {
			v = v.Index(0)
		}
		if from == "yaml" { // which takes long to read
			v = wire.Array(slices.Collect(v.Elements())[:v.Len()/8]...)
		}
		text := stream(source, v)
		var r race
		for _, n := range []int{1, processors} {
			r.add(func() {
				runtime.GOMAXPROCS(n)
				c := wire.Transcoder{From: source, To: target}
				must(c.Transcode(context.Background(), io.Discard, bytes.NewReader(text)))
			})
		}
		r.measure(each, false)
		name := fmt.Sprintf("%s, %s to %s", what, from, to)
		t.add(name, "MB/s on one", speed(len(text), r[0]))
		t.add(name, fmt.Sprintf("on %d", processors), speed(len(text), r[1]))
		t.add(name, "×", ratio(r[0], r[1]))
	}
	for _, name := range []string{"gcf", "gcx", "glyph", "csv", "yaml"} {
		add(rows, "rows", "jsonl", name)
	}
	for _, name := range []string{"gcf", "gcx", "glyph", "csv", "toon", "yaml"} {
		add(rows, "rows", name, "jsonl")
	}
	for _, name := range []string{"jsonl", "gcf", "gcx", "glyph", "yaml"} {
		add(orders, "nested orders", "jsonl", name)
	}
	add(orders, "nested orders", "yaml", "jsonl")
	t.print(w, fmt.Sprintf("One processor and %d", processors), "MB are those of the input")
}

// stream writes an array's elements as records.
func stream(c wire.Streamer, v wire.Value) []byte {
	var out bytes.Buffer
	w := must(c.NewRecordWriter(&out, v.Index(0).Keys()))
	for e := range v.Elements() {
		must(0, w.Write(e))
	}
	must(0, w.Close())
	return out.Bytes()
}
