package mcpproxy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/splice"
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

// rawID returns the id as it is written, or null.
func (m message) rawID() string {
	if !m.id.Found {
		return "null"
	}
	return string(m.id.Value.Of(m.text))
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
