package glyph_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// referenceText is what the reference implementations write by default: tables
// with counts wherever a list can be one, in cells too, where every pipe of
// them gets a backslash.
func referenceText(v wire.Value) string {
	switch v.Kind() {
	case wire.KindArray:
		if columns := referenceColumns(v); columns != nil {
			return referenceTable(v, columns)
		}
		var parts []string
		for e := range v.Elements() {
			parts = append(parts, referenceText(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case wire.KindObject:
		var parts []string
		for key, e := range v.Members() {
			parts = append(parts, referenceKey(key)+"="+referenceText(e))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, " ") + "}"
	}
	return glyph.CanonicalizeLoose(v)
}

func referenceKey(key string) string {
	text := glyph.CanonicalizeLoose(glyph.Map(glyph.MapEntry{Key: key}))
	return strings.TrimSuffix(text[1:], "=_}")
}

// referenceColumns is the document's rule with the reference's bound of 64
// columns; nil if the list is not a table.
func referenceColumns(v wire.Value) []string {
	count := map[string]int{}
	for e := range v.Elements() {
		if e.Kind() != wire.KindObject || e.Len() == 0 {
			return nil
		}
		for key := range e.Members() {
			count[key]++
		}
	}
	common := 0
	var columns []string
	for key, n := range count {
		columns = append(columns, key)
		if n == v.Len() {
			common++
		}
	}
	if v.Len() < 3 || len(columns) > 64 || 2*common < len(columns) {
		return nil
	}
	slices.SortFunc(columns, func(a, b string) int { return strings.Compare(referenceKey(a), referenceKey(b)) })
	return columns
}

func referenceTable(v wire.Value, columns []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@tab _ rows=%d cols=%d [", v.Len(), len(columns))
	for i, key := range columns {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(referenceKey(key))
	}
	b.WriteString("]\n")
	for row := range v.Elements() {
		for _, key := range columns {
			cell, _ := row.Get(key)
			b.WriteString("|" + strings.ReplaceAll(referenceText(cell), "|", `\|`))
		}
		b.WriteString("|\n")
	}
	b.WriteString("@end")
	return b.String()
}

// TestReferenceTables reads tables at any place in a cell.
func TestReferenceTables(t *testing.T) {
	one := `{"o":{"l":[{"x":1},{"x":2},{"x":3}],"m":"a|b"},"id":1}`
	require.Equal(t, newlines(`@tab _ rows=3 cols=2 [id o]⏎`+strings.Repeat(`|1|{l=@tab _ rows=3 cols=1 [x]⏎\|1\|⏎\|2\|⏎\|3\|⏎@end m="a\|b"}|⏎`, 3)+`@end`),
		referenceText(parseJSON(t, "["+one+","+one+","+one+"]")))
	r := rand.New(rand.NewPCG(3, 4))
	inCells := 0
	check := func(v wire.Value) {
		text := referenceText(v)
		back := codectest.Decoded(t, glyph.Codec{}, text)
		loss, path := wire.Difference(v, back)
		require.Zero(t, loss&^canonical.Info().Loss, "%v at %s\n%s", loss, path, text)
		inCells += strings.Count(text, `\|`+"\n@end")
		if v.Kind() == wire.KindArray && strings.HasPrefix(text, "@tab") {
			rows := codectest.All(t, glyph.Codec{}.Records(iotest.OneByteReader(strings.NewReader(text))))
			require.True(t, wire.Identical(back, wire.Array(rows...)), text)
		}
	}
	check(parseJSON(t, "["+one+","+one+","+one+"]"))
	for range 1000 {
		check(nestedTables(r, 3))
		check(randomValue(r, 4))
	}
	require.Greater(t, inCells, 300)
	// Real data, where the shared corpora are beside the repository.
	for _, name := range []string{"citm_catalog", "twitter"} {
		src, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpora", name+".json"))
		if err == nil {
			check(parseJSON(t, string(src)))
		}
	}
}

// nestedTables returns rows that hold lists of rows, alone or in lists and maps.
func nestedTables(r *rand.Rand, depth int) wire.Value {
	rows := make([]wire.Value, r.IntN(3)+2)
	for i := range rows {
		entries := []glyph.MapEntry{{Key: "a", Value: randomValue(r, 0)}, {Key: "b", Value: randomValue(r, 0)}}
		if depth > 0 && r.IntN(2) == 0 {
			inner := nestedTables(r, depth-1)
			switch r.IntN(4) {
			case 0:
				inner = wire.Array(glyph.Str("x|y"), inner, inner)
			case 1:
				inner = glyph.Map(glyph.MapEntry{Key: "k", Value: inner}, glyph.MapEntry{Key: "z|", Value: glyph.Str(`\|`)})
			case 2:
				inner = wire.Array(wire.Array(glyph.Map(glyph.MapEntry{Key: "k", Value: inner})))
			}
			entries[1].Value = inner
		}
		rows[i] = glyph.Map(entries...)
	}
	return wire.Array(rows...)
}

func TestTablesInCells(t *testing.T) {
	for _, c := range []struct {
		text, code   string
		line, column int
	}{
		{"@tab _ [l]\n|@tab _ [x]\n\\|01\\|\n@end|\n@end", "invalid_number", 3, 3},
		{"@tab _ [l]\n|@tab _ [x]\n\\|1\\|\n@end x\n@end|\n@end", "unexpected_character", 4, 6},
		{"@tab _ [l m]\n|{a=@tab _ [x y]\n\\|a\\|01\\|\n@end}|2|\n@end", "invalid_number", 3, 6},
		{"@tab _ [l m]\n|{a=@tab _ [x y]\n\\|a\\|1\\|\n@end b=01}|2|\n@end", "invalid_number", 4, 8},
		{"@tab _ [l]\n|[@tab _ [x]\n\\|[@tab _ [y]\n\\\\|01\\\\|\n@end]\\|\n@end]|\n@end", "invalid_number", 4, 4},
		{"@tab _ [l]\n|[@tab _ [x]\n\\|1\\|\n@end|\n@end", "unexpected_end", 4, 5},
		{"@tab _ [l]\n|[@tab _ [x]\n\\|1\\|\n@end", "missing_end", 2, 3},
		{"@tab _ [l]\n|@tab _ [x]\n|1|\n@end|\n@end", "missing_end", 3, 1},
	} {
		_, err := glyph.Codec{}.Decode([]byte(c.text))
		requireError(t, err, c.code, nil)
		e := err.(*wire.Error)
		require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, "%q: %v", c.text, err)
	}
	// An empty cell beside one with a table stays empty.
	v := codectest.Decoded(t, glyph.Codec{}, "@tab _ [a b c]\n||[@tab _ [x y]\n\\|\\|1\\|\n@end]|2|\n@end")
	require.True(t, wire.Identical(parseJSON(t, `[{"b":[[{"y":1}]],"c":2}]`), v), "%v", v)
	// Each level is a copy of what it holds: that is bounded.
	cell := "@tab _ [a]\n|1|\n@end"
	for range 40 {
		cell = "@tab _ [a]\n|" + strings.ReplaceAll(cell, "|", `\|`) + "|\n@end"
	}
	_, err := glyph.Codec{}.Decode([]byte(cell))
	requireError(t, err, "too_deep", wire.ErrLimit)
}
