package glyph_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// entryPoints are all that take bytes.
var entryPoints = []struct {
	name string
	call func(text []byte)
}{
	{"Decode", func(text []byte) { _, _ = glyph.Codec{Limits: wire.Limits{Depth: bound.MostDepth}}.Decode(text) }},
	{"Unmarshal any", func(text []byte) { _ = glyph.Unmarshal(text, new(any)) }},
	{"Records", func(text []byte) {
		for range (glyph.Codec{}).Records(bytes.NewReader(text)) {
		}
	}},
	{"Lenient", func(text []byte) {
		for range (glyph.Codec{Lenient: true}).TableRows(bytes.NewReader(text)) {
		}
	}},
	{"ParseLoosePayload", func(text []byte) { _, _, _ = glyph.ParseLoosePayload(string(text), nil) }},
	{"ParseTabularLoose", func(text []byte) { _, _ = glyph.ParseTabularLoose(string(text)) }},
	{"ParsePatch", func(text []byte) { _, _ = glyph.ParsePatch(string(text), nil) }},
	{"Path", func(text []byte) { glyph.NewPatchBuilder("").Delete(string(text)) }},
	{"FromJSONLoose", func(text []byte) { _, _ = glyph.BridgeOpts{Extended: true}.FromJSON(text) }},
	{"Sniff", func(text []byte) { glyph.Codec{}.Sniff(text) }},
}

// growingTexts are hostile texts of about n bytes.
var growingTexts = []struct {
	name string
	text func(n int) string
}{
	{"path of dots", func(n int) string { return strings.Repeat("a.", n/2) + "b" }},
	{"path of a long key", func(n int) string { return strings.Repeat("a", n) + ".b" }},
	{"path of indices", func(n int) string { return "a" + strings.Repeat("[0]", n/3) }},
	{"patch of a path", func(n int) string { return "@patch\n= " + strings.Repeat("a.", n/2) + "b 1\n@end" }},
	{"patch of paths", func(n int) string { return "@patch\n" + strings.Repeat("= a.b.c.d 1\n", n/12) + "@end" }},
	{"patch of words", func(n int) string { return "@patch" + strings.Repeat(" @x=1", n/5) + "\n@end" }},
	{"numbered keys", func(n int) string {
		return "@schema#abc keys=[" + strings.Repeat("k", n/2) + "]\n[" + strings.Repeat("{#0=1} ", n/14) + "]"
	}},
	{"numbered columns", func(n int) string {
		return "@schema#abc keys=[" + strings.Repeat("k", n/2) + "]\n[" + strings.Repeat("@tab _ [#0]\n@end ", n/36) + "]"
	}},
	{"numbered keys that are alike", func(n int) string {
		var b strings.Builder
		for i := range n / 200 {
			fmt.Fprintf(&b, "%s%d ", strings.Repeat("k", 90), i)
		}
		b.WriteString("]\n{")
		for i := range n / 200 {
			fmt.Fprintf(&b, "#%d=1 ", i)
		}
		return "@schema#abc keys=[" + b.String() + "}"
	}},
	{"tables in a cell", func(n int) string {
		return "@tab _ [a]\n|[" + strings.Repeat("@tab _ [x]\n\\|1\\|\n@end ", n/23) + "]|\n@end"
	}},
	{"cells with tables", func(n int) string {
		return "@tab _ [a]\n" + strings.Repeat("|[@tab _ [x]\n\\|1\\|\n@end]|\n", n/26) + "@end"
	}},
	{"cell that never ends", func(n int) string { return "@tab _ [a]\n|[@tab _ [x]\n" + strings.Repeat("\\|1\\|\n", n/6) }},
	{"cells that never end", func(n int) string { return "@tab _ [a]\n" + strings.Repeat("|[@tab _ [x]\n", n/13) }},
	{"backslashes in cells", func(n int) string { return "@tab _ [a]\n|[@tab _ [x]\n" + strings.Repeat(`\\|`, n/3) + "|\n@end" }},
	{"nested lists", func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) }},
	{"lists of lists", func(n int) string { return "[" + strings.Repeat("[[]] ", n/5) + "]" }},
	{"different keys", func(n int) string {
		var b strings.Builder
		for i := range n / 20 {
			fmt.Fprintf(&b, "{a%d=1 b%d=2} ", i, i)
		}
		return "[" + b.String() + "]"
	}},
	{"wide rows", func(n int) string {
		return "@tab _ [" + columnsText(n/20) + "]\n" + strings.Repeat(strings.Repeat("|", n/20+1)+"\n", 10) + "@end"
	}},
	{"escapes", func(n int) string { return `["` + strings.Repeat(`\n`, n/2) + `"]` }},
	{"digits", func(n int) string { return "[" + strings.Repeat("7", n) + "]" }},
	{"exponent", func(n int) string { return "[1e" + strings.Repeat("7", n) + "]" }},
	{"types", func(n int) string { return "A struct{ a: " + strings.Repeat("list<", n/5) }},
	{"fields", func(n int) string {
		var b strings.Builder
		for i := range n / 12 {
			fmt.Fprintf(&b, "f%d: int ", i)
		}
		return "A struct{" + b.String() + "}"
	}},
	{"blanks", func(n int) string { return strings.Repeat("\n ", n/2) }},
	{"a quotation mark", func(n int) string { return `"` + strings.Repeat("x", n) }},
}

// TestGrowth holds every entry point to linear time on every text, whether it
// understands it or not.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures time")
	}
	for _, text := range growingTexts {
		for _, entry := range entryPoints {
			t.Run(text.name+"/"+entry.name, func(t *testing.T) {
				growth.Linear(t, 8<<10, func(n int) func() {
					src := []byte(text.text(n))
					return func() { entry.call(src) }
				})
			})
		}
	}
}

// TestLongPath: each step of a path is looked at once, however long the rest is.
func TestLongPath(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures time")
	}
	growth.Linear(t, 64<<10, func(n int) func() {
		text := "@patch\n- " + strings.Repeat("a.", n/(1<<10)-2) + strings.Repeat("b", n) + "\n@end"
		return func() {
			_, err := glyph.ParsePatch(text, nil)
			require.NoError(t, err)
		}
	})
}

// growingValues are values of about n parts.
var growingValues = []struct {
	name  string
	value func(n int) wire.Value
}{
	{"rows of different keys", func(n int) wire.Value {
		rows := make([]wire.Value, n)
		for i := range rows {
			rows[i] = glyph.Map(glyph.MapEntry{Key: "id"}, glyph.MapEntry{Key: fmt.Sprint("k", i)})
		}
		return wire.Array(rows...)
	}},
	{"rows of growing keys", func(n int) wire.Value {
		var rows []wire.Value
		var entries []glyph.MapEntry
		for left := n; left > 0; left -= len(entries) {
			entries = append(entries, glyph.MapEntry{Key: fmt.Sprint("key", len(entries))})
			rows = append(rows, glyph.Map(entries...))
		}
		return wire.Array(rows...)
	}},
	{"lists in tables in lists", func(n int) wire.Value {
		v := wire.Array()
		for range 100 {
			row := glyph.Map(glyph.MapEntry{Key: "some_key", Value: v})
			v = wire.Array(row, glyph.Map(glyph.MapEntry{Key: "some_key"}), glyph.Map(glyph.MapEntry{Key: "some_key"}))
		}
		list := make([]wire.Value, n/400)
		for i := range list {
			list[i] = v
		}
		return wire.Array(list...)
	}},
	{"a long list", func(n int) wire.Value {
		elems := make([]wire.Value, n)
		for i := range elems {
			elems[i] = glyph.Int(int64(i))
		}
		return wire.Array(elems...)
	}},
	{"deep and late", func(n int) wire.Value {
		v := glyph.Int(int64(n))
		filler := glyph.Str(strings.Repeat("x", 20))
		for range 300 {
			elems := make([]wire.Value, n/300)
			for i := range elems {
				elems[i] = filler
			}
			v = wire.Array(wire.Array(elems...), v)
		}
		return v
	}},
	{"numbers", func(n int) wire.Value {
		list := make([]wire.Value, 4)
		for i, text := range []string{"", "e99999999999999999999", "e-" + strings.Repeat("9", n), "." + strings.Repeat("0", n)} {
			list[i], _ = wire.Number(strings.Repeat("9", n) + text)
		}
		return wire.Array(list...)
	}},
}

// TestGrowthOfValues holds what takes values to linear time.
func TestGrowthOfValues(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures time")
	}
	for _, c := range growingValues {
		for name, codec := range map[string]glyph.Codec{"lossless": {}, "canonical": canonical, "exact": exact, "upstream": upstream} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				growth.Linear(t, 10_000, func(n int) func() {
					v := c.value(n)
					return func() { _, _ = codec.AppendEncode(nil, v) }
				})
			})
		}
		t.Run(c.name+"/Diff", func(t *testing.T) {
			growth.Linear(t, 10_000, func(n int) func() {
				from, to := c.value(n), c.value(n+1)
				return func() { _, _ = glyph.Diff(from, to) }
			})
		})
		t.Run(c.name+"/Fingerprint", func(t *testing.T) {
			growth.Linear(t, 10_000, func(n int) func() {
				v := c.value(n)
				return func() { glyph.FingerprintExact(v) }
			})
		})
	}
}

// TestMemory holds every entry point to the toolkit's rule of memory.
func TestMemory(t *testing.T) {
	var cases []resident.Case
	add := func(name string, input func() []byte, call func([]byte)) {
		cases = append(cases, resident.Case{Name: name, Input: input, Call: call})
	}
	for _, text := range growingTexts {
		input := func() []byte { return []byte(text.text(900_000)) }
		add(text.name, input, func(src []byte) {
			if v, err := (glyph.Codec{}).Decode(src); err == nil {
				_, _ = glyph.Codec{}.AppendEncode(nil, v)
			}
			_, _ = glyph.ParsePatch(string(src), nil)
		})
	}
	add("issues of a long path", func() []byte {
		var b strings.Builder
		fmt.Fprintf(&b, `{"m":{"%s":{`, strings.Repeat("k", 400_000))
		for i := range 10_000 {
			fmt.Fprintf(&b, `"f%d":"x",`, i)
		}
		return []byte(b.String() + `"z":1}}}`)
	}, func(src []byte) {
		v, err := glyph.FromJSONLoose(src)
		if err != nil {
			panic(err)
		}
		ints := glyph.MapType(glyph.PrimitiveType("str"), glyph.PrimitiveType("int"))
		schema := glyph.NewSchemaBuilder().AddStruct("C", "", glyph.Field("m", glyph.MapType(glyph.PrimitiveType("str"), ints))).Build()
		glyph.ValidateWithSchema(v, schema)
	})
	add("diff of deep changes", func() []byte {
		return []byte(strings.Repeat(`{"k":[`, 200) + strings.Repeat("1,", 20_000) + "1" + strings.Repeat("]}", 200))
	}, func(src []byte) {
		from, err := glyph.FromJSONLoose(src)
		if err != nil {
			panic(err)
		}
		to, _ := glyph.FromJSONLoose(bytes.ReplaceAll(src, []byte("1"), []byte("2")))
		patch, err := glyph.Diff(from, to)
		if err != nil {
			panic(err)
		}
		_, _ = patch.AppendText(nil)
	})
	resident.Check(t, cases...)
}
