//go:build upstream

package gcx_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestUpstreamGoldens reads the golden payloads of the reference's tests,
// writes them again byte for byte, and reads them as the layouts they are.
func TestUpstreamGoldens(t *testing.T) {
	dir := codectest.Upstream(t, "gcx", "golden")
	for file, result := range map[string]any{
		"search_symbols.gcx": new(layouts.SearchSymbols), "get_callers.gcx": new(layouts.Graph), "get_symbol_source.gcx": new(layouts.GetSymbolSource),
	} {
		payload, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		sections, err := gcx.Codec{}.DecodeSections(payload)
		require.NoError(t, err)
		again, err := gcx.Codec{Plain: true}.AppendSections(nil, sections...)
		require.NoError(t, err)
		require.Equal(t, string(payload), string(again), file)
		require.NoError(t, gcx.Codec{}.DecodeResult(payload, result), file)
		switch r := result.(type) {
		case *layouts.SearchSymbols:
			require.Equal(t, 5, r.Total)
			require.Len(t, r.Symbols, 5)
			same, err := gcx.Codec{}.AppendResult(nil, r)
			require.NoError(t, err)
			require.Equal(t, string(payload), string(same), "the layout has the golden's bytes")
		case *layouts.Graph:
			require.Len(t, r.Nodes, 2)
			require.Equal(t, 1.0, r.Edges[0].Confidence)
		case *layouts.GetSymbolSource:
			require.Equal(t, "func Foo() {\n\tfmt.Println(\"x\\ty\")\n}", r.Symbol.Source)
		}
	}
}

// published has the bytes of JSON and GCX in upstream's scorecard.
var published = map[string][2]int{
	"01_search_symbols_small": {720, 522}, "02_search_symbols_large": {4201, 2924}, "03_get_symbol_source_small": {731, 731},
	"04_get_symbol_source_large": {1691, 1663}, "05_batch_symbols": {1077, 702}, "06_find_usages_small": {1287, 989},
	"07_find_usages_large": {1783, 920}, "08_get_file_summary": {2172, 1599}, "09_analyze_hotspots": {1731, 1037},
	"10_analyze_dead_code": {1132, 825}, "11_contracts_list": {2296, 1562}, "12_get_callers_medium": {3021, 2204},
	"13_smart_context": {1816, 1178}, "14_get_dependents_small": {1269, 929}, "15_get_test_targets": {1256, 997},
	"16_find_implementations": {936, 690}, "17_find_cycles": {224, 192}, "18_graph_stats": {494, 512},
	"19_get_editing_context": {927, 708}, "20_get_repo_outline": {784, 690},
}

// readCase reads a case of upstream's benchmark: the lines tool:, description:
// and input: |, after which every line is JSON text, indented by two spaces.
func readCase(t *testing.T, path string) (tool string, input []byte) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	head, body, ok := strings.Cut(string(text), "input: |\n")
	require.True(t, ok, path)
	for line := range strings.Lines(head) {
		if rest, ok := strings.CutPrefix(line, "tool: "); ok {
			tool = strings.TrimSpace(rest)
		}
	}
	require.NotEmpty(t, tool, path)
	for line := range strings.Lines(body) {
		input = append(input, strings.TrimPrefix(line, "  ")...)
	}
	return tool, input
}

// TestUpstreamInputs writes the inputs of upstream's benchmark. The plain
// wrapper has no more bytes than the published payload, with the same columns
// and with every value; the lossless codec gives the same value back.
func TestUpstreamInputs(t *testing.T) {
	dir := codectest.Upstream(t, "gcx", "wire-format")
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	require.Len(t, paths, len(published))
	for _, path := range paths {
		label := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(label, func(t *testing.T) {
			tool, input := readCase(t, path)
			v := codectest.JSON(t, input)
			compact := wire.AppendJSON(nil, v)

			plain, err := gcx.Codec{Tool: tool, Plain: true}.AppendObject(nil, v)
			require.NoError(t, err)
			want := published[label][1]
			if label == "13_smart_context" {
				// The published payload leaves the task out.
				task, ok := v.Get("task")
				require.True(t, ok)
				want += len("GCX1 tool=smart_context.meta fields=task\n") + task.Len() + 1
			}
			require.LessOrEqual(t, len(plain), want, "%s", plain)
			require.Equal(t, leaves(v), payloadLeaves(t, plain))

			lossless := codectest.Encoded(t, gcx.Codec{Tool: tool}, v)
			back := codectest.Decoded(t, gcx.Codec{}, lossless)
			require.True(t, wire.Identical(v, back))
			t.Logf("JSON %d (published %d), plain %d (published %d), lossless %d", len(compact), published[label][0], len(plain), published[label][1], len(lossless))
		})
	}
}

// leaves returns the text of every scalar below v, sorted, those that are empty
// in a plain cell left out.
func leaves(v wire.Value) []string {
	var all []string
	var walk func(wire.Value)
	walk = func(v wire.Value) {
		switch {
		case v.Kind() >= wire.KindArray:
			for e := range v.Elements() {
				walk(e)
			}
		case v.Kind() == wire.KindString && v.Len() == 0, v.Kind() == wire.KindNull:
		default:
			all = append(all, v.String())
		}
	}
	walk(v)
	slices.Sort(all)
	return all
}

// payloadLeaves is leaves for a payload: cells, the elements of cells of JSON,
// and the meta pairs except rows=.
func payloadLeaves(t *testing.T, payload []byte) []string {
	sections, err := gcx.Codec{}.DecodeSections(payload)
	require.NoError(t, err)
	var all []wire.Value
	for _, s := range sections {
		for _, m := range s.Meta {
			if m.Key != "rows" {
				all = append(all, wire.String(m.Value))
			}
		}
		for _, row := range s.Rows {
			for _, cell := range row {
				if strings.HasPrefix(cell, "[") || strings.HasPrefix(cell, "{") {
					v := codectest.JSON(t, cell)
					all = append(all, v)
					continue
				}
				all = append(all, wire.String(cell))
			}
		}
	}
	return leaves(wire.Array(all...))
}
