package rewriting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
)

// noted is the file of statistics of a proxy that notes a few things after what was there.
func noted(t *testing.T, group, before string, note func(t *tally)) (text, notes string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stats.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(before), 0o600))
	var said bytes.Buffer
	tally, err := NewTally(&cli.Console{Err: &said}, &Flags{group: group, stats: file})
	require.NoError(t, err)
	note(tally)
	tally.sum = saving{}
	tally.Close()
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(after), said.String()
}

var (
	oneEvent  = mcp.Event{Tool: "list", Reason: mcp.ReasonConverted, TokensIn: 9, TokensOut: 4}
	oneReport = llm.Report{Profile: "v1", Blocks: []llm.Block{{Kind: "result", Tool: "list", Reason: mcp.ReasonConverted, TokensIn: 9, TokensOut: 4}}}
)

// summed sums a file up that has a text.
func summed(c *cli.Console, text, group string) (*saving, notedLines, error) {
	s, all, noted := &stats{read: readEvent}, make(savings), notedLines{}
	if group == "llm" {
		s.read = readReport
	}
	err := noted.read(strings.NewReader(text), func(line []byte) error { return s.add(all, line) })
	if err == nil {
		err = noted.check(c, "file")
	}
	return append(all.sorted(), nil)[0], noted, err
}

// TestStatsAfterFullDisk: wherever a full disk has cut a line, those before and after it
// count, and the cut one is said.
func TestStatsAfterFullDisk(t *testing.T) {
	for group, note := range map[string]func(*tally){
		"mcp": func(t *tally) { t.Add(oneEvent) }, "hook": func(t *tally) { t.Log(oneEvent) }, "llm": func(t *tally) { t.AddReport(oneReport) },
	} {
		line, _ := noted(t, group, "", note)
		for cut := range len(line) {
			text, notes := noted(t, group, line+line[:cut], func(t *tally) { note(t); note(t) })
			require.Empty(t, notes)
			var said bytes.Buffer
			sum, noted, err := summed(&cli.Console{Err: &said}, text, group)
			require.NoError(t, err)
			whole := cut == len(line)-1 // all but the line end
			results := 3
			if whole {
				results = 4
			}
			require.Equal(t, results, sum.Results, text)
			require.Equal(t, cut > 0 && !whole, noted.skipped == 1, text)
			require.True(t, noted.skipped == 0 || noted.first == 2)
			require.Equal(t, noted.skipped, strings.Count(said.String(), "file: 1 lines are left out; the first, line 2, is not a re"))
		}
		_, _, err := summed(nil, line[:9]+"\n"+line[:9], group)
		require.ErrorContains(t, err, "file: line 1 is not a re", "nothing of it was noted")
	}
}

// TestStatsLeaveOut: a line that is too long is left out alone, when it is written and when
// it is read.
func TestStatsLeaveOut(t *testing.T) {
	long := oneReport
	for range mostStatsLine / 80 {
		long.Blocks = append(long.Blocks, oneReport.Blocks[0])
	}
	text, notes := noted(t, "llm", "", func(t *tally) {
		for range 2 {
			t.AddReport(oneReport)
			t.AddReport(long)
			t.AddReport(long)
		}
	})
	require.Equal(t, 2, strings.Count(text, "\n"))
	require.Equal(t, 2, strings.Count(notes, "--stats: "), notes)
	lines := strings.SplitAfter(text, "\n")
	sum, noted, err := summed(&cli.Console{Err: io.Discard}, lines[0]+strings.Repeat("x", mostStatsLine+1)+"\n"+lines[1], "llm")
	require.NoError(t, err)
	require.Equal(t, []int{3, 1, 2}, []int{noted.all, noted.skipped, noted.first})
	require.Equal(t, 2, sum.Results)
}

// TestStatsNames: a name that a client or a server gives is noted up to 128 bytes, wherever
// it is.
func TestStatsNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 20_000), strings.Repeat("é", 5000), "x" + strings.Repeat("é", 5000), strings.Repeat("😀", 300)} {
		var events []mcp.Event
		r := &mcp.Rewriter{Server: name, Observe: func(e mcp.Event) { events = append(events, e) }}
		rows := `[` + strings.Repeat(`{"`+name+`":"some text of a row of this list"},`, 80) + `{}]`
		r.RewriteText(mcp.Call{Tool: name}, rows, nil)
		require.Len(t, events, 1)
		require.Empty(t, events[0].Largest, "a part of a pattern is another one")
		names := []string{events[0].Tool, events[0].Server}
		call := func(id string) string {
			return `{"id":"` + id + `","type":"tool_use","call_id":"` + id + `","name":"` + name + `"}`
		}
		for shape, body := range map[llm.Shape]string{
			llm.ShapeChat:      `{"model":"` + name + `","messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"` + name + `"}}]},{"role":"tool","tool_call_id":"a","content":"x"},{"role":"function","name":"` + name + `","content":"x"}]}`,
			llm.ShapeMessages:  `{"model":"` + name + `","messages":[{"role":"assistant","content":[` + call("a") + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"tool_result","tool_use_id":"a","is_error":true}]}]}`,
			llm.ShapeResponses: `{"model":"` + name + `","input":[` + strings.Replace(call("a"), "tool_use", "function_call", 1) + `,{"type":"function_call_output","call_id":"a","output":"x"},{"type":"mcp_call","name":"` + name + `","output":"x"}]}`,
			llm.ShapeGemini:    `{"model":"` + name + `","contents":[{"parts":[{"functionResponse":{"name":"` + name + `","response":{"a":1}}},{"functionResponse":{"name":"` + name + `","response":{"error":1}}}]}]}`,
		} {
			_, report := (&llm.Rewriter{Objects: true}).RewriteRequest([]byte(body), shape)
			require.NotEmpty(t, report.Blocks, shape)
			names = append(names, report.Model)
			for _, b := range report.Blocks {
				names = append(names, b.Tool)
			}
		}
		for _, n := range names {
			require.NotEmpty(t, n)
			require.LessOrEqual(t, len(n), 128)
			require.Greater(t, len(n), 124)
			require.True(t, utf8.ValidString(n))
			require.True(t, strings.HasPrefix(name, n))
		}
	}
}

// TestStatsFollow: with --follow there is a block whenever a file has more whole lines, or was
// cut, or another has its name; nothing is printed while nothing happens, and closed output
// ends it.
func TestStatsFollow(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is being read cannot be removed there")
	}
	for group, note := range map[string]func(*tally){
		"mcp": func(t *tally) { t.Add(oneEvent) }, "llm": func(t *tally) { t.AddReport(oneReport) },
	} {
		line, _ := noted(t, group, "", note)
		dir := t.TempDir()
		file, other := filepath.Join(dir, "file"), filepath.Join(dir, "other")
		write := func(name, text string, flags int) {
			f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|flags, 0o600)
			require.NoError(t, err)
			_, err = f.WriteString(text)
			require.NoError(t, errors.Join(err, f.Close()))
		}
		out, results := &lastBlock{}, []int(nil)
		happens := []func(){
			func() {},
			func() { write(file, line[:20], os.O_APPEND) },
			func() { write(file, line[20:]+line, os.O_APPEND) },
			func() {},
			func() { write(file, line[:9]+"\n"+line, os.O_APPEND) },
			func() { write(file, line, os.O_TRUNC) },
			func() { require.NoError(t, os.Remove(file)) },
			func() { write(other, line+line+line, 0); require.NoError(t, os.Rename(other, file)) },
			func() { out.closed = true; write(file, line, os.O_APPEND) },
		}
		write(file, line, 0)
		var said bytes.Buffer
		s := &stats{c: &cli.Console{Out: out, Err: &said}, follow: true, json: true, read: readEvent, budget: 1000}
		if group == "llm" {
			s.read = readReport
		}
		err := s.run(file, func() {
			results = append(results, strings.Count(out.text, "\n\n"), out.results(t))
			happens[0]()
			happens = happens[1:]
		})
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.Empty(t, happens)
		// Blocks before the last one, and its results, before each of what happens.
		require.Equal(t, []int{0, 1, 0, 1, 0, 1, 1, 3, 1, 3, 2, 4, 3, 1, 3, 1, 4, 3}, results)
		require.Equal(t, 1, strings.Count(said.String(), "left out"), said.String())
		for _, no := range []string{"-", dir + "/nosuch", os.DevNull} {
			require.Error(t, s.run(no, nil), no)
		}
	}
}

// A lastBlock is an output of blocks until it is closed.
type lastBlock struct {
	text   string
	closed bool
}

func (b *lastBlock) Write(p []byte) (int, error) {
	if b.closed {
		return 0, io.ErrClosedPipe
	}
	b.text += string(p)
	return len(p), nil
}

// results returns how many results the last block has.
func (b *lastBlock) results(t *testing.T) (n int) {
	_, err := fmt.Sscanf(b.text[strings.LastIndex(b.text, `"results"`):], `"results": %d`, &n)
	require.NoError(t, err)
	return n
}
