package proxy

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/wirekit/wirekit/internal/serving"
	"github.com/wirekit/wirekit/llm"
)

// Metrics counts requests and serves the counts in the text format of Prometheus,
// version 0.0.4. Its zero value is ready for use. It is safe for concurrent use.
type Metrics struct {
	mu            sync.Mutex
	requests      serving.Counts
	blocks        serving.Counts
	before, after uint64 // tokens
	refused       uint64
	times         serving.Times
}

// Observe counts a request. It is for [llm.Rewriter.Observe].
func (m *Metrics) Observe(r llm.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests.Add(fmt.Sprintf("profile=%q,shape=%q,outcome=%q", r.Profile, r.Shape, cmp.Or(r.Reason, "read")))
	for _, b := range r.Blocks {
		m.blocks.Add(fmt.Sprintf("reason=%q", b.Reason))
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
	m.mu.Lock()
	defer m.mu.Unlock()
	serving.ServeMetrics(w, func(w io.Writer) {
		m.requests.Write(w, "wirekit_llm_requests_total", "Requests, by shape and by what became of them.")
		m.blocks.Write(w, "wirekit_llm_blocks_total", "Blocks of requests, by what became of them.")
		serving.WriteCounter(w, "wirekit_llm_tokens_in_total", "Tokens of blocks as they came.", m.before)
		serving.WriteCounter(w, "wirekit_llm_tokens_out_total", "Tokens of blocks as they went on.", m.after)
		serving.WriteCounter(w, "wirekit_llm_refused_total", "Rewritten requests that were answered with 400, and sent again as they came.", m.refused)
		m.times.Write(w, "wirekit_llm_rewrite_seconds", "The time that requests took to rewrite.")
	})
}
