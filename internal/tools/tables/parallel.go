package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// work is what uses all processors.
type work struct {
	name string
	size int // bytes
	run  func()
}

// parallel prints how much faster work is on all processors than on one.
func parallel(w io.Writer, each time.Duration) {
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors)
	works := slices.Concat(streams(), counts(), packs())
	var r race
	for _, work := range works {
		r.add(func() { runtime.GOMAXPROCS(1); work.run() })
		r.add(func() { runtime.GOMAXPROCS(processors); work.run() })
	}
	r.measure(each)
	fmt.Fprintf(w, "\n### One processor and %d\n\n", processors)
	fmt.Fprintln(w, "MB are those of the input.")
	fmt.Fprintf(w, "\n| work | MB/s on one | on %d | × |\n", processors)
	fmt.Fprintln(w, "| --- | --: | --: | --: |")
	for i, work := range works {
		one, all := r[2*i], r[2*i+1]
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %.2f |\n", work.name, speed(work.size, one), speed(work.size, all), ratio(one, all))
	}
}

// streams are copies of records: from JSON Lines to every format, from every format
// to JSON Lines, and nested records.
func streams() (works []work) {
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
		works = append(works, work{name: fmt.Sprintf("%s, %s to %s", what, from, to), size: len(text), run: func() {
			c := wire.Transcoder{From: source, To: target}
			must(c.Transcode(context.Background(), io.Discard, bytes.NewReader(text)))
		}})
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
	return works
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

// counts are tokens of a long text.
func counts() []work {
	text := sample.Rows(30_000)
	var works []work
	for _, c := range []tokens.Counter{tokens.O200k{}, tokens.Cl100k{}} {
		works = append(works, work{name: "tokens of rows, " + c.Name(), size: len(text), run: func() { must(c.Count(text)) }})
	}
	return works
}

// packs are those of a repository of Go files.
func packs() []work {
	files := make(fstest.MapFS)
	size := 0
	for i := range 1000 {
		var b strings.Builder
		fmt.Fprintf(&b, "// Package p%d is one of many.\npackage p%d\n", i, i)
		for j := 0; b.Len() < 10_000; j++ {
			fmt.Fprintf(&b, "\n// F%d adds %d to what it is given, and says so in a few words.\nfunc F%d(x int) (int, error) {\n\tif x < 0 {\n\t\treturn 0, errNegative\n\t}\n\treturn x + %d, nil\n}\n", j, j, j, i+j)
		}
		files[fmt.Sprintf("p%d/f.go", i)] = &fstest.MapFile{Data: []byte(b.String())}
		size += b.Len()
	}
	packed := func() *bcp.Payload {
		p, _, err := (pack.Options{}).Pack(context.Background(), files)
		return must(p, err)
	}
	budget := 8000
	o := render.Options{Mode: render.ModeMinimal, Budget: &budget, Counter: tokens.O200k{}, Compact: true}
	return []work{
		{name: "pack of 1,000 Go files", size: size, run: func() { packed() }},
		{name: "the same, rendered in 8,000 tokens", size: size, run: func() { must(o.Render(packed())) }},
	}
}
