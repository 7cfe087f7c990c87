package mcpproxy

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
)

// What a child holds, in bytes: of messages that it has not read, of events for
// each stream that a client does not read, and of answers that clients do not
// read, from which on it takes no further requests.
const (
	maxUnsent  = 16 << 20
	maxUnread  = 1 << 20
	maxAnswers = 256 << 20
)

// A child is a server's process that is reached over HTTP. It serves one session, or every
// request that has none; for these ids and tokens are replaced, because clients
// do not know of each other.
type child struct {
	shared bool
	input  *mailbox
	events *mailbox // that no request has asked for
	idle   *time.Timer
	ended  context.Context // when the server is to end
	cancel context.CancelFunc

	// revision is what the session's server has named in its answer to initialize, which may
	// be newer than the proxy.
	revision atomic.Value

	// listening is set while a client takes what no request has asked for: there is one
	// at a time, and what it has not taken is for the next one.
	listening atomic.Bool

	mu      sync.Mutex
	replies map[string]*reply
	answers int // bytes of those that handlers have not done with
	users   int
	closed  bool
}

// speaks reports whether a revision of the protocol is that of the session.
func (c *child) speaks(revision string) bool {
	return c != nil && revision != "" && c.revision.Load() == revision
}

// A reply is what a client waits for.
type reply struct {
	box       *mailbox
	streams   bool   // it takes more than one message
	key       string // the request's id as the child has it
	id, token string // as the client wrote them; empty is none
	size      int    // of the answer
}

func newChild(shared bool) *child {
	ended, cancel := context.WithCancel(context.Background())
	return &child{shared: shared, input: newMailbox(maxUnsent, false), events: newMailbox(maxUnread, true),
		replies: make(map[string]*reply), ended: ended, cancel: cancel}
}

// errBusy is wrapped by the reasons for which a request may be sent again later.
var errBusy = errors.New("try again later")

// request hands a request on and returns where its answer will be. The caller
// forgets that in the end.
func (c *child) request(m message, streams bool) (*reply, error) {
	r := &reply{box: newMailbox(maxUnread, true), streams: streams, id: m.rawID(), key: m.rawID()}
	text := m.text
	if c.shared {
		// Clients must not guess each other's.
		r.key = `"` + rand.Text() + `"`
		edits := []splice.Edit{splice.Put(m.id.Value, []byte(r.key))}
		if token, ok := m.param("_meta", "progressToken"); ok {
			r.token = string(token.Of(m.text))
			edits = append(edits, splice.Put(token, []byte(r.key)))
		}
		text = splice.Apply(m.text, edits)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, errors.New("the server has ended")
	case len(c.replies) >= maxWaiting:
		return nil, fmt.Errorf("%d requests wait for the server: %w", len(c.replies), errBusy)
	case c.answers > maxAnswers:
		return nil, fmt.Errorf("%d bytes of answers wait for clients: %w", c.answers, errBusy)
	case c.replies[r.key] != nil:
		return nil, fmt.Errorf("the id %.40s has a request that is not answered", r.id)
	}
	if err := c.tell(text); err != nil {
		return nil, err
	}
	c.replies[r.key] = r
	return r, nil
}

// tell hands a message on that has no answer.
func (c *child) tell(text []byte) error {
	if !c.input.put(text) {
		return fmt.Errorf("the server does not read what it is sent: %w", errBusy)
	}
	return nil
}

// forget takes back a request whose client has its answer or does not wait for it.
func (c *child) forget(r *reply) {
	c.mu.Lock()
	_, waiting := c.replies[r.key]
	delete(c.replies, r.key)
	c.answers -= r.size
	c.mu.Unlock()
	if waiting && c.shared {
		c.input.put([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + r.key + `}}`)) // one that does not read its input need not know
	}
}

// endSize is how much is kept of both ends of a line that is too long.
const endSize = 1 << 10

// output takes what the server writes.
func (c *child) output() *lineTaker { return &lineTaker{take: c.deliver, refuse: c.refuse} }

// A lineTaker takes lines as copyLines writes them: at once, or in pieces if they are longer
// than the proxy looks at.
type lineTaker struct {
	take   func(line []byte)
	refuse func(long ends) // takes what is kept of a line that is too long
	long   ends
}

func (t *lineTaker) Write(p []byte) (int, error) {
	whole := bytes.HasSuffix(p, []byte("\n"))
	if text := bytes.TrimSpace(p); whole && t.long == nil && len(text) > 0 {
		t.take(bytes.Clone(text))
	} else if !whole || t.long != nil {
		t.long = bothEnds(append(t.long, bothEnds(p)...))
		if whole {
			t.end()
		}
	}
	return len(p), nil
}

// end ends a line that comes in pieces, if there is one.
func (t *lineTaker) end() {
	if t.long != nil {
		t.refuse(t.long)
		t.long = nil
	}
}

// ends are those of a message that is too long.
type ends []byte

// id returns the id of the message as it is written, nil if it is not there.
func (e ends) id() []byte {
	found := idAtEnds.FindSubmatch(e)
	if found == nil {
		return nil
	}
	return slices.Concat(found[1], found[2])
}

// bothEnds returns a copy of text without its middle if it is long.
func bothEnds(text []byte) []byte {
	if len(text) <= 2*endSize {
		return bytes.Clone(text)
	}
	return slices.Concat(text[:endSize], text[len(text)-endSize:])
}

// idAtEnds finds the id of a message before any of its members that can be long,
// or after all of them.
var idAtEnds = regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("[^"\\]*"|-?[0-9]+)\s*,|"id"\s*:\s*("[^"\\]*"|-?[0-9]+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

// refuse answers a request whose answer is too long; its id is at one of the ends of that.
func (c *child) refuse(answer ends) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.replies[string(answer.id())]; r != nil {
		c.answer(r, failure(r.id, "the answer is longer than the proxy takes, see --max-line"))
	}
}

// deliver gives a message to the client that it is for.
func (c *child) deliver(text []byte) {
	m := readMessage(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.isReply {
		if r := c.replies[m.rawID()]; r != nil {
			c.answer(r, c.restored(m, r))
		}
		return
	}
	if m.method == "" {
		return // not a message
	}
	if c.shared {
		c.about(m)
		return
	}
	if !c.listening.Load() {
		for _, r := range c.replies {
			if r.streams {
				r.box.put(text)
				return
			}
		}
	}
	c.events.put(text)
}

// answer ends a reply. c.mu is held.
func (c *child) answer(r *reply, text []byte) {
	delete(c.replies, r.key)
	r.size = len(text)
	c.answers += r.size
	r.box.put(text)
	r.box.close()
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
	own := func(r *reply) string { return r.id }
	if !ok {
		at, ok = m.param("progressToken")
		own = func(r *reply) string { return r.token }
	}
	if r := c.replies[string(at.Of(m.text))]; ok && r != nil && r.streams && own(r) != "" {
		r.box.put(splice.Apply(m.text, []splice.Edit{splice.Put(at, []byte(own(r)))}))
	}
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

// end ends the server: by the end of its input, and if it does not read that, as
// Command does with one whose client has gone.
func (c *child) end() {
	c.input.close()
	c.cancel()
}

// died answers what is left when the process has ended.
func (c *child) died(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.idle.Stop()
	for _, r := range c.replies {
		c.answer(r, failure(r.id, why))
	}
	c.events.close()
}
