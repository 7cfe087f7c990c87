package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// TestAuditShowsControls: no output of audit has a character of a tool's name that does
// more than to be seen.
func TestAuditShowsControls(t *testing.T) {
	dir := t.TempDir()
	var messages []string
	for i, c := range []string{"\x1b[31m", "\x07", "\x00", "\x7f", "\u0085", "\u009b", "\u202e", "\u2028", "\u2066", "\ufeff", "\u200b", "\n", "\r", "\t", "\U000e0041"} {
		name, err := json.Marshal("tool" + c + "x")
		require.NoError(t, err)
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"c%d","function":{"name":%s}}]},{"role":"tool","tool_call_id":"c%[1]d","content":"some text that it returned"}`, i, name))
	}
	log, page := filepath.Join(dir, "requests.jsonl"), filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(log, []byte(`{"model":"m","messages":[`+strings.Join(messages, ",")+"]}\n"), 0o600))
	var out, errs strings.Builder
	require.Zero(t, run([]string{"audit", "--html", page, log}, &cli.Console{In: strings.NewReader(""), Out: &out, Err: &errs}), errs.String())
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for where, text := range map[string]string{"page": string(text), "text": out.String()} {
		require.GreaterOrEqual(t, strings.Count(text, `tool\u`), 15, where)
		for _, r := range text {
			require.True(t, r == '\n' || r == ' ' || unicode.IsGraphic(r), "%s: %q", where, r)
		}
		require.NotContains(t, text, "tool\n", where)
	}
}
