package mcpproxy

import (
	"fmt"
	"io"
	"net/http"
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
	results serving.Counts
	before  uint64 // tokens
	after   uint64
	times   serving.Times
}

// Observe counts a result. It is for [mcp.Rewriter.Observe].
func (m *Metrics) Observe(e mcp.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tools == nil {
		m.tools = make(map[string]bool)
	}
	tool := e.Tool
	if !m.tools[tool] && len(m.tools) >= maxTools {
		tool = "other"
	} else {
		m.tools[tool] = true
	}
	m.results.Add(fmt.Sprintf("tool=\"%s\",reason=\"%s\"", label.Replace(strings.ToValidUTF8(tool, "\ufffd")), e.Reason))
	m.before += uint64(e.TokensIn)
	m.after += uint64(e.TokensOut)
	m.times.Observe(e.Duration)
}

// ServeHTTP writes the counts.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	serving.ServeMetrics(w, func(w io.Writer) {
		m.results.Write(w, "wirekit_mcp_results_total", "Results of tools, by what became of them.")
		serving.WriteCounter(w, "wirekit_mcp_tokens_in_total", "Tokens of results as they came.", m.before)
		serving.WriteCounter(w, "wirekit_mcp_tokens_out_total", "Tokens of results as they went on.", m.after)
		m.times.Write(w, "wirekit_mcp_rewrite_seconds", "The time that results took.")
	})
}

// label writes what a label's value cannot have as it is.
var label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
