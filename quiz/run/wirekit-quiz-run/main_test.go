package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"x","choices":[{"message":{"role":"assistant","content":"x"}}]}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	name, out := filepath.Join(dir, "quiz.jsonl"), filepath.Join(dir, "answers.jsonl")
	made := `{"type":"quiz","version":1}
{"type":"document","document":"d1","arm":"json","text":"[]"}
{"type":"question","id":"d1.q1","document":"d1","kind":"lookup","question":"?","right":"x"}
`
	if err := os.WriteFile(name, []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUIZ_KEY", "")
	args := []string{"--url", server.URL, "--model", "m", "--key-env", "QUIZ_KEY", "--out", out, "--price-input", "1000000", name}
	ask := func(input string) (string, error) {
		var messages bytes.Buffer
		err := command(t.Context(), args, strings.NewReader(input), &messages)
		return messages.String(), err
	}
	if _, err := ask("yes\n"); err == nil || !strings.Contains(err.Error(), "QUIZ_KEY is not set") {
		t.Fatal(err)
	}
	t.Setenv("QUIZ_KEY", "secret")
	if text, err := ask("no\n"); err == nil || !strings.Contains(text, "3 requests, 0 answers are there") {
		t.Fatal(text, err)
	}
	if text, err := ask("yes\n"); err != nil || !strings.Contains(text, "done in") {
		t.Fatal(text, err)
	}
	src, err := os.ReadFile(out)
	if err != nil || bytes.Count(src, []byte(`"text":"x"`)) != 3 || bytes.Contains(src, []byte("secret")) {
		t.Fatalf("%s %v", src, err)
	}
	if text, err := ask(""); err != nil || !strings.Contains(text, "0 requests, 3 answers are there") {
		t.Fatal(text, err)
	}
	args = args[:len(args)-1]
	if _, err := ask(""); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Fatal(err)
	}
}
