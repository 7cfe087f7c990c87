package mcp

import (
	"cmp"
	"sync"

	"github.com/wirekit/wirekit/internal/base/splice"
)

// maxPending is the number of requests without an answer that a Session
// remembers, and maxRequest the most bytes of each: its id, the names of tool and
// format, and what it says of the client. The results of others stay as they are.
const (
	maxPending = 10_000
	maxRequest = 8 << 10
)

// A Session rewrites the results among the messages of one client and one server.
// It remembers which method each request has until its answer comes, what the
// client said of itself in initialize, and nothing else. Ids are compared as they
// are written: 1 is not "1".
//
// Messages are JSON-RPC 2.0, alone or in batches. Any other bytes pass
// unchanged. A Session is safe for concurrent use; every request has to be
// shown to it before its answer.
type Session struct {
	Rewriter *Rewriter

	mu      sync.Mutex
	pending map[string]request
	client  Client
	server  string // what it calls itself
}

// Client returns what the client said of itself in initialize, or what it was
// introduced as.
func (x *Session) Client() Client {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.client
}

// SetClient says what is known of a client whose initialize went by elsewhere.
func (x *Session) SetClient(c Client) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.client = c
}

// A request is what is remembered of one.
type request struct {
	method string
	call   Call
	doubt  bool // its id was given to two
}

// FromClient takes note of a message from the client. The message itself is never
// changed.
func (x *Session) FromClient(message []byte) {
	for _, s := range splice.Batch(message) {
		x.sent(message, s)
	}
}

func (x *Session) sent(message []byte, s splice.Span) {
	o, ok := splice.FindMembers(message, s, "method", "id", "params")
	if !ok {
		return
	}
	id, params := o.Members[1], o.Members[2].Value
	switch method := splice.Word(message, o.Members[0].Value); method {
	case "notifications/cancelled":
		if id, ok := splice.Find(message, params, "requestId"); ok {
			x.forget(string(id.Of(message)))
		}
	case "tools/call", "tools/list", "initialize", "server/discover":
		if id.Found {
			if method == "initialize" {
				x.SetClient(clientOf(message, params).bounded())
			}
			x.remember(string(id.Value.Of(message)), request{method: method, call: callOf(message, params, x.Client())})
		}
	}
}

func (x *Session) remember(id string, r request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, twice := x.pending[id]; twice {
		r = request{doubt: true}
	} else if len(id)+r.call.size() > maxRequest || len(x.pending) >= maxPending {
		return
	}
	if x.pending == nil {
		x.pending = make(map[string]request)
	}
	x.pending[id] = r
}

func (x *Session) forget(id string) (request, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r, known := x.pending[id]
	delete(x.pending, id)
	r.call.server = x.server
	return r, known
}

// FromServer returns a message from the server, with its result rewritten if it
// is one that the rewriter changes.
func (x *Session) FromServer(message []byte) []byte {
	var edits []splice.Edit
	for _, s := range splice.Batch(message) {
		edits = x.received(message, s, edits)
	}
	return splice.Apply(message, edits)
}

// maxServerName is the longest name of a server that is remembered.
const maxServerName = 200

// introduce remembers the name that a server gives itself in its answer to initialize.
func (x *Session) introduce(message []byte, result splice.Span) {
	if name := splice.Word(message, result, "serverInfo", "name"); len(name) <= maxServerName {
		x.mu.Lock()
		x.server = cmp.Or(name, x.server)
		x.mu.Unlock()
	}
}

func (x *Session) received(message []byte, s splice.Span, edits []splice.Edit) []splice.Edit {
	o, ok := splice.FindMembers(message, s, "id", "result", "method")
	if !ok || !o.Members[0].Found || o.Members[2].Found {
		return edits
	}
	r, known := x.forget(string(o.Members[0].Value.Of(message)))
	if !known || r.doubt || !o.Members[1].Found {
		return edits
	}
	place := o.Members[1].Value
	result := place.Of(message)
	var out []byte
	switch r.method {
	case "tools/call":
		out, _ = x.Rewriter.RewriteResult(r.call, result)
	case "tools/list":
		out = x.Rewriter.RewriteTools(r.call, result)
	default:
		x.introduce(message, place)
		out = x.Rewriter.RewriteInitialize(result)
	}
	if len(out) == len(result) && &out[0] == &result[0] {
		return edits
	}
	return append(edits, splice.Put(place, out))
}
