package quiz

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

func TestGrade(t *testing.T) {
	for _, c := range []struct {
		kind        Kind
		right, text string
		want        bool
	}{
		{Lookup, "1.10", "1.10", true}, {Lookup, "1.10", " `1.10`.\n", true}, {Lookup, "1.10", "1.1", false},
		{Copy, "12345678901234567890", "12345678901234567890", true}, {Copy, "12345678901234567890", "12345678901234567000", false},
		{Lookup, "Ada", `"Ada"`, true}, {Lookup, "Ada", "ada", false}, {Lookup, "Ada", "It is Ada", false}, {Lookup, "Ada", "", false},
		{Sum, "20.0", "20", true}, {Count, "3", "3.", true}, {Count, "3", "three", false}, {Minimum, "-3.5", "-3.50", true},
		{Absent, "absent", "Absent.", true}, {Whole, "cut", "CUT", true}, {Whole, "cut", "whole", false},
	} {
		require.Equal(t, c.want, Grade(Record{Kind: c.kind, Right: &c.right}, Answer{Text: c.text}), "%q for %q", c.text, c.right)
	}
	right := "7"
	task := Record{Kind: Task, Right: &right, Tool: "record"}
	require.True(t, Grade(task, Answer{Call: "7", Called: true}))
	require.False(t, Grade(task, Answer{Text: "7"}))
	require.False(t, Grade(task, Answer{Call: "8", Called: true, Text: "7"}))
	require.False(t, Grade(Record{}, Answer{}))
}

// TestPowerNumbers: the sizes that the formula gives by hand, and more questions for
// smaller differences.
func TestPowerNumbers(t *testing.T) {
	for points, want := range map[float64]int{3: 936, 2: 2059, 10: 96} {
		n, err := Power(points)
		require.NoError(t, err)
		require.Equal(t, want, n, points)
	}
	for _, points := range []float64{0, -1, 11} {
		_, err := Power(points)
		require.Error(t, err)
	}
	require.Equal(t, 865, Clustered(865, 1))
	require.Equal(t, 1255, Clustered(865, 10))
}

// planted returns a quiz of questions about documents, and answers of a model that reads
// the base rightly, except for as many questions as the arm has right and it not.
func planted(r *rand.Rand, documents, each int, onlyBase, onlyArm, spread float64) (*Quiz, []Answer) {
	q := new(Quiz)
	var answers []Answer
	right := "x"
	for d := range documents {
		own := (2*r.Float64() - 1) * spread // documents are harder or easier to read
		for i := range each {
			rec := Record{Type: TypeQuestion, ID: fmt.Sprintf("d%d.q%d", d, i), Document: fmt.Sprintf("d%d", d), Kind: Lookup, Right: &right}
			q.Questions = append(q.Questions, rec)
			base, arm := right, right
			switch at := r.Float64(); {
			case at < onlyBase+own:
				arm = "y"
			case at < onlyBase+onlyArm:
				base = "y"
			case at < onlyBase+onlyArm+0.2:
				base, arm = "y", "y"
			}
			answers = append(answers, Answer{ID: rec.ID, Arm: Base, Model: "m", Text: base}, Answer{ID: rec.ID, Arm: "toon", Model: "m", Text: arm})
		}
	}
	return q, answers
}

// resultOf returns what a report has for an arm.
func resultOf(t testing.TB, q *Quiz, answers []Answer, arm string) Result {
	t.Helper()
	report, err := Score(q, answers, Scoring{Resamples: 200})
	require.NoError(t, err)
	for _, r := range report.Results {
		if r.Arm == arm && r.Kind == "" {
			return r
		}
	}
	require.Fail(t, "no result")
	return Result{}
}

// TestIntervals: of 100 samples with a planted difference of 6 points, 90 to 99 have it
// in their interval. Seeds are fixed.
func TestIntervals(t *testing.T) {
	trials.OneGoroutine(t)
	covered := 0
	for seed := range uint64(100) {
		q, answers := planted(rand.New(rand.NewPCG(seed, 33)), 60, 10, 0.08, 0.02, 0.04)
		r := resultOf(t, q, answers, "toon")
		require.Equal(t, 600, r.Pairs)
		require.Equal(t, 60, r.Clusters)
		if r.Low <= -0.06 && -0.06 <= r.High {
			covered++
		}
	}
	t.Log(covered)
	require.GreaterOrEqual(t, covered, 90)
	require.LessOrEqual(t, covered, 99)
}

// TestPower: the size that Power names finds a difference of 3 points in at least 72 of
// 100 samples, and one that is not there in at most 10.
func TestPower(t *testing.T) {
	trials.OneGoroutine(t)
	n, err := Power(3)
	require.NoError(t, err)
	found, invented := 0, 0
	for seed := range uint64(100) {
		q, answers := planted(rand.New(rand.NewPCG(seed, 34)), n, 1, 0.065, 0.035, 0)
		if r := resultOf(t, q, answers, "toon"); r.P < 0.05 && r.Difference < 0 {
			found++
		}
		q, answers = planted(rand.New(rand.NewPCG(seed, 35)), n, 1, 0.05, 0.05, 0)
		if resultOf(t, q, answers, "toon").P < 0.05 {
			invented++
		}
	}
	t.Log(found, invented)
	require.GreaterOrEqual(t, found, 72)
	require.LessOrEqual(t, invented, 10)
}

// TestHolm: probabilities are multiplied by the number of arms that are left, and never
// fall below a smaller one's.
func TestHolm(t *testing.T) {
	results := []Result{{P: 0.03}, {P: 1}, {P: 0.01}, {P: 0.04}}
	holm(results, []int{0, 2, 3})
	require.InDelta(t, 0.06, results[0].P, 1e-12)
	require.InDelta(t, 0.03, results[2].P, 1e-12)
	require.InDelta(t, 0.06, results[3].P, 1e-12)
	require.Equal(t, 1.0, results[1].P)
}

func TestScoreCounts(t *testing.T) {
	q, answers := planted(rand.New(rand.NewPCG(1, 1)), 12, 2, 0.5, 0, 0)
	for i := range answers {
		answers[i].Input, answers[i].Cached, answers[i].Output, answers[i].Reasoning, answers[i].Tries = 10, 5, 2, 1, 3
	}
	want, err := Score(q, answers, Scoring{})
	require.NoError(t, err)
	answers = append(answers, answers[0], Answer{ID: "other"})
	report, err := Score(q, answers, Scoring{})
	require.NoError(t, err)
	require.Equal(t, 1, report.Doubled)
	require.Equal(t, 1, report.Unknown)
	require.Equal(t, want.Results, report.Results)
	require.Equal(t, 12, report.Documents)
	r := report.Results[0]
	require.Equal(t, []int{24, 240, 120, 48, 24, 48}, []int{r.Answers, r.Input, r.Cached, r.Output, r.Reasoning, r.Retries})
	require.InDelta(t, float64(240+48)/(r.Right*24), r.PerRight, 1e-9)
	var table, markdown bytes.Buffer
	require.NoError(t, report.WriteTable(&table))
	require.NoError(t, report.WriteMarkdown(&markdown))
	for _, text := range []string{table.String(), markdown.String()} {
		require.Contains(t, text, "toon")
		require.Contains(t, text, "24 questions about 12 documents.")
	}
	_, err = Score(q, nil, Scoring{})
	require.ErrorContains(t, err, "no answers")
	few, answers := planted(rand.New(rand.NewPCG(1, 1)), 3, 9, 0.5, 0, 0)
	require.Contains(t, resultOf(t, few, answers, "toon").Verdict(), "too few")
}

// TestScoreRepeats: the same answers have the same score, to the last digit.
func TestScoreRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	q, answers := planted(r, 6, 9, 0.3, 0.1, 0.1)
	for _, a := range answers {
		for a.Repeat = 1; a.Repeat < 7; a.Repeat++ { // so that a question is right in sevenths
			again := a
			if r.IntN(2) == 0 {
				again.Text = "none"
			}
			answers = append(answers, again)
		}
	}
	first, err := Score(q, answers, Scoring{Resamples: 50})
	require.NoError(t, err)
	for range 30 {
		again, err := Score(q, answers, Scoring{Resamples: 50})
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "no questions",
		"x\n":                         "line 1",
		`{"type":"question"}`:         "no quiz",
		`{"type":"quiz","version":2}`: "version 2",
		`{"type":"quiz","version":1}`: "no questions",
		"{\"type\":\"quiz\",\"version\":1}\n{\"type\":\"question\",\"id\":\"q\"}": "no right answer",
	} {
		_, err := Load(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err := LoadAnswers(strings.NewReader("{\"type\":\"answer\",\"id\":7}\n"))
	require.ErrorContains(t, err, "line 1")
}
