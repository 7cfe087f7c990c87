package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// manyMaps are texts of up to n bytes that become very many maps, by their format.
func manyMaps(n int) map[string]string {
	constants := strings.TrimSuffix(strings.Repeat(`"%d":"",`, 40), ",")
	for i := range 40 {
		constants = strings.Replace(constants, "%d", fmt.Sprint(i), 1)
	}
	return map[string]string{
		"gcx":       fmt.Sprintf("GCX1 tool=x fields=a rows=%d\n", n) + strings.Repeat("\n", n),
		"toon":      "[300]{" + strings.Repeat("a{", 390) + "a" + strings.Repeat("}", 390) + "}:\n" + strings.Repeat("  1\n", 300),
		"glyph":     "@tab _ [a]\n" + strings.Repeat("|1|\n", n/4),
		"csv":       "a\n" + strings.Repeat("1\n", n/2),
		"msgpack":   "\xdd\x00\x05\x00\x00" + strings.Repeat("\x81\xa0\xc0", 0x50000),
		"cbor":      "\x9f" + strings.Repeat("\xa1\x60\xf6", n/3) + "\xff",
		"json+fold": `{"folded":"x","constants":{"[]":{` + constants + `}},"data":[` + strings.Repeat("{},", n/3) + "{}]}",
	}
}

// TestMapsAreBounded holds that a text becomes no more maps than the rule of memory allows.
func TestMapsAreBounded(t *testing.T) {
	var cases []resident.Case
	for name, text := range manyMaps(1 << 20) {
		c, err := wirekit.Lookup(name)
		require.NoError(t, err)
		for into, target := range map[string]func() any{
			"any": func() any { return new(any) }, "maps": func() any { return new([]map[string]any) },
			"maps of pointers": func() any { return new([]map[string]*any) },
		} {
			cases = append(cases, resident.Case{
				Name:  name + " " + into,
				Input: func() []byte { return []byte(text) },
				Call:  func(input []byte) { _ = wire.Unmarshal(c, input, target()) },
			})
		}
	}
	resident.Check(t, cases...)
}

// TestMapsBeyondTheirText holds that the bound is an error that names it, that the
// target stays as it was, and that tables of short rows are far from it.
func TestMapsBeyondTheirText(t *testing.T) {
	trials.OneGoroutine(t)
	for name, text := range manyMaps(1 << 20) {
		if name == "toon" || name == "glyph" || name == "json+fold" {
			continue // which stay within it, or meet another limit first
		}
		c, err := wirekit.Lookup(name)
		require.NoError(t, err)
		var v any
		var maps []map[string]any
		for _, target := range []any{&v, &maps} {
			err = wire.Unmarshal(c, []byte(text), target)
			require.ErrorIs(t, err, wire.ErrLimit, name)
			require.ErrorContains(t, err, "32 MiB", name)
		}
		require.Nil(t, v, name)
		value, err := c.Decode([]byte(text))
		require.NoError(t, err, name)
		require.NoError(t, wire.ToGo(value.Index(0), &v), name)
	}
	for unit, count := range map[string]int{"\n": 100_000, "1\n": 110_000, "1234567\n": 400_000} {
		text := fmt.Sprintf("GCX1 tool=x fields=a rows=%d\n", count) + strings.Repeat(unit, count)
		c, err := wirekit.Lookup("gcx")
		require.NoError(t, err)
		var v any
		require.NoError(t, wire.Unmarshal(c, []byte(text), &v))
		require.Len(t, v, count)
		var maps []map[string]any
		require.NoError(t, wire.Unmarshal(c, []byte(text), &maps))
		require.Len(t, maps, count)
		require.Len(t, maps[count-1], 1)
	}
}
