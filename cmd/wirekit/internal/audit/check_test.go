package audit

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/wire"
)

// A step of a conversation: what a user says, what the model says, what it calls a tool
// with, what the tool returns, or a summary.
type step struct{ what, text string }

// agents write a conversation as each agent does.
var agents = map[string]func(steps []step) string{
	"claude": func(steps []step) string {
		return each(steps, map[string]string{
			"user":    `{"type":"user","sessionId":"s","message":{"role":"user","content":%[2]q}}`,
			"model":   `{"type":"assistant","sessionId":"s","message":{"id":"m%[1]d","type":"message","role":"assistant","content":[{"type":"text","text":%[2]q}],"usage":{"input_tokens":9}}}`,
			"call":    `{"type":"assistant","sessionId":"s","message":{"id":"m%[1]d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"sh","input":{"command":%[2]q}}],"usage":{"input_tokens":9}}}`,
			"result":  `{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":%[2]q}]}}`,
			"summary": `{"type":"user","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":%[2]q}}`,
		})
	},
	"codex": func(steps []step) string {
		return each(steps, map[string]string{
			"user":    `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%[2]q}]}}`,
			"model":   `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":%[2]q}]}}`,
			"call":    `{"type":"response_item","payload":{"type":"function_call","name":"sh","call_id":"t","arguments":%[3]q}}`,
			"result":  `{"type":"response_item","payload":{"type":"function_call_output","call_id":"t","output":%[2]q}}`,
			"summary": `{"type":"compacted","payload":{"message":%[2]q}}`,
		})
	},
	"gemini": func(steps []step) string {
		return each(steps, map[string]string{
			"user":    `{"id":"c%[1]d","type":"user","content":[{"text":%[2]q}]}`,
			"model":   `{"id":"c%[1]d","type":"gemini","content":%[2]q,"tokens":{"input":9}}`,
			"call":    `{"id":"c%[1]d","type":"gemini","content":"","tokens":{"input":9},"toolCalls":[{"id":"t%[1]d","name":"sh","args":{"command":%[2]q}}]}`,
			"result":  `{"id":"c%[1]d","type":"user","content":[{"functionResponse":{"id":"r%[1]d","name":"sh","response":{"output":%[2]q}}}]}`,
			"summary": `{"type":"compaction","text":%[2]q}`,
		})
	},
	"opencode": func(steps []step) string {
		return each(steps, map[string]string{
			"user":    `{"id":"p%[1]d","sessionID":"s","messageID":"u%[1]d","type":"text","text":%[2]q}`,
			"model":   `{"id":"p%[1]d","sessionID":"s","messageID":"m%[1]d","type":"step-start"}` + "\n" + `{"id":"q%[1]d","sessionID":"s","messageID":"m%[1]d","type":"text","text":%[2]q}`,
			"call":    `{"id":"p%[1]d","sessionID":"s","messageID":"m%[1]d","type":"step-start"}` + "\n" + `{"id":"q%[1]d","sessionID":"s","messageID":"m%[1]d","type":"tool","tool":"sh","state":{"status":"running","input":{"command":%[2]q}}}`,
			"result":  `{"id":"p%[1]d","sessionID":"s","messageID":"m%[1]d","type":"tool","tool":"sh","state":{"status":"completed","output":%[2]q}}`,
			"summary": `{"id":"p%[1]d","sessionID":"s","messageID":"m%[1]d","type":"compaction","text":%[2]q}`,
		})
	},
	"requests": func(steps []step) string { // one that has all, and the same once more
		var messages []string
		for i, s := range steps {
			messages = append(messages, fmt.Sprintf(map[string]string{
				"user":   `{"role":"user","content":%[2]q}`,
				"model":  `{"role":"assistant","content":%[2]q}`,
				"call":   `{"role":"assistant","tool_calls":[{"id":"t","type":"function","function":{"name":"sh","arguments":%[3]q}}]}`,
				"result": `{"role":"tool","tool_call_id":"t","content":%[2]q}`,
			}[s.what], i, s.text, fmt.Sprintf(`{"command":%q}`, s.text)))
		}
		line := fmt.Sprintf(`{"model":"m","messages":[%s]}`, strings.Join(messages, ",")) + "\n"
		return line + line
	},
}

func each(steps []step, forms map[string]string) string {
	var out strings.Builder
	for i, s := range steps {
		arguments := fmt.Sprintf(`{"command":%q}`, s.text)
		out.WriteString(strings.Split(fmt.Sprintf(forms[s.what]+"\x00%[1]d%[2]q%[3]q", i, s.text, arguments), "\x00")[0] + "\n")
	}
	return out.String()
}

// A plant is a result and a literal of it that a mode takes apart.
type plant struct{ result, literal, mode string }

// plants returns n results of each kind.
func plants(t *testing.T, n int) (all []plant) {
	r := rand.New(rand.NewPCG(54, 1))
	rows := func(form string, sep string, brackets string) string {
		var lines []string
		for i := range 60 {
			lines = append(lines, fmt.Sprintf(form, 10000+i*7, r.Uint64(), r.IntN(900)+100, []string{"ada", "eve", "joe"}[r.IntN(3)]))
		}
		return brackets[:len(brackets)/2] + strings.Join(lines, sep) + brackets[len(brackets)/2:]
	}
	for range n {
		dir := fmt.Sprintf("services/checkout_%d/internal", r.IntN(1e6))
		for _, p := range []plant{
			{rows(dir+"/handlers/router.go:%[3]d: undefined: request%[3]d\n", "", ""), dir + "/handlers/router.go:", "lines:plain"},
			{rows("/var/"+dir+"/part-%[3]d.%[4]s\n", "", ""), "/var/" + dir + "/part-", "lines"},
			{rows(`{"n":%[3]d,"name":"%[4]s","self":"https://api.example.com/`+dir+`/items/%[1]d"}`, ",", "[]"), "https://api.example.com/" + dir + "/items/", "fold"},
			{rows(`{"n":%[3]d,"name":"%[4]s","ref":"INV-2026-%[1]d-%[3]d"}`, ",", "[]"), "INV-2026-", "fold"},
			{rows(`{"n":%[3]d,"name":"%[4]s","image":"registry.example.com/`+dir+`:deploy-%[1]d"}`, ",", "[]"), "deploy-", "fold"},
			{rows(`{"n":%[3]d,"name":"%[4]s","file":"/home/ada/`+dir+`/%[1]d.json"}`, ",", "[]"), "/home/ada/" + dir + "/", "fold"},
		} {
			p.literal = hiddenBy(t, p)
			all = append(all, p)
		}
	}
	return all
}

// hiddenBy returns a literal of a plant's result that begins as the plant's does and is not
// in what the mode makes of it.
func hiddenBy(t *testing.T, p plant) string {
	a := New(Options{})
	plan := a.further
	if p.mode == "lines:plain" {
		plan = a.plain
	}
	out, _, err := plan.Text(p.result)
	require.NoError(t, err, p.result)
	for _, l := range slices.Sorted(func(yield func(string) bool) {
		for l := range literalsIn(p.result) {
			if !yield(l) {
				return
			}
		}
	}) {
		if strings.HasPrefix(l, p.literal) && !strings.Contains(out.Text, l) {
			return l
		}
	}
	require.Fail(t, "nothing is hidden", "%s\n%s", p.literal, out.Text)
	return ""
}

func checked(t *testing.T, text string) *Check {
	return audit(t, Options{Check: true}, text).Check
}

// total returns the row of a mode for all tools.
func (c *Check) total(mode string) CheckRow {
	for _, r := range c.Rows {
		if r.Tool == "" && r.Mode == mode {
			return r
		}
	}
	return CheckRow{}
}

// TestPlantedLosses: a literal that a mode takes apart and that the model uses is found,
// in what each agent writes, in words and in a call, alone and in sentences.
func TestPlantedLosses(t *testing.T) {
	uses := []string{"%s", "I fix %s.", "cat '%s' | head", "(%s), and then", "look=%s;"}
	all, names := plants(t, 9), slices.Sorted(maps.Keys(agents))
	require.GreaterOrEqual(t, len(all), 50)
	for i, p := range all {
		use := step{[]string{"model", "call"}[i%2], fmt.Sprintf(uses[i%len(uses)], p.literal)}
		steps := []step{{"user", "go"}, {"call", "run it"}, {"result", p.result}, {"model", "I see."}, use, {"result", "ok"}}
		name := names[i%len(names)]
		c := checked(t, agents[name](steps))
		require.Contains(t, c.Hidden, Hidden{p.mode, "sh", p.literal}, "%s: %v", name, p.literal)
		require.Equal(t, CheckRow{Mode: p.mode, Texts: 1, Decoded: 1, Literals: 1, Referred: 1}, c.total(p.mode), name)
	}
}

// TestPlantedCoincidences: nothing is marked where the model has a literal from elsewhere,
// or says something that only looks like it.
func TestPlantedCoincidences(t *testing.T) {
	result := func(p plant) step { return step{"result", p.result} }
	cut := func(p plant) string { return p.literal[2:] }
	cases := map[string]func(p plant) []step{
		"said before":      func(p plant) []step { return []step{{"user", "see " + p.literal}, result(p), {"model", p.literal}} },
		"said since":       func(p plant) []step { return []step{result(p), {"user", "see " + p.literal}, {"model", p.literal}} },
		"asked for":        func(p plant) []step { return []step{{"call", "cat " + p.literal}, result(p), {"call", p.literal}} },
		"used before":      func(p plant) []step { return []step{{"model", p.literal}, result(p), {"model", "fine"}} },
		"only the user's":  func(p plant) []step { return []step{result(p), {"user", p.literal}} },
		"only in a result": func(p plant) []step { return []step{result(p), {"call", "again"}, {"result", "found " + p.literal}} },
		"another result's": func(p plant) []step { return []step{result(p), {"result", "also " + p.literal}, {"model", p.literal}} },
		"a part":           func(p plant) []step { return []step{result(p), {"model", cut(p)}} },
		"in a longer one":  func(p plant) []step { return []step{result(p), {"model", "9x" + p.literal + "x9"}} },
		"common words": func(p plant) []step {
			return []step{result(p), {"model", "and/or read/write utf-8 sha-256 120000 65536 /dev/null application/json"}}
		},
		"after a summary":      func(p plant) []step { return []step{result(p), {"summary", "short"}, {"model", p.literal}} },
		"nothing but a result": func(p plant) []step { return []step{result(p)} },
	}
	n, names := 0, slices.Sorted(maps.Keys(agents))
	for _, p := range plants(t, 1) {
		for _, what := range slices.Sorted(maps.Keys(cases)) {
			name := names[n%len(names)]
			n++
			if name == "requests" && what == "after a summary" {
				continue
			}
			c := checked(t, agents[name](append([]step{{"user", "go"}}, cases[what](p)...)))
			require.Empty(t, c.Hidden, "%s, %s: %s", what, name, p.literal)
			require.Zero(t, c.total(p.mode).Literals, "%s, %s", what, name)
		}
	}
	require.Greater(t, n, 50)
}

// TestNothing: a result that is null is an empty text, with a check as without.
func TestNothing(t *testing.T) {
	for _, check := range []bool{false, true} {
		r := audit(t, Options{Check: check}, `{"role":"tool","name":"get","content":null}`)
		require.Equal(t, []Row{{Name: string(KindProse), Results: 1}}, r.Kinds)
	}
}

// TestLosses: whatever an encoder gets wrong, what is needed of a result and is not in its
// text, or in it as a part of something else, is found, and that it does not decode.
func TestLosses(t *testing.T) {
	for i := range 60 {
		literal := []string{"%d48213", "a9%dc0ffee", "src/pkg_%d/a.go:12", "/srv/app/%d.log", "ORDER-4%d21", "550e8400-e29b-41d4-a716-4466554%05d"}[i%6]
		literal = fmt.Sprintf(literal, 100+i)
		a := New(Options{Check: true})
		s := newSaid(make(map[string]bool))
		result := fmt.Sprintf("one %s two\n", literal)
		j := &job{record: record{text: &text{queued: true}, tool: "sh"}, data: result, first: true}
		s.shown = append(s.shown, j)
		s.say("take "+literal+" now", true)
		a.needs = s.needs()
		require.Len(t, a.needs, 1, literal)
		j.outs[modeLegend] = rewrite.Text{Format: rewrite.LinesLegend, Text: strings.ReplaceAll(result, literal, literal[:len(literal)-1])}
		j.outs[modePlain] = rewrite.Text{Format: rewrite.LinesPlain, Text: strings.ReplaceAll(result, literal, "x"+literal+"y")}
		j.outs[modeFormats] = rewrite.Text{Format: "json", Text: result}
		a.check(j)
		a.sumNeeds()
		c := a.report.Check
		a.checked(c)
		require.Equal(t, []Hidden{{modes[modeLegend], "sh", literal}, {modes[modePlain], "sh", literal}}, c.Hidden)
		require.Equal(t, CheckRow{Mode: modes[modeLegend], Texts: 1, Literals: 1, Referred: 1}, c.total(modes[modeLegend]))
		require.Equal(t, CheckRow{Mode: modes[modeFormats], Texts: 1, Literals: 1, Verbatim: 1}, c.total(modes[modeFormats]))
	}
}

// TestOtherConversation: what a result of another conversation has was not used.
func TestOtherConversation(t *testing.T) {
	p := plants(t, 1)[0]
	text := agents["claude"]([]step{{"user", "go"}, {"result", p.result}})
	other := agents["claude"]([]step{{"user", "go"}, {"model", p.literal}})
	require.Empty(t, checked(t, text+strings.ReplaceAll(other, `"sessionId":"s"`, `"sessionId":"other"`)).Hidden)
	require.NotEmpty(t, checked(t, text+other).Hidden)
	require.Empty(t, checked(t, text+other[:len(other)-20]).Hidden, "the line with it is cut")
}

// TestVerbatim: what stays whole is said to, in a legend too, where it is after a reference;
// a result that an error or its size keeps as it is is not in the rows.
func TestVerbatim(t *testing.T) {
	var log strings.Builder
	for i := range 40 {
		fmt.Fprintf(&log, "%d: step %d could not resolve dependency tree of /opt/build/cache/layer-48213/root for reasons of policy %x\n", i*i, i%3, i*i*i*7919)
	}
	steps := []step{{"call", "run"}, {"result", log.String()}, {"call", "ls /opt/build/cache/layer-48213/root"}, {"result", "ok"}}
	c := checked(t, agents["claude"](steps))
	require.Empty(t, c.Hidden)
	require.Equal(t, CheckRow{Mode: "lines", Texts: 1, Decoded: 1, Literals: 1, Verbatim: 1, Referred: 1}, c.total("lines"))

	failed := strings.ReplaceAll(agents["claude"](steps), `"type":"tool_result"`, `"type":"tool_result","is_error":true`)
	require.Zero(t, checked(t, failed).total("lines").Literals)
}

// TestCheckPayloads: every answer is decoded to what it was, and formats take no literal apart.
func TestCheckPayloads(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it folds every payload")
	}
	steps := []step{{"user", "go"}}
	for _, p := range payload.All() {
		steps = append(steps, step{"result", string(p.JSON)})
		for l := range literalsIn(string(p.JSON)) {
			steps = append(steps, step{"model", "use " + l})
		}
	}
	text := each(steps, map[string]string{
		"user":  `{"type":"user","message":{"role":"user","content":%[2]q}}`,
		"model": `{"role":"assistant","content":%[2]q}`, "result": `{"role":"tool","name":"get","content":%[2]q}`,
	})
	c := checked(t, text)
	row := c.total("formats")
	require.Greater(t, row.Texts, 60)
	require.Equal(t, row.Texts, row.Decoded)
	require.Greater(t, row.Literals, 4000)
	require.Equal(t, row.Literals, row.Verbatim)
	fold := c.total("fold")
	require.Equal(t, fold.Texts, fold.Decoded)
	require.Less(t, fold.Verbatim, fold.Literals)
}

// TestLiterals: what is one, and what it begins with.
func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"at src/a.go:12:5: no":                                    "src/a.go:12:5 src/a.go:12 src/a.go",
		"router.go:88 fails":                                      "router.go:88",
		"./run.sh ../x/y.c ~/n.txt, /srv/a/b":                     "./run.sh ../x/y.c ~/n.txt /srv/a/b",
		`C:\dir\a.go and "C:\\dir\\a.go"`:                         `C:\dir\a.go C:\dir\a.go`,
		`"a":"x\nsrc/a.go\tb/c.go"`:                               "src/a.go b/c.go",
		"see https://e.org/a/b?id=48213.":                         "https://e.org/a/b 48213",
		"commit 3f2a9c1 and 550e8400-e29b-41d4-a716-446655440000": "3f2a9c1 550e8400-e29b-41d4-a716-446655440000",
		"id:48213 PROJ-1234 toolu_01A09q90 12→48214":              "48213 PROJ-1234 toolu_01A09q90 48214",
		"1234 12,345 12345.67 2026-11-02T10:00:00.123Z v1.22.333": "",
		"and/or 1/2 utf-8 sha256 int64 100000 65536 12000ms deadbeef application/json image:1.4.0": "",
	} {
		var have []string
		eachWord(text, func(list []string) { have = append(have, list...) })
		require.Equal(t, want, strings.Join(have, " "), text)
	}
}

// FuzzLiterals: no text makes it panic; the JSON of a text has its literals.
func FuzzLiterals(f *testing.F) {
	f.Add("src/a.go:12:5 C:\\x\\y 48213\tPROJ-1234 →a/b/c")
	f.Fuzz(func(t *testing.T, text string) {
		literalsIn(text)
		if !strings.ContainsAny(text, "\\") {
			quoted := string(wire.AppendJSON(nil, wire.String(strings.ToValidUTF8(text, "?"))))
			if !strings.Contains(quoted, `\`) {
				require.Equal(t, literalsIn(strings.ToValidUTF8(text, "?")), literalsIn(quoted))
			}
		}
	})
}
