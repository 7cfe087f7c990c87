package middleware_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// command builds the command and returns where it is.
func command(t *testing.T) string {
	if testing.Short() {
		t.Skip("runs without -short: it builds the command")
	}
	bin := filepath.Join(t.TempDir(), "wirekit.exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", bin, "./cmd/wirekit")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return bin
}

// TestServeWithSDK: the SDK's client calls the tools of wirekit mcp serve, with and without
// sessions.
func TestServeWithSDK(t *testing.T) {
	bin, dir := command(t), t.TempDir()
	files := filepath.Join(dir, "files")
	require.NoError(t, os.Mkdir(files, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(files, "a.py"), []byte("def sell(thing): pass\n"), 0o600))
	for _, version := range []string{"", "2025-06-18"} {
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.Command(bin, "mcp", "serve", "--root", files)}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		require.NoError(t, err)
		if version == "" {
			version = "2026-07-28"
		}
		require.Equal(t, version, session.InitializeResult().ProtocolVersion)
		require.Equal(t, "wirekit", session.InitializeResult().ServerInfo.Name)
		list, err := session.ListTools(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, list.Tools, 6)
		call := func(name string, arguments map[string]any) (string, bool) {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
			require.NoError(t, err)
			return result.Content[0].(*sdk.TextContent).Text, result.IsError
		}
		text, failed := call("pack", map[string]any{"budget": 500})
		require.False(t, failed)
		require.Contains(t, text, "def sell(thing)")
		text, _ = call("outline", map[string]any{"path": "a.py"})
		require.Contains(t, text, "def sell(thing)")
		text, _ = call("convert", map[string]any{"document": `[{"a":1}]`, "to": "csv"})
		require.Equal(t, "a\n1\n", text)
		text, _ = call("compare", map[string]any{"document": `[{"a":1}]`})
		require.Contains(t, text, "| json |")
		_, failed = call("pack", map[string]any{"paths": []string{"../.."}})
		require.True(t, failed)
		_, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "none"})
		require.ErrorContains(t, err, "there is no tool")
		require.NoError(t, session.Close())
	}
}
