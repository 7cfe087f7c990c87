package glyph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// parseVectors are texts and the JSON of their values.
var parseVectors = []struct{ text, json string }{
	{`_`, `null`}, {`∅`, `null`}, {`null`, `null`}, {`none`, `null`}, {`nil`, `null`},
	{`t`, `true`}, {`f`, `false`}, {`true`, `true`}, {`false`, `false`},
	{`"a\u00e9\ud83d\ude00"`, `"aé😀"`},
	{"[1\t2\n3]", `[1,2,3]`}, {`[1, 2, 3]`, `[1,2,3]`}, {`[1 2 3]`, `[1,2,3]`}, {"[ 1 ,2\r\n3 ]", `[1,2,3]`},
	{`{"a":1,"b":[true,null]}`, `{"a":1,"b":[true,null]}`},
	{`{a = 1}`, `{"a":1}`}, {`{a=1, b=2}`, `{"a":1,"b":2}`}, {"{\n  a: 1\n  b: 2\n}", `{"a":1,"b":2}`}, {`{a:b}`, `{"a":"b"}`},
	{`{a=1 a=2}`, `{"a":2}`}, {`{a=1 b=[1] a=[2]}`, `{"a":[2],"b":[1]}`},
	{`[a {x=1}]`, `["a",{"x":1}]`},
	{`[nan inf Infinity NaN]`, `["nan","inf","Infinity","NaN"]`},
	{`[True NULL T]`, `["True","NULL","T"]`},
	{`["a","b"]`, `["a","b"]`}, {`[true,false]`, `[true,false]`}, {` [ ] `, `[]`}, {`{ }`, `{}`},
	{`{t=1 null=2 1=3 -x=4 _=5}`, `{"t":1,"null":2,"1":3,"-x":4,"_":5}`},
	{`{"#0"=1}`, `{"#0":1}`},
	{`[1e3 1E+3 -0 0.10 12345678901234567890]`, `[1e3,1E+3,-0,0.10,12345678901234567890]`},
	{`[9223372036854775807 9223372036854775808 999999999999999999 -999999999999999999]`, `[9223372036854775807,9223372036854775808,999999999999999999,-999999999999999999]`},
	{`[2025-01-01 b64 __init__ _x a/b.c-d]`, `["2025-01-01","b64","__init__","_x","a/b.c-d"]`},
	{"@tab _ rows=3 cols=1 [id]\n|1|\n|2|\n|3|\n@end", `[{"id":1},{"id":2},{"id":3}]`},
	{"@tab _ cols=1 rows=3 more=x [id]\n|1|\n|2|\n|3|\n@end", `[{"id":1},{"id":2},{"id":3}]`},
	{"@tab _ [id]\n|1|\n|2|\n|3|\n@end", `[{"id":1},{"id":2},{"id":3}]`},
	{"\n\t@tab  _  [ a , b ] \r\n | 1 | x |\r\n\n|2|y| \n  @end\n", `[{"a":1,"b":"x"},{"a":2,"b":"y"}]`},
	{"@tab _ [a]\n|\"x|y\"|\n@end", `[{"a":"x|y"}]`}, {"@tab _ [a]\n|\"x\\|y\"|\n@end", `[{"a":"x|y"}]`},
	{"@tab _ [a]\n|{k=\"|\" l=[\"a\\|b\"]}|\n@end", `[{"a":{"k":"|","l":["a|b"]}}]`},
	{"@tab _ [\"a b\" \"c]d\"]\n|1|2|\n@end", `[{"a b":1,"c]d":2}]`},
	{"@tab _ [d]\n|2025-01-01|\n@end", `[{"d":"2025-01-01"}]`},
	{"@tab _ [a b]\n|1||\n||2|\n||  |\n@end", `[{"a":1},{"b":2},{}]`},
	{"@tab _ [a]\n@end", `[]`},
	{"{a={c=@tab _ [x]\n|1|\n|2|\n|3|\n@end} b=2}", `{"a":{"c":[{"x":1},{"x":2},{"x":3}]},"b":2}`},
	{"{\"a b\"=@tab _ [x]\n|1|\n@end b=\"p q r=1\"}", `{"a b":[{"x":1}],"b":"p q r=1"}`},
	{"[@tab _ [x]\n|1|\n@end 1]", `[[{"x":1}],1]`},
	{"[@tab _ [x]\n|1|\n@end,@tab _ [y]\n@end]", `[[{"x":1}],[]]`},
	// The reference writes tables in cells so.
	{"@tab _ rows=3 cols=1 [l]\n|@tab _ rows=2 cols=1 [x]\n\\|1\\|\n\\|\"a\\|b\"\\|\n@end|\n|[]|\n|1|\n@end",
		`[{"l":[{"x":1},{"x":"a|b"}]},{"l":[]},{"l":1}]`},
	{"@tab _ [l m]\n|@tab _ [x]\n\\|@tab _ [y]\n\\\\|7\\\\|\n@end\\|\n@end|_|\n@end", `[{"l":[{"x":[{"y":7}]}],"m":null}]`},
	{"\ufeff{a=1}", `{"a":1}`},
	{"@schema#x @keys=[id name]\n@tab _ [#0 #1]\n|1|a|\n@end", `[{"id":1,"name":"a"}]`},
	{"@schema#x @keys=[id name]\n[@tab _ [#0 #1 \"#2\" z]\n|1|a|{#1=2}|_|\n@end]", `[[{"id":1,"name":"a","#2":{"name":2},"z":null}]]`},
	{"@schema.clear\n{\"#0\"=1}", `{"#0":1}`},
	{"@schema#abc keys=[a \"b c\", 1d]\n{#0=1 #1=2 #02=3}", `{"a":1,"b c":2,"1d":3}`},
}

func TestParse(t *testing.T) {
	for _, c := range parseVectors {
		t.Run(c.text, func(t *testing.T) {
			got := codectest.Decoded(t, glyph.Codec{}, c.text)
			want := parseJSON(t, c.json)
			require.True(t, wire.Identical(want, got), "%v", got)
			// The value shares no memory with the source.
			src := []byte(c.text)
			got = codectest.Decoded(t, glyph.Codec{}, src)
			clear(src)
			require.True(t, wire.Identical(want, got), "%v", got)
		})
	}
}

func TestParseScalars(t *testing.T) {
	at := time.Date(2025, 1, 13, 12, 34, 56, 789e6, time.UTC)
	for text, want := range map[string]wire.Value{
		`^user:42`:                            glyph.ID("user", "42"),
		`^"x y"`:                              glyph.ID("", "x y"),
		`b64"AAEC"`:                           wire.Bytes([]byte{0, 1, 2}),
		`2025-01-13T12:34:56.789Z`:            wire.Time(at),
		`2025-01-13T13:34:56.789+01:00`:       wire.Time(at.In(time.FixedZone("", 3600))),
		`"2025-01-13T12:34:56Z"`:              glyph.Str("2025-01-13T12:34:56Z"),
		`2025-01-13`:                          glyph.Str("2025-01-13"),
		"@tab _ [x]\n|^a:b|\n|b64\"\"|\n@end": wire.Array(glyph.Map(glyph.MapEntry{Key: "x", Value: glyph.ID("a", "b")}), glyph.Map(glyph.MapEntry{Key: "x", Value: wire.Bytes(nil)})),
	} {
		got := codectest.Decoded(t, glyph.Codec{}, text)
		require.True(t, wire.Identical(want, got), "%s: %v", text, got)
	}
}

// errorVectors are texts that are no GLYPH, and where and why.
var errorVectors = []struct {
	name, text, code string
	kind             error
	line, column     int
}{
	{"empty", ``, "unexpected_end", wire.ErrTruncated, 1, 1},
	{"blank", " \n ", "unexpected_end", wire.ErrTruncated, 2, 2},
	{"open map", `{a=1`, "unexpected_end", wire.ErrTruncated, 1, 5},
	{"open list", `[1 2`, "unexpected_end", wire.ErrTruncated, 1, 5},
	{"open string", `"abc`, "unterminated_quote", wire.ErrTruncated, 1, 1},
	{"open escape", `"abc\`, "unexpected_end", wire.ErrTruncated, 1, 6},
	{"two values", `{a=1} {b=2}`, "trailing_data", wire.ErrSyntax, 1, 7},
	{"two words", `hello world`, "trailing_data", wire.ErrSyntax, 1, 7},
	{"no value", `{a}`, "unexpected_character", wire.ErrSyntax, 1, 3},
	{"no key", `{=1}`, "unexpected_character", wire.ErrSyntax, 1, 2},
	{"no value after =", `{a=}`, "unexpected_character", wire.ErrSyntax, 1, 4},
	{"bad", `{bad`, "unexpected_end", wire.ErrTruncated, 1, 5},
	{"trailing comma", `[1,]`, "trailing_comma", wire.ErrSyntax, 1, 4},
	{"two commas", `[1,,2]`, "unexpected_character", wire.ErrSyntax, 1, 4},
	{"leading comma", `[,1]`, "unexpected_character", wire.ErrSyntax, 1, 2},
	{"no separator", `["a""b"]`, "unexpected_character", wire.ErrSyntax, 1, 5},
	{"struct", `[Team{x=1}]`, "unexpected_character", wire.ErrSyntax, 1, 6},
	{"mismatched", `[1}`, "unexpected_character", wire.ErrSyntax, 1, 3},
	{"number", `[1 12ab]`, "invalid_number", wire.ErrSyntax, 1, 4},
	{"leading zero", `01`, "invalid_number", wire.ErrSyntax, 1, 1},
	{"minus", `- `, "invalid_number", wire.ErrSyntax, 1, 1},
	{"half a number", `1. `, "invalid_number", wire.ErrSyntax, 1, 1},
	{"half an exponent", `1e `, "invalid_number", wire.ErrSyntax, 1, 1},
	{"a number cut off", `[1e`, "unexpected_end", wire.ErrTruncated, 1, 4},
	{"number of no schema", `{#0=1}`, "schema_not_found", wire.ErrShape, 1, 2},
	{"number in a header", "@tab _ [#0]\n|1|\n@end", "schema_not_found", wire.ErrShape, 1, 9},
	{"number after clear", "@schema.clear\n{#0=1}", "schema_not_found", wire.ErrShape, 2, 2},
	{"number beyond the keys", "@schema#x @keys=[a]\n{#0=1 #1=2}", "schema_not_found", wire.ErrShape, 2, 7},
	{"number in the keys", "@schema#x @keys=[#0]\n{#0=1}", "schema_not_found", wire.ErrShape, 1, 18},
	{"time", `2025-13-01T00:00:00Z`, "invalid_number", wire.ErrSyntax, 1, 1},
	{"time too exact", `2025-01-01T00:00:00.0123456789Z`, "invalid_number", wire.ErrSyntax, 1, 1},
	{"word", `a@b`, "trailing_data", wire.ErrSyntax, 1, 2},
	{"emoji", `[a 😀]`, "unexpected_character", wire.ErrSyntax, 1, 4},
	{"control character", "\"a\x01\"", "control_character", wire.ErrSyntax, 1, 3},
	{"newline in a string", "\"a\nb\"", "control_character", wire.ErrSyntax, 1, 3},
	{"escape", `"\x"`, "invalid_escape", wire.ErrSyntax, 1, 2},
	{"pipe escape outside a cell", `"\|"`, "invalid_escape", wire.ErrSyntax, 1, 2},
	{"unicode escape", `"\u12g4"`, "invalid_escape", wire.ErrSyntax, 1, 2},
	{"lone surrogate", `"\ud800x"`, "lone_surrogate", wire.ErrUTF8, 1, 2},
	{"low surrogate", `"\udc00"`, "lone_surrogate", wire.ErrUTF8, 1, 2},
	{"utf8", "[\"a\xff\"]", "invalid_utf8", wire.ErrUTF8, 1, 4},
	{"nul", "[1\x00]", "unexpected_character", wire.ErrSyntax, 1, 3},
	{"base64", `b64"A"`, "invalid_base64", wire.ErrSyntax, 1, 1},
	{"base64 newline", `b64"AA\n=="`, "invalid_base64", wire.ErrSyntax, 1, 1},
	{"id", `^ x`, "unexpected_character", wire.ErrSyntax, 1, 2},
	{"bare #", `{#=1}`, "unexpected_character", wire.ErrSyntax, 1, 3},
	{"@", `[@x]`, "unexpected_character", wire.ErrSyntax, 1, 2},
	{"announced rows", "@tab _ rows=5 [a]\n|1|\n@end", "count_mismatch", wire.ErrChecksum, 3, 5},
	{"announced columns", "@tab _ cols=2 [a]\n|1|\n@end", "column_count_mismatch", wire.ErrChecksum, 1, 15},
	{"count", "@tab _ rows=-1 [a]\n@end", "invalid_count", wire.ErrSyntax, 1, 13},
	{"few cells", "@tab _ [a b]\n|1|2|\n|1|\n@end", "row_width_mismatch", wire.ErrSyntax, 3, 4},
	{"many cells", "@tab _ [a]\n|1|2|\n@end", "row_width_mismatch", wire.ErrSyntax, 2, 4},
	{"no pipe", "@tab _ [a]\n|1\n@end", "unexpected_character", wire.ErrSyntax, 2, 3},
	{"no row", "@tab _ [a]\n1\n@end", "unexpected_character", wire.ErrSyntax, 2, 1},
	{"dots", "@tab _ rows=120 cols=1 [a]\n|1|\n...\n@end", "unexpected_character", wire.ErrSyntax, 3, 1},
	{"no end", "@tab _ [a]\n|1|\n", "missing_end", wire.ErrTruncated, 3, 1},
	{"cut row", "@tab _ [a b]\n|1|", "row_width_mismatch", wire.ErrTruncated, 2, 4},
	{"after end", "@tab _ [a]\n|1|\n@end x", "trailing_data", wire.ErrSyntax, 3, 6},
	{"longer than end", "@tab _ [a]\n|1|\n@endx", "unexpected_character", wire.ErrSyntax, 3, 1},
	{"end in the row's line", "@tab _ [a]\n|1| @end", "row_width_mismatch", wire.ErrSyntax, 2, 5},
	{"list over lines in a cell", "@tab _ [a]\n|[1\n2]|\n@end", "unexpected_character", wire.ErrSyntax, 2, 4},
	{"columns", "@tab _ []\n@end", "no_columns", wire.ErrSyntax, 1, 8},
	{"same column", "@tab _ [a a]\n@end", "duplicate_field_name", wire.ErrDuplicateKey, 1, 8},
	{"typed table", "@tab Team [a]\n@end", "typed_table", wire.ErrVersion, 1, 6},
	{"header", "@tab _\n[a]\n@end", "unexpected_character", wire.ErrSyntax, 1, 7},
	{"after the columns", "@tab _ [a] x\n@end", "unexpected_character", wire.ErrSyntax, 1, 12},
	{"table in a cell", "@tab _ [a]\n|@tab _ [x]\n\\|1\\|\n", "missing_end", wire.ErrTruncated, 2, 2},
	{"schema", "@schema#nope\n{#0=1}", "schema_not_found", wire.ErrShape, 1, 1},
	{"schema word", "@schema x", "unexpected_character", wire.ErrSyntax, 1, 8},
	{"schema id", "@schema# x", "unexpected_character", wire.ErrSyntax, 1, 9},
	{"schema keys", "@schema#x @keys=[a", "unexpected_end", wire.ErrTruncated, 1, 19},
	{"schema end", "@schema#x @keys=[a]{}", "unexpected_character", wire.ErrSyntax, 1, 20},
	{"schema alone", "@schema#x @keys=[a]\n", "unexpected_end", wire.ErrTruncated, 2, 1},
}

func TestParseErrors(t *testing.T) {
	for _, c := range errorVectors {
		t.Run(c.name, func(t *testing.T) {
			v, err := glyph.Codec{}.Decode([]byte(c.text))
			requireError(t, err, c.code, c.kind)
			require.True(t, v.Kind() == wire.KindNull)
			e := err.(*wire.Error)
			require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, err.Error())
			// A byte order mark moves the position by its own column.
			_, err = glyph.Codec{}.Decode([]byte("\ufeff" + c.text))
			require.Equal(t, e.Offset+3, err.(*wire.Error).Offset)
		})
	}
}

func TestErrorPaths(t *testing.T) {
	for text, path := range map[string]string{
		`{a=[1 {b=01}]}`:                       "/a/1/b",
		"{a=@tab _ [x y]\n|1|2|\n|1|01|\n@end": "/a/1/y",
		`{a=[1`:                                "/a",
	} {
		_, err := glyph.Codec{}.Decode([]byte(text))
		require.Error(t, err)
		require.Equal(t, path, err.(*wire.Error).Path(), text)
	}
}

func TestDecodeLimits(t *testing.T) {
	for _, c := range []struct {
		text, code string
		limits     wire.Limits
	}{
		{`[[1]]`, "too_deep", wire.Limits{Depth: 1}},
		{"[@tab _ [a]\n@end]", "too_deep", wire.Limits{Depth: 2}},
		{"@tab _ [a]\n|[1]|\n@end", "too_deep", wire.Limits{Depth: 2}},
		{`[1 2 3]`, "too_many_values", wire.Limits{Values: 3}},
		{"@tab _ [a]\n|1|\n|2|\n@end", "too_many_values", wire.Limits{Values: 4}},
		{`[1]`, "input_too_long", wire.Limits{InputBytes: 2}},
	} {
		_, err := glyph.Codec{Limits: c.limits}.Decode([]byte(c.text))
		requireError(t, err, c.code, wire.ErrLimit)
	}
}

// TestTruncation cuts documents everywhere: what is complete before its end is
// a scalar or an error, never silently a shorter container.
func TestTruncation(t *testing.T) {
	for _, c := range parseVectors {
		text := strings.TrimRight(c.text, " \n")
		if !strings.HasSuffix(text, "]") && !strings.HasSuffix(text, "}") && !strings.HasSuffix(text, "@end") {
			continue
		}
		for i := range text {
			_, err := glyph.Codec{}.Decode([]byte(text[:i]))
			require.Error(t, err, text[:i])
		}
	}
}

func TestLenient(t *testing.T) {
	whole := "@tab _ rows=3 cols=2 [id name]\n|1|\"a b\"|\n|2|_|\n|3|c|\n@end"
	rowEnds := []int{41, 47, 53}
	strict := codectest.Decoded(t, glyph.Codec{}, whole)
	require.Equal(t, 3, strict.Len())
	for cut := strings.IndexByte(whole, '\n') + 1; cut <= len(whole); cut++ {
		text := whole[:cut]
		rows := 0
		for _, end := range rowEnds {
			if cut >= end-1 { // complete without its newline
				rows++
			}
		}
		var warned []string
		lenient := glyph.Codec{Lenient: true, Warn: func(e *wire.Error) { warned = append(warned, e.Code) }}
		v := codectest.Decoded(t, lenient, text)
		require.Equal(t, rows, v.Len(), text)
		require.Equal(t, cut < len(whole), len(warned) == 1, "%q: %v", text, warned)

		warned = nil
		n := 0
		for row, err := range lenient.Records(strings.NewReader(text)) {
			require.NoError(t, err, text)
			require.True(t, wire.Identical(strict.Index(n), row))
			n++
		}
		require.Equal(t, rows, n, text)
		require.Equal(t, cut < len(whole), len(warned) > 0, "%q: %v", text, warned)
		if cut < len(whole) {
			_, err := glyph.Codec{}.Decode([]byte(text))
			require.Error(t, err, text)
		}
	}
	short := "@tab _ rows=5 [a]\n|1|\n@end"
	v := codectest.Decoded(t, glyph.Codec{Lenient: true}, short)
	require.Equal(t, 1, v.Len())
	var warned []string
	counting := glyph.Codec{Lenient: true, Warn: func(e *wire.Error) { warned = append(warned, e.Code) }}
	codectest.Decoded(t, counting, short)
	_, err := codectest.Collect(t, counting.Records(strings.NewReader(short)))
	require.NoError(t, err)
	require.Equal(t, []string{"count_mismatch", "count_mismatch"}, warned)
	cut := "@tab _ [a]\n|é|\n|é|"
	v = codectest.Decoded(t, glyph.Codec{Lenient: true}, cut[:len(cut)-2])
	require.Equal(t, 1, v.Len())
	_, err = glyph.Codec{Lenient: true}.Decode([]byte("@tab _ [a]\n|\xff|\n"))
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)
	for _, bad := range []string{"@tab _ [a]\n|1|2|\n|1|\n@end", "@tab _ [a]\n|01|\n@end", "{a=@tab _ [a]\n|1|\n"} {
		_, err := glyph.Codec{Lenient: true}.Decode([]byte(bad))
		require.Error(t, err, "only the end is forgiven: %q", bad)
	}
}

// TestLongLists reads lists of every length around those whose length is looked
// for ahead, with other elements and faults among the numbers.
func TestLongLists(t *testing.T) {
	for n := range 60 {
		for _, odd := range []string{"", "[1 2]", "word", "{a=1}", `"] "`, "]", "}", "1]2"} {
			for _, sep := range []string{" ", ",", " , "} {
				elems := make([]string, n)
				for i := range elems {
					elems[i] = []string{"1", "-2.5", "1000000", "0.000125"}[i%4]
				}
				if odd != "" && n > 2 {
					elems[n/2] = odd
				}
				text := "[" + strings.Join(elems, sep) + "]"
				long, err := glyph.Codec{}.Decode([]byte(text))
				// In front of a word nothing is looked for ahead.
				plain, err2 := glyph.Codec{}.Decode([]byte("[w " + text[1:]))
				require.Equal(t, err == nil, err2 == nil, "%s: %v, %v", text, err, err2)
				if err == nil {
					require.Equal(t, plain.Len()-1, long.Len(), text)
					for i := range long.Len() {
						require.True(t, wire.Identical(plain.Index(i+1), long.Index(i)), text)
					}
				}
			}
		}
	}
	deep := strings.Repeat("[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 ", 300) + strings.Repeat("]", 300)
	codectest.Decoded(t, glyph.Codec{}, deep)
}
