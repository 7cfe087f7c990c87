package mcpproxy

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// The defaults of [Spawner].
const (
	DefaultIdle     = 10 * time.Minute
	DefaultSessions = 32
)

// A Spawner serves a server that is a command to clients of Streamable HTTP.
// Each session has a process of its own, from initialize until the client ends
// it or has been silent for Idle. Requests without a session, as they are from
// revision 2026-07-28 of the protocol on, share one process: ids and progress
// tokens are random ones for it, what it says that is about no request is not
// passed on, and a request is refused in which a server could read another id than
// the proxy does, because a name occurs twice or in another case.
//
// What a process or a client does not read is bounded: further messages are
// answered with 503 then, and the oldest events are dropped.
//
// Streams cannot be taken up again, and batches are refused. It is safe for
// concurrent use.
type Spawner struct {
	Args     []string // the server's program and its arguments
	Rewriter *mcp.Rewriter
	Stderr   io.Writer // the servers' own; written to from several goroutines
	// Sessions is how many there are at most; 0 means DefaultSessions.
	Sessions int
	Idle     time.Duration // 0 means DefaultIdle
	Grace    time.Duration // as in Command
	MaxLine  int           // in bytes; a longer request is refused; 0 means DefaultMaxLine
	ErrorLog *log.Logger   // notes processes that end by themselves; nil means none

	mu       sync.Mutex
	children map[string]*child // by their sessions; "" for requests that have none
	closed   bool
	running  sync.WaitGroup // processes
}

// ServeHTTP answers 404 to a session that there is not, 503 when there are too many.
func (s *Spawner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		s.post(w, r)
		return
	}
	id := r.Header.Get("Mcp-Session-Id")
	switch c, fault := s.session(id), s.revisionFault(r.Header); {
	case fault != "":
		reject(w, http.StatusBadRequest, message{}, fault)
	case id == "" || r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "POST")
		reject(w, http.StatusMethodNotAllowed, message{}, "this has no meaning without a session")
	case c == nil:
		reject(w, http.StatusNotFound, message{}, "there is no such session")
	case r.Method == http.MethodGet:
		s.listen(w, r, c)
	default:
		c.end()
		w.WriteHeader(http.StatusNoContent)
	}
}

// Close ends every process, and returns when they have ended.
func (s *Spawner) Close() error {
	s.mu.Lock()
	s.closed = true
	all := slices.Collect(maps.Values(s.children))
	s.mu.Unlock()
	for _, c := range all {
		c.end()
	}
	s.running.Wait()
	return nil
}

func (s *Spawner) session(id string) *child {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.children[id]
}

func (s *Spawner) post(w http.ResponseWriter, r *http.Request) {
	most := cmp.Or(s.MaxLine, DefaultMaxLine)
	body, err := readBody(w, http.MaxBytesReader(w, r.Body, int64(most)))
	if err != nil {
		unreadable(w, err)
		return
	}
	m, id := readMessage(body), r.Header.Get("Mcp-Session-Id")
	if fault := s.fault(r.Header, m); fault != "" {
		reject(w, http.StatusBadRequest, m, fault)
		return
	}
	var c *child
	var begun string // the session that the request begins
	switch {
	case id != "":
		if c = s.session(id); c == nil {
			reject(w, http.StatusNotFound, m, "there is no such session; begin one with initialize")
			return
		}
	case m.method == "initialize" && m.isRequest:
		begun = rand.Text()
		id = begun
	case max(r.Header.Get("Mcp-Protocol-Version"), m.paramText("_meta", metaVersion)) < stateless:
		reject(w, http.StatusBadRequest, m, "a session begins with initialize")
		return
	case !m.isRequest: // the end of a request's connection is what cancels it
		w.WriteHeader(http.StatusAccepted)
		return
	case m.isAmbiguous():
		reject(w, http.StatusBadRequest, m, "a name occurs twice, or differs only in case from one of the protocol's")
		return
	}
	if c == nil {
		if c, err = s.begin(id); err != nil {
			reject(w, http.StatusServiceUnavailable, m, err.Error())
			return
		}
	}
	defer c.use(s.idle())()
	if m.isRequest {
		s.answer(w, r, c, m, begun)
	} else if err = c.tell(m.text); err != nil {
		refuse(w, m, err)
	} else {
		w.WriteHeader(http.StatusAccepted)
	}
}

// fault returns what is wrong with a message or with the headers that describe it.
func (s *Spawner) fault(h http.Header, m message) string {
	body := bytes.TrimSpace(m.text)
	switch _, err := wire.ParseJSON(body); {
	case err != nil:
		return "the body is not JSON"
	case bytes.HasPrefix(body, []byte("[")):
		return "batches are not taken; send each message as a request of its own"
	case m.method == "" && !m.isReply:
		return "the body is not a JSON-RPC message"
	case !describes(h, m):
		return "the headers Mcp-Method and Mcp-Name are not those of the message"
	}
	return s.revisionFault(h)
}

// revisionFault returns what is wrong with the revision of the protocol that headers name.
func (s *Spawner) revisionFault(h http.Header) string {
	for _, version := range h.Values("Mcp-Protocol-Version") {
		if !slices.Contains(Revisions, version) && !s.session(h.Get("Mcp-Session-Id")).speaks(version) {
			return fmt.Sprintf("Mcp-Protocol-Version is one of %s, not %.40q", strings.Join(Revisions, ", "), version)
		}
	}
	return ""
}

// describes reports whether headers say what the body says.
func describes(h http.Header, m message) bool {
	method, name := h.Get("Mcp-Method"), h.Get("Mcp-Name")
	is := func(text string) bool { return name == text || name == headerValue(text) }
	return (method == "" || method == m.method) && (name == "" || is(m.paramText("name")) || is(m.paramText("uri")))
}

// reject answers a request with an error of ours.
func reject(w http.ResponseWriter, status int, m message, text string) {
	serving.Reply(w, status, failure(m.rawID(), text))
}

// refuse answers a message that a child does not take.
func refuse(w http.ResponseWriter, m message, err error) {
	status := http.StatusBadGateway
	if errors.Is(err, errBusy) {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	reject(w, status, m, err.Error())
}

// begin returns the process of a session, or of the requests that have none, and starts
// it if there is none.
func (s *Spawner) begin(id string) (*child, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.children[id]; c != nil && !s.closed {
		return c, nil
	}
	sessions, most := len(s.children), cmp.Or(s.Sessions, DefaultSessions)
	if s.children[""] != nil {
		sessions--
	}
	if id != "" && sessions >= most {
		return nil, fmt.Errorf("there are %d sessions already; end one, or wait until one has been silent for %v", most, s.idle())
	}
	if s.closed {
		return nil, errors.New("the proxy is about to end")
	}
	if s.children == nil {
		s.children = make(map[string]*child)
	}
	c := newChild(id == "")
	s.children[id] = c
	s.spawn(c, id)
	return c, nil
}

// spawn runs a process. It is forgotten when it has been idle, so that the next
// request gets another one, and when it has ended. s.mu is held.
func (s *Spawner) spawn(c *child, id string) {
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.children[id] == c {
			delete(s.children, id)
		}
	}
	c.idle = time.AfterFunc(s.idle(), func() { forget(); c.end() })
	command := Command{Args: s.Args, Rewriter: s.Rewriter, Stdin: &mailReader{box: c.input}, Stdout: c.output(),
		Stderr: s.Stderr, MaxLine: s.MaxLine, Grace: s.Grace, quit: c.ended.Done()}
	s.running.Go(func() {
		code, err := command.Run()
		c.end() // the reader of its input may still wait
		why := fmt.Sprintf("the server has ended, with the exit code %d", code)
		if err != nil {
			why = err.Error()
		}
		if s.ErrorLog != nil && (err != nil || code != 0) {
			s.ErrorLog.Print("mcp: " + strings.TrimPrefix(why, "mcp: "))
		}
		forget()
		c.died(why)
	})
}

func (s *Spawner) idle() time.Duration { return cmp.Or(s.Idle, DefaultIdle) }

// promptly is how long an answer may take to be one document; after that it is
// a stream, so that the client sees that there is somebody.
const promptly = time.Second

// answer waits for the answer to a request and for what is said before it. If that does not
// begin the session that it should, the process ends.
func (s *Spawner) answer(w http.ResponseWriter, r *http.Request, c *child, m message, session string) {
	reply, err := c.request(m, session == "" && accepts(r, "text/event-stream"))
	if err != nil {
		refuse(w, m, err)
		return
	}
	defer c.forget(reply)
	if !reply.streams {
		answer, _ := reply.box.next(r.Context())
		if a := readMessage(answer); session != "" && a.result.Found {
			c.revision.Store(splice.Word(answer, a.result.Value, "protocolVersion"))
			w.Header().Set("Mcp-Session-Id", session)
		} else if session != "" {
			c.end()
		}
		if answer != nil {
			serving.Reply(w, http.StatusOK, answer)
		}
		return
	}
	soon, cancel := context.WithTimeout(r.Context(), promptly)
	text, more := reply.box.next(soon)
	cancel()
	if text != nil && !more {
		serving.Reply(w, http.StatusOK, text)
		return
	}
	stream(r.Context(), w, text, reply.box)
}

// listen writes what a session's server says unasked.
func (s *Spawner) listen(w http.ResponseWriter, r *http.Request, c *child) {
	if !c.listening.CompareAndSwap(false, true) {
		reject(w, http.StatusConflict, message{}, "the session has a stream already")
		return
	}
	defer c.listening.Store(false)
	defer c.use(s.idle())()
	stream(r.Context(), w, nil, c.events)
}

func accepts(r *http.Request, kind string) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if have, _, err := mime.ParseMediaType(part); err == nil && (have == kind || have == "*/*") {
			return true
		}
	}
	return false
}

// stream writes a message, if there is one, and those of a mailbox as events until there
// are no more or the client has gone. What cannot be written stays in the mailbox.
func stream(ctx context.Context, w http.ResponseWriter, text []byte, box *mailbox) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	for out := http.NewResponseController(w); ; {
		var err error
		if text != nil {
			_, err = fmt.Fprintf(w, "event: message\ndata: %s\n\n", oneLine(text))
		}
		if err = cmp.Or(err, out.Flush()); err != nil && text != nil {
			box.putBack(text)
		}
		if err != nil {
			return
		}
		if text, _ = box.next(ctx); text == nil {
			return
		}
	}
}
