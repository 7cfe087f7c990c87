package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mcpServer is a server for scripts: it answers tools/call with as many rows as
// the name of the tool says, and ends with the code that its argument is.
func mcpServer() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		result := `{"tools":[{"name":"rows_40","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}`
		if request.Method == "tools/call" {
			_, number, _ := strings.Cut(request.Params.Name, "_")
			n, _ := strconv.Atoi(number)
			var rows []string
			for i := range n {
				rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"row","url":"https://example.org/%d"}`, i, i))
			}
			data := "[" + strings.Join(rows, ",") + "]"
			quoted, _ := json.Marshal(data)
			result = `{"content":[{"type":"text","text":` + string(quoted) + `}],"structuredContent":` + data + `}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, result)
	}
	if len(os.Args) > 1 {
		code, _ := strconv.Atoi(os.Args[1])
		os.Exit(code)
	}
}

// TestMCPOverHTTP: the proxy serves on a loopback address until it is
// interrupted.
func TestMCPOverHTTP(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: it sends a signal")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","outputSchema":{}}]}}`)
	}))
	defer server.Close()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "mcp", "proxy", "--listen", "127.0.0.1:0", "--upstream", server.URL)
	cmd.Args[0] = "wirekit"
	notes, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(notes).ReadString('\n')
	require.NoError(t, err)
	address := strings.Fields(line)[2]
	client := http.Client{Timeout: time.Minute}
	response, err := client.Post(address, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t"}]}}`, string(text))
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Wait())
}
