//go:build upstream

package bcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func TestUpstreamPayloads(t *testing.T) {
	dir := codectest.Upstream(t, "bcp")
	count := 0
	for _, era := range []struct {
		folder, file string
		magic        string
	}{{"golden-lcp", "payload.lcp", magicLCP}, {"golden-bcp", "payload.bcp", magicBCP}} {
		for _, pattern := range []string{"*", "edge_cases/*"} {
			files, err := filepath.Glob(filepath.Join(dir, era.folder, pattern, era.file))
			require.NoError(t, err)
			for _, file := range files {
				count++
				name := filepath.Base(filepath.Dir(file))
				t.Run(era.magic+"/"+name, func(t *testing.T) { upstreamPayload(t, file, name, era.magic) })
			}
		}
	}
	require.Equal(t, 26, count)
}

func upstreamPayload(t *testing.T, file, name string, magic string) {
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	if name == "trailing_data" {
		_, err := decodeBoth(t, DecodeOptions{}, src)
		requireCode(t, "trailing_data", err)
		p, err := decodeBoth(t, DecodeOptions{AllowTrailing: true}, src)
		require.NoError(t, err)
		require.Equal(t, unhex(t, "DEADBEEF"), p.Trailing)
		require.Equal(t, blocks(code("rust", "t.rs", "// trailing")), p.Blocks)
		return
	}
	p, err := decodeBoth(t, DecodeOptions{Strict: true}, src)
	require.NoError(t, err)
	require.Equal(t, magic, p.Header.Magic)
	again, err := Encode(p)
	require.NoError(t, err)
	if name == "compressed_blocks" {
		// Another encoder's zstd data are not ours; their content is.
		require.Equal(t, strings.Repeat("fn placeholder() {}\n", 20), string(p.Blocks[0].Body.(*Code).Content))
		require.Less(t, len(again), 420)
		src = again
		again, err = Encode(must(Decode(again)))
		require.NoError(t, err)
	}
	require.Equal(t, src, again)
	view, _, err := FromManifest(p.Value(), nil, Limits{})
	require.NoError(t, err)
	again, err = Encode(view)
	require.NoError(t, err)
	require.Equal(t, src, again)
	for i := range min(len(src)-2, 1000) {
		_, err := Decode(src[:i])
		require.ErrorIs(t, err, wire.ErrTruncated)
	}
}

func must(p *Payload, err error) *Payload {
	if err != nil {
		panic(err)
	}
	return p
}

// The manifests beside eight of the payloads say what is in them; they encode
// to the same bytes.
func TestUpstreamManifests(t *testing.T) {
	dir := codectest.Upstream(t, "bcp")
	for _, era := range []struct {
		folder, file string
		magic        string
	}{{"golden-lcp", "payload.lcp", magicLCP}, {"golden-bcp", "payload.bcp", magicBCP}} {
		for _, name := range []string{"simple_code", "conversation", "mixed_blocks", "with_summaries", "content_addressed",
			"compressed_payload", "budget_constrained", "edge_cases/empty_content"} {
			t.Run(era.magic+"/"+name, func(t *testing.T) {
				folder := filepath.Join(dir, era.folder, name)
				manifest, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
				require.NoError(t, err)
				p, o, err := FromManifest(parse(t, string(manifest)), os.DirFS(folder), Limits{})
				require.NoError(t, err)
				p.Header.Magic = era.magic
				if name == "content_addressed" {
					require.True(t, o.Dedup)
				}
				got, err := o.AppendEncode(context.Background(), nil, p)
				require.NoError(t, err)
				want, err := os.ReadFile(filepath.Join(folder, era.file))
				require.NoError(t, err)
				require.Equal(t, want, got)
			})
		}
	}
}
