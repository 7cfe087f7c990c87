package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/llm"
)

// TokenHeader is the header that has the token of a [Handler]. A client that cannot set
// one puts the token into its base URL: http://host:port/token/TOKEN/v1.
const TokenHeader = "X-Wirekit-Token"

// A Handler forwards requests to a model's API, rewritten, and its answers as they come:
// byte for byte, event for event. It answers itself:
//
//	POST /v1/compress   what a gateway asks for, see [Handler.Upstream]
//	GET  /health        {"status":"ok", …}, which needs no token
//	GET  /metrics       counts, in the text format of Prometheus
//
// Method, path, query and headers reach the API as they are, but for Host and the headers
// of one connection; Via is added. Redirects are passed on. Where the API cannot be
// reached or closes the connection, so does the Handler: the client sees what it would
// have seen. Nothing of a request is kept or logged.
//
// It is safe for concurrent use.
type Handler struct {
	// Upstream is where the API is: "https://api.openai.com". Its path, if any, comes
	// before that of requests. Without it there is only what the Handler answers itself.
	Upstream *url.URL
	// Rewriter of requests; it must not be nil.
	Rewriter *llm.Rewriter
	// Token, if not empty, is what clients must know. It is not that of the API, which
	// passes in its own header, and is taken out of requests.
	Token string
	// Local refuses requests for other hosts than this machine's loopback addresses,
	// which a page of a browser could make under a name of its own.
	Local bool
	// Origins are those that browsers may call from beside this machine's own.
	Origins []string
	// Metrics, if not nil, are served at /metrics.
	Metrics *Metrics
	// Transport reaches the API; nil means that of net/http without compression of its
	// own, and half an hour for an answer to begin.
	Transport http.RoundTripper
	// Calibration, if not nil, learns from answers what the provider counts.
	Calibration *llm.Calibration
	// ErrorLog notes requests that did not reach the API; nil means none.
	ErrorLog *log.Logger
}

// uploadTime is how long a body may take to arrive.
const uploadTime = 10 * time.Minute

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !serving.Allowed(r, h.Local, h.known) {
		fail(w, http.StatusForbidden, "forbidden", "requests of this origin or for this host are not forwarded")
		return
	}
	given, r := serving.TakeToken(r)
	path := r.URL.Path
	if r.Method == http.MethodGet && path == "/health" {
		serving.Reply(w, http.StatusOK, fmt.Appendf(nil, `{"status":"ok","service":"wirekit","profile":%q}`, h.Rewriter.Profile()))
		return
	}
	compress := path == "/v1/compress"
	if compress {
		given = cmp.Or(given, r.Header.Get("X-Headroom-Proxy-Token"), bearer(r))
	}
	if !serving.IsToken(given, h.Token) {
		fail(w, http.StatusUnauthorized, "authentication_error", "the token of wirekit is missing or wrong")
		return
	}
	if r.ContentLength != 0 { // where there is nothing to read, nothing would take the deadline away
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(uploadTime))
		r.Body = &upload{ReadCloser: r.Body, end: func() { _ = http.NewResponseController(w).SetReadDeadline(time.Time{}) }}
	}
	switch {
	case compress:
		h.compress(w, r)
	case h.Metrics != nil && r.Method == http.MethodGet && path == "/metrics":
		h.Metrics.ServeHTTP(w, r)
	case h.Upstream == nil || strings.HasPrefix(path, "/v1/retrieve/"):
		fail(w, http.StatusNotFound, "not_found_error", "there is nothing at this path")
	case leadsUp(path):
		fail(w, http.StatusBadRequest, "invalid_request_error", "a path with .. in it is not forwarded")
	default:
		h.forward(w, r)
	}
}

// upload is the body of a request, which has to arrive in time.
type upload struct {
	io.ReadCloser
	end func()
}

func (u *upload) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		u.end()
	}
	return n, err
}

// leadsUp reports whether an API could take a path for one that leaves that of Upstream.
func leadsUp(path string) bool {
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return slices.ContainsFunc(elements, func(e string) bool { return e == ".." || strings.HasPrefix(e, "..;") })
}

func bearer(r *http.Request) string {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// known reports whether a page of an origin may call: of those that are named, and of this
// machine.
func (h *Handler) known(origin string) bool {
	at, err := url.Parse(origin)
	return err == nil && (serving.IsLoopback(at.Host) || slices.ContainsFunc(h.Origins, func(o string) bool { return strings.EqualFold(o, origin) }))
}

// forward sends a request to the API.
func (h *Handler) forward(w http.ResponseWriter, r *http.Request) {
	// The API may answer before it has read the request.
	_ = http.NewResponseController(w).EnableFullDuplex() // HTTP/2 is, and has no need of it
	transport := &llm.Transport{Rewriter: h.Rewriter, Base: cmp.Or(h.Transport, plain), Calibration: h.Calibration}
	proxy := httputil.ReverseProxy{
		Rewrite: h.rewrite, Transport: transport, FlushInterval: -1, ErrorLog: cmp.Or(h.ErrorLog, serving.Silent), ErrorHandler: h.unreached,
	}
	proxy.ServeHTTP(w, r)
}

func (h *Handler) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(h.Upstream)
	r.Out.URL.RawQuery = serving.Query(h.Upstream.RawQuery, r.In.URL.RawQuery)
	r.Out.Header.Add("Via", fmt.Sprintf("%d.%d wirekit", r.In.ProtoMajor, r.In.ProtoMinor))
}

// unreached closes the connection to a client whose request has no answer.
func (h *Handler) unreached(_ http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		cmp.Or(h.ErrorLog, serving.Silent).Printf("llm: %s has no answer: %v", serving.Address(h.Upstream), serving.Reason(err))
	}
	panic(http.ErrAbortHandler)
}

// plain reaches the API.
var plain = serving.Transport(30 * time.Minute)

// fail answers an error in the form that the APIs have.
func fail(w http.ResponseWriter, status int, kind, message string) {
	text := append([]byte(`{"error":{"type":"`+kind+`","message":`), scan.AppendQuote(nil, "wirekit: "+message)...)
	serving.Reply(w, status, append(text, "}}"...))
}

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
	if r.Refused {
		m.refused++
		r.TokensOut = r.TokensIn
	}
	m.before += uint64(r.TokensIn)
	m.after += uint64(r.TokensOut)
	m.times.Observe(r.Duration)
}

// ServeHTTP writes the counts.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Header().Set("Content-Type", serving.MetricsType)
	m.requests.Write(w, "wirekit_llm_requests_total", "Requests, by shape and by what became of them.")
	m.blocks.Write(w, "wirekit_llm_blocks_total", "Blocks of requests, by what became of them.")
	serving.WriteCounter(w, "wirekit_llm_tokens_in_total", "Tokens of blocks as they came.", m.before)
	serving.WriteCounter(w, "wirekit_llm_tokens_out_total", "Tokens of blocks as they went on.", m.after)
	serving.WriteCounter(w, "wirekit_llm_refused_total", "Rewritten requests that were answered with 400, and sent again as they came.", m.refused)
	m.times.Write(w, "wirekit_llm_rewrite_seconds", "The time that requests took to rewrite.")
}
