package glyph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

const documentPatch = "@patch @schema#abc123 @keys=wire @target=m:123 @base=1a2b3c4d5e6f7890\n= score 5\n+ events \"Goal!\"\n@end"

func TestPatchText(t *testing.T) {
	patch := glyph.NewPatchBuilder("m:123").
		WithBaseFingerprint("1a2b3c4d5e6f7890").
		Set("score", glyph.Int(5)).
		Append("events", glyph.Str("Goal!")).
		Build()
	patch.SchemaID = "abc123"
	text, err := patch.AppendText([]byte("x"))
	require.NoError(t, err)
	require.Equal(t, "x"+documentPatch, string(text))

	parsed, err := glyph.ParsePatch(documentPatch, nil)
	require.NoError(t, err)
	require.Equal(t, documentPatch, parsed.String())
	require.Equal(t, "abc123", parsed.SchemaID)
	require.Equal(t, "m:123", parsed.Target)

	withOthers := strings.Replace(documentPatch, " @target", " @v=2 @note=\"a b\" @target", 1)
	parsed, err = glyph.ParsePatch(withOthers, nil)
	require.NoError(t, err)
	require.Equal(t, documentPatch, parsed.String(), "other programs' words are passed over")

	parsed.Base = ""
	state := parseJSON(t, `{"score":1,"events":[]}`)
	got, err := parsed.Apply(state)
	require.NoError(t, err)
	require.True(t, wire.Equal(parseJSON(t, `{"events":["Goal!"],"score":5}`), got), "%v", got)
	require.True(t, wire.Identical(parseJSON(t, `{"score":1,"events":[]}`), state), "the base is untouched")
	again, err := parsed.Apply(state)
	require.NoError(t, err)
	require.True(t, wire.Identical(got, again), "the patch is untouched")
}

func TestPatchBase(t *testing.T) {
	state := parseJSON(t, `{"score":1,"events":[]}`)
	patch := glyph.NewPatchBuilder("m:123").WithBaseValue(state).Set("score", glyph.Int(5)).Build()
	require.Equal(t, "5f55e871dff893ea", patch.Base)
	_, err := patch.Apply(state)
	require.NoError(t, err)
	v, err := patch.Apply(parseJSON(t, `{"score":2,"events":[]}`))
	requireError(t, err, "base_mismatch", wire.ErrChecksum)
	require.True(t, v.Kind() == wire.KindNull)

	// The document's fingerprint does not tell these apart, the exact one does.
	id := parseJSON(t, `{"id":9007199254740992}`)
	patch = glyph.NewPatchBuilder("").WithBaseValue(id).Set("x", glyph.Int(1)).Build()
	parsed, err := glyph.ParsePatch(patch.String(), nil)
	require.NoError(t, err)
	require.Equal(t, patch.String(), parsed.String())
	other := parseJSON(t, `{"id":9007199254740993}`)
	require.Equal(t, glyph.Fingerprint(id), glyph.Fingerprint(other))
	_, err = parsed.Apply(other)
	requireError(t, err, "base_mismatch", wire.ErrChecksum)
	_, err = parsed.Apply(parseJSON(t, `{"id":9007199254740992.0}`))
	require.NoError(t, err)
	parsed, err = glyph.ParsePatch(strings.Replace(patch.String(), " @exact="+glyph.FingerprintExact(id)[:16], "", 1), nil)
	require.NoError(t, err)
	_, err = parsed.Apply(other)
	require.NoError(t, err)
	require.NotContains(t, glyph.NewPatchBuilder("").WithBaseValue(id).WithBaseFingerprint(glyph.Fingerprint(id)).String(), "@exact")

	// The upstream profile hashes another text of tables.
	table := parseJSON(t, `[{"id":1},{"id":2},{"id":3}]`)
	later, err := upstream.Fingerprint(table)
	require.NoError(t, err)
	require.Equal(t, "b004720c45c011da", later[:16])
	patch = glyph.NewPatchBuilder("x").WithBaseFingerprint(later).Set("[0].id", glyph.Int(5))
	_, err = patch.Apply(table)
	require.NoError(t, err)
	_, err = patch.Apply(parseJSON(t, `[{"id":1},{"id":2},{"id":4}]`))
	requireError(t, err, "base_mismatch", wire.ErrChecksum)

	for _, bad := range []string{"", "1a2b", "xyz0123456789abcd"} {
		p := glyph.NewPatchBuilder("x").WithBaseFingerprint(bad)
		_, err := p.AppendText(nil)
		requireError(t, err, "invalid_base", nil)
		_, err = p.Apply(state)
		requireError(t, err, "invalid_base", nil)
	}
}

// TestPatchWithoutText holds that a patch that could not be built is an error wherever
// it is made, and that its String cannot be sent by mistake.
func TestPatchWithoutText(t *testing.T) {
	p := glyph.NewPatchBuilder("m:1").Set("a..b", glyph.Int(1)).Set("a", glyph.Int(1))
	text, err := p.AppendText([]byte("x"))
	requireError(t, err, "unexpected_character", wire.ErrSyntax)
	require.Equal(t, "x", string(text))
	for _, text := range []string{p.String(), fmt.Sprint(p)} {
		require.Equal(t, "%!v(glyph.Patch: "+err.Error()+")", text)
		_, err := glyph.ParsePatch(text, nil)
		require.Error(t, err)
	}
	p, err = glyph.Diff(glyph.Str("\xff"), glyph.Int(1))
	require.ErrorIs(t, err, wire.ErrUTF8)
	require.Nil(t, p)
}

// patchVectors are operations on a value, as text.
var patchVectors = []struct{ name, base, ops, want string }{
	{"set in a map", `{"a":{"b":1}}`, `= a.b 2`, `{"a":{"b":2}}`},
	{"set in brackets", `{"a":{"b":1}}`, `= ["a"]["b"] 2`, `{"a":{"b":2}}`},
	{"leading dot", `{"a":{"b":1}}`, `= .a.b 2`, `{"a":{"b":2}}`},
	{"set null", `{"a":1}`, `= a _`, `{"a":null}`},
	{"set a new key", `{"a":1}`, `= b {x=[1 t]}`, `{"a":1,"b":{"x":[1,true]}}`},
	{"order matters", `{"a":[9]}`, "= a []\n+ a 1", `{"a":[1]}`},
	{"delta", `{"a":1}`, `~ a +5`, `{"a":6}`},
	{"negative delta", `{"a":1}`, `~ a -5`, `{"a":-4}`},
	{"delta of a float", `{"a":1.5}`, `~ a +0.25`, `{"a":1.75}`},
	{"fraction on a whole number", `{"a":1}`, `~ a 0.5`, `{"a":1.5}`},
	{"a float that becomes whole", `{"s":1.5}`, "~ s +0.5\n~ s +0.25", `{"s":2.25}`},
	{"no rounding", `{"a":0.1}`, `~ a 0.2`, `{"a":0.3}`},
	{"cents", `{"a":19.99}`, "~ a -20\n~ a -0.005", `{"a":-0.015}`},
	{"cancelled", `{"a":-12.50}`, `~ a 12.5`, `{"a":0}`},
	{"borrowed", `{"a":1000}`, `~ a -0.001`, `{"a":999.999}`},
	{"beyond int64", `{"a":9223372036854775807}`, `~ a 1`, `{"a":9223372036854775808}`},
	{"below int64", `{"a":-9223372036854775808}`, `~ a -1`, `{"a":-9223372036854775809}`},
	{"delta beyond int64", `{"a":18446744073709551616}`, `~ a 1`, `{"a":18446744073709551617}`},
	{"nothing added", `{"a":1e99999999999999999999}`, `~ a 0.0`, `{"a":1e99999999999999999999}`},
	{"added to nothing", `{"a":0}`, `~ a -1.50`, `{"a":-1.5}`},
	{"carried", `{"a":9.99e30}`, `~ a 0.01e30`, `{"a":1e31}`},
	{"many digits", `{"a":1e500}`, `~ a 1e-500`, `{"a":1.` + strings.Repeat("0", 999) + `1e500}`},
	{"append makes a list", `{"a":{}}`, "+ a.events \"Goal!\"\n+ a.events x", `{"a":{"events":["Goal!","x"]}}`},
	{"insert makes a list", `{}`, "+ l x @idx=0", `{"l":["x"]}`},
	{"string like an index", `{"a":1}`, `= a "x @idx=3 y"`, `{"a":"x @idx=3 y"}`},
	{"insert", `{"a":[1,2]}`, `+ a x @idx=1`, `{"a":[1,"x",2]}`},
	{"insert at the end", `{"a":[1,2]}`, `+ a x @idx=2`, `{"a":[1,2,"x"]}`},
	{"element", `[1,2,3]`, "= [0] 9\n- [1]", `[9,3]`},
	{"nested lists", `{"a":[[1],[2]]}`, "+ a[1] 3\n= a[0][0] _", `{"a":[[null],[2,3]]}`},
	{"odd keys", `{"a b":{"c]d":1,"x.y":2,"":3,"\"":4}}`, "= \"a b\".\"c]d\" 5\n= \"a b\"[\"x.y\"] 6\n- \"a b\".\"\"\n= \"a b\".\"\\\"\" 7",
		`{"a b":{"c]d":5,"x.y":6,"\"":7}}`},
	{"root", `[1]`, "= . {a=1}\n= a 2", `{"a":2}`},
	{"delete and set", `{"a":1,"b":2}`, "- a\n= a 3", `{"a":3,"b":2}`},
	{"change a set value", `{}`, "= a {b=[]}\n+ a.b 1\n+ a.b 2\n= a.c t", `{"a":{"b":[1,2],"c":true}}`},
	{"comments", `{"a":1}`, "\n# why\n  = a 2  \r\n\n", `{"a":2}`},
	{"unicode", `{"é":1}`, `= é "漢"`, `{"é":"漢"}`},
	{"exact", `{"a":1}`, `= a 12345678901234567890`, `{"a":12345678901234567890}`},
	{"json value", `{"a":1}`, `= a {"b":[1,"c"]}`, `{"a":{"b":[1,"c"]}}`},
}

func TestPatchApply(t *testing.T) {
	for _, c := range patchVectors {
		t.Run(c.name, func(t *testing.T) {
			patch, err := glyph.ParsePatch("@patch @keys=wire\n"+c.ops+"\n@end\n", nil)
			require.NoError(t, err)
			base := parseJSON(t, c.base)
			got, err := patch.Apply(base)
			require.NoError(t, err)
			require.True(t, wire.Equal(parseJSON(t, c.want), got), "%v", got)
			require.True(t, wire.Identical(parseJSON(t, c.base), base))

			back, err := glyph.ParsePatch(patch.String(), nil)
			require.NoError(t, err, patch.String())
			require.Equal(t, patch.String(), back.String())
			got, err = back.Apply(base)
			require.NoError(t, err)
			require.True(t, wire.Equal(parseJSON(t, c.want), got), "%v", got)
		})
	}
}

func TestPatchApplyErrors(t *testing.T) {
	for _, c := range []struct{ name, base, ops, code string }{
		{"no parent", `{}`, `= a.b 2`, "path_not_found"},
		{"no element", `[1]`, `= [1] 2`, "path_not_found"},
		{"no key to delete", `{}`, `- a`, "path_not_found"},
		{"no parent of a list", `{}`, `+ a.b 1`, "path_not_found"},
		{"no element for a list", `{"a":[]}`, `+ a[0] 1`, "path_not_found"},
		{"insert too far into no list", `{}`, `+ a 1 @idx=1`, "path_not_found"},
		{"append to a map", `{"a":{}}`, `+ a 1`, "type_mismatch"},
		{"index of a map", `{"a":{}}`, `= a[0] 1`, "type_mismatch"},
		{"key of a list", `{"a":[]}`, `= a.b 1`, "type_mismatch"},
		{"key of a number", `{"a":1}`, `= a.b 1`, "type_mismatch"},
		{"insert too far", `{"a":[]}`, `+ a 1 @idx=1`, "path_not_found"},
		{"delta of a string", `{"a":"1"}`, `~ a 1`, "type_mismatch"},
		{"very many digits", `{"a":1}`, "~ a 1e-1024", "number_out_of_range"},
		{"huge exponent", `{"a":1}`, "~ a 1e99999999999999999999", "number_out_of_range"},
		{"second operation", `{"a":1}`, "= a 2\n= b.c 1", "path_not_found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			patch, err := glyph.ParsePatch("@patch\n"+c.ops+"\n@end", nil)
			require.NoError(t, err)
			v, err := patch.Apply(parseJSON(t, c.base))
			requireError(t, err, c.code, nil)
			require.True(t, v.Kind() == wire.KindNull)
		})
	}
}

func TestPatchParseErrors(t *testing.T) {
	for _, c := range []struct {
		text, code   string
		line, column int
	}{
		{"", "unexpected_end", 1, 1},
		{"@patch\n= a 1", "missing_end", 2, 6},
		{"@patch\n* a 1\n@end", "unexpected_character", 2, 1},
		{"@patch\n=a 1\n@end", "unexpected_character", 2, 2},
		{"@patch\n= a\n@end", "unexpected_character", 2, 4},
		{"@patch\n= a 1 2\n@end", "unexpected_character", 2, 7},
		{"@patch\n= a hello world\n@end", "unexpected_character", 2, 11},
		{"@patch\n= a [1\n2]\n@end", "unexpected_character", 2, 7},
		{"@patch\n= a @tab _ [x]\n|1|\n@end\n@end", "table_in_line", 2, 5},
		{"@patch\n= a. 1\n@end", "unexpected_character", 2, 5},
		{"@patch\n= a[x] 1\n@end", "unexpected_character", 2, 5},
		{"@patch\n= a[99999999999] 1\n@end", "invalid_index", 2, 5},
		{"@patch\n= a[0]b 1\n@end", "unexpected_character", 2, 7},
		{"@patch\n- a 1\n@end", "unexpected_character", 2, 5},
		{"@patch\n- .\n@end", "invalid_path", 2, 1},
		{"@patch\n~ a x\n@end", "type_mismatch", 2, 1},
		{"@patch\n+ a 1 @idx=x\n@end", "invalid_index", 2, 12},
		{"@patch\n= a 1 @idx=1\n@end", "unexpected_character", 2, 7},
		{"@patch\n= #0 1\n@end", "schema_not_found", 2, 3},
		{"@patch @schema#abc123 @keys=wire\n= a {#0=1}\n@end", "schema_not_found", 2, 6},
		{"@patch\n= " + strings.Repeat("a.", 512) + "a 1\n@end", "too_deep", 2, 1028},
		{"@patch\n@end x", "trailing_data", 2, 6},
		{"@patch @keys=other\n@end", "invalid_key_mode", 1, 14},
		{"@patch @base=12\n@end", "invalid_base", 1, 14},
		{"@patch what=12\n@end", "unexpected_character", 1, 8},
		{"@patch @what=\"1\n@end", "control_character", 1, 16},
		{"@patch @exact=12\n@end", "invalid_base", 1, 15},
		{"@patch @keys=wire @keys=wire\n@end", "duplicate_word", 1, 19},
		{"@patch @base=1a2b3c4d5e6f7890 @base=1a2b3c4d5e6f7890\n@end", "duplicate_word", 1, 31},
		{"@patch @target=\n@end", "unexpected_character", 1, 16},
		{"@patchy\n@end", "unexpected_character", 1, 7},
	} {
		_, err := glyph.ParsePatch(c.text, nil)
		requireError(t, err, c.code, nil)
		e := err.(*wire.Error)
		require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, "%q: %v", c.text, err)
	}
	_, err := glyph.ParsePatch("@patch\n= a 1 2\n@end", nil)
	require.Equal(t, "/0", err.(*wire.Error).Path(), "the operation, not the next one")
	for _, path := range []string{"", "a.", "a..b", "[", "[0", `"a`, "a b", "a[-1]", "=", "[0]x"} {
		_, err := glyph.NewPatchBuilder("x").Set(path, glyph.Int(1)).AppendText(nil)
		require.Error(t, err, path)
	}
	_, err = glyph.NewPatchBuilder("x").Delta("a", glyph.Str("1")).AppendText(nil)
	requireError(t, err, "type_mismatch", wire.ErrShape)
	_, err = glyph.NewPatchBuilder("x").Insert("a", -1, glyph.Int(1)).AppendText(nil)
	requireError(t, err, "invalid_index", wire.ErrRange)
	_, err = glyph.NewPatchBuilder("x").Delete(".").AppendText(nil)
	requireError(t, err, "invalid_path", wire.ErrShape)
	_, err = (&glyph.Patch{Base: "x\n"}).AppendText(nil)
	requireError(t, err, "invalid_base", nil)
	_, err = glyph.NewPatchBuilder("a\xff").Build().AppendText(nil)
	require.Error(t, err)
	_, err = (&glyph.Patch{SchemaID: "a b"}).AppendText(nil)
	require.Error(t, err)
	_, err = glyph.NewPatchBuilder("a").Set("x", glyph.Str("\xff")).Build().AppendText(nil)
	require.ErrorIs(t, err, wire.ErrUTF8)
}

func TestPatchSchemaKeys(t *testing.T) {
	registry := glyph.NewSchemaRegistry()
	registry.Register(glyph.NewSchemaContextWithID("s", []string{"score", "events"}))
	patch, err := glyph.ParsePatch("@patch @schema#s @target=\"x y\"\n= #0 {#1=1}\n@end", registry)
	require.NoError(t, err)
	got, err := patch.Apply(parseJSON(t, `{"score":1}`))
	require.NoError(t, err)
	require.True(t, wire.Equal(parseJSON(t, `{"score":{"events":1}}`), got))
	require.Equal(t, "@patch @schema#s @keys=wire @target=\"x y\"\n= score {events=1}\n@end", patch.String())
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ from, to, ops string }{
		{`{"a":1}`, `{"a":1}`, ""},
		{`{"a":1,"b":2}`, `{"a":1,"c":3}`, "- b\n= c 3\n"},
		{`{"a":{"b":[1,2,3]}}`, `{"a":{"b":[1,9,3]}}`, "= a.b[1] 9\n"},
		{`[1,2,3]`, `[1,2,3,4]`, "+ . 4\n"},
		{`[1,2,3]`, `[1,3]`, "- [1]\n"},
		{`[100,200,300]`, `[100,7,8,200,300]`, "= . [100 7 8 200 300]\n"}, // two insertions would be longer
		{`[1000000000,2000000000,3000000000]`, `[1000000000,7,8,2000000000,3000000000]`, "+ . 7 @idx=1\n+ . 8 @idx=2\n"},
		{`["one","two","three","four","five"]`, `["two","three","four","five","six"]`, "+ . six\n- [0]\n"},
		{`["one","two","three","four","five"]`, `["two","three","FOUR","five","six"]`, "= [3] FOUR\n+ . six\n- [0]\n"},
		{`["one","two","three","four","five"]`, `["zero","one","two","four","five"]`, "- [2]\n+ . zero @idx=0\n"},
		{`[]`, `[1,2]`, "= . [1 2]\n"},
		{`{"a":{"list":[]}}`, `{"a":{"list":[1]}}`, "+ a.list 1\n"},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, ""},
		{`1`, `"x"`, "= . x\n"},
		{`{"a":[]}`, `{"a":{}}`, "= a {}\n"},
		{`{"a b":1}`, `{"a b":2}`, "= \"a b\" 2\n"},
	} {
		from, to := parseJSON(t, c.from), parseJSON(t, c.to)
		patch, err := glyph.Diff(from, to)
		require.NoError(t, err)
		require.Equal(t, "@patch @keys=wire @base="+glyph.Fingerprint(from)[:16]+" @exact="+glyph.FingerprintExact(from)[:16]+"\n"+c.ops+"@end", patch.String())
	}
}

func requireDiff(t testing.TB, from, to wire.Value) {
	t.Helper()
	patch, err := glyph.Diff(from, to)
	require.NoError(t, err)
	got, err := patch.Apply(from)
	require.NoError(t, err)
	loss, path := wire.Difference(to, got)
	require.Zero(t, loss&^wire.LossOrder, "%v at %s\n%v\n%v\n%s", loss, path, from, to, patch)
	text, err := patch.AppendText(nil)
	require.NoError(t, err)
	parsed, err := glyph.ParsePatch(string(text), nil)
	require.NoError(t, err, "%s", text)
	got, err = parsed.Apply(from)
	require.NoError(t, err, "%s", text)
	require.True(t, wire.Equal(to, got), "%v\n%v\n%s", from, to, text)
}

func TestRandomDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range trials.Of(3_000) {
		from, to := randomTyped(r, 4), randomTyped(r, 4)
		requireDiff(t, from, to)
		requireDiff(t, from, mutate(r, from))
	}
}

// mutate changes a few places of a value.
func mutate(r *rand.Rand, v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		var elems []wire.Value
		for e := range v.Elements() {
			switch r.IntN(6) {
			case 0:
			case 1:
				elems = append(elems, randomValue(r, 1), e)
			default:
				elems = append(elems, mutate(r, e))
			}
		}
		return wire.Array(elems...)
	case wire.KindObject:
		var entries []glyph.MapEntry
		for key, e := range v.Members() {
			if r.IntN(6) > 0 {
				entries = append(entries, glyph.MapEntry{Key: key, Value: mutate(r, e)})
			}
		}
		if r.IntN(3) == 0 {
			entries = append(entries, glyph.MapEntry{Key: difficult[r.IntN(len(difficult))], Value: randomValue(r, 1)})
		}
		return glyph.Map(entries...)
	}
	if r.IntN(4) == 0 {
		return randomValue(r, 1)
	}
	return v
}

// TestPatchManyOperations holds that a patch takes time in proportion to its
// operations, not to operations times members.
func TestPatchManyOperations(t *testing.T) {
	var text strings.Builder
	text.WriteString("@patch\n")
	for i := range 50_000 {
		key := "k" + strings.Repeat("x", i%7) + string(rune('a'+i%26))
		text.WriteString("= " + key + " 1\n- " + key + "\n")
		text.WriteString("= m" + strings.Repeat("y", i%11) + "_" + string(rune('a'+i%26)) + " [1 2]\n+ list " + key + "\n")
	}
	text.WriteString("@end")
	patch, err := glyph.ParsePatch(text.String(), nil)
	require.NoError(t, err)
	v, err := patch.Apply(parseJSON(t, `{"list":[]}`))
	require.NoError(t, err)
	list, _ := v.Get("list")
	require.Equal(t, 50_000, list.Len())
}

// TestPatchLongLists holds that insertions and deletions anywhere in a long
// list are as in a plain slice, and do not each move the list.
func TestPatchLongLists(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	b := glyph.NewPatchBuilder("")
	var want []wire.Value
	for i := range 20_000 {
		v := glyph.Int(int64(i))
		switch n := r.IntN(6); {
		case n == 0 && len(want) > 0:
			at := r.IntN(len(want))
			b.Delete("a[" + strconv.Itoa(at) + "]")
			want = slices.Delete(want, at, at+1)
		case n == 1:
			b.Append("a", v)
			want = append(want, v)
		case n == 2 && len(want) > 0:
			at := r.IntN(len(want))
			b.Set("a["+strconv.Itoa(at)+"]", v)
			want[at] = v
		default:
			at := r.IntN(len(want) + 1)
			b.Insert("a", at, v)
			want = slices.Insert(want, at, v)
		}
	}
	got, err := b.Build().Apply(parseJSON(t, `{"a":[]}`))
	require.NoError(t, err)
	list, _ := got.Get("a")
	require.True(t, wire.Identical(wire.Array(want...), list))

	// From both ends, until nothing is left.
	var ops strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&ops, "+ . %d @idx=0\n", i)
	}
	for range 100_000 {
		ops.WriteString("- [0]\n")
	}
	patch, err := glyph.ParsePatch("@patch\n"+ops.String()+"@end", nil)
	require.NoError(t, err)
	growth.Within(t, 5*time.Second, func() { got, err = patch.Apply(wire.Array()) })
	require.NoError(t, err)
	require.Zero(t, got.Len())
}

// TestPatchSlash: a JSON pointer is not a path, in whatever operation and in a text; a key that
// begins with a slash is in quotation marks, and so Diff writes it.
func TestPatchSlash(t *testing.T) {
	one := glyph.Int(1)
	for _, path := range []string{"/", "/name", "/a/b", "/a.b", "/0", "/list[0]", "/~1"} {
		for _, p := range []*glyph.Patch{
			glyph.NewPatchBuilder("").Set(path, one), glyph.NewPatchBuilder("").Append(path, one), glyph.NewPatchBuilder("").Insert(path, 0, one),
			glyph.NewPatchBuilder("").Delete(path), glyph.NewPatchBuilder("").Delta(path, one),
		} {
			_, err := p.AppendText(nil)
			requireError(t, err, "invalid_path", wire.ErrShape)
			_, err = p.Apply(codectest.JSON(t, `{"name":"a"}`))
			requireError(t, err, "invalid_path", wire.ErrShape)
		}
		for _, op := range []string{"= %s 1", "+ %s 1", "- %s", "~ %s 1"} {
			_, err := glyph.ParsePatch("@patch\n"+fmt.Sprintf(op, path)+"\n@end", nil)
			requireError(t, err, "invalid_path", wire.ErrShape)
			require.Equal(t, [2]int{2, 3}, [2]int{err.(*wire.Error).Line, err.(*wire.Error).Column})
		}
		for _, quoted := range []string{strconv.Quote(path), "[" + strconv.Quote(path) + "]", "." + strconv.Quote(path)} {
			v, err := glyph.NewPatchBuilder("").Set(quoted, one).Apply(codectest.JSON(t, `{}`))
			require.NoError(t, err)
			require.Equal(t, "{"+strconv.Quote(path)+":1}", v.String())
		}
		from, to := codectest.JSON(t, `{}`), codectest.JSON(t, "{"+strconv.Quote(path)+":{"+strconv.Quote(path)+":[1]}}")
		patch, err := glyph.Diff(from, to)
		require.NoError(t, err)
		text, err := patch.AppendText(nil)
		require.NoError(t, err)
		again, err := glyph.ParsePatch(string(text), nil)
		require.NoError(t, err, "%s", text)
		v, err := again.Apply(from)
		require.NoError(t, err)
		require.True(t, wire.Equal(to, v))
	}
	v, err := glyph.NewPatchBuilder("").Set("a.b/c", one).Apply(codectest.JSON(t, `{"a":{}}`))
	require.NoError(t, err)
	require.Equal(t, `{"a":{"b/c":1}}`, v.String())
}
