package llm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/tokens"
)

// TestLines: texts of tools with such a rule become lines, the same on every turn, and
// all others stay.
func TestLines(t *testing.T) {
	printed := strings.Repeat("internal/server/router.go:38:7: req.Hedaer undefined (type *http.Request has no field or method Hedaer)\n", 12) + "exit status 1\n"
	encoded, report := lines.Encode([]byte(printed), lines.Options{Counter: tokens.O200k{}, NoLegend: true})
	require.True(t, report.Encoded)
	body := `{"messages":[` + chatCall + `,{"role":"tool","tool_call_id":"c1","content":` + q(printed) + `},` +
		`{"role":"tool","tool_call_id":"c2","content":` + q(printed) + `},{"role":"user","content":` + q(printed) + `}]}`
	want := strings.Replace(body, q(printed), q(string(encoded)), 1)
	for _, memory := range []int{0, -1} {
		r := &llm.Rewriter{Rules: []mcp.Rule{{Tool: "list", Lines: "lines:plain"}}, Users: true, Memory: memory}
		for range 2 {
			out, report := r.RewriteRequest([]byte(body), llm.ShapeChat)
			require.Equal(t, want, string(out))
			require.Equal(t, "lines:plain", report.Blocks[0].Format)
			require.Equal(t, "not-json", report.Blocks[1].Reason)
		}
	}
	out, _ := new(llm.Rewriter).RewriteRequest([]byte(body), llm.ShapeChat)
	require.Equal(t, body, string(out))
}
