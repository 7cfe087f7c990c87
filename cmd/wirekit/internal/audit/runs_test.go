package audit

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

var reference = regexp.MustCompile(`^\[lines (\d+)-(\d+) of result (\d+) \([a-z]+\), from ".*", word for word(?:; here numbered from (\d+))?\]\n$`)

// unrun puts the lines that references name in their place; sent are the earlier results.
func unrun(text string, sent []string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		m := reference.FindStringSubmatch(line)
		if m == nil {
			out.WriteString(line)
			continue
		}
		number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
		lines := strings.SplitAfter(sent[number(3)-1], "\n")[number(1)-1 : number(2)]
		shift, found := 0, false
		for _, l := range lines {
			digits := regexp.MustCompile(`^ *([1-9][0-9]*)(\t|→|[:|-])`).FindStringSubmatchIndex(l)
			if m[4] == "" || digits == nil {
				out.WriteString(l)
				continue
			}
			n, _ := strconv.Atoi(l[digits[2]:digits[3]])
			if !found {
				shift, found = number(4)-n, true
			}
			moved := strconv.Itoa(n + shift)
			out.WriteString(strings.Repeat(" ", max(0, digits[3]-len(moved))*min(1, digits[2])) + moved + l[digits[3]:])
		}
	}
	return out.String()
}

// TestRunsDecode: what references name gives back every result, byte for byte, whatever was
// edited between two reads, with and without line numbers.
func TestRunsDecode(t *testing.T) {
	trials.OneGoroutine(t)
	r := rand.New(rand.NewPCG(8, 400))
	total := 0
	for range 300 {
		var lines []string
		for i := range 20 + r.IntN(200) {
			lines = append(lines, fmt.Sprintf("%s value%d = compute(%d) // of all that is there%s", strings.Repeat("\t", r.IntN(3)), r.IntN(30), i*r.IntN(2), []string{"", "\r", " error"}[r.IntN(20)/9]))
		}
		form := []string{"%[2]s\n", "%6[1]d→%[2]s\n", "%[1]d\t%[2]s\n", "%[1]d:%[2]s\n", "%3[1]d\t%[2]s\n"}[r.IntN(5)]
		var g ledger
		var sent []string
		for nth := range 1 + r.IntN(6) {
			for range r.IntN(3) { // edits
				at := r.IntN(len(lines))
				lines = append(lines[:at:at], append([]string{"a new line, " + strconv.Itoa(r.IntN(1e6))}, lines[at+r.IntN(2):]...)...)
			}
			var b strings.Builder
			from := r.IntN(len(lines) / 2)
			for i, line := range lines[from:] {
				fmt.Fprintf(&b, form, from+i+1, line)
			}
			out, references := g.add(nth+1, "read", []byte(b.String()))
			sent = append(sent, string(out))
			total += references
			require.Equal(t, b.String(), unrun(string(out), sent), string(out))
			require.LessOrEqual(t, len(out), b.Len())
		}
	}
	require.Greater(t, total, 300)
}

// TestRuns: what runs save is counted for texts of one context that are no errors, by tool
// and again for each request; without being asked for it is not.
func TestRuns(t *testing.T) {
	text := codeText(random(), 120)
	steps := func(more ...step) []step {
		return append([]step{{"call", "read"}, {"result", text}, {"call", "read"}}, more...)
	}
	runs := func(o Options, steps []step) *Runs { return audit(t, o, agents["claude"](steps)).Runs }
	again := step{"result", "changed\n" + text}
	got := runs(Options{Lines: true}, steps(again, step{"model", "done"}, step{"model", "really"}))
	require.Equal(t, 1, got.Results)
	require.Equal(t, 1, got.References)
	require.Greater(t, got.Saved, 1000)
	require.Equal(t, got.Saved, got.SavedAgain, "the second answer's request carried it again")
	require.Nil(t, runs(Options{}, steps(again)))
	require.Zero(t, runs(Options{Lines: true}, steps(step{"summary", "short"}, again)).Results)
	require.Zero(t, runs(Options{Lines: true}, steps(step{"result", codeText(random(), 7)})).Results, "too few lines")
	failed := strings.ReplaceAll(agents["claude"](steps(again)), `"type":"tool_result"`, `"type":"tool_result","is_error":true`)
	require.Zero(t, audit(t, Options{Lines: true}, failed).Runs.Results)

	log := audit(t, Options{Lines: true}, agents["requests"](steps(again)))
	require.Equal(t, 1, log.Runs.Results, "the second request carries it again")
	require.Equal(t, log.Runs.Saved, log.Runs.SavedAgain)
	require.Equal(t, log.Runs.Saved, row(t, log.Tools, "sh").Runs)
}

// TestRunsLinear: results that look like runs and are none take linear time.
func TestRunsLinear(t *testing.T) {
	trials.OneGoroutine(t)
	for name, line := range map[string]func(i int) string{
		"equal":  func(int) string { return "same\n" },
		"period": func(i int) string { return strconv.Itoa(i%5) + "x\n" },
		"empty":  func(int) string { return "\n" },
		"moved":  func(i int) string { return strconv.Itoa(i*i%9999+1) + "\tx\n" },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 4000, func(n int) func() {
				var text []byte
				for i := range n {
					text = append(text, line(i)...)
				}
				return func() {
					var g ledger
					for nth := range 3 {
						g.add(nth+1, "sh", text)
					}
				}
			})
		})
	}
}
