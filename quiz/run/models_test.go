package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/quiz/run"
)

// planted answers questions about documents whose text is their name and the arm. Of 100
// documents, 10 are read rightly in json but not in toon, and none the other way round; gcf
// is read rightly as often as json, but in other documents. Which these are is decided by
// the model, whose name is a seed.
func planted(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model    string
		Messages []struct{ Content string }
	}
	var seed, document uint64
	var arm string
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Sscan(request.Model, &seed)
	fmt.Sscan(request.Messages[1].Content, &document, &arm)
	random := rand.New(rand.NewPCG(seed, document))
	at, other := random.Float64(), random.Float64()
	wrong := map[string]bool{"json": at >= 0.10 && at < 0.20, "toon": at < 0.20, "gcf": other < 0.10}
	answer := "x"
	if wrong[arm] {
		answer = "y"
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":"x","object":"chat.completion","choices":[{"message":{"role":"assistant","content":%q}}]}`, answer)
}

// TestPlanted: of 100 models, each asked as many questions as Power names for a difference
// of 10 points, that difference is found in at least 72 and one that is not there in at most
// 10, and 90 to 99 of the intervals have what was planted.
func TestPlanted(t *testing.T) {
	if testing.Short() || resident.RaceEnabled {
		t.Skip("runs without -short and the race detector: it asks 28,800 questions")
	}
	n, err := quiz.Power(10)
	if err != nil {
		t.Fatal(err)
	}
	q, right := new(quiz.Quiz), "x"
	for d := range n {
		id := fmt.Sprint(d)
		q.Questions = append(q.Questions, quiz.Record{Type: quiz.TypeQuestion, ID: id, Document: id, Kind: quiz.Lookup, Question: "?", Right: &right})
		for _, arm := range []string{"json", "toon", "gcf"} {
			q.Documents = append(q.Documents, quiz.Record{Type: quiz.TypeDocument, Document: id, Arm: arm, Text: id + " " + arm})
		}
	}
	server := httptest.NewServer(http.HandlerFunc(planted))
	defer server.Close()
	found, covered := map[string]int{}, map[string]int{}
	for seed := range 100 {
		o := run.Options{BaseURL: server.URL, Key: "none", Model: fmt.Sprint(seed), Concurrency: 2}
		var out bytes.Buffer
		if err := o.Run(t.Context(), o.Plan(q, nil), &out); err != nil {
			t.Fatal(err)
		}
		all, err := quiz.LoadAnswers(&out)
		if err != nil {
			t.Fatal(err)
		}
		for arm, difference := range map[string]float64{"toon": -0.10, "gcf": 0} {
			// Each alone: Holm's correction is for those who look at both.
			answers := slices.DeleteFunc(slices.Clone(all), func(a quiz.Answer) bool { return a.Arm != "json" && a.Arm != arm })
			report, err := quiz.Score(q, answers, quiz.Scoring{Resamples: 400})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(report.Results, func(r quiz.Result) bool { return r.Arm == arm && r.Kind == "" })
			r := report.Results[at]
			if r.Pairs != n {
				t.Fatalf("%d pairs of %d", r.Pairs, n)
			}
			if r.P < 0.05 {
				found[arm]++
			}
			if r.Low <= difference && difference <= r.High {
				covered[arm]++
			}
		}
	}
	t.Log(found, covered)
	if found["toon"] < 72 || found["gcf"] > 10 {
		t.Errorf("found %v", found)
	}
	for arm, times := range covered {
		if times < 90 || times > 99 {
			t.Errorf("%s: %d intervals have the planted difference", arm, times)
		}
	}
}

// A program that asks the questions in a file, for TestKilled.
func TestMain(m *testing.M) {
	url := os.Getenv("QUIZ_RUN_URL")
	if url == "" {
		os.Exit(m.Run())
	}
	if err := asks(url, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func asks(url, quizFile, name string) error {
	src, err := os.ReadFile(quizFile)
	if err != nil {
		return err
	}
	q, err := quiz.Load(bytes.NewReader(src))
	if err != nil {
		return err
	}
	file, known, err := run.Open(name)
	if err != nil {
		return err
	}
	o := run.Options{BaseURL: url, Key: "none", Model: "1", Concurrency: 2}
	return o.Run(context.Background(), o.Plan(q, known), file)
}

// TestKilled: a program that is killed while it asks has written every answer but those
// to requests that were under way, and one that goes on asks nothing of these twice.
func TestKilled(t *testing.T) {
	var made bytes.Buffer
	lines := json.NewEncoder(&made)
	lines.Encode(quiz.Record{Type: quiz.TypeQuiz, Version: quiz.Version})
	const questions, underWay = 120, 2
	for d := range questions {
		right, id := "x", fmt.Sprint(d)
		lines.Encode(quiz.Record{Type: quiz.TypeDocument, Document: id, Arm: "json", Text: id + " json"})
		lines.Encode(quiz.Record{Type: quiz.TypeQuestion, ID: id, Document: id, Kind: quiz.Lookup, Question: "?", Right: &right})
	}
	dir := t.TempDir()
	quizFile, name := filepath.Join(dir, "quiz.jsonl"), filepath.Join(dir, "answers.jsonl")
	if err := os.WriteFile(quizFile, made.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	killed, asked := 0, 0 // asked in all runs
	for left := true; left; {
		stop := 1 + killed*killed*7 // at which request of this run it is killed
		now, served := make(chan struct{}), atomic.Int32{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if served.Add(1) == int32(stop) {
				close(now)
			}
			planted(w, r)
		}))
		program := exec.Command(os.Args[0], quizFile, name)
		program.Env, program.Stderr = append(os.Environ(), "QUIZ_RUN_URL="+server.URL), os.Stderr
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- program.Wait() }()
		select {
		case <-now:
			program.Process.Kill()
			<-ended
			killed++
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			left = false
		}
		server.Close()
		asked += int(served.Load())
		src, err := os.ReadFile(name)
		if err != nil && left {
			continue // killed before it had made the file
		}
		answers := answersOf(t, src[:bytes.LastIndexByte(src, '\n')+1])
		if lost := asked - len(answers); lost > killed*underWay || lost < 0 {
			t.Fatalf("%d answers of %d that were asked for, after it was killed %d times", len(answers), asked, killed)
		}
		seen := map[string]bool{}
		for _, a := range answers {
			if seen[a.ID] {
				t.Errorf("%s was asked twice", a.ID)
			}
			seen[a.ID] = true
		}
		if !left && len(answers) != questions {
			t.Errorf("%d answers of %d", len(answers), questions)
		}
	}
	if killed < 2 {
		t.Errorf("it was killed %d times", killed)
	}
}
