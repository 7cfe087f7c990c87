package layouts_test

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/goccy/go-json"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// manyRows gives every list of a result n rows.
func manyRows(r any, n int) {
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case f.Type() == reflect.TypeFor[gcx.Extras]():
		case f.Kind() == reflect.Slice && !f.IsNil():
			rows := reflect.MakeSlice(f.Type(), n, n)
			for k := range n {
				fillRow(rows.Index(k), k)
			}
			f.Set(rows)
		case f.Kind() == reflect.Struct && f.Type() != reflect.TypeFor[wire.Value]():
			fillRow(f, 1)
		}
	}
}

// fillRow gives the fields of row k values like those that tools answer with.
func fillRow(row reflect.Value, k int) {
	n := strconv.Itoa(k)
	for i := range row.NumField() {
		switch f := row.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(map[string]string{
				"ID": "pkg/dir/file.go::Name" + n, "From": "pkg/a.go::From" + n, "To": "pkg/b.go::To" + n, "ContractID": "GET /v1/" + n,
				"Kind": "function", "EdgeKind": "calls", "Origin": "ast_resolved", "Name": "Name" + n, "FromName": "From" + n, "Path": "pkg/dir/file" + n + ".go",
				"FromPath": "pkg/a" + n + ".go", "Sig": "func(ctx context.Context) error", "Source": "func Name" + n + "() {\n\treturn\n}", "ETag": "4f2a",
				"Reason": "similar name", "Severity": "low", "Type": "http", "Method": "GET", "Service": "api", "Side": "provider", "Repo": "core", "Symbol": "Name" + n,
				"Task": "find " + n,
			}[row.Type().Field(i).Name])
		case reflect.Struct:
			fillRow(f, k)
		case reflect.Int:
			f.SetInt(int64(k % 5000))
		case reflect.Float64:
			f.SetFloat(float64(k%100) / 100)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"Name" + n, "other"}))
		}
	}
}

// benchLayouts are the layouts that have rows of their own.
func benchLayouts() map[string]any {
	list := map[string]any{
		"search_symbols":       &layouts.SearchSymbols{Symbols: []layouts.Symbol{}},
		"get_symbol_source":    &layouts.GetSymbolSource{},
		"batch_symbols":        &layouts.BatchSymbols{Symbols: []layouts.BatchSymbol{}},
		"batch_symbols_source": &layouts.BatchSymbols{IncludeSource: true, Symbols: []layouts.BatchSymbol{}},
		"find_usages":          &layouts.FindUsages{Usages: []layouts.Usage{}},
		"get_file_summary":     &layouts.GetFileSummary{Symbols: []layouts.FileSymbol{}},
		"get_callers":          &layouts.Graph{Tool: "get_callers", Nodes: []layouts.Node{}, Edges: []layouts.Edge{}},
		"get_editing_context":  &layouts.GetEditingContext{Callers: []layouts.Node{}, Dependencies: []layouts.Node{}, Tests: []layouts.TestFile{}},
		"smart_context":        &layouts.SmartContext{Symbols: []layouts.ScoredSymbol{}},
		"dead_code":            &layouts.Analyze{Kind: "dead_code", DeadCode: []layouts.DeadCode{}},
		"hotspots":             &layouts.Analyze{Kind: "hotspots", Hotspots: []layouts.Hotspot{}},
		"cycles":               &layouts.Analyze{Kind: "cycles", Cycles: []layouts.Cycle{}},
		"contracts":            &layouts.Contracts{Check: true, List: []layouts.Contract{}, Orphans: []layouts.ContractOrphan{}},
	}
	for _, r := range list {
		manyRows(r, 10_000)
	}
	return list
}

// BenchmarkLayouts measures results of 10,000 rows in their layouts, with
// goccy/go-json on the same structs beside it.
func BenchmarkLayouts(b *testing.B) {
	list := benchLayouts()
	for _, name := range slices.Sorted(maps.Keys(list)) {
		layout(b, name, list[name])
	}
	// Layouts whose columns the generic fallback chooses hold values; for
	// goccy/go-json they are maps and slices.
	nodes := list["get_callers"].(*layouts.Graph).Nodes
	v, err := wire.FromGo(nodes)
	require.NoError(b, err)
	var plain any
	require.NoError(b, wire.ToGo(v, &plain))
	layoutLike(b, "get_repo_outline", &layouts.GetRepoOutline{Hotspots: v}, plain, func() any { return new(any) })
}

func layout(b *testing.B, name string, r any) {
	fresh := reflect.TypeOf(r).Elem()
	layoutLike(b, name, r, r, func() any { return reflect.New(fresh).Interface() })
}

func layoutLike(b *testing.B, name string, r any, like any, room func() any) {
	asJSON, err := json.Marshal(like)
	require.NoError(b, err)
	text, err := gcx.Codec{}.AppendResult(nil, r)
	require.NoError(b, err)
	fresh := reflect.TypeOf(r).Elem()
	run := func(way string, f func() error) { codectest.Measure(b, name+"/"+way, len(asJSON), f) }
	run("encode/gcx", func() error { _, err := gcx.Codec{}.AppendResult(nil, r); return err })
	run("encode/goccy", func() error { _, err := json.Marshal(like); return err })
	run("decode/gcx", func() error { return gcx.Codec{}.DecodeResult(text, reflect.New(fresh).Interface()) })
	run("decode/goccy", func() error { return json.Unmarshal(asJSON, room()) })
}
