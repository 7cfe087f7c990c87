package mcpproxy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/recent"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/mcp"
)

// maxRequest is the longest body of a request that is looked at. A longer one
// is forwarded, and its answer left as it is.
const maxRequest = 8 << 20

// A Handler forwards the requests of a Streamable HTTP client to a server and
// rewrites the results of tools in its answers: in JSON, and in the messages of
// event streams, each of which is flushed as it comes. Method, query, headers and
// body reach the server as they are, but for Host and Accept-Encoding; the path
// too, but for "/", which is that of Upstream.
//
// What a request asked for is known until its own answer has ended and no
// longer, and what a client has said of itself is known for its session: clients
// share nothing, and sessions are the server's business.
// Messages of a stream that a client resumes stay as they are.
//
// It is safe for concurrent use.
type Handler struct {
	// Upstream is the address of the server's endpoint.
	Upstream *url.URL
	Rewriter *mcp.Rewriter
	// ErrorLog notes requests that did not reach the server; nil means none.
	ErrorLog *log.Logger

	// What clients have said of themselves in initialize, by the session that the server
	// has given them.
	clients recent.Memory[string, mcp.Client]
}

// maxClients bounds what is remembered of clients, in bytes: some ten thousand sessions,
// unless clients say more of themselves than a name and a few formats.
const maxClients = 16 << 20

// remember keeps what a client has said of itself for its session.
func (h *Handler) remember(session string, c mcp.Client) {
	size := 256 + len(session) + len(c.Name) // with its entry of the map
	for _, name := range c.Accept {
		size += len(name) + 32 // the string itself, in a list that has grown
	}
	h.clients.Put(session, c, size, maxClients)
}

// failed answers a request that has no answer of the server's: with a JSON-RPC error that
// says why, since clients show nothing of an empty answer.
func (h *Handler) failed(w http.ResponseWriter, request message, err error) {
	why := fmt.Sprintf("the server at %s has no answer: %v", serving.Address(h.Upstream), serving.Reason(err))
	cmp.Or(h.ErrorLog, serving.Silent).Print("mcp: " + why)
	reject(w, http.StatusBadGateway, request, why)
}

// ServeHTTP answers 502 where the server cannot be reached, and what the server answers to
// everything else. Its own answers are JSON-RPC errors.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A server may answer before it has read the request: what is left of that
	// must not be closed then, or the connection to the server would be, too.
	_ = http.NewResponseController(w).EnableFullDuplex() // HTTP/2 is, and has no need of it
	x, request, err := h.note(w, r)
	if err != nil {
		unreadable(w, err)
		return
	}
	proxy := httputil.ReverseProxy{
		Rewrite: h.rewrite, Transport: plain, FlushInterval: -1, ErrorLog: cmp.Or(h.ErrorLog, serving.Silent),
		ModifyResponse: func(r *http.Response) error { return h.modify(x, r) },
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, err error) { h.failed(w, request, err) },
	}
	proxy.ServeHTTP(w, r)
}

// A Guard is in front of a [Handler] or a [Spawner]: it answers 401 and 403 to
// requests that must not reach it.
type Guard struct {
	http.Handler
	// Token is what requests must have in the header of its name, or at the beginning of the
	// path, /token/TOKEN/. It is taken out of them. Empty is none.
	Token string
	// Origins are those that browsers may call from, such as
	// "http://localhost:3000". Requests that name another one are refused.
	Origins []string
	// Local refuses requests for other hosts than this machine's loopback
	// addresses, which a page of a browser could make under a name of its own.
	Local bool
	// Metrics, if not nil, are served at /metrics.
	Metrics *Metrics
}

// ServeHTTP implements http.Handler.
func (g Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var given string
	if g.Token != "" {
		given, r = serving.TakeToken(r)
	}
	// Pages of this machine are not an exception: any program on it, and any page that it
	// serves to others, can have one.
	known := func(origin string) bool {
		return slices.ContainsFunc(g.Origins, func(o string) bool { return strings.EqualFold(o, origin) })
	}
	switch {
	case g.Token != "" && !serving.IsToken(given, g.Token):
		reject(w, http.StatusUnauthorized, message{}, "the token of wirekit is missing or wrong: send it as "+serving.TokenHeader+", or in the path, /token/TOKEN/")
	case !serving.Allowed(r, g.Local, known):
		reject(w, http.StatusForbidden, message{}, "requests from this origin or for this host are not forwarded, see --allow-origin")
	case g.Metrics != nil && r.Method == http.MethodGet && r.URL.Path == "/metrics":
		g.Metrics.ServeHTTP(w, r)
	default:
		g.Handler.ServeHTTP(w, r)
	}
}

// The time that a body has: some to begin with, and more with each byte. What
// has come of one that takes longer would be held for as long as the client likes.
var (
	bodyTime = 30 * time.Second
	bodyRate = 16 << 10 // bytes in a second
)

// readBody reads a request's body.
func readBody(w http.ResponseWriter, body io.Reader) ([]byte, error) {
	in := timedReader{Reader: body, conn: http.NewResponseController(w), late: time.Now().Add(bodyTime)}
	text, err := io.ReadAll(&in)
	if err == nil {
		_ = in.conn.SetReadDeadline(time.Time{})
	}
	return text, err
}

// A timedReader reads what a connection sends fast enough.
type timedReader struct {
	io.Reader
	conn *http.ResponseController
	late time.Time
}

func (r *timedReader) Read(p []byte) (int, error) {
	_ = r.conn.SetReadDeadline(r.late) // not every ResponseWriter has one
	n, err := r.Reader.Read(p)
	r.late = r.late.Add(time.Duration(n) * time.Second / time.Duration(bodyRate))
	return n, err
}

// unreadable answers a request whose body could not be read.
func unreadable(w http.ResponseWriter, err error) {
	w.Header().Set("Connection", "close") // what is left of the body is not a request
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		reject(w, http.StatusRequestEntityTooLarge, message{}, "the request is too long")
	case errors.Is(err, os.ErrDeadlineExceeded):
		reject(w, http.StatusRequestTimeout, message{}, "the request comes too slowly")
	default:
		reject(w, http.StatusBadRequest, message{}, "the request breaks off")
	}
}

// note returns a Session that has seen the message of a request, nil where there is none,
// and the message, if it is not too long. The request's body is whole afterwards.
func (h *Handler) note(w http.ResponseWriter, r *http.Request) (x *mcp.Session, request message, err error) {
	if r.Method != http.MethodPost || r.Header.Get("Content-Encoding") != "" {
		return nil, request, nil
	}
	body, err := readBody(w, io.LimitReader(r.Body, maxRequest+1))
	if err != nil {
		return nil, request, err
	}
	x = &mcp.Session{Rewriter: h.Rewriter}
	client, _ := h.clients.Get(r.Header.Get("Mcp-Session-Id"))
	x.SetClient(client)
	if len(body) <= maxRequest {
		x.FromClient(body)
		request = readMessage(body)
	}
	r.Body = serving.Body{Reader: io.MultiReader(bytes.NewReader(body), r.Body), Closer: r.Body}
	return x, request, nil
}

func (h *Handler) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.Scheme, r.Out.URL.Host = h.Upstream.Scheme, h.Upstream.Host
	if r.In.URL.Path == "/" || r.In.URL.Path == "" {
		r.Out.URL.Path, r.Out.URL.RawPath = h.Upstream.Path, h.Upstream.RawPath
	}
	r.Out.URL.RawQuery = serving.Query(h.Upstream.RawQuery, r.In.URL.RawQuery)
	r.Out.Host = h.Upstream.Host
	r.Out.Header.Del("Accept-Encoding") // what is packed cannot be rewritten
}

// plain reaches servers.
var plain = serving.Transport(0)

// modify rewrites an answer's body.
func (h *Handler) modify(x *mcp.Session, r *http.Response) error {
	if x == nil || r.StatusCode != http.StatusOK || r.Header.Get("Content-Encoding") != "" {
		return nil
	}
	c, session := x.Client(), r.Header.Get("Mcp-Session-Id")
	if r.Request.Header.Get("Mcp-Session-Id") == "" && session != "" && (c.Name != "" || c.Accept != nil) {
		h.remember(session, c)
	}
	switch mediaType(r.Header) {
	case "application/json":
		return h.modifyJSON(x, r)
	case "text/event-stream":
		r.Body = newEvents(r.Body, h.maxMessage(), x.FromServer)
		r.ContentLength = -1
		r.Header.Del("Content-Length")
	}
	return nil
}

// maxMessage is the longest message that is looked at: a result and a little
// around it.
func (h *Handler) maxMessage() int {
	return cmp.Or(h.Rewriter.MaxBytes, rewrite.DefaultMaxBytes) + 64<<10
}

func (h *Handler) modifyJSON(x *mcp.Session, r *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(h.maxMessage())+1))
	if err != nil {
		return errors.Join(err, r.Body.Close())
	}
	if len(body) <= h.maxMessage() {
		body = x.FromServer(body)
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	r.Body = serving.Body{Reader: io.MultiReader(bytes.NewReader(body), r.Body), Closer: r.Body}
	return nil
}

// maxTools is the number of tools that have metrics of their own; the names
// are those that clients ask for. Further ones are "other".
const maxTools = 1000

// Metrics counts results and serves the counts in the text format of
// Prometheus, version 0.0.4. Its zero value is ready for use. It is safe for
// concurrent use.
type Metrics struct {
	mu      sync.Mutex
	tools   serving.Counts // that have metrics of their own
	results serving.Counts
	before  uint64 // tokens
	after   uint64
	times   serving.Times
}

// Observe counts a result. It is for [mcp.Rewriter.Observe].
func (m *Metrics) Observe(e mcp.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	tool := e.Tool
	if m.tools[tool] == 0 && len(m.tools) >= maxTools {
		tool = "other"
	} else {
		m.tools.Add(tool)
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
	w.Header().Set("Content-Type", serving.MetricsType)
	m.results.Write(w, "wirekit_mcp_results_total", "Results of tools, by what became of them.")
	serving.WriteCounter(w, "wirekit_mcp_tokens_in_total", "Tokens of results as they came.", m.before)
	serving.WriteCounter(w, "wirekit_mcp_tokens_out_total", "Tokens of results as they went on.", m.after)
	m.times.Write(w, "wirekit_mcp_rewrite_seconds", "The time that results took.")
}

// label writes what a label's value cannot have as it is.
var label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
