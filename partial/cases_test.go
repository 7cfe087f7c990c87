package partial_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// A textCase is a text and what becomes of it. soFar is the value before Close, "-" for none;
// outcome is ok, cut, empty or the offset of the error; repairs has a ? after what is not sure.
type textCase struct {
	level          partial.Level
	text           string
	soFar, outcome string
	repairs        string
	final          string // the value after Close, if it is another
}

const (
	s = partial.Strict
	w = partial.Wrapped
	l = partial.Lenient
)

var textCases = []textCase{
	{s, ``, `-`, "empty", "", ""},
	{s, `{`, `{}`, "cut", "", ""},
	{s, `{"`, `{}`, "cut", "", ""},
	{s, `{"a`, `{}`, "cut", "", ""},
	{s, `{"a"`, `{}`, "cut", "", ""},
	{s, `{"a":`, `{}`, "cut", "", ""},
	{s, `{"a":1`, `{}`, "cut", "", ""},
	{s, `{"a":1,`, `{"a":1}`, "cut", "", ""},
	{s, `{"a":1}`, `{"a":1}`, "ok", "", ""},
	{s, `{"a":12`, `{}`, "cut", "", ""},
	{s, `[-`, `[]`, "cut", "", ""},
	{s, `[1.`, `[]`, "cut", "", ""},
	{s, `[-2.5e`, `[]`, "cut", "", ""},
	{s, `[-2.5e3,`, `[-2.5e3]`, "cut", "", ""},
	{s, `[tru`, `[]`, "cut", "", ""},
	{s, `[true`, `[true]`, "cut", "", ""},
	{s, `12`, `-`, "ok", "", `12`},
	{s, `"a`, `"a"`, "cut", "", ""},
	{s, `""`, `""`, "ok", "", ""},
	{s, `"a\`, `"a"`, "cut", "", ""},
	{s, `"a\u00e`, `"a"`, "cut", "", ""},
	{s, `"a\u00e9`, `"aé"`, "cut", "", ""},
	{s, `"a\ud83d`, `"a"`, "cut", "", ""},
	{s, `"a\ud83d\ude00`, `"a😀"`, "cut", "", ""},
	{s, "\"\xC3", `""`, "cut", "", ""},
	{s, `[12345678901234567890,0.10]`, `[12345678901234567890,0.10]`, "ok", "", ""},
	{s, `{"a":{"b":[1,{"c":"d`, `{"a":{"b":[1,{"c":"d"}]}}`, "cut", "", ""},
	{s, `[[1,2],[3`, `[[1,2],[]]`, "cut", "", ""},
	{s, `{"a":1,"a":2}`, `{"a":2}`, "ok", "duplicate_key?", ""},
	{s, `{"a":1} `, `{"a":1}`, "ok", "", ""},
	{s, `{"a":1}x`, `{"a":1}`, "7", "", ""},
	{s, `{"a":1}{"b":2}`, `{"a":1}`, "7", "", ""},
	{s, "\uFEFF{\"a\":1}", `{"a":1}`, "ok", "bom", ""},
	{s, `[1,]`, `[1]`, "3", "", ""},
	{s, `{'a':1}`, `{}`, "1", "", ""},
	{s, "{\"a\":\"x\ny\"}", `{"a":"x"}`, "7", "", ""},
	{s, `nullx`, `null`, "4", "", ""},
	{s, `[01]`, `[]`, "1", "", ""},
	{s, `{"__proto__":{"x":1}}`, `{"__proto__":{"x":1}}`, "ok", "", ""},
	{w, "```json\n{\"a\":1}\n```", `{"a":1}`, "ok", "fence", ""},
	{w, "```json\n{\"a\":1", `{}`, "cut", "fence", ""},
	{w, "```json\n{\"a\":\"x```y\"}\n```", "{\"a\":\"x```y\"}", "ok", "fence", ""},
	{w, "Here it is:\n{\"a\":1}", `{"a":1}`, "ok", "prose_before?", ""},
	{w, `{"a":1} Hope this helps!`, `{"a":1}`, "ok", "prose_after?", ""},
	{w, "Sure! ```json\n{\"a\":1}\n``` Bye.", `{"a":1}`, "ok", "prose_before? fence prose_after?", ""},
	{w, `Result: {"a":1} and {"b":2}`, `{"a":1}`, "20", "prose_before?", ""},
	{w, `The set {x} is: {"a":1}`, `{"a":1}`, "ok", "prose_before?", ""},
	{w, `<tool>{"a":1}</tool>`, `{"a":1}`, "ok", "tag?", ""},
	{w, `No JSON here.`, `-`, "0", "", ""},
	{l, `{'a':'b'}`, `{"a":"b"}`, "ok", "single_quotes single_quotes", ""},
	{l, `{'a':'it's'}`, `{"a":"it's"}`, "ok", "single_quotes single_quotes? inner_quote?", ""},
	{l, `{a:1}`, `{"a":1}`, "ok", "bare_key", ""},
	{l, `{a:b}`, `{"a":"b"}`, "ok", "bare_key bare_text?", ""},
	{l, `{“a”:“b”}`, `{"a":"b"}`, "ok", "typographic_quotes typographic_quotes", ""},
	{l, `{"a":1,}`, `{"a":1}`, "ok", "trailing_comma", ""},
	{l, `[1,,2]`, `[1]`, "3", "", ""},
	{l, `{"a":1 "b":2}`, `{"a":1,"b":2}`, "ok", "missing_comma", ""},
	{l, `["a" "b"]`, `["a"]`, "5", "", ""},
	{l, `{"a" 1}`, `{"a":1}`, "ok", "missing_colon?", ""},
	{l, `{"a":,"b":2}`, `{}`, "5", "", ""},
	{l, `{"a","b":1}`, `{}`, "4", "", ""},
	{l, `{"a":True,"b":None}`, `{"a":true,"b":null}`, "ok", "word word", ""},
	{l, `[NaN]`, `[]`, "1", "", ""},
	{l, "{\"a\":1 // c\n}", `{"a":1}`, "ok", "comment", ""},
	{l, `{"a":"he said "hi" to me"}`, `{"a":"he said \"hi\" to me"}`, "ok", "inner_quote? inner_quote?", ""},
	{l, `{"a":"65", which are good"}`, `{"a":"65"}`, "17", "", ""},
	{l, "{\"a\":\"x\ny\"}", `{"a":"x\ny"}`, "ok", "control_in_text", ""},
	{l, `{"a":"x\d"}`, `{"a":"x\\d"}`, "ok", "escape?", ""},
	{l, `{"a":"it\'s"}`, `{"a":"it's"}`, "ok", "escape", ""},
	{l, `[1}`, `[1]`, "ok", "wrong_closer?", ""},
	{l, `{"a":{"b":1]}`, `{"a":{"b":1}}`, "ok", "wrong_closer?", ""},
	{l, `{"a":1}]`, `{"a":1}`, "ok", "extra_closer", ""},
	{l, `[1,2,...]`, `[1,2]`, "5", "", ""},
	{l, `{"price":1,234}`, `{"price":1}`, "11", "", ""},
	{l, `{"a": 12:30}`, `{}`, "8", "", ""},
	{l, `{"a":"b,"c":"d"}`, `{"a":"b,"}`, "8", "", ""},
	{l, "{\"a\":\u00A01}", `{"a":1}`, "ok", "padding", ""},
	{l, "{\"a\":\"x\"\n\"b\":1", `{"a":"x"}`, "cut", "missing_comma", ""},
	{l, "```json\n{a:\"x\",b:[1,2,\n", `{"a":"x","b":[1,2]}`, "cut", "fence bare_key bare_key", ""},
}

// TestCases: the states of a text that is being written, and mistakes of models.
func TestCases(t *testing.T) {
	for _, c := range append(textCases, moreCases...) {
		for _, size := range []int{len(c.text) + 1, 1, 2, 3} {
			t.Run(fmt.Sprintf("%v %q in %d", c.level, c.text, size), func(t *testing.T) { checkCase(t, c, size) })
		}
	}
}

func checkCase(t *testing.T, c textCase, size int) {
	t.Helper()
	p := partial.NewParser(partial.Options{Level: c.level})
	for rest := c.text; rest != ""; {
		n := min(size, len(rest))
		_, _ = p.WriteString(rest[:n])
		rest = rest[n:]
	}
	require.Equal(t, c.soFar, shown(p), "%v %q so far", c.level, c.text)
	require.Equal(t, c.outcome, outcome(p.Close()), "%v %q", c.level, c.text)
	if c.final == "" {
		c.final = c.soFar
	}
	require.Equal(t, c.final, shown(p), "%v %q", c.level, c.text)
	require.Equal(t, c.repairs, listed(p.Repairs()), "%v %q", c.level, c.text)
}

// shown returns the JSON of the value so far.
func shown(p *partial.Parser) string {
	v, ok := p.Value()
	if !ok {
		return "-"
	}
	return string(wire.AppendJSON(nil, v))
}

func outcome(err error) string {
	var e *wire.Error
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, partial.ErrCut):
		return "cut"
	case errors.Is(err, partial.ErrEmpty):
		return "empty"
	case errors.As(err, &e):
		return wire.Int(int64(e.Offset)).Text()
	}
	return err.Error()
}

func listed(repairs []partial.Repair) string {
	var names []string
	for _, r := range repairs {
		name := r.Kind.String()
		if !r.Sure {
			name += "?"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}
