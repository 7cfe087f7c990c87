package mcp_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

func exchange() *mcp.Session {
	return &mcp.Session{Rewriter: &mcp.Rewriter{Formats: []string{"gcx"}, MinTokens: -1, Instructions: "Read."}}
}

func TestExchange(t *testing.T) {
	in := string(result(rows))
	out := `{"content":[{"type":"text","text":` + q(encoded(t, "gcx", rows)) + `,"_meta":{"dev.wirekit/format":"gcx"}}]}`
	call := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"t","arguments":{}}}`
	}
	answer := func(id, result string) string { return `{"jsonrpc":"2.0","id":` + id + `, "result" : ` + result + `}` }
	for _, c := range []struct {
		name           string
		sent           []string
		received, want string
	}{
		{"a call", []string{call("1")}, answer("1", in), answer("1", out)},
		{"with a line end", []string{call("1") + "\r\n"}, answer("1", in) + "\r\n", answer("1", out) + "\r\n"},
		{"an id that is a string", []string{call(`"1"`)}, answer(`"1"`, in), answer(`"1"`, out)},
		{"an id of another kind", []string{call("1")}, answer(`"1"`, in), ""},
		{"an id spelled otherwise", []string{call("1")}, answer("1.0", in), ""},
		{"nothing asked", nil, answer("1", in), ""},
		{"asked for something else", []string{`{"id":1,"method":"resources/read"}`}, answer("1", in), ""},
		{"cancelled", []string{call("1"), `{"method":"notifications/cancelled","params":{"requestId":1}}`}, answer("1", in), ""},
		{"another cancelled", []string{call("1"), `{"method":"notifications/cancelled","params":{"requestId":2}}`}, answer("1", in), answer("1", out)},
		{"an id twice", []string{call("1"), call("1")}, answer("1", in), ""},
		{"a request of the server's", []string{call("1")}, `{"id":1,"method":"sampling/createMessage","params":{"result":` + in + `}}`, ""},
		{"a request with a result", []string{call("1")}, `{"id":1,"method":"x","result":` + in + `}`, ""},
		{"an error", []string{call("1")}, `{"id":1,"error":{"code":-1,"message":"x"}}`, ""},
		{"two results", []string{call("1")}, `{"id":1,"result":` + in + `,"result":{}}`, ""},
		{"the client's wish", []string{`{"id":1,"method":"tools/call","params":{"_meta":{"dev.wirekit/format":"json"},"name":"t"}}`}, answer("1", in), ""},
		{"a batch", []string{"[" + call("1") + "," + call("2") + "]"}, "[" + answer("2", in) + " ,7, " + answer("3", in) + "," + answer("1", in) + "]",
			"[" + answer("2", out) + " ,7, " + answer("3", in) + "," + answer("1", out) + "]"},
		{"tools", []string{`{"id":1,"method":"tools/list"}`}, answer("1", `{"tools":[{"name":"t","outputSchema":{}}]}`), answer("1", `{"tools":[{"name":"t"}]}`)},
		{"initialize", []string{`{"id":1,"method":"initialize"}`}, answer("1", `{"protocolVersion":"1"}`), answer("1", `{"protocolVersion":"1","instructions":"Read."}`)},
		{"discover", []string{`{"id":1,"method":"server/discover"}`}, answer("1", `{"supportedVersions":[]}`), answer("1", `{"supportedVersions":[],"instructions":"Read."}`)},
		{"garbage", []string{call("1"), "garbage", "", "[", "{"}, "garbage", ""},
		{"cut off", []string{call("1")}, answer("1", in)[:100], ""},
		{"empty", []string{call("1")}, "", ""},
		{"an empty result", []string{call("1")}, answer("1", ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := exchange()
			for _, s := range c.sent {
				x.FromClient([]byte(s))
			}
			want := c.want
			if want == "" {
				want = c.received
			}
			require.Equal(t, want, string(x.FromServer([]byte(c.received))))
			require.Equal(t, c.received, string(x.FromServer([]byte(c.received))), "an answer that came already")
		})
	}
}

// TestPendingIsBounded: of requests that are never answered only so many are
// remembered.
func TestPendingIsBounded(t *testing.T) {
	x := exchange()
	for i := range 10_001 {
		x.FromClient([]byte(`{"id":` + strconv.Itoa(i) + `,"method":"tools/call","params":{"name":"t"}}`))
	}
	last := `{"id":10000,"result":` + string(result(rows)) + `}`
	require.Equal(t, last, string(x.FromServer([]byte(last))))
	first := `{"id":0,"result":` + string(result(rows)) + `}`
	require.NotEqual(t, first, string(x.FromServer([]byte(first))))
}

// TestRequestsAreBounded: a request whose id or names are long is not kept.
func TestRequestsAreBounded(t *testing.T) {
	for _, c := range []struct{ id, params string }{
		{`"%s"`, `{"name":"t"}`},
		{`1`, `{"name":"%s"}`},
		{`1`, `{"name":"t","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"%s"}}}`},
	} {
		for n, kept := range map[int]bool{7000: true, 9000: false} {
			long := strings.Repeat("x", n)
			id := strings.ReplaceAll(c.id, "%s", long)
			x := exchange()
			x.FromClient([]byte(`{"id":` + id + `,"method":"tools/call","params":` + strings.ReplaceAll(c.params, "%s", long) + `}`))
			answer := `{"id":` + id + `,"result":` + string(result(rows)) + `}`
			require.Equal(t, kept, answer != string(x.FromServer([]byte(answer))), "%.100s %d", c.params, n)
		}
	}
}

// TestClientsAreBounded: what a client says of itself is kept unless it is long. Then its
// results stay as they are.
func TestClientsAreBounded(t *testing.T) {
	for _, params := range []string{
		`{"clientInfo":{"name":"%s"}}`,
		`{"capabilities":{"extensions":{"dev.wirekit/format":{"accept":["gcx","%s"]}}}}`,
	} {
		for n, kept := range map[int]bool{7000: true, 9000: false} {
			x := exchange()
			x.FromClient([]byte(`{"id":1,"method":"initialize","params":` + strings.ReplaceAll(params, "%s", strings.Repeat("x", n)) + `}`))
			held := len(x.Client().Name) + len(strings.Join(x.Client().Accept, ""))
			require.Equal(t, kept, held >= n, "%.50s %d", params, n)
			x.FromClient([]byte(`{"id":2,"method":"tools/call","params":{"name":"t"}}`))
			answer := `{"id":2,"result":` + string(result(rows)) + `}`
			require.Equal(t, kept, answer != string(x.FromServer([]byte(answer))), "%.50s %d", params, n)
		}
	}
}

// random returns a value with what is awkward for formats and for splicing.
func random(r *rand.Rand, depth int) string {
	switch n := r.IntN(9); {
	case n < 3 && depth > 0:
		keys := []string{"id", "name", "a b", "content", "", "x\"y", "<tag>"}
		var list []string
		for i := range 2 + r.IntN(8) {
			var members []string
			for k, key := range keys[:1+r.IntN(len(keys))] {
				if k != i%7 {
					members = append(members, q(key)+":"+random(r, depth-1))
				}
			}
			list = append(list, "{"+strings.Join(members, ",")+"}")
		}
		return "[" + strings.Join(list, ", ") + "]"
	case n < 4 && depth > 0:
		return `{"only":` + random(r, depth-1) + `,"k":` + random(r, depth-1) + `}`
	case n < 6:
		return []string{"12345678901234567890", "1.10", "-0", "1e400", "0", "true", "null", "3.0"}[r.IntN(8)]
	}
	return q([]string{"", "plain words", "12", "true", "GCX1 a", "## x", "[]", "a\tb\nc\\", "漢\u2028字", "null", "- x", "{\"a\":1}"}[r.IntN(12)])
}

// TestProperties: whatever the result is, a second time changes nothing, the
// text decodes to the data, no model is shown more tokens, and what is not
// rewritten stays byte for byte.
func TestProperties(t *testing.T) {
	rounds := trials.Of(1000)
	rnd := rand.New(rand.NewPCG(1, 2))
	converted := 0
	for range rounds {
		data := random(rnd, 4)
		text := data
		if rnd.IntN(2) == 0 {
			text = pretty(t, data)
		}
		before := fmt.Sprintf(`{"n": 1.50, "content":[{"type":"text" ,"text":%s, "z":[ ]}] `, q(text))
		both := rnd.IntN(2) == 0
		in := before + `, "y":-0}`
		if both {
			in = before + `, "structuredContent": ` + data + ` , "y":-0}`
		}
		r := &mcp.Rewriter{MinTokens: -1, Mode: []mcp.Mode{mcp.ModeReplace, mcp.ModeText}[rnd.IntN(2)]}
		out, e := r.RewriteResult(mcp.Call{Tool: "t"}, []byte(in))
		require.NotEqual(t, "failed", e.Reason, in)
		again, _ := r.RewriteResult(mcp.Call{Tool: "t"}, out)
		require.Equal(t, string(out), string(again))
		if e.Reason != mcp.ReasonConverted {
			require.Equal(t, in, string(out))
			continue
		}
		converted++
		require.Less(t, e.TokensOut, e.TokensIn)
		have := codectest.JSON(t, decodedText(t, out))
		want := codectest.JSON(t, data)
		require.True(t, wire.Equal(want, have), "%s\n%s", in, out)
		// The rest is found again by putting back what was changed.
		v := codectest.JSON(t, out)
		list, _ := v.Get("content")
		block, _ := list.Index(0).Get("text")
		rest := strings.Replace(string(out), q(block.Text())+`, "z":[ ],"_meta":{"dev.wirekit/format":"`+e.Format+`"}`, q(text)+`, "z":[ ]`, 1)
		if both && r.Mode == mcp.ModeReplace {
			in = strings.Replace(in, ` , "structuredContent": `+data+` , `, ` , `, 1)
		}
		require.Equal(t, strings.Join(strings.Fields(in), ""), strings.Join(strings.Fields(rest), ""))
	}
	require.Greater(t, converted, rounds/20)
}

// FuzzReceived: any bytes are forwarded or rewritten, never lost; what is
// rewritten is JSON, and a second time changes nothing.
func FuzzReceived(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":` + string(result(rows)) + `}`))
	f.Add([]byte(`{"id":1,"result":{"content":[],"structuredContent":` + rows + `}}`))
	f.Add([]byte(`{"id":1,"result":{"structuredContent":{"a":` + rows + `},"content":[{"type":"text","text":"x"}],"isError":false}}`))
	f.Add([]byte(`[{"id":1,"result":{"structuredContent":{"a":` + rows + `}}},7]`))
	f.Add([]byte(`{"id":1,"result":{"content":[{"text":` + q(rows) + `,"type":"text","_meta":{ }}]}}`))
	f.Add([]byte(`{"id":1,"result":{"tools":[{"name":"a","description":"d","inputSchema":{"$comment":"x","title":"A","$schema":"http://json-schema.org/draft-07/schema#",` +
		`"properties":{"a":{"title":"A","description":"d","items":[{"$comment":1}]}}},"outputSchema":{"title":""}}]}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, mode := range []mcp.Mode{mcp.ModeReplace, mcp.ModeText} {
			for _, method := range []string{"tools/call", "tools/list", "initialize"} {
				request := []byte(`{"id":1,"method":"` + method + `","params":{"name":"t"}}`)
				x := &mcp.Session{Rewriter: &mcp.Rewriter{Mode: mode, MinTokens: -1, Instructions: "Read.", Prune: true}}
				kept := string(message)
				x.FromClient(message)
				x.FromClient(request)
				out := x.FromServer(message)
				require.Equal(t, kept, string(message), "the message itself was changed")
				if string(out) == kept {
					continue
				}
				x.FromClient(request)
				require.Equal(t, string(out), string(x.FromServer(out)), "%s", kept)
			}
		}
	})
}

// TestServerName: events have the name that the server gave itself, unless the user has
// named it.
func TestServerName(t *testing.T) {
	named := func(name, introduction string) (server string) {
		x := &mcp.Session{Rewriter: &mcp.Rewriter{Server: name, MinTokens: -1, Observe: func(e mcp.Event) { server = e.Server }}}
		x.FromClient([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
		x.FromServer([]byte(`{"jsonrpc":"2.0","id":1,"result":` + introduction + `}`))
		x.FromClient([]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}`))
		x.FromServer([]byte(`{"jsonrpc":"2.0","id":2,"result":` + string(result(rows)) + `}`))
		return server
	}
	require.Equal(t, "files", named("", `{"serverInfo":{"name":"files","version":"1"}}`))
	require.Equal(t, "mine", named("mine", `{"serverInfo":{"name":"files"}}`))
	require.Empty(t, named("", `{}`))
	require.Empty(t, named("", `{"serverInfo":{"name":7}}`))
	require.Empty(t, named("", `{"serverInfo":{"name":"`+strings.Repeat("x", 1000)+`"}}`))
}
