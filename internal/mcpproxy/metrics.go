package mcpproxy

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/serving"
	"github.com/wirekit/wirekit/mcp"
)

// maxTools is the number of tools that have metrics of their own; the names
// are those that clients ask for. Further ones are "other".
const maxTools = 1000

// Metrics counts results and serves the counts in the text format of
// Prometheus, version 0.0.4. Its zero value is ready for use. It is safe for
// concurrent use.
type Metrics struct {
	mu      sync.Mutex
	tools   map[string]bool
	results map[[2]string]uint64 // by tool and reason
	before  uint64               // tokens
	after   uint64
	times   serving.Times
}

// Observe counts a result. It is for [mcp.Rewriter.Observe].
func (m *Metrics) Observe(e mcp.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.results == nil {
		m.tools, m.results = make(map[string]bool), make(map[[2]string]uint64)
	}
	tool := e.Tool
	if !m.tools[tool] && len(m.tools) >= maxTools {
		tool = "other"
	} else {
		m.tools[tool] = true
	}
	m.results[[2]string{tool, string(e.Reason)}]++
	m.before += uint64(e.TokensIn)
	m.after += uint64(e.TokensOut)
	m.times.Observe(e.Duration)
}

// ServeHTTP writes the counts.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.write(w)
}

func (m *Metrics) write(w io.Writer) {
	serving.WriteHead(w, "wirekit_mcp_results_total", "counter", "Results of tools, by what became of them.")
	byTool := func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	for _, key := range slices.SortedFunc(maps.Keys(m.results), byTool) {
		fmt.Fprintf(w, "wirekit_mcp_results_total{tool=\"%s\",reason=\"%s\"} %d\n", label.Replace(strings.ToValidUTF8(key[0], "\ufffd")), key[1], m.results[key])
	}
	serving.WriteCounter(w, "wirekit_mcp_tokens_in_total", "Tokens of results as they came.", m.before)
	serving.WriteCounter(w, "wirekit_mcp_tokens_out_total", "Tokens of results as they went on.", m.after)
	m.times.Write(w, "wirekit_mcp_rewrite_seconds", "The time that results took.")
}

// label writes what a label's value cannot have as it is.
var label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
