package playground

import (
	"bytes"
	"context"
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
	err := servePlayground(context.Background(), &cli.Console{Err: &errs}, nil, "127.0.0.1:0", "")
	require.ErrorContains(t, err, `"make playground"`)
}

func TestPlaygroundFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	var errs bytes.Buffer
	require.NoError(t, servePlayground(context.Background(), &cli.Console{Err: &errs}, page, "", dir))
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Equal(t, "the page", string(text))
	require.Contains(t, errs.String(), dir)
}

func TestPlaygroundServes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- servePlayground(ctx, &cli.Console{Err: w}, page, "127.0.0.1:0", "") }()
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
	cancel()
	require.NoError(t, <-done)
}
