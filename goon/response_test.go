package goon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

var parse = codectest.JSON[string]

func member(key string, v wire.Value) wire.Member { return wire.Member{Key: key, Value: v} }

func TestParseJSONEnvelope(t *testing.T) { // I1
	for _, c := range documents {
		bare, err := goon.ParseJSON([]byte(c.json))
		require.NoError(t, err, c.name)
		wrapped, err := goon.ParseJSON([]byte(`{"result":` + c.json + `,"query_type":"x","raw_query_strings":["q"],"row_count":3}`))
		require.NoError(t, err, c.name)
		require.Equal(t, c.goon, string(must(goon.Marshal(bare))(t)))
		require.Equal(t, c.goon, string(must(goon.Marshal(*wrapped))(t)))
	}
	_, err := goon.ParseJSON([]byte(`{"result":{"query_type":"search","nodes":[{"type":"A"}],"edges":[]}}`))
	require.Equal(t, "/result/nodes/0", err.(*wire.Error).Path())
	_, err = goon.ParseJSON([]byte(`{`))
	require.ErrorIs(t, err, wire.ErrTruncated)
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func TestIDs(t *testing.T) { // I2, I3
	r, err := goon.ParseJSON([]byte(`{"query_type":"search","edges":[],"nodes":[{"type":"A","id":9007199254740993},{"type":"A","id":"-9223372036854775808","big":18446744073709551615},
		{"id":"+7","type":"A"},{"id":"007","type":"A"}]}`))
	require.NoError(t, err)
	require.EqualValues(t, int64(9007199254740993), r.Nodes[0].ID)
	require.EqualValues(t, int64(-9223372036854775808), r.Nodes[1].ID)
	require.EqualValues(t, 7, r.Nodes[2].ID)
	require.EqualValues(t, 7, r.Nodes[3].ID)
	big, ok := r.Nodes[1].Get("big")
	require.True(t, ok)
	require.Equal(t, "18446744073709551615", big.Text())
}

func TestUnknownMembersAreSkipped(t *testing.T) { // I4
	r, err := goon.ParseJSON([]byte(`{"query_type":"search","new":{"a":1},"nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","weight":3}],
		"pagination":{"has_more":false,"page":9},"columns":null,"rows":null}`))
	require.NoError(t, err)
	require.Len(t, r.Edges, 1)
	require.Nil(t, r.Columns)
	require.Nil(t, r.Rows)
}

// The JSON form keeps what the model has.
func TestJSONRoundTrip(t *testing.T) {
	const text = `{"format_version":"2.0.0","query_type":"aggregation","nodes":[{"type":"User","id":"1","a":1.50,"b":[1,{"c":null}]}],` +
		`"edges":[{"from":"A","from_id":"1","to":"B","to_id":"-2","type":"X","depth":1,"path_id":0,"step":3}],` +
		`"columns":[{"name":"n","function":"max","target":"v","property":"w"}],"group_columns":[{"name":"u","kind":"node","node":"x","entity":"User"},{"name":"s","kind":"property","node":"v","property":"severity"}],` +
		`"rows":[{"u":{"type":"User","id":"5","properties":{"a":1}},"n":null}],"pagination":{"has_more":true,"truncated":true,"total_rows":18446744073709551615,"next_cursor":"c"}}`
	r, err := goon.ParseJSON([]byte(text))
	require.NoError(t, err)
	require.Equal(t, text, string(wire.AppendJSON(nil, r.Value())))

	var decoded goon.Response
	require.NoError(t, json.Unmarshal([]byte(text), &decoded))
	out, err := json.Marshal(&decoded)
	require.NoError(t, err)
	require.JSONEq(t, text, string(out))
	out, err = gojson.Marshal(&decoded)
	require.NoError(t, err)
	require.JSONEq(t, text, string(out))
	require.Error(t, json.Unmarshal([]byte(`{"query_type":1}`), &decoded))

	// Ids given as numbers become strings.
	r, err = goon.ParseJSON([]byte(`{"query_type":"search","nodes":[{"id":1,"x":2,"type":"A"}],"edges":[]}`))
	require.NoError(t, err)
	require.Equal(t, `{"query_type":"search","nodes":[{"type":"A","id":"1","x":2}],"edges":[]}`, string(wire.AppendJSON(nil, r.Value())))
}

func TestUnwrap(t *testing.T) {
	const text = "@header\nquery_type:search\n"
	got, err := goon.ExtractResult([]byte(text))
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	got, err = goon.ExtractResult([]byte(`{"result":"@header\nquery_type:search\n","row_count":0}`))
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	for _, src := range []string{"hello", `{"result":{}}`, `[]`, ""} {
		_, err = goon.ExtractResult([]byte(src))
		require.Error(t, err, src)
		require.Equal(t, "missing_header", err.(*wire.Error).Code)
	}
}

func TestMarshalGoValues(t *testing.T) {
	type node struct {
		Type  string  `json:"type"`
		ID    int64   `json:"id"`
		Title string  `json:"title"`
		Note  *string `json:"note"`
		At    time.Time
		Data  []byte
	}
	type response struct {
		QueryType string `json:"query_type"`
		Nodes     []node `json:"nodes"`
		Edges     []any  `json:"edges"`
	}
	sent := response{"search", []node{{"Issue", 1<<53 + 1, "Fix\nit", nil, time.Date(2026, 5, 8, 22, 55, 58, 0, time.UTC), []byte("ok?")}}, nil}
	text, err := goon.Marshal(sent)
	require.NoError(t, err)
	require.Contains(t, string(text), "\n9007199254740993 At=2026-05-08T22:55:58Z Data=b2s/ title=\"Fix\\nit\"\n")

	var typed goon.Response
	require.NoError(t, goon.Unmarshal(text, &typed))
	require.Len(t, typed.Nodes, 1)
	var loose struct {
		Nodes []struct {
			ID    string `json:"id"`
			Title string `json:"title"`
		} `json:"nodes"`
	}
	require.NoError(t, goon.Unmarshal(text, &loose))
	require.Equal(t, "9007199254740993", loose.Nodes[0].ID)
	require.Equal(t, "Fix\nit", loose.Nodes[0].Title)
	require.Error(t, goon.Unmarshal([]byte("x"), &typed))
	_, err = goon.Marshal([]int{1})
	require.ErrorIs(t, err, wire.ErrShape)
}

func TestInfo(t *testing.T) {
	info := goon.Codec{}.Info()
	require.Equal(t, "goon", info.Name)
	require.False(t, info.Binary)
	all := wire.LossOrder | wire.LossNumberText | wire.LossPrecision | wire.LossMissing | variants.LossKinds | wire.LossContent
	require.Equal(t, all, info.Loss)
}

func TestNewNode(t *testing.T) {
	n, err := goon.NewNode("User", 7, member("name", wire.String("Ann")), member("state", wire.String("on")))
	require.NoError(t, err)
	require.Equal(t, `{"type":"User","id":"7","name":"Ann","state":"on"}`, n.Value().String())
	require.Equal(t, `{"type":"User","id":"7","properties":{"name":"Ann","state":"on"}}`, n.Cell().String())
	back, ok := goon.CellNode(n.Cell())
	require.True(t, ok)
	require.Equal(t, n.Value().String(), back.Value().String())
	var keys []string
	for key := range back.Properties() {
		keys = append(keys, key)
	}
	require.Equal(t, []string{"name", "state"}, keys)
	_, ok = n.Get("id")
	require.False(t, ok)

	_, err = goon.NewNode("User", 7, member("id", wire.Int(1)))
	require.ErrorIs(t, err, wire.ErrShape)
	_, err = goon.NewNode("User", 7, member("a", wire.Int(1)), member("a", wire.Int(1)))
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
	_, ok = goon.CellNode(wire.Int(1))
	require.False(t, ok)
	require.Equal(t, `{"type":"","id":"0"}`, goon.Node{}.Value().String())

	// A node whose identity was changed is written with the new one.
	r, err := goon.ParseJSON([]byte(`{"query_type":"search","nodes":[{"type":"A","id":"1","x":2}],"edges":[]}`))
	require.NoError(t, err)
	r.Nodes[0].ID = 9
	require.Equal(t, `{"type":"A","id":"9","x":2}`, r.Nodes[0].Value().String())
}

func TestValidate(t *testing.T) {
	response := func(rest string) string { return `{"query_type":"traversal",` + rest + `}` }
	path := func(edges string) string { return `{"query_type":"path_finding","nodes":[],"edges":[` + edges + `]}` }
	const ab, bc, cd = `{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":0,"step":0}`,
		`{"from":"B","from_id":"2","to":"C","to_id":"3","type":"Y","path_id":0,"step":1}`,
		`{"from":"C","from_id":"9","to":"D","to_id":"4","type":"Z","path_id":0,"step":1}`
	for _, c := range []struct{ name, json, code, path string }{
		{"same node twice", response(`"edges":[],"nodes":[{"type":"A","id":"1","x":1},{"type":"A","id":"1","x":1}]`), "", ""},
		{"node twice", response(`"edges":[],"nodes":[{"type":"A","id":"1","x":1},{"type":"A","id":"1","x":2}]`), "duplicate_node", "/nodes/1"},
		{"no type", response(`"edges":[],"nodes":[{"type":"","id":"1"}]`), "empty_name", "/nodes/0"},
		{"edge without type", response(`"nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":""}]`), "empty_name", "/edges/0"},
		{"depth", response(`"nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","depth":0}]`), "invalid_depth", "/edges/0"},
		{"edge in a path", response(`"nodes":[],"edges":[` + ab + `]`), "edge_in_path", "/edges/0"},
		{"path", path(bc + "," + ab), "", ""},
		{"edge without path", path(`{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X"}`), "edge_without_path", "/edges/0"},
		{"missing step", path(bc), "invalid_step", "/edges/0"},
		{"broken path", path(cd + "," + ab), "broken_path", "/edges/0"},
		{"rows elsewhere", response(`"nodes":[],"edges":[],"rows":[]`), "rows_without_aggregation", ""},
		{"column twice", `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"a","function":"count"},{"name":"a","function":"sum"}]}`, "duplicate_field_name", "/columns/1"},
		{"kind", `{"query_type":"aggregation","nodes":[],"edges":[],"group_columns":[{"name":"a","kind":"x"}]}`, "unknown_kind", "/group_columns/0"},
		{"undeclared cell", `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"a","function":"count"}],"rows":[{"a":1},{"b":1}]}`, "undeclared_column", "/rows/1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := goon.ParseJSON([]byte(c.json))
			require.NoError(t, err)
			err = r.Validate()
			if c.code == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, wire.ErrShape)
			e := err.(interface{ Unwrap() []error }).Unwrap()[0].(*wire.Error)
			require.Equal(t, c.code, e.Code)
			require.Equal(t, c.path, e.Path())
		})
	}
}

func TestFromList(t *testing.T) {
	text := func(l goon.ListOptions, list string) string {
		r, err := goon.FromList(parse(t, list), l)
		require.NoError(t, err)
		_, rest, _ := strings.Cut(string(must(goon.Marshal(r))(t)), "@nodes\n")
		return rest
	}
	require.Equal(t, "A(1):\n1 x=1\nB(1):\n2\n@edges\n", text(goon.ListOptions{}, `[{"type":"B","id":"2"},{"id":1,"x":1,"type":"A"}]`))
	require.Equal(t, "Row(2):\n1 record_id=abc record_type=7\n2 record_id=5\n@edges\n", text(goon.ListOptions{Type: "Row", Number: true}, `[{"id":"abc","type":7},{"id":5}]`))
	require.Equal(t, "K(1):\n9 record_id=x record_type=y\n@edges\n", text(goon.ListOptions{TypeKey: "kind", IDKey: "key"}, `[{"id":"x","type":"y","kind":"K","key":9}]`))
	for _, c := range []struct {
		l          goon.ListOptions
		list, path string
		kind       error
	}{
		{goon.ListOptions{}, `{}`, "", wire.ErrShape},
		{goon.ListOptions{}, `[1]`, "/0", wire.ErrShape},
		{goon.ListOptions{}, `[{"id":1}]`, "/0", wire.ErrShape},
		{goon.ListOptions{}, `[{"type":5,"id":1}]`, "/0/type", wire.ErrShape},
		{goon.ListOptions{Type: "A"}, `[{"x":1}]`, "/0", wire.ErrShape},
		{goon.ListOptions{Type: "A"}, `[{"id":1},{"id":"x"}]`, "/1/id", wire.ErrShape},
		{goon.ListOptions{Type: "A", Number: true}, `[{"id":1,"record_id":2}]`, "/0/record_id", wire.ErrDuplicateKey},
	} {
		_, err := goon.FromList(parse(t, c.list), c.l)
		require.ErrorIs(t, err, c.kind, c.list)
		require.Equal(t, c.path, err.(*wire.Error).Path(), c.list)
	}
}

// Nodes that are there twice, with different properties, are in the order of
// their lines.
func TestDuplicateNodesAreSorted(t *testing.T) {
	const a, b = `{"type":"A","id":"1","x":2}`, `{"type":"A","id":"1","x":1}`
	one := encode(t, goon.Codec{}, `{"query_type":"search","edges":[],"nodes":[`+a+`,`+b+`]}`)
	require.Equal(t, one, encode(t, goon.Codec{}, `{"query_type":"search","edges":[],"nodes":[`+b+`,`+a+`]}`))
	require.Contains(t, one, "A(2):\n1 x=1\n1 x=2\n")
}

func TestErrorsOfLiftedNodes(t *testing.T) {
	v := parse(t, `{"query_type":"aggregation","nodes":[],"edges":[],"group_columns":[{"name":"u","kind":"node"}],
		"rows":[{"u":null},{"u":{"type":"User","id":"1","properties":{"x":1e999}}}]}`)
	_, err := goon.Codec{}.AppendEncode(nil, v)
	require.ErrorIs(t, err, wire.ErrRange)
	require.Equal(t, "/rows/1/properties/x", err.(*wire.Error).Path())
}

func TestHeaderFieldsOfTheFormat(t *testing.T) {
	_, err := goon.Marshal(&goon.Response{QueryType: "search", Header: []goon.Field{{Name: "nodes", Value: "9"}}})
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
}

func TestConcurrentUse(t *testing.T) {
	c := goon.Codec{Expand: []string{"title"}}
	v := parse(t, documents[1].json)
	want := codectest.Encoded(t, c, v)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				got, err := c.AppendEncode(nil, v)
				if err != nil || string(got) != string(want) {
					t.Error("not the same text")
				}
				if _, err := c.Decode(want); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// Hostile texts take time in proportion to their length: eight times the text
// must not take sixty-four times as long.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	trials.OneGoroutine(t)
	head := "@header\nquery_type:aggregation\ngoon_version:1.0.0\nnodes:0\nedges:0\n"
	many := func(n int, f string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, f, i)
		}
		return b.String()
	}
	for name, make := range map[string]func(n int) string{
		"many keys": func(n int) string { return head + "@nodes\nA(1):\n1" + many(n, " k%d=1") + "\n" },
		"many breadcrumbs": func(n int) string {
			return head + "@nodes\nA(1):\n1" + many(n, " k%[1]d_len=1 k%[1]d=x... k%[1]d_len=2000") + "\n"
		},
		"many shapes": func(n int) string { return head + "@nodes\nA(1):\n" + many(n, "1 k%d=1\n") },
		"many columns and rows": func(n int) string {
			return head + "rows:1\naggregations:" + many(n, "c%d(f),") + "z(f)\n@nodes\n@edges\n@rows\n" + strings.Repeat("z=1\n", n)
		},
		"many groups and rows": func(n int) string {
			return head + "rows:1\ngroup_by:" + many(n, "c%d(node),") + "z(node)\n@nodes\n@edges\n@rows\n" + strings.Repeat("z=1\n", n)
		},
		"columns out of order": func(n int) string {
			return head + "rows:1\naggregations:" + many(n, "c%d(f),") + "z(f)\n@nodes\n@edges\n@rows\n" + strings.Repeat("z=1 c1=1\n", n)
		},
		"undeclared columns": func(n int) string { return head + "@nodes\n@edges\n@rows\n" + many(n, "a%[1]d=1 b%[1]d=2\n") },
		"references": func(n int) string {
			return head + "rows:1\ngroup_by:u(node)\n@nodes\nA(1):\n" + many(n, "%d\n") + "@edges\n@rows\n" + many(n, "u=A:%d\n")
		},
		"empty rows":              func(n int) string { return head + "rows:1\n@nodes\n@edges\n@rows\n" + strings.Repeat("\n", n) },
		"escapes":                 func(n int) string { return head + "@nodes\nA(1):\n1 a=\"" + strings.Repeat(`\n\x`, n) + "\"\n" },
		"warnings":                func(n int) string { return head + strings.Repeat("junk\n", n) },
		"words that are not keys": func(n int) string { return head + "@nodes\nA(1):\n1 a=" + strings.Repeat("x ", n) + "\n" },
		"digits": func(n int) string {
			return head + "@nodes\nA(1):\n1 a=" + strings.Repeat("9", n) + " b=0." + strings.Repeat("9", n) + "\n"
		},
		"one long path": func(n int) string {
			return strings.Replace(head, "aggregation", "path_finding", 1) + "@nodes\n@paths\npath=0: A:1" + strings.Repeat(" --X--> A:1", n) + "\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 3000, func(n int) func() {
				text := []byte(make(n))
				return func() {
					r, err := goon.Codec{Lenient: true}.DecodeResponse(text)
					if err == nil {
						_, err = goon.Codec{}.AppendResponse(nil, r)
					}
					require.NoError(t, err)
				}
			})
		})
	}
}
