package llm_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
)

// FuzzRequest: any bytes as a body come back as they were, or rewritten: everything
// outside of the blocks is equal, and every rewritten block decodes to its original.
func FuzzRequest(f *testing.F) {
	small := q(rows)
	f.Add([]byte(`{"messages":[`+chatCall+`,{"role":"tool","tool_call_id":"c1","content":`+small+`},{"role":"user","content":[{"type":"tool_result","content":`+small+`}]}]}`), byte(1))
	f.Add([]byte(`{"input":[{"type":"function_call_output","output":[{"type":"input_text","text":`+small+`}]}]}`), byte(2))
	f.Add([]byte(strings.ReplaceAll(`{"messages":[`+toolUse+`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":«R»}]}]}]}`, "«R»", small)), byte(3))
	f.Add([]byte(`{"contents":[{"parts":[{"functionResponse":{"name":"x","response":{"a":`+rows+`}}}]}]}`), byte(4))
	f.Add([]byte(`{"messages":[{"role":"tool","content":"[{\"a\":1.10,\"b\":\"\\u0000\\n\"},{\"a\":-0,\"b\":\"\"}]"}]`), byte(1))
	for i, p := range payload.All() {
		if len(p.JSON) < 2<<10 {
			f.Add([]byte(`{"messages":[{"role":"tool","content":`+q(string(p.JSON))+`}]}`), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, which byte) {
		r := &llm.Rewriter{MinTokens: -1, MinSaving: -1, Objects: true, Users: which&8 != 0, Documents: which&16 != 0, Memory: -1}
		shape := llm.Shape(which % 5)
		if which&32 != 0 {
			shape = llm.Detect("", body)
		}
		before := bytes.Clone(body)
		edits, report := r.Edits(body, shape)
		out, _ := r.RewriteRequest(body, shape)
		require.Equal(t, before, body, "the body that was given")
		require.Empty(t, report.Error)
		splice.Sort(edits)
		changed := slices.DeleteFunc(slices.Clone(report.Blocks), func(b llm.Block) bool { return b.Reason != mcp.ReasonConverted })
		require.Len(t, edits, len(changed))
		at, shift := 0, 0
		for i, e := range edits {
			require.Equal(t, string(body[at:e.Start]), string(out[at+shift:e.Start+shift]))
			shift += len(e.Text) - (e.End - e.Start)
			at = e.End
			original, ok := splice.StringAt(body, e.Span)
			made := e.Text
			if !ok { // Gemini's object
				original = string(e.Of(body))
				made = made[len(`{"output":`) : len(made)-1]
			}
			text, ok := splice.Unquote(made)
			require.True(t, ok)
			checkText(t, changed[i], original, text)
			require.Less(t, changed[i].TokensOut, changed[i].TokensIn)
		}
		require.Equal(t, string(body[at:]), string(out[at+shift:]))
	})
}
