package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/resident"
)

// TestCompareIsAuto: of any document compare names the winner that convert -t auto takes,
// has a row for it and for no other configuration, and says where CSV or Markdown takes
// fewer tokens.
func TestCompareIsAuto(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector: the search on several goroutines is raced in internal/choose")
	}
	dir := t.TempDir()
	documents, err := filepath.Glob("../../examples/data/*.json")
	require.NoError(t, err)
	for i, p := range payload.All() {
		if file := filepath.Join(dir, fmt.Sprintf("%d.json", i)); len(p.JSON) < 20_000 {
			require.NoError(t, os.WriteFile(file, p.JSON, 0o600))
			documents = append(documents, file)
		}
	}
	type row struct {
		Format   string
		Tokens   *int
		Lossless bool
	}
	said := regexp.MustCompile(`: ([a-z:-]+)(?: saves |, since )`)
	signed := regexp.MustCompile(`[+-]0\.0 %`)
	for _, file := range documents {
		var out, note bytes.Buffer
		c := &cli.Console{Out: &out, Err: &note}
		require.Zero(t, run([]string{"compare", "--json", file}, c), note.String())
		require.Zero(t, run([]string{"convert", "-t", "auto", "--explain", file}, &cli.Console{Out: io.Discard, Err: &note}))
		auto := said.FindStringSubmatch(note.String())[1]
		var reports []struct {
			Chosen  string
			Formats []row
		}
		require.NoError(t, json.Unmarshal(out.Bytes(), &reports))
		r := reports[0]
		require.Equal(t, auto, r.Chosen, file)
		require.LessOrEqual(t, len(r.Formats), len(wirekit.Registry().Codecs())+1)
		chosen := slices.IndexFunc(r.Formats, func(m row) bool { return m.Format == auto })
		require.GreaterOrEqual(t, chosen, 0, file)
		first := slices.IndexFunc(r.Formats, func(m row) bool { return m.Tokens != nil && *m.Tokens == *r.Formats[chosen].Tokens })
		require.Equal(t, chosen, first, "%s: a tie", file)
		out.Reset()
		require.Zero(t, run([]string{"compare", file}, c))
		require.False(t, signed.Match(out.Bytes()), out.String())
		text := strings.Split(out.String(), "\n")
		verdict := text[len(text)-2]
		require.Contains(t, verdict, ": "+auto, file)
		for _, m := range r.Formats[:first] {
			if m.Lossless {
				require.Contains(t, verdict, ": say -t "+m.Format+".", file)
				break
			}
		}
	}
}
