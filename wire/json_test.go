package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// accepted holds texts with the compact form they are written back as. It
// seeds the fuzz targets too.
var accepted = []struct{ name, text, compact string }{
	{"null", "null", "null"},
	{"true", " true ", "true"},
	{"false", "\tfalse\r\n", "false"},
	{"byte order mark", "\ufeff[1]", "[1]"},
	{"zero", "0", "0"},
	{"negative zero", "-0", "-0"},
	{"spelling kept", "[1.0,1e3,1E+03,0.10,-0.0]", "[1.0,1e3,1E+03,0.10,-0.0]"},
	{"integer beyond 64 bits", "123456789012345678901234567890", "123456789012345678901234567890"},
	{"beyond float64", "[1e400,-1e-400]", "[1e400,-1e-400]"},
	{"empty string", `""`, `""`},
	{"short escapes", `"\"\\\/\b\f\n\r\t"`, `"\"\\/\b\f\n\r\t"`},
	{"unicode escapes", `"\u0041\u00e9\u6f22\u0000\u001F"`, "\"Aé漢\\u0000\\u001f\""},
	{"surrogate pair", `"\ud83d\ude00\uD83D\uDE00"`, `"😀😀"`},
	{"escape at a word's border", `"1234567\n12345678\t"`, `"1234567\n12345678\t"`},
	{"escape first and last", `"\n\n"`, `"\n\n"`},
	{"no HTML escaping", `"<a href='x'>&\u2028</a>"`, "\"<a href='x'>&\u2028</a>\""},
	{"delete and C1", "\"\u007f\u0085\"", "\"\u007f\u0085\""},
	{"empty containers", "[ [ ] , { } ]", "[[],{}]"},
	{"members in order", `{"b":1,"a":2,"":3}`, `{"b":1,"a":2,"":3}`},
	{"escaped key", `{"a\"b\\\n":1}`, `{"a\"b\\\n":1}`},
	{"escaped and plain key", `[{"a\u0062":1},{"ab":2}]`, `[{"ab":1},{"ab":2}]`},
	{"key like a prefix", `[{"a":1,"ab":2},{"ab":1,"a":2},{"a":1}]`, `[{"a":1,"ab":2},{"ab":1,"a":2},{"a":1}]`},
	{"key with a quotation mark", `[{"a\"":1},{"a\"":1}]`, `[{"a\"":1},{"a\"":1}]`},
	{"last duplicate wins, first place", `{"k":1,"x":0,"k":2,"k":[3]}`, `{"k":[3],"x":0}`},
	{"rows that differ", `[{"a":1,"b":2},{"a":1},{"a":1,"b":2,"c":3},{"b":1,"a":2},{},{"a":1,"b":2}]`,
		`[{"a":1,"b":2},{"a":1},{"a":1,"b":2,"c":3},{"b":1,"a":2},{},{"a":1,"b":2}]`},
	{"rows with duplicates", `[{"a":1,"b":2},{"a":1,"a":2},{"a":1,"b":2,"a":3}]`, `[{"a":1,"b":2},{"a":2},{"a":3,"b":2}]`},
	{"white space in rows", "[{ \"a\" : 1 ,\n\"b\":2 } , {\"a\":1,\"b\" :2}]", `[{"a":1,"b":2},{"a":1,"b":2}]`},
	{"the same key inside itself", `{"a":{"a":{"a":[{"a":1},{"a":2}]}}}`, `{"a":{"a":{"a":[{"a":1},{"a":2}]}}}`},
	{"indentation", "{\n        \"a\": [\n                1,\n                2\n        ]\n}", `{"a":[1,2]}`},
}

func TestJSONAccepts(t *testing.T) {
	for _, c := range accepted {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.text)
			v := codectest.JSON(t, src)
			require.Equal(t, c.text, string(src), "the input is untouched")
			for i := range src {
				src[i] = '#'
			}
			require.Equal(t, c.compact, string(wire.AppendJSON(nil, v)))
			out, err := wire.JSON{}.AppendEncode([]byte("kept"), v)
			require.NoError(t, err)
			require.Equal(t, "kept"+c.compact, string(out))
			pretty := codectest.Encoded(t, wire.JSON{Indent: "  "}, v)
			again := codectest.JSON(t, pretty)
			require.True(t, wire.Identical(v, again))
		})
	}
}

// refused holds texts with the error they give.
var refused = []struct {
	name, text, code string
	kind             error
	line, column     int
	path             string
}{
	{"nothing", "", "unexpected_end", wire.ErrTruncated, 1, 1, ""},
	{"white space", " \n ", "unexpected_end", wire.ErrTruncated, 2, 2, ""},
	{"word cut", "tru", "unexpected_end", wire.ErrTruncated, 1, 4, ""},
	{"word misspelled", "nulL", "unexpected_character", wire.ErrSyntax, 1, 4, ""},
	{"capital", "True", "unexpected_character", wire.ErrSyntax, 1, 1, ""},
	{"two values", "1 2", "trailing_data", wire.ErrSyntax, 1, 3, ""},
	{"value after object", "{}\n[]", "trailing_data", wire.ErrSyntax, 2, 1, ""},
	{"NUL after the value", "1\x00", "trailing_data", wire.ErrSyntax, 1, 2, ""},
	{"NUL", "\x00", "unexpected_character", wire.ErrSyntax, 1, 1, ""},
	{"leading zero", "[01]", "leading_zero", wire.ErrSyntax, 1, 2, "/0"},
	{"plus", "+1", "unexpected_character", wire.ErrSyntax, 1, 1, ""},
	{"minus", "-", "unexpected_end", wire.ErrTruncated, 1, 2, ""},
	{"no digit behind the point", `{"a":1.}`, "unexpected_character", wire.ErrSyntax, 1, 8, "/a"},
	{"no exponent", "1e", "unexpected_end", wire.ErrTruncated, 1, 3, ""},
	{"no exponent after sign", "1e+x", "unexpected_character", wire.ErrSyntax, 1, 4, ""},
	{"digits beyond ASCII", "٣", "unexpected_character", wire.ErrSyntax, 1, 1, ""},
	{"string cut", `["abc`, "unterminated_quote", wire.ErrTruncated, 1, 6, "/0"},
	{"string cut in escape", `"\`, "unterminated_quote", wire.ErrTruncated, 1, 3, ""},
	{"string cut in unicode escape", `"\u00`, "invalid_escape", wire.ErrSyntax, 1, 2, ""},
	{"line end in string", "\"a\nb\"", "control_character", wire.ErrSyntax, 1, 3, ""},
	{"NUL in string", "\"a\x00b\"", "control_character", wire.ErrSyntax, 1, 3, ""},
	{"unknown escape", `{"a":{"b":["x","\x"]}}`, "invalid_escape", wire.ErrSyntax, 1, 17, "/a/b/1"},
	{"no hexadecimal", `"\u00g0"`, "invalid_escape", wire.ErrSyntax, 1, 2, ""},
	{"high surrogate alone", `"\ud83d"`, "lone_surrogate", wire.ErrUTF8, 1, 2, ""},
	{"high surrogate and text", `"\ud83dx\ude00"`, "lone_surrogate", wire.ErrUTF8, 1, 2, ""},
	{"low surrogate alone", `"\ude00"`, "lone_surrogate", wire.ErrUTF8, 1, 2, ""},
	{"two high surrogates", `"\ud83d\ud83d"`, "lone_surrogate", wire.ErrUTF8, 1, 2, ""},
	{"surrogate in key", `[{"\ud83d":1}]`, "lone_surrogate", wire.ErrUTF8, 1, 4, "/0"},
	{"invalid UTF-8", "[\"a\",\n \"\xff\"]", "invalid_utf8", wire.ErrUTF8, 2, 3, ""},
	{"overlong UTF-8", "\"\xc0\xaf\"", "invalid_utf8", wire.ErrUTF8, 1, 2, ""},
	{"encoded surrogate", "\"\xed\xa0\x80\"", "invalid_utf8", wire.ErrUTF8, 1, 2, ""},
	{"comma at the end", "[1,]", "unexpected_character", wire.ErrSyntax, 1, 4, "/1"},
	{"comma at the end of an object", `{"a":1,}`, "unexpected_character", wire.ErrSyntax, 1, 8, ""},
	{"no comma", "[1 2]", "unexpected_character", wire.ErrSyntax, 1, 4, ""},
	{"no colon", `{"a" 1}`, "unexpected_character", wire.ErrSyntax, 1, 6, ""},
	{"key without quotes", "{a:1}", "unexpected_character", wire.ErrSyntax, 1, 2, ""},
	{"array open", "[1", "unexpected_end", wire.ErrTruncated, 1, 3, ""},
	{"object open", `{"a":1`, "unexpected_end", wire.ErrTruncated, 1, 7, ""},
	{"object open after key", `[{"a":1},{"a"`, "unexpected_end", wire.ErrTruncated, 1, 14, "/1"},
	{"second row cut in key", `[{"abc":1},{"ab`, "unterminated_quote", wire.ErrTruncated, 1, 16, "/1"},
	{"wrong bracket", `{"a":[1}`, "unexpected_character", wire.ErrSyntax, 1, 8, "/a"},
	{"path through rows", "[{\"a\":1,\"b\":2},\n {\"a\":1,\"b\":?}]", "unexpected_character", wire.ErrSyntax, 2, 13, "/1/b"},
	{"byte order mark in the middle", "[\ufeff1]", "unexpected_character", wire.ErrSyntax, 1, 2, "/0"},
	{"comment", "[1] // x", "trailing_data", wire.ErrSyntax, 1, 5, ""},
}

func TestJSONRefuses(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			v, err := wire.ParseJSON([]byte(c.text))
			require.True(t, v.Kind() == wire.KindNull, "nothing beside the error")
			e := codectest.Refused(t, err, c.code, c.kind)
			require.Equal(t, []any{c.line, c.column, c.path}, []any{e.Line, e.Column, e.Path()}, e.Error())
		})
	}
}

func TestJSONDuplicatesRefused(t *testing.T) {
	for _, text := range []string{`{"a":1,"a":2}`, `[{"a":1,"b":1},{"a":1,"b":2,"a":3}]`, `[{"a":1},{"a":1,"\u0061":2}]`} {
		_, err := wire.JSON{RejectDuplicates: true}.Decode([]byte(text))
		require.ErrorIs(t, err, wire.ErrDuplicateKey, text)
		e := codectest.Error(t, err)
		require.Contains(t, []byte{'"'}, text[e.Offset])
	}
	var wide strings.Builder
	wide.WriteString(`{"k0":0`)
	for i := range 400 {
		fmt.Fprintf(&wide, `,"k%d":%d`, i+1, i)
	}
	codectest.Decoded(t, wire.JSON{RejectDuplicates: true}, wide.String()+`}`)
	_, err := wire.JSON{RejectDuplicates: true}.Decode([]byte(wide.String() + `,"k399":1}`))
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
	v := parse(t, wide.String()+`,"k399":"last"}`)
	last, _ := v.Get("k399")
	require.Equal(t, "last", last.Text())
	require.Equal(t, 401, v.Len())
}

func TestJSONLimits(t *testing.T) {
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	codectest.JSON(t, deep(512))
	_, err := wire.ParseJSON(deep(513))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = wire.JSON{Limits: wire.Limits{Depth: -1}}.Decode(deep(10_000))
	require.NoError(t, err)
	_, err = wire.JSON{Limits: wire.Limits{Depth: -1}}.Decode(deep(10_001))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = wire.JSON{Limits: wire.Limits{Values: 3}}.Decode([]byte("[1,2]"))
	require.NoError(t, err)
	_, err = wire.JSON{Limits: wire.Limits{Values: 2}}.Decode([]byte("[1,2]"))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = wire.JSON{Limits: wire.Limits{InputBytes: 4}}.Decode([]byte("[1,2]"))
	require.ErrorIs(t, err, wire.ErrLimit)

	nested := wire.Array()
	for range 600 {
		nested = wire.Array(nested)
	}
	out, err := wire.JSON{}.AppendEncode([]byte("x"), nested)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.Equal(t, "x", string(out))
	many := parse(t, "["+strings.Repeat(`[123456],`, 1000)+"0]")
	_, err = wire.JSON{Limits: wire.Limits{OutputBytes: 1000}}.AppendEncode(nil, many)
	require.ErrorIs(t, err, wire.ErrLimit)
}

func TestJSONEncodeRefusesInvalidUTF8(t *testing.T) {
	v := wire.Array(wire.Int(1), object(t, wire.Member{Key: "a", Value: wire.String("\xff")}))
	out, err := wire.JSON{}.AppendEncode([]byte("x"), v)
	require.Equal(t, "x", string(out))
	e := codectest.Error(t, err)
	require.Equal(t, "/1/a", e.Path())
	require.ErrorIs(t, err, wire.ErrUTF8)
	_, err = wire.JSON{}.AppendEncode(nil, object(t, wire.Member{Key: "\xff"}))
	require.ErrorIs(t, err, wire.ErrUTF8)
}

func TestJSONWritesBytesAndTimes(t *testing.T) {
	v := wire.Array(wire.Bytes([]byte{0, 0xff}), wire.Time(time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)), wire.Bytes(nil))
	require.Equal(t, `["AP8=","2026-01-02T03:04:05.0000006Z",""]`, string(wire.AppendJSON(nil, v)))
}

func TestJSONIndent(t *testing.T) {
	v := parse(t, `{"a":[1,{"b":[],"c":{}}],"d":"x"}`)
	out := codectest.Encoded(t, wire.JSON{Indent: "  "}, v)
	var want bytes.Buffer
	require.NoError(t, json.Indent(&want, wire.AppendJSON(nil, v), "", "  "))
	require.Equal(t, want.String(), string(out))
}

// TestJSONHostile feeds what has broken other parsers and checks that each
// takes time in proportion to its length: a second is a hundred times more
// than any needs.
func TestJSONHostile(t *testing.T) {
	trials.OneGoroutine(t)
	var distinctKeys, distinctObjects bytes.Buffer
	distinctKeys.WriteString(`{"":0`)
	distinctObjects.WriteString(`[0`)
	for i := range 100_000 {
		fmt.Fprintf(&distinctKeys, `,"key%d":%d`, i, i)
		fmt.Fprintf(&distinctObjects, `,{"key%d":%d}`, i, i)
	}
	distinctKeys.WriteByte('}')
	distinctObjects.WriteByte(']')
	alternating := strings.Repeat(`{"a":1,"b":2,"c":3,"d":4},{"a":1,"b":2,"c":3,"x":4},`, 50_000)
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"open brackets", strings.Repeat("[", 100_000), false},
		{"open objects", strings.Repeat(`{"a":`, 100_000), false},
		{"distinct keys", distinctKeys.String(), true},
		{"objects with a distinct key each", distinctObjects.String(), true},
		{"one key 100,000 times", `{"a":0` + strings.Repeat(`,"a":1`, 100_000) + `}`, true},
		{"rows that never match the last", "[" + alternating + "0]", true},
		{"long string", `"` + strings.Repeat("x", 10<<20) + `"`, true},
		{"long string of escapes", `"` + strings.Repeat(`\n`, 5<<20) + `"`, true},
		{"long number", strings.Repeat("9", 10<<20), true},
		{"long fraction", "0." + strings.Repeat("0", 10<<20) + "1", true},
		{"white space", strings.Repeat(" \t\r\n", 2<<20), false},
		{"elements", "[" + strings.Repeat("1,", 1<<20) + "1]", true},
		{"empty objects", "[" + strings.Repeat("{},", 1<<20) + "{}]", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			growth.Within(t, 10*time.Second, func() {
				v, err := wire.ParseJSON([]byte(c.text))
				require.Equal(t, c.ok, err == nil, "%v", err)
				if err != nil {
					require.Less(t, len(err.Error()), 2000)
					return
				}
				again := codectest.JSON(t, wire.AppendJSON(nil, v))
				require.True(t, wire.Identical(v, again))
				_, _ = v.Int64()
			})
		})
	}
}

func TestJSONSharesKeys(t *testing.T) {
	v := parse(t, string(sample.Rows(100)))
	for row := range v.Elements() {
		require.True(t, row.Keys() == v.Index(0).Keys())
	}
	pretty := codectest.Encoded(t, wire.JSON{Indent: "    "}, v)
	v = parse(t, string(pretty))
	for row := range v.Elements() {
		require.True(t, row.Keys() == v.Index(0).Keys())
	}
}

func TestJSONAllocations(t *testing.T) {
	doc := sample.Rows(10_000)
	growth.Allocs(t, 200, func() { _, _ = wire.ParseJSON(doc) }) // 60,000 values
	v := parse(t, string(doc))
	buf := wire.AppendJSON(nil, v)
	growth.Allocs(t, 0, func() { buf, _ = wire.JSON{}.AppendEncode(buf[:0], v) }) // with room
}

func TestSniffJSON(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a"`: true, " [": true, `"x`: true, `"x"`: true, "-1": true, "12 ": true, "true\n": true, "null": true, "\ufeff{": true,
		"[]": true, "[[{}]]": true, `[[ {"a\"b" : 1`: true, "[1,2]": true, "[ 1 ]": true, `["a", "b"]`: true, `[true, false]`: true, `{"a": [1 2]}`: false, `{"a":"b" c=1}`: false, `{"a":{b=1}}`: false, `{"a":b}`: false, `{"a":{"b":1}}`: true, `{"a":"b`: true,
		"[{},{}]": true, "[[1],2]": true, "[[[]]]": true, "[[1]] x": true, "[{} {}]": false, "[[1] [2]]": false, "[[] 1]": false, "[[[1]] 2]": false,
		"": false, "truest": false, "12 x": false, "GCF profile=generic": false, "#": false, "n": false,
		"{a=1}": false, `{"a b"=1}`: false, "[1 2]": false, "[t f]": false, `["a b" c]`: false, "[true false]": false, "{1:2}": false, "\"a\nb\"": false, `"x" y`: false,
	} {
		require.Equal(t, want, wire.JSON{}.Sniff([]byte(text)), text)
	}
}

// TestSniffBrackets: brackets alone do not make JSON.
func TestSniffBrackets(t *testing.T) {
	for text, want := range map[string]bool{
		"[{}": true, "[[": true, "[[1": true, "[[1]": true, "[[1], 2": true, "[{}, {}]": true, "[[], []]": true, "[[[]],": true, "[[{}]]]": true,
		"[1] x": true, strings.Repeat("[", 100_000): true,
		"[[a] [b]]": false, "[[[1]] t]": false, "[{} a": false, "[[{}] {a=1}]": false, "[{}{}]": false,
	} {
		require.Equal(t, want, wire.JSON{}.Sniff([]byte(text)), "%.50s", text)
	}
}

func FuzzJSON(f *testing.F) {
	for _, c := range accepted {
		f.Add([]byte(c.text))
	}
	for _, c := range refused {
		f.Add([]byte(c.text))
	}
	var memory wire.Memory
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := wire.ParseJSON(src)
		text := bytes.TrimPrefix(src, []byte("\ufeff"))
		lent := memory.View(wire.JSON{}, src, func(lent wire.Value) error {
			require.True(t, wire.Identical(v, lent))
			return nil
		})
		require.Equal(t, fmt.Sprint(err), fmt.Sprint(lent))
		if err != nil {
			e := codectest.Error(t, err)
			require.True(t, e.Line > 0 && e.Offset <= len(src) && e.Code != "" && e.Kind != nil)
			require.NotEmpty(t, e.Excerpt())
			if !errors.Is(err, wire.ErrLimit) && !errors.Is(err, wire.ErrUTF8) {
				require.False(t, json.Valid(text), "encoding/json accepts it: %v", err)
			}
			return
		}
		require.True(t, json.Valid(text), "encoding/json refuses it")
		out := codectest.Encoded(t, wire.JSON{}, v)
		again := codectest.JSON(t, out)
		require.True(t, wire.Identical(v, again))
		require.True(t, wire.Identical(v, v.Clone()))
		loss, _ := wire.Difference(v, again)
		require.Zero(t, loss)

		want, err := oracle(text)
		require.NoError(t, err)
		got, err := oracle(out)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// oracle reads JSON with encoding/json, numbers as their text.
func oracle(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// TestNumberArrays parses arrays of numbers of every length around those at which
// the parser begins to count, in compact and indented text, with a fault or
// something else than a number at every place.
func TestNumberArrays(t *testing.T) {
	numbers := []string{"0", "-0", "1", "-12", "1.5", "0.000000001", "123456789.123456789", "1e5", "-1.25E-10", "12345678901234567890", "0.1234567890123456789"}
	others := []string{"01", "1.", "1.e5", "-", "1e", ".5", "+1", "1 2", "null", "[]", "[1,2]", `"1"`, `"]"`, "{}", `{"a":[1]}`, "", "]", "1]", "1}", "0x1"}
	for n := range 40 {
		for _, sep := range []string{",", ", ", "\n  ,\t"} {
			elems := make([]string, n)
			for i := range elems {
				elems[i] = numbers[(i*7+n)%len(numbers)]
			}
			check := func() {
				text := []byte("[[" + strings.Join(elems, sep) + "], [7]]")
				var want any
				d := json.NewDecoder(bytes.NewReader(text))
				d.UseNumber()
				err := d.Decode(&want)
				got, gotErr := wire.ParseJSON(text)
				require.Equal(t, err == nil && json.Valid(text), gotErr == nil, "%s: %v", text, gotErr)
				if gotErr == nil {
					again, err := marshalJSON(want)
					require.NoError(t, err)
					require.Equal(t, string(again), string(wire.AppendJSON(nil, got)))
				}
			}
			check()
			for i := range elems {
				kept := elems[i]
				elems[i] = others[(i+n)%len(others)]
				check()
				elems[i] = kept
			}
		}
	}
	deep := strings.Repeat("[1,2,3,4,5,6,7,8,9,", 400) + "0" + strings.Repeat("]", 400)
	v := codectest.JSON(t, deep)
	require.Equal(t, deep, v.String())
	_, err := wire.JSON{Limits: wire.Limits{Values: 20}}.Decode([]byte("[" + strings.Repeat("1,", 30) + "1]"))
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestChangingWhiteSpace has objects of one shape with all kinds of white space
// between their members, in which a parser that remembers it could be wrong.
func TestChangingWhiteSpace(t *testing.T) {
	gaps := []string{"", " ", "\n", "\n  ", "\t\t", " \r\n    ", strings.Repeat(" ", 100)}
	var text strings.Builder
	want := strings.Builder{}
	text.WriteString("[")
	want.WriteString("[")
	for i := range 400 {
		gap := func(n int) string { return gaps[(i*i/7+n*i/3)%len(gaps)] }
		if i > 0 {
			text.WriteString(",")
			want.WriteString(",")
		}
		fmt.Fprintf(&text, `{%s"a"%s:%s%d%s,%s"b":%s{"a":%s"x",%s"b":[%s]%s}}`, gap(1), gap(2), gap(3), i, gap(4), gap(5), gap(6), gap(7), gap(8), gap(9), gap(10))
		fmt.Fprintf(&want, `{"a":%d,"b":{"a":"x","b":[]}}`, i)
	}
	text.WriteString("]")
	want.WriteString("]")
	for range 3 {
		v := codectest.JSON(t, text.String())
		require.Equal(t, want.String(), v.String())
		require.NoError(t, wire.View(wire.JSON{}, []byte(text.String()), func(v wire.Value) error {
			require.Equal(t, want.String(), v.String())
			return nil
		}))
	}
}
