package mcpproxy_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// patience is more than anything here takes on a busy machine.
const patience = 60 * time.Second

// A client talks to a proxy in front of a server of a kind.
type client struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *bufio.Reader
	outEnd *io.PipeReader
	code   chan int
}

func connect(t *testing.T, kind string, change func(*mcpproxy.Command)) *client {
	t.Helper()
	t.Setenv(serverVariable, kind)
	self, err := os.Executable()
	require.NoError(t, err)
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c := mcpproxy.Command{Args: []string{self}, Rewriter: &mcp.Rewriter{}, Stdin: inRead, Stdout: outWrite, Stderr: os.Stderr}
	if change != nil {
		change(&c)
	}
	cl := &client{t: t, in: inWrite, outEnd: outRead, out: bufio.NewReaderSize(outRead, 1<<16), code: make(chan int, 1)}
	go func() {
		code, err := c.Run()
		if err != nil {
			t.Error(err)
		}
		outWrite.Close()
		cl.code <- code
	}()
	return cl
}

// ended waits for the proxy's end and returns its exit code.
func (c *client) ended() int {
	c.t.Helper()
	select {
	case code := <-c.code:
		return code
	case <-time.After(patience):
		c.t.Fatal("the proxy does not end")
		return 0
	}
}

func (c *client) send(format string, args ...any) {
	_, err := fmt.Fprintf(c.in, format+"\n", args...)
	require.NoError(c.t, err)
}

func (c *client) line() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	require.NoError(c.t, err)
	return line
}

// textOf returns the text and the format of a result's only block.
func textOf(t *testing.T, message string) (id, text, format string) {
	t.Helper()
	v := codectest.JSON(t, message)
	number, _ := v.Get("id")
	result, _ := v.Get("result")
	content, _ := result.Get("content")
	block := content.Index(0)
	said, _ := block.Get("text")
	if meta, has := block.Get("_meta"); has {
		name, _ := meta.Get(mcp.MetaKey)
		format = name.Text()
	}
	return string(wire.AppendJSON(nil, number)), said.Text(), format
}

func TestCommand(t *testing.T) {
	c := connect(t, "plain", nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"rows":50}}}`)
	_, text, format := textOf(t, c.line())
	require.NotEmpty(t, format)
	back, err := wirekit.Convert([]byte(text), format, "json")
	require.NoError(t, err)
	require.Equal(t, tableOf("1", 50), string(back))
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"rows":1}}}`)
	_, text, format = textOf(t, c.line())
	require.Empty(t, format)
	require.Equal(t, tableOf("2", 1), text)
	require.NoError(t, c.in.Close())
	require.Equal(t, 0, c.ended())
}

// TestInterleaved: a thousand requests whose answers come in any order, with
// ids that are numbers and strings, lose nothing.
func TestInterleaved(t *testing.T) {
	c := connect(t, "shuffle", nil)
	ids := make(map[string]int)
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := range 1000 {
			id := fmt.Sprint(i)
			if i%2 == 1 {
				id = fmt.Sprintf("%q", fmt.Sprint(i-1)) // "0" beside 0
			}
			c.send(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"t","arguments":{"rows":%d}}}`, id, 1+i%40)
		}
	})
	converted := 0
	for range 1000 {
		id, text, format := textOf(t, c.line())
		ids[id]++
		if format != "" {
			converted++
			back, err := wirekit.Convert([]byte(text), format, "json")
			require.NoError(t, err)
			text = string(back)
		}
		rows := strings.Count(text, `"request"`)
		require.Equal(t, tableOf(id, rows), text)
	}
	wait.Wait()
	require.Len(t, ids, 1000)
	require.Greater(t, converted, 500)
	require.NoError(t, c.in.Close())
	require.Equal(t, 0, c.ended())
}

// TestLongLines: 20 MB pass in both directions, looked at or not.
func TestLongLines(t *testing.T) {
	const size = 20 << 20
	for name, most := range map[string]int{"whole": 0, "in pieces": 1 << 16} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, "plain", func(c *mcpproxy.Command) { c.MaxLine = most })
			padding := strings.Repeat("y", size)
			go c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"bytes":%d},"x":"%s"}}`, size, padding)
			line := c.line()
			want := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}}` + "\n"
			require.True(t, line == want, "%d bytes instead of %d", len(line), len(want))
			c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"rows":50}}}`)
			_, _, format := textOf(t, c.line())
			require.NotEmpty(t, format, "the line after it")
			require.NoError(t, c.in.Close())
			require.Equal(t, 0, c.ended())
		})
	}
}

// rest reads what is left of the output.
func (c *client) rest() string {
	c.t.Helper()
	done := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(c.out)
		done <- string(text)
	}()
	select {
	case text := <-done:
		return text
	case <-time.After(patience):
		c.t.Fatal("the output does not end")
		return ""
	}
}

func TestServersThatMisbehave(t *testing.T) {
	t.Run("exit", func(t *testing.T) {
		c := connect(t, "exit", nil)
		require.Equal(t, `{"jsonrpc":"2.0","method":"notifications/message"}`+"\n", c.rest())
		require.Equal(t, 7, c.ended())
	})
	t.Run("garbage", func(t *testing.T) {
		c := connect(t, "garbage", nil)
		require.Equal(t, "not JSON\n\x00\xff\xfe\n{\"id\":1,\n\n[[[\n\"no end", c.rest())
		require.Equal(t, 0, c.ended())
	})
	t.Run("hang", func(t *testing.T) {
		c := connect(t, "hang", func(c *mcpproxy.Command) { c.Grace = 100 * time.Millisecond })
		require.Equal(t, "ready\n", c.line())
		require.NoError(t, c.in.Close())
		require.Empty(t, c.rest())
		require.NotEqual(t, 0, c.ended())
	})
	t.Run("linger", func(t *testing.T) {
		c := connect(t, "linger", func(c *mcpproxy.Command) { c.Grace = time.Second })
		require.Equal(t, "last words\n", c.rest())
		require.Equal(t, 0, c.ended())
	})
}

// TestClientThatLeaves: a server whose client does not read any more is ended.
func TestClientThatLeaves(t *testing.T) {
	c := connect(t, "plain", func(c *mcpproxy.Command) { c.Grace = 200 * time.Millisecond })
	require.NoError(t, c.outEnd.Close())
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"rows":5}}}`)
	c.ended()
}

func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs where there are signals to pass on")
	}
	signals := make(chan os.Signal, 1)
	c := connect(t, "hang", func(c *mcpproxy.Command) { c.Signals = signals })
	require.Equal(t, "ready\n", c.line())
	signals <- syscall.SIGTERM
	require.Equal(t, 128+int(syscall.SIGTERM), c.ended())
}

func TestCannotStart(t *testing.T) {
	for _, args := range [][]string{nil, {"/nonexistent/server"}} {
		var out bytes.Buffer
		_, err := mcpproxy.Command{Args: args, Rewriter: &mcp.Rewriter{}, Stdin: strings.NewReader(""), Stdout: &out}.Run()
		require.Error(t, err)
		require.Empty(t, out.String())
	}
}
