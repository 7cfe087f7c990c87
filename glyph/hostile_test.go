package glyph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

type hostile struct{ name, text string }

// hostileDocuments are texts of about n small parts each.
func hostileDocuments(n int) []hostile {
	var keys, tables, inCells strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, "k%d=%d ", i, i)
	}
	for range n / 10 {
		tables.WriteString("@tab _ [a]\n|1|\n@end ")
	}
	inCells.WriteString("@tab _ [a]\n|1|\n@end")
	cell := inCells.String()
	for range 8 {
		cell = "@tab _ [a]\n|" + strings.ReplaceAll(cell, "|", `\|`) + "|\n@end"
	}
	row := strings.Repeat("|1", 100) + "|\n"
	return []hostile{
		{fmt.Sprintf("nested lists/%d", n), strings.Repeat("[", n)},
		{fmt.Sprintf("nested and closed/%d", n), strings.Repeat("[", n) + strings.Repeat("]", n)},
		{fmt.Sprintf("nested maps/%d", n), strings.Repeat("{a=", n)},
		{fmt.Sprintf("keys/%d", n), "{" + keys.String() + "}"},
		{fmt.Sprintf("same key/%d", n), "{" + strings.Repeat("a=1 ", n) + "}"},
		{fmt.Sprintf("tables/%d", n), "[" + tables.String() + "]"},
		{fmt.Sprintf("tables in cells/%d", n), "[" + strings.Repeat(cell+" ", n/1000) + "]"},
		{fmt.Sprintf("gaps/%d", n), "@tab _ [a b c]\n" + strings.Repeat("||1||\n", n) + "@end"},
		{fmt.Sprintf("wide rows/%d", n), "@tab _ [" + columnsText(100) + "]\n" + strings.Repeat(row, n/100) + "@end"},
		{fmt.Sprintf("columns/%d", n), "@tab _ [" + columnsText(n) + "]\n"},
		{fmt.Sprintf("quote/%d", n), `"` + strings.Repeat("x", n)},
		{fmt.Sprintf("escapes/%d", n), `"` + strings.Repeat(`\n`, n) + `"`},
		{fmt.Sprintf("blank/%d", n), strings.Repeat(" ", n)},
		{fmt.Sprintf("digits/%d", n), strings.Repeat("7", n)},
		{fmt.Sprintf("word/%d", n), strings.Repeat("é", n)},
		{fmt.Sprintf("attributes/%d", n), "@tab _ " + strings.Repeat("a=1 ", n)},
		{fmt.Sprintf("schema/%d", n), "@schema#x @keys=[" + columnsText(n) + "]\n{#0=1}"},
	}
}

func columnsText(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "c%d ", i)
	}
	return b.String()
}

// TestHostileInput holds that big nasty documents are read or refused at once
// and within a small multiple of their size.
func TestHostileInput(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range hostileDocuments(100_000) {
		t.Run(c.name, func(t *testing.T) {
			codec := glyph.Codec{Limits: wire.Limits{Depth: bound.MostDepth}}
			text := codectest.Bounded(t, codec, codec, []byte(c.text))
			require.Less(t, len(text), 4*len(c.text)+100)
		})
	}
}

// TestDepthLimit is the one document that the reference never stops reading.
func TestDepthLimit(t *testing.T) {
	for _, open := range []string{"[", "{a=", `{"a":`, "[{a="} {
		_, err := glyph.Codec{}.Decode([]byte(strings.Repeat(open, 100_000)))
		requireError(t, err, "too_deep", wire.ErrLimit)
	}
	ok := strings.Repeat("[", 512) + strings.Repeat("]", 512)
	v := codectest.Decoded(t, glyph.Codec{}, ok)
	require.Equal(t, ok, glyph.CanonicalizeLoose(v))
}

// TestNestedTables holds that tables in tables do not blow the text up: the
// reference makes 836,513 bytes of nine levels, more than JSON.
func TestNestedTables(t *testing.T) {
	v := glyph.Int(1)
	for range 9 {
		row := glyph.Map(glyph.MapEntry{Key: "x|y", Value: v}, glyph.MapEntry{Key: "k", Value: glyph.Int(1)})
		v = wire.Array(row, row, row)
	}
	text := glyph.CanonicalizeLoose(v)
	require.Less(t, len(text), len(wire.AppendJSON(nil, v)))
	back := codectest.Decoded(t, glyph.Codec{}, text)
	require.True(t, wire.Equal(v, back))
}

// TestSparseRows holds that the union of many different rows costs no more than
// their keys.
func TestSparseRows(t *testing.T) {
	rows := make([]wire.Value, 20_000)
	for i := range rows {
		rows[i] = glyph.Map(glyph.MapEntry{Key: "id", Value: glyph.Int(int64(i))}, glyph.MapEntry{Key: fmt.Sprint("k", i), Value: glyph.Int(1)})
	}
	for _, c := range []glyph.Codec{{}, {MaxCols: 1 << 20}} {
		growth.Within(t, 5*time.Second, func() {
			codectest.Encoded(t, c, wire.Array(rows...))
		})
	}
}
