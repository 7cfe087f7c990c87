//go:build interop

package interop

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

//go:embed toonbench
var toonBenchmark embed.FS

// toonBenchmarkJSON are the tokens of the datasets as compact JSON, as TOON's
// benchmark publishes them: the proof that these are its datasets.
var toonBenchmarkJSON = map[string]int{
	"tabular": 79057, "nested": 68944, "analytics": 14211, "event-logs": 128529,
	"nested-config": 552, "keyed": 15635, "nested-group": 46791, "github": 11640,
}

// TestInteropBenchmark makes the datasets of TOON's token benchmark and chooses
// among formats for them. Seven are generated; the eighth is a list of
// repositories that the project keeps as benchmarks/data/github-repos.json, and
// is measured too if WIREKIT_TOON_REPOSITORIES names that file. Without it, its
// part of the most that all may take is subtracted.
func TestInteropBenchmark(t *testing.T) {
	datasets := toonDatasets(t)
	without, with, folded := 245_398, 244_800, 238_500
	if file := os.Getenv("WIREKIT_TOON_REPOSITORIES"); file != "" {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		list := codectest.JSON(t, text)
		datasets["github"], err = wire.Object(wire.Member{Key: "repositories", Value: list})
		require.NoError(t, err)
	} else {
		t.Log("without the list of repositories: WIREKIT_TOON_REPOSITORIES does not name it")
		const best, bestFolded = 8_645, 8_091
		without, with, folded = without-best, with-best, folded-bestFolded
	}
	sums := map[string]int{}
	rows := map[string]string{} // of the table in docs/toon.md
	for name, v := range datasets {
		compact, err := tokens.O200k{}.Count(wire.AppendJSON(nil, v))
		require.NoError(t, err)
		require.Equal(t, toonBenchmarkJSON[name], compact, name)
		most := chosenTokens(t, v, "gcf", "gcx", "glyph")
		least := chosenTokens(t, v)
		t.Logf("%s: %d without TOON, %d with it", name, most, least)
		rows[name] = datasetRow(t, name, v, least)
		sums["json"] += compact
		sums["without TOON"] += most
		sums["with TOON"] += least
		sums["folded"] += min(least, foldedTokens(t, v))
	}
	t.Logf("%d datasets, tokens of o200k_base: %v", len(datasets), sums)
	require.LessOrEqual(t, sums["without TOON"], without)
	require.LessOrEqual(t, sums["with TOON"], with)
	require.LessOrEqual(t, sums["folded"], folded)
	settleRows(t, "../docs/toon.md", rows)
}

// datasetRow is the line of a dataset in the table, with a column for each format.
func datasetRow(t *testing.T, name string, v wire.Value, chosen int) string {
	pretty, err := wire.JSON{Indent: "  "}.AppendEncode(nil, v)
	require.NoError(t, err)
	n, err := tokens.O200k{}.Count(pretty)
	require.NoError(t, err)
	row := fmt.Sprintf("| %s | %d |", name, n)
	for _, format := range []string{"json", "toon", "gcf", "gcx", "glyph"} {
		c, err := wirekit.Lookup(format)
		require.NoError(t, err)
		text, err := c.AppendEncode(nil, v)
		require.NoError(t, err)
		n, err := tokens.O200k{}.Count(text)
		require.NoError(t, err)
		row += fmt.Sprintf(" %d |", n)
	}
	return row + fmt.Sprintf(" **%d** |", chosen)
}

// settleRows compares the lines of a page that begin as rows do with them, or writes
// them if UPDATE_DOCS is set.
func settleRows(t *testing.T, page string, rows map[string]string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	lines, found := strings.Split(string(text), "\n"), 0
	for i, line := range lines {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		row, ok := rows[name]
		if !ok || !strings.HasPrefix(line, "| ") {
			continue
		}
		found++
		if os.Getenv("UPDATE_DOCS") == "" {
			require.Equal(t, row, line, page)
		}
		lines[i] = row
	}
	require.Equal(t, len(rows), found, page)
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(page, []byte(strings.Join(lines, "\n")), 0o644))
	}
}

// toonDatasets runs the generator.
func toonDatasets(t *testing.T) map[string]wire.Value {
	needsNode(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, toonBenchmark))
	dir = filepath.Join(dir, "toonbench")
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
	install.Dir = dir
	out, err := install.CombinedOutput()
	require.NoError(t, err, "npm install: %s", out)
	node := exec.Command("node", "datasets.mjs")
	node.Dir = dir
	output, err := node.Output()
	require.NoError(t, err)
	datasets := map[string]wire.Value{}
	for v, err := range (jsonl.Codec{}).Records(bytes.NewReader(output)) {
		require.NoError(t, err)
		name, _ := v.Get("name")
		data, _ := v.Get("data")
		datasets[name.Text()] = data.Clone()
	}
	return datasets
}

func chosenTokens(t *testing.T, v wire.Value, candidates ...string) int {
	best, err := wirekit.Choose(context.Background(), v, candidates...)
	require.NoError(t, err)
	n, err := tokens.O200k{}.Count(best.Encoded)
	require.NoError(t, err)
	return n
}

// foldedTokens is the best of the formats folded, whatever is saved.
func foldedTokens(t *testing.T, v wire.Value) int {
	best := 0
	for _, name := range []string{"json", "gcf", "gcx", "glyph", "toon"} {
		inner, err := wirekit.Lookup(name)
		require.NoError(t, err)
		folded, r, err := fold.Fold(inner, v, fold.Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1})
		require.NoError(t, err)
		back, err := fold.Unfold(folded, wire.Limits{})
		require.NoError(t, err)
		require.True(t, wire.Equal(v, back))
		if best == 0 || r.After < best {
			best = r.After
		}
	}
	return best
}
