package llm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A bill is the tokens of a conversation: those of messages that a request has for the
// first time, which a provider writes to its cache, and those that it had on the turn
// before, which it reads from there.
type bill struct{ written, read int }

// billOf counts the texts of all messages, turn by turn.
func billOf(t *testing.T, bodies [][]byte) (b bill) {
	known := map[string]int{}
	before := 0
	for _, body := range bodies {
		v := codectest.JSON(t, body)
		var list wire.Value
		for _, name := range []string{"messages", "input", "contents"} {
			if found, has := v.Get(name); has {
				list = found
			}
		}
		for i := range list.Len() {
			n := 0
			for _, text := range texts(list.Index(i), nil) {
				if _, has := known[text]; !has {
					count, err := tokens.Default().Count([]byte(text))
					require.NoError(t, err)
					known[text] = count
				}
				n += known[text]
			}
			if i < before {
				b.read += n
			} else {
				b.written += n
			}
		}
		before = list.Len()
	}
	return b
}

// texts returns the strings in a message, and objects of Gemini's as their JSON.
func texts(v wire.Value, all []string) []string {
	switch v.Kind() {
	case wire.KindString:
		return append(all, v.Text())
	case wire.KindArray:
		for e := range v.Elements() {
			all = texts(e, all)
		}
	case wire.KindObject:
		for key, e := range v.Members() {
			if key == "response" && e.Kind() == wire.KindObject {
				all = append(all, string(wire.AppendJSON(nil, e)))
			} else {
				all = texts(e, all)
			}
		}
	}
	return all
}

// TestSaving: no conversation and no turn of one has more tokens than it had, and the
// table of the docs says what was saved. UPDATE_DOCS=1 writes it.
func TestSaving(t *testing.T) {
	trials.OneGoroutine(t)
	var table strings.Builder
	table.WriteString("| conversation | turns | written to the cache | with the proxy | read from it | with the proxy | saved |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range conversations(t) {
		r := &llm.Rewriter{Objects: c.name == "made-gemini"}
		var plain, made [][]byte
		for _, request := range c.requests {
			out, report := r.RewriteRequest(request.Body, llm.Detect(request.Path, nil))
			require.LessOrEqual(t, report.TokensOut, report.TokensIn)
			plain, made = append(plain, request.Body), append(made, out)
		}
		before, after := billOf(t, plain), billOf(t, made)
		require.LessOrEqual(t, after.written, before.written, c.name)
		require.LessOrEqual(t, after.read, before.read, c.name)
		saved := 100 - 100*float64(after.written+after.read)/float64(before.written+before.read)
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d | %d | %.1f %% |\n", c.name, len(c.requests), before.written, after.written, before.read, after.read, saved)
	}
	const page, first, last = "../docs/llm.md", "<!-- conversations -->\n\n", "\n<!-- end -->"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), first)
	require.True(t, ok)
	_, tail, ok := strings.Cut(rest, last)
	require.True(t, ok)
	want := head + first + table.String() + last + tail
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "UPDATE_DOCS=1 writes the table")
}
