package main

import (
	"io"
	"runtime"
	"time"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/mcp"
)

// choices prints what the choice of a format costs in processor time, on one processor, by
// kind and length of the document.
func choices(w io.Writer, each time.Duration) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var t grid
	rewriter := &mcp.Rewriter{}
	for _, kind := range []struct {
		name string
		make func(n int) []byte
	}{{"rows", sample.Rows}, {"nested orders", sample.Orders}, {"an API's answer", sample.API}, {"names in many scripts", sample.Names}} {
		for _, length := range []struct {
			name  string
			bytes int
		}{{"5 KB", 5_000}, {"50 KB", 50_000}, {"1 MB", 1_000_000}} {
			n := 100 * length.bytes / len(kind.make(100))
			json := kind.make(n)
			message := append(append([]byte(`{"content":[{"type":"text","text":`), scan.AppendQuote(nil, string(json))...), "}]}"...)
			t.add(kind.name+", TextJSON", length.name, used(each, func() { text, _, err := wirekit.TextJSON(json); must(text, err) }))
			t.add(kind.name+", a result of MCP", length.name, used(each, func() { rewriter.RewriteResult(mcp.Call{}, message) }))
		}
	}
	t.print(w, "A choice", "ms")
}

// used returns the milliseconds of processor time that run takes in the best round.
func used(each time.Duration, run func()) float64 {
	run() // warm
	best := growth.Used(run)
	n := max(1, int(each/rounds/max(best, 1)))
	for range rounds {
		best = min(best, growth.Used(func() {
			for range n {
				run()
			}
		})/time.Duration(n))
	}
	return best.Seconds() * 1000
}
