package proxy

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
)

// buckets are upper bounds of the time that a request takes to rewrite.
var buckets = [...]time.Duration{100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second}

// Metrics counts requests and serves the counts in the text format of Prometheus,
// version 0.0.4. Its zero value is ready for use. It is safe for concurrent use.
type Metrics struct {
	mu            sync.Mutex
	requests      map[[2]string]uint64 // by shape and what became of them
	blocks        map[mcp.Reason]uint64
	before, after uint64 // tokens
	refused       uint64
	within        [len(buckets)]uint64
	time          time.Duration
	count         uint64
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
	m.count++
	m.time += r.Duration
	for i, most := range buckets {
		if r.Duration <= most {
			m.within[i]++
		}
	}
}

// ServeHTTP writes the counts.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.write(w)
}

func (m *Metrics) write(w io.Writer) {
	head := func(name, kind, help string) {
		fmt.Fprintf(w, "# HELP wirekit_llm_%s %s\n# TYPE wirekit_llm_%s %s\n", name, help, name, kind)
	}
	head("requests_total", "counter", "Requests, by shape and by what became of them.")
	byShape := func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	for _, key := range slices.SortedFunc(maps.Keys(m.requests), byShape) {
		fmt.Fprintf(w, "wirekit_llm_requests_total{profile=%q,shape=%q,outcome=%q} %d\n", m.profile, key[0], key[1], m.requests[key])
	}
	head("blocks_total", "counter", "Blocks of requests, by what became of them.")
	for _, reason := range slices.Sorted(maps.Keys(m.blocks)) {
		fmt.Fprintf(w, "wirekit_llm_blocks_total{reason=%q} %d\n", reason, m.blocks[reason])
	}
	head("tokens_in_total", "counter", "Tokens of blocks as they came.")
	fmt.Fprintf(w, "wirekit_llm_tokens_in_total %d\n", m.before)
	head("tokens_out_total", "counter", "Tokens of blocks as they went on.")
	fmt.Fprintf(w, "wirekit_llm_tokens_out_total %d\n", m.after)
	head("refused_total", "counter", "Rewritten requests that were answered with 400, and sent again as they came.")
	fmt.Fprintf(w, "wirekit_llm_refused_total %d\n", m.refused)
	head("rewrite_seconds", "histogram", "The time that requests took to rewrite.")
	for i, most := range buckets {
		fmt.Fprintf(w, "wirekit_llm_rewrite_seconds_bucket{le=\"%g\"} %d\n", most.Seconds(), m.within[i])
	}
	fmt.Fprintf(w, "wirekit_llm_rewrite_seconds_bucket{le=\"+Inf\"} %d\nwirekit_llm_rewrite_seconds_sum %g\nwirekit_llm_rewrite_seconds_count %d\n", m.count, m.time.Seconds(), m.count)
}
