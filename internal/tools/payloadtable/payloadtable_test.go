package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

var (
	measureAll   = sync.OnceValue(func() []measure { return all(payload.All()) })
	measurePages = sync.OnceValue(func() sum { return pagesFolded(measureAll()) })
)

func measures(t *testing.T) ([]measure, sum) {
	if testing.Short() {
		t.Skip("runs without -short: it measures every payload")
	}
	return measureAll(), measurePages()
}

var block = regexp.MustCompile(`(?s)<!-- payloads: (\w+) -->\n.*?<!-- end -->`)

// TestDocs holds that the tables of the pages are what the command prints.
// UPDATE_DOCS=1 brings them up to date.
func TestDocs(t *testing.T) {
	m, pages := measures(t)
	tables := map[string]string{"fields": groupTable(m), "formats": formatTable(m), "folding": foldTable(m, pages)}
	shown := map[string]bool{}
	for _, file := range []string{"choosing.md", "measurements.md", "fold.md"} {
		file = filepath.Join("..", "..", "..", "docs", file)
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		want := block.ReplaceAllStringFunc(string(have), func(old string) string {
			name := block.FindStringSubmatch(old)[1]
			require.Contains(t, tables, name)
			shown[name] = true
			return "<!-- payloads: " + name + " -->\n\n" + tables[name] + "\n<!-- end -->"
		})
		settle(t, file, string(have), want)
	}
	require.Len(t, shown, len(tables), "a table that no page shows")
}

// TestFiles: the listing of the pages is that of the payloads, and the files that the command
// writes are those of the listing. UPDATE_DOCS=1 brings it up to date.
func TestFiles(t *testing.T) {
	file := filepath.Join("..", "..", "..", "docs", "payloads.sha256")
	have, err := os.ReadFile(file)
	require.True(t, err == nil || os.Getenv("UPDATE_DOCS") != "", err)
	settle(t, file, string(have), listing(payload.All()))
	folder := filepath.Join(t.TempDir(), "new", "folder")
	require.NoError(t, write(folder, payload.All()))
	for _, line := range strings.Split(strings.TrimSpace(listing(payload.All())), "\n") {
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

// TestCharts holds that the charts show what was measured.
func TestCharts(t *testing.T) {
	m, _ := measures(t)
	for _, p := range palettes {
		file := filepath.Join("..", "..", "..", "docs", "images", p.file)
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		settle(t, file, string(have), chart(p, m))
	}
}

func settle(t *testing.T, file, have, want string) {
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	is, should := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range min(len(is), len(should)) {
		require.Equal(t, should[i], is[i], "%s:%d is out of date: UPDATE_DOCS=1 go test ./internal/tools/payloadtable", file, i+1)
	}
	require.Len(t, is, len(should))
}

// TestSavings holds what choosing and folding save at least, and that neither
// ever costs.
func TestSavings(t *testing.T) {
	all, pages := measures(t)
	total := 0
	for _, m := range all {
		total += m.json()
	}
	for _, m := range all {
		require.Less(t, m.json(), total/10, m.Kind)
		require.LessOrEqual(t, m.best.tokens, m.json(), m.Kind)
		require.LessOrEqual(t, m.identical.tokens, m.json(), m.Kind)
		require.LessOrEqual(t, m.sampled, m.json(), m.Kind)
	}
	json := measure.json
	best := func(m measure) int { return m.best.tokens }
	always := savings(all, func(m measure) int { return m.always.tokens }, best)
	require.GreaterOrEqual(t, always.total, 0.19)
	require.GreaterOrEqual(t, always.median, 0.09)
	require.GreaterOrEqual(t, pages.total, 0.14)
	require.GreaterOrEqual(t, savings(all, best, json).total, 0.2191) // 3 points above the first choice
	require.GreaterOrEqual(t, savings(all, func(m measure) int { return m.sampled }, json).total, 0.215)
	identical := savings(all, func(m measure) int { return m.identical.tokens }, json)
	require.GreaterOrEqual(t, identical.total, 0.20)
	require.GreaterOrEqual(t, identical.median, 0.185)
}

// TestFoldedByName holds that a codec that folds never takes more tokens than
// the one inside.
func TestFoldedByName(t *testing.T) {
	all, _ := measures(t)
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
	all, _ := measures(t)
	codecs := slices.DeleteFunc(wirekit.Registry().Codecs(), func(c wire.Codec) bool { return c.Info().Name == "tron" })
	registry, err := wire.NewRegistry(codecs...)
	require.NoError(t, err)
	unasked := slices.Clone(all)
	for i, m := range unasked {
		unasked[i].best = chosen(wirekit.Chooser{Registry: registry}, m.Value)
	}
	groups, with := grouped(unasked), grouped(all)
	share := func(g group) float64 { return 100 * saving(g.best, g.tokens["json"]) }
	least, most, rows := 100.0, 0.0, 0.0
	for _, g := range groups[:len(groups)-1] {
		if g.name == "databases and tables" {
			rows = share(g)
		} else {
			least, most = min(least, share(g)), max(most, share(g))
		}
	}
	total := groups[len(groups)-1]
	says(t, "docs/choosing.md", "%d,%03d tokens, %.1f %% fewer than JSON", total.best/1000, total.best%1000, share(total))
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
