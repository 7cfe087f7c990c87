package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/mcp"
)

// TestAccept: the formats that a client takes narrow the choice, and one that
// takes none of the candidates gets its results as they are.
func TestAccept(t *testing.T) {
	fold := []mcp.Rule{{Tool: "*", Fold: true}}
	for _, c := range []struct {
		name    string
		formats []string
		rules   []mcp.Rule
		accept  []string
		wish    string
		want    string // the format, or "" for the result as it is
	}{
		{"has not said", []string{"glyph"}, nil, nil, "", "glyph"},
		{"one of the candidates", []string{"glyph", "gcx"}, nil, []string{"glyph"}, "", "glyph"},
		{"none of the candidates", []string{"glyph"}, nil, []string{"gcx"}, "", ""},
		{"of no candidates", nil, nil, []string{"csv", "nosuch", "bcp"}, "", "csv"},
		{"nothing", nil, nil, []string{}, "", ""},
		{"JSON alone", nil, nil, []string{"json"}, "", ""},
		{"unknown formats alone", nil, nil, []string{"nosuch", "bcp"}, "", ""},
		{"not folded", []string{"gcx"}, fold, []string{"gcx"}, "", "gcx"},
		{"the request's wish goes first", []string{"glyph"}, nil, []string{"glyph"}, "gcx", "gcx"},
		{"the wish is not folded", nil, fold, nil, "gcx", "gcx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &mcp.Rewriter{Formats: c.formats, Rules: c.rules, MinTokens: -1}
			call := mcp.Call{Tool: "t", Format: c.wish, Client: mcp.Client{Accept: c.accept}}
			in := `{"content":[{"type":"text","text":` + q(rows) + `}]}`
			out, e := r.RewriteResult(call, []byte(in))
			list := `{"tools":[{"name":"t","outputSchema":{}}]}`
			if c.want == "" {
				require.Equal(t, "off", e.Reason)
				require.Equal(t, in, string(out))
				require.Equal(t, list, string(r.RewriteTools(call, []byte(list))))
				return
			}
			require.Equal(t, mcp.ReasonConverted, e.Reason)
			require.Equal(t, c.want, e.Format)
			require.Equal(t, `{"tools":[{"name":"t"}]}`, string(r.RewriteTools(call, []byte(list))))
		})
	}
}

// TestClientModes: a mode for a client's name holds instead of the general one,
// and beside a rule's the one that changes less.
func TestClientModes(t *testing.T) {
	r := &mcp.Rewriter{Mode: mcp.ModeOff, MinTokens: -1, Formats: []string{"gcx"},
		Clients: func(name string) mcp.Mode {
			switch {
			case strings.HasPrefix(name, "codex"):
				return mcp.ModeText
			case name == "claude":
				return mcp.ModeReplace
			case name == "wrong":
				return 99
			}
			return mcp.ModeDefault
		},
		Rules: []mcp.Rule{{Tool: "read", Mode: mcp.ModeOff}, {Tool: "all", Mode: mcp.ModeReplace}}}
	require.NoError(t, r.Validate())
	for _, c := range []struct{ client, tool, want string }{
		{"", "t", "off"}, {"other", "t", "off"}, {"claude", "t", "replace"}, {"codex-2", "t", "text"},
		{"wrong", "all", "off"}, {"codex", "read", "off"}, {"codex", "all", "text"}, {"claude", "all", "replace"}, {"other", "all", "replace"},
	} {
		_, e := r.RewriteResult(mcp.Call{Tool: c.tool, Client: mcp.Client{Name: c.client}}, result(rows))
		require.Equal(t, c.want, e.Mode.String(), "%s calls %s", c.client, c.tool)
	}
}

// TestExchangeKnowsTheClient: what a client says of itself in initialize holds
// for its calls, and what it says in a request for that one.
func TestExchangeKnowsTheClient(t *testing.T) {
	const extension = `{"dev.wirekit/format":{"accept":%s}}`
	initialize := func(members string) string {
		return `{"id":0,"method":"initialize","params":{` + members + `}}`
	}
	call := func(meta string) string {
		return `{"id":1,"method":"tools/call","params":{"name":"t","_meta":{` + meta + `}}}`
	}
	accept := func(list string) string { return fmt.Sprintf(extension, list) }
	for _, c := range []struct{ name, first, call, want string }{
		{"nothing said", initialize(``), call(``), "gcx"},
		{"an extension", initialize(`"capabilities":{"extensions":` + accept(`["glyph",7]`) + `}`), call(``), "glyph"},
		{"experimental", initialize(`"capabilities":{"experimental":` + accept(`["glyph"]`) + `}`), call(``), "glyph"},
		{"in the request", initialize(``), call(`"io.modelcontextprotocol/clientCapabilities":{"extensions":` + accept(`["glyph"]`) + `}`), "glyph"},
		{"in both", initialize(`"capabilities":{"extensions":` + accept(`["glyph"]`) + `}`),
			call(`"io.modelcontextprotocol/clientCapabilities":{}`), "gcx"},
		{"not a list", initialize(`"capabilities":{"extensions":` + accept(`"glyph"`) + `}`), call(``), "gcx"},
		{"no candidate", initialize(`"capabilities":{"extensions":` + accept(`["csv"]`) + `}`), call(``), ""},
		{"a name", initialize(`"clientInfo":{"name":"plain"}`), call(``), ""},
		{"a name in the request", initialize(`"clientInfo":{"name":"plain"}`), call(`"io.modelcontextprotocol/clientInfo":{"name":"x"}`), "gcx"},
		{"of another kind", `{"id":0,"method":"initialize","params":[]}`, call(``), "gcx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen mcp.Event
			x := &mcp.Session{Rewriter: &mcp.Rewriter{Formats: []string{"gcx", "glyph"}, MinTokens: -1,
				Clients: only("plain", mcp.ModeOff), Observe: func(e mcp.Event) { seen = e }}}
			x.FromClient([]byte(c.first))
			x.FromClient([]byte(c.call))
			x.FromServer([]byte(`{"id":1,"result":` + string(result(rows)) + `}`))
			require.Equal(t, c.want, seen.Format)
		})
	}
}

// only is the mode of clients of one name.
func only(client string, mode mcp.Mode) func(string) mcp.Mode {
	return func(name string) mcp.Mode {
		if name == client {
			return mode
		}
		return mcp.ModeDefault
	}
}
