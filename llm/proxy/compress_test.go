package proxy_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
	"github.com/wirekit/wirekit/mcp"
)

type answer struct {
	Messages     json.RawMessage `json:"messages"`
	TokensBefore int             `json:"tokens_before"`
	TokensAfter  int             `json:"tokens_after"`
	TokensSaved  int             `json:"tokens_saved"`
	Ratio        float64         `json:"compression_ratio"`
	Transforms   []string        `json:"transforms_applied"`
	Hashes       []string        `json:"ccr_hashes"`
	Error        struct{ Type, Message string }
}

func compress(t *testing.T, at, body string, header ...string) (int, answer) {
	t.Helper()
	req, err := http.NewRequest("POST", at+"/v1/compress", strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	var a answer
	require.NoError(t, json.Unmarshal(text, &a), "%s", text)
	return resp.StatusCode, a
}

// part returns the messages of a request, byte for byte.
func part(t *testing.T, body string) string {
	t.Helper()
	var in struct{ Messages json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(body), &in))
	return string(in.Messages)
}

// TestCompress: what gateways ask and what they are answered.
func TestCompress(t *testing.T) {
	plain, made := chat(t)
	at := front(t, &proxy.Handler{}, nil)
	status, a := compress(t, at, strings.Replace(plain, `"model":"m"`, `"model":"m","config":{"x":1},"token_budget":5`, 1))
	require.Equal(t, 200, status)
	require.Equal(t, part(t, made), string(a.Messages))
	require.Positive(t, a.TokensSaved)
	require.Equal(t, a.TokensBefore-a.TokensSaved, a.TokensAfter)
	require.InDelta(t, float64(a.TokensAfter)/float64(a.TokensBefore), a.Ratio, 1e-4)
	require.Len(t, a.Transforms, 1)
	require.NotNil(t, a.Hashes)
	require.Empty(t, a.Hashes)

	const anthropic = `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":«R»}]}]}]}`
	in := strings.Replace(anthropic, "«R»", q(rows), 1)
	out, _ := (&llm.Rewriter{MinTokens: -1}).RewriteRequest([]byte(in), llm.ShapeMessages)
	status, a = compress(t, at, in)
	require.Equal(t, 200, status)
	require.Equal(t, part(t, string(out)), string(a.Messages))

	for name, body := range map[string]string{
		"nothing to do":  `{"messages":[{"role":"user","content":"hi","x":1.0}]}`,
		"empty":          `{"messages":[]}`,
		"odd content":    `{"messages":[{"role":"tool","content":7},{"role":"user"}]}`,
		"with a trigger": `{"messages":[{"role":"tool","content":"hash=0123456789abcdef01234567"}]}`,
	} {
		status, a = compress(t, at, body)
		require.Equal(t, 200, status, name)
		require.Equal(t, part(t, body), string(a.Messages), name)
		require.Zero(t, a.TokensSaved, name)
	}
	_, a = compress(t, at, plain, "X-Headroom-Bypass", "true")
	require.Equal(t, part(t, plain), string(a.Messages))
	require.Zero(t, a.TokensSaved)

	for _, body := range []string{``, `{`, `[]`, `{"messages":{}}`, `{"messages":[7]}`, `{}`, `{"messages":[],"messages":[]}`, `{"messages":[{"role":"tool","content":"\ud800"}]}`} {
		status, a = compress(t, at, body)
		require.Equal(t, 400, status, body)
		require.Equal(t, "invalid_request_error", a.Error.Type)
		require.NotEmpty(t, a.Error.Message)
	}
	for _, body := range []string{`{"input":[]}`, `{"input":"x"}`, `{"contents":[]}`} {
		status, a = compress(t, at, body)
		require.Equal(t, 400, status)
		require.Contains(t, a.Error.Message, "only messages is read")
	}
	resp, err := http.Get(at + "/v1/compress")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode)
	for path, want := range map[string]int{"/health": 200, "/v1/retrieve/0123456789abcdef01234567": 404, "/v1/chat/completions": 404} {
		resp, err := http.Get(at + path)
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode)
		require.True(t, json.Valid(text))
	}
}

// TestCompressLimits: tokens, sizes and the mode that only measures.
func TestCompressLimits(t *testing.T) {
	plain, made := chat(t)
	at := front(t, &proxy.Handler{Token: "s"}, nil)
	for _, header := range [][]string{{"Authorization", "Bearer s"}, {"X-Headroom-Proxy-Token", "s"}, {proxy.TokenHeader, "s"}} {
		status, a := compress(t, at, plain, header...)
		require.Equal(t, 200, status)
		require.Equal(t, part(t, made), string(a.Messages))
	}
	for _, header := range [][]string{nil, {"Authorization", "Bearer x"}, {"Authorization", "s"}} {
		status, a := compress(t, at, plain, header...)
		require.Equal(t, 401, status)
		require.Equal(t, "authentication_error", a.Error.Type)
	}
	at = front(t, &proxy.Handler{Rewriter: &llm.Rewriter{MaxBytes: len(plain) - 1}}, nil)
	status, a := compress(t, at, plain)
	require.Equal(t, 413, status)
	require.Equal(t, "request_too_large", a.Error.Type)
	at = front(t, &proxy.Handler{Rewriter: &llm.Rewriter{MinTokens: -1, Mode: mcp.ModeDryRun}}, nil)
	_, a = compress(t, at, plain)
	require.Equal(t, part(t, plain), string(a.Messages))
	require.Positive(t, a.TokensSaved, "what would be saved")
}
