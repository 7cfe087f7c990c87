package splice_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/splice"
)

func find(text string, names ...string) (splice.Object, bool) {
	return splice.FindMembers([]byte(text), splice.Whole([]byte(text)), names...)
}

// TestCut: a member is taken out with one comma, wherever it is.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		`{"x":1}`:                       `{}`,
		` { "x" : [1,{"x":"}"}] } `:     ` {  } `,
		`{"x":1,"a":2}`:                 `{"a":2}`,
		`{ "x":"\"" , "a":2 }`:          `{ "a":2 }`,
		`{"a":2,"x":1}`:                 `{"a":2}`,
		`{"a":2 , "x":true , "b":-1e5}`: `{"a":2 , "b":-1e5}`,
		`{"a":null,"\u0078":false}`:     `{"a":null}`,
	} {
		o, ok := find(text, "y", "x")
		require.True(t, ok, text)
		require.False(t, o.Members[0].Found)
		require.True(t, o.Members[1].Found, text)
		require.Equal(t, want, string(splice.Apply([]byte(text), splice.Remove([]byte(text), o.Span, "x"))))
		require.True(t, json.Valid([]byte(want)))
		added := splice.Apply([]byte(text), []splice.Edit{splice.Append([]byte(text), o.Span, "n", []byte("7"))})
		require.True(t, json.Valid(added), "%s", added)
	}
}

func TestNoObject(t *testing.T) {
	for _, text := range []string{
		``, ` `, `[]`, `7`, `{`, `{"x"`, `{"x":`, `{"x":1`, `{"x":1,`, `{"x":1,}`, `{"x" 1}`, `{x:1}`, `{"x":1}}`, `{}x`, `{"x":1 "a":2}`,
		`{"x":"`, `{"x":"\`, `{"x":[}`, `{"x":tru}`, `{"x":nul`, `{"x":1,"x":2}`, "{\"x\":\"\n\"}", `{"x":}`,
	} {
		_, ok := find(text, "x")
		require.False(t, ok, text)
	}
}

func TestElements(t *testing.T) {
	for text, want := range map[string][]string{
		`[]`: nil, `[ ]`: nil, ` [1, "a,]" ,{"x":[2]}] `: {`1`, `"a,]"`, `{"x":[2]}`}, `[[],[]]`: {`[]`, `[]`},
	} {
		var got []string
		list, ok := splice.FindElements([]byte(text), splice.Whole([]byte(text)))
		require.True(t, ok, text)
		for _, s := range list {
			got = append(got, string(s.Of([]byte(text))))
		}
		require.Equal(t, want, got)
	}
	for _, text := range []string{``, `{}`, `[`, `[1`, `[1,`, `[1,]`, `[1 2]`, `[1]]`} {
		_, ok := splice.FindElements([]byte(text), splice.Whole([]byte(text)))
		require.False(t, ok, text)
	}
}

func TestAllMembers(t *testing.T) {
	text := []byte(`{"a": 1, "b":{"c":2}}`)
	o, ok := splice.AllMembers(text, splice.Whole(text))
	require.True(t, ok)
	require.Len(t, o.Members, 2)
	require.Equal(t, `{"c":2}`, string(o.Members[1].Value.Of(text)))
}

// TestIndex: a text whose long strings are known gives what its bytes do.
func TestIndex(t *testing.T) {
	long := strings.Repeat(`x\"{[`, 100)
	whole := `{"a":["` + long + `",{"b":"` + long + `"}],"` + long + `":1,"c":"short"}`
	for end := range len(whole) + 1 {
		text := []byte(whole[:end])
		want, ok := splice.AllMembers(text, splice.Whole(text))
		names := []string{"a", "c", strings.ReplaceAll(long, `\`, "")}
		have, same := splice.Index(text).FindMembers(splice.Whole(text), names...)
		require.Equal(t, ok, same)
		if ok {
			require.Equal(t, want.Members[0], have.Members[0])
			require.Equal(t, want.Members[1], have.Members[2])
			require.Equal(t, want.Members[2], have.Members[1])
			list, ok := splice.Index(text).FindElements(have.Members[0].Value)
			require.True(t, ok)
			require.Equal(t, long, string(text[list[0].Start+1:list[0].End-1]))
		}
	}
}

// FuzzFind: in JSON that encoding/json takes every member is found where it
// is, and can be taken out; nothing else makes a panic.
func FuzzFind(f *testing.F) {
	f.Add([]byte(`{"a": [1,{"b":"\""}], "c":-1.5e3 ,"d":null}`))
	f.Add([]byte(`{"a":}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, ok := splice.AllMembers(text, splice.Whole(text))
		if !json.Valid(text) {
			return
		}
		var want map[string]json.RawMessage
		if json.Unmarshal(text, &want) != nil || want == nil {
			require.False(t, ok)
			return
		}
		require.True(t, ok)
		for _, m := range o.Members {
			key, ok := splice.Unquote(m.Key.Of(text))
			require.True(t, ok)
			require.Contains(t, want, key)
			require.True(t, json.Valid(m.Value.Of(text)))
			require.True(t, json.Valid(splice.Apply(text, splice.Remove(text, o.Span, key))))
		}
		require.True(t, json.Valid(splice.Apply(text, []splice.Edit{splice.Append(text, o.Span, "k", []byte("1"))})))
	})
}

// TestMembers: members are found by their names, in whatever way these are written.
func TestMembers(t *testing.T) {
	text := []byte(` {"a":"x","b\u0063":"y\n","d":{"e":[1,{"f":2},[],{"f":3}]},"a":5} `)
	m, ok := splice.Text{Bytes: text}.MembersAt(splice.Whole(text))
	require.True(t, ok)
	require.Equal(t, 4, m.Len())
	require.Equal(t, "x", m.Word("d", "none", "a"), "the first of two")
	require.Equal(t, "y\n", m.Word("bc"))
	require.True(t, m.Has("d") && m.Begins("d", '{') && !m.Begins("none", '{') && !m.Has("b"))
	require.Empty(t, m.Raw("none"))
	var all []string
	for o := range m.Object("d").Objects("e") {
		all = append(all, string(o.Raw("f")))
	}
	require.Equal(t, []string{"2", "3"}, all)
	require.Zero(t, m.Object("a").Len())
	m, ok = splice.Text{Bytes: text}.MembersAt(splice.Span{Start: 1, End: 20})
	require.False(t, ok)
	require.Equal(t, "x", m.Word("a"))
}
