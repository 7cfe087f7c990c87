package toon_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

var parse = codectest.JSON[string]

func requireError(t *testing.T, err error, code string) *wire.Error {
	t.Helper()
	e := codectest.Refused(t, err, code, nil)
	require.Equal(t, "toon", e.Format)
	return e
}

func TestRead(t *testing.T) {
	for _, c := range readVectors {
		for _, codec := range []toon.Codec{{}, {Lenient: true}} {
			v := codectest.Decoded(t, codec, c.text)
			require.True(t, wire.Identical(parse(t, c.json), v), "%q\nwant %s\ngot  %v", c.text, c.json, v)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range errorVectors {
		_, err := toon.Codec{}.Decode([]byte(c.text))
		e := requireError(t, err, c.code)
		require.Positive(t, e.Line, "%q", c.text)
		require.NotEmpty(t, e.Excerpt())
		v, err := toon.Codec{Lenient: true}.Decode([]byte(c.text))
		switch want, jsonErr := wire.ParseJSON([]byte(c.lenient)); {
		case c.lenient == "":
			requireError(t, err, c.code)
		case jsonErr != nil:
			requireError(t, err, c.lenient)
		default:
			require.NoError(t, err, "%q", c.text)
			require.True(t, wire.Identical(want, v), "%q\nwant %s\ngot  %v", c.text, c.lenient, v)
		}
	}
}

func TestWrite(t *testing.T) {
	for _, c := range writeVectors {
		v := parse(t, c.json)
		text := codectest.Encoded(t, toon.Codec{}, v)
		require.Equal(t, c.text, string(text), c.json)
		back := codectest.Decoded(t, toon.Codec{}, text)
		require.True(t, wire.Equal(v, back), "%s\n%s", c.json, text)
	}
}

// TestErrorPlaces holds errors to say where and in what value.
func TestErrorPlaces(t *testing.T) {
	for _, c := range []struct {
		text         string
		code, path   string
		line, column int
		kind         error
	}{
		{"a: 1\nb[3]{id,name}:\n  1,x\n  2,y\nc: 2", "count_mismatch", "/b", 2, 2, wire.ErrChecksum},
		{"a: 1\nb[3]{id,name}:\n  1,x\n  2,y", "count_mismatch", "/b", 2, 2, wire.ErrTruncated},
		{"b[2]{id,name}:\n  1,x\n  2", "row_width_mismatch", "/b/1", 3, 3, wire.ErrTruncated},
		{"b[2]{id,name}:\n  1,x\n  2\n", "row_width_mismatch", "/b/1", 3, 3, wire.ErrSyntax},
		{"b[1]{id,name}:\n  1,x,y", "row_width_mismatch", "/b/0", 2, 3, wire.ErrSyntax},
		{"m[2:]{x}:\n  k: 1\n  boom", "missing_entry_colon", "/m", 3, 3, wire.ErrSyntax},
		{"b[1]{id,n{x,y}}:\n  1,2,\"z\\q\"", "invalid_escape", "/b/0/n/y", 2, 9, wire.ErrSyntax},
		{"m[2:]{x}:\n  k: 1\n  k: 2", "duplicate_key", "/m", 3, 3, wire.ErrDuplicateKey},
		{"a:\n  b:\n    c: 1\n    c: 2", "duplicate_key", "/a/b", 4, 5, wire.ErrDuplicateKey},
		{"a[2]:\n  - x: 1\n    y: \"z\n  - 2", "unterminated_quote", "/a/0/y", 3, 8, wire.ErrSyntax},
		{"a[2]: 1,\"", "unterminated_quote", "/a/1", 1, 9, wire.ErrTruncated},
		{"\ufeffé: 1\nx", "scalar_line", "", 2, 1, wire.ErrSyntax},
		{"a[1]{x,x}:", "duplicate_field_name", "", 1, 8, wire.ErrDuplicateKey},
		{"a: \xff", "invalid_utf8", "", 1, 4, wire.ErrUTF8},
	} {
		_, err := toon.Codec{}.Decode([]byte(c.text))
		e := requireError(t, err, c.code)
		require.ErrorIs(t, err, c.kind, c.text)
		require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, "%q: %v", c.text, err)
		require.Equal(t, c.path, e.Path(), c.text)
	}
}

// TestErrorCounts holds the message of a count to name both numbers.
func TestErrorCounts(t *testing.T) {
	for text, want := range map[string]string{
		"a[3]{x}:\n  1":             "the header declares 3, there is 1 row",
		"a[1]{x}:\n  1\n  2":        "the header declares 1, there are 2 rows",
		"a[3:]{x}:\n  k: 1\n  l: 2": "the header declares 3, there are 2 entries",
		"a[1:]{x}:":                 "the header declares 1, there are 0 entries",
		"a[1]:\n  - 1\n  - 2":       "the header declares 1, there are 2 items",
		"a[1]: 1,2":                 "the header declares 1, there are 2 values",
	} {
		_, err := toon.Codec{}.Decode([]byte(text))
		require.Equal(t, want, requireError(t, err, "count_mismatch").Message)
	}
}

func TestNumbers(t *testing.T) {
	for spelled, canonical := range map[string]string{
		"0": "0", "-0": "0", "-0.0e5": "0", "0e99999999999999999999": "0", "1.0": "1", "1.50": "1.5", "-1e3": "-1000", "1E-2": "0.01", "1e20": "100000000000000000000",
		"1e21": "1e+21", "123456789012345678901": "123456789012345678901", "1234567890123456789012": "1.234567890123456789012e+21",
		"1200000000000000000000000": "1.2e+24", "0.000001": "0.000001", "0.00000123": "0.00000123", "0.0000001": "1e-7", "1e-7": "1e-7", "12.5e-8": "1.25e-7",
		"0.10": "0.1", "100e-2": "1", "1.25e1": "12.5", "1e400": "1e+400", "1e999999999999": "1e+999999999999", "9e-999999": "9e-999999",
		"1e123456789012345678": "1e123456789012345678", "0.1234567890123456789012345678901": "0.1234567890123456789012345678901",
		"-12.340e+1": "-123.4", "1.5e+00000000000000000000001": "15",
	} {
		v := parse(t, spelled)
		text := codectest.Encoded(t, toon.Codec{}, v)
		require.Equal(t, canonical, string(text), spelled)
		back := codectest.Decoded(t, toon.Codec{}, text)
		require.True(t, wire.Equal(v, back), spelled)

		text = codectest.Encoded(t, toon.Codec{KeepNumbers: true}, v)
		require.Equal(t, spelled, string(text))
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 0.1, 1e21, 1e-7, 5e-324, math.MaxFloat64, 123456.789} {
		text := codectest.Encoded(t, toon.Codec{}, wire.Float(f))
		spelled := codectest.Encoded(t, toon.Codec{}, parse(t, wire.Float(f).Text()))
		require.Equal(t, string(spelled), string(text))
	}
}

func TestDelimiters(t *testing.T) {
	v := parse(t, `{"t":["a|b","a,b"],"s":"a,b","p":"a|b","r":[{"x":1,"y":"q,z"},{"x":2,"y":"k|l"}],"m":{"p":{"x":1,"y":2},"q":{"x":3,"y":4}},"l":[[],[1]],"e":[]}`)
	for _, c := range []struct {
		delimiter byte
		want      string
	}{
		{'|', "t[2|]: \"a|b\"|a,b\ns: a,b\np: \"a|b\"\nr[2|]{x|y}:\n  1|q,z\n  2|\"k|l\"\nm[2:|]{x|y}:\n  p: 1|2\n  q: 3|4\nl[2|]:\n  - [0|]:\n  - [1|]: 1\ne: []"},
		{'\t', "t[2\t]: a|b\ta,b\ns: a,b\np: a|b\nr[2\t]{x\ty}:\n  1\tq,z\n  2\tk|l\nm[2:\t]{x\ty}:\n  p: 1\t2\n  q: 3\t4\nl[2\t]:\n  - [0\t]:\n  - [1\t]: 1\ne: []"},
		{',', "t[2]: a|b,\"a,b\"\ns: \"a,b\"\np: a|b\nr[2]{x,y}:\n  1,\"q,z\"\n  2,k|l\nm[2:]{x,y}:\n  p: 1,2\n  q: 3,4\nl[2]:\n  - [0]:\n  - [1]: 1\ne: []"},
	} {
		text := codectest.Encoded(t, toon.Codec{Delimiter: c.delimiter}, v)
		require.Equal(t, c.want, string(text), c.delimiter)
		back := codectest.Decoded(t, toon.Codec{}, text)
		require.True(t, wire.Identical(v, back))
	}
}

func TestIndent(t *testing.T) {
	v := parse(t, `{"a":{"b":[{"c":{"d":[1]}},2]}}`)
	text := codectest.Encoded(t, toon.Codec{Indent: 4}, v)
	require.Equal(t, "a:\n    b[2]:\n        - c:\n                d[1]: 1\n        - 2", string(text))
	back := codectest.Decoded(t, toon.Codec{Indent: 4}, text)
	require.True(t, wire.Identical(v, back))
	_, err := toon.Codec{}.Decode(text)
	requireError(t, err, "depth_jump")
	for _, n := range []int{1, 64} {
		text := codectest.Encoded(t, toon.Codec{Indent: n}, v)
		back := codectest.Decoded(t, toon.Codec{Indent: n}, text)
		require.True(t, wire.Identical(v, back))
	}
}

// TestExact: the variant keeps order and spelling, by other forms if need be.
func TestExact(t *testing.T) {
	exact := toon.Codec{KeepOrder: true, KeepNumbers: true}
	require.Zero(t, exact.Info().Loss&^variants.LossKinds)
	for text, want := range map[string]string{
		`[{"a":1,"b":2},{"b":3,"a":4}]`:                           "[2]:\n  - a: 1\n    b: 2\n  - b: 3\n    a: 4",
		`[{"a":1.0,"b":2},{"a":1e2,"b":-0}]`:                      "[2]{a,b}:\n  1.0,2\n  1e2,-0",
		`{"x":{"a":1,"b":2},"y":{"b":1,"a":2}}`:                   "x:\n  a: 1\n  b: 2\ny:\n  b: 1\n  a: 2",
		`[{"n":{"a":1,"b":2},"m":1},{"n":{"b":1,"a":2},"m":2}]`:   "[2]:\n  - n:\n      a: 1\n      b: 2\n    m: 1\n  - n:\n      b: 1\n      a: 2\n    m: 2",
		`{"x":{"n":{"a":1,"b":2}},"y":{"n":{"a":1.50,"b":1E+2}}}`: "[2:]{n{a,b}}:\n  x: 1,2\n  y: 1.50,1E+2",
	} {
		v := parse(t, text)
		out := codectest.Encoded(t, exact, v)
		require.Equal(t, want, string(out), text)
		back := codectest.Decoded(t, exact, out)
		require.True(t, wire.Identical(v, back))
		out = codectest.Encoded(t, toon.Codec{}, v)
		require.Regexp(t, `^\[2:?\]\{`, string(out), "the default writes a table")
	}
}

func TestVariants(t *testing.T) {
	names := map[string]wire.Codec{}
	for _, c := range describe.Of(toon.Codec{}).Variants {
		names[c.Info().FullName()] = c
	}
	require.Equal(t, map[string]wire.Codec{
		"toon:tab": toon.Codec{Delimiter: '\t'}, "toon:pipe": toon.Codec{Delimiter: '|'}, "toon:lenient": toon.Codec{Lenient: true},
		"toon:exact": toon.Codec{KeepOrder: true, KeepNumbers: true}, "toon:v3": toon.Codec{V3: true},
	}, names)
	require.Equal(t, "toon", toon.Codec{Indent: 2, Limits: wire.Limits{Depth: 3}}.Info().FullName())
	require.Equal(t, "toon:tab", toon.Codec{Indent: 2, Delimiter: '\t', Limits: wire.Limits{Depth: 3}}.Info().FullName())
	require.Equal(t, "toon:custom", toon.Codec{Indent: 4}.Info().FullName())
	require.Equal(t, "toon:custom", toon.Codec{KeepOrder: true}.Info().FullName())
	require.Equal(t, "toon", toon.Codec{Delimiter: ','}.Info().FullName())
}

// TestInvalidOptions holds that an option out of its range is an error of every first
// call that takes it, with the field's name.
func TestInvalidOptions(t *testing.T) {
	for field, c := range map[string]toon.Codec{
		"Codec.Indent": {Indent: 65}, "Codec.Indent is -1": {Indent: -1}, "Codec.Delimiter is ';'": {Delimiter: ';'},
	} {
		_, encode := c.AppendEncode(nil, wire.Int(1))
		_, decode := c.Decode([]byte("1"))
		_, write := c.NewRecordWriter(io.Discard, nil)
		_, marshal := c.Marshal(1)
		var n int
		var records error
		for _, err := range c.Records(strings.NewReader("[1]: 1")) {
			records = err
		}
		_, transcode := wire.Transcoder{From: c, To: jsonl.Codec{}, Workers: 3}.Transcode(t.Context(), io.Discard, strings.NewReader("[1]: 1"))
		for call, err := range map[string]error{"AppendEncode": encode, "Decode": decode, "NewRecordWriter": write, "Marshal": marshal,
			"Unmarshal": c.Unmarshal([]byte("1"), &n), "Records": records, "Transcode": transcode} {
			require.ErrorIs(t, err, wire.ErrRange, call)
			require.ErrorContains(t, err, field, call)
		}
	}
}

// TestV3: a document of 3.x has no comments.
func TestV3(t *testing.T) {
	const text = "a[2]{x}:\n  #1\n  #2\n#k: v"
	v := codectest.Decoded(t, toon.Codec{V3: true}, text)
	require.True(t, wire.Identical(parse(t, `{"a":[{"x":"#1"},{"x":"#2"}],"#k":"v"}`), v), v)
	_, err := toon.Codec{}.Decode([]byte(text))
	requireError(t, err, "count_mismatch")
}

// TestKinds: bytes and times become the text that JSON gives them.
func TestKinds(t *testing.T) {
	v := wire.Array(wire.Bytes([]byte("hello")), wire.Bytes([]byte{0xd7, 0x6d, 0xf8}), wire.Time(time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)), wire.Internal.TaggedString("^id:1", 1))
	text := codectest.Encoded(t, toon.Codec{}, v)
	require.Equal(t, `[4]: aGVsbG8=,1234"`, strings.ReplaceAll(string(text), `"1234","2025-01-02T03:04:05Z","^id:1"`, `1234"`))
}

// TestInjection puts strings that look like TOON's own syntax in every place.
func TestInjection(t *testing.T) {
	for _, s := range []string{"name[3]: a,b,c", "- x", "-", "#x", "a: b", ":", "x]{", "[]", "[2]: 1,2", "[2:]{a}:", "\n", "a\nb: 1", "\r", " x", "x ", "\tx", "x\t", "\ufeff", "\ufeffx",
		`"`, `\`, `\n`, `a"b`, `"q"`, "true", "null", "1", "-1", "+1", "1e5", "05", ".5", "1.", "", "{", "}", ",", "|", "a,b", "a|b", "\u0085", "\u2028", "\u00a0", "\x00", "\x7f", "é", "😀"} {
		quoted := string(wire.AppendJSON(nil, wire.String(s)))
		for _, shape := range []string{`S`, `[S]`, `[S,S]`, `[[S]]`, `[[S],S,{}]`, `{S:1}`, `{S:S}`, `{"a":S}`, `{"a":{S:S}}`, `[{"a":S,"b":1}]`, `[{S:S,"b":S},{S:1,"b":S}]`, `[{"a":{S:S}},{"a":{S:S}}]`,
			`{S:{S:S},"b":{S:S}}`, `{"x":{"a":S},S:{"a":S}}`, `[{S:[S]},1]`, `[{S:[{S:S}]}]`, `{S:[]}`, `{S:{}}`, `[{S:{}}]`, `[{S:[[S]]}]`} {
			v := codectest.JSON(t, strings.ReplaceAll(shape, "S", quoted))
			for _, d := range []byte{',', '\t', '|'} {
				c := toon.Codec{Delimiter: d}
				text := codectest.Encoded(t, c, v)
				for _, reader := range []toon.Codec{{}, {Lenient: true}} {
					back, err := reader.Decode(text)
					require.NoError(t, err, "%v\n%q", v, text)
					require.True(t, wire.Identical(v, back), "%v\n%q\n%v", v, text, back)
				}
			}
		}
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	v, err := wire.JSON{Limits: wire.Limits{Depth: 1000}}.Decode([]byte(deep))
	require.NoError(t, err)
	_, err = toon.Codec{}.AppendEncode(nil, v)
	requireError(t, err, "too_deep")
	text, err := toon.Codec{Limits: wire.Limits{Depth: 600}}.AppendEncode(nil, v)
	require.NoError(t, err)
	_, err = toon.Codec{}.Decode(text)
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = toon.Codec{Limits: wire.Limits{Values: 3}}.Decode([]byte("a[3]: 1,2,3"))
	requireError(t, err, "too_many_values")
	_, err = toon.Codec{Limits: wire.Limits{InputBytes: 3}}.Decode([]byte("a: 1"))
	requireError(t, err, "input_too_long")
	_, err = toon.Codec{Limits: wire.Limits{OutputBytes: 3}}.AppendEncode(nil, parse(t, `{"a":1}`))
	requireError(t, err, "output_too_long")

	// A short value whose text is nearly all indentation.
	row := parse(t, "["+strings.TrimSuffix(strings.Repeat("[[]],", 200_000), ",")+"]")
	for range 400 {
		row = wire.Array(row)
	}
	_, err = toon.Codec{}.AppendEncode(nil, row)
	requireError(t, err, "indentation_too_long")
}

func TestInvalidText(t *testing.T) {
	for _, v := range []wire.Value{wire.String("\xff"), wire.Array(wire.String("a\xc0\x80")), object(t, wire.Member{Key: "\xed\xa0\x80", Value: wire.Null()})} {
		out, err := toon.Codec{}.AppendEncode([]byte("x"), v)
		require.ErrorIs(t, err, wire.ErrUTF8)
		require.Equal(t, "x", string(out))
	}
	for _, lenient := range []bool{false, true} {
		_, err := toon.Codec{Lenient: lenient}.Decode([]byte("a: \xed\xa0\x80"))
		requireError(t, err, "invalid_utf8")
	}
}

func object(t *testing.T, members ...wire.Member) wire.Value {
	t.Helper()
	v, err := wire.Object(members...)
	require.NoError(t, err)
	return v
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"items[2]{a,b}:\n  1,2\n  3,4": true, "[2]: 1,2": true, "\ufeff# note\n\n[2]{a}:\n  1\n  2": true, "a[1]:\n  - x": true, "[2:]{a}:\n  x: 1": true, "\"k k\"[1|]: x": true,
		"items[2]{a,b}:": true, "a[0]:": true, "a[0]:\nb: 1": true, "items[2]{a,b}:\r\n  1,2\r\n": true,
		"": false, "a: 1": false, "a:\n  b: 1": false, "[]": false, "x": false, "[1,2]": false, "[1]": false, "[[1]]": false, `{"a[1]":2}`: false, "a[3]: 1": false,
		"a[2]:\nb: 1": false, "a[2]:\n  b: 1": false, "  [2]: 1,2": false, "sshd[123]: hello": false, "a[x]: 1": false, "a[1][2]: x": false, "---\na[1]: x": false, "# only": false,
	} {
		require.Equal(t, want, toon.Codec{}.Sniff([]byte(text)), "%q", text)
	}
	long := "[20000]: " + strings.TrimSuffix(strings.Repeat("12345,", 20000), ",")
	require.True(t, toon.Codec{}.Sniff([]byte(long)))
}

func TestGoValues(t *testing.T) {
	type row struct {
		ID   int     `json:"id"`
		Name string  `json:"name"`
		Rate float64 `json:"rate,omitempty"`
	}
	rows := []row{{1, "Ada", 1.5}, {2, "Grace, H.", 2}}
	text, err := toon.Marshal(map[string]any{"rows": rows})
	require.NoError(t, err)
	require.Equal(t, "rows[2]{id,name,rate}:\n  1,Ada,1.5\n  2,\"Grace, H.\",2", string(text))
	var back struct{ Rows []row }
	require.NoError(t, toon.Unmarshal(text, &back))
	require.Equal(t, rows, back.Rows)
	_, err = toon.Marshal(math.NaN())
	require.Error(t, err)
	require.True(t, errors.Is(toon.Unmarshal([]byte("a: 1\na: 2"), &back), wire.ErrDuplicateKey))
}

// TestEncodeAllocations: when dst has room, what the pool and a garbage collection
// in between may cost is far below one allocation per value.
func TestEncodeAllocations(t *testing.T) {
	v := parse(t, `{"rows":[{"a":1,"b":{"c":"x"}},{"a":2.5,"b":{"c":"y"}}],"l":[[1],{"k":"v"}],"m":{"p":{"q":1},"r":{"q":2}}}`)
	buf := codectest.Encoded(t, toon.Codec{}, v)
	growth.Allocs(t, 3, func() { buf, _ = toon.Codec{}.AppendEncode(buf[:0], v) })
}
