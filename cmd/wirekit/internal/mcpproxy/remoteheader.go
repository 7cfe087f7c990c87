package mcpproxy

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/wire"
)

// bindings are the parameters of tools that go into headers as well, from the
// server's last list: for each tool the headers and the paths of their values.
type bindings map[string]map[string][]string

// maxBindings is the number of tools whose headers are remembered.
const maxBindings = 10_000

// describe sets the headers that say what the body says, from revision
// 2026-07-28 of the protocol on.
func (r *remote) describe(h http.Header, m message) {
	version := m.paramText("_meta", metaVersion)
	if version == "" {
		return
	}
	h.Set("Mcp-Protocol-Version", version)
	if version < stateless || m.method == "" {
		return
	}
	h.Set("Mcp-Method", headerValue(m.method))
	switch m.method {
	case "tools/call", "prompts/get":
		h.Set("Mcp-Name", headerValue(m.paramText("name")))
	case "resources/read":
		h.Set("Mcp-Name", headerValue(m.paramText("uri")))
	}
	if m.method != "tools/call" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for header, path := range r.bindings[m.paramText("name")] {
		if at, ok := m.param(append([]string{"arguments"}, path...)...); ok {
			if text, ok := primitive(at.Of(m.text)); ok {
				h.Set("Mcp-Param-"+header, headerValue(text))
			}
		}
	}
}

// primitive returns the text of a string, a boolean or an integer that every
// client can hold.
func primitive(raw []byte) (string, bool) {
	if text, ok := splice.Unquote(raw); ok {
		return text, true
	}
	switch v, _ := wire.ParseJSON(raw); v.Kind() { // null with an error
	case wire.KindBool:
		return string(raw), true
	case wire.KindNumber:
		const most = 1<<53 - 1
		n, exact := v.Int64()
		return wire.Int(n).Text(), exact && n >= -most && n <= most
	}
	return "", false
}

// headerValue returns a text as a header can have it: in base64 where it is not
// printable ASCII, has space at its ends, or looks like that.
func headerValue(text string) string {
	looksEncoded := strings.HasPrefix(text, "=?base64?") && strings.HasSuffix(text, "?=")
	if !looksEncoded && strings.TrimSpace(text) == text && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// learn takes note of what an answer says about further requests.
func (r *remote) learn(c *call, answer message) {
	switch c.method {
	case "initialize":
		c.session.version = splice.Word(answer.text, answer.result.Value, "protocolVersion")
		c.begun(c.session)
	case "tools/list":
		if c.paramText("_meta", metaVersion) < stateless || !answer.result.Found {
			return
		}
		result, _ := wire.ParseJSON(answer.result.Value.Of(answer.text)) // null with an error
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bindings.add(result)
	}
}

// add adds those of a list.
func (b bindings) add(list wire.Value) {
	tools, _ := list.Get("tools")
	for tool := range tools.Elements() {
		name, _ := tool.Get("name")
		schema, _ := tool.Get("inputSchema")
		if name.Kind() != wire.KindString || len(b) >= maxBindings {
			continue
		}
		delete(b, name.Text())
		found := make(map[string][]string)
		if bind(schema, nil, found); len(found) > 0 {
			b[name.Text()] = found
		}
	}
}

// bind finds the properties that name a header.
func bind(schema wire.Value, path []string, found map[string][]string) {
	properties, _ := schema.Get("properties")
	for key, property := range properties.Members() {
		here := append(slices.Clip(path), key)
		if header, _ := property.Get("x-mcp-header"); header.Kind() == wire.KindString && isToken(header.Text()) {
			found[header.Text()] = here
		}
		bind(property, here, found)
	}
}

// tokenBytes are those that a header's name can have (RFC 9110, section 5.6.2).
const tokenBytes = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isToken reports whether a text can be a part of a header's name.
func isToken(text string) bool { return text != "" && strings.Trim(text, tokenBytes) == "" }
