package llm_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// request is one of about so many bytes, with n results of the same length that differ.
func request(n, size int, salt string) []byte {
	var messages []string
	for i := range n {
		var rows []string
		for length := 0; length < size/n; {
			row := fmt.Sprintf(`{"id":%d,"salt":"%s%d","name":"some name","state":"open","score":%d.5,"url":"https://example.org/items/%d"}`, len(rows), salt, i, i*7, len(rows)*13)
			rows = append(rows, row)
			length += len(row) + 20
		}
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":"list","arguments":"{}"}}]}`, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%s}`, i, q("["+strings.Join(rows, ",")+"]")))
	}
	return []byte(`{"model":"m","messages":[` + strings.Join(messages, ",") + `]}`)
}

// BenchmarkSeen is a request of 200 KB with 20 results that have been seen before.
func BenchmarkSeen(b *testing.B) {
	r, body := &llm.Rewriter{}, request(20, 200<<10, "")
	r.RewriteRequest(body, llm.ShapeChat)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r.RewriteRequest(body, llm.ShapeChat)
	}
}

// BenchmarkNew is results that are new: answers of programs of all kinds, and one large.
func BenchmarkNew(b *testing.B) {
	bodies := map[string][][]byte{"10KB": {request(1, 10<<10, "")}, "200KB": {request(1, 200<<10, "")}}
	for _, p := range payload.All() {
		bodies["payloads"] = append(bodies["payloads"], []byte(`{"messages":[{"role":"tool","content":`+q(string(p.JSON))+`}]}`))
	}
	for name, list := range bodies {
		b.Run(name, func(b *testing.B) {
			r, size := &llm.Rewriter{Memory: -1}, 0
			for _, body := range list {
				size += len(body)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, body := range list {
					r.RewriteRequest(body, llm.ShapeChat)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/(float64(size)/1024), "ms/KB")
		})
	}
}

// BenchmarkFirstByte is the time from the moment when a model begins to answer until the
// client has the first byte, directly and through the proxy.
func BenchmarkFirstByte(b *testing.B) {
	body := request(20, 200<<10, "")
	var begun atomic.Int64
	start := time.Now()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		begun.Store(int64(time.Since(start)))
		_, _ = io.WriteString(w, "data: {}\n\n")
		w.(http.Flusher).Flush()
		time.Sleep(time.Millisecond)
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	defer api.Close()
	upstream, err := url.Parse(api.URL)
	require.NoError(b, err)
	through := httptest.NewServer(&proxy.Handler{Upstream: upstream, Rewriter: &llm.Rewriter{}})
	defer through.Close()
	for _, way := range []struct{ name, at string }{{"direct", api.URL}, {"proxy", through.URL}} {
		b.Run(way.name, func(b *testing.B) {
			var waited time.Duration
			for b.Loop() {
				resp, err := http.Post(way.at+"/v1/chat/completions", "application/json", bytes.NewReader(body))
				require.NoError(b, err)
				_, err = resp.Body.Read(make([]byte, 1))
				require.NoError(b, err)
				waited += time.Since(start) - time.Duration(begun.Load())
				_, _ = io.Copy(io.Discard, resp.Body)
				require.NoError(b, resp.Body.Close())
			}
			b.ReportMetric(waited.Seconds()*1000/float64(b.N), "ms-to-first-byte")
		})
	}
}
