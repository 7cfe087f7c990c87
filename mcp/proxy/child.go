package proxy

import (
	"bytes"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/splice"
)

// maxUnread is the number of messages kept for a client that does not listen;
// the oldest go first.
const maxUnread = 256

// A child is a server's process behind HTTP. It serves one session, or every
// request that has none; for these ids and tokens are renumbered, because
// clients do not know of each other.
type child struct {
	shared bool
	input  *mailbox
	idle   *time.Timer

	mu       sync.Mutex
	partial  []byte // of a line that comes in pieces
	replies  map[string]*reply
	last     uint64 // id given to a request of the shared child
	listener *mailbox
	unread   [][]byte
	users    int
	closed   bool
}

// A reply is what a client waits for.
type reply struct {
	box       *mailbox
	streams   bool   // it takes more than one message
	id, token string // as the client wrote them; empty is none
}

func newChild(shared bool) *child {
	return &child{shared: shared, input: newMailbox(), replies: make(map[string]*reply)}
}

// request hands a request on and returns where its answer will be, and the id
// under which to forget it.
func (c *child) request(m message, streams bool) (*reply, string, error) {
	r := &reply{box: newMailbox(), streams: streams, id: m.rawID()}
	c.mu.Lock()
	defer c.mu.Unlock()
	id, text := r.id, m.text
	if c.shared {
		c.last++
		id = strconv.FormatUint(c.last, 10)
		edits := []splice.Edit{splice.Put(m.id.Value, []byte(id))}
		if token, ok := m.param("_meta", "progressToken"); ok {
			r.token = string(token.Of(m.text))
			edits = append(edits, splice.Put(token, []byte(id)))
		}
		text = splice.Apply(m.text, edits)
	}
	switch {
	case c.closed:
		return nil, "", fmt.Errorf("the server has ended")
	case len(c.replies) >= maxWaiting:
		return nil, "", fmt.Errorf("%d requests wait for the server", len(c.replies))
	case c.replies[id] != nil:
		return nil, "", fmt.Errorf("the id %.40s has a request that is not answered", id)
	}
	c.replies[id] = r
	c.input.put(text)
	return r, id, nil
}

// forget takes back a request that nobody waits for any more.
func (c *child) forget(id string) {
	c.mu.Lock()
	_, waiting := c.replies[id]
	delete(c.replies, id)
	c.mu.Unlock()
	if waiting && c.shared {
		c.input.put([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`))
	}
}

// Write takes lines of the server, or pieces of long ones.
func (c *child) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if c.partial = append(c.partial, line...); line[len(line)-1] == '\n' {
			c.deliver(bytes.TrimSpace(c.partial))
			c.partial = nil
		}
	}
	return len(p), nil
}

// deliver gives a message to whom it is for.
func (c *child) deliver(text []byte) {
	m := readMessage(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.isReply {
		if r := c.replies[m.rawID()]; r != nil {
			delete(c.replies, m.rawID())
			r.box.put(c.restored(m, r))
			r.box.close()
		}
		return
	}
	if m.method == "" {
		return // no message; nobody could tell what it is
	}
	if c.shared {
		c.about(m)
		return
	}
	if c.listener != nil {
		c.listener.put(text)
		return
	}
	for r := range maps.Values(c.replies) {
		if r.streams {
			r.box.put(text)
			return
		}
	}
	if c.unread = append(c.unread, text); len(c.unread) > maxUnread {
		c.unread = c.unread[1:]
	}
}

// restored returns an answer with the id that the client gave.
func (c *child) restored(m message, r *reply) []byte {
	if !c.shared {
		return m.text
	}
	edits := []splice.Edit{splice.Put(m.id.Value, []byte(r.id))}
	if at, ok := splice.Find(m.text, m.result.Value, "_meta", metaSubscription); ok {
		edits = append(edits, splice.Put(at, []byte(r.id)))
	}
	return splice.Apply(m.text, edits)
}

// about gives a notification of the shared child to the request that it names.
// What names none could be anybody's.
func (c *child) about(m message) {
	at, ok := m.param("_meta", metaSubscription)
	token := false
	if !ok {
		at, ok = m.param("progressToken")
		token = true
	}
	if !ok {
		return
	}
	r := c.replies[string(at.Of(m.text))]
	if r == nil || !r.streams || token && r.token == "" {
		return
	}
	own := r.id
	if token {
		own = r.token
	}
	r.box.put(splice.Apply(m.text, []splice.Edit{splice.Put(at, []byte(own))}))
}

// listen returns where messages come that nobody has asked for, and whether
// nobody else listens.
func (c *child) listen() (*mailbox, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listener != nil {
		return nil, false
	}
	c.listener = newMailbox()
	for _, text := range c.unread {
		c.listener.put(text)
	}
	c.unread = nil
	if c.closed {
		c.listener.close()
	}
	return c.listener, true
}

// unlisten keeps what the listener has not taken for the next one.
func (c *child) unlisten() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unread, _ = c.listener.take()
	c.listener = nil
}

// use keeps the child from being idle until the function that it returns is
// called.
func (c *child) use(idle time.Duration) (done func()) {
	count := func(n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.users += n; c.users > 0 {
			c.idle.Stop()
		} else {
			c.idle.Reset(idle)
		}
	}
	count(1)
	return func() { count(-1) }
}

// end ends the server as the end of its input does.
func (c *child) end() { c.input.close() }

// died answers what is left when the process has ended.
func (c *child) died(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.idle.Stop()
	for id, r := range c.replies {
		delete(c.replies, id)
		r.box.put(failure(r.id, why))
		r.box.close()
	}
	if c.listener != nil {
		c.listener.close()
	}
}
