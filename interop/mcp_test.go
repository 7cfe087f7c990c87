//go:build interop

package interop

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

//go:embed mcp
var mcpClient embed.FS

// TestInteropMCP calls tools of the published servers with the published
// client, with the proxy in between and without: the same tools, the same data,
// and never more tokens.
func TestInteropMCP(t *testing.T) {
	dir := installed(t, mcpClient, "mcp")
	bin := filepath.Join(dir, "wirekit")
	out, err := exec.Command("go", "build", "-o", bin, "../cmd/wirekit").CombinedOutput()
	require.NoError(t, err, "%s", out)

	files := filepath.Join(dir, "files")
	require.NoError(t, os.MkdirAll(files, 0o700))
	for i := range 30 {
		require.NoError(t, os.WriteFile(filepath.Join(files, fmt.Sprintf("file%02d.txt", i)), []byte("x"), 0o600))
	}
	var entities []string
	for i := range 40 {
		entities = append(entities, fmt.Sprintf(`{"name":"entity_%d","entityType":"service","observations":["runs on port %d"]}`, i, 8000+i))
	}
	t.Run("bridges", func(t *testing.T) { bridges(t, dir, bin) })
	t.Run("serve", func(t *testing.T) { servesTools(t, dir, bin) })
	for _, c := range []struct {
		server, calls string
		args          []string
		most          []int // tokens that each result may take; 0 for no more than before
	}{
		{"memory", `[{"name":"create_entities","arguments":{"entities":[` + strings.Join(entities, ",") + `]}},{"name":"read_graph","arguments":{}}]`, nil, []int{537, 539}},
		{"filesystem", `[{"name":"directory_tree","arguments":{"path":"` + files + `"}},{"name":"list_directory_with_sizes","arguments":{"path":"` + files + `"}}]`, []string{files}, []int{162, 0}},
		{"everything", `[{"name":"get-structured-content","arguments":{"location":"Chicago"}},{"name":"echo","arguments":{"message":"hello"}}]`, nil, []int{0, 0}},
	} {
		t.Run(c.server, func(t *testing.T) {
			server := append([]string{"node", filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-"+c.server, "dist", "index.js")}, c.args...)
			call := func(memory string, command ...string) wire.Value {
				cmd := exec.Command("node", append([]string{"client.mjs"}, command...)...)
				cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.calls)
				cmd.Env = append(os.Environ(), "MEMORY_FILE_PATH="+filepath.Join(t.TempDir(), memory))
				out, err := cmd.Output()
				require.NoError(t, err)
				v := codectest.JSON(t, out)
				return v
			}
			plain := call("plain", server...)
			through := call("proxied", append([]string{bin, "mcp", "proxy", "--"}, server...)...)
			names, _ := plain.Get("tools")
			same, _ := through.Get("tools")
			require.True(t, wire.Identical(names, same))
			schemas, _ := through.Get("schemas")
			require.Equal(t, "0", schemas.Text())
			want, _ := plain.Get("results")
			have, _ := through.Get("results")
			require.Equal(t, want.Len(), have.Len())
			before, after := 0, 0
			for i := range want.Len() {
				one, other := shown(t, want.Index(i)), shown(t, have.Index(i))
				require.LessOrEqual(t, other, one)
				if c.most[i] > 0 {
					require.LessOrEqual(t, other, c.most[i])
				}
				before, after = before+one, after+other
				t.Logf("result %d: %d tokens as sent, %d shown, %d now", i, countOf(t, firstText(want.Index(i))), one, other)
				sameData(t, want.Index(i), have.Index(i))
			}
			t.Logf("%s: %d tokens instead of %d", c.server, after, before)
			pruned := call("pruned", append([]string{bin, "mcp", "proxy", "--prune", "--"}, server...)...)
			names, _ = pruned.Get("tools")
			require.True(t, wire.Identical(names, same))
			asSent, without, least := listed(t, plain), listed(t, through), listed(t, pruned)
			require.LessOrEqual(t, least, without)
			require.LessOrEqual(t, without, asSent)
			t.Logf("%s: the list of tools has %d tokens, %d without outputSchema, %d pruned", c.server, asSent, without, least)
		})
	}
}

// servesTools has the published client call the tools of the command.
func servesTools(t *testing.T, dir, bin string) {
	cmd := exec.Command("node", "client.mjs", bin, "mcp", "serve", "--root", "files")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(`[{"name":"pack","arguments":{"budget":2000}},{"name":"convert","arguments":{"document":"[{\"a\":1}]","to":"csv"}},
		{"name":"compare","arguments":{"document":"[{\"a\":1}]"}},{"name":"outline","arguments":{"path":"../files"}},{"name":"none"}]`)
	out, err := cmd.Output()
	require.NoError(t, err)
	v := codectest.JSON(t, out)
	names, _ := v.Get("tools")
	require.Equal(t, `["pack","outline","grep","read","convert","compare"]`, string(wire.AppendJSON(nil, names)))
	results, _ := v.Get("results")
	for i, want := range []string{"file29.txt", `a\n1\n`, "| json |", "not below", "there is no tool"} {
		require.Contains(t, string(wire.AppendJSON(nil, results.Index(i))), want)
	}
}

// bridges puts the proxy between a client that runs it and a server over HTTP,
// and between that and a server that is a command.
func bridges(t *testing.T, dir, bin string) {
	module := func(name string) string {
		return filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-"+name, "dist", "index.js")
	}
	const calls = `[{"name":"get-structured-content","arguments":{"location":"Chicago"}},{"name":"echo","arguments":{"message":"hello"}},{"name":"get-tiny-image","arguments":{}}]`
	call := func(command ...string) wire.Value {
		cmd := exec.Command("node", append([]string{"client.mjs"}, command...)...)
		cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(calls), os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		v := codectest.JSON(t, out)
		results, _ := v.Get("results")
		return results
	}
	plain := call("node", module("everything"))
	require.Equal(t, 3, plain.Len())

	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	require.NoError(t, err)
	require.NoError(t, free.Close())
	server := exec.Command("node", module("everything"), "streamableHttp")
	server.Env = append(os.Environ(), "PORT="+port)
	require.NoError(t, server.Start())
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			err = c.Close()
		}
		return err == nil
	}, time.Minute, 50*time.Millisecond)
	over := call(bin, "mcp", "proxy", "--upstream", "http://127.0.0.1:"+port+"/mcp")
	require.True(t, wire.Equal(plain, over), "over HTTP: %s", over)

	front := exec.Command(bin, "mcp", "proxy", "--listen", "127.0.0.1:0", "--", "node", module("everything"))
	notes, err := front.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, front.Start())
	defer func() {
		_ = front.Process.Signal(os.Interrupt)
		_ = front.Wait()
	}()
	line, err := bufio.NewReader(notes).ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, notes) }()
	both := call(bin, "mcp", "proxy", "--upstream", strings.Fields(line)[2])
	require.True(t, wire.Equal(plain, both), "over lines, HTTP and lines: %s", both)
}

// listed returns the tokens of the list of tools.
func listed(t *testing.T, v wire.Value) int {
	list, ok := v.Get("list")
	require.True(t, ok)
	return countOf(t, string(wire.AppendJSON(nil, list)))
}

// shown returns the tokens of what a client shows that prefers
// structuredContent.
func shown(t *testing.T, result wire.Value) int {
	text := firstText(result)
	if data, has := result.Get("structuredContent"); has {
		text = string(wire.AppendJSON(nil, data))
	}
	return countOf(t, text)
}

func countOf(t *testing.T, text string) int {
	n, err := tokens.Default().Count([]byte(text))
	require.NoError(t, err)
	return n
}

func firstText(result wire.Value) string {
	content, _ := result.Get("content")
	text, _ := content.Index(0).Get("text")
	return text.Text()
}

// sameData compares a result with one that the proxy may have rewritten.
func sameData(t *testing.T, plain, through wire.Value) {
	content, _ := through.Get("content")
	meta, has := content.Index(0).Get("_meta")
	if !has {
		require.Equal(t, firstText(plain), firstText(through))
		return
	}
	format, _ := meta.Get(mcp.MetaKey)
	codec, err := wirekit.Lookup(format.Text())
	require.NoError(t, err)
	back := codectest.Decoded(t, codec, firstText(through))
	data := codectest.JSON(t, firstText(plain))
	require.True(t, wire.Equal(data, back))
}
