package playground

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

var page = fstest.MapFS{"index.html": {Data: []byte("the page")}, "core.wasm.gz": {Data: []byte("x")}}

func TestPlaygroundNotBuiltIn(t *testing.T) {
	var errs bytes.Buffer
	err := servePlayground(&cli.Console{Err: &errs}, nil, "127.0.0.1:0", "")
	require.ErrorContains(t, err, `"make playground"`)
}

func TestPlaygroundFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	var errs bytes.Buffer
	require.NoError(t, servePlayground(&cli.Console{Err: &errs}, page, "", dir))
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Equal(t, "the page", string(text))
	require.Contains(t, errs.String(), dir)
}

func TestPlaygroundServes(t *testing.T) {
	r, w := io.Pipe()
	go func() { _ = servePlayground(&cli.Console{Err: w}, page, "127.0.0.1:0", "") }() // to the end of the test's process
	line := make([]byte, 200)
	n, err := r.Read(line)
	require.NoError(t, err)
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(string(line[:n]))
	client := http.Client{Timeout: time.Minute}
	answer, err := client.Get(url)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, "the page", string(body))
}
