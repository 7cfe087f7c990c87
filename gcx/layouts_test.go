package gcx_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

// layoutTable has every layout of the document with a full row and one with
// the optional cells empty.
var layoutTable = []struct {
	name   string
	result gcx.Result
	empty  func() gcx.Result
	want   string
}{
	{"search_symbols", &gcx.SearchSymbols{Total: 5, Symbols: []gcx.Symbol{{"a.go::Foo", "function", "Foo", "a.go", 10, "func Foo()"}, {ID: "x"}}},
		func() gcx.Result { return new(gcx.SearchSymbols) },
		"GCX1 tool=search_symbols fields=id,kind,name,path,line,sig total=5 truncated=false\na.go::Foo\tfunction\tFoo\ta.go\t10\tfunc Foo()\nx\t\t\t\t0\t\n"},
	{"get_symbol_source", &gcx.GetSymbolSource{Symbol: gcx.SymbolSource{"a", "function", "Foo", "a.go", 3, 5, 1, "func Foo()", "ff", "func Foo() {\n\tx(\"\\t\")\n}"}},
		func() gcx.Result { return new(gcx.GetSymbolSource) },
		"GCX1 tool=get_symbol_source fields=id,kind,name,path,start_line,end_line,from_line,sig,etag,source\na\tfunction\tFoo\ta.go\t3\t5\t1\tfunc Foo()\tff\tfunc Foo() {\\n\\tx(\"\\\\t\")\\n}\n"},
	{"batch_symbols", &gcx.BatchSymbols{Symbols: []gcx.BatchSymbol{{ID: "a", Kind: "type", Name: "A", Path: "a.go", StartLine: 1, EndLine: 2, Sig: "type A"}, {ID: "b", Error: "not found"}}},
		func() gcx.Result { return new(gcx.BatchSymbols) },
		"GCX1 tool=batch_symbols fields=id,kind,name,path,start_line,end_line,sig,error\na\ttype\tA\ta.go\t1\t2\ttype A\t\nb\t\t\t\t\t\t\tnot found\n"},
	{"batch_symbols with source", &gcx.BatchSymbols{IncludeSource: true, Symbols: []gcx.BatchSymbol{{ID: "a", Source: "x\ny"}}},
		func() gcx.Result { return new(gcx.BatchSymbols) },
		"GCX1 tool=batch_symbols fields=id,kind,name,path,start_line,end_line,sig,source,error\na\t\t\t\t\t\t\tx\\ny\t\n"},
	{"find_usages", &gcx.FindUsages{Usages: []gcx.Usage{{"a", "b", "calls", "lsp_resolved", 1.0, "A", "a.go", 7}, {From: "c", Confidence: 0.95}}},
		func() gcx.Result { return new(gcx.FindUsages) },
		"GCX1 tool=find_usages fields=from,to,edge_kind,origin,confidence,from_name,from_path,from_line\na\tb\tcalls\tlsp_resolved\t1\tA\ta.go\t7\nc\t\t\t\t0.95\t\t\t0\n"},
	{"get_file_summary", &gcx.GetFileSummary{TotalNodes: 2, TotalEdges: 3, Truncated: true, ETag: "ff", Symbols: []gcx.FileSymbol{{"a", "type", "A", 1, "type A"}}},
		func() gcx.Result { return new(gcx.GetFileSummary) },
		"GCX1 tool=get_file_summary fields=id,kind,name,line,sig etag=ff total_edges=3 total_nodes=2 truncated=true\na\ttype\tA\t1\ttype A\n"},
	{"get_callers", &gcx.Graph{Tool: "get_callers", Nodes: []gcx.Node{{"a", "method", "A", "a.go", 4}}, Edges: []gcx.Edge{{"a", "b", "calls", "ast_resolved", 1, ""}}},
		func() gcx.Result { return new(gcx.Graph) },
		"GCX1 tool=get_callers.nodes fields=id,kind,name,path,line\na\tmethod\tA\ta.go\t4\nGCX1 tool=get_callers.edges fields=from,to,kind,origin,confidence,label\na\tb\tcalls\tast_resolved\t1\t\n"},
	{"get_editing_context", &gcx.GetEditingContext{Target: gcx.EditTarget{"a", "type", "A", "a.go", 1, 2, "type A", "ff"}, Callers: []gcx.Node{{ID: "b"}}, Dependencies: []gcx.Node{}, Tests: []gcx.TestFile{{"a_test.go"}}},
		func() gcx.Result { return new(gcx.GetEditingContext) },
		"GCX1 tool=get_editing_context.target fields=id,kind,name,path,start_line,end_line,sig,etag\na\ttype\tA\ta.go\t1\t2\ttype A\tff\n" +
			"GCX1 tool=get_editing_context.callers fields=id,kind,name,path,line\nb\t\t\t\t0\nGCX1 tool=get_editing_context.dependencies fields=id,kind,name,path,line\nGCX1 tool=get_editing_context.tests fields=path\na_test.go\n"},
	{"smart_context", &gcx.SmartContext{Task: gcx.Task{"add a tool"}, Symbols: []gcx.ScoredSymbol{{"a", "type", "A", "a.go", 1, 0.94, "similar"}}},
		func() gcx.Result { return new(gcx.SmartContext) },
		"GCX1 tool=smart_context.task fields=task\nadd a tool\nGCX1 tool=smart_context.symbols fields=id,kind,name,path,line,score,reason\na\ttype\tA\ta.go\t1\t0.94\tsimilar\n"},
	{"smart_context with an empty task", &gcx.SmartContext{Symbols: []gcx.ScoredSymbol{}},
		func() gcx.Result { return new(gcx.SmartContext) },
		"GCX1 tool=smart_context.task fields=task rows=1\n\nGCX1 tool=smart_context.symbols fields=id,kind,name,path,line,score,reason\n"},
	{"analyze.dead_code", &gcx.Analyze{Kind: "dead_code", DeadCode: []gcx.DeadCode{{"a", "function", "A", "a.go", 1, "unreachable"}}},
		func() gcx.Result { return new(gcx.Analyze) },
		"GCX1 tool=analyze.dead_code fields=id,kind,name,path,line,reason\na\tfunction\tA\ta.go\t1\tunreachable\n"},
	{"analyze.hotspots", &gcx.Analyze{Kind: "hotspots", Hotspots: []gcx.Hotspot{{"a", "A", "a.go", 1, 2, 3, 4, 87.4}}},
		func() gcx.Result { return new(gcx.Analyze) },
		"GCX1 tool=analyze.hotspots fields=id,name,path,line,fan_in,fan_out,cross_cut,score\na\tA\ta.go\t1\t2\t3\t4\t87.4\n"},
	{"analyze.cycles", &gcx.Analyze{Kind: "cycles", Cycles: []gcx.Cycle{{3, "low", gcx.CommaList{"a", "b"}}, {1, "", nil}, {2, "high", gcx.CommaList{"f(int, int)", ""}}, {1, "", gcx.CommaList{"[x"}}}},
		func() gcx.Result { return new(gcx.Analyze) },
		"GCX1 tool=analyze.cycles fields=size,severity,nodes\n3\tlow\ta,b\n1\t\t\n2\thigh\t[\"f(int, int)\",\"\"]\n1\t\t[\"[x\"]\n"},
	{"analyze.other", &gcx.Analyze{Kind: "churn", Other: wire.Array(wire.Int(1), wire.Int(2))},
		func() gcx.Result { return new(gcx.Analyze) },
		"GCX1 tool=analyze.churn fields=value rows=2\n1\n2\n"},
	{"contracts", &gcx.Contracts{List: []gcx.Contract{{"a", "http", "GET", "/x", "s", gcx.CommaList{"p", "q"}, nil}}},
		func() gcx.Result { return new(gcx.Contracts) },
		"GCX1 tool=contracts.list fields=id,type,method,path,service,providers,consumers\na\thttp\tGET\t/x\ts\tp,q\t\n"},
	{"contracts checked", &gcx.Contracts{List: []gcx.Contract{}, Check: true, Orphans: []gcx.ContractOrphan{{"a", "provider", "r", "s"}}},
		func() gcx.Result { return new(gcx.Contracts) },
		"GCX1 tool=contracts.list fields=id,type,method,path,service,providers,consumers\nGCX1 tool=contracts.orphans fields=contract_id,side,repo,symbol\na\tprovider\tr\ts\n"},
	{"get_repo_outline", &gcx.GetRepoOutline{Languages: wire.Array(object("name", wire.String("go"))), EntryPoints: wire.Array(wire.String("main")), MostImported: wire.Array()},
		func() gcx.Result { return new(gcx.GetRepoOutline) },
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
	var r gcx.SearchSymbols
	payload := "GCX1 tool=search_symbols fields=id,kind,name,path,path_abs,line,sig,enclosing,is_test total=1 budget_hit=true truncated=true\n" +
		"a\ttype\tA\ta.go\t/x/a.go\t7\ttype A\t\ttrue\nGCX1 tool=search_symbols.notes fields=kind,message\ncaveat\tincoming only\n"
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte(payload), &r))
	require.Equal(t, []gcx.Symbol{{"a", "type", "A", "a.go", 7, "type A"}}, r.Symbols)
	require.True(t, r.Truncated)
	require.Equal(t, []gcx.Meta{{"budget_hit", "true"}}, r.Extras.Meta)
	require.Equal(t, "search_symbols.notes", r.Extras.Sections[0].Tool)
	again, err := gcx.Codec{}.AppendResult(nil, &r)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig budget_hit=true total=1 truncated=true\na\ttype\tA\ta.go\t7\ttype A\n"+
		"GCX1 tool=search_symbols.notes fields=kind,message\ncaveat\tincoming only\n", string(again))

	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=search_symbols fields=line,id\n7\ta\n"), &r), "missing and re-ordered columns")
	require.Equal(t, []gcx.Symbol{{ID: "a", Line: 7}}, r.Symbols)
	var g gcx.Graph
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=get_dependents.nodes fields=id\na\n"), &g))
	require.Equal(t, "get_dependents", g.Tool)
	require.Empty(t, g.Edges)
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=get_dependents.edges fields=from\na\n"), &g), "edges alone")
	require.Equal(t, gcx.Graph{Tool: "get_dependents", Edges: []gcx.Edge{{From: "a"}}}, g)
	var c1, c2 gcx.Contracts
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=contracts.orphans fields=side\nx\n"), &c1))
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=contracts.list fields=id\nGCX1 tool=contracts.orphans fields=side\nx\n"), &c2))
	require.Equal(t, c1, c2, "no section and no rows are the same")
	var o gcx.GetRepoOutline
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte("GCX1 tool=get_repo_outline.entry_points fields=value\nmain\n"), &o))
	require.Equal(t, `["main"]`, string(wire.AppendJSON(nil, o.EntryPoints)), "a list of one stays a list")
}

// TestResultUsedAgain: a result that is read again has nothing of the payload
// before, and a payload that is refused leaves it as it is.
func TestResultUsedAgain(t *testing.T) {
	c := gcx.Codec{}
	var g gcx.Graph
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=get_callers.nodes fields=id\na\nGCX1 tool=get_callers.edges fields=from\nSTALE\n"), &g))
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=get_callers.nodes fields=id\nb\n"), &g))
	require.Equal(t, gcx.Graph{Tool: "get_callers", Nodes: []gcx.Node{{ID: "b"}}}, g)
	var s gcx.SearchSymbols
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=search_symbols fields=id total=7 truncated=true\na\n"), &s))
	require.NoError(t, c.DecodeResult([]byte("GCX1 tool=search_symbols fields=id\nb\n"), &s))
	require.Equal(t, gcx.SearchSymbols{Symbols: []gcx.Symbol{{ID: "b"}}}, s)
	require.Error(t, c.DecodeResult([]byte("GCX1 tool=search_symbols fields=id,line total=3\nc\tx\n"), &s))
	require.Equal(t, gcx.SearchSymbols{Symbols: []gcx.Symbol{{ID: "b"}}}, s)

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
	var g gcx.Graph
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte(payload), &g))
	require.Equal(t, []gcx.Meta{{"total", "1"}}, g.Meta)
	require.Equal(t, []gcx.Meta{{"count", "10"}, {"truncated", "true"}}, g.Later["get_callers.edges"])
	again, err := gcx.Codec{}.AppendResult(nil, &g)
	require.NoError(t, err)
	require.Equal(t, payload, string(again))

	var o gcx.GetRepoOutline
	payload = "GCX1 tool=get_repo_outline.languages fields=value rows=1\ngo\nGCX1 tool=get_repo_outline.hotspots fields=value k=v rows=1\nx\n"
	require.NoError(t, gcx.Codec{}.DecodeResult([]byte(payload), &o))
	again, err = gcx.Codec{}.AppendResult(nil, &o)
	require.NoError(t, err)
	require.Equal(t, payload, string(again))

	// What a value's encoder promises of its payload is not promised of another.
	wrapped, err := gcx.Codec{Tool: "get_callers"}.AppendEncode(nil, parse(t, `{"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"from":"a"},{"from":"b"}],"notes":[{"k":"v"},{"k":"w"}]}`))
	require.NoError(t, err)
	require.Contains(t, string(wrapped), "sections=3")
	require.NoError(t, gcx.Codec{}.DecodeResult(wrapped, &g))
	g.Sections = nil
	again, err = gcx.Codec{}.AppendResult(nil, &g)
	require.NoError(t, err)
	var back gcx.Graph
	require.NoError(t, gcx.Codec{}.DecodeResult(again, &back))
	require.Equal(t, g, back)
}

// TestGenericLayout: the row of a single empty cell is one.
func TestGenericLayout(t *testing.T) {
	for text, want := range map[string]string{`{"a":""}`: `{"a":""}`, `{"a":null}`: `{"a":""}`, `""`: `""`, `null`: `""`, `[]`: `[]`, `[""]`: `[""]`, `{"a":1}`: `{"a":1}`, `[{"a":""},{"a":""}]`: `[{"a":""},{"a":""}]`} {
		payload, err := gcx.Codec{}.AppendResult(nil, &gcx.Analyze{Kind: "k", Other: parse(t, text)})
		require.NoError(t, err)
		var back gcx.Analyze
		require.NoError(t, gcx.Codec{}.DecodeResult(payload, &back), "%q", payload)
		require.Equal(t, want, string(wire.AppendJSON(nil, back.Other)), "%q", payload)
	}
	err := gcx.Codec{}.DecodeResult([]byte("GCX1 tool=notes fields=a\n1\nGCX1 tool=analyze.k fields=a types=m rows=2\n[[\n"), new(gcx.Analyze))
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 5, e.Line, "positions are those of the payload: %s", err)
}

func TestLayoutErrors(t *testing.T) {
	for _, test := range []struct {
		name, payload, code string
		kind                error
		result              gcx.Result
	}{
		{"another tool", "GCX1 tool=x fields=a\n", "other_tool", wire.ErrShape, new(gcx.SearchSymbols)},
		{"no row", "GCX1 tool=get_symbol_source fields=id\n", "row_count_mismatch", wire.ErrChecksum, new(gcx.GetSymbolSource)},
		{"two rows", "GCX1 tool=get_symbol_source fields=id\na\nb\n", "row_count_mismatch", wire.ErrChecksum, new(gcx.GetSymbolSource)},
		{"no task", "GCX1 tool=smart_context.symbols fields=id\na\n", "row_count_mismatch", wire.ErrChecksum, new(gcx.SmartContext)},
		{"not a number", "GCX1 tool=search_symbols fields=line\nx\n", "wrong_cell", wire.ErrShape, new(gcx.SearchSymbols)},
		{"not a number in meta", "GCX1 tool=search_symbols fields=line total=x\n", "wrong_meta", wire.ErrShape, new(gcx.SearchSymbols)},
		{"another version", "GCX2 tool=search_symbols fields=line\n", "unsupported_version", wire.ErrVersion, new(gcx.SearchSymbols)},
	} {
		requireError(t, gcx.Codec{}.DecodeResult([]byte(test.payload), test.result), test.code, test.kind)
	}
	var r gcx.GetSymbolSource
	require.NoError(t, gcx.Codec{Lenient: true}.DecodeResult([]byte("GCX1 tool=get_symbol_source fields=id\na\nb\n"), &r))
	require.Equal(t, "a", r.Symbol.ID)
	require.NoError(t, gcx.Codec{Lenient: true}.DecodeResult([]byte("GCX1 tool=get_symbol_source fields=id\n"), &r))
	require.Zero(t, r.Symbol)
	_, err := gcx.Codec{}.AppendResult(nil, &gcx.Analyze{})
	requireError(t, err, "missing_tool", wire.ErrShape)
	_, err = gcx.Codec{}.AppendResult(nil, &gcx.Graph{})
	requireError(t, err, "missing_tool", wire.ErrShape)
}

// typedRow has a field of every sort.
type typedRow struct {
	Name    string            `json:"name"`
	N       *int64            `wire:"n" json:"other"`
	F       float64           `json:"f"`
	B       bool              `json:"b,omitempty"`
	List    []string          `json:"list"`
	Map     map[string]int    `json:"map"`
	At      time.Time         `json:"at"`
	Raw     wire.Value        `json:"raw"`
	Skipped string            `json:"-"`
	More    map[string]string `gcx:"unknown"`
}

func TestTypedRows(t *testing.T) {
	seven := int64(7)
	rows := []typedRow{
		{Name: "x\ty", N: &seven, F: 1e6, B: true, List: []string{"a", "<"}, Map: map[string]int{"k": 1}, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Raw: wire.String("s")},
		{Name: "#1", List: []string{}},
	}
	s, err := gcx.RowSection(gcx.Header{Tool: "t"}, rows)
	require.NoError(t, err)
	require.Equal(t, []string{"name", "n", "f", "b", "list", "map", "at", "raw"}, s.Fields)
	text, err := gcx.Codec{}.AppendSections(nil, s)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=t fields=name,n,f,b,list,map,at,raw\nx\\ty\t7\t1000000\ttrue\t[\"a\",\"<\"]\t{\"k\":1}\t2026-01-02T03:04:05Z\ts\n\\#1\t\t0\t\t[]\t\t0001-01-01T00:00:00Z\t\n", string(text))
	sections, err := gcx.Codec{}.DecodeSections(text)
	require.NoError(t, err)
	var back []typedRow
	require.NoError(t, sections[0].Scan(&back))
	require.Len(t, back, 2)
	require.Equal(t, rows[0].List, back[0].List)
	require.Equal(t, rows[0].Map, back[0].Map)
	require.True(t, rows[0].At.Equal(back[0].At))
	require.Equal(t, seven, *back[0].N)
	require.Equal(t, "s", back[0].Raw.Text())
	require.Nil(t, back[1].N)

	sections, err = gcx.Codec{}.DecodeSections([]byte("GCX1 tool=t fields=new,name,newer\n1\tx\t2\n"))
	require.NoError(t, err)
	require.NoError(t, sections[0].Scan(&back))
	require.Equal(t, []typedRow{{Name: "x", More: map[string]string{"new": "1", "newer": "2"}}}, back)
	again, err := gcx.RowSection(sections[0].Header, []*typedRow{&back[0]})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"1", "x", "2"}}, again.Rows)

	_, err = gcx.RowSection(gcx.Header{Tool: "t", Fields: []string{"nope"}}, []gcx.Node{{}})
	requireError(t, err, "unknown_field", wire.ErrShape)
	_, err = gcx.RowSection(gcx.Header{Tool: "t"}, []int{1})
	requireError(t, err, "not_a_struct", wire.ErrShape)
	_, err = gcx.RowSection(gcx.Header{Tool: "t"}, 1)
	requireError(t, err, "not_a_slice", wire.ErrShape)
	_, err = gcx.RowSection(gcx.Header{Tool: "t"}, []*gcx.Node{nil})
	requireError(t, err, "nil_row", wire.ErrShape)
	requireError(t, sections[0].Scan(back), "not_a_slice", wire.ErrShape)
}

// TestLayoutsLikeSections compares what is written straight from rows with the
// section of their cells.
func TestLayoutsLikeSections(t *testing.T) {
	symbols := []gcx.Symbol{{ID: "#1", Kind: "a\tb", Name: "line\nend\\", Path: "", Line: -5, Sig: "\r"}, {}, {ID: "GCX1 x", Line: 1 << 30}}
	for range 60 {
		symbols = append(symbols, gcx.Symbol{ID: "id", Name: "ä"})
	}
	usages := []gcx.Usage{{From: "a", Confidence: 0.1}, {Confidence: 1e21}, {Confidence: -2.5, FromLine: 3}}
	contracts := []gcx.Contract{{Providers: gcx.CommaList{"a", "b,c"}}, {Consumers: gcx.CommaList{"x"}}}
	for tool, c := range map[string]struct {
		rows   any
		result gcx.Result
	}{
		"search_symbols": {symbols, &gcx.SearchSymbols{Symbols: symbols}},
		"find_usages":    {usages, &gcx.FindUsages{Usages: usages}},
		"contracts.list": {contracts, &gcx.Contracts{List: contracts}},
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
	_, err := gcx.Codec{}.AppendResult(nil, &gcx.FindUsages{Usages: []gcx.Usage{{}, {Confidence: math.NaN()}}})
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "/find_usages/1/confidence", e.Path())
}
