package mcpproxy

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/wire"
)

// Revisions are those of the protocol that are known, the newest first.
var Revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// stateless is the first revision of the protocol without sessions: each
// request says what is needed for it.
const stateless = "2026-07-28"

// The keys of a request's _meta that say something about the transport.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// A message is what a transport has to know of a JSON-RPC message. What is not
// there has no Value.
type message struct {
	text               []byte
	method             string
	id, params         splice.Member
	result, fault      splice.Member // of an answer
	isRequest, isReply bool
}

// readMessage reads what is not a batch; anything else is a message of which
// nothing is known.
func readMessage(text []byte) message {
	m := message{text: text}
	o, ok := splice.FindMembers(text, splice.Whole(text), "method", "id", "params", "result", "error")
	if !ok {
		return m
	}
	m.id, m.params, m.result, m.fault = o.Members[1], o.Members[2], o.Members[3], o.Members[4]
	if o.Members[0].Found {
		m.method, ok = splice.Unquote(o.Members[0].Value.Of(text))
		m.isRequest = ok && m.id.Found
	} else {
		m.isReply = m.id.Found && (m.result.Found || m.fault.Found)
	}
	return m
}

// messagesIn are the messages of a batch, or the only one.
func messagesIn(text []byte) (list []message) {
	for _, at := range splice.Batch(text) {
		list = append(list, readMessage(at.Of(text)))
	}
	return list
}

// rawID returns the id as it is written, or null.
func (m message) rawID() string {
	if !m.id.Found {
		return "null"
	}
	return string(m.id.Value.Of(m.text))
}

// key returns the id in a form that is the same for every way to write it.
func (m message) key() string { return idKey([]byte(m.rawID())) }

func idKey(raw []byte) string {
	if text, ok := splice.Unquote(raw); ok {
		return `"` + text
	}
	v, _ := wire.ParseJSON(raw) // null with an error
	if n, exact := v.Int64(); exact {
		return wire.Int(n).Text()
	}
	return string(raw)
}

// isResult reports whether an answer has a result and no error.
func (m message) isResult() bool {
	return m.result.Found && (!m.fault.Found || string(m.fault.Value.Of(m.text)) == "null")
}

// isError reports whether an answer has an error as JSON-RPC 2.0, section 5.1, has it.
func (m message) isError() bool {
	o, ok := splice.FindMembers(m.text, m.fault.Value, "code", "message")
	if !ok || !o.Members[0].Found {
		return false
	}
	code, _ := wire.ParseJSON(o.Members[0].Value.Of(m.text)) // null with an error
	_, isWhole := code.Int64()
	_, isText := splice.StringAt(m.text, o.Members[1].Value)
	return isWhole && isText
}

// param returns a member of params, further down with each key.
func (m message) param(keys ...string) (splice.Span, bool) {
	return splice.Find(m.text, m.params.Value, keys...)
}

// paramText returns a member of params that is a string.
func (m message) paramText(keys ...string) string {
	return splice.Word(m.text, m.params.Value, keys...)
}

// identifying are the names by which a message says what it is about.
var identifying = []string{"jsonrpc", "id", "method", "params", "_meta", "progressToken"}

// isAmbiguous reports whether a server could read another id, method or progress
// token in the message than readMessage and param find: a name occurs twice at the
// top, in params or in _meta, or differs from one of these in case only.
func (m message) isAmbiguous() bool {
	meta, _ := m.param("_meta")
	for _, at := range []splice.Span{splice.Whole(m.text), m.params.Value, meta} {
		o, _ := splice.AllMembers(m.text, at)
		seen := make(map[string]bool, len(o.Members))
		for _, member := range o.Members {
			name, ok := splice.Unquote(member.Key.Of(m.text))
			alike := func(exact string) bool { return name != exact && strings.EqualFold(name, exact) }
			if !ok || seen[name] || slices.ContainsFunc(identifying, alike) {
				return true
			}
			seen[name] = true
		}
	}
	return false
}

// oneLine returns a message without line ends, which JSON has between tokens
// only.
func oneLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	if !bytes.ContainsAny(text, "\r\n") {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
}

// failure returns the answer to a request that could not be answered: an internal error
// of JSON-RPC 2.0, section 5.1.
func failure(id, text string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%s}}`, id, splice.Quote(strings.ToValidUTF8(text, "\ufffd")))
}

// A call is a message to the server, or a batch, until its requests are answered.
type call struct {
	message
	cancel  context.CancelFunc
	session sessionHeaders       // in which it was sent
	begun   func(sessionHeaders) // takes the session that it begins; nil if it begins none
	deliver func(text []byte)    // takes what the server says to it
	mixed   bool                 // that has other messages beside answers
	instead string               // the beginning of what came that is not a message

	open map[string]string // the ids of its requests without an answer as they are written, by their keys
}

func newCall(text []byte, deliver func([]byte)) *call {
	c := &call{message: readMessage(text), deliver: deliver, open: make(map[string]string)}
	for _, m := range messagesIn(text) {
		if m.isRequest {
			c.open[m.key()] = m.rawID()
		}
	}
	return c
}

func (c *call) isBatch() bool { return c.text[0] == '[' }

// failed answers the requests that are open with an error.
func (c *call) failed(why string) {
	var answers []string
	for _, id := range slices.Sorted(maps.Values(c.open)) {
		answers = append(answers, string(failure(id, why)))
	}
	clear(c.open)
	switch {
	case len(answers) == 0:
	case c.isBatch():
		c.deliver([]byte("[" + strings.Join(answers, ",") + "]"))
	default:
		c.deliver([]byte(answers[0]))
	}
}

// takes reports whether the client is to be given a message of the server as it is, and
// notes what it answers. An error that names no request under way is the answer to the only
// one of this call.
func (c *call) takes(m message, isOther func(key string) bool) bool {
	if m.method != "" || !m.isReply && !m.fault.Found {
		return m.method != "" && c.mixed
	}
	key := m.key()
	_, mine := c.open[key]
	switch {
	case mine && (m.isError() || m.isResult()):
		delete(c.open, key)
		return true
	case len(c.open) == 1 && m.isError() && !isOther(key):
		for _, id := range c.open {
			c.deliver(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, m.fault.Value.Of(m.text)))
		}
		clear(c.open)
		return false
	}
	return c.mixed && !mine && (len(c.open) == 0 || isOther(key))
}
