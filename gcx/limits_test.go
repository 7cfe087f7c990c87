package gcx_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestDepth(t *testing.T) {
	for _, shape := range []string{"%s", "[%s,1]", `{"a":%s}`, `[{"a":1,"b":%s}]`, `{"l":[{"a":1},{"a":%s}]}`, `{"l":[{"a":1},{"a":2}],"b":%s}`, `{"l":[{"a":1},{"a":2}],"b":{"c":%s}}`} {
		for depth := 1; depth < 12; depth++ {
			v := parse(t, fmt.Sprintf(shape, nested(depth)))
			levels := levelsOf(v)
			for _, c := range []gcx.Codec{{}, {Plain: true}, {Single: true}} {
				c.Limits.Depth = 8
				payload, err := c.AppendEncode([]byte("x"), v)
				if levels > 8 {
					requireError(t, err, "too_deep", wire.ErrLimit)
					require.Equal(t, "x", string(payload))
					deep := codectest.Encoded(t, gcx.Codec{Plain: c.Plain, Single: c.Single}, v)
					if !c.Plain {
						_, err = c.Decode(deep)
						requireError(t, err, "too_deep", wire.ErrLimit)
					}
					continue
				}
				require.NoError(t, err, "%s, %d levels", shape, levels)
				back := codectest.Decoded(t, c, payload[1:])
				if !c.Plain {
					require.True(t, wire.Identical(v, back))
				}
			}
		}
	}
}

func levelsOf(v wire.Value) int {
	if v.Kind() < wire.KindArray {
		return 0
	}
	most := 0
	for e := range v.Elements() {
		most = max(most, levelsOf(e))
	}
	return most + 1
}

func TestLimits(t *testing.T) {
	rows := parse(t, `[{"a":1,"b":"xyz"},{"a":2,"b":"xyz"}]`)
	payload := codectest.Encoded(t, gcx.Codec{}, rows)
	for _, test := range []struct {
		name   string
		limits wire.Limits
		encode bool
		code   string
	}{
		{"output", wire.Limits{OutputBytes: len(payload) - 1}, true, "output_too_long"},
		{"exact output", wire.Limits{OutputBytes: len(payload)}, true, ""},
		{"input", wire.Limits{InputBytes: len(payload) - 1}, false, "input_too_long"},
		{"exact input", wire.Limits{InputBytes: len(payload)}, false, ""},
		{"values", wire.Limits{Values: 5}, false, "too_many_values"},
		{"exact values", wire.Limits{Values: 6}, false, ""},
	} {
		for _, c := range []gcx.Codec{{Limits: test.limits}, {Limits: test.limits, Plain: true}} {
			_, err := c.Decode(payload)
			if test.encode {
				_, err = c.AppendEncode(nil, rows)
			}
			if test.code == "" {
				require.NoError(t, err, test.name)
				continue
			}
			requireError(t, err, test.code, wire.ErrLimit)
		}
	}
	codectest.Encoded(t, gcx.Codec{}, parse(t, `[1]`))
	bad := wire.Array(object("a", wire.String("\xFF")))
	_, err := gcx.Codec{}.AppendEncode(nil, bad)
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)
	require.Contains(t, err.Error(), "/0/a")
	_, err = gcx.Codec{}.Marshal([]struct{ Task string }{{"\xFF"}})
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)
}

// TestHostile decodes and encodes inputs that are cheap to write and must not
// be dear to read.
func TestHostile(t *testing.T) {
	trials.OneGoroutine(t)
	const n = 100_000
	var fields []string
	for i := range n {
		fields = append(fields, fmt.Sprint(i))
	}
	wide := strings.Join(fields, ",")
	decode := map[string]string{
		"short rows under many fields":    "GCX1 tool=t fields=" + wide + "\n" + strings.Repeat("x\n", n),
		"missing cells":                   "GCX1 tool=t types=m fields=" + wide + "\n" + strings.Repeat("x\n", n),
		"many rows declared":              "GCX1 tool=t fields=a,b rows=9999999999\n1\t2\n",
		"backslashes":                     "GCX1 tool=t fields=a\n" + strings.Repeat("\\", 10*n) + "\n",
		"blank lines":                     "GCX1 tool=t fields=a rows=999999999\n" + strings.Repeat("\n", 10*n),
		"alternating blank lines":         "GCX1 tool=t fields=a rows=999999999\n" + strings.Repeat("\n1\n", 3*n),
		"open brackets":                   "GCX1 tool=t fields=a\n" + strings.Repeat("[", n) + "\n",
		"many open brackets":              "GCX1 tool=t fields=a\n" + strings.Repeat(strings.Repeat("[", 500)+"\n", 500),
		"unfinished arrays":               "GCX1 tool=t fields=a\n" + strings.Repeat("["+strings.Repeat("1,", 500)+"\n", 500),
		"meta pairs":                      "GCX1 tool=t fields=a " + strings.Repeat("k=v ", n) + "\n",
		"distinct meta pairs":             "GCX1 tool=t fields=a " + strings.ReplaceAll(wide, ",", "=v ") + "=v\n",
		"one header after the other":      strings.Repeat("GCX1 tool=t fields=a\n", n),
		"sections with keys of a wrapper": strings.Repeat("GCX1 tool=t.x fields=a k=v\n", n),
		"rows with all patterns":          "GCX1 tool=t types=m fields=" + strings.Join(fields[:64], ",") + "\n" + patterns(5000),
		"carriage returns":                "GCX1 tool=t fields=a\n" + strings.Repeat("\r", 10*n) + "\n",
	}
	for label, text := range decode {
		t.Run(label, func(t *testing.T) {
			decode := func() {
				gcx.Codec{}.Decode([]byte(text))
				gcx.Codec{}.DecodeSections([]byte(text))
			}
			growth.Within(t, 3*time.Second, decode)
			growth.Bytes(t, uint64(300*len(text)+1<<20), decode)
		})
	}
	var distinct []wire.Value
	for i := range 20_000 {
		distinct = append(distinct, object(fmt.Sprint(i), wire.Int(1)))
	}
	encode := func(c gcx.Codec, v wire.Value) (payload []byte, err error) {
		growth.Within(t, 2*time.Second, func() { payload, err = c.AppendEncode(nil, v) })
		return payload, err
	}
	payload, err := encode(gcx.Codec{}, wire.Array(distinct...))
	require.NoError(t, err)
	require.Less(t, len(payload), 20*len(distinct), "no table of all keys by all rows")
	_, err = encode(gcx.Codec{Plain: true, Limits: wire.Limits{OutputBytes: 1 << 20}}, wire.Array(distinct...))
	requireError(t, err, "output_too_long", wire.ErrLimit)
	var one, two []wire.Member
	for i := range 50_000 {
		one = append(one, wire.Member{Key: fmt.Sprint(i)})
		two = append(two, wire.Member{Key: fmt.Sprint(i)}, wire.Member{Key: "x" + fmt.Sprint(i)})
	}
	a, err := wire.Object(one...)
	require.NoError(t, err)
	b, err := wire.Object(two...)
	require.NoError(t, err)
	payload, err = encode(gcx.Codec{}, wire.Array(a, b))
	require.NoError(t, err)
	growth.Within(t, 2*time.Second, func() {
		back := codectest.Decoded(t, gcx.Codec{}, payload)
		require.True(t, wire.Identical(wire.Array(a, b), back))
	})
}

// patterns returns rows of 64 columns, each with other cells missing.
func patterns(n int) string {
	var b strings.Builder
	for i := range n {
		for col := range 64 {
			if col > 0 {
				b.WriteByte('\t')
			}
			if int64(i)*2654435761>>(col%31)&1 == 1 {
				b.WriteByte('x')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestSparsePlain: the document's table of objects that have hardly a key in
// common is the square of the value. It is written where a limit says so.
func TestSparsePlain(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, `,{"k%d":1}`, i)
	}
	v := parse(t, "["+b.String()[1:]+"]")
	_, err := gcx.Codec{Plain: true}.AppendEncode(nil, v)
	requireError(t, err, "sparse_table", wire.ErrLimit)
	_, err = gcx.Codec{Plain: true}.AppendObject(nil, object("list", v))
	requireError(t, err, "sparse_table", wire.ErrLimit)
	payload, err := gcx.Codec{Plain: true, Limits: wire.Limits{OutputBytes: bound.OutputBytes}}.AppendEncode(nil, v)
	require.NoError(t, err)
	require.Greater(t, len(payload), 4000*4000)
	codectest.Encoded(t, gcx.Codec{}, v)
}
