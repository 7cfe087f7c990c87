//go:build interop

package interop

import (
	"embed"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/tools/scripted"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

//go:embed llm
var llmClient embed.FS

// installed returns a folder with what a folder of this package has, its packages of npm
// installed.
func installed(t *testing.T, files embed.FS, name string) string {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("runs where %s is installed: nothing was called", tool)
		}
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, files))
	dir = filepath.Join(dir, name)
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
	install.Dir = dir
	out, err := install.CombinedOutput()
	require.NoError(t, err, "npm install: %s", out)
	return dir
}

// TestInteropLLM has the published SDKs talk to a model by a script, directly and through
// the proxy: they are told the same, whatever happens, and what the model is sent is what
// the SDK sent, rewritten. UPDATE_CONVERSATIONS=1 keeps what the SDKs sent for the tests
// of package llm.
func TestInteropLLM(t *testing.T) {
	dir := installed(t, llmClient, "llm")
	var seen []scripted.Request
	note := func(r *http.Request, body []byte) {
		seen = append(seen, scripted.Request{Path: r.URL.Path, Body: body})
	}
	long, short := &scripted.Model{Turns: 40, Seen: note}, &scripted.Model{Turns: 3, Seen: note}
	model := long
	direct := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { model.ServeHTTP(w, r) }))
	defer direct.Close()
	upstream, err := url.Parse(direct.URL)
	require.NoError(t, err)
	var refused int
	r := &llm.Rewriter{Observe: func(r llm.Report) {
		if r.Refused {
			refused++
		}
	}}
	through := httptest.NewServer(&proxy.Handler{Upstream: upstream, Rewriter: r, Local: true})
	defer through.Close()
	call := func(base, api, scenario string) (string, []scripted.Request) {
		seen = nil
		cmd := exec.Command("node", "--no-warnings", "client.mjs", base, direct.URL, api, scenario)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		told, err := cmd.Output()
		require.NoError(t, err)
		return string(told), seen
	}
	for _, api := range []string{"chat", "responses", "messages"} {
		for _, scenario := range []string{"plain", "stream", "429", "401", "strict", "cut", "hang", "abort", "image", "big", "count"} {
			if scenario == "count" && api != "messages" {
				continue
			}
			t.Run(api+"/"+scenario, func(t *testing.T) {
				least := 30 // requests that are changed at least
				if model = long; scenario == "big" {
					model, least = short, 1 // its first result has 20 MB
				}
				want, sent := call(direct.URL, api, scenario)
				refused = 0
				have, got := call(through.URL, api, scenario)
				require.Equal(t, want, have)
				require.NotEqual(t, "[]\n", have)
				switch scenario {
				case "abort", "hang", "cut", "strict":
				default:
					require.Len(t, got, len(sent))
				}
				if scenario == "strict" {
					require.Positive(t, refused)
					require.Equal(t, len(sent)+refused, len(got))
					return
				}
				changed := 0
				for i := range min(len(sent), len(got)) {
					out, _ := new(llm.Rewriter).RewriteRequest(sent[i].Body, llm.Detect(sent[i].Path, nil))
					require.Equal(t, string(out), string(got[i].Body), "request %d", i)
					if len(out) < len(sent[i].Body) {
						changed++
					}
				}
				if scenario == "plain" || scenario == "stream" || scenario == "big" {
					require.GreaterOrEqual(t, changed, least)
				}
				if scenario == "plain" && os.Getenv("UPDATE_CONVERSATIONS") != "" {
					require.NoError(t, scripted.Save(filepath.Join("..", "llm", "testdata", "conversations", "node-"+api+".jsonl.gz"), sent))
				}
			})
		}
	}
}
