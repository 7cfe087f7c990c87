package rewriting

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// TestCalibrationFile: pairs are lines of the file, also after one that a full disk has cut;
// it has numbers and models' names only, and does not grow for ever.
func TestCalibrationFile(t *testing.T) {
	for cut := range 20 {
		name := filepath.Join(t.TempDir(), "pairs")
		require.NoError(t, os.WriteFile(name, []byte(`{"model":"m","ours":1`[:cut]), 0o600))
		var said strings.Builder
		c := &cli.Console{Err: &said}
		calibration, err := NewCalibration(c, name)
		require.NoError(t, err)
		for range 12 {
			calibration.Observe(llm.Pair{Model: "m", Ours: 100, Provider: 120})
		}
		list, err := readBilled(c, name, nil)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, 12, list[0].Pairs)
		require.InDeltaSlice(t, []float64{1.2, 1.2}, list[0].Factor, 1e-9)
		require.Equal(t, cut > 0, strings.Contains(said.String(), "left out"), cut)
	}
	name := filepath.Join(t.TempDir(), "pairs")
	calibration, err := NewCalibration(&cli.Console{Err: io.Discard}, name)
	require.NoError(t, err)
	for range 400 {
		calibration.Observe(llm.Pair{Model: strings.Repeat("m", 4000), Ours: 1, Provider: 1})
	}
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(maxCalibration+5000))
}

// TestLLMCalibrate: what the proxy notes of answers with --calibrate is what stats reads.
func TestLLMCalibrate(t *testing.T) {
	requests := 0
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "identity", r.Header.Get("Accept-Encoding"))
		requests++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"usage":{"input_tokens":%d,"cache_read_input_tokens":%d}}`, 100+20*requests, 1000)
	}))
	defer api.Close()
	upstream, err := url.Parse(api.URL)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "pairs")
	calibration, err := NewCalibration(&cli.Console{Err: io.Discard}, name)
	require.NoError(t, err)
	front := httptest.NewServer(&proxy.Handler{Upstream: upstream, Rewriter: &llm.Rewriter{}, Calibration: calibration})
	defer front.Close()
	messages := `{"role":"user","content":"one two three four five six seven eight nine ten"}`
	for range 15 {
		req, err := http.NewRequest("POST", front.URL+"/v1/messages", strings.NewReader(`{"model":"m","messages":[`+messages+`]}`))
		require.NoError(t, err)
		req.Header.Set("Accept-Encoding", "gzip")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		messages += `,{"role":"user","content":[{"type":"text","text":"one two three four five six seven eight nine ten"}]}`
	}
	list, err := readBilled(&cli.Console{}, name, nil)
	require.NoError(t, err)
	require.Equal(t, 14, list[0].Pairs)
	require.InDeltaSlice(t, []float64{2, 2}, list[0].Factor, 1e-9) // ten tokens were added, and twenty billed
}
