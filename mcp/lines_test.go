package mcp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/mcp"
)

// printed is what a compiler prints.
var printed = strings.Repeat("internal/server/router.go:38:7: req.Hedaer undefined (type *http.Request has no field or method Hedaer)\n", 12) +
	"internal/server/static.go:80:1: missing return\n"

// TestLines: text that is not JSON is encoded where a rule says so, and nowhere else.
func TestLines(t *testing.T) {
	text := `{"content":[{"type":"text","text":` + q(printed) + `}]}`
	wrapped := `{"content":[{"type":"text","text":` + q(printed) + `}],"structuredContent":{"result":` + q(printed) + `}}`
	json := `{"content":[{"type":"text","text":` + q(rows) + `}]}`
	accepts := func(formats ...string) mcp.Client { return mcp.Client{Accept: formats} }
	for _, c := range []struct {
		name, in, format string // no format: as it was
		rules            []string
		mode             mcp.Mode
		call             mcp.Call
	}{
		{name: "no rule", in: text},
		{name: "a rule", in: text, rules: []string{"build=lines"}, format: "lines:legend"},
		{name: "a rule for a mode", in: text, rules: []string{"build=text,lines"}, format: "lines:legend"},
		{name: "another form", in: text, rules: []string{"build=lines:plain"}, format: "lines:plain"},
		{name: "another tool", in: text, rules: []string{"test=lines"}},
		{name: "off", in: text, rules: []string{"build=lines,off"}},
		{name: "a dry run", in: text, rules: []string{"build=lines"}, mode: mcp.ModeDryRun, format: "lines:legend"},
		{name: "quoted in structuredContent", in: wrapped, rules: []string{"build=lines"}, format: "lines:legend"},
		{name: "quoted, mode text", in: wrapped, rules: []string{"build=lines,text"}, format: "lines:legend"},
		{name: "JSON", in: json, rules: []string{"build=lines,gcx"}, format: "gcx"},
		{name: "the client wants JSON", in: text, rules: []string{"build=lines"}, call: mcp.Call{Format: "json"}},
		{name: "the client wants a format", in: text, rules: []string{"build=lines"}, call: mcp.Call{Format: "gcf"}},
		{name: "the client takes others", in: text, rules: []string{"build=lines"}, call: mcp.Call{Client: accepts("gcf")}},
		{name: "the client takes it", in: text, rules: []string{"build=lines"}, call: mcp.Call{Client: accepts("gcf", "lines")}, format: "lines:legend"},
		{name: "what it makes is not smaller", in: `{"content":[{"type":"text","text":` + q(strings.Repeat("ab ", 300)+strings.ReplaceAll(printed[:90], " ", "\n")) + `}]}`, rules: []string{"*=lines:plain"}},
		{name: "too long", in: `{"content":[{"type":"text","text":` + q(strings.Repeat(printed, 300)) + `}]}`, rules: []string{"build=lines"}},
		{name: "an error", in: strings.TrimSuffix(text, "}") + `,"isError":true}`, rules: []string{"build=lines"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mcp.Rewriter{Mode: c.mode, MinTokens: 50}
			for _, text := range c.rules {
				rule, err := mcp.ParseRule(text)
				require.NoError(t, err)
				r.Rules = append(r.Rules, rule)
			}
			require.NoError(t, r.Validate())
			c.call.Tool = "build"
			out, e := r.RewriteResult(c.call, []byte(c.in))
			require.Equal(t, c.format, e.Format, e.Reason)
			if c.format == "" || c.mode == mcp.ModeDryRun {
				require.Equal(t, c.in, string(out))
				require.Equal(t, c.format != "", e.Reason == mcp.ReasonConverted)
				return
			}
			require.Contains(t, string(out), `"_meta":{"dev.wirekit/format":"`+c.format+`"}`)
			if !strings.HasPrefix(c.format, "lines") {
				return
			}
			require.Less(t, e.TokensOut, e.TokensIn/2)
			content, _ := splice.Find(out, splice.Whole(out), "content")
			blocks, _ := splice.FindElements(out, content)
			at, _ := splice.Find(out, blocks[0], "text")
			encoded, _ := splice.StringAt(out, at)
			back, err := lines.Decode([]byte(encoded))
			require.NoError(t, err)
			require.Equal(t, printed, string(back))
		})
	}
}

func TestLinesRules(t *testing.T) {
	rule, err := mcp.ParseRule("build=lines,fold,gcf")
	require.NoError(t, err)
	require.Equal(t, mcp.Rule{Tool: "build", Fold: true, Lines: "lines:legend", Formats: []string{"gcf"}}, rule)
	for text, part := range map[string]string{
		"build=lines:free":        `there is no "lines:free", but lines:legend and lines:plain`,
		"build=lines,lines:plain": "has lines twice",
	} {
		_, err := mcp.ParseRule(text)
		require.ErrorContains(t, err, part)
	}
	r := mcp.Rewriter{Rules: []mcp.Rule{{Tool: "*", Lines: "plain"}}}
	require.ErrorContains(t, r.Validate(), `there is no "plain"`)
}
