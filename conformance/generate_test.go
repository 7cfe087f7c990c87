package conformance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/wire"
)

func TestCorpora(t *testing.T) {
	names := map[string]bool{}
	for _, c := range conformance.Corpora() {
		require.False(t, names[c.Name], c.Name)
		names[c.Name] = true
		require.Regexp(t, `^[a-z-]+$`, c.Name)
		require.NotEmpty(t, c.Description)

		cases := map[string]wire.Value{}
		for name, v := range c.Cases {
			_, twice := cases[name]
			require.False(t, twice, "%s has two cases %q", c.Name, name)
			cases[name] = v
		}
		require.NotEmpty(t, cases)
		for name, v := range c.Cases {
			require.True(t, wire.Identical(cases[name], v), "%s, %q differs from one time to the next", c.Name, name)
		}
		n := 0
		for range c.Cases {
			if n++; n == 3 {
				break
			}
		}
		t.Logf("%-18s %5d values", c.Name, len(cases))
	}
}

// features counts what a value has in it.
func features(v wire.Value, found map[string]int) {
	found[v.Kind().String()]++
	switch v.Kind() {
	case wire.KindString:
		if strings.ContainsAny(v.Text(), "|\n\t\"\\") {
			found["special characters"]++
		}
	case wire.KindArray:
		rows, uniform := v.Len() > 1, true
		for e := range v.Elements() {
			rows = rows && e.Kind() == wire.KindObject && e.Len() > 1
			uniform = uniform && rows && wire.Internal.SameKeys(e, v.Index(0))
		}
		switch {
		case rows && uniform:
			found["uniform table"]++
		case rows:
			found["sparse or permuted table"]++
		}
	case wire.KindObject:
		records := v.Len() > 1
		for key, e := range v.Members() {
			records = records && e.Kind() == wire.KindObject && e.Len() > 0
			if strings.ContainsAny(key, ">[]|\n\"") || key == "" {
				found["awkward key"]++
			}
		}
		if records {
			found["keyed map"]++
		}
	}
	for e := range v.Elements() {
		features(e, found)
	}
}

func TestGenerator(t *testing.T) {
	g, again := conformance.NewGenerator(7), conformance.NewGenerator(7)
	g.Kinds, again.Kinds = true, true
	found := map[string]int{}
	largest := 0
	for range 2000 {
		v := g.Value()
		require.True(t, wire.Identical(v, again.Value()))
		features(v, found)
		largest = max(largest, len(wire.AppendJSON(nil, v)))
	}
	for _, f := range []string{"null", "bool", "number", "string", "bytes", "time", "array", "object", "special characters", "uniform table", "sparse or permuted table", "awkward key", "keyed map"} {
		require.Greater(t, found[f], 50, f)
	}
	require.Less(t, largest, 200_000)

	plain := conformance.NewGenerator(8)
	found = map[string]int{}
	for range 500 {
		features(plain.Value(), found)
	}
	require.Zero(t, found["bytes"]+found["time"])
}

func TestShrink(t *testing.T) {
	contains := func(part string) func(wire.Value) bool {
		return func(v wire.Value) bool { return strings.Contains(string(wire.AppendJSON(nil, v)), part) }
	}
	for _, c := range []struct{ name, value, part, want string }{
		{"an element", `[1,2,[3,{"a":"needle"}],4]`, "needle", `"needle"`},
		{"a part of a string", `{"a":["some text, a|b, and more"],"b":1}`, `|`, `"|"`},
		{"a key", `{"a":1,"b":{"k\n2":[1,2,3]},"c":3}`, `\n`, `{"\n":null}`},
		{"a number", `[[12345.678e9]]`, `e`, `true`},
		{"a spelling", `[[12345.678e9]]`, `.`, `1.1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := must(wire.ParseJSON([]byte(c.value)))
			fails := contains(c.part)
			small := conformance.Shrink(v, fails)
			require.True(t, fails(small))
			require.LessOrEqual(t, len(wire.AppendJSON(nil, small)), len(c.want), "%v", small)
		})
	}
	two := func(v wire.Value) bool {
		a, okA := v.Get("x")
		return okA && a.Kind() == wire.KindArray && a.Len() >= 2 && v.Len() >= 2
	}
	v := must(wire.ParseJSON([]byte(`{"w":{"q":1},"x":[{"a":[1,2]},"text",3,4],"y":[1,2,3],"z":null}`)))
	require.Equal(t, 2, conformance.Shrink(v, two).Len())
	same := wire.String("a")
	require.True(t, wire.Identical(same, conformance.Shrink(same, func(v wire.Value) bool { return v.Kind() == wire.KindString && v.Text() == "a" })))
}
