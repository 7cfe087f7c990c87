package repo

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// published is the version under which the test publishes every module.
const published = "v0.1.0"

// TestModulesForImporters publishes the module and those of the middleware, of the store
// in buckets, of the runner of quizzes and of older vocabularies in a folder that is a module proxy, and builds
// what others would: a program that uses a format, a server with the middleware, a program
// with the store, the commands. Replace directives have no say there.
func TestModulesForImporters(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it builds the module as others do")
	}
	home := t.TempDir()
	proxy := filepath.Join(home, "proxy")
	publish(t, proxy, module, ".")
	publish(t, proxy, module+"/mcp/middleware", "mcp/middleware")
	publish(t, proxy, module+"/bcp/store/blob", "bcp/store/blob")
	publish(t, proxy, module+"/quiz/run", "quiz/run")
	publish(t, proxy, module+"/tokens/tiktoken", "tokens/tiktoken")
	cache, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	settings := strings.Split(strings.TrimSpace(string(cache)), "\n")
	env := append(os.Environ(),
		// What was fetched before comes from there, so that no network is needed.
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(settings[0])+"/cache/download,"+settings[1],
		"GOMODCACHE="+filepath.Join(home, "cache"), "GOBIN="+filepath.Join(home, "bin"),
		"GOFLAGS=-mod=mod -modcacherw -trimpath", "GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GONOPROXY=", "GOWORK=off")
	run := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
		return string(out)
	}
	importer := func(name, requires, program string) string {
		dir := filepath.Join(home, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/"+name+"\n\ngo 1.26\n\nrequire "+requires+" "+published+"\n"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o600))
		run(dir, "go", "mod", "tidy")
		run(dir, "go", "build", "-o", "program", ".")
		return dir
	}

	t.Run("a format", func(t *testing.T) {
		dir := importer("format", module, `package main

import (
	"fmt"

	"github.com/wirekit/wirekit/gcf"
)

func main() {
	text, err := gcf.Marshal(map[string]int{"a": 1})
	fmt.Printf("%s %v\n", text, err)
}
`)
		require.Contains(t, run(dir, "./program"), "a=1")
		linked := run(dir, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
		for _, pkg := range strings.Fields(linked) {
			require.True(t, strings.HasPrefix(pkg, module+"/") || pkg == "example.org/format", "it links %s", pkg)
		}
		for _, what := range []string{run(dir, "go", "list", "-m", "all"), run(dir, "go", "mod", "graph")} {
			require.NotContains(t, what, "modelcontextprotocol")
			require.Contains(t, what, module)
		}
		sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
		require.NoError(t, err)
		require.NotContains(t, string(sums), "modelcontextprotocol")
	})
	t.Run("the middleware", func(t *testing.T) {
		dir := importer("server", module+"/mcp/middleware", `package main

import (
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/mcp/middleware"
)

func main() {
	server := sdk.NewServer(&sdk.Implementation{Name: "s", Version: "1"}, nil)
	server.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{}))
	fmt.Println("ready")
}
`)
		require.Equal(t, "ready\n", run(dir, "./program"))
		require.Contains(t, run(dir, "go", "list", "-m", "all"), module+" "+published)
	})
	t.Run("the store in buckets", func(t *testing.T) {
		dir := importer("store", module+"/bcp/store/blob", `package main

import (
	"context"
	"fmt"

	"github.com/wirekit/wirekit/bcp/store/blob"
	"gocloud.dev/blob/memblob"
)

func main() {
	bucket := memblob.OpenBucket(nil)
	defer bucket.Close()
	store := blob.Store{Bucket: bucket}
	h, err := store.Put(context.Background(), []byte("content"))
	fmt.Println(h, err)
}
`)
		require.Contains(t, run(dir, "./program"), "<nil>")
		linked := run(dir, "go", "list", "-deps", ".")
		for _, driver := range []string{"aws-sdk-go", "cloud.google.com", "azure-sdk"} {
			require.NotContains(t, linked, driver)
		}
	})
	t.Run("older vocabularies", func(t *testing.T) {
		dir := importer("older", module+"/tokens/tiktoken", `package main

import (
	"fmt"

	"github.com/wirekit/wirekit/tokens/tiktoken"
)

func main() {
	c, err := tiktoken.Counter("p50k_base")
	fmt.Println(c.Name(), err)
}
`)
		require.Equal(t, "p50k_base <nil>\n", run(dir, "./program"))
	})
	t.Run("the command", func(t *testing.T) {
		run(home, "go", "install", module+"/cmd/wirekit@"+published)
		require.Contains(t, run(home, filepath.Join(home, "bin", "wirekit"), "formats"), "gcf")
	})
	t.Run("the runner of quizzes", func(t *testing.T) {
		dir := importer("runner", module+"/quiz/run", `package main

import (
	"fmt"

	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/quiz/run"
)

func main() { fmt.Println(len(run.Options{}.Plan(&quiz.Quiz{}, nil))) }
`)
		require.Equal(t, "0\n", run(dir, "./program"))
		folder, err := filepath.Abs("quiz/run")
		require.NoError(t, err)
		run(home, "go", "-C", folder, "install", "-mod=readonly", "./wirekit-quiz-run") // as from a clone
		out, err := exec.Command(filepath.Join(home, "bin", "wirekit-quiz-run")).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "usage: wirekit-quiz-run --model NAME")
	})
}

// publish puts the module in dir into a module proxy.
func publish(t *testing.T, proxy, path, dir string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	require.NoError(t, os.MkdirAll(at, 0o700))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"list": published + "\n", published + ".mod": string(mod), published + ".info": fmt.Sprintf(`{"Version":%q}`, published),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o600))
	}
	file, err := os.Create(filepath.Join(at, published+".zip"))
	require.NoError(t, err)
	defer file.Close()
	archive := zip.NewWriter(file)
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipped(dir, name, d)
		}
		text, err := os.ReadFile(name)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		inside, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		w, err := archive.Create(path + "@" + published + "/" + filepath.ToSlash(inside))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}))
	require.NoError(t, archive.Close())
}

// skipped returns SkipDir for a folder that is not of the module, or that no
// importer needs.
func skipped(root, name string, d fs.DirEntry) error {
	if name == root {
		return nil
	}
	switch _, err := os.Stat(filepath.Join(name, "go.mod")); {
	case err == nil, strings.HasPrefix(d.Name(), "."), d.Name() == "testdata", d.Name() == "node_modules", d.Name() == "bin":
		return fs.SkipDir
	}
	return nil
}
