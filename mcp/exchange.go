package mcp

import "sync"

// maxPending is the number of requests without an answer that an Exchange
// remembers. The results of further ones stay as they are.
const maxPending = 10_000

// An Exchange rewrites the results among the messages of one client and one
// server. It remembers which method each request has until its answer comes,
// and nothing else. Ids are compared as they are written: 1 is not "1".
//
// Messages are JSON-RPC 2.0, alone or in batches. Any other bytes pass
// unchanged. An Exchange is safe for concurrent use; every request has to be
// shown to it before its answer.
type Exchange struct {
	Rewriter *Rewriter

	mu      sync.Mutex
	pending map[string]request
}

// A request is what is remembered of one.
type request struct {
	method string
	call   Call
	doubt  bool // its id was given to two
}

// Sent takes note of a message from the client. The message itself is never
// changed.
func (x *Exchange) Sent(message []byte) {
	s := whole(message)
	if s.start < s.end && message[s.start] == '[' {
		batch, _ := findElements(message, s)
		for _, s := range batch {
			x.sent(message, s)
		}
		return
	}
	x.sent(message, s)
}

func (x *Exchange) sent(message []byte, s span) {
	o, ok := findMembers(message, s, "method", "id", "params")
	if !ok || !o.members[0].found {
		return
	}
	method, ok := stringAt(message, o.members[0].value)
	if !ok {
		return
	}
	id, params := o.members[1], o.members[2]
	switch method {
	case "notifications/cancelled":
		if p, ok := findMembers(message, params.value, "requestId"); ok && p.members[0].found {
			x.forget(string(p.members[0].value.of(message)))
		}
	case "tools/call", "tools/list", "initialize", "server/discover":
		if id.found {
			r := request{method: method}
			if method == "tools/call" {
				r.call = callOf(message, params)
			}
			x.remember(string(id.value.of(message)), r)
		}
	}
}

// callOf reads what the parameters of tools/call say about the result.
func callOf(message []byte, params member) (c Call) {
	p, ok := findMembers(message, params.value, "name", "_meta")
	if !ok {
		return c
	}
	if p.members[0].found {
		c.Tool, _ = stringAt(message, p.members[0].value)
	}
	if meta, ok := findMembers(message, p.members[1].value, MetaKey); ok && meta.members[0].found {
		c.Format, _ = stringAt(message, meta.members[0].value)
	}
	return c
}

func (x *Exchange) remember(id string, r request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, twice := x.pending[id]; twice {
		r = request{doubt: true}
	} else if len(x.pending) >= maxPending {
		return
	}
	if x.pending == nil {
		x.pending = make(map[string]request)
	}
	x.pending[id] = r
}

func (x *Exchange) forget(id string) (request, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r, known := x.pending[id]
	delete(x.pending, id)
	return r, known
}

// Received returns a message from the server, with its result rewritten if it
// is one that the rewriter changes.
func (x *Exchange) Received(message []byte) []byte {
	s := whole(message)
	var edits []edit
	if s.start < s.end && message[s.start] == '[' {
		batch, _ := findElements(message, s)
		for _, s := range batch {
			edits = x.received(message, s, edits)
		}
	} else {
		edits = x.received(message, s, edits)
	}
	if edits == nil {
		return message
	}
	return apply(message, edits)
}

func (x *Exchange) received(message []byte, s span, edits []edit) []edit {
	o, ok := findMembers(message, s, "id", "result", "method")
	if !ok || !o.members[0].found || o.members[2].found {
		return edits
	}
	r, known := x.forget(string(o.members[0].value.of(message)))
	if !known || r.doubt || !o.members[1].found {
		return edits
	}
	place := o.members[1].value
	result := place.of(message)
	var out []byte
	switch r.method {
	case "tools/call":
		out, _ = x.Rewriter.Result(r.call, result)
	case "tools/list":
		out = x.Rewriter.Tools(result)
	default:
		out = x.Rewriter.Discover(result)
	}
	if len(out) == len(result) && &out[0] == &result[0] {
		return edits
	}
	return append(edits, edit{place, out})
}
