package llm_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// goldenLength is up to where a text is kept whole. Of longer ones there is a hash.
const goldenLength = 8 << 10

// TestProfileTexts: the texts of the profile are those of its golden files. If this
// fails, conversations that are under way would lose their caches: either the change
// was not meant, or Profile needs a new name, and UPDATE_GOLDEN=1 writes the files.
func TestProfileTexts(t *testing.T) {
	trials.OneGoroutine(t)
	dir := filepath.Join("testdata", llm.Profile)
	r := &llm.Rewriter{}
	var sums strings.Builder
	whole := map[string]string{}
	for _, p := range payload.All() {
		for style, text := range map[string]string{"compact": string(p.JSON), "indented": string(codectest.Encoded(t, wire.JSON{Indent: "  "}, p.Value))} {
			block, made := rewritten(t, r, text)
			if style == "compact" {
				fmt.Fprintf(&sums, "%s\t%s\t%s\t%d\t%d\t%x\n", p.Kind, block.Reason, block.Format, block.TokensIn, block.TokensOut, sha256.Sum256([]byte(made)))
			} else if block.Reason == mcp.ReasonConverted {
				require.LessOrEqual(t, block.TokensOut*10, block.TokensIn*9, p.Kind)
			}
			if style == "compact" && block.Reason == mcp.ReasonConverted && len(made) < goldenLength {
				whole[strings.NewReplacer(" ", "_", ":", "").Replace(p.Kind)+"."+strings.ReplaceAll(block.Format, ":", "-")] = made
			}
		}
	}
	whole["all.tsv"] = sums.String()
	require.Greater(t, len(whole), 5)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for name, text := range whole {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, len(whole))
	for name, text := range whole {
		want, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, string(want), text, name)
	}
}

// rewritten returns what a text becomes as the result of a tool, after checking that it
// decodes to what it was.
func rewritten(t testing.TB, r *llm.Rewriter, text string) (llm.Block, string) {
	t.Helper()
	out, report := r.RewriteRequest([]byte(`{"messages":[{"role":"tool","content":`+q(text)+`}]}`), llm.ShapeChat)
	require.Len(t, report.Blocks, 1)
	list, ok := splice.Find(out, splice.Whole(out), "messages")
	require.True(t, ok)
	elements, _ := splice.FindElements(out, list)
	at, _ := splice.Find(out, elements[0], "content")
	made, ok := splice.StringAt(out, at)
	require.True(t, ok)
	checkText(t, report.Blocks[0], text, made)
	return report.Blocks[0], made
}

// checkText fails unless a block's text is the original, or decodes to it.
func checkText(t testing.TB, b llm.Block, original, made string) {
	t.Helper()
	if b.Reason != mcp.ReasonConverted {
		require.Equal(t, original, made)
		return
	}
	codec, err := wirekit.Lookup(b.Format)
	require.NoError(t, err)
	want := codectest.JSON(t, original)
	have := codectest.Decoded(t, codec, made)
	require.True(t, wire.Identical(want, have), "%s: %s", b.Format, made)
}

// TestSameWithoutMemory: what is remembered changes no text, however little room there is.
func TestSameWithoutMemory(t *testing.T) {
	sure := &llm.Rewriter{Memory: -1}
	for _, room := range []int{1, 2000, 20000, 0} {
		r := &llm.Rewriter{Memory: room}
		for range 2 {
			for i, p := range payload.All() {
				if len(p.JSON) > 6<<10 {
					continue
				}
				want, one := rewritten(t, sure, string(p.JSON))
				have, other := rewritten(t, r, string(p.JSON))
				require.Equal(t, want, have, "%d %d", room, i)
				require.Equal(t, one, other)
			}
		}
	}
}
