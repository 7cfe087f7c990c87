package llm_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/internal/tools/scripted"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
)

// A conversation is what a client has sent, turn by turn.
type conversation struct {
	name     string
	requests []scripted.Request
}

// conversations are those that official SDKs have sent to a model by a script, and two
// that are made here: one in Gemini's shape, and one of a program that mostly reads code.
func conversations(t testing.TB) []conversation {
	files, err := filepath.Glob("testdata/conversations/*.jsonl.gz")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 6, "three of Node, three of Go")
	var list []conversation
	for _, file := range files {
		requests, err := scripted.Load(file)
		require.NoError(t, err)
		require.Greater(t, len(requests), 30, file)
		list = append(list, conversation{strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), requests})
	}
	return append(list, gemini(), code())
}

// gemini is a conversation in Gemini's shape.
func gemini() conversation {
	contents := []string{`{"role":"user","parts":[{"text":"Look at everything."}]}`}
	c := conversation{name: "made-gemini"}
	send := func() {
		c.requests = append(c.requests, scripted.Request{Path: "/v1beta/models/m:generateContent",
			Body: []byte(`{"systemInstruction":{"parts":[{"text":"You are an agent."}]},"contents":[` + strings.Join(contents, ",") + `],"generationConfig":{"temperature":0.50}}`)})
	}
	send()
	for i, result := range scripted.Results()[:40] {
		response := result.Text
		if !json.Valid([]byte(response)) || response[0] != '{' {
			response = `{"result":` + q(response) + `}`
			if json.Valid([]byte(result.Text)) {
				response = `{"result":` + result.Text + `}`
			}
		}
		contents = append(contents,
			fmt.Sprintf(`{"role":"model","parts":[{"functionCall":{"name":%q,"args":{"n":%d}},"thoughtSignature":"c2ln"}]}`, result.Tool, i),
			fmt.Sprintf(`{"role":"user","parts":[{"functionResponse":{"name":%q,"response":%s}}]}`, result.Tool, response))
		send()
	}
	return c
}

// code is a conversation about a program: of its results, one in eight is JSON.
func code() conversation {
	messages := []string{`{"role":"user","content":"Find the fault."}`}
	c := conversation{name: "made-code"}
	results := scripted.Results()
	prose := slices.DeleteFunc(slices.Clone(results), func(r scripted.Result) bool { return json.Valid([]byte(r.Text)) })
	for i := range 40 {
		result := prose[i%len(prose)]
		result.Text += fmt.Sprint("\n// ", i)
		if i%8 == 5 {
			result = results[i]
		}
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":"{}"}}]}`, i, result.Tool),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%s}`, i, q(result.Text)))
		c.requests = append(c.requests, scripted.Request{Path: "/v1/chat/completions", Body: []byte(`{"model":"m","messages":[` + strings.Join(messages, ",") + `]}`)})
	}
	return c
}

// rewriters are those that the property is tested with.
func rewriters() map[string]*llm.Rewriter {
	return map[string]*llm.Rewriter{
		"default": {},
		"everything": {Objects: true, Users: true, Documents: true, Repeats: true, Prune: true, MinTokens: -1, MinSaving: -1, Rules: []mcp.Rule{
			{Tool: "get_o*", Fold: true}, {Tool: "read_*", Mode: mcp.ModeOff}, {Tool: "get_p*", Formats: []string{"toon"}}}},
	}
}

// moves is what a client moves from one message to another, in either order of members.
var moves = strings.NewReplacer(`,"cache_control":{"type":"ephemeral"}`, ``, `"cache_control":{"type":"ephemeral"},`, ``)

// history returns a request up to the end of its last message, without marks that move.
func history(t testing.TB, body []byte) string {
	t.Helper()
	for _, name := range []string{"messages", "input", "contents"} {
		if at, ok := splice.Find(body, splice.Whole(body), name); ok {
			list, ok := splice.FindElements(body, at)
			require.True(t, ok)
			return moves.Replace(string(body[:list[len(list)-1].End]))
		}
	}
	require.Fail(t, "no messages")
	return ""
}

// TestPrefix: the rewritten request of each turn begins with the rewritten request of the
// turn before, as what the client sent does. Outside of the blocks nothing has changed,
// and every rewritten block decodes to its original.
func TestPrefix(t *testing.T) {
	trials.OneGoroutine(t)
	for name, r := range rewriters() {
		for _, c := range conversations(t) {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				before, outBefore, changed := "", "", 0
				for n, request := range c.requests {
					shape := llm.Detect(request.Path, nil)
					require.NotEqual(t, llm.ShapeNone, shape)
					out, report := r.RewriteRequest(request.Body, shape)
					require.Empty(t, report.Reason)
					now, outNow := history(t, request.Body), history(t, out)
					require.True(t, strings.HasPrefix(now, before), "what the client sent, %d", n)
					require.True(t, strings.HasPrefix(outNow, outBefore), "turn %d", n)
					require.Equal(t, len(out) == len(request.Body), string(out) == string(request.Body))
					before, outBefore = now, outNow
					if len(out) < len(request.Body) {
						changed++
					}
					if n == len(c.requests)-1 && name == "default" {
						checkBlocks(t, r, request.Body, shape)
					}
				}
				if name == "default" && c.name == "made-gemini" {
					require.Zero(t, changed, "off until asked for")
				} else {
					require.Greater(t, changed, 30)
				}
			})
		}
	}
}

// checkBlocks decodes every block that is rewritten.
func checkBlocks(t *testing.T, r *llm.Rewriter, body []byte, shape llm.Shape) {
	edits, report := r.Edits(body, shape)
	splice.Sort(edits)
	blocks := slices.DeleteFunc(slices.Clone(report.Blocks), func(b llm.Block) bool { return b.Reason != mcp.ReasonConverted })
	require.Len(t, edits, len(blocks))
	for i, e := range edits {
		original, ok := splice.StringAt(body, e.Span)
		require.True(t, ok)
		made, ok := splice.Unquote(e.Text)
		require.True(t, ok)
		checkText(t, blocks[i], original, made)
	}
}

// digest is a hash of everything that the conversations are rewritten to. The last turn is
// rewritten first where it says so: nothing is known of those before it then.
func digest(t testing.TB, backwards bool) string {
	var sums []string
	for name, r := range rewriters() {
		for _, c := range conversations(t) {
			for n := range c.requests {
				if backwards {
					n = len(c.requests) - 1 - n
				}
				out, _ := r.RewriteRequest(c.requests[n].Body, llm.Detect(c.requests[n].Path, nil))
				sums = append(sums, fmt.Sprintf("%s %s %d %x", name, c.name, n, sha256.Sum256(out)))
			}
		}
	}
	slices.Sort(sums)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(sums, "\n"))))
}

const childVariable = "WIREKIT_LLM_CHILD"

// TestSameEverywhere: another process on one processor, which begins with the last turns,
// makes the same bytes as this one on several, while other goroutines keep them busy.
func TestSameEverywhere(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		fmt.Println(childVariable, digest(t, true))
		return
	}
	if testing.Short() {
		t.Skip("runs without -short: it rewrites every conversation in two processes")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.Command(self, "-test.run", "^TestSameEverywhere$")
	child.Env = append(os.Environ(), childVariable+"=1", "GOMAXPROCS=1")
	var said bytes.Buffer
	child.Stdout = &said
	require.NoError(t, child.Start())

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var stop atomic.Bool
	var busy sync.WaitGroup
	for range 2 {
		busy.Go(func() {
			for !stop.Load() {
				runtime.Gosched()
			}
		})
	}
	mine := digest(t, false)
	stop.Store(true)
	busy.Wait()
	require.NoError(t, child.Wait())
	require.Contains(t, said.String(), childVariable+" "+mine)
}
