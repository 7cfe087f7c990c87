package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/quiz/run"
	"github.com/wirekit/wirekit/wire"
)

// A model is a server that answers rightly where reads says so, and counts what it is
// asked.
type model struct {
	mu      sync.Mutex
	asked   map[string]int
	calls   int
	failing bool // every third request, unless it is a retry
	garbage bool
	kind    string            // of garbage, JSON if empty
	streams bool              // only
	cut     bool              // streams end early
	breaks  bool              // the connection, within each answer
	rights  map[string]string // by the question's words and the document's text
	// says returns the answer to a question with this right answer.
	says func(text, question, right string) string
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Content string }
		Tools    []any
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) != 3 {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	text, question := request.Messages[1].Content, request.Messages[2].Content
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.breaks {
		defer panic(http.ErrAbortHandler)
		defer func() { _ = http.NewResponseController(w).Flush() }()
	}
	if m.calls++; m.failing && m.calls%3 == 0 && r.Header.Get("X-Stainless-Retry-Count") == "0" { // so no question fails as often as it is tried
		w.Header().Set("Retry-After-Ms", "1")
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if m.garbage {
		if m.kind != "" {
			w.Header().Set("Content-Type", m.kind)
		}
		fmt.Fprint(w, "<html>")
		return
	}
	key := text + "\x00" + question
	m.asked[key]++
	answer := m.says(text, question, m.rights[key])
	message := map[string]any{"role": "assistant", "content": answer}
	if len(request.Tools) > 0 {
		arguments, _ := json.Marshal(map[string]string{"value": answer})
		message = map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"index": 0, "id": "1", "type": "function", "function": map[string]any{"name": "record", "arguments": string(arguments)}}}}
	}
	usage := map[string]any{"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": map[string]int{"cached_tokens": 90}, "completion_tokens_details": map[string]int{"reasoning_tokens": 3}}
	if !m.streams {
		json.NewEncoder(w).Encode(map[string]any{"id": "x", "object": "chat.completion", "choices": []any{map[string]any{"message": message}}, "usage": usage})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(choice map[string]any, usage any) {
		choice["index"] = 0
		data, _ := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "choices": []any{choice}, "usage": usage})
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	for _, c := range answer[:min(1, len(answer))] {
		if len(request.Tools) == 0 {
			message["content"] = answer[len(string(c)):]
			chunk(map[string]any{"delta": map[string]any{"role": "assistant", "content": string(c)}}, nil)
		}
	}
	chunk(map[string]any{"delta": message}, nil)
	if !m.cut {
		chunk(map[string]any{"delta": map[string]any{}, "finish_reason": "stop"}, usage)
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// sites are parts of values that folding says once.
var sites = [2]string{"the northern warehouse at the end of the harbour road", "the depot of the southern line, third floor, gate 7"}

// serve returns a quiz about orders, a model that knows its answers, and its address.
func serve(t *testing.T, m *model) (*quiz.Quiz, run.Options) {
	t.Helper()
	var documents []quiz.Document
	for n := range 12 {
		rows := fmt.Sprintf(`[{"id":"A-%d","total":1.10,"note":null}`, n)
		for i := range 32 {
			rows += fmt.Sprintf(`,{"id":"B-%d","total":%d.05,"note":"n%d","site":"%s %s"}`, i, i-3, n, sites[i%2], sites[i/2%2])
		}
		v, err := wire.ParseJSON([]byte(rows + "]"))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, quiz.Document{Name: "orders", Value: v})
	}
	var out bytes.Buffer
	if err := (quiz.Options{Seed: 3, Questions: each / 24, Arms: []string{"glyph", "md:kv", "json+fold"}}).Make(&out, documents...); err != nil {
		t.Fatal(err)
	}
	q, err := quiz.Load(&out)
	if err != nil {
		t.Fatal(err)
	}
	m.asked, m.rights = map[string]int{}, map[string]string{}
	for _, d := range q.Documents {
		for _, question := range q.Questions {
			if question.Document == d.Document {
				m.rights[d.Text+"\x00"+question.Question] = *question.Right
			}
		}
	}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	return q, run.Options{BaseURL: server.URL, Key: "secret-key", Model: "m", Repeats: 2, Concurrency: 3, Retries: 6, Seed: 9}
}

func perfect(_, _, right string) string { return right }

// only reads texts of some kind, and has no answer to others.
func only(reads func(text string) bool) func(text, question, right string) string {
	return func(text, _, right string) string {
		if reads(text) {
			return right
		}
		return "I cannot tell."
	}
}

func isJSON(text string) bool { return strings.HasPrefix(text, "[{") }

func refers(text string) bool { return strings.Contains(text, "$") }

// shifted takes the member beside the right one, in a fifth of the questions about
// tables.
func shifted(text, question, right string) string {
	h := fnv.New32a()
	io.WriteString(h, question+text)
	if !strings.HasPrefix(text, "@tab") || h.Sum32()%5 > 0 {
		return right
	}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i, cell := range cells[:len(cells)-1] {
			if cell == right {
				return cells[i+1]
			}
		}
	}
	return "wrong"
}

func score(t *testing.T, q *quiz.Quiz, src []byte) map[string]quiz.Result {
	t.Helper()
	answers, err := quiz.LoadAnswers(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	report, err := quiz.Score(q, answers, quiz.Scoring{Resamples: 200})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]quiz.Result{}
	for _, r := range report.Results {
		if r.Kind == "" {
			results[r.Arm] = r
		}
	}
	return results
}

// TestSkills: what is scored is the skill that the server plays.
func TestSkills(t *testing.T) {
	for name, c := range map[string]struct {
		m                   *model
		json, glyph, folded float64
	}{
		"perfect":          {&model{says: perfect}, 1, 1, 1},
		"fails often":      {&model{says: perfect, failing: true}, 1, 1, 1},
		"streams":          {&model{says: perfect, streams: true}, 1, 1, 1},
		"JSON only":        {&model{says: only(isJSON)}, 1, 0, 0},
		"no references":    {&model{says: only(func(text string) bool { return !refers(text) })}, 1, 1, 0},
		"refuses":          {&model{says: only(func(string) bool { return false })}, 0, 0, 0},
		"mistakes columns": {&model{says: shifted}, 1, 0.8, 1},
	} {
		t.Run(name, func(t *testing.T) {
			q, o := serve(t, c.m)
			o.Stream = c.m.streams
			var out bytes.Buffer
			if err := o.Run(t.Context(), o.Plan(q, nil), &out); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), o.Key) {
				t.Error("the key is among the answers")
			}
			retries := 0
			results := score(t, q, out.Bytes())
			for arm, want := range map[string]float64{"json": c.json, "glyph": c.glyph, "json+fold": c.folded} {
				r := results[arm]
				if r.Answers != each || math.Abs(r.Right-want) > 0.1 || want == math.Trunc(want) && r.Right != want {
					t.Errorf("%s: %d answers, %v right, want %v", arm, r.Answers, r.Right, want)
				}
			}
			for arm, r := range results {
				retries += r.Retries
				if r.Input != 100*each || r.Cached != 90*each || r.Output != 7*each || r.Reasoning != 3*each {
					t.Errorf("%s: %+v", arm, r)
				}
			}
			if failed := c.m.calls - arms*each; retries != failed || c.m.failing != (failed > 0) {
				t.Errorf("%d retries, the server has failed %d times", retries, failed)
			}
		})
	}
}

// How many arms there are, and how often each is asked: all questions twice.
const arms, each = 4, 2 * 12 * 4

// broken is a file that has room for a number of answers, and is cut within the next.
type broken struct {
	*os.File
	left int
}

func (b *broken) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		b.File.Write(p[:len(p)/2])
		return 0, errors.New("no space left on device")
	}
	return b.File.Write(p)
}

// TestResume: a run that ended anywhere goes on where it was, asks nothing twice of what
// it has kept, and comes to the same answers.
func TestResume(t *testing.T) {
	for _, kept := range []int{0, 1, 17, 100, arms*each - 1} {
		m := &model{says: perfect}
		q, o := serve(t, m)
		o.Concurrency = 1
		name := filepath.Join(t.TempDir(), "answers.jsonl")
		file, known, err := run.Open(name)
		if err != nil || len(known) != 0 {
			t.Fatal(known, err)
		}
		if err := o.Run(t.Context(), o.Plan(q, nil), &broken{file, kept}); err == nil || !strings.Contains(err.Error(), "no space") {
			t.Fatal(err)
		}
		file.Close()
		file, known, err = run.Open(name)
		if err != nil || len(known) != kept {
			t.Fatalf("%d answers are there of %d: %v", len(known), kept, err)
		}
		before := m.calls
		plan := o.Plan(q, known)
		if len(plan) != arms*each-kept {
			t.Fatalf("%d are left to ask", len(plan))
		}
		if err := o.Run(t.Context(), plan, file); err != nil {
			t.Fatal(err)
		}
		file.Close()
		if m.calls-before != len(plan) {
			t.Errorf("asked %d times for %d answers", m.calls-before, len(plan))
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if r := score(t, q, src)["glyph"]; r.Answers != each || r.Right != 1 {
			t.Errorf("%+v", r)
		}
		if left := o.Plan(q, append(known, answersOf(t, src)...)); len(left) != 0 {
			t.Errorf("%d are still to ask", len(left))
		}
	}
}

func answersOf(t *testing.T, src []byte) []quiz.Answer {
	t.Helper()
	answers, err := quiz.LoadAnswers(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

func TestErrors(t *testing.T) {
	m := &model{says: perfect, garbage: true}
	q, o := serve(t, m)
	o.Retries = 0
	var out bytes.Buffer
	for _, m.kind = range []string{"", "text/html"} {
		err := o.Run(t.Context(), o.Plan(q, nil), &out)
		if err == nil || out.Len() > 0 || strings.Contains(err.Error(), o.Key) || !strings.Contains(err.Error(), "not a chat completion") {
			t.Errorf("%q: %v, %q", m.kind, err, out.String())
		}
	}
	for _, stream := range []bool{false, true} {
		q, o := serve(t, &model{says: perfect, streams: stream, cut: true, breaks: true})
		o.Retries, o.Stream = 0, stream
		err := o.Run(t.Context(), o.Plan(q, nil), &out)
		if err == nil || out.Len() > 0 || !strings.Contains(err.Error(), "the connection broke") {
			t.Errorf("streams %t: %v, %d bytes", stream, err, out.Len())
		}
	}
	if _, _, err := run.Open(os.DevNull); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
	for name, broken := range map[string]*model{"cut": {says: perfect, streams: true, cut: true}, "not a stream": {says: perfect}} {
		q, o := serve(t, broken)
		o.Stream = true
		if err := o.Run(t.Context(), o.Plan(q, nil), &out); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
	if n, err := run.Tokens(o.Plan(q, nil)); err != nil || n < 10000 {
		t.Error(n, err)
	}
}
