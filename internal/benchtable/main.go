// Command benchtable measures every codec against goccy/go-json and
// encoding/json on the same documents in one run and prints the ratios as
// Markdown. The documents are generated; files given as arguments are measured
// too.
//
// Speeds are in megabytes of the document's compact JSON a second, so formats
// compare. A ratio is goccy's time divided by ours: encoding from and decoding
// to any, the document's JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	each := flag.Duration("time", 300*time.Millisecond, "how long each measurement takes")
	flag.Parse()
	docs := sample.Documents()
	for _, file := range flag.Args() {
		text, err := os.ReadFile(file)
		if err != nil {
			fail(err)
		}
		docs = append(docs, sample.Document{Name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), JSON: text})
	}
	fmt.Printf("Measured %s with %s on %s/%s, %d CPUs, goccy/go-json %s; %s a measurement, the best of three.\n",
		time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), moduleVersion("github.com/goccy/go-json"), *each)
	for _, doc := range docs {
		if err := table(doc, *each); err != nil {
			fail(fmt.Errorf("%s: %w", doc.Name, err))
		}
	}
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

// row is one line of the table: times of one operation, NaN where it has none.
type row struct {
	name                      string
	encode, decode, fromJSON  time.Duration
	encodeAllocs, decodeAlloc uint64
}

func table(doc sample.Document, each time.Duration) error {
	v, err := wire.ParseJSON(doc.JSON)
	if err != nil {
		return err
	}
	compact := wire.AppendJSON(nil, v)
	var data any
	if err := gojson.Unmarshal(compact, &data); err != nil {
		return err
	}
	var rows []row
	goccy := row{name: "goccy/go-json, any"}
	goccy.encode, goccy.encodeAllocs = measure(each, func() { _, _ = gojson.Marshal(data) })
	goccy.decode, goccy.decodeAlloc = measure(each, func() { var x any; _ = gojson.Unmarshal(compact, &x) })
	std := row{name: "encoding/json, any"}
	std.encode, std.encodeAllocs = measure(each, func() { _, _ = json.Marshal(data) })
	std.decode, std.decodeAlloc = measure(each, func() { var x any; _ = json.Unmarshal(compact, &x) })
	rows = append(rows, goccy, std)
	for _, codec := range wirekit.Codecs() {
		encoded, err := codec.AppendEncode(nil, v)
		if err != nil {
			continue // the format does not carry this document
		}
		r := row{name: codec.Info().Name}
		buf := make([]byte, 0, len(encoded))
		r.encode, r.encodeAllocs = measure(each, func() { buf, _ = codec.AppendEncode(buf[:0], v) })
		r.decode, r.decodeAlloc = measure(each, func() { _, _ = codec.Decode(encoded) })
		r.fromJSON, _ = measure(each, func() {
			x, _ := wire.ParseJSON(compact)
			buf, _ = codec.AppendEncode(buf[:0], x)
		})
		rows = append(rows, r)
	}
	fmt.Printf("\n### %s (%d bytes of compact JSON)\n\n", doc.Name, len(compact))
	fmt.Println("| codec | encode MB/s | × goccy | allocs | decode MB/s | × goccy | allocs | from JSON bytes MB/s |")
	fmt.Println("| --- | --: | --: | --: | --: | --: | --: | --: |")
	for _, r := range rows {
		fmt.Printf("| %s | %s | %s | %d | %s | %s | %d | %s |\n", r.name,
			speed(len(compact), r.encode), ratio(goccy.encode, r.encode), r.encodeAllocs,
			speed(len(compact), r.decode), ratio(goccy.decode, r.decode), r.decodeAlloc, speed(len(compact), r.fromJSON))
	}
	return nil
}

func speed(bytes int, d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(bytes)/1e6/d.Seconds())
}

func ratio(base, d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(base)/math.Max(1, float64(d)))
}

// measure returns the time and the allocations of one call: the best mean of
// three series.
func measure(each time.Duration, f func()) (time.Duration, uint64) {
	f() // warm
	n := 1
	for {
		start := time.Now()
		for range n {
			f()
		}
		if took := time.Since(start); took > each/10 || n > 1<<20 {
			n = max(1, int(float64(n)*float64(each)/3/float64(max(took, 1))))
			break
		}
		n *= 2
	}
	best := time.Duration(math.MaxInt64)
	var before, after runtime.MemStats
	var allocs uint64
	for range 3 {
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		for range n {
			f()
		}
		best = min(best, time.Since(start)/time.Duration(n))
		runtime.ReadMemStats(&after)
		allocs = (after.Mallocs - before.Mallocs) / uint64(n)
	}
	return best, allocs
}
