package mcpproxy

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/mcp"
)

// A Remote reaches a server over Streamable HTTP and is that server to the
// client whose messages come in on Stdin: one JSON message a line.
//
// Each message is a request of its own, with the headers that the revision of
// the protocol asks for. Answers come out in the order in which they arrive. A
// request that the server does not answer, for whatever reason, is answered with an
// error. Streams that end early are taken up again where the server has said where
// that is, and a session that it has forgotten is begun again.
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
	// DefaultMaxLine. A request that is longer, or whose answer is, is answered with an
	// error.
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
		waiting: make(chan struct{}, maxWaiting), calls: make(map[string]*call), bindings: make(bindings)}
	r.client = http.Client{Transport: plain, CheckRedirect: sameHost}
	return r.run()
}

// sameHost follows redirections that stay with the server and send the message again, as
// those for a slash at the end do: headers may hold secrets, and GET asks for something else.
func sameHost(next *http.Request, before []*http.Request) error {
	if len(before) >= 5 || next.Method != before[0].Method || next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme {
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

	out sync.Mutex // of Stdout

	mu          sync.Mutex
	calls       map[string]*call // by the keys of their requests
	session     sessionHeaders
	beginning   []byte             // the client's initialize, by which a session can be begun again
	initialized []byte             // and what it said after the answer
	renewing    func() error       // begins another session, nil if none is being begun
	deafen      context.CancelFunc // ends the listening to what the server says unasked
	bindings    bindings
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
	r.leave(r.current())
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

// read sends each line.
func (r *remote) read() error {
	lines := &lineTaker{take: r.send, refuse: r.refuse}
	defer lines.end()
	return copyLines(lines, r.Stdin, r.MaxLine, func(line []byte) []byte { return append(line, '\n') }) // which the last may lack
}

// beginsRequest matches the beginning of a message that is not an answer.
var beginsRequest = regexp.MustCompile(`^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\]*"|-?[0-9]+)\s*,)*\s*"method"`)

// refuse answers a message that is too long to be sent.
func (r *remote) refuse(long ends) {
	const why = "the message is longer than the proxy takes, see --max-line"
	if id := long.id(); id != nil && beginsRequest.Match(long) {
		r.write(failure(string(id), why))
	} else {
		r.ErrorLog.Print("mcp: a message of the client's was not sent: " + why)
	}
}

// send sends a message. It returns when the server has it, so that messages
// arrive in their order, and has taken it, if no answer is to come.
func (r *remote) send(text []byte) {
	if r.ctx.Err() != nil {
		return
	}
	r.x.FromClient(text)
	c := newCall(text, r.hand)
	switch {
	case len(c.open) > 0:
		r.ask(c)
	case c.method == "notifications/cancelled":
		r.cancelCall(c)
	case c.method == "notifications/initialized":
		r.tell(c)
		r.mu.Lock()
		r.initialized = text
		r.mu.Unlock()
		r.listen()
	default:
		r.tell(c)
	}
}

// ask sends a message that has an answer.
func (r *remote) ask(c *call) {
	ctx, cancel := context.WithCancel(r.ctx)
	c.cancel = cancel
	r.mu.Lock()
	if c.method == "initialize" {
		c.begun, r.beginning, r.initialized = r.enter, c.text, nil
	}
	for key := range c.open {
		r.calls[key] = c
	}
	r.mu.Unlock()
	r.waiting <- struct{}{} // until one of many has ended, as all do when the client has gone
	written, sent := context.WithCancel(ctx)
	r.done.Go(func() {
		defer func() { <-r.waiting }()
		defer sent()
		defer r.forget(c)
		r.post(ctx, c, sent)
	})
	<-written.Done()
}

// toTake is how long the server has to take a message that it does not answer.
const toTake = 10 * time.Second

// tell sends a message that has no answer and waits until the server has taken
// it, so that what comes after it also arrives after it.
func (r *remote) tell(c *call) {
	ctx, cancel := context.WithTimeout(r.ctx, toTake)
	defer cancel()
	r.post(ctx, c, func() {})
}

// forget ends a call. The ids of its requests may be those of another one by now.
func (r *remote) forget(c *call) {
	r.mu.Lock()
	maps.DeleteFunc(r.calls, func(_ string, other *call) bool { return other == c })
	r.mu.Unlock()
	c.cancel()
}

// cancelCall gives a request up. Without a session the end of its answer is what
// tells the server; that of a batch has the answers to others as well.
func (r *remote) cancelCall(c *call) {
	if r.current().version != "" {
		r.tell(c)
	}
	at, ok := c.param("requestId")
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if call := r.calls[idKey(at.Of(c.text))]; call != nil && !call.isBatch() {
		call.cancel()
	}
}

// request sends a request with the headers of a session and its own.
func (r *remote) request(ctx context.Context, method string, body []byte, in sessionHeaders, own http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, r.Upstream.String(), bytes.NewReader(body))
	if err != nil {
		return nil, serving.Reason(err)
	}
	maps.Copy(request.Header, r.Header)
	if in.id != "" {
		request.Header.Set("Mcp-Session-Id", in.id)
	}
	if in.version != "" {
		request.Header.Set("Mcp-Protocol-Version", in.version)
	}
	maps.Copy(request.Header, own)
	response, err := r.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("the server cannot be reached: %w", serving.Reason(err))
	}
	return response, nil
}

// write writes a line. A client that does not listen ends everything.
func (r *remote) write(text []byte) {
	r.out.Lock()
	defer r.out.Unlock()
	if _, err := r.Stdout.Write(append(oneLine(text), '\n')); err != nil {
		r.cancel()
	}
}
