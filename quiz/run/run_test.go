package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	failing bool // every third request
	garbage bool
	rights  map[string]string // by the question's words and the document's text
	reads   func(text, question string) bool
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
	if m.calls++; m.failing && m.calls%3 == 0 {
		w.Header().Set("Retry-After-Ms", "1")
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if m.garbage {
		fmt.Fprint(w, "<html>")
		return
	}
	m.asked[text+"\x00"+question]++
	answer := m.rights[text+"\x00"+question]
	if !m.reads(text, question) {
		answer = "I cannot tell."
	}
	message := map[string]any{"role": "assistant", "content": answer}
	if len(request.Tools) > 0 {
		arguments, _ := json.Marshal(map[string]string{"value": answer})
		message = map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": "1", "type": "function", "function": map[string]any{"name": "record", "arguments": string(arguments)}}}}
	}
	json.NewEncoder(w).Encode(map[string]any{"id": "x", "object": "chat.completion", "choices": []any{map[string]any{"message": message}},
		"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": map[string]int{"cached_tokens": 90}, "completion_tokens_details": map[string]int{"reasoning_tokens": 3}}})
}

// serve returns a quiz about orders, a model that knows its answers, and its address.
func serve(t *testing.T, m *model) (*quiz.Quiz, run.Options) {
	t.Helper()
	var documents []quiz.Document
	for n := range 12 {
		v, err := wire.ParseJSON(fmt.Appendf(nil, `[{"id":"A-%d","total":1.10,"note":null},{"id":"A-20","total":20.05,"note":"n%d"},{"id":"A-30","total":-3.5}]`, n, n))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, quiz.Document{Name: "orders", Value: v})
	}
	var out bytes.Buffer
	if err := (quiz.Options{Seed: 3, Questions: 8, Arms: []string{"glyph", "md:kv"}}).Make(&out, documents...); err != nil {
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

func perfect(string, string) bool { return true }

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
		m     *model
		right map[string]float64
	}{
		"perfect":     {&model{reads: perfect}, map[string]float64{"json": 1, "glyph": 1, "md:kv": 1}},
		"fails often": {&model{reads: perfect, failing: true}, map[string]float64{"json": 1, "glyph": 1, "md:kv": 1}},
		"JSON only":   {&model{reads: func(text, _ string) bool { return strings.HasPrefix(text, "[{") }}, map[string]float64{"json": 1, "glyph": 0, "md:kv": 0}},
		"refuses":     {&model{reads: func(string, string) bool { return false }}, map[string]float64{"json": 0, "glyph": 0, "md:kv": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			q, o := serve(t, c.m)
			var out bytes.Buffer
			if err := o.Run(t.Context(), o.Plan(q, nil), &out); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), o.Key) {
				t.Error("the key is among the answers")
			}
			retries := 0
			results := score(t, q, out.Bytes())
			for arm, want := range c.right {
				r := results[arm]
				retries += r.Retries
				if r.Right != want || r.Answers != 2*12*8 || r.Input != 100*r.Answers || r.Cached != 90*r.Answers || r.Output != 7*r.Answers || r.Reasoning != 3*r.Answers {
					t.Errorf("%s: %+v, want %v right", arm, r, want)
				}
			}
			if failed := c.m.calls - 3*2*12*8; retries != failed || c.m.failing != (failed > 0) {
				t.Errorf("%d retries, the server has failed %d times", retries, failed)
			}
		})
	}
}

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
	for _, kept := range []int{0, 1, 17, 100, 575} {
		m := &model{reads: perfect}
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
		if len(plan) != 2*3*12*8-kept {
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
		if r := score(t, q, src)["glyph"]; r.Answers != 2*12*8 || r.Right != 1 {
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
	m := &model{reads: perfect, garbage: true}
	q, o := serve(t, m)
	o.Retries = 0
	var out bytes.Buffer
	if err := o.Run(t.Context(), o.Plan(q, nil), &out); err == nil || out.Len() > 0 || strings.Contains(err.Error(), o.Key) {
		t.Errorf("%v, %q", err, out.String())
	}
	if n, err := run.Tokens(o.Plan(q, nil)); err != nil || n < 10000 {
		t.Error(n, err)
	}
}
