package store

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/internal/kept"
	"github.com/wirekit/wirekit/bcp/internal/storetest"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func TestDir(t *testing.T) {
	d := Dir{Path: filepath.Join(t.TempDir(), "deep", "store")}
	storetest.Run(t, d)
	require.FileExists(t, filepath.Join(d.Path, "f4", "7d9fe8512023499e6e476eac730b605a21ef84b5ecda4ec9836030439d3344"))
	require.Len(t, hashes(t, d), 2)
}

// TestMaxBytes: what is documented here is what stores hold to.
func TestMaxBytes(t *testing.T) { require.EqualValues(t, MaxBytes, kept.MaxBytes) }

func hashes(t *testing.T, d Dir) map[bcp.Hash]bool {
	all := map[bcp.Hash]bool{}
	for h, err := range d.All() {
		require.NoError(t, err)
		all[h] = true
	}
	return all
}

func TestDamage(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	h, err := d.Put(context.Background(), []byte("content"))
	require.NoError(t, err)
	for _, damaged := range []string{"", "conten", "Content", "content "} {
		require.NoError(t, os.WriteFile(d.file(h), []byte(damaged), 0o644))
		_, err = d.Get(context.Background(), h)
		require.ErrorIs(t, err, wire.ErrChecksum)
	}
	_, err = d.Put(context.Background(), []byte("content"))
	require.NoError(t, err)
	got, err := d.Get(context.Background(), h)
	require.NoError(t, err)
	require.Equal(t, "content", string(got))
}

// A crash leaves a temporary file with a part of the content, or a whole one
// that was not renamed. Neither is content, and neither is in the way.
func TestCrash(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	h := bcp.HashOf([]byte("content"))
	leftover := filepath.Join(d.Path, tempPrefix+"1")
	require.NoError(t, os.WriteFile(leftover, []byte("cont"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(d.Path, h.String()[:2]), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(d.Path, h.String()[:2], "tmp-2"), []byte("content"), 0o600))
	require.Empty(t, hashes(t, d))
	_, err := d.Get(context.Background(), h)
	require.ErrorIs(t, err, bcp.ErrNotFound)
	_, err = d.Put(context.Background(), []byte("content"))
	require.NoError(t, err)
	require.Len(t, hashes(t, d), 1)

	require.NoError(t, d.Clean(time.Hour))
	require.FileExists(t, leftover)
	require.NoError(t, d.Clean(0))
	require.NoFileExists(t, leftover)
	require.Len(t, hashes(t, d), 1)
	require.NoError(t, Dir{Path: filepath.Join(d.Path, "none")}.Clean(0))
}

// An empty folder in the place of content is not content and not in the way.
func TestFolderInPlace(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	h := bcp.HashOf([]byte("content"))
	require.NoError(t, os.MkdirAll(d.file(h), 0o755))
	has, err := d.Has(context.Background(), h)
	require.NoError(t, err)
	require.False(t, has)
	require.Empty(t, hashes(t, d))
	_, err = d.Get(context.Background(), h)
	require.ErrorIs(t, err, bcp.ErrNotFound)
	_, err = d.Put(context.Background(), []byte("content"))
	require.NoError(t, err)
	got, err := d.Get(context.Background(), h)
	require.NoError(t, err)
	require.Equal(t, "content", string(got))
}

// A Put that cannot be finished leaves nothing.
func TestFailedPut(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	h := bcp.HashOf([]byte("content"))
	// A folder where the file should go makes the rename fail.
	require.NoError(t, os.MkdirAll(filepath.Join(d.file(h), "sub"), 0o755))
	_, err := d.Put(context.Background(), []byte("content"))
	require.ErrorContains(t, err, d.file(h)+" is a folder that is not empty, in the place of content")
	codectest.Error(t, err)
	files, err := os.ReadDir(d.Path)
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func TestConcurrentUse(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				h, err := d.Put(context.Background(), []byte{byte(j), byte(i % 2)})
				if err == nil {
					_, err = d.Get(context.Background(), h)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.Len(t, hashes(t, d), 40)
}

func TestPayloadsSurvive(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	var b bcp.Builder
	p, err := b.Add(&bcp.Code{Lang: "go", Path: "a.go", Content: []byte("package a")}).Summary("a").Reference().Build()
	require.NoError(t, err)
	src, err := bcp.EncodeOptions{Store: d}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	back, err := bcp.DecodeOptions{Store: Dir{Path: d.Path}}.Decode(context.Background(), src)
	require.NoError(t, err)
	require.Equal(t, "package a", string(back.Blocks[0].Body.(*bcp.Code).Content))
}

func TestDirStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := Dir{Path: t.TempDir()}
	_, err := d.Get(ctx, bcp.HashOf(nil))
	require.ErrorIs(t, err, context.Canceled)
	_, err = d.Put(ctx, []byte("x"))
	require.ErrorIs(t, err, context.Canceled)
	_, err = d.Has(ctx, bcp.HashOf(nil))
	require.ErrorIs(t, err, context.Canceled)
}
