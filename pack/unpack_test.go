package pack

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
)

func openRoot(t *testing.T, dir string) *os.Root {
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root
}

// payloadOf has a block of code for each path.
func payloadOf(paths ...string) *bcp.Payload {
	var p bcp.Payload
	for _, name := range paths {
		p.Blocks = append(p.Blocks, bcp.Block{Body: &bcp.Code{Path: name, Content: []byte("new")}})
	}
	return &p
}

// TestRoundTrip: packed, encoded, decoded, written and packed again.
func TestRoundTrip(t *testing.T) {
	files := text("a.go", "package a\r\n\n", "d/e/f.txt", "no end", "d/empty", "", "d/é ü.md", "# é\n", ".hidden", "\uFEFFx\n", "t", "ghp_"+run(36))
	p, _ := packed(t, Options{Instruction: "Go.", NoSummaries: true}, files)
	data, err := bcp.EncodeOptions{CompressBlocks: true}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	p, err = bcp.Decode(data)
	require.NoError(t, err)
	dir := t.TempDir()
	done, err := UnpackOptions{}.Unpack(p, openRoot(t, dir))
	require.NoError(t, err)
	require.Len(t, done.Files, len(files))
	require.Equal(t, []string{"t"}, done.Masked)
	for name, f := range files {
		have, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		if name != "t" {
			require.Equal(t, string(f.Data), string(have), name)
		}
	}
	again, _ := packed(t, Options{Instruction: "Go.", KeepSecrets: true, NoSummaries: true}, os.DirFS(dir))
	require.Len(t, again.Blocks, len(p.Blocks)-1) // the tag
}

func TestUnpackRefuses(t *testing.T) {
	for _, c := range []struct{ path, why string }{
		{"", "empty"}, {"/etc/x", "absolute"}, {"../x", "element .."}, {"a/../../x", "element .."}, {"./x", "element ."}, {"a//b", "empty"}, {"a/", "empty"},
		{".git/config", "version control"}, {"a/.GIT/hooks/x", "version control"}, {".g\u200cit/x", "version control"}, {"GIT~1/x", "version control"},
		{`a\..\b`, "character"}, {"c:x", "character"}, {"a\x00b", "character"}, {"a\nb", "character"}, {"a?", "character"},
		{"con", "device"}, {"d/NUL.txt", "device"}, {"lpt¹", "device"}, {"Com1 .x", "device"}, {"a./b", "dot"}, {"a ", "space"},
		{"a\xff", "UTF-8"}, {"a\u202etxt.exe", "direction"}, {"\u2066x", "direction"}, {strings.Repeat("x", 256), "255"}, {strings.Repeat("d/", maxDepth+1) + "x", "too deep"},
	} {
		dir := t.TempDir()
		_, err := UnpackOptions{Force: true}.Unpack(payloadOf("fine", c.path), openRoot(t, dir))
		require.ErrorContains(t, err, c.why, c.path)
		require.ErrorContains(t, err, "/blocks/1", c.path)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries, "nothing is written beside %q", c.path)
	}
	for _, c := range []struct{ a, b, why string }{
		{"a.go", "A.go", "one name"}, {"d/x", "D/y", "one name"}, {"straße", "STRASSE", "one name"}, {"\u00e9", "e\u0301", "one name"}, {"ﬁx", "FIX", "one name"}, {"각", "\u1100\u1161\u11a8", "one name"},
		{"q\u0323\u0307", "q\u0307\u0323", "one name"}, {"\u1e69", "S\u0307\u0323", "one name"}, {"d/é/x", "d/e\u0301/y", "one name"}, {"é", "è", ""}, {"कि", "की", ""}, {"é", "É", "one name"}, {"ſ", "s", "one name"},
		{"x", "x", "twice"}, {"x", "x/y", "a file and a folder"}, {"x/y", "x", "a file and a folder"}, {"a", "a\u200b", "one name"},
	} {
		_, err := UnpackOptions{}.Unpack(payloadOf(c.a, c.b), openRoot(t, t.TempDir()))
		if c.why == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.why, "%s %s", c.a, c.b)
		}
	}
	one := uint32(1)
	p := payloadOf("x")
	p.Blocks[0].Body.(*bcp.Code).LineStart = &one
	_, err := UnpackOptions{}.Unpack(p, openRoot(t, t.TempDir()))
	require.ErrorContains(t, err, "excerpt")
}

func TestUnpackIntoWhatIsThere(t *testing.T) {
	outside := t.TempDir()
	kept := filepath.Join(outside, "kept")
	require.NoError(t, os.WriteFile(kept, []byte("kept"), 0o600))
	dir := t.TempDir()
	for _, name := range []string{"old", "file", "other"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	root := openRoot(t, dir)

	_, err := UnpackOptions{}.Unpack(payloadOf("first", "old"), root)
	require.ErrorContains(t, err, "UnpackOptions.Force")
	require.NoFileExists(t, filepath.Join(dir, "first"))
	for _, c := range []struct{ path, why string }{{"folder", "a folder has the name"}, {"file/x", "not a folder"}} {
		_, err = UnpackOptions{Force: true}.Unpack(payloadOf(c.path), root)
		require.ErrorContains(t, err, c.why)
	}
	done, err := UnpackOptions{Force: true}.Unpack(payloadOf("old", "folder/new"), root)
	require.NoError(t, err)
	require.Equal(t, []string{"old", "folder/new"}, done.Files)
	have, err := os.ReadFile(filepath.Join(dir, "old"))
	require.NoError(t, err)
	require.Equal(t, "new", string(have))

	// Files that a crash left do not interfere, and nothing else remains.
	left := []string{".wirekit-unpack.tmp", ".wirekit-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"}
	for _, name := range left {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	_, err = UnpackOptions{Force: true}.Unpack(payloadOf("old"), root)
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(dir, ".wirekit-*"))
	require.NoError(t, err)
	require.Len(t, names, len(left))

	if os.Symlink(kept, filepath.Join(dir, "link")) != nil || os.Symlink(outside, filepath.Join(dir, "away")) != nil ||
		os.Symlink("folder", filepath.Join(dir, "inside")) != nil || os.Link(kept, filepath.Join(dir, "hard")) != nil {
		t.Skip("runs where links can be made")
	}
	for _, name := range []string{"link", "away/x", "away/kept", "inside/x"} {
		_, err = UnpackOptions{Force: true}.Unpack(payloadOf(name), root)
		require.ErrorContains(t, err, "symbolic link", name)
	}
	_, err = UnpackOptions{Force: true}.Unpack(payloadOf("hard"), root)
	require.NoError(t, err)
	have, err = os.ReadFile(kept)
	require.NoError(t, err)
	require.Equal(t, "kept", string(have), "what a file was linked to stays as it was")
	var rest []string
	require.NoError(t, filepath.WalkDir(outside, func(path string, _ fs.DirEntry, err error) error { rest = append(rest, path); return err }))
	require.Equal(t, []string{outside, kept}, rest)
}

// TestFolds: what a character folds to is folded.
func TestFolds(t *testing.T) {
	require.Greater(t, len(folds()), 2000)
	for r, fold := range folds() {
		require.Equal(t, foldName(string(r)), foldName(fold), "%q", r)
		require.NotEqual(t, string(r), fold)
	}
}
