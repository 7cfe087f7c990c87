package diff

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// randomValue is a small value, so that two of them often have parts in common.
func randomValue(r *rand.Rand, depth int) wire.Value {
	switch n := r.IntN(7); {
	case n < 2 && depth > 0:
		elements := make([]wire.Value, r.IntN(4))
		for i := range elements {
			elements[i] = randomValue(r, depth-1)
		}
		return wire.Array(elements...)
	case n < 5 && depth > 0:
		var members []wire.Member
		for _, key := range []string{"a", "b/c", "~", "", "*"} {
			if r.IntN(2) == 0 {
				members = append(members, wire.Member{Key: key, Value: randomValue(r, depth-1)})
			}
		}
		return builder.Object(members...)
	case n == 5:
		return wire.Null()
	}
	return wire.Int(r.Int64N(3))
}

// TestPatches: a patch that diff makes is read and makes the second value of the first, and
// a merge patch that cannot is refused.
func TestPatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	merged := 0
	for range 3000 {
		a, b := randomValue(r, 3), randomValue(r, 3)
		text := wire.AppendJSON(nil, jsonPatch(changes(nil, "", a, b)))
		apply, err := patchOptions{}.parse(text)
		require.NoError(t, err)
		got, err := apply(a)
		require.NoError(t, err, "%s %s %s", a, b, text)
		require.True(t, wire.Equal(got, b), "%s %s %s: %s", a, b, text, got)
		if patch, err := mergePatch(a, b); err == nil {
			merged++
			apply, err := patchOptions{}.parse(wire.AppendJSON(nil, patch))
			require.NoError(t, err)
			got, err := apply(a)
			require.NoError(t, err, "%s %s %s", a, b, patch)
			require.True(t, wire.Equal(got, b))
		} else {
			require.Contains(t, []error{errNoMergePatch, errJSONPatch}, err)
		}
	}
	require.Greater(t, merged, 300)
}

// TestJSONPatch: the examples of RFC 6902, appendix A, and what must be refused.
func TestJSONPatch(t *testing.T) {
	for _, test := range []struct{ name, document, patch, want string }{
		{"A.1 add a member", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`, `{"foo":"bar","baz":"qux"}`},
		{"A.2 add an element", `{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`, `{"foo":["bar","qux","baz"]}`},
		{"A.3 remove a member", `{"baz":"qux","foo":"bar"}`, `[{"op":"remove","path":"/baz"}]`, `{"foo":"bar"}`},
		{"A.4 remove an element", `{"foo":["bar","qux","baz"]}`, `[{"op":"remove","path":"/foo/1"}]`, `{"foo":["bar","baz"]}`},
		{"A.5 replace", `{"baz":"qux","foo":"bar"}`, `[{"op":"replace","path":"/baz","value":"boo"}]`, `{"baz":"boo","foo":"bar"}`},
		{"A.6 move", `{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`, `[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{"A.7 move an element", `{"foo":["all","grass","cows","eat"]}`, `[{"op":"move","from":"/foo/1","path":"/foo/3"}]`, `{"foo":["all","cows","eat","grass"]}`},
		{"A.8 test", `{"baz":"qux","foo":["a",2,"c"]}`, `[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]`, `{"baz":"qux","foo":["a",2,"c"]}`},
		{"A.9 test fails", `{"baz":"qux"}`, `[{"op":"test","path":"/baz","value":"bar"}]`, ""},
		{"A.10 nested", `{"foo":"bar"}`, `[{"op":"add","path":"/child","value":{"grandchild":{}}}]`, `{"foo":"bar","child":{"grandchild":{}}}`},
		{"A.11 unknown members", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux","xyz":123}]`, `{"foo":"bar","baz":"qux"}`},
		{"A.12 nowhere", `{"foo":"bar"}`, `[{"op":"add","path":"/baz/bat","value":"qux"}]`, ""},
		{"A.14 escapes", `{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":10}]`, `{"/":9,"~1":10}`},
		{"A.15 string and number", `{"~1":10}`, `[{"op":"test","path":"/~01","value":"10"}]`, ""},
		{"A.16 append", `{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`, `{"foo":["bar",["abc","def"]]}`},
		{"the whole", `{"foo":1}`, `[{"op":"replace","path":"","value":[1]}]`, `[1]`},
		{"into itself", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, ""},
		{"beyond the end", `[1]`, `[{"op":"add","path":"/2","value":1}]`, ""},
		{"a zero before an index", `[1]`, `[{"op":"add","path":"/00","value":1}]`, ""},
		{"replace what is not there", `{}`, `[{"op":"replace","path":"/a","value":1}]`, ""},
		{"no value", `{}`, `[{"op":"add","path":"/a"}]`, ""},
		{"no object", `{}`, `[{"op":"add","path":"/a","value":1},1]`, ""},
		{"no operation", `{}`, `[{"path":"/a"}]`, ""},
		{"nothing to do", `{"a":1}`, `[]`, `{"a":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			document, err := wire.ParseJSON([]byte(test.document))
			require.NoError(t, err)
			apply, err := patchOptions{}.parse([]byte(test.patch))
			require.NoError(t, err)
			got, err := apply(document)
			if test.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			want, err := wire.ParseJSON([]byte(test.want))
			require.NoError(t, err)
			require.True(t, wire.Equal(want, got), got)
		})
	}
}

// TestMergePatch: the examples of RFC 7396, appendix A, as they are told from other patches,
// and lists that only --merge-patch takes for merge patches.
func TestMergePatch(t *testing.T) {
	for _, test := range []struct {
		document, patch, want string
		said                  bool // by --merge-patch
	}{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`, false},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`, false},
		{`{"a":"b"}`, `{"a":null}`, `{}`, false},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`, false},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`, false},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`, false},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`, false},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`, false},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`, false},
		{`{"a":"b"}`, `["c"]`, `["c"]`, false},
		{`{"a":"foo"}`, `null`, `null`, false},
		{`{"a":"foo"}`, `"bar"`, `"bar"`, false},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`, false},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`, false},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`, false},

		{`{}`, ` -1.50 `, `-1.50`, false}, {`{}`, "true\n", `true`, false}, {`{}`, "\ufefffalse", `false`, false},
		{`{}`, `[{"id":1,"a":null}]`, `[{"id":1,"a":null}]`, true}, {`{}`, `[null]`, `[null]`, false}, {`[]`, `[[{"op":"add"}]]`, `[[{"op":"add"}]]`, false},
		{`{"a":1}`, `[]`, `[]`, true}, {`{}`, `[{"op":"add"}]`, `[{"op":"add"}]`, true}, {`1`, `[1,{"path":"x"}]`, `[1,{"path":"x"}]`, true}, {`{"a":1}`, `{"a":null}`, `{}`, true},
	} {
		apply, err := patchOptions{mergePatch: test.said}.parse([]byte(test.patch))
		require.NoError(t, err, test)
		got, err := apply(codectest.JSON(t, test.document))
		require.NoError(t, err, test)
		require.Equal(t, test.want, string(wire.AppendJSON(nil, got)), test)
	}
	for _, text := range []string{"", "\n", "nul", "nullx", `"x`, "1 2", "{", "[", "a: 1", "@patch", "x\n@patch"} {
		_, err := patchOptions{}.parse([]byte(text))
		if text != "@patch" {
			require.Error(t, err, "%q", text)
		}
		_, err = patchOptions{mergePatch: true}.parse([]byte(text))
		require.Error(t, err, "%q", text)
	}
}
