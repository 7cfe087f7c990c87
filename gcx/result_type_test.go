package gcx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/wire"
)

type path struct {
	Path string `json:"path"`
}

// TestInvalidResults: a field whose tag does not fit is an error that names it, whatever
// the payload.
func TestInvalidResults(t *testing.T) {
	for name, r := range map[string]any{
		"field Rows": &struct{ Rows []path }{},
		"field rows": &struct {
			rows []path `gcx:"t"`
		}{},
		"field Empty": &struct {
			Empty []path `gcx:""`
		}{},
		"field Numbers": &struct {
			Numbers []int `gcx:"t"`
		}{},
		"field Map": &struct {
			Map map[string]int `gcx:"t"`
		}{},
		"field List": &struct {
			List []path `gcx:"t,list"`
		}{},
		"field Value": &struct {
			Total int        `gcx:"total"`
			Value wire.Value `gcx:"t"`
		}{},
		"field Starred": &struct {
			Starred []path `gcx:"*.t"`
		}{},
		"field Only": &struct {
			Only []path `gcx:"t=x"`
		}{},
		"after its last field": &struct {
			Rows  []path `gcx:"t"`
			Total int    `gcx:"total"`
		}{},
		"has no section":      &struct{}{},
		"pointer to a struct": (*layouts.Graph)(nil),
		"a result is":         1,
	} {
		_, err := gcx.Codec{}.AppendResult(nil, r)
		require.ErrorIs(t, err, wire.ErrShape, name)
		require.ErrorContains(t, err, name)
		err = gcx.Codec{}.DecodeResult([]byte("GCX1 tool=t fields=path\na\n"), r)
		require.ErrorIs(t, err, wire.ErrShape, name)
		require.ErrorContains(t, err, name)
	}
	_, err := gcx.RowSection(gcx.Header{Tool: "t"}, []struct {
		Names []int `gcx:"comma"`
	}{{}})
	requireError(t, err, "comma_list", wire.ErrShape)
}

// mixed has sections with and without a name.
type mixed struct {
	Note   string     `gcx:"note"`
	Paths  []path     `gcx:"paths"`
	Kind   string     `gcx:"*"`
	Loops  []path     `gcx:"by.*=loops"`
	Others wire.Value `gcx:"by.*"`
	Hidden int        `gcx:"-"`
}

// TestResultTags: a section with a name is there for that name, and a result without one
// has none of them.
func TestResultTags(t *testing.T) {
	for want, r := range map[string]mixed{
		"GCX1 tool=paths fields=path\na\n":                                               {Paths: []path{{"a"}}},
		"GCX1 tool=paths fields=path note=n\nGCX1 tool=by.loops fields=path\nb\n":        {Note: "n", Kind: "loops", Loops: []path{{"b"}}},
		"GCX1 tool=paths fields=path\nGCX1 tool=by.churn fields=value rows=2\n1\n2\n":    {Kind: "churn", Others: wire.Array(wire.Int(1), wire.Int(2))},
		"GCX1 tool=paths fields=path\nGCX1 tool=by.a.b fields=value rows=2\nx\ny\n":      {Kind: "a.b", Others: wire.Array(wire.String("x"), wire.String("y"))},
		"GCX1 tool=paths fields=path note=a\\ b\nGCX1 tool=by.loops fields=path\nc\nd\n": {Note: "a b", Kind: "loops", Loops: []path{{"c"}, {"d"}}},
	} {
		got, err := gcx.Codec{}.AppendResult(nil, r)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		var back mixed
		require.NoError(t, gcx.Codec{}.DecodeResult(got, &back))
		require.True(t, wire.Equal(r.Others, back.Others))
		back.Others = r.Others
		require.Equal(t, r, back)
	}
	var r mixed
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=paths fields=path unknown=1\na\nGCX1 tool=further fields=a\n1\n"), &r))
	require.Equal(t, mixed{Paths: []path{{"a"}}}, r, "without Extras what is further is passed over")
}

// TestPairTypes: a pair's field is a boolean of any type, or an int or a string.
func TestPairTypes(t *testing.T) {
	type flag bool
	type result struct {
		Cut   flag   `gcx:"cut"`
		More  bool   `gcx:"more"`
		Total int    `gcx:"total"`
		Note  string `gcx:"note"`
		Paths []path `gcx:"paths"`
	}
	want := result{true, true, 3, "n", []path{{"a"}}}
	doc, err := gcx.Codec{}.AppendResult(nil, want)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=paths fields=path cut=true more=true note=n total=3\na\n", string(doc))
	var back result
	require.NoError(t, gcx.Codec{}.DecodeResult(doc, &back))
	require.Equal(t, want, back)
	requireError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=paths fields=path cut=maybe\na\n"), &back), "wrong_meta", wire.ErrShape)
}

// TestMarshalModels: what the package models is written as that and not as the Go value
// that it is as well.
func TestMarshalModels(t *testing.T) {
	sections := []gcx.Section{{Header: gcx.Header{Tool: "t", Fields: []string{"a", "b"}}, Rows: [][]string{{"1", "x"}}}}
	want, err := gcx.Codec{}.AppendSections(nil, sections...)
	require.NoError(t, err)
	for _, v := range []any{sections, &sections} {
		got, err := gcx.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		got, err = wire.Internal.AppendMarshal([]byte("before"), gcx.Codec{Plain: true}, v)
		require.NoError(t, err)
		require.Equal(t, "before"+string(want), string(got))
	}
	var back []gcx.Section
	require.NoError(t, gcx.Unmarshal(want, &back))
	require.Equal(t, sections, back)
	require.Error(t, gcx.Unmarshal([]byte("x"), &back))
	require.Equal(t, sections, back)

	r := layouts.SearchSymbols{Total: 3, Symbols: []layouts.Symbol{{Node: layouts.Node{ID: "a", Line: 7}}}}
	want, err = gcx.Codec{}.AppendResult(nil, &r)
	require.NoError(t, err)
	for _, v := range []any{r, &r} {
		got, err := gcx.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		got, err = wire.Internal.AppendMarshal([]byte("before"), gcx.Codec{}, v)
		require.NoError(t, err)
		require.Equal(t, "before"+string(want), string(got))
	}
	var again layouts.SearchSymbols
	require.NoError(t, gcx.Unmarshal(want, &again))
	require.Equal(t, r, again)
	_, err = gcx.Marshal(&layouts.Graph{})
	requireError(t, err, "missing_tool", wire.ErrShape)
	list, err := gcx.Marshal([]layouts.Symbol{{Node: layouts.Node{ID: "a"}}})
	require.NoError(t, err)
	require.Contains(t, string(list), "tool=data ", "rows alone are values")
}

// TestDotsOfAName: a dot that belongs to a tool's name stays apart from the one before the
// key of a list.
func TestDotsOfAName(t *testing.T) {
	const text = "GCX1 tool=a\\.b.c fields=x\n"
	sections, err := gcx.Codec{}.DecodeSections([]byte(text))
	require.NoError(t, err)
	require.Equal(t, "a.b.c", sections[0].Tool)
	again, err := gcx.Codec{}.AppendSections(nil, sections...)
	require.NoError(t, err)
	require.Equal(t, text, string(again))
}
