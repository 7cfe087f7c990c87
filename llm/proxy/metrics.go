package proxy

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/wirekit/wirekit/internal/serving"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
)

// Metrics counts requests and serves the counts in the text format of Prometheus,
// version 0.0.4. Its zero value is ready for use. It is safe for concurrent use.
type Metrics struct {
	mu            sync.Mutex
	requests      map[[2]string]uint64 // by shape and what became of them
	blocks        map[mcp.Reason]uint64
	before, after uint64 // tokens
	refused       uint64
	times         serving.Times
	profile       string
}

// Observe counts a request. It is for [llm.Rewriter.Observe].
func (m *Metrics) Observe(r llm.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests, m.blocks = make(map[[2]string]uint64), make(map[mcp.Reason]uint64)
	}
	m.profile = r.Profile
	m.requests[[2]string{r.Shape.String(), string(cmp.Or(r.Reason, "read"))}]++
	for _, b := range r.Blocks {
		m.blocks[b.Reason]++
	}
	m.before += uint64(r.TokensIn)
	if r.Refused {
		m.refused++
		m.after += uint64(r.TokensIn)
	} else {
		m.after += uint64(r.TokensOut)
	}
	m.times.Observe(r.Duration)
}

// ServeHTTP writes the counts.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.write(w)
}

func (m *Metrics) write(w io.Writer) {
	serving.WriteHead(w, "wirekit_llm_requests_total", "counter", "Requests, by shape and by what became of them.")
	byShape := func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	for _, key := range slices.SortedFunc(maps.Keys(m.requests), byShape) {
		fmt.Fprintf(w, "wirekit_llm_requests_total{profile=%q,shape=%q,outcome=%q} %d\n", m.profile, key[0], key[1], m.requests[key])
	}
	serving.WriteHead(w, "wirekit_llm_blocks_total", "counter", "Blocks of requests, by what became of them.")
	for _, reason := range slices.Sorted(maps.Keys(m.blocks)) {
		fmt.Fprintf(w, "wirekit_llm_blocks_total{reason=%q} %d\n", reason, m.blocks[reason])
	}
	serving.WriteCounter(w, "wirekit_llm_tokens_in_total", "Tokens of blocks as they came.", m.before)
	serving.WriteCounter(w, "wirekit_llm_tokens_out_total", "Tokens of blocks as they went on.", m.after)
	serving.WriteCounter(w, "wirekit_llm_refused_total", "Rewritten requests that were answered with 400, and sent again as they came.", m.refused)
	m.times.Write(w, "wirekit_llm_rewrite_seconds", "The time that requests took to rewrite.")
}
