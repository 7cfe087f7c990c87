package yaml

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
	"go.yaml.in/yaml/v4"
)

// vectors are values in both directions.
var vectors = []struct{ name, json, text string }{
	{"null", `null`, "null\n"},
	{"scalars", `[1,-0.50,1.0e+400,true,false,null,"x"]`, "- 1\n- -0.50\n- 1.0e+400\n- true\n- false\n- null\n- x\n"},
	{"long numbers", `[12345678901234567890,0.1000000000000000000001,-0,1.0E+5]`, "- 12345678901234567890\n- 0.1000000000000000000001\n- -0\n- 1.0E+5\n"},
	{"empty", `{"a":{},"b":[],"c":""}`, "a: {}\nb: []\nc: \"\"\n"},
	{"empty alone", `[]`, "[]\n"},
	{"nested", `{"a":{"b":[1,{"c":2,"d":[[3],[]]}]},"e":[{"f":{"g":1}}]}`,
		"a:\n  b:\n    - 1\n    - c: 2\n      d:\n        - - 3\n        - []\ne:\n  - f:\n      g: 1\n"},
	{"strings like scalars", `["1","true","null","~","yes","NO","on","-1.5","0x1F","1_000","1:20","2026-01-09",".5",".inf","<<","=","y","+1",""]`,
		"- \"1\"\n- \"true\"\n- \"null\"\n- \"~\"\n- \"yes\"\n- \"NO\"\n- \"on\"\n- \"-1.5\"\n- \"0x1F\"\n- \"1_000\"\n- \"1:20\"\n- \"2026-01-09\"\n- \".5\"\n- \".inf\"\n- \"<<\"\n- \"=\"\n- \"y\"\n- \"+1\"\n- \"\"\n"},
	{"indicators", `["- a","-a","? a","a: b","a:b","a #b","a#b","#a","&a","*a","!a","|","> a","'a'","\"a\"","%a","@a","` + "`a" + `","a:","a,b","[a","{a","a]"," a","a ","---","--","..."]`,
		"- \"- a\"\n- -a\n- \"? a\"\n- \"a: b\"\n- a:b\n- \"a #b\"\n- a#b\n- \"#a\"\n- \"&a\"\n- \"*a\"\n- \"!a\"\n- \"|\"\n- \"> a\"\n- \"'a'\"\n- \"\\\"a\\\"\"\n- \"%a\"\n- \"@a\"\n- \"`a\"\n- \"a:\"\n- \"a,b\"\n- \"[a\"\n- \"{a\"\n- \"a]\"\n- \" a\"\n- \"a \"\n- \"---\"\n- --\n- \"...\"\n"},
	{"several lines", `{"a":"x\ny\n","b":"x\n\n  y","c":["p: 1\nq: 2\n"],"d":"\nx","e":"x\n","f":"x\ny\n\n"," g":"x\n \ny"}`,
		"a: |\n  x\n  y\nb: |-\n  x\n\n    y\nc:\n  - |\n    p: 1\n    q: 2\nd: \"\\nx\"\ne: \"x\\n\"\nf: \"x\\ny\\n\\n\"\n\" g\": \"x\\n \\ny\"\n"},
	{"escapes", `["\u0000\u0007\u007f\u0085\u00a0\u2028\ufeff\t\\"]`, "- \"\\u0000\\u0007\\u007f\\u0085\\u00a0\\u2028\\ufeff\\t\\\\\"\n"},
	{"Unicode", `{"größe":"日本","🙂":"é"}`, "größe: 日本\n🙂: é\n"},
	{"keys", `{"1":1,"true":2,"a: b":3,"":4,"<<":5}`, "\"1\": 1\n\"true\": 2\n\"a: b\": 3\n\"\": 4\n\"<<\": 5\n"},
}

func TestVectors(t *testing.T) {
	for _, c := range vectors {
		t.Run(c.name, func(t *testing.T) {
			v := parse(t, c.json)
			text, err := Codec{}.AppendEncode([]byte("x"), v)
			require.NoError(t, err)
			require.Equal(t, "x"+c.text, string(text))
			got := codectest.Decoded(t, Codec{}, c.text)
			require.True(t, wire.Identical(v, got), "%v", got)
			requireRecords(t, c.text)
		})
	}
}

var parse = codectest.JSON[string]

// foreign are texts that the encoder does not write.
var foreign = []struct{ name, text, json string }{
	{"nothing", "", `null`},
	{"comments", "# a\na: 1 # b\n# c\n", `{"a":1}`},
	{"texts with digits and points", "- 1..3\n- 1..\n- ..5\n- 1.2.3\n- +.\n", `["1..3","1..","..5","1.2.3","+."]`},
	{"core schema", "- Null\n- ~\n-\n- True\n- FALSE\n- 0x1F\n- 0o17\n- 007\n- +1\n- .5\n- 1.\n- -.5e3\n- +00.10\n- 1e3\n- 0xFFFFFFFFFFFFFFFFFFFF\n",
		`[null,null,null,true,false,31,15,7,1,0.5,1,-0.5e3,0.10,1e3,1208925819614629174706175]`},
	{"strings of the core schema", "- yes\n- NO\n- 1_000\n- 1:20\n- 2026-01-09\n- 0b11\n- 0o8\n- 0x\n- 1e\n- '1'\n- + 1\n- tRue\n- 1 2\n",
		`["yes","NO","1_000","1:20","2026-01-09","0b11","0o8","0x","1e","1","+ 1","tRue","1 2"]`},
	{"flow", "{a: [1, two, {b: ~}], \"c\":3}", `{"a":[1,"two",{"b":null}],"c":3}`},
	{"JSON", "{\"a\": [1, \"\\u00e9\\n\"]}", `{"a":[1,"é\n"]}`},
	{"blocks", "a: |\n  x\n  y\nb: >\n  x\n  y\nc: |+\n  x\n\nd: 'it''s'\n", `{"a":"x\ny\n","b":"x y\n","c":"x\n\n","d":"it's"}`},
	{"anchors", "a: &x [1, &y {b: 2}]\nc: *x\nd: *y\n", `{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":{"b":2}}`},
	{"merges", "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz:\n  <<: [*x, *y]\n  d: 5\n  a: 0\n", `{"x":{"a":1,"b":2},"y":{"b":3,"c":4},"z":{"d":5,"a":0,"b":2,"c":4}}`},
	{"no merge", "\"<<\": 1\n", `{"<<":1}`},
	{"tags", "- !!str 1\n- !!int \"2\"\n- !!float 3\n- !!bool \"true\"\n- !!null \"\"\n- !!seq []\n- !!map {}\n", `["1",2,3,true,null,[],{}]`},
	{"keys that are scalars", "1: a\ntrue: b\n~: c\n2026-01-09: d\n", `{"1":"a","true":"b","~":"c","2026-01-09":"d"}`},
	{"a key that is an alias", "a: &x b\n*x : 1\n", `{"a":"b","b":1}`},
	{"a text with a directive in it", "--- |\n  a\n\n  %YAML 1.2\n", `"a\n\n%YAML 1.2\n"`},
	{"a marked document", "%YAML 1.2\n---\na: 1\n...\n", `{"a":1}`},
	{"Windows", "a: 1\r\nb:\r\n  - x\r\n", `{"a":1,"b":["x"]}`},
	{"byte order mark", "\ufeffa: 1\n", `{"a":1}`},
}

func TestForeign(t *testing.T) {
	for _, c := range foreign {
		t.Run(c.name, func(t *testing.T) {
			got := codectest.Decoded(t, Codec{}, c.text)
			require.Equal(t, c.json, string(wire.AppendJSON(nil, got)))
			if c.text != "" {
				requireRecords(t, c.text)
			}
		})
	}
	got := codectest.Decoded(t, Codec{}, "!!binary aGVs\n")
	require.Equal(t, wire.KindBytes, got.Kind())
	require.Equal(t, "hel", string(got.Bytes()))
}

var malformed = []struct {
	name, text, code string
	kind             error
	line             int
	path             string
}{
	{"a key twice", "a: 1\nb: 2\na: 3\n", "duplicate_key", wire.ErrDuplicateKey, 3, ""},
	{"a key that is a list", "? [1]\n: 2\n", "key_is_no_scalar", wire.ErrShape, 1, ""},
	{"infinity", "a:\n  - .inf\n", "not_finite", wire.ErrRange, 2, "/a/0"},
	{"no number", "- .nan\n", "not_finite", wire.ErrRange, 1, "/0"},
	{"an unknown tag", "a: !Ref b\n", "unknown_tag", wire.ErrShape, 1, "/a"},
	{"a tag that does not fit", "a: !!int x\n", "bad_scalar", wire.ErrSyntax, 1, "/a"},
	{"no base64", "a: !!binary '?'\n", "bad_scalar", wire.ErrSyntax, 1, "/a"},
	{"an unknown anchor", "a: *b\n", "unknown_anchor", wire.ErrSyntax, 1, ""},
	{"an unknown anchor behind what looks like it", "# *b\na: '*b'\nc: [1, *b]\nd: &b 1\n", "unknown_anchor", wire.ErrSyntax, 3, ""},
	{"an anchor of another document", "---\na: &b 1\nc: *b\n---\nd: 1\ne: *b\n", "several_documents", wire.ErrShape, 4, ""},
	{"an endless alias", "a: &x\n  b: *x\n", "endless_alias", wire.ErrShape, 2, "/a/b"},
	{"a bad merge", "a:\n  <<: 1\n", "bad_merge", wire.ErrShape, 2, "/a"},
	{"two documents", "a: 1\n---\nb: 2\n", "several_documents", wire.ErrShape, 2, ""},
	{"invalid UTF-8", "a: \xff\n", "invalid_utf8", wire.ErrUTF8, 1, ""},
	{"a tab as indentation", "a:\n\tb: 1\n", "syntax_error", wire.ErrSyntax, 2, ""},
	{"an open list", "a: [1, 2\n", "syntax_error", wire.ErrSyntax, 1, ""},
}

func TestMalformed(t *testing.T) {
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			v, err := Codec{}.Decode([]byte(c.text))
			require.True(t, v.Kind() == wire.KindNull)
			e := codectest.Refused(t, err, c.code, c.kind)
			require.Equal(t, c.line, e.Line, err)
			require.Equal(t, c.path, e.Path())
		})
	}
}

// TestBombs holds that aliases count as what they stand for.
func TestBombs(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 9 {
		level := string(rune('0' + i))
		next := string(rune('1' + i))
		b.WriteString("a" + next + ": &a" + next + " [*a" + level + strings.Repeat(",*a"+level, 9) + "]\n")
	}
	_, err := Codec{Limits: wire.Limits{Values: 1 << 16}}.Decode([]byte(b.String()))
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "Limits.Values")
	require.False(t, Codec{}.Sniff([]byte(b.String())))
	_, err = Codec{}.Decode([]byte(strings.Repeat("%TAG !a! tag:x\n", 2000) + "---\na\n"))
	require.ErrorIs(t, err, wire.ErrLimit)
	merges := "a: &a {x: 1}\nb:\n  <<: [" + strings.Repeat("*a,", 1000) + "*a]\n"
	_, err = Codec{Limits: wire.Limits{Values: 500}}.Decode([]byte(merges))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = Codec{}.Decode([]byte(strings.Repeat("[", 600) + strings.Repeat("]", 600)))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = Codec{}.Decode([]byte(strings.Repeat("[", 20_000)))
	require.Error(t, err)
	_, err = Codec{Limits: wire.Limits{InputBytes: 3}}.Decode([]byte("a: 1"))
	require.ErrorIs(t, err, wire.ErrLimit)
	deep := wire.Int(1)
	for range 513 {
		deep = wire.Array(deep)
	}
	_, err = Codec{}.AppendEncode(nil, deep)
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = Codec{Limits: wire.Limits{OutputBytes: 10}}.AppendEncode(nil, parse(t, `["0123456789"]`))
	require.ErrorIs(t, err, wire.ErrLimit)
}

// requireRecords holds that a text of one document gives it as its one record.
func requireRecords(t testing.TB, text string) {
	t.Helper()
	whole := codectest.Decoded(t, Codec{}, text)
	for _, r := range faulty.Readers([]byte(text)) {
		rows := codectest.All(t, Codec{}.Records(r))
		require.True(t, wire.Identical(wire.Array(whole), wire.Array(rows...)), "%q", text)
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct{ text, json string }{
		{"", `[]`},
		{"# only a comment\n", `[]`},
		{"a: 1\n---\nb: 2\n", `[{"a":1},{"b":2}]`},
		{"---\na: 1\n---\n---\nb\n...\n", `[{"a":1},null,"b"]`},
		{"--- a\n--- b\n", `["a","b"]`},
		{"%YAML 1.2\n---\na\n...\n# between\n%YAML 1.2\n---\nb\n", `["a","b"]`},
		{"a: |\n  --- no\n---\n- 1\n", `[{"a":"--- no\n"},[1]]`},
		{"...\n", `[]`},
		{"a: 1\n...\nb: 2\n", `[{"a":1},{"b":2}]`},
		{"a\n... # c\n...\n# d\n...\nb\n", `["a","b"]`},
		{"a: 1\n---\n", `[{"a":1},null]`},
		{"# c\n---\na: 1\n---\n# d\n", `[{"a":1},null]`},
		{"a: 1\n\ufeff---\nb: 2\n...\n\ufeff# c\n\ufeffc: 3\n", `[{"a":1},{"b":2},{"c":3}]`},
		{"# c\n\ufeffa: 1\n---\nb: 2\n", `[{"a":1},{"b":2}]`},
		{"\n\t1\n---\n\n", `[1,null]`},
		{"a: 1\r---\rb: |\r  x\r  y\r", `[{"a":1},{"b":"x\ny\n"}]`},
		{"--- |\n%a\n...\n%YAML 1.2\n---\n>\nb\n---\n\"c\"\n", `["%a\n","b\n","c"]`},
		{"- &a 1\n- *a\n---\n- &a 2\n- *a\n", `[[1,1],[2,2]]`},
		{"%HELLO x\n---\na\n...\n%YAML 1.9\n---\nb\n", `["a","b"]`},
		{"a\r\n---\r\nb\r\n...\r\n", `["a","b"]`},
	} {
		got := codectest.Decoded(t, Codec{MultiDocument: true}, c.text)
		require.Equal(t, c.json, string(wire.AppendJSON(nil, got)), c.text)
		for _, r := range faulty.Readers([]byte(c.text)) {
			rows := codectest.All(t, Codec{}.Records(r))
			require.Equal(t, c.json, string(wire.AppendJSON(nil, wire.Array(rows...))), c.text)
		}
	}
	v := parse(t, `[{"a":1},[],"x\ny\n",null]`)
	text := codectest.Encoded(t, Codec{MultiDocument: true}, v)
	require.Equal(t, "---\na: 1\n---\n[]\n---\n|\n  x\n  y\n---\nnull\n", string(text))
	back := codectest.Decoded(t, Codec{MultiDocument: true}, text)
	require.True(t, wire.Identical(v, back))
	var out bytes.Buffer
	w, err := Codec{}.NewRecordWriter(&out, nil)
	require.NoError(t, err)
	for e := range v.Elements() {
		require.NoError(t, w.Write(e))
	}
	require.NoError(t, w.Close())
	require.Equal(t, string(text), out.String())
	_, err = Codec{MultiDocument: true}.AppendEncode(nil, wire.Null())
	require.ErrorIs(t, err, wire.ErrShape)
}

func TestStreamErrors(t *testing.T) {
	records, failed := codectest.Collect(t, Codec{}.Records(strings.NewReader("a: 1\n---\nb: [\n---\nc: 3\n")))
	require.Len(t, records, 1)
	e := codectest.Error(t, failed)
	require.GreaterOrEqual(t, e.Line, 3)
	broken := errors.New("disk full")
	for _, r := range faulty.Failing([]byte("a: 1\n---\nb: 2\n---\nc"), broken) {
		records, failed = codectest.Collect(t, Codec{}.Records(r))
		require.Len(t, records, 2)
		require.ErrorIs(t, failed, broken)
	}
	_, failed = codectest.Collect(t, Codec{Limits: wire.Limits{LineBytes: 100}}.Records(strings.NewReader(strings.Repeat("- a\n", 100))))
	require.ErrorIs(t, failed, wire.ErrLimit)
	w, err := Codec{}.NewRecordWriter(&faulty.Writer{Limit: 3, Silent: true}, nil)
	require.NoError(t, err)
	require.NoError(t, w.Write(wire.Int(1)))
	require.ErrorIs(t, w.Close(), io.ErrShortWrite)
}

// TestStreamComments: what is between documents is checked as they are.
func TestStreamComments(t *testing.T) {
	for text, good := range map[string]bool{
		"":                         true,
		"\n \n":                    true,
		"# c":                      true,
		"...\n":                    true,
		"# c\n...\n# d\n...\n":     true,
		"a: 1\n...\n# c\n---\n- 1": true,
		"# \xed\n":                 false,
		" \f":                      false,
		"a: 1\n...\n\f\n":          false,
		"a: 1\n...\n# \xff\n":      false,
	} {
		_, failed := codectest.Collect(t, Codec{}.Records(strings.NewReader(text)))
		require.Equal(t, good, failed == nil, "%q: %v", text, failed)
	}
}

func TestSniff(t *testing.T) {
	for _, text := range []string{"a: 1\n", "---\na: 1\n", "# c\n- 1\n- 2\n", "a:\n  b: 1\n", "\ufeffkey: value\n", "\"a\": 1\n", "- a\n---\n- b\n", "-v: 1\n", "-\n  a: 1\n",
		"---\n{a: [b]}\n", "---\n[a, b]\n", "--- {a: 1}\n", " - a\n - b\n", "&x\n- a\n", "? a\n: 1\n", " # c\na: 1\n", "%TAG ! tag:x,1:\n---\na: 1\n", "a: 1\n---\n---\nb: 2\n", "---\na: 1\n---\n", "# c\n---\na: 1\n---\n# d\n", "a: 1\n...\nb: 2\n", "\ufeff---\na: 1\n", "a: 1\n\ufeff---\nb: 2\n", "-\ta\n"} {
		require.True(t, Codec{}.Sniff([]byte(text)), "%q", text)
	}
	for _, text := range []string{"", "hello world\n", "{\"a\": 1}", "[1,2]", "\"a: b\"", "<a>: b</a>", "a: b: c\n", "GCF profile=generic\n", "@header\nquery_type:search\n", "-1\n", "1,2,3\n", "a: [1\n", "\x00: 1",
		"---\n", "--- text\n", "---\n---\n", "%YAML 1.2\n--- text\n", "...\n", "x: &a 1\n---\ny: *a\n", "{a: 1}\n---\n"} {
		require.False(t, Codec{}.Sniff([]byte(text)), "%q", text)
	}
	for text, want := range map[string]bool{
		"a: 1\n---\nb: 2\n": true, "---\na: 1\n---\nb: 2\n": true, "---\n---\n- 1\n": true, "a: 1\n...\nb: 2\n": true, "a: 1\n---\n": true, "---\n---\n": false, "a: 1\n---\nb\n": false, "a: 1\r---\rb: 2\r": true,
		"a: 1\n...\n---\nb: 2\n": true,
		"---\na: 1\n":            false, "a: 1\n": false, "# c\n---\na: 1\n": false, "a: |\n  ---\n  x\n": false, "----: 1\n": false, "a: 1\n----: 2\n": false,
	} {
		require.Equal(t, want, Codec{MultiDocument: true}.Sniff([]byte(text)), "%q", text)
	}
	long := "items:\n" + strings.Repeat("  - name: x\n    value: 1\n", 5000)
	require.True(t, Codec{}.Sniff([]byte(long)))
}

// nasty makes strings of pieces that mean something in YAML.
func nasty(r *rand.Rand) string {
	pieces := []string{"", "a", "1", "true", "~", "-", "- ", ":", ": ", "#", " #", "\n", "\n\n", " ", "  ", "\t", "\r", "'", "\"", "\\", "|", ">", "&", "*", "!", "%", "@", "`", "?", "? ", ",", "[", "]", "{", "}", "---", "...", "<<", "é", "\u0085", "\u2028", "\u00a0", "\ufeff", "\x00", "\x7f", "🙂", ".5", "0x", "e3", "\ufffd"}
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func random(r *rand.Rand, depth int) wire.Value {
	switch n := r.IntN(9); {
	case n < 4 || depth > 20:
		return wire.String(nasty(r))
	case n == 4:
		return wire.Int(int64(r.IntN(100)))
	case n == 5:
		return wire.Null()
	case n == 6:
		elems := make([]wire.Value, r.IntN(4))
		for i := range elems {
			elems[i] = random(r, depth+1)
		}
		return wire.Array(elems...)
	}
	var members []wire.Member
	seen := map[string]bool{}
	for range r.IntN(4) {
		key := nasty(r)
		if r.IntN(20) == 0 {
			key = strings.Repeat(key+"k", 300)
		}
		if !seen[key] {
			seen[key] = true
			members = append(members, wire.Member{Key: key, Value: random(r, depth+1)})
		}
	}
	v, err := wire.Object(members...)
	if err != nil {
		panic(err)
	}
	return v
}

// TestRandomValues sends values there and back, and has the library read the
// text into Go values too.
func TestRandomValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range trials.Of(5000) {
		v := random(r, 0)
		text := codectest.Encoded(t, Codec{}, v)
		back := codectest.Decoded(t, Codec{}, text)
		require.True(t, wire.Identical(v, back), "%q\n%v\n%v", text, v, back)
		var got any
		require.NoError(t, yaml.Unmarshal(text, &got), "%q", text)
		goValue, err := wire.FromGo(got)
		if err == nil { // a map of any keys is not a value
			require.True(t, wire.Equal(v, goValue), "%q", text)
		}
		requireRecords(t, string(text))
	}
}

// TestFlowScalars: colons and question marks in strings and keys that are so
// deep that they are written in flow style.
func TestFlowScalars(t *testing.T) {
	for _, s := range []string{"a?", "?a", "a?b", ":a", "a:b", "::", "a:?", "?:", "12:30", "http://a/?b=c", "-a", "-?", "-:"} {
		for _, inner := range []wire.Value{
			wire.Array(wire.String(s)),
			wire.Array(wire.String(s), wire.String(s)),
			parse(t, `{"`+s+`":"`+s+`","`+s+`2":["`+s+`"]}`),
		} {
			for range flowDepth {
				inner = wire.Array(inner)
			}
			text := codectest.Encoded(t, Codec{}, inner)
			back := codectest.Decoded(t, Codec{}, text)
			require.True(t, wire.Identical(inner, back), "%s", text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range vectors {
		f.Add([]byte(c.text))
	}
	for _, c := range foreign {
		f.Add([]byte(c.text))
	}
	for _, c := range malformed {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		Codec{}.Sniff(text)
		v, err := Codec{Limits: wire.Limits{Values: 1 << 16}}.Decode(text)
		if err != nil {
			require.True(t, v.Kind() == wire.KindNull)
			e := codectest.Error(t, err)
			require.LessOrEqual(t, e.Offset, len(text))
			return
		}
		out := codectest.Encoded(t, Codec{}, v)
		back := codectest.Decoded(t, Codec{}, out)
		loss, path := wire.Difference(v, back)
		require.Zero(t, loss&^(wire.LossNumberText|variants.LossKinds), "%s: %q became %q", path, text, out)
		again := codectest.Encoded(t, Codec{}, back)
		require.Equal(t, string(out), string(again))
	})
}

func TestMarshal(t *testing.T) {
	type service struct {
		Name  string   `json:"name"`
		Ports []int    `json:"ports,omitempty"`
		Note  *string  `json:"note"`
		Tags  []string `json:"tags"`
	}
	v := []service{{Name: "a", Ports: []int{80, 443}, Tags: []string{"x: y"}}, {Name: "yes"}}
	text, err := Marshal(v)
	require.NoError(t, err)
	require.Equal(t, "- name: a\n  ports:\n    - 80\n    - 443\n  note: null\n  tags:\n    - \"x: y\"\n- name: \"yes\"\n  note: null\n  tags: null\n", string(text))
	var back []service
	require.NoError(t, Unmarshal(text, &back))
	require.Equal(t, v, back)
	appended, err := wire.Internal.AppendMarshal([]byte("# list\n"), Codec{}, v)
	require.NoError(t, err)
	require.Equal(t, "# list\n"+string(text), string(appended))
}
