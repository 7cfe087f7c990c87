package fold

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

var parse = codectest.JSON[string]

// unfolding are wrappers with what they unfold to.
var unfolding = []struct{ name, folded, want string }{
	{"plain", `{"a":1}`, `{"a":1}`},
	{"empty", `{"folded":"","data":[1]}`, `[1]`},
	{"any order", `{"data":["$1"],"legend":{"$1":"x"},"folded":"note"}`, `["x"]`},
	{"a wrapper as data", `{"folded":"","data":{"folded":"","data":1}}`, `{"folded":"","data":1}`},
	{"other members", `{"folded":"","data":1,"more":2}`, `{"folded":"","data":1,"more":2}`},
	{"another kind", `{"folded":1,"data":1}`, `{"folded":1,"data":1}`},
	{"legend", `{"folded":"","legend":{"$1":"ab","$2":"$1"},"data":["$1","$1c","$2","$1~1","$1~~","$$1","$x",{"$1":"$1"}]}`,
		`["ab","abc","$1","ab1","ab~","$1","$x",{"$1":"ab"}]`},
	{"legend of rows", `{"folded":"","legend":[{"ref":"_q1","text":"ab"},{"text":"cd","ref":"_q2"}],"data":["_q1","_q2~7","__q1","_1"]}`,
		`["ab","cd7","_q1","_1"]`},
	{"references anywhere", `{"folded":"","legend":{"$$1":"ab","$$2":"$$1 cd"},"data":["$$1","x $$2, $$1~1$$1~~","$$$1","$$$$2$","$1 $$ $$x ~","",{"$$1":"$$2"}]}`,
		`["ab","x $$1 cd, ab1ab~","$ab","$$$$1 cd$","$1 $$ $$x ~","",{"$$1":"$$1 cd"}]`},
	{"references anywhere with a name", `{"folded":"","legend":[{"ref":"__q1","text":"ab"}],"data":["x __q1","__1 _q1 __q__q1"]}`, `["x ab","__1 _q1 __qab"]`},
	{"references anywhere and rules", `{"folded":"","times":"basic","legend":{"$$1":"20260109T"},"constants":{"":{"c":"$$1"}},"templates":{"":{"b":"$$1<a>"}},"data":{"a":"x $$1","t":"$$1~120500Z"}}`,
		`{"a":"x 20260109T","t":"2026-01-09T12:05:00Z","c":"$$1","b":"$$1x 20260109T"}`},
	{"no legend, no references", `{"folded":"","data":["$1","$$1"]}`, `["$1","$$1"]`},
	{"constants", `{"folded":"","constants":{"[]":{"a":1,"b":{"c":[]}},"[].x":{"y":null}},"data":[{"x":{}},{"z":2,"x":{"w":1}}]}`,
		`[{"x":{"y":null},"a":1,"b":{"c":[]}},{"z":2,"x":{"w":1,"y":null},"a":1,"b":{"c":[]}}]`},
	{"constants of rows", `{"folded":"","constants":[{"at":"","member":"a","value":1}],"data":{"b":2}}`, `{"b":2,"a":1}`},
	{"constants by path", `{"folded":"","constants":[{"at":"[]","members":{"a":1,"b":{"c":[]}}},{"members":{"y":null},"at":"[].x"},{"at":"[]","member":"d","value":2}],"data":[{"x":{}}]}`,
		`[{"x":{"y":null},"a":1,"b":{"c":[]},"d":2}]`},
	{"templates by path", `{"folded":"","templates":[{"at":"[]","members":{"b":"<a>!","c":"=b"}}],"data":[{"a":"x"}]}`, `[{"a":"x","b":"x!","c":"x!"}]`},
	{"positions", `{"folded":"","constants":[{"at":"","member":"a","value":1,"index":0},{"at":"","member":"d","value":4,"index":3}],"templates":[{"at":"","member":"e","value":"=b"}],"data":{"b":2,"c":3}}`,
		`{"a":1,"b":2,"c":3,"d":4,"e":2}`},
	{"templates", `{"folded":"","templates":{"[]":{"url":"https://x/<id>/<<","text":"<id>","same":"=id","events":"<url>/events"}},"data":[{"id":7},{"id":"a"}]}`,
		`[{"id":7,"url":"https://x/7/<","text":"7","same":7,"events":"https://x/7/</events"},{"id":"a","url":"https://x/a/<","text":"a","same":"a","events":"https://x/a/</events"}]`},
	{"a template of a constant", `{"folded":"","constants":{"":{"a":"x"}},"templates":{"":{"b":"<a>y"}},"data":{}}`, `{"a":"x","b":"xy"}`},
	{"rules do not search what rules restore", `{"folded":"","constants":{"":{"a":{"b":{}}},"c":{"d":1}},"data":{"c":{}}}`, `{"c":{"d":1},"a":{"b":{}}}`},
	{"sources are unfolded", `{"folded":"","legend":{"$1":"ab"},"templates":{"":{"b":"<a>!"}},"data":{"a":"$1c"}}`, `{"a":"abc","b":"abc!"}`},
	{"rules are not", `{"folded":"","legend":{"$1":"ab"},"constants":{"":{"c":"$1"}},"templates":{"":{"b":"$1<a>"}},"data":{"a":"$1"}}`, `{"a":"ab","c":"$1","b":"$1ab"}`},
	{"names in a frame", `{"folded":"","templates":{"[]":{"b":"[<b<a><c>>]","a":"x<a>"}},"data":[{"a":"1","b":"<a>/<a>, <c>"},{"b":"<a> < <b>","c":7},{"a":2,"b":"<a","c":true}]}`,
		`[{"a":"x1","b":"[x1/x1, <c>]"},{"b":"[<a> < <b>]","c":7},{"a":"x2","b":"[<a]","c":true}]`},
	{"names of what a frame restored", `{"folded":"","templates":{"":{"a":"x<a>","b":"<b<a>>!"}},"data":{"a":"1","b":"<a>"}}`, `{"a":"x1","b":"x1!"}`},
	{"the text of the object before", `{"folded":"","legend":{"$1":"="},"templates":{"[]":{"b":"x<b<=>>","c":"<b>"},"[].d[]":{"e":"<e<=><f>>"}},"data":[{"b":"1","d":[{"e":"<f>","f":"g"}]},{"b":"=","d":[]},{"b":"$1","d":[{"e":"="},{"e":"==","f":"g"}]}]}`,
		`[{"b":"x1","d":[{"e":"g","f":"g"}],"c":"x1"},{"b":"x1","d":[],"c":"x1"},{"b":"x1","d":[{"e":"g"},{"e":"==","f":"g"}],"c":"x1"}]`},
	{"times", `{"folded":"","times":"basic","data":["20260109T120500Z","2026-01-09T12:05:00Z","20260109T120500","x"]}`,
		`["2026-01-09T12:05:00Z","2026-01-09T12:05:00Z","20260109T120500","x"]`},
	{"a time of a reference", `{"folded":"","times":"basic","legend":{"$1":"20260109T"},"data":"$1~120500Z"}`, `"2026-01-09T12:05:00Z"`},
	{"a quoted path", `{"folded":"","constants":{"\"a.b\"[]":{"c":1}},"data":{"a.b":[{}]}}`, `{"a.b":[{"c":1}]}`},
}

func TestUnfold(t *testing.T) {
	for _, c := range unfolding {
		t.Run(c.name, func(t *testing.T) {
			got, err := Unfold(parse(t, c.folded), wire.Limits{})
			require.NoError(t, err)
			require.Equal(t, c.want, string(wire.AppendJSON(nil, got)))
		})
	}
}

// malformed are wrappers that cannot be unfolded.
var malformed = []struct {
	name, folded, code, path string
	kind                     error
}{
	{"unknown reference", `{"folded":"","legend":{"$1":"a"},"data":{"x":["$2"]}}`, "unknown_reference", "/data/x/0", wire.ErrSyntax},
	{"reference 0", `{"folded":"","legend":{"$1":"a"},"data":"$0"}`, "unknown_reference", "/data", wire.ErrSyntax},
	{"endless reference", `{"folded":"","legend":{"$1":"a"},"data":"$99999999999999999999"}`, "unknown_reference", "/data", wire.ErrSyntax},
	{"unknown reference in a string", `{"folded":"","legend":{"$$1":"a"},"data":{"x":["a $$1 $$2"]}}`, "unknown_reference", "/data/x/0", wire.ErrSyntax},
	{"reference 0 in a string", `{"folded":"","legend":{"$$1":"a"},"data":"x $$0"}`, "unknown_reference", "/data", wire.ErrSyntax},
	{"endless reference in a string", `{"folded":"","legend":{"$$1":"a"},"data":"x $$99999999999999999999"}`, "unknown_reference", "/data", wire.ErrSyntax},
	{"three sigils", `{"folded":"","legend":{"$$$1":"a"},"data":1}`, "malformed_reference", "/legend/$$$1", wire.ErrSyntax},
	{"two sigils", `{"folded":"","legend":{"$@1":"a"},"data":1}`, "malformed_reference", "/legend/$@1", wire.ErrSyntax},
	{"one sigil, then two", `{"folded":"","legend":{"$1":"a","$$2":"b"},"data":1}`, "reference_out_of_order", "/legend/$$2", wire.ErrSyntax},
	{"legend of the wrong kind", `{"folded":"","legend":1,"data":1}`, "malformed_legend", "/legend", wire.ErrShape},
	{"entry that is no string", `{"folded":"","legend":{"$1":1},"data":1}`, "malformed_entry", "/legend/$1", wire.ErrShape},
	{"empty entry", `{"folded":"","legend":{"$1":""},"data":1}`, "malformed_entry", "/legend/$1", wire.ErrShape},
	{"gap", `{"folded":"","legend":{"$1":"a","$3":"b"},"data":1}`, "reference_out_of_order", "/legend/$3", wire.ErrSyntax},
	{"twice", `{"folded":"","legend":[{"ref":"$1","text":"a"},{"ref":"$1","text":"b"}],"data":1}`, "reference_out_of_order", "/legend/1", wire.ErrSyntax},
	{"no sigil", `{"folded":"","legend":{"1":"a"},"data":1}`, "malformed_reference", "/legend/1", wire.ErrSyntax},
	{"letter as a sigil", `{"folded":"","legend":{"q1":"a"},"data":1}`, "malformed_reference", "/legend/q1", wire.ErrSyntax},
	{"tilde as a sigil", `{"folded":"","legend":{"~1":"a"},"data":1}`, "malformed_reference", "/legend/~01", wire.ErrSyntax},
	{"capital name", `{"folded":"","legend":{"$Q1":"a"},"data":1}`, "malformed_reference", "/legend/$Q1", wire.ErrSyntax},
	{"begins at 2", `{"folded":"","legend":{"$2":"a"},"data":1}`, "malformed_reference", "/legend/$2", wire.ErrSyntax},
	{"row without a text", `{"folded":"","legend":[{"ref":"$1"}],"data":1}`, "malformed_legend", "/legend/0", wire.ErrShape},
	{"row that is no object", `{"folded":"","legend":[1],"data":1}`, "malformed_legend", "/legend/0", wire.ErrShape},
	{"rules of the wrong kind", `{"folded":"","constants":1,"data":1}`, "malformed_rule", "/constants", wire.ErrShape},
	{"rules of a path of the wrong kind", `{"folded":"","constants":{"a":1},"data":1}`, "malformed_rule", "/constants/a", wire.ErrShape},
	{"row without a value", `{"folded":"","constants":[{"at":"a","member":"b"}],"data":1}`, "malformed_rule", "/constants/0", wire.ErrShape},
	{"row with more", `{"folded":"","constants":[{"at":"a","member":"b","value":1,"x":1}],"data":1}`, "malformed_rule", "/constants/0", wire.ErrShape},
	{"path of the wrong kind", `{"folded":"","constants":[{"at":1,"members":{}}],"data":1}`, "malformed_rule", "/constants/0", wire.ErrShape},
	{"path with more", `{"folded":"","constants":[{"at":"","members":{},"index":0}],"data":1}`, "malformed_rule", "/constants/0", wire.ErrShape},
	{"members of the wrong kind", `{"folded":"","constants":[{"at":"","members":[]}],"data":{}}`, "malformed_rule", "/constants/0/members", wire.ErrShape},
	{"a template by path that is none", `{"folded":"","templates":[{"at":"","members":{"a":"b"}}],"data":{}}`, "malformed_template", "/templates/0/members/a", wire.ErrSyntax},
	{"negative position", `{"folded":"","constants":[{"at":"","member":"b","value":1,"index":-1}],"data":{}}`, "malformed_rule", "/constants/0/index", wire.ErrShape},
	{"position behind the end", `{"folded":"","constants":[{"at":"","member":"b","value":1,"index":1}],"data":{}}`, "bad_position", "/data/b", wire.ErrRange},
	{"position twice", `{"folded":"","constants":[{"at":"","member":"b","value":1,"index":0},{"at":"","member":"c","value":1,"index":0}],"data":{}}`, "bad_position", "/data/c", wire.ErrRange},
	{"bad path", `{"folded":"","constants":{"a..b":{"c":1}},"data":{}}`, "malformed_path", "/constants", wire.ErrSyntax},
	{"path to nothing", `{"folded":"","constants":{"a":{"c":1}},"data":{}}`, "rule_without_object", "", wire.ErrShape},
	{"path to no object", `{"folded":"","constants":{"a":{"c":1}},"data":{"a":[]}}`, "rule_without_object", "", wire.ErrShape},
	{"member is there", `{"folded":"","constants":{"[]":{"c":1}},"data":[{},{"c":1}]}`, "member_is_there", "/data/1/c", wire.ErrDuplicateKey},
	{"member restored twice", `{"folded":"","constants":{"[]":{"c":1}},"templates":{"[]":{"c":"=d"}},"data":[{"d":1}]}`, "member_is_there", "/data/0/c", wire.ErrDuplicateKey},
	{"source is missing", `{"folded":"","templates":{"[]":{"c":"x<d>"}},"data":[{"d":"1"},{}]}`, "source_is_missing", "/data/1/c", wire.ErrShape},
	{"source comes later", `{"folded":"","templates":{"":{"c":"x<d>","d":"x<e>"}},"data":{"e":"1"}}`, "source_is_missing", "/data/c", wire.ErrShape},
	{"a frame without a text", `{"folded":"","templates":{"":{"c":"x<c>"}},"data":{"c":true}}`, "source_is_no_text", "/data/c", wire.ErrShape},
	{"a frame without a member", `{"folded":"","templates":{"":{"c":"x<c>"}},"data":{}}`, "rule_without_object", "", wire.ErrShape},
	{"two frames of a member", `{"folded":"","templates":[{"at":"","member":"c","value":"x<c>"},{"at":"","member":"c","value":"<c>y"}],"data":{"c":"1"}}`, "member_is_there", "/templates", wire.ErrDuplicateKey},
	{"no object before", `{"folded":"","templates":{"[]":{"c":"<c<=>>"}},"data":[{},{"c":"="}]}`, "source_is_missing", "/data/1/c", wire.ErrShape},
	{"names in a template of another member", `{"folded":"","templates":{"":{"c":"<d<e>>"}},"data":{"d":"1","e":"2"}}`, "malformed_template", "/templates//c", wire.ErrSyntax},
	{"= in a template of another member", `{"folded":"","templates":{"":{"c":"<d<=>>"}},"data":{"d":"1"}}`, "malformed_template", "/templates//c", wire.ErrSyntax},
	{"a copy of itself", `{"folded":"","templates":{"":{"c":"=c"}},"data":{}}`, "source_is_missing", "/data/c", wire.ErrShape},
	{"source is an object", `{"folded":"","templates":{"":{"c":"=d"}},"data":{"d":{}}}`, "source_is_no_scalar", "/data/c", wire.ErrShape},
	{"source is no text", `{"folded":"","templates":{"":{"c":"x<d>"}},"data":{"d":true}}`, "source_is_no_text", "/data/c", wire.ErrShape},
	{"source is no whole number", `{"folded":"","templates":{"":{"c":"x<d>"}},"data":{"d":1.0}}`, "source_is_no_text", "/data/c", wire.ErrShape},
	{"template that is no string", `{"folded":"","templates":{"":{"c":1}},"data":{}}`, "malformed_template", "/templates//c", wire.ErrSyntax},
	{"template without a source", `{"folded":"","templates":{"":{"c":"x"}},"data":{}}`, "malformed_template", "/templates//c", wire.ErrSyntax},
	{"unknown times", `{"folded":"","times":"unix","data":1}`, "unknown_times", "/times", wire.ErrVersion},
}

func TestUnfoldRefuses(t *testing.T) {
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			got, err := Unfold(parse(t, c.folded), wire.Limits{})
			require.True(t, got.Kind() == wire.KindNull)
			require.ErrorIs(t, err, c.kind)
			e := codectest.Refused(t, err, c.code, nil)
			require.Equal(t, c.path, e.Path())
		})
	}
}

// TestBombs holds that what little text stands for is bounded before it is
// made.
func TestBombs(t *testing.T) {
	limits := wire.Limits{OutputBytes: 1 << 20, Values: 10_000, Depth: 20}
	objects := "[" + strings.Repeat("{},", 9_000) + "{}]"
	for name, folded := range map[string]string{
		"references":          `{"folded":"","legend":{"$1":"` + strings.Repeat("x", 1<<19) + `"},"data":["$1","$1","$1"]}`,
		"phrases":             `{"folded":"","legend":{"$$1":"` + strings.Repeat("x", 1<<18) + `"},"data":["` + strings.Repeat("a $$1 ", 5) + `"]}`,
		"phrases of strings":  `{"folded":"","legend":{"$$1":"` + strings.Repeat("x", 1<<19) + `"},"data":["a $$1","a $$1"]}`,
		"rest":                `{"folded":"","legend":{"$1":"` + strings.Repeat("x", 1<<19) + `"},"data":["$1","$1x"]}`,
		"constants":           `{"folded":"","constants":{"[]":{"c":` + "[" + strings.Repeat("0,", 90) + "0]" + `}},"data":` + objects + `}`,
		"long constants":      `{"folded":"","constants":{"[]":{"c":"` + strings.Repeat("x", 900) + `"}},"data":` + objects + `}`,
		"deep constants":      `{"folded":"","constants":{"[]":{"c":` + strings.Repeat("[", 19) + strings.Repeat("]", 19) + `}},"data":[{}]}`,
		"templates":           `{"folded":"","templates":{"[]":{"c":"` + strings.Repeat("x", 1000) + `<a>"}},"data":[{"a":"1"},` + strings.Repeat(`{"a":"1"},`, 2000) + `{"a":"1"}]}`,
		"chains of templates": `{"folded":"","templates":{"":{"b":"<a>` + strings.Repeat("x", 1<<18) + `","c":"<b>` + strings.Repeat("x", 1<<18) + `","d":"<c>` + strings.Repeat("x", 1<<18) + `"}},"data":{"a":""}}`,
		"names":               `{"folded":"","templates":{"[]":{"c":"<c<a>>"}},"data":[{"a":"` + strings.Repeat("x", 2000) + `","c":"` + strings.Repeat("<a>", 1000) + `"}]}`,
		"texts of before":     `{"folded":"","templates":{"[]":{"c":"<c<=>>"}},"data":[{"c":"` + strings.Repeat("x", 2000) + `"}` + strings.Repeat(`,{"c":"="}`, 1000) + `]}`,
		"deep data":           `{"folded":"","data":` + strings.Repeat("[", 21) + strings.Repeat("]", 21) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Unfold(parse(t, folded), limits)
			require.ErrorIs(t, err, wire.ErrLimit)
			require.ErrorContains(t, err, "Limits.")
			_, err = Unfold(parse(t, folded), wire.Limits{})
			require.NoError(t, err)
		})
	}
}

// TestMemoryOfUnfolding: what is unfolded keeps to the rule of memory, and so
// does its text.
func TestMemoryOfUnfolding(t *testing.T) {
	list := func(n int, of string) string { return "[" + strings.Repeat(of+",", n-1) + of + "]" }
	members := func(n int, unit string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(unit, "%d", strconv.Itoa(i)))
		}
		return "{" + strings.TrimSuffix(b.String(), ",") + "}"
	}
	var cases []resident.Case
	for name, folded := range map[string]string{
		"references": `{"folded":"","legend":{"$1":"` + strings.Repeat("x", 1000) + `"},"data":` + list(100_000, `"$1"`) + `}`,
		"phrases":    `{"folded":"","legend":{"$$1":"` + strings.Repeat("x", 1000) + `"},"data":["` + strings.Repeat("$$1 ", 100_000) + `"]}`,
		"constants":  `{"folded":"","constants":{"[]":` + members(30_000, `"k%d":0,`) + `},"data":` + list(200_000, `{}`) + `}`,
		"names":      `{"folded":"","templates":{"[]":{"b":"<b<a>>"}},"data":[{"a":"` + strings.Repeat("x", 200_000) + `","b":"` + strings.Repeat("<a>", 100_000) + `"}]}`,
		"frames":     `{"folded":"","templates":{"[]":` + members(3000, `"k%d":"<k%d<a>>",`) + `},"data":[{}` + strings.TrimSuffix(members(3000, `,{"k%d":""}`)[1:], "}") + `]}`,
		"repeats":    `{"folded":"","templates":{"[]":{"b":"<b<=>>"}},"data":[{"b":"` + strings.Repeat("x", 1000) + `"},` + list(100_000, `{"b":"="}`)[1:] + `}`,
		"templates":  `{"folded":"","templates":{"[]":` + members(3000, `"k%d":"<a>q",`) + `},"data":` + list(3000, `{"a":"z"}`) + `}`,
	} {
		cases = append(cases, resident.Case{
			Name:  name,
			Input: func() []byte { return []byte(folded) },
			Call: func(src []byte) {
				v, err := wire.ParseJSON(src)
				if err != nil {
					panic(err)
				}
				if v, err = Unfold(v, wire.Limits{}); err == nil {
					wire.AppendJSON(nil, v)
				}
			},
		})
	}
	resident.Check(t, cases...)
}

// TestFoldsWhatUnfolds: what stands for more than is unfolded is not folded.
func TestFoldsWhatUnfolds(t *testing.T) {
	trials.OneGoroutine(t)
	rows := func(n, members int) wire.Value {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,{"id":` + strconv.Itoa(i))
			for j := range members {
				b.WriteString(`,"m` + strconv.Itoa(j) + `":"the same"`)
			}
			b.WriteString("}")
		}
		return parse(t, "["+b.String()[1:]+"]")
	}
	for _, c := range []struct {
		v      wire.Value
		limits wire.Limits
		folded bool
	}{
		{rows(3000, 300), wire.Limits{}, true},
		{rows(3000, 360), wire.Limits{}, false},
		{rows(3000, 360), wire.Limits{Values: bound.Values, OutputBytes: bound.OutputBytes}, true},
		{rows(100, 10), wire.Limits{Values: 1000}, false},
	} {
		v, report, err := Fold(nil, c.v, Options{Limits: c.limits})
		require.NoError(t, err)
		require.Equal(t, c.folded, report.Folded, report.Reason)
		back, err := Unfold(v, c.limits)
		require.NoError(t, err)
		require.True(t, wire.Equal(c.v, back))
	}
}

func TestLegendOf(t *testing.T) {
	l, err := ParseLegend(parse(t, `{"folded":"","legend":[{"ref":"_a1","text":"x"},{"ref":"_a2","text":"y"}],"data":1}`))
	require.NoError(t, err)
	require.Equal(t, 2, len(l.texts))
	require.Equal(t, []string{"_a2", "y"}, []string{l.notation.reference(2), l.texts[1]})
	l, err = ParseLegend(parse(t, `{"folded":"","data":1}`))
	require.NoError(t, err)
	require.Zero(t, len(l.texts))
	_, err = ParseLegend(parse(t, `{"data":1}`))
	require.ErrorIs(t, err, wire.ErrShape)
	_, err = ParseLegend(parse(t, `{"folded":"","legend":[0],"data":1}`))
	require.ErrorIs(t, err, wire.ErrShape)
}

// wrapped makes a wrapper of few words, so that many of them can be unfolded:
// legends that count or do not, rules in every shape, paths that lead somewhere
// or nowhere, and data that refers to them.
func wrapped(r *rand.Rand) wire.Value {
	words := []string{"a", "b", "a", "b", "c", "", "<a>", "=a", "x<a>y", "<b>", "$1", "$2", "$1~1", "$$1", "$9", "a $$1", "$$2~1$$1", "=", "<a<b>>", "<b<=>>", "[]", "[].a", "a[]", "a", "20260109T120500Z"}
	word := func() string { return words[r.IntN(len(words))] }
	var tree func(depth int) wire.Value
	object := func(n int, value func() wire.Value) wire.Value {
		var members []wire.Member
		seen := map[string]bool{}
		for range n {
			if key := word(); !seen[key] {
				seen[key] = true
				members = append(members, wire.Member{Key: key, Value: value()})
			}
		}
		o, _ := wire.Object(members...)
		return o
	}
	list := func(n int, value func() wire.Value) wire.Value {
		elements := make([]wire.Value, n)
		for i := range elements {
			elements[i] = value()
		}
		return wire.Array(elements...)
	}
	tree = func(depth int) wire.Value {
		switch k := r.IntN(6); {
		case k < 2 && depth < 3:
			return list(r.IntN(4), func() wire.Value { return tree(depth + 1) })
		case k < 4 && depth < 3:
			return object(r.IntN(3), func() wire.Value { return tree(depth + 1) })
		case k == 4:
			return wire.Int(int64(r.IntN(3)))
		}
		return wire.String(word())
	}
	pairs := func(pairs ...any) wire.Value {
		var members []wire.Member
		for i := 0; i < len(pairs); i += 2 {
			v, ok := pairs[i+1].(wire.Value)
			if !ok {
				v = wire.String(pairs[i+1].(string))
			}
			members = append(members, wire.Member{Key: pairs[i].(string), Value: v})
		}
		o, _ := wire.Object(members...)
		return o
	}
	rules := func(value func() wire.Value) wire.Value {
		switch r.IntN(4) {
		case 0:
			return object(r.IntN(3), func() wire.Value { return object(r.IntN(3), value) })
		case 1:
			return list(r.IntN(3), func() wire.Value { return pairs("at", word(), "members", object(r.IntN(3), value)) })
		case 2:
			return list(r.IntN(3), func() wire.Value {
				return pairs("at", word(), "member", word(), "value", value(), "index", wire.Int(int64(r.IntN(3))))
			})
		}
		return list(r.IntN(3), func() wire.Value { return pairs("at", word(), "member", word(), "value", value()) })
	}
	members := []any{"folded", "", "data", tree(0)}
	if r.IntN(2) == 0 {
		legend := []any{"$1", "ab", "$2", "cd"}
		if r.IntN(2) == 0 {
			legend[0], legend[2] = "$$1", "$$2"
		}
		if r.IntN(8) == 0 {
			legend[2] = word()
		}
		members = append(members, "legend", pairs(legend...))
	}
	if r.IntN(2) == 0 {
		members = append(members, "constants", rules(func() wire.Value { return tree(2) }))
	}
	if r.IntN(2) == 0 {
		members = append(members, "templates", rules(func() wire.Value { return wire.String(word()) }))
	}
	if r.IntN(4) == 0 {
		members = append(members, "times", "basic")
	}
	return pairs(members...)
}

// unfoldsOrSays holds that a value unfolds to one that folds and unfolds again,
// or that an error says where and why it does not.
func unfoldsOrSays(t *testing.T, v wire.Value) (ok bool) {
	u, err := Unfold(v, wire.Limits{OutputBytes: 1 << 20, Values: 1 << 16})
	if err != nil {
		require.True(t, u.Kind() == wire.KindNull)
		e := codectest.Error(t, err)
		require.NotEmpty(t, e.Code)
		require.NotNil(t, e.Kind)
	} else {
		roundTrips(t, u, eager)
	}
	roundTrips(t, v, eager)
	return err == nil
}

// TestArbitraryWrappers unfolds wrappers of every kind, of which a good part is
// well-formed.
func TestArbitraryWrappers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	good := 0
	const n = 2000
	for range n {
		if unfoldsOrSays(t, wrapped(r)) {
			good++
		}
	}
	require.Greater(t, good, n/20)
	require.Less(t, good, n-n/20)
}

func FuzzWrappers(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { unfoldsOrSays(t, wrapped(rand.New(rand.NewPCG(seed, 5)))) })
}

// FuzzUnfold unfolds whatever parses, and folds what came out again.
func FuzzUnfold(f *testing.F) {
	for _, c := range unfolding {
		f.Add([]byte(c.folded))
	}
	for _, c := range malformed {
		f.Add([]byte(c.folded))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if v, err := wire.ParseJSON(text); err == nil {
			unfoldsOrSays(t, v)
		}
	})
}
