package layouts_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// layoutTable has every layout of the document with a full row and one with
// the optional cells empty.
var layoutTable = []struct {
	name   string
	result any
	empty  func() any
	want   string
}{
	{"search_symbols", &layouts.SearchSymbols{Total: 5, Symbols: []layouts.Symbol{{layouts.Node{"a.go::Foo", "function", "Foo", "a.go", 10}, "func Foo()"}, {Node: layouts.Node{ID: "x"}}}},
		func() any { return new(layouts.SearchSymbols) },
		"GCX1 tool=search_symbols fields=id,kind,name,path,line,sig total=5 truncated=false\na.go::Foo\tfunction\tFoo\ta.go\t10\tfunc Foo()\nx\t\t\t\t0\t\n"},
	{"get_symbol_source", &layouts.GetSymbolSource{Symbol: layouts.SymbolSource{"a", "function", "Foo", "a.go", 3, 5, 1, "func Foo()", "ff", "func Foo() {\n\tx(\"\\t\")\n}"}},
		func() any { return new(layouts.GetSymbolSource) },
		"GCX1 tool=get_symbol_source fields=id,kind,name,path,start_line,end_line,from_line,sig,etag,source\na\tfunction\tFoo\ta.go\t3\t5\t1\tfunc Foo()\tff\tfunc Foo() {\\n\\tx(\"\\\\t\")\\n}\n"},
	{"batch_symbols", &layouts.BatchSymbols{Symbols: []layouts.BatchSymbol{{ID: "a", Kind: "type", Name: "A", Path: "a.go", StartLine: 1, EndLine: 2, Sig: "type A"}, {ID: "b", Error: "not found"}}},
		func() any { return new(layouts.BatchSymbols) },
		"GCX1 tool=batch_symbols fields=id,kind,name,path,start_line,end_line,sig,error\na\ttype\tA\ta.go\t1\t2\ttype A\t\nb\t\t\t\t\t\t\tnot found\n"},
	{"batch_symbols with source", &layouts.BatchSymbols{IncludeSource: true, Symbols: []layouts.BatchSymbol{{ID: "a", Source: "x\ny"}}},
		func() any { return new(layouts.BatchSymbols) },
		"GCX1 tool=batch_symbols fields=id,kind,name,path,start_line,end_line,sig,source,error\na\t\t\t\t\t\t\tx\\ny\t\n"},
	{"find_usages", &layouts.FindUsages{Usages: []layouts.Usage{{"a", "b", "calls", "lsp_resolved", 1.0, "A", "a.go", 7}, {From: "c", Confidence: 0.95}}},
		func() any { return new(layouts.FindUsages) },
		"GCX1 tool=find_usages fields=from,to,edge_kind,origin,confidence,from_name,from_path,from_line\na\tb\tcalls\tlsp_resolved\t1\tA\ta.go\t7\nc\t\t\t\t0.95\t\t\t0\n"},
	{"get_file_summary", &layouts.GetFileSummary{TotalNodes: 2, TotalEdges: 3, Truncated: true, ETag: "ff", Symbols: []layouts.FileSymbol{{"a", "type", "A", 1, "type A"}}},
		func() any { return new(layouts.GetFileSummary) },
		"GCX1 tool=get_file_summary fields=id,kind,name,line,sig etag=ff total_edges=3 total_nodes=2 truncated=true\na\ttype\tA\t1\ttype A\n"},
	{"get_callers", &layouts.Graph{Tool: "get_callers", Nodes: []layouts.Node{{"a", "method", "A", "a.go", 4}}, Edges: []layouts.Edge{{"a", "b", "calls", "ast_resolved", 1, ""}}},
		func() any { return new(layouts.Graph) },
		"GCX1 tool=get_callers.nodes fields=id,kind,name,path,line\na\tmethod\tA\ta.go\t4\nGCX1 tool=get_callers.edges fields=from,to,kind,origin,confidence,label\na\tb\tcalls\tast_resolved\t1\t\n"},
	{"get_editing_context", &layouts.GetEditingContext{Target: layouts.EditTarget{"a", "type", "A", "a.go", 1, 2, "type A", "ff"}, Callers: []layouts.Node{{ID: "b"}}, Dependencies: []layouts.Node{}, Tests: []layouts.TestFile{{"a_test.go"}}},
		func() any { return new(layouts.GetEditingContext) },
		"GCX1 tool=get_editing_context.target fields=id,kind,name,path,start_line,end_line,sig,etag\na\ttype\tA\ta.go\t1\t2\ttype A\tff\n" +
			"GCX1 tool=get_editing_context.callers fields=id,kind,name,path,line\nb\t\t\t\t0\nGCX1 tool=get_editing_context.dependencies fields=id,kind,name,path,line\nGCX1 tool=get_editing_context.tests fields=path\na_test.go\n"},
	{"smart_context", &layouts.SmartContext{Task: layouts.Task{"add a tool"}, Symbols: []layouts.ScoredSymbol{{layouts.Node{"a", "type", "A", "a.go", 1}, 0.94, "similar"}}},
		func() any { return new(layouts.SmartContext) },
		"GCX1 tool=smart_context.task fields=task\nadd a tool\nGCX1 tool=smart_context.symbols fields=id,kind,name,path,line,score,reason\na\ttype\tA\ta.go\t1\t0.94\tsimilar\n"},
	{"smart_context with an empty task", &layouts.SmartContext{Symbols: []layouts.ScoredSymbol{}},
		func() any { return new(layouts.SmartContext) },
		"GCX1 tool=smart_context.task fields=task rows=1\n\nGCX1 tool=smart_context.symbols fields=id,kind,name,path,line,score,reason\n"},
	{"analyze.dead_code", &layouts.Analyze{Kind: "dead_code", DeadCode: []layouts.DeadCode{{layouts.Node{"a", "function", "A", "a.go", 1}, "unreachable"}}},
		func() any { return new(layouts.Analyze) },
		"GCX1 tool=analyze.dead_code fields=id,kind,name,path,line,reason\na\tfunction\tA\ta.go\t1\tunreachable\n"},
	{"analyze.hotspots", &layouts.Analyze{Kind: "hotspots", Hotspots: []layouts.Hotspot{{"a", "A", "a.go", 1, 2, 3, 4, 87.4}}},
		func() any { return new(layouts.Analyze) },
		"GCX1 tool=analyze.hotspots fields=id,name,path,line,fan_in,fan_out,cross_cut,score\na\tA\ta.go\t1\t2\t3\t4\t87.4\n"},
	{"analyze.cycles", &layouts.Analyze{Kind: "cycles", Cycles: []layouts.Cycle{{3, "low", []string{"a", "b"}}, {1, "", nil}, {2, "high", []string{"f(int, int)", ""}}, {1, "", []string{"[x"}}}},
		func() any { return new(layouts.Analyze) },
		"GCX1 tool=analyze.cycles fields=size,severity,nodes\n3\tlow\ta,b\n1\t\t\n2\thigh\t[\"f(int, int)\",\"\"]\n1\t\t[\"[x\"]\n"},
	{"analyze.other", &layouts.Analyze{Kind: "churn", Other: wire.Array(wire.Int(1), wire.Int(2))},
		func() any { return new(layouts.Analyze) },
		"GCX1 tool=analyze.churn fields=value rows=2\n1\n2\n"},
	{"contracts", &layouts.Contracts{List: []layouts.Contract{{"a", "http", "GET", "/x", "s", []string{"p", "q"}, nil}}},
		func() any { return new(layouts.Contracts) },
		"GCX1 tool=contracts.list fields=id,type,method,path,service,providers,consumers\na\thttp\tGET\t/x\ts\tp,q\t\n"},
	{"contracts checked", &layouts.Contracts{List: []layouts.Contract{}, Check: true, Orphans: []layouts.ContractOrphan{{"a", "provider", "r", "s"}}},
		func() any { return new(layouts.Contracts) },
		"GCX1 tool=contracts.list fields=id,type,method,path,service,providers,consumers\nGCX1 tool=contracts.orphans fields=contract_id,side,repo,symbol\na\tprovider\tr\ts\n"},
	{"get_repo_outline", &layouts.GetRepoOutline{Languages: wire.Array(object("name", wire.String("go"))), EntryPoints: wire.Array(wire.String("main")), MostImported: wire.Array()},
		func() any { return new(layouts.GetRepoOutline) },
		"GCX1 tool=get_repo_outline.languages fields=name rows=1\ngo\nGCX1 tool=get_repo_outline.most_imported fields=value rows=0\nGCX1 tool=get_repo_outline.entry_points fields=value rows=1\nmain\n"},
}

func object(key string, v wire.Value) wire.Value {
	o, err := wire.Object(wire.Member{Key: key, Value: v})
	if err != nil {
		panic(err)
	}
	return o
}

func TestLayouts(t *testing.T) {
	for _, test := range layoutTable {
		t.Run(test.name, func(t *testing.T) {
			got, err := gcx.Codec{}.AppendResult(nil, test.result)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
			back := test.empty()
			require.NoError(t, gcx.Codec{}.DecodeResult(got, back))
			again, err := gcx.Codec{}.AppendResult(nil, back)
			require.NoError(t, err)
			require.Equal(t, test.want, string(again))
		})
	}
}

func TestLayoutsOfLaterProducers(t *testing.T) {
	var r layouts.SearchSymbols
	payload := "GCX1 tool=search_symbols fields=id,kind,name,path,path_abs,line,sig,enclosing,is_test total=1 budget_hit=true truncated=true\n" +
		"a\ttype\tA\ta.go\t/x/a.go\t7\ttype A\t\ttrue\nGCX1 tool=search_symbols.notes fields=kind,message\ncaveat\tincoming only\n"
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte(payload), &r))
	require.Equal(t, []layouts.Symbol{{layouts.Node{"a", "type", "A", "a.go", 7}, "type A"}}, r.Symbols)
	require.True(t, r.Truncated)
	require.Equal(t, map[string][]gcx.Meta{"search_symbols": {{Key: "budget_hit", Value: "true"}}}, r.Extras.Meta)
	require.Equal(t, "search_symbols.notes", r.Extras.Sections[0].Tool)
	again, err := gcx.Codec{}.AppendResult(nil, &r)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig budget_hit=true total=1 truncated=true\na\ttype\tA\ta.go\t7\ttype A\n"+
		"GCX1 tool=search_symbols.notes fields=kind,message\ncaveat\tincoming only\n", string(again))

	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=search_symbols fields=line,id\n7\ta\n"), &r), "missing and re-ordered columns")
	require.Equal(t, []layouts.Symbol{{Node: layouts.Node{ID: "a", Line: 7}}}, r.Symbols)
	var g layouts.Graph
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=get_dependents.nodes fields=id\na\n"), &g))
	require.Equal(t, "get_dependents", g.Tool)
	require.Empty(t, g.Edges)
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=get_dependents.edges fields=from\na\n"), &g), "edges alone")
	require.Equal(t, layouts.Graph{Tool: "get_dependents", Edges: []layouts.Edge{{From: "a"}}}, g)
	var c1, c2 layouts.Contracts
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=contracts.orphans fields=side\nx\n"), &c1))
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=contracts.list fields=id\nGCX1 tool=contracts.orphans fields=side\nx\n"), &c2))
	require.Equal(t, c1, c2, "no section and no rows are the same")
	var o layouts.GetRepoOutline
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=get_repo_outline.entry_points fields=value\nmain\n"), &o))
	require.Equal(t, `["main"]`, string(wire.AppendJSON(nil, o.EntryPoints)), "a list of one stays a list")
}

// TestResultUsedAgain: a result that is read again has nothing of the payload
// before, and a payload that is refused leaves it as it is.
func TestResultUsedAgain(t *testing.T) {
	c := gcx.Codec{}
	var g layouts.Graph
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=get_callers.nodes fields=id\na\nGCX1 tool=get_callers.edges fields=from\nSTALE\n"), &g))
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=get_callers.nodes fields=id\nb\n"), &g))
	require.Equal(t, layouts.Graph{Tool: "get_callers", Nodes: []layouts.Node{{ID: "b"}}}, g)
	var s layouts.SearchSymbols
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=search_symbols fields=id total=7 truncated=true\na\n"), &s))
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=search_symbols fields=id\nb\n"), &s))
	require.Equal(t, layouts.SearchSymbols{Symbols: []layouts.Symbol{{Node: layouts.Node{ID: "b"}}}}, s)
	require.Error(t, c.DecodeResult([]byte("GCX1 tool=search_symbols fields=id,line total=3\nc\tx\n"), &s))
	require.Equal(t, layouts.SearchSymbols{Symbols: []layouts.Symbol{{Node: layouts.Node{ID: "b"}}}}, s)

	for _, first := range layoutTable { // each over a full one of its own type
		for _, second := range layoutTable {
			if reflect.TypeOf(first.result) != reflect.TypeOf(second.result) {
				continue
			}
			used, fresh := first.empty(), second.empty()
			require.NoError(t, c.DecodeResult([]byte(first.want), used))
			require.NoError(t, c.DecodeResult([]byte(second.want), used))
			require.NoError(t, c.DecodeResult([]byte(second.want), fresh))
			require.Equal(t, fmt.Sprintf("%+v", fresh), fmt.Sprintf("%+v", used), "%s over %s", second.name, first.name)
		}
	}
}

// TestPairsOfLaterSections: every pair of a header comes back that its layout
// does not have.
func TestPairsOfLaterSections(t *testing.T) {
	payload := "GCX1 tool=get_callers.nodes fields=id,kind,name,path,line total=1\na\t\t\t\t0\n" +
		"GCX1 tool=get_callers.edges fields=from,to,kind,origin,confidence,label count=10 truncated=true\nf\tt\t\t\t0\t\n"
	var g layouts.Graph
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte(payload), &g))
	require.Equal(t, []gcx.Meta{{Key: "total", Value: "1"}}, g.Meta["get_callers.nodes"])
	require.Equal(t, []gcx.Meta{{Key: "count", Value: "10"}, {Key: "truncated", Value: "true"}}, g.Meta["get_callers.edges"])
	again, err := gcx.Codec{}.AppendResult(nil, &g)
	require.NoError(t, err)
	require.Equal(t, payload, string(again))

	var o layouts.GetRepoOutline
	payload = "GCX1 tool=get_repo_outline.languages fields=value rows=1\ngo\nGCX1 tool=get_repo_outline.hotspots fields=value k=v rows=1\nx\n"
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte(payload), &o))
	again, err = gcx.Codec{}.AppendResult(nil, &o)
	require.NoError(t, err)
	require.Equal(t, payload, string(again))

	// What a value's encoder promises of its payload is not promised of another.
	wrapped := codectest.Encoded(t, gcx.Codec{Tool: "get_callers"}, parse(t, `{"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"from":"a"},{"from":"b"}],"notes":[{"k":"v"},{"k":"w"}]}`))
	require.Contains(t, string(wrapped), "sections=3")
	require.NoError(t, gcx.Codec{}.DecodeResult(wrapped, &g))
	g.Sections = nil
	again, err = gcx.Codec{}.AppendResult(nil, &g)
	require.NoError(t, err)
	var back layouts.Graph
	require.NoError(t, gcx.Codec{}.DecodeResult(again, &back))
	require.Equal(t, g, back)
}

// TestGenericLayout: the row of a single empty cell is one.
func TestGenericLayout(t *testing.T) {
	for text, want := range map[string]string{`{"a":""}`: `{"a":""}`, `{"a":null}`: `{"a":""}`, `""`: `""`, `null`: `""`, `[]`: `[]`, `[""]`: `[""]`, `{"a":1}`: `{"a":1}`, `[{"a":""},{"a":""}]`: `[{"a":""},{"a":""}]`} {
		payload, err := gcx.Codec{}.AppendResult(nil, &layouts.Analyze{Kind: "k", Other: parse(t, text)})
		require.NoError(t, err)
		var back layouts.Analyze
		require.NoError(t, gcx.Codec{}.DecodeResult(payload, &back), "%q", payload)
		require.Equal(t, want, string(wire.AppendJSON(nil, back.Other)), "%q", payload)
	}
	err := gcx.Codec{}.DecodeResult([]byte("GCX1 tool=notes fields=a\n1\nGCX1 tool=analyze.k fields=a types=m rows=2\n[[\n"), new(layouts.Analyze))
	e := codectest.Error(t, err)
	require.Equal(t, 5, e.Line, "positions are those of the payload: %s", err)
}

func TestLayoutErrors(t *testing.T) {
	for _, test := range []struct {
		name, payload, code string
		kind                error
		result              any
	}{
		{"another tool", "GCX1 tool=x fields=a\n", "other_tool", wire.ErrShape, new(layouts.SearchSymbols)},
		{"no row", "GCX1 tool=get_symbol_source fields=id\n", "count_mismatch", wire.ErrChecksum, new(layouts.GetSymbolSource)},
		{"two rows", "GCX1 tool=get_symbol_source fields=id\na\nb\n", "count_mismatch", wire.ErrChecksum, new(layouts.GetSymbolSource)},
		{"no task", "GCX1 tool=smart_context.symbols fields=id\na\n", "count_mismatch", wire.ErrChecksum, new(layouts.SmartContext)},
		{"not a number", "GCX1 tool=search_symbols fields=line\nx\n", "wrong_cell", wire.ErrType, new(layouts.SearchSymbols)},
		{"not a number in meta", "GCX1 tool=search_symbols fields=line total=x\n", "wrong_meta", wire.ErrShape, new(layouts.SearchSymbols)},
		{"another version", "GCX2 tool=search_symbols fields=line\n", "unsupported_version", wire.ErrVersion, new(layouts.SearchSymbols)},
	} {
		requireError(t, gcx.Codec{}.DecodeResult([]byte(test.payload), test.result), test.code, test.kind)
	}
	var r layouts.GetSymbolSource
	require.NoError(t, gcx.Codec{Lenient: true}.DecodeResult([]byte("GCX1 tool=get_symbol_source fields=id\na\nb\n"), &r))
	require.Equal(t, "a", r.Symbol.ID)
	require.NoError(t, gcx.Codec{Lenient: true}.DecodeResult([]byte("GCX1 tool=get_symbol_source fields=id\n"), &r))
	require.Zero(t, r.Symbol)
	_, err := gcx.Codec{}.AppendResult(nil, &layouts.Analyze{})
	requireError(t, err, "missing_tool", wire.ErrShape)
	_, err = gcx.Codec{}.AppendResult(nil, &layouts.Graph{})
	requireError(t, err, "missing_tool", wire.ErrShape)
}

// TestLayoutsLikeSections compares what is written straight from rows with the
// section of their cells.
func TestLayoutsLikeSections(t *testing.T) {
	symbols := []layouts.Symbol{{Node: layouts.Node{ID: "#1", Kind: "a\tb", Name: "line\nend\\", Path: "", Line: -5}, Sig: "\r"}, {}, {Node: layouts.Node{ID: "GCX1 x", Line: 1 << 30}}}
	for range 60 {
		symbols = append(symbols, layouts.Symbol{Node: layouts.Node{ID: "id", Name: "ä"}})
	}
	usages := []layouts.Usage{{From: "a", Confidence: 0.1}, {Confidence: 1e21}, {Confidence: -2.5, FromLine: 3}}
	contracts := []layouts.Contract{{Providers: []string{"a", "b,c"}}, {Consumers: []string{"x"}}}
	for tool, c := range map[string]struct {
		rows   any
		result any
	}{
		"search_symbols": {symbols, &layouts.SearchSymbols{Symbols: symbols}},
		"find_usages":    {usages, &layouts.FindUsages{Usages: usages}},
		"contracts.list": {contracts, &layouts.Contracts{List: contracts}},
	} {
		h := gcx.Header{Tool: tool}
		if tool == "search_symbols" {
			h.Meta = []gcx.Meta{{Key: "total", Value: "0"}, {Key: "truncated", Value: "false"}}
		}
		s, err := gcx.RowSection(h, c.rows)
		require.NoError(t, err)
		want, err := gcx.Codec{}.AppendSections(nil, s)
		require.NoError(t, err)
		got, err := gcx.Codec{}.AppendResult(nil, c.result)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
	_, err := gcx.Codec{}.AppendResult(nil, &layouts.FindUsages{Usages: []layouts.Usage{{}, {Confidence: math.NaN()}}})
	e := codectest.Error(t, err)
	require.Equal(t, "/find_usages/1/confidence", e.Path())
}

var parse = codectest.JSON[string]

func requireError(t *testing.T, err error, code string, kind error) {
	t.Helper()
	e := codectest.Error(t, err)
	require.Equal(t, "gcx", e.Format)
	require.Equal(t, code, e.Code)
	require.ErrorIs(t, err, kind)
}
