// Command tables measures and prints the tables of the documentation, all of them or those
// that are named:
//
//	go run ./internal/tools/tables -time 1s parallel
//	go run ./internal/tools/tables -write twitter.json citm_catalog.json
//
// Tables of speed are documents (encoding and decoding of Values), conversions (Convert
// between JSON and the text formats), values (Marshal and Unmarshal of Go values), parallel
// (one processor and all) and choices (what the choice of a format costs, in milliseconds).
// Documents are generated; files named *.json are measured too. Most cells are ratios:
// goccy/go-json's time for the document's JSON, from and to any or the same Go value,
// divided by that of the row. goccy's own row has its speed, in megabytes of compact JSON a
// second, or its time. Where a cell is of several documents, it has the least and the most.
//
// Tables of tokens of o200k_base are fields, formats and folding, of the answers of package
// payload, and light and dark are the charts of them. The tests hold that the pages have
// them, and UPDATE_DOCS=1 writes them.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/sample"
)

// A table is a part of a page of the documentation.
type table struct {
	name, page string
	print      func(w io.Writer)
}

func main() {
	log.SetFlags(0)
	each := flag.Duration("time", 200*time.Millisecond, "how long each measurement of speed takes")
	into := flag.Bool("write", false, "write the tables into the pages, which are in docs")
	out := flag.String("out", "", "write the answers themselves, those of docs/payloads.sha256, as files of JSON into a folder")
	flag.Parse()
	if *out != "" {
		must(0, write(*out, payload.All()))
		return
	}
	var names []string
	docs := append(sample.Documents(), sample.Numbers()...)
	for _, arg := range flag.Args() {
		if name, ok := strings.CutSuffix(filepath.Base(arg), ".json"); ok {
			docs = append(docs, sample.Document{Name: name, JSON: must(os.ReadFile(arg))})
		} else {
			names = append(names, arg)
		}
	}
	all := append(speedTables(docs, *each), tokenTables(measurePayloads)...)
	for _, name := range names {
		if !slices.ContainsFunc(all, func(t table) bool { return t.name == name }) {
			log.Fatalf("tables: there is no table %q", name)
		}
	}
	for _, t := range all {
		if names != nil && !slices.Contains(names, t.name) {
			continue
		}
		var text strings.Builder
		if t.print(&text); !*into {
			fmt.Print(text.String())
			continue
		}
		file := filepath.Join("docs", t.page)
		must(0, os.WriteFile(file, []byte(must(replace(string(must(os.ReadFile(file))), t.name, text.String()))), 0o644))
	}
}

// replace returns a page with text as the table of that name.
func replace(page, name, text string) (string, error) {
	begin, end := "<!-- table "+name+" -->\n", "<!-- /table "+name+" -->"
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("the page has no %s … %s", strings.TrimSpace(begin), end)
	}
	return before + begin + text + end + after, nil
}

func speedTables(docs []sample.Document, each time.Duration) []table {
	speed := func(name string, print func(w io.Writer, each time.Duration)) table {
		return table{name, "benchmarks.md", func(w io.Writer) {
			fmt.Fprintf(w, "Measured %s with %s on %s/%s, %d CPUs, goccy/go-json %s; %s a measurement in %d rounds, of which the best counts.\n",
				time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), moduleVersion("github.com/goccy/go-json"), each, rounds)
			print(w, each)
		}}
	}
	return []table{
		speed("documents", func(w io.Writer, each time.Duration) { documents(w, docs, each) }),
		speed("conversions", func(w io.Writer, each time.Duration) { conversions(w, docs, each) }),
		speed("values", goValues),
		speed("parallel", parallel),
		speed("choices", choices),
	}
}

// tokenTables are those of payloads, which measured returns, and the charts of them.
func tokenTables(measured func() []measure) []table {
	of := func(name, page string, text func([]measure) string) table {
		return table{name, page, func(w io.Writer) { fmt.Fprintf(w, "\n%s\n", text(measured())) }}
	}
	tables := []table{of("fields", "choosing.md", groupTable), of("formats", "measurements.md", formatTable), of("folding", "fold.md", foldTable)}
	for _, p := range palettes {
		tables = append(tables, of(p.name, "images/tokens-"+p.name+".svg", func(m []measure) string { return chart(p, m) }))
	}
	return tables
}

func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "unknown"
}

// must returns what a call without an error returned.
func must[T any](v T, err error) T {
	if err != nil {
		log.Panic(err)
	}
	return v
}
