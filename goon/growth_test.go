package goon_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

func TestVariants(t *testing.T) {
	registry, err := wire.NewRegistry(goon.Codec{})
	require.NoError(t, err)
	for name, want := range map[string]goon.Codec{"goon": {}, "goon:no-truncate": {NoTruncate: true}, "goon:strict": {Strict: true}, "goon:lenient": {Lenient: true}} {
		c, err := registry.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, want, c)
		want.Limits.Values = 7
		require.Equal(t, name, want.Info().FullName(), "limits make no variant")
	}
	require.Len(t, describe.All(registry), 4)
	for _, c := range []goon.Codec{{NoTruncate: true, Strict: true}, {Version: "4.0.1"}, {Expand: []string{"title"}}} {
		require.Equal(t, variants.Custom, c.Info().Variant)
	}
	require.Empty(t, goon.Codec{Version: "1.0.0"}.Info().Variant)
}

const head = "@header\nquery_type:%s\ngoon_version:1.0.0\n"

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// hostileTexts are texts of about n bytes that are cheap to write and could be
// dear to read.
var hostileTexts = map[string]func(n int) string{
	"short nodes": func(n int) string {
		return fmt.Sprintf(head, "search") + fmt.Sprintf("nodes:%d\nedges:0\n@nodes\nA(%d):\n", n/2, n/2) + strings.Repeat("1\n", n/2) + "@edges\n"
	},
	"groups of nodes": func(n int) string {
		return fmt.Sprintf(head, "search") + fmt.Sprintf("nodes:%d\nedges:0\n@nodes\n", n/8) + strings.Repeat("A(1):\n1\n", n/8) + "@edges\n"
	},
	"many pairs": func(n int) string {
		return fmt.Sprintf(head, "search") + "nodes:1\nedges:0\n@nodes\nA(1):\n1" + numbered(n/9, " k%d=1") + "\n@edges\n"
	},
	"own pairs": func(n int) string {
		return fmt.Sprintf(head, "search") + fmt.Sprintf("nodes:%d\nedges:0\n@nodes\nA(%d):\n", n/11, n/11) + numbered(n/11, "1 k%d=1\n") + "@edges\n"
	},
	"edges": func(n int) string {
		return fmt.Sprintf(head, "search") + fmt.Sprintf("nodes:0\nedges:%d\n@nodes\n@edges\nX(%d):\n", n/12, n/12) + strings.Repeat("A:1 --> B:2\n", n/12)
	},
	"repeated edges": func(n int) string {
		return fmt.Sprintf(head, "search") + fmt.Sprintf("nodes:0\nedges:%d\n@nodes\n@edges\nX(%d):\n", n, n/12) + strings.Repeat("A:1 --> B:2\n", n/12)
	},
	"paths": func(n int) string {
		return fmt.Sprintf(head, "path_finding") + fmt.Sprintf("nodes:0\nedges:%d\n@nodes\n@paths\n", n/24) + strings.Repeat("path=0: A:1 --X--> B:20\n", n/24)
	},
	"a long path": func(n int) string {
		return fmt.Sprintf(head, "path_finding") + fmt.Sprintf("nodes:0\nedges:%d\n@nodes\n@paths\npath=0: A:1", n/11) + strings.Repeat(" --X--> A:1", n/11) + "\n"
	},
	"blank rows": func(n int) string {
		return fmt.Sprintf(head, "aggregation") + fmt.Sprintf("nodes:0\nedges:0\nrows:%d\n@nodes\n@edges\n@rows\n", n) + strings.Repeat("\n", n)
	},
	"short rows": func(n int) string {
		return fmt.Sprintf(head, "aggregation") + fmt.Sprintf("nodes:0\nedges:0\nrows:%d\naggregations:a(f)\n@nodes\n@edges\n@rows\n", n/4) + strings.Repeat("a=1\n", n/4)
	},
	"loose rows": func(n int) string {
		return fmt.Sprintf(head, "search") + "nodes:0\nedges:0\n@nodes\n@edges\n@rows\n" + numbered(n/18, "a%[1]d=1 b%[1]d=2\n")
	},
	"references": func(n int) string {
		return fmt.Sprintf(head, "aggregation") + fmt.Sprintf("nodes:%d\nedges:0\nrows:%d\ngroup_by:u(node:A)\n@nodes\nA(%d):\n", n/14, n/14, n/14) +
			numbered(n/14, "%d\n") + "@edges\n@rows\n" + numbered(n/14, "u=A:%d\n")
	},
	"header lines": func(n int) string {
		return fmt.Sprintf(head, "search") + "nodes:0\nedges:0\n" + strings.Repeat("a:\n", n/3) + "@nodes\n@edges\n"
	},
	"columns": func(n int) string {
		return fmt.Sprintf(head, "aggregation") + "nodes:0\nedges:0\nrows:1\naggregations:z(f)" + numbered(n/10, ",c%d(f)") + "\n@nodes\n@edges\n@rows\nz=1\n"
	},
	"hex escapes":    func(n int) string { return oneText(strings.Repeat(`\u2028`, n/6)) },
	"mixed escapes":  func(n int) string { return oneText(strings.Repeat(`é\nü`, n/6)) },
	"bad escapes":    func(n int) string { return oneText(strings.Repeat(`\x`, n/2)) },
	"separators":     func(n int) string { return oneText(strings.Repeat("\u2028", n/3)) },
	"dates":          func(n int) string { return oneLine(numbered(n/38, " k%d=2026-05-08 22:55:58Z")) },
	"blanks":         func(n int) string { return oneLine(" k=1-1-1" + strings.Repeat(" ", n) + "1:1") },
	"dates in dates": func(n int) string { return oneLine(" k=" + strings.Repeat("1-1-1 ", n/6)) },
	"junk":           func(n int) string { return fmt.Sprintf(head, "search") + strings.Repeat("junk\n", n/5) },
	"words":          func(n int) string { return oneLine(" a=" + strings.Repeat("x ", n/2)) },
}

func oneLine(pairs string) string {
	return fmt.Sprintf(head, "search") + "nodes:1\nedges:0\n@nodes\nA(1):\n1" + pairs + "\n@edges\n"
}

func oneText(text string) string { return oneLine(` a="` + text + `"`) }

// textReaders are all that takes a text's bytes.
var textReaders = map[string]func(src []byte){
	"Decode":         func(src []byte) { _, _ = goon.Codec{}.Decode(src) },
	"strict":         func(src []byte) { _, _ = goon.Codec{Strict: true}.Decode(src) },
	"lenient":        func(src []byte) { _, _ = decodeNoted(goon.Codec{Lenient: true}, src) },
	"Unmarshal any":  func(src []byte) { var v any; _ = goon.Unmarshal(src, &v) },
	"Unmarshal":      func(src []byte) { var r goon.Response; _ = goon.Unmarshal(src, &r) },
	"ExtractResult":  func(src []byte) { _, _ = goon.ExtractResult(src); _ = goon.Codec{}.Sniff(src) },
	"read and write": func(src []byte) { r, err := goon.Codec{Lenient: true}.DecodeResponse(src); _ = err == nil && write(r) },
}

func write(r *goon.Response) bool {
	_, err := goon.Codec{NoTruncate: true}.AppendResponse(nil, r)
	return err == nil && r.Validate() == nil
}

// hostileJSON are responses of about n bytes in JSON.
var hostileJSON = map[string]func(n int) string{
	"nodes": func(n int) string {
		return `{"query_type":"search","edges":[],"nodes":[` + strings.Repeat(`{"type":"","id":1},`, n/19) + `{"type":"","id":1}]}`
	},
	"own nodes": func(n int) string {
		return `{"query_type":"search","edges":[],"nodes":[` + numbered(n/34, `{"type":"A","id":%[1]d,"k%[1]d":1},`) + `{"type":"","id":1}]}`
	},
	"types of nodes": func(n int) string {
		return `{"query_type":"search","edges":[],"nodes":[` + numbered(n/28, `{"type":"A%[1]d","id":%[1]d},`) + `{"type":"","id":1}]}`
	},
	"edges": func(n int) string {
		return `{"query_type":"search","nodes":[],"edges":[` + strings.TrimSuffix(numbered(n/55, `{"from":"A","from_id":%d,"to":"B","to_id":2,"type":"X"},`), ",") + `]}`
	},
	"steps": func(n int) string {
		return `{"query_type":"path_finding","nodes":[],"edges":[` + strings.TrimSuffix(numbered(n/75, `{"from":"A","from_id":%d,"to":"B","to_id":2,"type":"X","path_id":0,"step":0},`), ",") + `]}`
	},
	"rows": func(n int) string {
		return `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"a","function":"f"}],"rows":[` + strings.Repeat(`{"a":1},`, n/8) + `{}]}`
	},
	"own rows": func(n int) string {
		return `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"a","function":"f"}` + numbered(n/60, `,{"name":"k%d","function":"f"}`) + `],"rows":[` + numbered(n/26, `{"k%d":1},`) + `{}]}`
	},
	"lifted": func(n int) string {
		return `{"query_type":"aggregation","nodes":[],"edges":[],"group_columns":[{"name":"u","kind":"node"}],"rows":[` + numbered(n/40, `{"u":{"type":"A","id":"%d"}},`) + `{}]}`
	},
	"small numbers": func(n int) string {
		return `{"query_type":"search","edges":[],"nodes":[{"type":"","id":1` + numbered(n/18, `,"k%d":5e-324`) + `}]}`
	},
	"separators": func(n int) string {
		return `{"query_type":"search","edges":[],"nodes":[{"type":"","id":1,"a":"` + strings.Repeat("\u2028", n/3) + `"}]}`
	},
}

func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for reader, read := range textReaders {
		for name, text := range hostileTexts {
			t.Run(reader+" "+name, func(t *testing.T) {
				growth.Linear(t, 8<<10, func(n int) func() {
					src := []byte(text(n))
					return func() { read(src) }
				})
			})
		}
	}
	for name, text := range hostileJSON {
		t.Run("ParseJSON "+name, func(t *testing.T) {
			growth.Linear(t, 8<<10, func(n int) func() {
				src := []byte(text(n))
				return func() { readJSON(src) }
			})
		})
	}
}

func readJSON(src []byte) {
	if r, err := goon.ParseJSON(src); err == nil {
		write(r)
	}
}

func TestMemory(t *testing.T) {
	const megabyte = 1_000_000
	var cases []resident.Case
	for name, text := range hostileTexts {
		for _, reader := range []string{"Decode", "lenient", "read and write"} {
			cases = append(cases, resident.Case{Name: reader + " " + name, Input: func() []byte { return []byte(text(megabyte)) }, Call: textReaders[reader]})
		}
	}
	for name, text := range hostileJSON {
		for _, n := range []int{megabyte / 8, megabyte} {
			cases = append(cases, resident.Case{Name: fmt.Sprintf("ParseJSON %s %d", name, n), Input: func() []byte { return []byte(text(n)) }, Call: readJSON})
		}
	}
	resident.Check(t, cases...)
}
