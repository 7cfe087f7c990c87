//go:build upstream

package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

// The 27 renderings of the reference, from the payloads it made them of.
func TestUpstreamSnapshots(t *testing.T) {
	dir := codectest.Upstream(t, "bcp")
	files, err := filepath.Glob(filepath.Join(dir, "snapshots", "conformance__*.snap"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "conformance__"), ".snap")
		t.Run(name, func(t *testing.T) {
			o := Options{Plain: true, Policy: PolicyReference}
			if rest, ok := strings.CutSuffix(name, "_500"); ok {
				name, o.Budget = rest, ptr(500)
			} else if rest, ok := strings.CutSuffix(name, "_200"); ok {
				name, o.Budget = rest, ptr(200)
			}
			i := strings.LastIndexByte(name, '_')
			err = o.Mode.UnmarshalText([]byte(name[i+1:]))
			require.NoError(t, err)
			name = name[:i]
			if name == "all_block_types" {
				for _, body := range []bcp.Body{&bcp.Code{}, &bcp.Conversation{}, &bcp.FileTree{}, &bcp.ToolResult{}, &bcp.Document{},
					&bcp.StructuredData{}, &bcp.Diff{}, &bcp.EmbeddingRef{}, &bcp.Extension{}} {
					o.Include = append(o.Include, (&bcp.Block{Body: body}).Type())
				}
			}
			folder := name
			if name == "empty_content" {
				folder = "edge_cases/" + name
			}
			src, err := os.ReadFile(filepath.Join(dir, "golden-bcp", folder, "payload.bcp"))
			require.NoError(t, err)
			p, err := bcp.Decode(src)
			require.NoError(t, err)
			got, err := o.Text(p)
			require.NoError(t, err)
			snap, err := os.ReadFile(file)
			require.NoError(t, err)
			parts := strings.SplitN(string(snap), "---\n", 3)
			require.Equal(t, strings.TrimRight(parts[2], "\n"), strings.TrimRight(got, "\n"))
		})
	}
	require.Len(t, files, 27)
}
