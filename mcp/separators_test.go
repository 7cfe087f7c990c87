package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/mcp"
)

// TestSeparators: what is put into a message has no line end of any reader of lines, however
// the server has written it, and decodes to the same text.
func TestSeparators(t *testing.T) {
	for _, separator := range []string{"\u2028", "\u2029", "\u2028\u2029", `\u2028`, `\u2029`, `\u2028\u2029`} {
		var list []string
		for i := range 40 {
			list = append(list, fmt.Sprintf(`{"number":%d,"no%[2]ste":"a%[2]sb"}`, i, separator))
		}
		rows := "[" + strings.Join(list, ",") + "]"
		escaped := strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(rows)
		for _, format := range []string{"gcf", "gcx", "glyph", "toon"} {
			r := &mcp.Rewriter{Formats: []string{format}, Instructions: "read\u2028it\u2029so", MinTokens: -1}
			for name, result := range map[string]string{
				"text":       `{"content":[{"type":"text","text":` + q(escaped) + `}]}`,
				"structured": `{"content":[],"structuredContent":{"rows":` + escaped + `}}`,
				"both":       `{"content":[{"type":"text","text":` + q(escaped) + `}],"structuredContent":` + escaped + `}`,
			} {
				out, e := r.RewriteResult(mcp.Call{Tool: "t"}, []byte(result))
				require.Equal(t, mcp.ReasonConverted, e.Reason, "%s %s", format, name)
				isOneLine(t, out)
			}
			for _, result := range []string{`{"protocolVersion":"v"}`, `{"instructions":"a\u2028b","protocolVersion":"v"}`} {
				out := r.RewriteInitialize([]byte(result))
				isOneLine(t, out)
				require.Contains(t, string(out), `read\u2028it\u2029so"`)
			}
		}
	}
}

func isOneLine(t *testing.T, out []byte) {
	t.Helper()
	require.True(t, json.Valid(out))
	require.False(t, strings.ContainsAny(string(out), "\r\n\u2028\u2029"), "%.300s", out)
}
