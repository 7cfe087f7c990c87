package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/pack"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// An answer is what a server has sent.
type answer struct {
	ID     json.RawMessage
	Error  *rpcError
	Result struct {
		ProtocolVersion   string
		SupportedVersions []string
		ResultType        string
		Instructions      string
		Tools             []struct {
			Name        string
			InputSchema struct {
				Type       string
				Properties map[string]json.RawMessage
			}
			Annotations struct{ ReadOnlyHint bool }
		}
		IsError bool
		Content []struct{ Type, Text string }
	}
}

// answers are what a server of a folder sends to messages, by their ids.
func answers(t *testing.T, dir string, messages ...string) map[string]answer {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	var out bytes.Buffer
	s := toolServer{find: toolbox{root: root, dir: dir}.find, out: &out}
	require.NoError(t, s.serve(t.Context(), strings.NewReader(strings.Join(messages, "\n"))))
	all := make(map[string]answer)
	for line := range strings.Lines(out.String()) {
		var a answer
		require.NoError(t, json.Unmarshal([]byte(line), &a), line)
		all[string(a.ID)] = a
	}
	return all
}

// called is the result of one tool.
func called(t *testing.T, dir, name, arguments string) (text string, failed bool) {
	t.Helper()
	a := answers(t, dir, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)["1"]
	require.Nil(t, a.Error)
	require.Len(t, a.Result.Content, 1)
	require.Equal(t, "text", a.Result.Content[0].Type)
	return a.Result.Content[0].Text, a.Result.IsError
}

// served is a folder with a few files, beside one with a secret.
func served(t *testing.T) string {
	top := t.TempDir()
	for name, text := range map[string]string{
		"secret.json": `{"a":"secret"}`, "in/go.mod": "module m\n", "in/shop.go": "// Package m sells.\npackage m\n\n// Buy buys.\nfunc Buy(n int) error { return pay(n) }\n\nfunc pay(int) error { return nil }\n",
		"in/web/a.py": "class Basket:\n    \"\"\"Holds things.\"\"\"\n    def add(self, thing): pass\n", "in/rows.json": `[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]`,
		"in/.env": "TOKEN=1\n", "in/notes.txt": "nothing\n",
	} {
		name = filepath.Join(top, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return filepath.Join(top, "in")
}

// TestServeTools: each tool gives what the verb of its name does.
func TestServeTools(t *testing.T) {
	dir := served(t)
	for _, c := range []struct {
		tool, arguments string
		want, without   []string
	}{
		{"pack", `{}`, []string{"func pay(int)", "class Basket"}, []string{"TOKEN"}},
		{"pack", `{"paths":["web"],"format":"xml"}`, []string{`path="web/a.py"`}, []string{"func Buy"}},
		{"pack", `{"about":"what holds things","budget":100}`, []string{"Holds things"}, []string{"return pay"}},
		{"outline", `{"path":"."}`, []string{"# .\nPackage m sells.", "func Buy(n int) error // Buy buys.", "class Basket", "def add(self, thing)"}, []string{"pay(", "nothing"}},
		{"outline", `{"path":"web/a.py"}`, []string{"class Basket"}, []string{"Buy"}},
		{"convert", `{"path":"rows.json","to":"csv"}`, []string{"id,name\n1,a\n"}, nil},
		{"convert", `{"document":"[{\"id\":1,\"name\":\"a\"}]","to":"json","at":"/0"}`, []string{`{"id":1,"name":"a"}`}, nil},
		{"convert", `{"path":"` + filepath.ToSlash(filepath.Join(dir, "rows.json")) + `"}`, []string{"id", "a"}, []string{`{"id":1`}},
		{"compare", `{"path":"rows.json"}`, []string{"| json |", "| gcf |"}, nil},
	} {
		text, failed := called(t, dir, c.tool, c.arguments)
		require.False(t, failed, text)
		for _, part := range c.want {
			require.Contains(t, text, part, "%s %s", c.tool, c.arguments)
		}
		for _, part := range c.without {
			require.NotContains(t, text, part, "%s %s", c.tool, c.arguments)
		}
	}
	// The same text as that of the verb.
	t.Chdir(dir)
	var out bytes.Buffer
	verb := pack.New(&cli.Console{In: strings.NewReader(""), Out: &out, Err: io.Discard})
	verb.SetArgs([]string{"--render", "markdown", "--budget", "120"})
	require.NoError(t, verb.ExecuteContext(t.Context()))
	text, _ := called(t, dir, "pack", `{"budget":120}`)
	require.Equal(t, strings.TrimSuffix(out.String(), "\n"), text)
}

// TestServeRefuses: nothing outside of the folder is read, and what is wrong is said to the model.
func TestServeRefuses(t *testing.T) {
	dir := served(t)
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("../secret.json", filepath.Join(dir, "link.json")))
		require.NoError(t, os.Symlink("..", filepath.Join(dir, "up")))
	}
	before := listOf(t, filepath.Dir(dir))
	for _, c := range []struct{ tool, arguments, want string }{
		{"pack", `{"paths":["../secret.json"]}`, "not below"},
		{"pack", `{"paths":["/etc"]}`, "not below"},
		{"pack", `{"paths":["none"]}`, "no such file"},
		{"pack", `{"paths":["up/secret.json"]}`, ""},
		{"pack", `{"paths":["link.json"]}`, ""},
		{"pack", `{"budget":3}`, "budget"},
		{"pack", `{"about":"what is this"}`, "no word"},
		{"pack", `{"focus":["nowhere"]}`, "no file matches"},
		{"pack", `{"format":"pdf"}`, "one of xml, markdown, minimal"},
		{"pack", `{"path":"."}`, "no argument"},
		{"outline", `{}`, "wants a path"},
		{"outline", `{"path":"../"}`, "not below"},
		{"outline", `{"path":"notes.txt"}`, ""},
		{"convert", `{"path":"../secret.json"}`, "not below"},
		{"convert", `{"path":"link.json"}`, ""},
		{"convert", `{"path":"up/secret.json"}`, ""},
		{"convert", `{"path":"web"}`, "not a file"},
		{"convert", `{}`, "either"},
		{"convert", `{"path":"rows.json","document":"[]"}`, "either"},
		{"convert", `{"path":"rows.json","to":"msgpack"}`, "binary"},
		{"convert", `{"path":"rows.json","to":"docx"}`, "docx"},
		{"convert", `{"document":"{","from":"json"}`, "json"},
		{"convert", `{"path":"rows.json","at":"x"}`, "--at"},
		{"compare", `{"path":"up/secret.json"}`, ""},
	} {
		text, failed := called(t, dir, c.tool, c.arguments)
		require.True(t, failed, "%s %s: %s", c.tool, c.arguments, text)
		require.Contains(t, text, c.want)
		require.NotContains(t, text, `"secret"`)
	}
	require.Equal(t, before, listOf(t, filepath.Dir(dir)), "nothing is written")
}

// listOf are the files below a folder, with their lengths.
func listOf(t *testing.T, dir string) map[string]int64 {
	all := make(map[string]int64)
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		all[name] = info.Size()
		return err
	}))
	return all
}

// TestServeMessages: both ways to begin, and what is wrong with messages.
func TestServeMessages(t *testing.T) {
	all := answers(t, served(t),
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``,
		`{"jsonrpc":"2.0","id":"two","method":"initialize","params":{"protocolVersion":"2030-01-01"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":6,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"rm"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"pack","_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}`,
		`{"jsonrpc":"2.0","id":10,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","id":11,"method":7}`, `{"jsonrpc":"2.0","id":12}`,
	)
	require.Equal(t, "2025-06-18", all["1"].Result.ProtocolVersion)
	require.Equal(t, instructions, all["1"].Result.Instructions)
	require.Empty(t, all["1"].Result.ResultType)
	require.Equal(t, "2025-11-25", all[`"two"`].Result.ProtocolVersion)
	require.Equal(t, revisions, all["3"].Result.SupportedVersions)
	require.Equal(t, "complete", all["3"].Result.ResultType)
	require.Equal(t, codeUnsupported, all["4"].Error.Code)
	require.Nil(t, all["5"].Error)
	require.Equal(t, codeMethod, all["6"].Error.Code)
	require.Len(t, all["7"].Result.Tools, 6)
	for _, tool := range all["7"].Result.Tools {
		require.Equal(t, "object", tool.InputSchema.Type)
		require.True(t, tool.Annotations.ReadOnlyHint)
	}
	require.Equal(t, codeParams, all["8"].Error.Code)
	require.Equal(t, codeUnsupported, all["9"].Error.Code)
	require.NotContains(t, all, "10")
	require.Equal(t, codeRequest, all["12"].Error.Code)
	require.Equal(t, codeRequest, all["11"].Error.Code)

	long := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", mostMessage) + `"}`
	all = answers(t, served(t), long, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, long)
	require.Equal(t, codeRequest, all["null"].Error.Code)
	require.Contains(t, all, "2")
	require.Len(t, all, 2)
	require.Equal(t, codeParse, answers(t, served(t), "{")["null"].Error.Code)
	require.Equal(t, codeRequest, answers(t, served(t), `[{"jsonrpc":"2.0","id":2,"method":"ping"}]`)["null"].Error.Code)
}

// TestServeCancelled: a call that is cancelled ends and is not answered, others are.
func TestServeCancelled(t *testing.T) {
	in, write := io.Pipe()
	out, began := new(bytes.Buffer), make(chan struct{})
	s := toolServer{out: out, find: func(string) (tool, bool) {
		return func(ctx context.Context, _ json.RawMessage) (string, error) {
			close(began)
			<-ctx.Done()
			return "", ctx.Err()
		}, true
	}}
	done := make(chan error)
	go func() { done <- s.serve(context.Background(), in) }()
	send := func(text string) {
		_, err := io.WriteString(write, text+"\n")
		require.NoError(t, err)
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`)
	<-began
	send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	require.NoError(t, write.Close())
	require.NoError(t, <-done)
	require.Equal(t, `{"id":2,"jsonrpc":"2.0","result":{}}`+"\n", out.String())
	requireNoCalls(t, &s)
}

// requireNoCalls: no call is taken for running.
func requireNoCalls(t *testing.T, s *toolServer) {
	t.Helper()
	s.running.Range(func(m, _ any) bool {
		require.Fail(t, "a call is left", "%s", m.(*request).ID)
		return false
	})
}

// TestServeOneIDTwice: of calls with the same id each is answered, the end of one leaves the
// others alone, and those are cancelled that are running.
func TestServeOneIDTwice(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		in, write := io.Pipe()
		read, out := io.Pipe()
		began, goOn := make(chan string), map[string]chan struct{}{"first": make(chan struct{}), "second": make(chan struct{})}
		s := toolServer{out: out, find: func(name string) (tool, bool) {
			return func(ctx context.Context, _ json.RawMessage) (string, error) {
				began <- name
				select {
				case <-goOn[name]:
					return name, nil
				case <-ctx.Done():
					return "", ctx.Err()
				}
			}, true
		}}
		done := make(chan error, 1)
		go func() { done <- s.serve(context.Background(), in) }()
		send := func(text string) {
			_, err := io.WriteString(write, text+"\n")
			require.NoError(t, err)
		}
		lines := bufio.NewReader(read)
		said := func() string {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			return line
		}
		for _, name := range []string{"first", "second"} {
			send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `"}}`)
			require.Equal(t, name, <-began)
		}
		close(goOn["first"])
		require.Contains(t, said(), `"text":"first"`)
		if cancelled {
			send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
			require.Contains(t, said(), `"id":2`)
		} else {
			close(goOn["second"])
			require.Contains(t, said(), `"text":"second"`)
		}
		require.NoError(t, write.Close())
		require.NoError(t, <-done)
		requireNoCalls(t, &s)
	}
}

// TestServeBounds: a document that is small in bytes and large in values, and one that is too
// large to be tried in every format, are refused before that.
func TestServeBounds(t *testing.T) {
	dir := t.TempDir()
	var columns strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&columns, "a_long_name_of_a_column_%d,", i)
	}
	inflating := columns.String() + "b\n" + strings.Repeat(strings.Repeat("1,", 2000)+"1\n", 400)
	for name, text := range map[string]string{
		"objects.json":   "[" + strings.Repeat("{},", 5<<20) + "{}]",
		"numbers.json":   "[" + strings.Repeat("0,", 7<<20) + "0]",
		"lists.json":     "[" + strings.Repeat("[],", 700_000) + "[]]",
		"rows.gcx":       "GCX1 t rows=4000000\n" + strings.Repeat("\n", 4_000_000),
		"lines.jsonl":    strings.Repeat("0\n", 7<<20),
		"lines.csv":      "a\n" + strings.Repeat("1\n", 7<<20),
		"list.yaml":      strings.Repeat("- 0\n", 3<<20),
		"list.toon":      "[2000000]:\n" + strings.Repeat("  - 0\n", 2_000_000),
		"strings.json":   `["` + strings.Repeat("x y ", 1<<18) + `"]`,
		"inflating.csv":  inflating,
		"objects.txt":    "[" + strings.Repeat("{},", 5<<20) + "{}]",
		"words.txt":      strings.Repeat("some words\n", 1<<17),
		"misnamed.json":  "GCX1 t rows=4000000\n" + strings.Repeat("\n", 4_000_000),
		"table.md":       "| a |\n| - |\n" + strings.Repeat("| 1 |\n", 2<<20),
		"deep.json":      "[" + strings.Repeat(`[[[[0]]]],`, 400_000) + "0]",
		"two_large.json": `{"a":[1,2,3],"b":"` + strings.Repeat("x", mostMeasured) + `"}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		for _, tool := range []string{"compare", "convert"} {
			var said string
			var failed bool
			took := growth.Allocated(func() { said, failed = called(t, dir, tool, `{"path":"`+name+`"}`) })
			require.True(t, failed, "%s %s: %.200s", tool, name, said)
			require.Less(t, int(took), 600<<20, "%s %s", tool, name)
			require.Less(t, len(said), 1000)
		}
	}
	for _, tool := range []string{"compare", "convert"} {
		said, failed := called(t, dir, tool, `{"path":"two_large.json","at":"/a"}`)
		require.False(t, failed, said)
	}
	said, failed := called(t, dir, "convert", `{"path":"inflating.csv","to":"json"}`)
	require.True(t, failed)
	require.Contains(t, said, "take a part of the document with at")
}
