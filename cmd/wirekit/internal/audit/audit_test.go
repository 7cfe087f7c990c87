package audit

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/tokens"
)

// audit reads texts as files, in their order.
func audit(t testing.TB, o Options, files ...string) Report {
	a := New(o)
	for i, text := range files {
		a.File(fmt.Sprintf("file%d.jsonl", i), strings.NewReader(text))
	}
	return reported(t, a)
}

func reported(t testing.TB, a *Auditor) Report {
	r, err := a.Report()
	require.NoError(t, err)
	return r
}

func row(t testing.TB, rows []Row, name string) Row {
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	require.Fail(t, "no row", name)
	return Row{}
}

// TestTranscripts: what each agent's transcript in testdata has, counted by hand.
func TestTranscripts(t *testing.T) {
	type tool struct {
		results, repeats int
		again            float64 // how often its tokens were sent again, per token
	}
	for _, c := range []struct {
		path            string
		requests, input int
		tools           map[string]tool
	}{
		{"claude.jsonl", 6, 114124, map[string]tool{
			// The issues are carried by requests 2 to 6, and the repeat by 5 and 6.
			"mcp__tracker__list_issues": {2, 1, 2.5}, "Bash": {2, 0, 0}, "Read": {2, 0, 3}, "Task": {1, 0, 0},
		}},
		{"codex.jsonl", 3, 15000, map[string]tool{"shell": {1, 0, 0}, "apply_patch": {1, 0, 0}}}, // a summary comes before request 3
		{"gemini.jsonl", 2, 18600, map[string]tool{"run_shell_command": {1, 0, 0}}},
		{"gemini.json", 2, 18600, map[string]tool{"read_file": {1, 0, 0}, "run_shell_command": {1, 0, 0}}},
		{"opencode", 2, 20900, map[string]tool{"webfetch": {1, 0, 0}}},
		{"requests.jsonl", 3, 0, map[string]tool{"rows": {2, 1, 1.5}}}, // the first is in three requests, the second in two
	} {
		t.Run(c.path, func(t *testing.T) {
			a := New(Options{Exact: true})
			a.Path(filepath.Join("testdata", c.path))
			r := reported(t, a)
			require.Empty(t, r.Notes)
			require.Equal(t, c.requests, r.Requests)
			require.Equal(t, c.input, r.Input)
			require.Len(t, r.Tools, len(c.tools))
			for name, want := range c.tools {
				have := row(t, r.Tools, name)
				require.Equal(t, want.results, have.Results, name)
				require.Equal(t, want.repeats, have.Repeats, name)
				if name != "Bash" { // two results, of which one was sent more often
					require.InDelta(t, want.again*float64(have.Tokens), have.Again, 0, name)
				}
			}
		})
	}
}

// TestShapes: results of other shapes, whole and in pieces, with the names of their tools.
func TestShapes(t *testing.T) {
	for name, line := range map[string]string{
		"messages":  `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"get","input":{"content":{"role":"tool","content":"no"}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"a b"}]}]}]}`,
		"chat":      `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"a b"}]}]}`,
		"function":  `{"messages":[{"role":"function","name":"get","content":"a b"}]}`,
		"responses": `{"input":[{"type":"function_call","call_id":"1","name":"get","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":[{"type":"input_text","text":"a b"}]}]}`,
		"mcp":       `{"input":[{"type":"mcp_call","name":"get","output":"a b","error":null}]}`,
		"gemini":    `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"get","response":{"output":"a b"}}}]}]}`,
		"bedrock":   `{"messages":[{"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"get","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"1","content":[{"text":"a b"}]}}]}]}`,
		"logged":    `{"time":1,"request":{"messages":[{"role":"function","name":"get","content":"a b"}]},"response":{"id":"x","type":"message","role":"assistant","content":[],"usage":{"input_tokens":1}}}`,
		"message":   `{"role":"tool","name":"get","content":"a b"}`,
	} {
		r := audit(t, Options{}, line+"\n")
		require.Empty(t, r.Notes, name)
		require.Equal(t, 1, row(t, r.Tools, "get").Results, name)
		require.Equal(t, 2, r.Total.Tokens, name)
	}
}

// TestExport: a session of OpenCode in one object; its messages have a part for each request.
func TestExport(t *testing.T) {
	r := audit(t, Options{}, `{"info":{"id":"ses_1"},"messages":[{"info":{"id":"msg_1","role":"user"},"parts":[{"type":"text","text":"go"}]},`+
		`{"info":{"id":"msg_2","role":"assistant","modelID":"m"},"parts":[{"type":"step-start"},`+
		`{"type":"tool","tool":"get","callID":"1","state":{"status":"completed","output":"a b"}},{"type":"step-finish","tokens":{"input":7,"cache":{"read":2,"write":1}}},`+
		`{"type":"step-start"},{"type":"step-finish","tokens":{"input":8,"cache":{"read":0,"write":0}}}]}]}`)
	require.Empty(t, r.Notes)
	require.Equal(t, 2, r.Requests)
	require.Equal(t, 18, r.Input)
	require.Equal(t, 1, row(t, r.Tools, "get").Results)
}

// TestStrange: whatever is in a file, the results in the lines around it count, and what
// was strange is noted once, with a count.
func TestStrange(t *testing.T) {
	good := `{"role":"tool","name":"get","content":"a b"}` + "\n"
	for name, c := range map[string]struct{ text, note string }{
		"cut":       {good + good + good[:20], noteLine},
		"not JSON":  {good + "panic: oh\n" + good, noteLine},
		"first":     {"{oops}\n" + good + good, noteLine},
		"open":      {"{\n" + good + good, noteLine},
		"form":      {good + `{"role":"tool","content":7}` + "\n" + good, noteResult},
		"block":     {good + `{"role":"tool","content":[{"type":"hologram"}]}` + "\n" + good, noteResult},
		"surrogate": {good + `{"role":"tool","name":"get","content":"\ud800"}` + "\n" + good[:0] + good, ""},
		"deep":      {good + strings.Repeat(`{"message":`, 500) + "1" + strings.Repeat("}", 500) + "\n" + good, ""},
		"BOM":       {"\ufeff" + good + "\r\n\n" + good, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := audit(t, Options{}, c.text)
			require.GreaterOrEqual(t, row(t, r.Tools, "get").Results, 2)
			if c.note != "" {
				require.Equal(t, []Note{{c.note, 1, "file0.jsonl"}}, r.Notes)
			}
		})
	}
	unknown := audit(t, Options{}, `{"v":9,"event":"new"}`+"\n", "")
	require.Equal(t, []Note{{noteShape, 2, "file0.jsonl"}}, unknown.Notes)
	require.False(t, unknown.Worth)

	a := New(Options{})
	a.Path(filepath.Join(t.TempDir(), "missing"))
	require.Equal(t, noteFile, reported(t, a).Notes[0].What)

	a = New(Options{})
	a.File("broken", io.MultiReader(strings.NewReader(good), failing{}))
	r := reported(t, a)
	require.Equal(t, 1, r.Total.Results)
	require.Equal(t, noteFile, r.Notes[0].What)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestLongLine: a line that is too long is passed over to its end, wherever that is, and so
// is one that is the last.
func TestLongLine(t *testing.T) {
	good := `{"role":"tool","name":"get","content":"a b"}` + "\n"
	long := func(more int64) io.Reader { return io.LimitReader(endless{}, maxLine+more) }
	a := New(Options{})
	a.File("long", io.MultiReader(strings.NewReader(good), long(1<<20), strings.NewReader("\n"+good),
		long(1), strings.NewReader("\n"+good), long(1<<20)))
	r := reported(t, a)
	require.Equal(t, 3, r.Total.Results)
	require.Equal(t, []Note{{noteLong, 3, "long"}}, r.Notes)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// sampled reads texts as if they were more than is measured whole.
func sampledAudit(t testing.TB, o Options, files ...string) Report {
	a := New(o)
	a.below = 0
	for i, text := range files {
		a.File(fmt.Sprintf("file%d.jsonl", i), strings.NewReader(text))
	}
	return reported(t, a)
}

// TestSample: the report is the same in any order of files and on any number of
// processors, the sample has its bound, and what it estimates is near what there is.
func TestSample(t *testing.T) {
	size := 400 << 10
	if resident.RaceEnabled {
		size = 20 << 10
	}
	var files []string
	for i := range 4 {
		files = append(files, string(transcript(uint64(i), size)))
	}
	o := Options{Counter: tokens.Estimate{}, Lines: true}
	first := sampledAudit(t, o, files...)
	other := sampledAudit(t, o, files[3], files[1], files[2], files[0])
	require.Equal(t, first, other)
	procs := runtime.GOMAXPROCS(1)
	one := sampledAudit(t, o, files...)
	runtime.GOMAXPROCS(procs)
	require.Equal(t, first, one)
	if resident.RaceEnabled {
		return // folding takes long then
	}

	require.Less(t, 2*first.Sample.Tokens, first.Sample.Of)
	exact := audit(t, o, files...)
	require.Nil(t, exact.Sample, "so little is measured whole")
	require.Equal(t, exact.Total.Saved.Formats, first.Total.Saved.Formats)
	require.Equal(t, exact.Total.Saved.Repeats, first.Total.Saved.Repeats)
	require.Equal(t, exact.Runs, first.Runs)
	require.Positive(t, exact.Total.Saved.Lines)
	require.InEpsilon(t, exact.Total.Saved.Lines, first.Total.Saved.Lines, 0.2)
	require.InEpsilon(t, exact.Total.Saved.Sum(), first.Total.Saved.Sum(), 0.2)
	require.LessOrEqual(t, first.Sample.Low, exact.Total.Saved.Sum())
	require.GreaterOrEqual(t, first.Sample.High, exact.Total.Saved.Sum())
	require.Less(t, first.Sample.High-first.Sample.Low, exact.Total.Saved.Sum())
}

// TestSampleGrows: of a group with more tokens more is measured, a tenth, and the interval
// has what all of it saves in nearly all of many random groups.
func TestSampleGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 100))
	inside, runs := 0, 400
	for range runs {
		var texts, tenth []*text
		for i := range 600 {
			n := 200 + int(math.Exp(9*r.Float64()))
			saved := n * r.IntN(4) / (8 + r.IntN(8))
			one := &text{tokens: n, format: n, more: n - saved}
			texts = append(texts, one)
			if i%10 == 0 {
				tenth = append(tenth, one)
			}
		}
		all, sample := shareOf(texts), shareOf(tenth)
		if off := 2 * sample.deviation(600); math.Abs(sample.saved()-all.saved()) <= off {
			inside++
		}
	}
	require.Greater(t, inside, runs*88/100, "heavy tails take a little of 95 %")
	require.Zero(t, share{texts: 5, before: 9}.deviation(5))
	require.Positive(t, share{texts: 1, before: 9}.deviation(5))

	a := New(Options{Counter: tokens.Estimate{}})
	a.below = 0
	a.File("s", bytes.NewReader(transcript(3, 8<<20)))
	require.Greater(t, reported(t, a).Sample.Bytes, 3*sampled/2)
}

// TestSampleBound: a sample keeps the texts with the smallest keys.
func TestSampleBound(t *testing.T) {
	var forth, back sample
	for i := range 100 {
		forth.add(&text{key: key{byte(i)}}, strings.Repeat("x", 10<<10))
		back.add(&text{key: key{byte(99 - i)}}, strings.Repeat("x", 10<<10))
	}
	require.Equal(t, forth.texts, back.texts)
	require.Len(t, forth.texts, 9)
	require.Equal(t, byte(8), forth.texts[8].key[0])
	forth.add(&text{}, strings.Repeat("x", 2*sampled)) // its key is there
	require.Len(t, forth.texts, 9)
}

// TestAddsUp: tools and kinds have the same sums, and nothing is saved that is not there.
func TestAddsUp(t *testing.T) {
	r := audit(t, Options{}, string(transcript(7, 300<<10)))
	for _, rows := range [][]Row{r.Tools, r.Kinds} {
		sum := Row{Name: "all"}
		for _, row := range rows {
			sum.add(row)
			require.LessOrEqual(t, row.Saved.Sum()+row.Unchanged, row.Tokens)
			require.LessOrEqual(t, row.SavedAgain, row.Again)
		}
		require.Equal(t, r.Total, sum)
	}
	require.Positive(t, r.Total.Again)
	require.Positive(t, r.Total.Saved.Repeats)
}

// TestWorth: what repeats nothing is not worth installing anything for.
func TestWorth(t *testing.T) {
	words := "One day the river rose and took the old bridge with it, which the town had meant to mend for years."
	poor := audit(t, Options{}, fmt.Sprintf(`{"role":"tool","name":"get","content":%q}`, words))
	require.False(t, poor.Worth)
	require.Equal(t, poor.Total.Tokens, poor.Total.Unchanged)
	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"row","state":"open","page_url":"https://example.org/%d","icon_url":"https://example.org/i/%d"}`, i, i, i))
	}
	table := fmt.Sprintf(`{"role":"tool","name":"get","content":%q}`, "["+strings.Join(rows, ",")+"]")
	rich := audit(t, Options{}, table)
	require.True(t, rich.Worth)
	require.Zero(t, rich.Total.Unchanged)
	require.Equal(t, "omit:**/*_url", rich.Rules[0].Rule)
	require.Greater(t, rich.Rules[0].Part, 0.5)
	failed := audit(t, Options{}, `{"type":"tool_result","is_error":true,"content":[`+strings.Replace(table, `"role":"tool","name":"get","content"`, `"type":"text","text"`, 1)+`]}`)
	require.Equal(t, failed.Total.Tokens, failed.Total.Unchanged, "errors are left alone")
}

// TestKinds: what texts are taken for.
func TestKinds(t *testing.T) {
	for want, texts := range map[Kind][]string{
		KindTable: {"a,b,c\n1,2,3\n4,5,6\n", "id\tname\n1\tada\n2\teve\n", "| a | b |\n| - | - |\n| 1 | 2 |\n"},
		KindCode:  {codeText(random(), 20), "#include <stdio.h>\nint main(void) {\n\tputs(\"x\");\n\treturn 0;\n}\n", "def f(x):\n    return x\n"},
		KindLog:   {logText(random(), 20), "total 8\ndrwxr-xr-x 2 ada ada 4096 Nov 2 src\n-rw-r--r-- 1 ada ada 12 Nov 2 go.mod\n", "{\"a\":1}\n{\"a\":2}\n", "./a.go\n./b.go\n"},
		KindProse: {"The tests pass now and the fault was in the loop.\n", "# Title\n\nIt is a tool that reads all of the files.\nIt does so in the order of their names.\n", ""},
	} {
		for _, text := range texts {
			require.Equal(t, want, kindOf(text), text)
		}
	}
}

// TestHTML: the page has a chart, asks for nothing, and what tools are called is not markup.
func TestHTML(t *testing.T) {
	r := audit(t, Options{}, `{"role":"tool","name":"<script>alert(1)</script>","content":"a b"}`)
	r.Tokenizer = "a < b"
	page := string(r.HTML())
	require.Contains(t, page, "<svg")
	require.Contains(t, page, "a &lt; b")
	for _, word := range []string{"<script", "http:", "https:", "src=", "href=", "url(", "@import"} {
		require.NotContains(t, page, word)
	}
}

// TestPlaces: the folders that are there, in the places that variables name.
func TestPlaces(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("CODEX_HOME", filepath.Join(home, "elsewhere"))
	require.Empty(t, Places())
	var want []string
	for _, dir := range []string{".claude/projects", "elsewhere/sessions", ".gemini/tmp/a1/chats", ".gemini/tmp/b2/chats", ".local/share/opencode/storage/part"} {
		want = append(want, filepath.Join(home, filepath.FromSlash(dir)))
		require.NoError(t, os.MkdirAll(want[len(want)-1], 0o755))
	}
	require.Equal(t, want, Places())
}

// TestGrowth: time and memory are linear in the number of results. What is measured on the
// sample has a bound of its own.
func TestGrowth(t *testing.T) {
	growth.Linear(t, 20, func(n int) func() {
		var text bytes.Buffer
		r := random()
		for range n {
			fmt.Fprintf(&text, `{"role":"assistant"}`+"\n"+`{"role":"tool","name":"log","content":%q}`+"\n", logText(r, 40))
		}
		return func() {
			a := New(Options{Counter: tokens.Estimate{}})
			a.File("session.jsonl", bytes.NewReader(text.Bytes()))
			a.addUp()
		}
	})
}

// TestGrowthOfNeeds: what the model uses may be in every result, twice.
func TestGrowthOfNeeds(t *testing.T) {
	growth.Linear(t, 10_000, func(n int) func() {
		shown := make([]*job, n)
		for i := range shown {
			shown[i] = &job{record: record{text: &text{}}, data: "ORDER-48213 ORDER-48213"}
		}
		return func() {
			s := newSaid(make(map[string]bool))
			s.shown = shown
			s.say("take ORDER-48213", true)
			if needs := s.needs(); len(needs) != 1 || len(shown[n-1].needs) == 0 {
				t.Errorf("%d needs", len(needs))
			}
			for _, j := range shown {
				j.needs = nil
			}
		}
	})
}

// TestMemory: 40 MB of transcripts do not take more memory than one megabyte may, with all
// that can be asked for; nor do 24 MB in one conversation, whose results --check keeps.
func TestMemory(t *testing.T) {
	call := func(o Options, size int, readers func(n int) []io.Reader) func([]byte) {
		return func([]byte) {
			o.Counter = tokens.Estimate{}
			a := New(o)
			for _, r := range readers(size) {
				a.File("session.jsonl", r)
			}
			if r, err := a.Report(); err != nil || r.Bytes < int64(size)<<20 || r.Sample != nil {
				panic("the transcripts were not read, or not measured")
			}
		}
	}
	many := func(n int) (all []io.Reader) {
		for i := range n {
			all = append(all, &lazy{seed: uint64(i)})
		}
		return all
	}
	one := func(n int) []io.Reader { return []io.Reader{io.MultiReader(many(n)...)} }
	all := Options{Check: true, Lines: true, Rates: &Rates{}}
	input := func() []byte { return make([]byte, 1<<20) }
	resident.Check(t,
		resident.Case{Name: "sessions", Input: input, Call: call(Options{}, 40, many)},
		resident.Case{Name: "checked sessions", Input: input, Call: call(all, 40, many)},
		resident.Case{Name: "one checked session", Input: input, Call: call(all, 24, one)})
}

// lazy is a megabyte of a transcript that is made when it is read.
type lazy struct {
	seed uint64
	text *bytes.Reader
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.text == nil {
		l.text = bytes.NewReader(transcript(l.seed, 1<<20))
	}
	n, err := l.text.Read(p)
	if err != nil {
		l.text.Reset(nil)
	}
	return n, err
}

// FuzzFile: no bytes make it panic, whatever is asked for, and sums stay in proportion.
func FuzzFile(f *testing.F) {
	for _, name := range []string{"claude.jsonl", "codex.jsonl", "gemini.json", "requests.jsonl"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		a := New(Options{Counter: tokens.Estimate{}, Check: true, Lines: true, Rates: &Rates{Models: map[string]Rate{"*": {Minimum: 9, Step: 2, Write: 1, Breakpoints: 4}}}})
		a.File("fuzzed", bytes.NewReader(text))
		r := reported(t, a)
		for _, row := range r.Check.Rows {
			require.Equal(t, row.Texts, row.Decoded)
			require.LessOrEqual(t, row.Verbatim, row.Literals)
			require.LessOrEqual(t, row.Referred, row.Literals)
		}
		for _, c := range r.Bill.Charges {
			require.GreaterOrEqual(t, min(c.Read, c.Written, c.Input), 0)
		}
		require.LessOrEqual(t, r.Total.Saved.Sum()+r.Total.Unchanged, r.Total.Tokens)
		require.GreaterOrEqual(t, r.Total.Saved.Sum(), 0)
		require.GreaterOrEqual(t, r.Total.Unchanged, 0)
	})
}
