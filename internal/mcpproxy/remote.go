package mcpproxy

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wirekit/wirekit/internal/serving"
	"github.com/wirekit/wirekit/mcp"
)

// A Remote reaches a server over Streamable HTTP and is that server to the
// client whose messages come in on Stdin: one JSON message a line.
//
// Each message is a request of its own, with the headers that the revision of
// the protocol asks for. Answers come out in the order in which they arrive. A
// request that cannot be answered, because the server is not there, says no, or
// ends its stream, is answered with an error. Streams that end early are taken up
// again where the server has said where that is.
type Remote struct {
	// Upstream is the address of the server's endpoint.
	Upstream *url.URL
	// Header is sent with every request, such as Authorization. It goes to
	// Upstream's host only.
	Header   http.Header
	Rewriter *mcp.Rewriter
	Stdin    io.Reader
	Stdout   io.Writer
	// Signals, if not nil, end it.
	Signals <-chan os.Signal
	// MaxLine is the longest message that is looked at, in bytes; 0 means
	// DefaultMaxLine. Longer ones pass, but not in a stream: a request whose
	// answer comes as a longer event is answered with an error.
	MaxLine int
	// Grace is how long requests on their way have when the client has gone;
	// 0 means DefaultGrace.
	Grace time.Duration
	// ErrorLog notes what the server should not have sent; nil means none.
	ErrorLog *log.Logger
}

// maxWaiting is the number of requests that wait for their answers; the next
// message is read when there are fewer.
const maxWaiting = 1024

// Run moves messages until the client has gone or a signal comes. The error is
// that of reading the client's messages.
func (c Remote) Run() error {
	c.MaxLine = cmp.Or(c.MaxLine, DefaultMaxLine)
	c.Grace = cmp.Or(c.Grace, DefaultGrace)
	c.ErrorLog = cmp.Or(c.ErrorLog, serving.Silent)
	defer catchBrokenPipes()()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &remote{Remote: c, ctx: ctx, cancel: cancel, x: &mcp.Session{Rewriter: c.Rewriter},
		waiting: make(chan struct{}, maxWaiting), calls: make(map[string]context.CancelFunc), bindings: make(bindings)}
	r.client = http.Client{Transport: plain, CheckRedirect: sameHost}
	return r.run()
}

// sameHost follows redirections that stay with the server, as those for a slash
// at the end do: headers may hold secrets.
func sameHost(next *http.Request, before []*http.Request) error {
	if len(before) >= 5 || next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

// A remote is a client on its way.
type remote struct {
	Remote
	ctx     context.Context // ends when no one waits for answers any more
	cancel  context.CancelFunc
	client  http.Client
	x       *mcp.Session
	waiting chan struct{}
	done    sync.WaitGroup // requests on their way

	out       sync.Mutex // of Stdout
	listening atomic.Bool

	mu       sync.Mutex
	calls    map[string]context.CancelFunc // by id
	session  string
	version  string // from initialize; empty without one
	bindings bindings
}

func (r *remote) run() error {
	read := make(chan error, 1)
	go func() { read <- r.read() }()
	var err error
	select {
	case err = <-read:
		r.drain()
	case <-r.Signals:
	case <-r.ctx.Done(): // the client does not listen
	}
	r.cancel()
	r.leave()
	return err
}

// drain waits for the answers to requests on their way.
func (r *remote) drain() {
	done := make(chan struct{})
	go func() { r.done.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(r.Grace):
	case <-r.Signals:
	}
}

// leave ends the session, if there is one.
func (r *remote) leave() {
	r.mu.Lock()
	session := r.session
	r.mu.Unlock()
	if session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if request, err := r.request(ctx, http.MethodDelete, nil); err == nil {
		if response, err := r.client.Do(request); err == nil {
			response.Body.Close()
		}
	}
}

// read sends each line.
func (r *remote) read() error {
	in := bufio.NewReaderSize(r.Stdin, 64<<10)
	for r.ctx.Err() == nil {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.send(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// send sends a message. It returns when the server has it, so that messages
// arrive in their order, and has taken it, if no answer is to come.
func (r *remote) send(text []byte) {
	if len(text) <= r.MaxLine {
		r.x.FromClient(text)
	}
	m := readMessage(text)
	if m.method == "notifications/cancelled" && !m.isRequest {
		r.cancelCall(m)
		return
	}
	if !m.isRequest && text[0] != '[' {
		r.tell(m)
		if m.method == "notifications/initialized" {
			r.listen()
		}
		return
	}
	ctx, cancel := context.WithCancel(r.ctx)
	r.mu.Lock()
	r.calls[m.rawID()] = cancel
	r.mu.Unlock()
	select {
	case r.waiting <- struct{}{}:
	case <-r.ctx.Done():
		cancel()
		return
	}
	written := make(chan struct{})
	sent := sync.OnceFunc(func() { close(written) })
	r.done.Go(func() {
		defer func() { <-r.waiting }()
		defer sent()
		defer r.forget(m.rawID(), cancel)
		r.post(ctx, m, sent)
	})
	<-written
}

// toTake is how long the server has to take a message that it does not answer.
const toTake = 10 * time.Second

// tell sends a message that has no answer and waits until the server has taken
// it, so that what comes after it also arrives after it.
func (r *remote) tell(m message) {
	ctx, cancel := context.WithTimeout(r.ctx, toTake)
	defer cancel()
	r.post(ctx, m, func() {})
}

func (r *remote) forget(id string, cancel context.CancelFunc) {
	r.mu.Lock()
	delete(r.calls, id)
	r.mu.Unlock()
	cancel()
}

// cancelCall gives a request up. Without a session the end of its answer is what
// tells the server.
func (r *remote) cancelCall(m message) {
	r.mu.Lock()
	hasSession := r.version != ""
	r.mu.Unlock()
	if hasSession {
		r.tell(m)
	}
	at, ok := m.param("requestId")
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel, known := r.calls[string(at.Of(m.text))]; known {
		cancel()
	}
}

// request makes a request with the headers of the session.
func (r *remote) request(ctx context.Context, method string, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, r.Upstream.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range r.Header {
		request.Header[name] = values
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.session != "" {
		request.Header.Set("Mcp-Session-Id", r.session)
	}
	if r.version != "" {
		request.Header.Set("Mcp-Protocol-Version", r.version)
	}
	return request, nil
}

// post sends a message and writes what the server says to it.
func (r *remote) post(ctx context.Context, m message, written func()) {
	said, err := r.exchange(ctx, m, written)
	if !m.isRequest || said || ctx.Err() != nil {
		if err != nil && !m.isRequest {
			r.ErrorLog.Printf("mcp: %v", err)
		}
		return
	}
	err = cmp.Or(err, errors.New("the server has not answered"))
	r.write(r.x.FromServer(failure(m.rawID(), err.Error())))
}

// exchange reports whether the message was answered.
func (r *remote) exchange(ctx context.Context, m message, written func()) (answered bool, err error) {
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written() }})
	request, err := r.request(traced, http.MethodPost, m.text)
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	r.describe(request.Header, m)
	response, err := r.client.Do(request)
	if err != nil {
		return false, fmt.Errorf("the server cannot be reached: %w", err)
	}
	defer response.Body.Close()
	if m.method == "initialize" && response.StatusCode/100 == 2 {
		r.mu.Lock()
		r.session = response.Header.Get("Mcp-Session-Id")
		r.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case kind == "application/json":
		return r.document(response, m)
	case response.StatusCode/100 != 2:
		return false, fmt.Errorf("the server answers %s", response.Status)
	case kind == "text/event-stream":
		return r.stream(ctx, response, m)
	}
	return false, nil
}

// document reads an answer that is one message.
func (r *remote) document(response *http.Response, m message) (answered bool, err error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(r.MaxLine)+1))
	if err != nil {
		return false, fmt.Errorf("the server's answer breaks off: %w", err)
	}
	if len(body) > r.MaxLine {
		return true, r.pass(io.MultiReader(bytes.NewReader(body), response.Body))
	}
	answer := readMessage(body)
	if answer.isReply && answer.rawID() != "null" || !m.isRequest && response.StatusCode/100 == 2 && bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		r.receive(body, m)
		return true, nil
	}
	if answer.fault.Found { // it could not tell whose answer it is
		r.write(r.x.FromServer(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, m.rawID(), answer.fault.Value.Of(body))))
		return true, nil
	}
	return false, fmt.Errorf("the server answers %s, and no message", response.Status)
}

// receive writes a message from the server to the client. It reports whether
// it is an answer.
func (r *remote) receive(text []byte, m message) (answers bool) {
	answer := readMessage(text)
	if answer.isReply {
		r.learn(m, answer)
	}
	if len(text) <= r.MaxLine {
		text = r.x.FromServer(text)
	}
	r.write(text)
	return answer.isReply
}

// pass writes an answer that is too long to be looked at, as it comes.
func (r *remote) pass(body io.Reader) error {
	r.out.Lock()
	defer r.out.Unlock()
	_, err := io.Copy(r.Stdout, lineReader{body})
	if _, end := r.Stdout.Write([]byte("\n")); end != nil {
		r.cancel()
	}
	return err
}

// A lineReader reads a message as oneLine has it.
type lineReader struct{ io.Reader }

func (r lineReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, c := range p[:n] {
		if c == '\n' || c == '\r' {
			p[i] = ' '
		}
	}
	return n, err
}

// write writes a line. A client that does not listen ends everything.
func (r *remote) write(text []byte) {
	r.out.Lock()
	defer r.out.Unlock()
	if _, err := r.Stdout.Write(append(oneLine(text), '\n')); err != nil {
		r.cancel()
	}
}
