package mcpproxy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/wire"
)

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

// messagesIn are the messages of a batch, or the only one.
func messagesIn(text []byte) (list []message) {
	s := splice.Whole(text)
	spans, ok := splice.FindElements(text, s)
	if !ok {
		spans = []splice.Span{s}
	}
	for _, at := range spans {
		list = append(list, readMessage(at.Of(text)))
	}
	return list
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
