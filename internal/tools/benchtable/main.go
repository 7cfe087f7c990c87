// Command benchtable measures every codec against goccy/go-json and
// encoding/json on the same documents in one run and prints the ratios as
// Markdown, or writes them into a page that has places for them. The documents are
// generated; files given as arguments are measured too.
//
// There are five groups of tables: documents (encoding and decoding of Values),
// conversions (Convert between JSON and the text formats), values
// (Marshal and Unmarshal of Go values), parallel (one processor and all) and choices
// (what the choice of a format costs, in milliseconds).
//
// Most cells are ratios: goccy's time for the document's JSON, from and to any or the same
// Go value, divided by that of the row. goccy's own row has its speed, in megabytes of
// compact JSON a second, or its time. Where a
// cell is of several documents, it has the least and the most.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/tools/page"
	"github.com/wirekit/wirekit/wire"
)

// out takes the tables.
var out io.Writer = os.Stdout

func main() {
	each := flag.Duration("time", 200*time.Millisecond, "how long each measurement takes")
	only := flag.String("only", "", "the tables to measure: documents, conversions, values (of Go types), parallel (one processor and all) or choices, nothing given for all")
	file := flag.String("write", "", "the page that the tables are written into")
	flag.Parse()
	docs := append(sample.Documents(), sample.Numbers()...)
	for _, name := range flag.Args() {
		docs = append(docs, sample.Document{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), JSON: must(os.ReadFile(name))})
	}
	tables := map[string]func(){
		"documents":   func() { documents(docs, *each) },
		"conversions": func() { conversions(docs, *each) },
		"values":      func() { goValues(*each) },
		"parallel":    func() { parallel(*each) },
		"choices":     func() { choices(*each) },
	}
	if *only != "" && tables[*only] == nil {
		fail(fmt.Errorf("there is no table of %q", *only))
	}
	for _, name := range []string{"documents", "conversions", "values", "parallel", "choices"} {
		if *only == "" || name == *only {
			table(name, tables[name], *each, *file)
		}
	}
}

// table measures one table and prints it, or writes it into the page.
func table(name string, measure func(), each time.Duration, file string) {
	var text strings.Builder
	if file != "" {
		out = &text
	}
	fmt.Fprintf(out, "Measured %s with %s on %s/%s, %d CPUs, goccy/go-json %s; %s a measurement in %d rounds, of which the best counts.\n",
		time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), moduleVersion("github.com/goccy/go-json"), each, rounds)
	if measure(); file == "" {
		return
	}
	if err := page.Rewrite(file, "table "+name, text.String()); err != nil {
		fail(err)
	}
}

func documents(docs []sample.Document, each time.Duration) {
	var t documentTables
	for _, doc := range docs {
		t.measure(doc, each)
	}
	t.encode.print("Encoding", "× goccy")
	t.decode.print("Decoding", "× goccy")
	t.allocs.print("Allocations", "of a call, least and most")
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

func fail(err error) {
	fmt.Fprintln(os.Stderr, "benchtable:", err)
	os.Exit(1)
}

// must returns what a call without an error returned.
func must[T any](v T, err error) T {
	if err != nil {
		fail(err)
	}
	return v
}

// An operation is measured in several rounds, all operations in each round, so
// that what else the machine does meets them alike. The best round counts. A round
// has as many calls as bring about several collections: what is allocated is paid.
type operation struct {
	run    func()
	n      int  // calls a round
	steady bool // called before each round: what it keeps between calls counts
	best   time.Duration
	allocs uint64
	bytes  uint64 // allocated by a call
}

// rounds is how often each operation is measured: a round is so short that some
// are without what else the machine does.
const rounds = 10

// collections is how many a round has, unless it lasted too long with so many.
const collections = 4

func measure(operations []*operation, each time.Duration) {
	var before, after runtime.MemStats
	for _, o := range operations {
		o.best = math.MaxInt64
		o.run() // warm
		runtime.GC()
		runtime.ReadMemStats(&before)
		const calls = 3 // a collection may fall into one of them
		once := each
		for range calls {
			start := time.Now()
			o.run()
			once = min(once, max(time.Since(start), 1))
		}
		runtime.ReadMemStats(&after)
		free, used := after.NextGC-before.HeapAlloc, (after.TotalAlloc-before.TotalAlloc)/calls
		o.n = max(1, int(each/rounds/once), min(int(each/once), int(collections*free/max(used, 1))))
	}
	for range rounds {
		for _, o := range operations {
			runtime.GC()
			if o.steady {
				o.run()
				o.run()
			}
			runtime.ReadMemStats(&before)
			start := time.Now()
			for range o.n {
				o.run()
			}
			o.best = min(o.best, time.Since(start)/time.Duration(o.n))
			runtime.ReadMemStats(&after)
			o.allocs = (after.Mallocs - before.Mallocs) / uint64(o.n)
			o.bytes = (after.TotalAlloc - before.TotalAlloc) / uint64(o.n)
		}
	}
}

// row is a line of the tables.
type row struct {
	name           string
	encode, decode *operation
}

// documentTables are what is measured of all documents.
type documentTables struct{ encode, decode, allocs grid }

func (t *documentTables) measure(doc sample.Document, each time.Duration) {
	v := must(wire.ParseJSON(doc.JSON))
	compact := wire.AppendJSON(nil, v)
	var data any
	if err := gojson.Unmarshal(compact, &data); err != nil {
		fail(err)
	}
	var all []*operation
	op := func(f func()) *operation {
		all = append(all, &operation{run: f})
		return all[len(all)-1]
	}
	rows := []row{{
		name:   "goccy/go-json, any",
		encode: op(func() { _, _ = gojson.Marshal(data) }),
		decode: op(func() { var x any; _ = gojson.Unmarshal(compact, &x) }),
	}, {
		name:   "encoding/json, any",
		encode: op(func() { _, _ = json.Marshal(data) }),
		decode: op(func() { var x any; _ = json.Unmarshal(compact, &x) }),
	}}
	for _, codec := range wirekit.Registry().Codecs() {
		encoded, err := codec.AppendEncode(nil, v)
		if err != nil {
			continue // the format does not carry this document
		}
		buf := make([]byte, 0, len(encoded))
		rows = append(rows, row{
			name:   codec.Info().Name,
			encode: op(func() { buf, _ = codec.AppendEncode(buf[:0], v) }),
			decode: op(func() { _, _ = codec.Decode(encoded) }),
		})
	}
	measure(all, each)
	t.encode.add("bytes of compact JSON", doc.Name, float64(len(compact)))
	t.encode.add("goccy/go-json, any: MB/s", doc.Name, speed(len(compact), rows[0].encode.best))
	t.decode.add("goccy/go-json, any: MB/s", doc.Name, speed(len(compact), rows[0].decode.best))
	for i, r := range rows {
		if i > 0 {
			t.encode.add(r.name, doc.Name, ratio(rows[0].encode, r.encode))
			t.decode.add(r.name, doc.Name, ratio(rows[0].decode, r.decode))
		}
		t.allocs.add(r.name, "encode", float64(r.encode.allocs))
		t.allocs.add(r.name, "decode", float64(r.decode.allocs))
	}
}

// speed is in megabytes a second.
func speed(bytes int, d time.Duration) float64 { return float64(bytes) / 1e6 / d.Seconds() }

// ratio returns how many times faster o is than base.
func ratio(base, o *operation) float64 { return float64(base.best) / float64(o.best) }

// A grid is a table whose rows and columns come in the order in which they are added. A
// cell has the least and the most of what was added to it.
type grid struct {
	rows, columns []string
	cells         map[[2]string][2]float64 // by row and column
}

func (g *grid) add(row, column string, x float64) {
	if !slices.Contains(g.rows, row) {
		g.rows = append(g.rows, row)
	}
	if !slices.Contains(g.columns, column) {
		g.columns = append(g.columns, column)
	}
	if g.cells == nil {
		g.cells = make(map[[2]string][2]float64)
	}
	at := [2]string{row, column}
	if span, ok := g.cells[at]; ok {
		g.cells[at] = [2]float64{min(span[0], x), max(span[1], x)}
	} else {
		g.cells[at] = [2]float64{x, x}
	}
}

func (g *grid) print(title, unit string) {
	fmt.Fprintf(out, "\n### %s\n\n| %s | %s |\n| --- |%s\n", title, unit, strings.Join(g.columns, " | "), strings.Repeat(" --: |", len(g.columns)))
	for _, row := range g.rows {
		fmt.Fprintf(out, "| %s |", row)
		for _, column := range g.columns {
			span, ok := g.cells[[2]string{row, column}]
			switch {
			case !ok:
				fmt.Fprint(out, " – |")
			case span[0] == span[1]:
				fmt.Fprintf(out, " %s |", number(span[0]))
			default:
				fmt.Fprintf(out, " %s–%s |", number(span[0]), number(span[1]))
			}
		}
		fmt.Fprintln(out)
	}
}

// number is whole from 100 on, else it has two decimals.
func number(x float64) string {
	if x >= 100 || x == float64(int(x)) {
		return fmt.Sprintf("%.0f", x)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}
