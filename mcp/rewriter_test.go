package mcp_test

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// rows is data that every table format saves a lot of.
const rows = `[{"id":12345678901234567890,"ratio":1.10,"zero":-0,"name":"<a&b>"},` +
	`{"id":2,"ratio":0.5,"zero":0,"name":"it's"},{"id":3,"ratio":2e3,"zero":0,"name":"漢字"},` +
	`{"id":4,"ratio":4,"zero":0,"name":"GCX1 x"},{"id":5,"ratio":5,"zero":0,"name":"#"}]`

// q is a text as a JSON string.
func q(text string) string { return string(splice.Quote(text)) }

func encoded(t testing.TB, format, json string) string {
	t.Helper()
	text, err := wirekit.Convert([]byte(json), "json", format)
	require.NoError(t, err)
	return string(text)
}

func pretty(t testing.TB, json string) string {
	t.Helper()
	v := codectest.JSON(t, json)
	text := codectest.Encoded(t, wire.JSON{Indent: "  "}, v)
	return string(text)
}

func TestResult(t *testing.T) {
	gcx := encoded(t, "gcx", rows)
	wrapped := `{"items":` + rows + `}`
	gcxWrapped := encoded(t, "gcx", wrapped)
	text := func(s string) string { return `{"type":"text","text":` + q(s) + `}` }
	made := func(s string) string {
		return `{"type":"text","text":` + q(s) + `,"_meta":{"dev.wirekit/format":"gcx"}}`
	}
	const image = `{"type":"image","data":"aGk=","mimeType":"image/png"}`
	long := strings.Repeat("the quick brown fox \"jumps\"\n", 40)
	replace, textMode := mcp.ModeReplace, mcp.ModeText

	for _, c := range []struct {
		name   string
		mode   mcp.Mode
		in     string
		want   string // empty: as it was
		reason string
	}{
		{"text only", replace, `{"content":[` + text(rows) + `]}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"text only, mode text", textMode, `{"content":[` + text(rows) + `]}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"pretty text", replace, `{"content":[` + text(pretty(t, rows)) + `]}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"space around", replace, ` {"content":[` + text(" \n"+rows+"\t") + `]} `, ` {"content":[` + made(gcx) + `]} `, mcp.ReasonConverted},
		{"both equal", replace, `{"content":[` + text(wrapped) + `],"structuredContent":` + wrapped + `}`, `{"content":[` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"both equal, mode text", textMode, `{"content":[` + text(wrapped) + `],"structuredContent":` + wrapped + `}`,
			`{"content":[` + made(gcxWrapped) + `],"structuredContent":` + wrapped + `}`, mcp.ReasonConverted},
		{"structured first", replace, `{"structuredContent" : ` + wrapped + ` , "content" : [` + text(wrapped) + `] , "x":1}`,
			`{"content" : [` + made(gcxWrapped) + `] , "x":1}`, mcp.ReasonConverted},
		{"structured in between", replace, `{"a":1.0, "structuredContent":` + wrapped + ` ,"content":[` + text(wrapped) + `]}`,
			`{"a":1.0 ,"content":[` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"structured alone", replace, `{"structuredContent":` + wrapped + `}`, `{"content":[` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"structured alone, among others", replace, `{"a":1, "structuredContent":` + wrapped + `,"b":2}`, `{"a":1, "content":[` + made(gcxWrapped) + `],"b":2}`, mcp.ReasonConverted},
		{"structured alone, an array", replace, `{"structuredContent":` + rows + `}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"structured alone, mode text", textMode, `{"structuredContent":` + wrapped + `}`, ``, "not-json"},
		{"empty content", replace, `{"content":[ ],"structuredContent":` + wrapped + `}`, `{"content":[` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"empty text", replace, `{"content":[` + text("") + `],"structuredContent":` + wrapped + `}`,
			`{"content":[` + text("") + `,` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"prose beside", replace, `{"content":[` + text("5 rows") + `],"structuredContent":` + wrapped + `}`,
			`{"content":[` + text("5 rows") + `,` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"long prose beside", replace, `{"content":[` + text(long) + `],"structuredContent":` + wrapped + `}`, ``, "no-gain"},
		{"both different", replace, `{"content":[` + text(strings.Replace(rows, "5", "6", 1)) + `],"structuredContent":` + wrapped + `}`, ``, "no-gain"},
		{"a digit lost in structured", replace, `{"content":[` + text(wrapped) + `],"structuredContent":` + strings.Replace(wrapped, "67890,", "68000,", 1) + `}`, ``, "no-gain"},
		{"text quoted in structured", replace, `{"content":[` + text(rows) + `],"structuredContent":{"content":` + q(rows) + `}}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"prose quoted in structured", replace, `{"content":[` + text(long) + `],"structuredContent":{"content":` + q(long) + `}}`, `{"content":[` + text(long) + `]}`, mcp.ReasonConverted},
		{"text wrapped in structured", replace, `{"content":[` + text(rows) + `],"structuredContent":{"result":` + rows + `}}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"a block for each element", replace, `{"content":[` + listed(t, rows) + `],"structuredContent":{"result":` + rows + `}}`,
			`{"content":[` + made(encoded(t, "gcx", `{"result":`+rows+`}`)) + `]}`, mcp.ReasonConverted},
		{"several texts", replace, `{"content":[` + text(rows) + `,` + text("and") + `, ` + text(wrapped) + `]}`,
			`{"content":[` + made(gcx) + `,` + text("and") + `, ` + made(gcxWrapped) + `]}`, mcp.ReasonConverted},
		{"image beside text", replace, `{"content":[` + image + `,` + text(rows) + `]}`, `{"content":[` + image + `,` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"image beside structured", replace, `{"content":[` + image + `],"structuredContent":` + wrapped + `}`, ``, "mixed"},
		{"audio, links and resources", replace, `{"content":[{"type":"audio","data":"aGk=","mimeType":"audio/wav"},{"type":"resource_link","uri":"x:y","name":"n"},` +
			`{"type":"resource","resource":{"uri":"x:y","text":` + q(rows) + `}}]}`, ``, "not-json"},
		{"annotations and meta kept", replace, `{"content":[{"annotations":{"priority":0.50},"type":"text","_meta":{"a/b": 1 },"text":` + q(rows) + `,"more":[1 ,2]}],"_meta":{"x":-0}}`,
			`{"content":[{"annotations":{"priority":0.50},"type":"text","_meta":{"a/b": 1,"dev.wirekit/format":"gcx" },"text":` + q(gcx) + `,"more":[1 ,2]}],"_meta":{"x":-0}}`, mcp.ReasonConverted},
		{"empty meta", replace, `{"content":[{"type":"text","text":` + q(rows) + `,"_meta":{}}]}`, `{"content":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"meta of another kind", replace, `{"content":[{"type":"text","text":` + q(rows) + `,"_meta":7}]}`, ``, "not-json"},
		{"for the user", replace, `{"content":[{"type":"text","text":` + q(rows) + `,"annotations":{"audience":["user"]}}]}`, ``, "not-json"},
		{"for both", replace, `{"content":[{"annotations":{"audience":["user","assistant"]},"type":"text","text":` + q(rows) + `}]}`,
			`{"content":[{"annotations":{"audience":["user","assistant"]},"type":"text","text":` + q(gcx) + `,"_meta":{"dev.wirekit/format":"gcx"}}]}`, mcp.ReasonConverted},
		{"unknown members kept", replace, `{"ttl":1.50e1,"content":[` + text(rows) + `],"html":"<&>\u003c","resultType":"complete","isError":false}`,
			`{"ttl":1.50e1,"content":[` + made(gcx) + `],"html":"<&>\u003c","resultType":"complete","isError":false}`, mcp.ReasonConverted},
		{"escaped keys", replace, `{"cont\u0065nt":[` + text(rows) + `]}`, `{"cont\u0065nt":[` + made(gcx) + `]}`, mcp.ReasonConverted},
		{"an error", replace, `{"content":[` + text(rows) + `],"isError":true}`, ``, "not-ready"},
		{"a doubtful error", replace, `{"content":[` + text(rows) + `],"isError":"no"}`, ``, "not-ready"},
		{"input required", replace, `{"content":[` + text(rows) + `],"resultType":"input_required","requestState":"x"}`, ``, "not-ready"},
		{"prose", replace, `{"content":[` + text(long) + `]}`, ``, "not-json"},
		{"a scalar", replace, `{"content":[` + text(q(long)) + `]}`, ``, "not-json"},
		{"a scalar in structured", replace, `{"content":[],"structuredContent":` + q(long) + `}`, ``, "not-json"},
		{"not quite JSON", replace, `{"content":[` + text(rows[:len(rows)-1]) + `]}`, ``, "not-json"},
		{"JSON Lines", replace, `{"content":[` + text("{\"a\":1}\n{\"a\":2}\n") + `]}`, ``, "not-json"},
		{"fenced", replace, `{"content":[` + text("```json\n"+rows+"\n```") + `]}`, ``, "not-json"},
		{"a byte order mark", replace, `{"content":[` + text("\ufeff"+rows) + `]}`, ``, "not-json"},
		{"a key twice in the text", replace, `{"content":[` + text(`[{"a":1,"a":2},`+rows+`]`) + `]}`, ``, "not-json"},
		{"a key twice", replace, `{"content":[` + text(rows) + `],"content":[]}`, ``, "not-json"},
		{"a key twice further in", replace, `{"content":[` + text(rows) + `],"x":{"a":1,"a":2}}`, ``, "not-json"},
		{"invalid UTF-8", replace, "{\"content\":[" + text(rows) + "],\"x\":\"\xff\"}", ``, "not-json"},
		{"half a surrogate", replace, `{"content":[{"type":"text","text":"[\"\\ud800\"]"}]}`, ``, "not-json"},
		{"no result", replace, ``, ``, "not-json"},
		{"null", replace, `null`, ``, "not-json"},
		{"an array", replace, `[` + rows + `]`, ``, "not-json"},
		{"content of another kind", replace, `{"content":{"type":"text","text":` + q(rows) + `}}`, ``, "not-json"},
		{"a block of another kind", replace, `{"content":["x"]}`, ``, "not-json"},
		{"broken envelope", replace, `{"content":[` + text(rows) + `]`, ``, "not-json"},
		{"nothing to gain", replace, `{"content":[` + text(`["a","b","c","d"]`) + `]}`, ``, "no-gain"},
		{"empty object", replace, `{"content":[` + text(`{}`) + `],"structuredContent":{}}`, ``, "no-gain"},
		{"rewritten already", replace, `{"content":[` + made(gcx) + `]}`, ``, "kept"},
		{"rewritten already, structured kept", replace, `{"content":[` + made(gcxWrapped) + `],"structuredContent":` + wrapped + `}`, ``, "kept"},
		{"to be kept as it is", replace, `{"_meta":{"dev.wirekit/format":"json"},"content":[` + text(rows) + `],"structuredContent":` + wrapped + `}`, ``, "kept"},
		{"the header of a format", replace, `{"content":[` + text(gcx) + `]}`, ``, "not-json"},
		{"off", mcp.ModeOff, `{"content":[` + text(rows) + `]}`, ``, "off"},
		{"dry run", mcp.ModeDryRun, `{"content":[` + text(wrapped) + `],"structuredContent":` + wrapped + `}`, ``, mcp.ReasonConverted},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen mcp.Event
			r := &mcp.Rewriter{Mode: c.mode, Formats: []string{"gcx"}, MinTokens: -1, Observe: func(e mcp.Event) { seen = e }}
			out, e := r.RewriteResult(mcp.Call{Tool: "t"}, []byte(c.in))
			require.Equal(t, e, seen)
			require.Equal(t, c.reason, e.Reason, e.Error)
			want := c.want
			if want == "" {
				want = c.in
			}
			require.Equal(t, want, string(out))
			require.Equal(t, len(c.in), e.BytesIn)
			require.Equal(t, len(out), e.BytesOut)
			if e.Reason == mcp.ReasonConverted {
				require.Less(t, e.TokensOut, e.TokensIn)
			} else {
				require.Equal(t, e.TokensOut, e.TokensIn)
			}
			again, _ := r.RewriteResult(mcp.Call{Tool: "t"}, out)
			require.Equal(t, string(out), string(again), "a second time")
		})
	}
}

// TestBesideText: images, sounds, resources and links to them are treated alike.
func TestBesideText(t *testing.T) {
	gcx, wrapped := encoded(t, "gcx", rows), `{"items":`+rows+`}`
	for _, other := range []string{
		`{"type":"image","data":"aGk=","mimeType":"image/png"}`, `{"type":"audio","data":"aGk=","mimeType":"audio/wav"}`, `{"type":"resource_link","uri":"x:y","name":"n"}`,
		`{"type":"resource","resource":{"uri":"x:y","text":` + q(rows) + `}}`, `{"type":"resource","resource":{"uri":"x:y","blob":"aGk="}}`, `{"type":"new kind"}`,
	} {
		for _, c := range []struct {
			mode           mcp.Mode
			in, structured string
			reason         string
		}{
			{mcp.ModeReplace, rows, ``, mcp.ReasonConverted},
			{mcp.ModeText, rows, ``, mcp.ReasonConverted},
			{mcp.ModeText, rows, `,"structuredContent":` + wrapped, mcp.ReasonConverted},
			{mcp.ModeReplace, rows, `,"structuredContent":{"result":` + rows + `}`, "mixed"},
			{mcp.ModeReplace, wrapped, `,"structuredContent":` + wrapped, "mixed"},
			{mcp.ModeReplace, "prose", `,"structuredContent":` + wrapped, "mixed"},
		} {
			for _, order := range []string{"%," + other, other + ",%"} {
				result := func(block string) string {
					return `{"content":[` + strings.Replace(order, "%", block, 1) + `]` + c.structured + `}`
				}
				in := result(`{"type":"text","text":` + q(c.in) + `}`)
				want := in
				if c.reason == mcp.ReasonConverted {
					want = result(`{"type":"text","text":` + q(gcx) + `,"_meta":{"dev.wirekit/format":"gcx"}}`)
				}
				r := &mcp.Rewriter{Mode: c.mode, Formats: []string{"gcx"}, MinTokens: -1}
				out, e := r.RewriteResult(mcp.Call{Tool: "t"}, []byte(in))
				require.Equal(t, c.reason, e.Reason, in)
				require.Equal(t, want, string(out))
			}
		}
	}
}

// listed returns a text block for each element of an array.
func listed(t *testing.T, array string) string {
	v := codectest.JSON(t, array)
	var blocks []string
	for e := range v.Elements() {
		blocks = append(blocks, `{"type":"text","text":`+q(pretty(t, string(wire.AppendJSON(nil, e))))+`}`)
	}
	return strings.Join(blocks, ",")
}

// TestSpelling: a format that would spell numbers otherwise is not a candidate.
func TestSpelling(t *testing.T) {
	for number, want := range map[string]string{"1.10": "json", "-0": "json", "2e3": "json", "1.5": "toon"} {
		in := pretty(t, "["+strings.Repeat(`{"a":`+number+`,"b":"x"},`, 30)+"{}]")
		in = strings.Replace(in, ",\n  {}", "", 1)
		r := &mcp.Rewriter{Formats: []string{"toon"}, MinTokens: -1}
		out, e := r.RewriteResult(mcp.Call{}, result(in))
		require.Equal(t, mcp.ReasonConverted, e.Reason)
		require.Equal(t, want, e.Format, number)
		require.Contains(t, decodedText(t, out), `{"a":`+number+`,"b":"x"},`)
	}
}

// TestCompactJSON: of a pretty text that no format saves anything of, compact
// JSON is taken.
func TestCompactJSON(t *testing.T) {
	in := pretty(t, `{"a":{"b":{"c":["one","two","three"]}},"d":null}`)
	r := &mcp.Rewriter{MinTokens: -1, Formats: []string{"json"}}
	out, e := r.RewriteResult(mcp.Call{}, []byte(`{"content":[{"type":"text","text":`+q(in)+`}]}`))
	require.Equal(t, mcp.ReasonConverted, e.Reason)
	require.Equal(t, `{"content":[{"type":"text","text":"{\"a\":{\"b\":{\"c\":[\"one\",\"two\",\"three\"]}},\"d\":null}","_meta":{"dev.wirekit/format":"json"}}]}`, string(out))
}

func result(text string) []byte {
	return []byte(`{"content":[{"type":"text","text":` + q(text) + `}]}`)
}

func TestThresholds(t *testing.T) {
	in := result(rows)
	reason := func(r mcp.Rewriter) string {
		out, e := r.RewriteResult(mcp.Call{Tool: "t"}, in)
		if e.Reason != mcp.ReasonConverted {
			require.Equal(t, &in[0], &out[0], "the same bytes")
		}
		return e.Reason
	}
	n, err := tokens.Default().Count([]byte(rows))
	require.NoError(t, err)
	require.Equal(t, mcp.ReasonConverted, reason(mcp.Rewriter{MinTokens: n}))
	require.Equal(t, "small", reason(mcp.Rewriter{MinTokens: n + 1}))
	require.Equal(t, "no-gain", reason(mcp.Rewriter{MinTokens: -1, MinSaving: 0.9}))
	require.Equal(t, "too-large", reason(mcp.Rewriter{MaxBytes: len(in) - 1}))
	require.Equal(t, mcp.ReasonConverted, reason(mcp.Rewriter{MaxBytes: len(in), MinTokens: -1}))
	steps := 2 * len(rows) // of one format and JSON
	require.Equal(t, "too-large", reason(mcp.Rewriter{MinTokens: -1, Formats: []string{"gcx"}, MaxSteps: steps - 1}))
	require.Equal(t, mcp.ReasonConverted, reason(mcp.Rewriter{MinTokens: -1, Formats: []string{"gcx"}, MaxSteps: steps}))
	require.Equal(t, "too-large", reason(mcp.Rewriter{MinTokens: -1, MaxSteps: 5*len(rows) - 1, Rules: []mcp.Rule{{Tool: "*", Fold: true}}}))
	require.Equal(t, mcp.ReasonConverted, reason(mcp.Rewriter{MinTokens: -1, MaxSteps: 5 * len(rows), Rules: []mcp.Rule{{Tool: "*", Fold: true}}}), "without folding")
	require.Equal(t, mcp.ReasonConverted, reason(mcp.Rewriter{MinTokens: -1, MaxSteps: -1, Rules: []mcp.Rule{{Tool: "*", Fold: true}}}))
	require.Equal(t, "failed", reason(mcp.Rewriter{MinTokens: -1, Counter: counter{err: errors.New("no")}}))
	require.Equal(t, "failed", reason(mcp.Rewriter{MinTokens: -1, Counter: counter{}}), "a panic")
	require.Equal(t, "failed", reason(mcp.Rewriter{MinTokens: -1, Formats: []string{"nosuch"}}))
}

// counter fails, or panics if it has nothing to fail with.
type counter struct{ err error }

func (c counter) Name() string { return "broken" }
func (c counter) Exact() bool  { return false }
func (c counter) Count([]byte) (int, error) {
	if c.err == nil {
		panic("broken")
	}
	return 0, c.err
}

func TestRules(t *testing.T) {
	rule := func(text string) mcp.Rule {
		r, err := mcp.ParseRule(text)
		require.NoError(t, err)
		return r
	}
	r := &mcp.Rewriter{MinTokens: -1, Rules: []mcp.Rule{
		rule("read_*=off"), rule("search?=gcx"), rule("list=gcx,text,omit:ratio,omit:**/name"), rule("kept=gcx,keep:id"), rule("*=glyph"),
	}}
	require.NoError(t, r.Validate())
	for tool, want := range map[string]string{"read_file": "", "read_": "", "search1": "gcx", "search": "glyph", "list": "gcx", "": "glyph"} {
		_, e := r.RewriteResult(mcp.Call{Tool: tool}, result(rows))
		require.Equal(t, want, e.Format, tool)
	}
	out, e := r.RewriteResult(mcp.Call{Tool: "list"}, result(rows))
	require.Equal(t, 10, e.Omitted)
	require.Equal(t, `[{"id":12345678901234567890,"zero":-0},{"id":2,"zero":0},{"id":3,"zero":0},{"id":4,"zero":0},{"id":5,"zero":0}]`, decodedText(t, out))
	out, e = r.RewriteResult(mcp.Call{Tool: "kept"}, result(rows))
	require.Equal(t, 15, e.Omitted)
	require.Equal(t, `[{"id":12345678901234567890},{"id":2},{"id":3},{"id":4},{"id":5}]`, decodedText(t, out))

	for text, want := range map[string]string{
		"x": "not TOOL=WORDS", "=off": "not TOOL=WORDS", "x=": "not TOOL=WORDS", "x=nosuch": `"nosuch"`, "x=bcp": "binary",
		"x=off,text": "two modes", "x=omit:": "empty key", "x=keep:a//b": "empty key",
	} {
		_, err := mcp.ParseRule(text)
		require.ErrorContains(t, err, want, text)
	}
	require.Error(t, (&mcp.Rewriter{Formats: []string{"x"}}).Validate())
	require.Error(t, (&mcp.Rewriter{MinSaving: 1}).Validate())
	require.Error(t, (&mcp.Rewriter{Mode: 99}).Validate())
}

// decodedText returns the data of a result's only block as compact JSON.
func decodedText(t testing.TB, result []byte) string {
	t.Helper()
	v := codectest.JSON(t, result)
	list, _ := v.Get("content")
	text, _ := list.Index(0).Get("text")
	meta, _ := list.Index(0).Get("_meta")
	name, _ := meta.Get(mcp.MetaKey)
	codec, err := wirekit.Lookup(name.Text())
	require.NoError(t, err)
	data := codectest.Decoded(t, codec, text.Text())
	return string(wire.AppendJSON(nil, data))
}

func TestPaths(t *testing.T) {
	const in = `{"a":1,"b":{"a":2,"c":{"a":3,"d_url":4}},"e":[{"a":5,"f":{"a":6}},[{"a":7}]],"x_url":8}`
	for words, want := range map[string]string{
		"omit:a":            `{"b":{"a":2,"c":{"a":3,"d_url":4}},"e":[{"a":5,"f":{"a":6}},[{"a":7}]],"x_url":8}`,
		"omit:**/a":         `{"b":{"c":{"d_url":4}},"e":[{"f":{}},[{}]],"x_url":8}`,
		"omit:**/*_url":     `{"a":1,"b":{"a":2,"c":{"a":3}},"e":[{"a":5,"f":{"a":6}},[{"a":7}]]}`,
		"omit:e/a":          `{"a":1,"b":{"a":2,"c":{"a":3,"d_url":4}},"e":[{"f":{"a":6}},[{}]],"x_url":8}`,
		"omit:*/a":          `{"a":1,"b":{"c":{"a":3,"d_url":4}},"e":[{"f":{"a":6}},[{}]],"x_url":8}`,
		"omit:b/**":         `{"a":1,"b":{},"e":[{"a":5,"f":{"a":6}},[{"a":7}]],"x_url":8}`,
		"omit:b/**/a":       `{"a":1,"b":{"c":{"d_url":4}},"e":[{"a":5,"f":{"a":6}},[{"a":7}]],"x_url":8}`,
		"keep:b/c":          `{"b":{"c":{"a":3,"d_url":4}}}`,
		"keep:a,keep:e/f":   `{"a":1,"e":[{"f":{"a":6}},[{}]]}`,
		"keep:b,omit:b/c/a": `{"b":{"a":2,"c":{"d_url":4}}}`,
	} {
		t.Run(words, func(t *testing.T) {
			rule, err := mcp.ParseRule("t=json," + words)
			require.NoError(t, err)
			r := &mcp.Rewriter{MinTokens: -1, MinSaving: -1, Rules: []mcp.Rule{rule}}
			out, e := r.RewriteResult(mcp.Call{Tool: "t"}, result(in))
			require.Equal(t, mcp.ReasonConverted, e.Reason)
			require.Equal(t, want, decodedText(t, out))
		})
	}
}

func TestFold(t *testing.T) {
	var list []string
	for i := range 60 {
		list = append(list, `{"type":"User","url":"https://api.example.org/v1/users/someone/`+strings.Repeat("x", i%7)+`","node":`+q(strings.Repeat("y", i%5))+`}`)
	}
	in := "[" + strings.Join(list, ",") + "]"
	rule, err := mcp.ParseRule("t=gcf,fold")
	require.NoError(t, err)
	out, e := (&mcp.Rewriter{Rules: []mcp.Rule{rule}}).RewriteResult(mcp.Call{Tool: "t"}, result(in))
	require.Equal(t, mcp.ReasonConverted, e.Reason)
	require.Contains(t, e.Format, "+fold")
	want := codectest.JSON(t, in)
	have := codectest.JSON(t, decodedText(t, out))
	require.True(t, wire.Equal(want, have))
}

func TestWishes(t *testing.T) {
	r := &mcp.Rewriter{MinTokens: -1}
	for wish, want := range map[string]string{"json": "", "nosuch": "", "bcp": "", "gcx": "gcx", "toon": "json", "glyph:canonical": "json"} {
		_, e := r.RewriteResult(mcp.Call{Format: wish}, result(pretty(t, rows)))
		if want == "json" {
			require.Equal(t, mcp.ReasonConverted, e.Reason, wish)
			continue
		}
		require.Equal(t, want, e.Format, wish)
	}
	auto, _ := r.RewriteResult(mcp.Call{Format: "auto"}, result(rows))
	none, _ := r.RewriteResult(mcp.Call{}, result(rows))
	require.Equal(t, string(none), string(auto))
}

func TestTools(t *testing.T) {
	rules := []mcp.Rule{{Tool: "kept", Mode: mcp.ModeText}}
	const schema = `"inputSchema":{"type":"object","properties":{"a":{"x-mcp-header":"A","const":1.0}}}`
	for in, want := range map[string]string{
		`{"tools":[{"name":"a",` + schema + `,"outputSchema":{"type":"object"}},{"name":"kept","outputSchema":{} }], "nextCursor":"x"}`: `{"tools":[{"name":"a",` + schema + `},{"name":"kept","outputSchema":{} }], "nextCursor":"x"}`,
		`{"tools":[{"outputSchema":{"a":[1]} , "name":"a","x":1}]}`:                                                                     `{"tools":[{"name":"a","x":1}]}`,
		`{"tools":[{"name":"a"}]}`:          "",
		`{"tools":[]}`:                      "",
		`{"tools":{}}`:                      "",
		`{"tools":[7,{"outputSchema":{}}]}`: "",
		`{"tools":[{"name":"a","name":"b","outputSchema":{}}]}`: "",
		`{"tools":[{"name":"a","outputSchema":{}]}`:             "",
		`{"tools":[{"name":7,"outputSchema":{}}]}`:              "",
		``: "",
	} {
		if want == "" {
			want = in
		}
		r := &mcp.Rewriter{Rules: rules}
		out := r.RewriteTools(mcp.Call{}, []byte(in))
		require.Equal(t, want, string(out))
		require.Equal(t, want, string(r.RewriteTools(mcp.Call{}, out)))
		for _, mode := range []mcp.Mode{mcp.ModeText, mcp.ModeDryRun, mcp.ModeOff} {
			require.Equal(t, in, string((&mcp.Rewriter{Mode: mode}).RewriteTools(mcp.Call{}, []byte(in))))
		}
	}
}

func TestDiscover(t *testing.T) {
	r := &mcp.Rewriter{Instructions: "Tables \"are\" tables."}
	for in, want := range map[string]string{
		`{"protocolVersion":"2025-11-25","capabilities":{}, "instructions":"Be nice." }`: `{"protocolVersion":"2025-11-25","capabilities":{}, "instructions":"Be nice.\n\nTables \"are\" tables." }`,
		`{"supportedVersions":["2026-07-28"] }`:                                          `{"supportedVersions":["2026-07-28"],"instructions":"Tables \"are\" tables." }`,
		`{}`:                                                                             `{}`,
		`{"protocolVersion":"x","instructions":7}`:                                       `{"protocolVersion":"x","instructions":7}`,
		`[`: `[`,
	} {
		out := r.RewriteInitialize([]byte(in))
		require.Equal(t, want, string(out))
		require.Equal(t, want, string(r.RewriteInitialize(out)), "once")
		require.Equal(t, in, string((&mcp.Rewriter{}).RewriteInitialize([]byte(in))))
	}
}

// TestSameAtAnyLoad: what a result becomes depends on no clock. While other
// goroutines keep the processors busy, on one processor and on many, it is the same.
func TestSameAtAnyLoad(t *testing.T) {
	var stop atomic.Bool
	var busy sync.WaitGroup
	defer busy.Wait()
	defer stop.Store(true)
	r := &mcp.Rewriter{}
	big := result("[" + strings.Repeat(rows[1:len(rows)-1]+",", 1000) + "{}]")
	want, e := r.RewriteResult(mcp.Call{}, big)
	require.Equal(t, mcp.ReasonConverted, e.Reason)
	for range 2 {
		busy.Go(func() {
			for !stop.Load() {
			}
		})
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{1, 4} {
		runtime.GOMAXPROCS(n)
		have, e := r.RewriteResult(mcp.Call{}, big)
		require.Equal(t, mcp.ReasonConverted, e.Reason)
		require.True(t, bytes.Equal(want, have), "on %d processors", n)
	}
}

func BenchmarkResult(b *testing.B) {
	for name, n := range map[string]int{"2KB": 4, "10KB": 24, "80KB": 200, "1MB": 2500} {
		in := result("[" + strings.Repeat(rows[1:len(rows)-1]+",", n) + rows[1:])
		b.Run(name, func(b *testing.B) {
			r := &mcp.Rewriter{}
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				r.RewriteResult(mcp.Call{}, in)
			}
		})
	}
}

// TestObservePanics: the result is there by then, and is not lost with what
// observes it.
func TestObservePanics(t *testing.T) {
	raw := []byte(`{"content":[{"type":"text","text":"[]"}]}`)
	r := &mcp.Rewriter{Observe: func(mcp.Event) { panic("observe") }}
	out, _ := r.RewriteResult(mcp.Call{Tool: "t"}, raw)
	require.Equal(t, string(raw), string(out))
}

// TestText: a text outside of the protocol follows the rules, and is counted only where
// it is long enough to matter.
func TestText(t *testing.T) {
	rows := "[" + strings.Repeat(`{"id":1,"name":"some row"},`, 60) + `{"id":1,"name":"some row"}]`
	count := &calls{Counter: tokens.Default()}
	r := &mcp.Rewriter{Counter: count, Rules: []mcp.Rule{{Tool: "read", Mode: mcp.ModeOff}, {Tool: "dry", Mode: mcp.ModeDryRun}}}
	for _, c := range []struct {
		tool, text string
		codec      wire.Codec
		reason     string
		counted    bool
	}{
		{"list", rows, nil, mcp.ReasonConverted, true},
		{"dry", rows, nil, mcp.ReasonConverted, true},
		{"read", rows, nil, "off", false},
		{"list", rows[:199], nil, "small", false},
		{"list", rows[1:], nil, "not-json", false},
		{"list", strings.Repeat("- id: 1\n  name: some row\n", 60), yaml.Codec{}, mcp.ReasonConverted, true},
		{"list", strings.Repeat("a: 1\n", 60), yaml.Codec{}, "not-json", false},
	} {
		count.n.Store(0)
		out, e := r.RewriteText(mcp.Call{Tool: c.tool}, c.text, c.codec)
		require.Equal(t, c.reason, e.Reason)
		require.Equal(t, c.counted, count.n.Load() > 0)
		require.Equal(t, c.tool == "list" && c.reason == mcp.ReasonConverted, out != c.text)
		if out != c.text {
			back, err := wirekit.Convert([]byte(out), e.Format, "json")
			require.NoError(t, err)
			want := []byte(c.text)
			if c.codec != nil {
				want, err = wirekit.Convert(want, "yaml", "json")
				require.NoError(t, err)
			}
			require.Equal(t, string(want), string(back))
		}
	}
}

// calls counts how often it is asked.
type calls struct {
	tokens.Counter
	n atomic.Int64
}

func (c *calls) Count(text []byte) (int, error) { c.n.Add(1); return c.Counter.Count(text) }
