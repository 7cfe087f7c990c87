package wire_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// deepLines is n short values at a depth of 500, as JSON.
func deepLines(n int) string {
	return strings.Repeat("[", 500) + strings.Repeat("[[]],", n) + "0" + strings.Repeat("]", 500)
}

func TestIndentationIsInProportion(t *testing.T) {
	trials.OneGoroutine(t)
	for name, text := range map[string]string{
		"containers": deepLines(20_000),
		"scalars":    strings.Repeat("[", 500) + strings.Repeat("1,", 20_000) + "1" + strings.Repeat("]", 500),
		"members":    strings.Repeat(`{"a":`, 500) + "{" + manyMembers(20_000) + "}" + strings.Repeat("}", 500),
	} {
		t.Run(name, func(t *testing.T) {
			v := parse(t, text)
			dst := []byte("before")
			growth.Bytes(t, uint64(64*len(text)+64<<20), func() {
				out, err := wire.JSON{Indent: "  "}.AppendEncode(dst, v)
				require.ErrorIs(t, err, wire.ErrLimit)
				require.ErrorContains(t, err, "set Limits.OutputBytes")
				require.Equal(t, "before", string(out))
			})
			_, err := wire.JSON{Indent: "  ", Limits: wire.Limits{OutputBytes: 1 << 20}}.AppendEncode(nil, v)
			require.ErrorIs(t, err, wire.ErrLimit)
			out, err := wire.JSON{Indent: "  ", Limits: wire.Limits{OutputBytes: 1 << 30}}.AppendEncode(nil, v)
			require.NoError(t, err, "a limit that was set is the only one")
			require.Greater(t, len(out), 16<<20)
		})
	}
	t.Run("what people write", func(t *testing.T) {
		v := parse(t, "["+strings.Repeat(`{"id":1,"tags":["a","b"],"at":{"x":1,"y":[[1],[2]]}},`, 60_000)+"0]")
		codectest.Encoded(t, wire.JSON{Indent: "\t\t"}, v)
	})
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%x":[],`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// TestOutputIsBoundedWhileItIsWritten: what is refused was not written first.
func TestOutputIsBoundedWhileItIsWritten(t *testing.T) {
	text := wire.String(strings.Repeat("x", 1000))
	many := make([]wire.Value, 100_000)
	for i := range many {
		many[i] = text
	}
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	keys := codectest.Keys(t, names...)
	var b builder.Builder
	for range names {
		b.Push(text)
	}
	limits := wire.Limits{OutputBytes: 10_000}
	for _, v := range []wire.Value{wire.Array(many...), b.Row(keys, 0), wire.Array(wire.Array(many...))} {
		for _, c := range []wire.Codec{wire.JSON{Limits: limits}, wire.JSON{Indent: " ", Limits: limits}, jsonl.Codec{Limits: limits}} {
			if v.Kind() != wire.KindArray && c.Info().Name == "jsonl" {
				continue
			}
			growth.Bytes(t, 100_000, func() { // the keys' labels are made once
				_, err := c.AppendEncode(nil, v)
				require.ErrorIs(t, err, wire.ErrLimit)
			})
		}
	}
}

func TestJSONTakesLinearTime(t *testing.T) {
	trials.OneGoroutine(t)
	for name, build := range map[string]func(n int) string{
		"deep":             func(n int) string { return deepLines(n) },
		"arrays in arrays": func(n int) string { return "[" + strings.Repeat("[[],[]],", n) + "0]" },
		"other members":    func(n int) string { return "{" + manyMembers(n) + "}" },
		"other objects": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `{"a":1,"%x":2},`, i)
			}
			return "[" + b.String() + "0]"
		},
		"one key twice":      func(n int) string { return "{" + strings.Repeat(`"a":1,"b":2,`, n) + `"a":0}` },
		"escapes":            func(n int) string { return `["` + strings.Repeat(`\u00e9\n`, n) + `"]` },
		"a long number":      func(n int) string { return "[1." + strings.Repeat("9", n) + "e" + strings.Repeat("9", n) + "]" },
		"blanks":             func(n int) string { return strings.Repeat(" \n", n) + "[ ]" + strings.Repeat("\t", n) },
		"a fault at the end": func(n int) string { return "[" + strings.Repeat("[1],", n) + "}" },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 1000, func(n int) func() {
				src := []byte(build(n))
				v, err := wire.ParseJSON(src)
				w := v.Clone()
				return func() {
					_, _ = wire.ParseJSON(src)
					if err != nil {
						return
					}
					wire.AppendJSON(nil, v)
					_, _ = wire.JSON{Indent: " "}.AppendEncode(nil, v)
					wire.Equal(v, w)
					wire.Difference(v, w)
					v.Clone()
				}
			})
		})
	}
}

func TestUntrusted(t *testing.T) {
	trials.OneGoroutine(t)
	l := wire.Untrusted()
	require.Equal(t, l, l.Resolved(), "every limit is set")
	defaults := wire.Limits{}.Resolved()
	for _, pair := range [][2]int{
		{l.Depth, defaults.Depth}, {l.InputBytes, defaults.InputBytes}, {l.OutputBytes, defaults.OutputBytes},
		{l.Values, defaults.Values}, {l.LineBytes, defaults.LineBytes},
	} {
		require.Less(t, pair[0], pair[1], "tighter than the default")
	}
	c := wire.JSON{Limits: l}
	for name, text := range map[string]string{
		"depth":  strings.Repeat("[", 129) + strings.Repeat("]", 129),
		"input":  `"` + strings.Repeat("x", 16<<20) + `"`,
		"values": "[" + strings.Repeat("0,", 1_000_000) + "0]",
	} {
		_, err := c.Decode([]byte(text))
		require.ErrorIs(t, err, wire.ErrLimit, name)
		require.ErrorContains(t, err, "raise Limits.", name)
	}
	_, err := c.AppendEncode(nil, wire.String(strings.Repeat("x", 16<<20)))
	require.ErrorIs(t, err, wire.ErrLimit)
	for _, err := range (jsonl.Codec{Limits: l}).Records(strings.NewReader(`"` + strings.Repeat("x", 1<<20) + "\"\n")) {
		require.ErrorIs(t, err, wire.ErrLimit)
	}
}

func ExampleUntrusted() {
	codec := wire.JSON{Limits: wire.Untrusted()}
	_, err := codec.Decode([]byte(strings.Repeat("[", 200) + strings.Repeat("]", 200)))
	var e *wire.Error
	fmt.Println(errors.As(err, &e), e.Code, e.Hint)
	// Output: true too_deep raise Limits.Depth
}

// TestValuesOfNumbers: the limit of values is the same for arrays of numbers, which are
// parsed at once, as for all others: the array and its elements count, also where there
// is memory for more.
func TestValuesOfNumbers(t *testing.T) {
	var roomy wire.Memory
	none := func(wire.Value) error { return nil }
	require.NoError(t, roomy.View(wire.JSON{}, []byte("["+strings.Repeat("[],", 100)+"[]]"), none))
	for n := 1; n < 40; n++ {
		for _, element := range []string{"1", "1.5", `"a"`} {
			src := []byte("[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]")
			for values, fits := range map[int]bool{n: false, n + 1: true} {
				c := wire.JSON{Limits: wire.Limits{Values: values}}
				for _, err := range []error{codectest.Err(c.Decode(src)), roomy.View(c, src, none)} {
					if fits {
						require.NoError(t, err, "%s", src)
					} else {
						codectest.Refused(t, err, "too_many_values", wire.ErrLimit)
					}
				}
			}
		}
	}
}

// TestTooManyValuesInObject: the position is that of the value, whether the object was
// predicted or not.
func TestTooManyValuesInObject(t *testing.T) {
	text := []byte(`[{"key":1},{"key" : 2}]`)
	for most, want := range map[int]int{2: 8, 4: 20} {
		_, err := wire.JSON{Limits: wire.Limits{Values: most}}.Decode(text)
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, want, e.Offset)
	}
}
