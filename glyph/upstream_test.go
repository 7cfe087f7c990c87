//go:build upstream

package glyph_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestUpstreamGoldens compares with the golden files of the reference: at the
// document's revision and at the later one that Codec.Profile ProfileUpstream follows.
func TestUpstreamGoldens(t *testing.T) {
	later := corpus
	later.Profile = glyph.ProfileUpstream
	for _, set := range []struct {
		folder string
		codec  glyph.Codec
		count  int
	}{
		{"document", corpus, 50},
		{"head", later, 51},
	} {
		t.Run(set.folder, func(t *testing.T) {
			dir := codectest.Upstream(t, "glyph", set.folder)
			goldens, err := filepath.Glob(filepath.Join(dir, "golden", "*.want"))
			require.NoError(t, err)
			require.Len(t, goldens, set.count)
			for _, golden := range goldens {
				name := strings.TrimSuffix(filepath.Base(golden), ".want")
				t.Run(name, func(t *testing.T) {
					want, err := os.ReadFile(golden)
					require.NoError(t, err)
					src, err := os.ReadFile(filepath.Join(dir, "cases", name+".json"))
					require.NoError(t, err)
					require.True(t, json.Valid(src))
					v, err := glyph.FromJSONLoose(src)
					require.NoError(t, err)
					got, err := set.codec.AppendEncode(nil, v)
					require.NoError(t, err)
					require.Equal(t, strings.TrimSpace(string(want)), string(got))
					back := codectest.Decoded(t, glyph.Codec{}, want)
					again, err := set.codec.AppendEncode(nil, back)
					require.NoError(t, err)
					require.Equal(t, string(got), string(again))
				})
			}
		})
	}
}

// TestUpstreamCase050 is the case that the document's revision has no golden
// file for; the text follows from the document's rules.
func TestUpstreamCase050(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(codectest.Upstream(t, "glyph", "head"), "cases", "050_dynamic_keys_metadata.json"))
	require.NoError(t, err)
	v, err := glyph.FromJSONLoose(src)
	require.NoError(t, err)
	got, err := corpus.AppendEncode(nil, v)
	require.NoError(t, err)
	require.Equal(t, `{annotations={custom.example.com/owner="alice@example.com" kubernetes.io/created-by=helm prometheus.io/scrape="true"} `+
		`attributes={cpu_limit=2000 memory_limit=4096 replicas=3} extra={nested_dynamic={key1=value1 key2=42 key3=t}} id=resource_123 `+
		`labels={app=frontend env=production team=platform version=v2.3.1} tags=[critical monitored auto-scaled] type=container}`, string(got))
}

// TestUpstreamJSON holds the document's first design goal, "any valid JSON is
// valid GLYPH-Loose input", on the JSON parsing test suite: what is JSON is read
// as JSON, with its exact value, and nothing else makes the parser panic.
func TestUpstreamJSON(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(codectest.Upstream(t, "jsontestsuite", "test_parsing"), "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	codec := glyph.Codec{Limits: wire.Limits{Depth: bound.MostDepth}}
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		got, err := codec.Decode(src)
		want, jsonErr := wire.JSON{Limits: codec.Limits}.Decode(src)
		if jsonErr == nil {
			require.NoError(t, err, file)
			require.True(t, wire.Identical(want, got), file)
		}
		if strings.HasPrefix(filepath.Base(file), "y_") {
			require.NoError(t, jsonErr, file)
		}
	}
}

// TestUpstreamCorpora takes the shared corpora through the codec.
func TestUpstreamCorpora(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpora", "*.json"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("runs where the shared corpora are beside the repository")
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		want := codectest.JSON(t, src)
		for _, c := range []glyph.Codec{{}, canonical, corpus, upstream, exact, {NoMissing: true, MinRows: 1}} {
			text, err := c.AppendEncode(nil, want)
			if errors.Is(err, wire.ErrRange) {
				continue
			}
			require.NoError(t, err)
			got := codectest.Decoded(t, c, text)
			loss, path := wire.Difference(want, got)
			require.Zero(t, loss&^c.Info().Loss, "%s: %v at %s", file, loss, path)
		}
	}
}
