package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/resident"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"wirekit": main, "mcpserver": mcpServer})
}

// foreignFiles are what other programs write, with bytes that the scripts cannot
// hold.
var foreignFiles = map[string]string{
	"export.csv": "\ufeffid,name,amount,note\r\n1,Ada,1.50,\"said \"\"hi\"\"\"\r\n2,\"Bob, Jr.\",007,\"two\r\nlines\"\r\n3,Zoë,,N/A\r\n",
	"latin.csv":  "id,name\n1,Zo\xeb\n",
	"log.json":   "\x1f\x8b\x08\x00",
	"marked.bin": "\xd9\xd9\xf7\x83\x01\x02\x03",
	"utf16.csv":  "\xff\xfei\x00d\x00\r\x00\n\x001\x00",
}

// compressedFiles are documents after gzip and zstd, one of which inflates to more than it
// may.
func compressedFiles(t *testing.T) map[string]string {
	zipped := func(text string) string {
		var out strings.Builder
		w := gzip.NewWriter(&out)
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return out.String()
	}
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	defer z.Close()
	bomb := "[" + strings.Repeat(" ", 21_000_000) + "]"
	return map[string]string{
		"hosts.csv.gz":   zipped("id,name\n1,a\n2,b\n"),
		"log.jsonl.zst":  string(z.EncodeAll([]byte("{\"a\":1}\n{\"a\":2}\n"), nil)),
		"cut.json.gz":    zipped(`{"a":1}`)[:20],
		"bomb.json.gz":   zipped(bomb),
		"records.csv.gz": zipped("id\n" + strings.Repeat("7\n", 1000)),
	}
}

// TestScripts runs testdata/script: each file is one scenario of the command,
// with the files it reads and the output it must give.
func TestScripts(t *testing.T) {
	names := "*"
	if testing.Short() && resident.RaceEnabled {
		names = "[os][uth][^h]*" // outdir, shapes, stream: verbs that run things at the same time
	}
	files, err := filepath.Glob("testdata/script/" + names + ".txtar")
	require.NoError(t, err)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ESC", "\x1b")
			e.Setenv("NOWHERE", gone.URL) // no server listens there
			for _, files := range []map[string]string{foreignFiles, compressedFiles(t)} {
				for name, text := range files {
					if err := os.WriteFile(filepath.Join(e.WorkDir, name), []byte(text), 0o644); err != nil {
						return err
					}
				}
			}
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// TestInterrupted: a conversion that is interrupted leaves nothing behind.
func TestInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: it sends a signal")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	cmd := exec.Command(self, "convert", "--stream", "-t", "jsonl", "-o", filepath.Join(dir, "out.jsonl"))
	cmd.Args[0] = "wirekit" // as which testscript.Main runs main
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, "{\"a\":1}\n{\"a\":2}\n")
	require.NoError(t, err)
	files := func() int {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		return len(entries)
	}
	require.Eventually(t, func() bool { return files() == 1 }, time.Minute, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	require.Equal(t, 130, cmd.ProcessState.ExitCode())
	require.Zero(t, files())
}
