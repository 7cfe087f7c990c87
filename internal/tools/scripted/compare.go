package scripted

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// A Talk talks to the model at base until it calls no more tools, and returns everything
// that it was told. scenario is "plain", "stream" or a value of Header.
type Talk func(t testing.TB, base string, client *http.Client, scenario string) string

// Compare has a client talk to a model directly, through the proxy and through an
// llm.Transport. It must be told the same, and the model must be sent what the client
// sends, rewritten. With UPDATE_CONVERSATIONS set, and the root of the module in it, what
// the client sends is kept for the tests of package llm.
func Compare(t *testing.T, name string, talk Talk) {
	var seen []Request
	model := &Model{Seen: func(r *http.Request, body []byte) { seen = append(seen, Request{r.URL.Path, body}) }}
	direct := httptest.NewServer(model)
	defer direct.Close()
	upstream, err := url.Parse(direct.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := httptest.NewServer(&proxy.Handler{Upstream: upstream, Rewriter: &llm.Rewriter{}, Local: true})
	defer through.Close()
	for _, scenario := range []string{"plain", "stream", "429", "401", "strict", "cut"} {
		t.Run(scenario, func(t *testing.T) {
			if seen, model.Turns = nil, 8; scenario == "plain" {
				model.Turns = 40
			}
			want := talk(t, direct.URL, &http.Client{Transport: &http.Transport{}}, scenario)
			sent := seen
			ways := map[string]func() string{
				"proxy":     func() string { return talk(t, through.URL, &http.Client{Transport: &http.Transport{}}, scenario) },
				"Transport": func() string { return talk(t, direct.URL, &http.Client{Transport: &llm.Transport{}}, scenario) },
			}
			for way, run := range ways {
				seen = nil
				if have := run(); have != want {
					t.Fatalf("%s: told\n%.2000s\ninstead of\n%.2000s", way, have, want)
				}
				check(t, way, scenario, sent, seen)
			}
			if root := os.Getenv("UPDATE_CONVERSATIONS"); root != "" && scenario == "plain" {
				file := filepath.Join(root, "llm", "testdata", "conversations", "go-"+name+".jsonl.gz")
				if err := Save(file, sent); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// check compares what the model was sent with what the client sends.
func check(t *testing.T, way, scenario string, sent, got []Request) {
	if scenario == "strict" {
		if len(got) <= len(sent) {
			t.Fatalf("%s: %d requests, of which none was sent again", way, len(got))
		}
		return
	}
	if scenario != "cut" && len(got) != len(sent) {
		t.Fatalf("%s: %d requests instead of %d", way, len(got), len(sent))
	}
	changed := 0
	for i := range min(len(sent), len(got)) {
		out, _ := new(llm.Rewriter).RewriteRequest(sent[i].Body, llm.Detect(sent[i].Path, nil))
		if !bytes.Equal(out, got[i].Body) {
			t.Fatalf("%s: request %d is not what the client sends, rewritten", way, i)
		}
		if len(out) < len(sent[i].Body) {
			changed++
		}
	}
	if scenario == "plain" && changed < 30 {
		t.Fatalf("%s: %d requests were changed", way, changed)
	}
}
