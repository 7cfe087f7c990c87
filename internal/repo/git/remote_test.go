package git

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

func TestParseRemote(t *testing.T) {
	for _, c := range []struct{ text, url, ref string }{
		{"github.com/owner/name", "https://github.com/owner/name", ""},
		{"github.com/owner/name@v1.2", "https://github.com/owner/name", "v1.2"},
		{"github.com/owner/name@feature/x", "https://github.com/owner/name", "feature/x"},
		{"https://host.example/a/b/c.git@main", "https://host.example/a/b/c.git", "main"},
		{"https://user@host.example/@scope/name", "https://user@host.example/@scope/name", ""},
		{"https://host.example/@scope", "https://host.example/@scope", ""},
		{"ssh://git@host.example:22/a.git@v1", "ssh://git@host.example:22/a.git", "v1"},
		{"git@host.example:owner/name.git@v1", "ssh://git@host.example/owner/name.git", "v1"},
		{"file:///srv/a", "file:///srv/a", ""},
	} {
		r, ok, err := ParseRemote(c.text)
		require.NoError(t, err, c.text)
		require.True(t, ok)
		require.Equal(t, c.url, r.URL)
		require.Equal(t, c.ref, r.Ref)
	}
	for _, path := range []string{"", "src", "a/b.go", "github.com", "-", "a@b", `C:\a`, "a:b"} {
		_, ok, err := ParseRemote(path)
		require.NoError(t, err)
		require.False(t, ok, path)
	}
	for text, want := range map[string]string{
		"ext::sh -c touch% x": "https, ssh and file only", "fd::3": "only", "http://host/a": "only", "git://host/a": "only", "HTTPS://host/a": "only", "ext://a": "only",
		"ssh://-oProxyCommand=x/a": "begins with -", "ssh://-u@host/a": "begins with -", "https://host/-a": "begins with -", "https://host/a@-x": "begins with -", "-a@host:b": "begins with -",
		"https://user:geheim@host/a": "password", "https://host/a?b": "question mark", "https://host/a#b": "#", "https://host/a@": "no reference", "https://host": "no path",
		"https:///a": "host", "file://host/a": "host", "https://host/a b": "blank", "https://host/a\nb": "blank", "https://host/a@x..y": "not the name",
		"https://host/a@x*": "not the name", "github.com/owner": "OWNER/NAME", "github:a": "github.com/OWNER/NAME", "github:a/b/c": "github.com/OWNER/NAME", "github.com/a/b/tree/main": "OWNER/NAME",
	} {
		_, ok, err := ParseRemote(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "geheim")
		require.True(t, ok)
	}
}

// served makes a repository and returns it as a remote by file:.
func served(t *testing.T, files map[string]string) (string, Remote) {
	dir := repository(t, files)
	r, ok, err := ParseRemote("file://" + filepath.ToSlash(dir))
	require.NoError(t, err)
	require.True(t, ok)
	return dir, r
}

// left are what a cache holds: commits, and what is unfinished.
func left(t *testing.T, cache string) []string {
	found, err := filepath.Glob(filepath.Join(cache, "*", "*"))
	require.NoError(t, err)
	hidden, err := filepath.Glob(filepath.Join(cache, "*", ".unfinished*"))
	require.NoError(t, err)
	return append(found, hidden...)
}

func TestFetch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: a path is a file: URL")
	}
	dir, r := served(t, map[string]string{"a.txt": "1\n"})
	git(t, dir, "tag", "-a", "-m", "one", "v1")
	git(t, dir, "branch", "side/one")
	write(t, dir, map[string]string{"a.txt": "2\n"})
	commit(t, dir, "second")
	cache := t.TempDir()
	fetched := func(ref string) string {
		r.Ref = ref
		folder, err := r.Fetch(context.Background(), cache)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(folder, "a.txt"))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, "2\n", fetched(""))
	require.Equal(t, "1\n", fetched("v1"))
	require.Equal(t, "1\n", fetched("side/one"))
	require.Equal(t, "2\n", fetched("main"))
	require.Len(t, left(t, cache), 2)
	repository := open(t, left(t, cache)[0])
	commits, err := repository.Log(context.Background(), 10)
	require.NoError(t, err)
	require.Len(t, commits, 1, "it is shallow")

	// A commit that is there needs no server; others are removed in time.
	whole := filepath.Base(filepath.Dir(filepath.Join(left(t, cache)[0], "x")))
	old := time.Now().Add(-2 * staleAfter)
	for _, name := range left(t, cache) {
		require.NoError(t, os.Chtimes(name, old, old))
	}
	write(t, dir, map[string]string{"a.txt": "3\n"})
	commit(t, dir, "third")
	require.Equal(t, "3\n", fetched(""))
	require.Len(t, left(t, cache), 1)
	require.NotContains(t, left(t, cache)[0], whole)
	r.Ref = filepath.Base(left(t, cache)[0])
	require.NoError(t, os.Rename(dir, dir+".gone"))
	folder, err := r.Fetch(context.Background(), cache)
	require.NoError(t, err)
	require.Equal(t, left(t, cache)[0], folder)
}

// TestFetchRefuses: what cannot be fetched is one line, and leaves nothing.
func TestFetchRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: a path is a file: URL")
	}
	random := make([]byte, 300_000)
	_, err := rand.NewChaCha8([32]byte{}).Read(random)
	require.NoError(t, err)
	_, large := served(t, map[string]string{"a": string(random)})
	large.MaxBytes = 200_000
	_, inflated := served(t, map[string]string{"a": strings.Repeat("0", 5_000_000)})
	inflated.MaxBytes = 200_000
	dir, r := served(t, map[string]string{"a": "x"})
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	for want, remote := range map[string]Remote{
		"larger than":                      large,
		"files are larger":                 inflated,
		"neither a branch nor a tag other": {URL: r.URL, Ref: "other", scheme: "file"},
		"ls-remote":                        {URL: r.URL + ".none", scheme: "file"},
		"no commits":                       {URL: "file://" + empty, scheme: "file"},
		"fetch":                            {URL: r.URL, Ref: strings.Repeat("0", 40), scheme: "file"},
		"not allowed":                      {URL: "file://" + dir, scheme: "https"},
	} {
		cache := t.TempDir()
		_, err := remote.Fetch(context.Background(), cache)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
		require.Empty(t, left(t, cache), want)
	}
	cache := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	_, err = r.Fetch(ctx, cache)
	require.ErrorContains(t, err, "takes too long")
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	_, err = r.Fetch(ctx, cache)
	require.ErrorContains(t, err, "interrupted")
	require.Empty(t, left(t, cache))
}

// TestFetchExecutesNothing: neither what the repository brings nor filters that the
// user has are run, and what links lead to is not written.
func TestFetchExecutesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: its programs are shell scripts")
	}
	dir, r := served(t, map[string]string{
		".gitattributes": "*.lfs filter=lfs\n*.bad filter=bad\n", "a.lfs": "version https://git-lfs.github.com/spec/v1\n", "b.bad": "b\n",
		".gitmodules": "[submodule \"s\"]\n\tpath = s\n\turl = ext::sh -c 'touch trap'\n", ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1\n", ".githooks/post-checkout": "#!/bin/sh\ntouch trap\n"})
	head, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	require.NoError(t, err)
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(string(head))+",s")
	git(t, dir, "commit", "-q", "-m", "with a submodule")
	trap := filepath.Join(t.TempDir(), "trap")
	config := filepath.Join(t.TempDir(), "config")
	run := "touch " + trap + "; cat"
	templates := t.TempDir()
	write(t, templates, map[string]string{"hooks/post-checkout": "#!/bin/sh\ntouch " + trap + "\n"})
	require.NoError(t, os.Chmod(filepath.Join(templates, "hooks/post-checkout"), 0o755))
	require.NoError(t, os.WriteFile(config, []byte(`[filter "lfs"]
	smudge = `+run+`
	process = `+run+`
	required = true
[filter "bad"]
	smudge = `+run+`
[init]
	templateDir = `+templates+`
[core]
	hooksPath = `+templates+`/hooks
[submodule]
	recurse = true
[credential]
	helper = "!touch `+trap+`"
`), 0o600))
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	folder, err := r.Fetch(context.Background(), t.TempDir())
	require.NoError(t, err)
	require.NoFileExists(t, trap)
	text, err := os.ReadFile(filepath.Join(folder, "a.lfs"))
	require.NoError(t, err)
	require.Equal(t, "version https://git-lfs.github.com/spec/v1\n", string(text))
	entries, err := os.ReadDir(filepath.Join(folder, "s"))
	require.NoError(t, err)
	require.Empty(t, entries)
}

// TestFetchHTTPS fetches from a local server, which asks for a password elsewhere: that is
// an error and not a question.
func TestFetchHTTPS(t *testing.T) {
	dir, _ := served(t, map[string]string{"a.txt": "1\n"})
	path, err := exec.Command("git", "--exec-path").Output()
	require.NoError(t, err)
	backend := filepath.Join(strings.TrimSpace(string(path)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("runs where git has git-http-backend")
	}
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1"}, InheritEnv: []string{"GIT_CONFIG_GLOBAL"}}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/secret"):
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(r.URL.Path, "/moved"):
			http.Redirect(w, r, "http://"+r.Host+"/plain?service=git-upload-pack", http.StatusFound)
		default:
			handler.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	var block bytes.Buffer
	require.NoError(t, pem.Encode(&block, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	require.NoError(t, os.WriteFile(authority, block.Bytes(), 0o600))
	config := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(config, []byte("[http]\n\tsslCAInfo = "+authority+"\n[safe]\n\tdirectory = *\n"), 0o600))
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	fetch := func(name string) (string, error) {
		r, _, err := ParseRemote(server.URL + "/" + name)
		require.NoError(t, err)
		return r.Fetch(context.Background(), t.TempDir())
	}
	folder, err := fetch(filepath.Base(dir) + "/.git@main")
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(folder, "a.txt"))
	for name, want := range map[string]string{"secret": "terminal prompts disabled", "none": "not found", "moved": "http"} {
		_, err = fetch(name)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// object writes an object of a repository and returns its name.
func object(t *testing.T, dir, text string, args ...string) string {
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// TestFetchEndsLargeTrees: ten objects of which each has the next one ten times are refused
// when the entries are too many, which are not all printed.
func TestFetchEndsLargeTrees(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: a path is a file: URL")
	}
	for want, leaf := range map[string]string{"more than 200000 files": "a file", "more than 200000 folders": ""} {
		dir, r := served(t, map[string]string{"a": "x"})
		kind, mode, name := "tree", "040000", object(t, dir, "", "mktree")
		if leaf != "" {
			kind, mode, name = "blob", "100644", object(t, dir, leaf, "hash-object", "-w", "--stdin")
		}
		for range 10 {
			var entries strings.Builder
			for i := range 10 {
				fmt.Fprintf(&entries, "%s %s %s\tn%d\n", mode, kind, name, i)
			}
			kind, mode, name = "tree", "040000", object(t, dir, entries.String(), "mktree")
		}
		git(t, dir, "update-ref", "refs/heads/large", object(t, dir, "", "commit-tree", "-m", "x", name))
		r.Ref, r.MaxBytes = "large", 1<<40
		cache := t.TempDir()
		_, err := r.Fetch(t.Context(), cache)
		require.ErrorContains(t, err, want)
		require.Empty(t, left(t, cache))
	}
}

// TestTree: entries are added up wherever a write ends.
func TestTree(t *testing.T) {
	text := "100644 blob 0123456789      12\ta b\x00040000 tree 0123456789       -\tdir\x00160000 commit 0123456789       -\tsub\tmodule\x00100644 blob 0123456789       5\tx tree y\x00"
	for size := 1; size <= len(text); size++ {
		tr := tree{most: 17}
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			_, err := io.WriteString(&tr, rest[:min(size, len(rest))])
			require.NoError(t, err)
		}
		require.Equal(t, []int{17, 3, 1}, []int{int(tr.size), tr.files, tr.folders})
	}
	_, err := io.WriteString(&tree{most: 16}, text)
	require.ErrorContains(t, err, "larger than")
}

// TestTreeOfLongPaths: a path takes no memory, and time in proportion to it, in whatever pieces
// it comes.
func TestTreeOfLongPaths(t *testing.T) {
	head, piece := []byte("100644 blob 0123456789       1\t"), bytes.Repeat([]byte("x"), 64)
	long := func(n int) func() {
		return func() {
			tr := tree{most: 1}
			_, _ = tr.Write(head)
			for range n {
				_, _ = tr.Write(piece)
			}
		}
	}
	growth.Linear(t, 2000, long)
	growth.Bytes(t, 4<<10, long(1<<14))
}

// TestMessagesWithoutEnd: a server that does not stop to print messages is left.
func TestMessagesWithoutEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: ssh is a script")
	}
	for name, flood := range map[string]string{"lines": `exec yes "remote: no end"`, "one line": "printf 'remote: no end'; exec tr '\\0' x </dev/zero"} {
		bin := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(bin, "ssh"), []byte("#!/bin/sh\nexec >&2\n"+flood+"\n"), 0o700))
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		r, _, err := ParseRemote("ssh://git@host.example/a.git")
		require.NoError(t, err)
		_, err = r.Fetch(t.Context(), t.TempDir())
		require.ErrorContains(t, err, "prints more than 1048576 bytes of messages: remote: no end", name)
		require.Less(t, len(err.Error()), 2*mostMessage)
	}
	b := bounded{keep: 5, most: 7}
	for _, p := range []string{"abc", "defg"} {
		_, err := io.WriteString(&b, p)
		require.NoError(t, err)
	}
	_, err := io.WriteString(&b, "h")
	require.ErrorIs(t, err, errFull)
	require.Equal(t, "abcde", string(b.kept))
}
