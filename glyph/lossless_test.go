package glyph_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestLossless is what the zero Codec writes, which is read back identical.
func TestLossless(t *testing.T) {
	wide := "[" + strings.Repeat(","+object(30), 3)[1:] + "]"
	for _, c := range []struct{ name, json, want string }{
		{"member order", `{"b":1,"a":2}`, `{b=1 a=2}`},
		{"spelling", `[1.0,1e3,-0,0.10,1E400,505874924095815681]`, `[1.0 1e3 -0 0.10 1E400 505874924095815681]`},
		{"absent", `[{"id":505874924095815681,"name":"a"},{"id":2},{"id":3,"name":"c"},{"id":4,"name":null}]`,
			"@tab _ [id name]⏎|505874924095815681|a|⏎|2||⏎|3|c|⏎|4|_|⏎@end"},
		{"columns in order", `[{"long_name":1,"a":2},{"long_name":3,"a":4},{"long_name":5,"a":6}]`,
			"@tab _ [long_name a]⏎|1|2|⏎|3|4|⏎|5|6|⏎@end"},
		{"a key between others", `[{"aaaaa":1,"zzzzz":2},{"aaaaa":1,"mmmmm":0,"zzzzz":2},{"aaaaa":1,"zzzzz":2}]`,
			"@tab _ [aaaaa mmmmm zzzzz]⏎|1||2|⏎|1|0|2|⏎|1||2|⏎@end"},
		{"two orders", `[{"aaaaaa":1,"bbbbbb":2},{"bbbbbb":1,"aaaaaa":2},{"aaaaaa":1,"bbbbbb":2}]`,
			"[{aaaaaa=1 bbbbbb=2} {bbbbbb=1 aaaaaa=2} {aaaaaa=1 bbbbbb=2}]"},
		{"keys that come one by one", `[{"number":1},{"number":1,"milestone":2},{"number":1,"closed_at":3},{"number":1,"closed_at":4,"milestone":5},{"number":2}]`,
			"@tab _ [number closed_at milestone]⏎|1|||⏎|1||2|⏎|1|3||⏎|1|4|5|⏎|2|||⏎@end"},
		{"two orders of new keys", `[{"aaaaaa":1},{"bbbbbb":1,"aaaaaa":2},{"aaaaaa":1,"bbbbbb":2}]`,
			"[{aaaaaa=1} {bbbbbb=1 aaaaaa=2} {aaaaaa=1 bbbbbb=2}]"},
		{"short keys", `[{"a":1},{"a":2},{"a":3}]`, "[{a=1} {a=2} {a=3}]"},
		{"empty objects", `[{},{},{}]`, "[{} {} {}]"},
		{"an empty row", `[{"aaaaaaaaa":1},{},{"aaaaaaaaa":2},{"aaaaaaaaa":2}]`, "@tab _ [aaaaaaaaa]⏎|1|⏎||⏎|2|⏎|2|⏎@end"},
		{"more than twenty columns", wide, ""},
		{"table or tables within", `[{"l":[{"some_key":1},{"some_key":2},{"some_key":3},{"some_key":4},{"some_key":5}]},{"l":[]},{"l":[]}]`,
			"[{l=@tab _ [some_key]⏎|1|⏎|2|⏎|3|⏎|4|⏎|5|⏎@end} {l=[]} {l=[]}]"},
		{"table and not those within", `[{"long_key":[{"k":1},{"k":2},{"k":3}],"other_key":1},{"long_key":[],"other_key":1},{"long_key":[],"other_key":1}]`,
			"@tab _ [long_key other_key]⏎|[{k=1} {k=2} {k=3}]|1|⏎|[]|1|⏎|[]|1|⏎@end"},
		{"tables beside", `{"a":[{"long_key":1},{"long_key":2},{"long_key":3},{"long_key":4}],"b":[{"long_key":1},{"long_key":2},{"long_key":3},{"long_key":4}]}`,
			"{a=@tab _ [long_key]⏎|1|⏎|2|⏎|3|⏎|4|⏎@end b=@tab _ [long_key]⏎|1|⏎|2|⏎|3|⏎|4|⏎@end}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := parseJSON(t, c.json)
			text := codectest.Encoded(t, glyph.Codec{}, v)
			if c.want != "" {
				require.Equal(t, newlines(c.want), string(text))
			} else {
				require.True(t, strings.HasPrefix(string(text), "@tab _ [k0 k1"), "%s", text)
			}
			back := codectest.Decoded(t, glyph.Codec{}, text)
			require.True(t, wire.Identical(v, back), "%v\n%v", v, back)
		})
	}
}

func object(members int) string {
	var b strings.Builder
	for i := range members {
		b.WriteString(`,"k` + string(rune('0'+i%10)) + strings.Repeat("x", i/10) + `":1`)
	}
	return "{" + b.String()[1:] + "}"
}

// TestTablePlan holds that the choice between tables and lists is the shortest
// there is, by trying all: scalars are a digit, so that sizes are exact.
func TestTablePlan(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tables := 0
	for range 3000 {
		v := nestedRows(r, 3)
		text := codectest.Encoded(t, glyph.Codec{}, v)
		require.Equal(t, shortest(v, false), len(text), "%v\n%s", v, text)
		tables += strings.Count(string(text), "@tab")
		back := codectest.Decoded(t, glyph.Codec{}, text)
		require.True(t, wire.Identical(v, back))
	}
	require.Greater(t, tables, 1000)
}

// nestedRows returns a list of uniform rows, some of whose cells are such lists.
func nestedRows(r *rand.Rand, depth int) wire.Value {
	var entries []glyph.MapEntry
	for i := range r.IntN(3) + 1 {
		entries = append(entries, glyph.MapEntry{Key: strings.Repeat(string(rune('a'+i)), 1+r.IntN(7))})
	}
	rows := make([]wire.Value, r.IntN(5)+1)
	for i := range rows {
		for j := range entries {
			entries[j].Value = glyph.Int(int64(r.IntN(10)))
			if depth > 0 && r.IntN(4) == 0 {
				entries[j].Value = nestedRows(r, depth-1)
			}
		}
		rows[i] = glyph.Map(entries...)
	}
	return wire.Array(rows...)
}

// shortest is the length of the shortest text of what nestedRows makes.
func shortest(v wire.Value, cell bool) int {
	switch v.Kind() {
	case wire.KindObject:
		n := 1
		for key, c := range v.Members() {
			n += 1 + len(key) + 1 + shortest(c, cell)
		}
		return n
	case wire.KindArray:
		list, table := 1, len("@tab _ []\n@end")-1
		for _, key := range v.Index(0).Keys().All() {
			table += len(key) + 1
		}
		for row := range v.Elements() {
			list += 1 + shortest(row, cell)
			table += 2
			for c := range row.Elements() {
				table += 1 + shortest(c, true)
			}
		}
		if !cell && v.Len() >= 3 && table < list {
			return table
		}
		return list
	}
	return 1
}

// TestExact holds that the profile ProfileExact has one text for equal values, and
// different ones for others.
func TestExact(t *testing.T) {
	at := time.Date(2025, 1, 13, 10, 34, 56, 0, time.UTC)
	seen := map[string]bool{}
	for _, group := range [][]wire.Value{
		{parseJSON(t, `9007199254740993`), parseJSON(t, `9007199254740993.0`), parseJSON(t, `90071992547409930e-1`), glyph.Int(9007199254740993)},
		{parseJSON(t, `9007199254740992`), parseJSON(t, `9.007199254740992E15`), wire.Float(9007199254740992)},
		{parseJSON(t, `1`), parseJSON(t, `1.0`), parseJSON(t, `10e-1`)},
		{parseJSON(t, `1.0000000000000000001`), parseJSON(t, `10.000000000000000001e-1`)},
		{parseJSON(t, `-99682.991088799740e+11`), parseJSON(t, `-9968299108879974`)},
		{parseJSON(t, `0`), parseJSON(t, `-0`), parseJSON(t, `0e5`), parseJSON(t, `-0.00`)},
		{parseJSON(t, `1e400`), parseJSON(t, `10e399`), parseJSON(t, `0.01e402`)},
		{wire.Time(at), wire.Time(at.In(time.FixedZone("", 7200)))},
		{parseJSON(t, `{"a":1,"b":null}`), parseJSON(t, `{"b":null,"a":1.0}`)},
		{parseJSON(t, `{"a":1}`)},
		{parseJSON(t, `[{"a":1,"b":null},{"a":2,"b":1},{"a":3,"b":1}]`)},
		{parseJSON(t, `[{"a":1},{"a":2,"b":1},{"a":3,"b":1}]`)},
		{glyph.ID("user", "42")},
		{glyph.Str("^user:42")},
	} {
		text := codectest.Encoded(t, exact, group[0])
		for _, v := range group {
			require.True(t, wire.Equal(group[0], v), "%v %v", group[0], v)
			got := codectest.Encoded(t, exact, v)
			require.Equal(t, string(text), string(got))
			require.Equal(t, glyph.FingerprintExact(group[0]), glyph.FingerprintExact(v))
			back := codectest.Decoded(t, glyph.Codec{}, got)
			require.True(t, wire.Equal(v, back), "%v %v", v, back)
		}
		require.NotContains(t, seen, string(text))
		seen[string(text)] = true
	}
}

// TestExactExponents is exponents that no integer type holds.
func TestExactExponents(t *testing.T) {
	nines, carried := strings.Repeat("9", 30), "1"+strings.Repeat("0", 30)
	short, shortCarried := strings.Repeat("9", 17), "1"+strings.Repeat("0", 17)
	for _, c := range [][2]string{
		{"0.1e" + carried, "1e+" + nines},
		{"10e" + nines, "1e+" + carried},
		{"0.1e-" + nines, "1e-" + carried},
		{"10e-" + carried, "1e-" + nines},
		{"0.1e" + shortCarried, "1e+" + short},
		{"10e" + short, "1e+" + shortCarried},
		{"10e-" + shortCarried, "1e-" + short},
		{"1e+00" + nines, "1e+" + nines},
		{"-12.5e" + nines, "-1.25e+" + carried},
	} {
		text := codectest.Encoded(t, exact, parseJSON(t, c[0]))
		require.Equal(t, c[1], string(text), c[0])
		again := codectest.Encoded(t, exact, parseJSON(t, c[1]))
		require.Equal(t, c[1], string(again))
	}
}

// TestCanonicalTimes holds that equal times have one canonical text.
func TestCanonicalTimes(t *testing.T) {
	at := time.Date(2025, 1, 13, 10, 34, 56, 0, time.UTC)
	a, b := wire.Time(at), wire.Time(at.In(time.FixedZone("", 7200)))
	require.Equal(t, glyph.Fingerprint(a), glyph.Fingerprint(b))
	_, err := glyph.NewPatchBuilder("").WithBaseValue(a).Build().Apply(b)
	require.NoError(t, err)
	text := codectest.Encoded(t, glyph.Codec{}, b)
	require.Equal(t, "2025-01-13T12:34:56+02:00", string(text))
}

func TestMarshalKeepsIntegers(t *testing.T) {
	type row struct {
		ID   int64
		Big  uint64
		Note *string `json:",omitempty"`
	}
	want := []row{{9007199254740993, 1<<64 - 1, nil}, {2, 3, new(string)}, {4, 5, nil}}
	text, err := glyph.Marshal(want)
	require.NoError(t, err)
	var got []row
	require.NoError(t, glyph.Unmarshal(text, &got))
	require.Equal(t, want, got)
}

func TestVariants(t *testing.T) {
	registry, err := wire.NewRegistry(glyph.Codec{})
	require.NoError(t, err)
	require.Equal(t, "glyph", glyph.Codec{Limits: wire.Limits{Depth: 3}}.Info().FullName())
	require.Equal(t, variants.Custom, glyph.Codec{MinRows: 1}.Info().Variant)
	v := parseJSON(t, `[{"b":1.0,"a":null},{"b":9007199254740993},{"b":0.00001}]`)
	for name, want := range map[string]string{
		"glyph":            "[{b=1.0 a=_} {b=9007199254740993} {b=0.00001}]",
		"glyph:canonical":  "@tab _ [a b]\n|_|1|\n|_|9.007199254740992e+15|\n|_|1e-05|\n@end",
		"glyph:no-tabular": "[{a=_ b=1} {b=9.007199254740992e+15} {b=1e-05}]",
		"glyph:corpus":     "[{a=∅ b=1} {b=9.007199254740992e+15} {b=1e-05}]",
		"glyph:upstream":   "@tab _ rows=3 cols=2 [a b]\n|_|1|\n|_|9.007199254740992e+15|\n|_|1e-05|\n@end",
		"glyph:exact":      "@tab _ [a b]\n|_|1|\n||9007199254740993|\n||1e-05|\n@end",
		"glyph:commas":     "[{ b=1.0 a=_},{ b=9007199254740993},{ b=0.00001}]",
		"glyph:keys":       "[{ b=1.0 a=_},{ b=9007199254740993},{ b=0.00001}]",
		"glyph:reorder":    "[{ b=1.0 a=_},{ b=9007199254740993},{ b=0.00001}]",
	} {
		c, err := registry.Lookup(name)
		require.NoError(t, err, name)
		require.Equal(t, name, c.Info().FullName())
		text := codectest.Encoded(t, c, v)
		require.Equal(t, want, string(text), name)
	}
	require.Len(t, describe.Of(glyph.Codec{}).Variants, 8)
}

// TestCommas: separators that take fewer tokens, in lists and after quoted keys,
// at the top and in the cells of tables, which are read back identical.
func TestCommas(t *testing.T) {
	commas := glyph.Codec{Commas: true}
	for in, want := range map[string]string{
		`["a b","c d",1,-2.5,"e","f g",true,null,[1],{"x":1}]`: `["a b","c d",1,-2.5 e "f g",t _,[1],{ x=1}]`,
		`["a","b"]`:  `[a b]`,
		`["","",""]`: `["","",""]`,
		`{"type":"word","b":"two words","c d":null,"e":[],"f g":true}`: `{type:word b="two words","c d":_ e=[],"f g":t}`,
		`[{"first":{},"a":1},"x"]`:                                     `[{ first={} a=1} x]`,
		`{"a":"t","b":{"c":"d"}}`:                                      `{a="t" b={c:d}}`,
		`[{"name":"Ada","city":"Paris"},{"name":"Bob C","city":"t"},{"name":"_x","city":"a|b"}]`: "@tab _ [name city]\n| Ada| Paris|\n|\"Bob C\"|\"t\"|\n| _x|\"a\\|b\"|\n@end",
		`[[1,2],[3]]`:                     `[[1,2],[3]]`,
		`{"a b":1,"c":{"d e":"x"},"":[]}`: `{"a b":1 c={"d e":x},"":[]}`,
		`[{"ident":1,"tags":["a|b",2,{"k|":3}]},{"ident":2,"tags":[1,2]},{"ident":3,"tags":["x y","z"]},{"ident":4,"tags":[]}]`: "@tab _ [ident tags]\n" +
			"|1|[\"a\\|b\",2,{\"k\\|\":3}]|\n|2|[1,2]|\n|3|[\"x y\",z]|\n|4|[]|\n@end",
	} {
		v := parseJSON(t, in)
		text, err := commas.AppendEncode(nil, v)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
		for _, c := range []glyph.Codec{{}, commas} {
			back := codectest.Decoded(t, c, text)
			require.True(t, wire.Identical(v, back), "%s", text)
		}
	}
}

// TestKeys: long keys are numbers of a schema before the text where that takes
// fewer tokens, and nowhere else; members that end in quotation marks or brackets
// come last under Reorder.
func TestKeys(t *testing.T) {
	long := `{"terminationMessagePolicy":"File","n":%d,"image name":"a"}`
	rows := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, `{"`+strconv.Itoa(i)+`":`+fmt.Sprintf(long, i)+`}`) // no table
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for in, want := range map[string]string{
		rows(2):           `[{"0":{terminationMessagePolicy:File n=0 "image name":a}},{"1":{terminationMessagePolicy:File n=1 "image name":a}}]`,
		`{"a":{"b":"c"}}`: `{ a={b:c}}`,
	} {
		text := codectest.Encoded(t, glyph.Codec{Commas: true, Keys: true}, parseJSON(t, in))
		require.Equal(t, want, string(text))
	}
	v := parseJSON(t, rows(40))
	plain := codectest.Encoded(t, glyph.Codec{Commas: true}, v)
	text, err := glyph.Codec{Commas: true, Keys: true}.AppendEncode([]byte("x"), v)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "x@schema#S1 @keys=[terminationMessagePolicy \"image name\"]\n[{\"0\":{#0=File n=0 #1=a}}"), "%.120s", text)
	require.Less(t, len(text), len(plain))
	back := codectest.Decoded(t, glyph.Codec{}, text[1:])
	require.True(t, wire.Identical(v, back))

	in := parseJSON(t, `{"kept":{"s":"x y","n":1,"b":true},"rows":[{"l":[1],"n":2},{"l":[],"n":3,"m":null}]}`)
	text = codectest.Encoded(t, glyph.Codec{Commas: true, Reorder: true}, in)
	require.Equal(t, `{ kept={ n=1 b=t s="x y"} rows=[{ n=2 l=[1]},{ n=3 m=_ l=[]}]}`, string(text))
	back = codectest.Decoded(t, glyph.Codec{}, text)
	require.True(t, wire.Equal(in, back))
	require.Equal(t, wire.LossOrder, glyph.Codec{Reorder: true}.Info().Loss&^glyph.Codec{}.Info().Loss)
	_, err = glyph.Codec{Commas: true, Keys: true, Limits: wire.Limits{OutputBytes: 100}}.AppendEncode(nil, v)
	require.ErrorIs(t, err, wire.ErrLimit)
}
