package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func measures(t *testing.T) []measure {
	if testing.Short() {
		t.Skip("runs without -short: it measures every payload")
	}
	return measurePayloads()
}

// TestTokens holds that the pages have the tables and charts that the command prints.
// UPDATE_DOCS=1 brings them up to date.
func TestTokens(t *testing.T) {
	m := measures(t)
	for _, table := range tokenTables(func() []measure { return m }) {
		file := filepath.Join("..", "..", "..", "docs", filepath.FromSlash(table.page))
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		var text strings.Builder
		table.print(&text)
		want, err := replace(string(have), table.name, text.String())
		require.NoError(t, err, file)
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
			continue
		}
		is, should := strings.Split(string(have), "\n"), strings.Split(want, "\n")
		for i := range min(len(is), len(should)) {
			require.Equal(t, should[i], is[i], "%s:%d is out of date: UPDATE_DOCS=1 go test ./internal/tools/tables", file, i+1)
		}
		require.Len(t, is, len(should))
	}
}

// TestFiles: the listing of the pages is that of the payloads, and the files that the command
// writes are those of the listing. UPDATE_DOCS=1 brings it up to date.
func TestFiles(t *testing.T) {
	file := filepath.Join("..", "..", "..", "docs", "payloads.sha256")
	want := listing(payload.All())
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(have), "out of date: UPDATE_DOCS=1 go test ./internal/tools/tables")
	folder := filepath.Join(t.TempDir(), "new", "folder")
	require.NoError(t, write(folder, payload.All()))
	for _, line := range strings.Split(strings.TrimSpace(want), "\n") {
		sum, name, ok := strings.Cut(line, "  ")
		require.True(t, ok)
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		require.Equal(t, sum, fmt.Sprintf("%x", sha256.Sum256(text)))
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, len(payload.All()))
}

// TestSavings holds what choosing and folding save at least, and that neither
// ever costs.
func TestSavings(t *testing.T) {
	all := measures(t)
	total := 0
	for _, m := range all {
		total += m.tokens["json"]
	}
	for _, m := range all {
		require.Less(t, m.tokens["json"], total/10, m.Kind)
		for _, choice := range []string{best, identical, sampled} {
			require.LessOrEqual(t, m.tokens[choice], m.tokens["json"], "%s, %s", m.Kind, choice)
		}
	}
	folded := savings(all, always, best)
	require.GreaterOrEqual(t, folded.total, 0.19)
	require.GreaterOrEqual(t, folded.median, 0.09)
	require.GreaterOrEqual(t, pagesFolded(all).total, 0.14)
	require.GreaterOrEqual(t, savings(all, best, "json").total, 0.2191) // 3 points above the first choice
	require.GreaterOrEqual(t, savings(all, sampled, "json").total, 0.215)
	exact := savings(all, identical, "json")
	require.GreaterOrEqual(t, exact.total, 0.20)
	require.GreaterOrEqual(t, exact.median, 0.185)
}

// TestFoldedByName holds that a codec that folds never takes more tokens than
// the one inside.
func TestFoldedByName(t *testing.T) {
	all := measures(t)
	for _, name := range folded {
		plain, err := wirekit.Lookup(name)
		require.NoError(t, err)
		codec, err := wirekit.Lookup(name + "+fold")
		require.NoError(t, err)
		for _, m := range all {
			before := codectest.Encoded(t, plain, m.Value)
			after := codectest.Encoded(t, codec, m.Value)
			most, err := tokens.O200k{}.Count(before)
			require.NoError(t, err)
			n, err := tokens.O200k{}.Count(after)
			require.NoError(t, err)
			require.LessOrEqual(t, n, most, "%s in %s", m.Kind, name)
		}
	}
}

// TestUnasked holds what pages say of the choice without TRON, which Text takes.
func TestUnasked(t *testing.T) {
	all := measures(t)
	codecs := slices.DeleteFunc(wirekit.Registry().Codecs(), func(c wire.Codec) bool { return c.Info().Name == "tron" })
	registry, err := wire.NewRegistry(codecs...)
	require.NoError(t, err)
	var unasked []measure
	for _, m := range all {
		m.names, m.tokens = maps.Clone(m.names), maps.Clone(m.tokens)
		m.choose(best, wirekit.Chooser{Registry: registry})
		unasked = append(unasked, m)
	}
	groups, with := grouped(unasked), grouped(all)
	share := func(g group) float64 { return 100 - g.share(best) }
	least, most, rows := 100.0, 0.0, 0.0
	for _, g := range groups[:len(groups)-1] {
		if g.name == "databases and tables" {
			rows = share(g)
		} else {
			least, most = min(least, share(g)), max(most, share(g))
		}
	}
	total := groups[len(groups)-1]
	says(t, "docs/choosing.md", "%d,%03d tokens, %.1f %% fewer than JSON", total.tokens[best]/1000, total.tokens[best]%1000, share(total))
	says(t, "README.md", "%.0f %% fewer tokens than compact JSON (%.0f %% with TRON", share(total), share(with[len(with)-1]))
	says(t, "README.md", "%.0f %% on rows of databases, %.0f to %.0f %% on nested answers", rows, least, most)
}

// says holds that a page has a sentence.
func says(t *testing.T, file, format string, args ...any) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", file))
	require.NoError(t, err)
	sentence := fmt.Sprintf(format, args...)
	require.True(t, strings.Contains(strings.Join(strings.Fields(string(text)), " "), sentence), "%s does not say %q", file, sentence)
}
