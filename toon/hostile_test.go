package toon_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/growth"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

type hostile struct{ name, text string }

// hostileDocuments are texts of about n small parts each.
func hostileDocuments(n int) []hostile {
	var keys, fields, entries, headers strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
		fmt.Fprintf(&fields, "c%d,", i)
		fmt.Fprintf(&entries, "  k%d: 1\n", i)
		fmt.Fprintf(&headers, "h%d[0]{a,b%d}:\n", i, i)
	}
	indented := func(depth int, line string) string {
		var b strings.Builder
		for i := range depth {
			b.WriteString(strings.Repeat("  ", i) + line + "\n")
		}
		return b.String()
	}
	list := fmt.Sprintf("[%d]:\n", n)
	return []hostile{
		{fmt.Sprintf("nested objects/%d", n), indented(min(n, 1000), "a:")},
		{fmt.Sprintf("nested lists/%d", n), strings.Replace(indented(min(n, 1000), "- [1]:"), "- ", "", 1)},
		{fmt.Sprintf("keys/%d", n), keys.String()},
		{fmt.Sprintf("same key/%d", n), strings.Repeat("a: 1\n", n)},
		{fmt.Sprintf("entries/%d", n), fmt.Sprintf("[%d:]{a}:\n", n) + entries.String()},
		{fmt.Sprintf("columns/%d", n), "[1]{" + strings.TrimSuffix(fields.String(), ",") + "}:\n  1"},
		{fmt.Sprintf("headers/%d", n), headers.String()},
		{fmt.Sprintf("tables/%d", n), list + strings.Repeat("  - t[1]{a,b}:\n      1,2\n", n)},
		{fmt.Sprintf("groups/%d", n), "[1]" + strings.Repeat("{a", n)},
		{fmt.Sprintf("rows/%d", n), fmt.Sprintf("[%d]{a}:\n", n) + strings.Repeat("  1\n", n)},
		{fmt.Sprintf("grouped rows/%d", n), fmt.Sprintf("[%d]{a{b{c{d{e}}}}}:\n", n) + strings.Repeat("  1\n", n)},
		{fmt.Sprintf("deep groups/%d", n), fmt.Sprintf("[%d]", n) + strings.Repeat("{a", 400) + strings.Repeat("}", 400) + ":\n" + strings.Repeat("  1\n", n)},
		{fmt.Sprintf("empty items/%d", n), list + strings.Repeat("  -\n", n)},
		{fmt.Sprintf("empty cells/%d", n), fmt.Sprintf("[%d]: ", n+1) + strings.Repeat(",", n)},
		{fmt.Sprintf("empty cells with another count/%d", n), "[1]: " + strings.Repeat(",", n)},
		{fmt.Sprintf("quote/%d", n), `a: "` + strings.Repeat("x", n)},
		{fmt.Sprintf("quotes/%d", n), "a: x" + strings.Repeat(`"`, n)},
		{fmt.Sprintf("quotes in cells/%d", n), fmt.Sprintf("[%d]: ", n) + strings.Repeat(`x"",`, n)},
		{fmt.Sprintf("escapes/%d", n), `a: "` + strings.Repeat(`\n`, n) + `"`},
		{fmt.Sprintf("backslashes/%d", n), `a: "` + strings.Repeat(`\`, n)},
		{fmt.Sprintf("blank lines/%d", n), strings.Repeat("\n", n)},
		{fmt.Sprintf("comments/%d", n), strings.Repeat("#\n", n)},
		{fmt.Sprintf("spaces/%d", n), strings.Repeat(" ", n) + "a: 1"},
		{fmt.Sprintf("tabs/%d", n), strings.Repeat("\t", n) + "a: 1"},
		{fmt.Sprintf("brackets/%d", n), strings.Repeat("[", n) + ": 1"},
		{fmt.Sprintf("digits/%d", n), strings.Repeat("7", n)},
		{fmt.Sprintf("length/%d", n), "[" + strings.Repeat("7", n) + "]: 1"},
	}
}

// TestHostileInput holds that big nasty documents are read or refused at once
// and within a small multiple of their size.
func TestHostileInput(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range hostileDocuments(100_000) {
		t.Run(c.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				codec := toon.Codec{Lenient: lenient, Limits: wire.Limits{Depth: bound.MostDepth}}
				exact := codec
				exact.KeepNumbers = true
				text := codectest.Bounded(t, codec, exact, []byte(c.text))
				require.Less(t, len(text), 4*len(c.text)+100)
			}
		})
	}
}

// TestHostileValues holds the encoder to linear time where it looks for tables:
// values that seem to be tables up to their last leaf, at every level.
func TestHostileValues(t *testing.T) {
	trials.OneGoroutine(t)
	leaf := parse(t, `[[]]`)
	for name, grow := range map[string]func(v wire.Value, i int) wire.Value{
		"two of each": func(v wire.Value, _ int) wire.Value {
			return object(t, wire.Member{Key: "a", Value: v}, wire.Member{Key: "b", Value: v})
		},
		"chain in two": func(v wire.Value, _ int) wire.Value { return object(t, wire.Member{Key: "a", Value: v}) },
		"arrays of objects": func(v wire.Value, _ int) wire.Value {
			return wire.Array(object(t, wire.Member{Key: "a", Value: wire.Int(1)}), object(t, wire.Member{Key: "a", Value: v}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			levels := 250
			if name == "two of each" {
				levels = 16
			}
			v := leaf
			for i := range levels {
				v = grow(v, i)
			}
			if name == "chain in two" {
				v = object(t, wire.Member{Key: "x", Value: v}, wire.Member{Key: "y", Value: v})
			}
			var text []byte
			var err error
			growth.Within(t, 5*time.Second, func() { text, err = toon.Codec{}.AppendEncode(nil, v) })
			require.NoError(t, err)
			back := codectest.Decoded(t, toon.Codec{}, text)
			require.True(t, wire.Equal(v, back))
		})
	}
	// Rows that a text of a hundredth of their size would make.
	chain := wire.Int(1)
	for range 300 {
		chain = object(t, wire.Member{Key: "a", Value: chain})
	}
	chains := make([]wire.Value, 4000)
	for i := range chains {
		chains[i] = chain
	}
	_, err := toon.Codec{}.AppendEncode(nil, wire.Array(chains...))
	requireError(t, err, "too_many_groups")
	list := object(t, wire.Member{Key: "rows", Value: wire.Array(chains[:100]...)}) // elements of a list, with a table each
	for _, record := range []wire.Value{chain, list} {
		w, err := toon.Codec{}.NewRecordWriter(io.Discard, nil)
		require.NoError(t, err)
		for range chains {
			if err = w.Write(record); err != nil {
				break
			}
		}
		requireError(t, err, "too_many_groups")
	}
	generous := toon.Codec{Limits: wire.Limits{Values: -1}}
	text, err := generous.AppendEncode(nil, wire.Array(chains...))
	require.NoError(t, err)
	_, err = generous.Decode(text)
	require.NoError(t, err)
	_, err = toon.Codec{}.Decode(text)
	requireError(t, err, "too_many_groups")

	rows := make([]wire.Value, 20_000)
	for i := range rows {
		rows[i] = object(t, wire.Member{Key: "id", Value: wire.Int(int64(i))}, wire.Member{Key: fmt.Sprint("k", i), Value: wire.Int(1)})
	}
	growth.Within(t, 5*time.Second, func() { _, err = toon.Codec{}.AppendEncode(nil, wire.Array(rows...)) })
	require.NoError(t, err)
}
