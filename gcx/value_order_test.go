package gcx_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// orderTable has arrays of objects whose keys are not all the same, and the
// payloads of the zero codec and of Reorder, if that has another.
var orderTable = []struct{ name, json, payload, reordered string }{
	{"an order that no row shows", `[{"a":1},{"c":2},{"a":3,"c":4},{"b":5,"c":6}]`,
		"fields=b,a,c rows=4 types=m\n\t1\t\n\t\t2\n\t3\t4\n5\t\t6\n",
		"fields=c,b,a rows=4 types=m\n\t\t1\n2\t\t\n4\t\t3\n6\t5\t\n"},
	{"two orders", `[{"a":1,"b":2},{"b":3,"a":4}]`,
		"fields=value rows=2\n{\"a\":1,\"b\":2}\n{\"b\":3,\"a\":4}\n", "fields=a,b rows=2\n1\t2\n4\t3\n"},
	{"a circle", `[{"a":1,"b":2},{"b":3,"c":4},{"c":5,"a":6}]`,
		"fields=value rows=3\n{\"a\":1,\"b\":2}\n{\"b\":3,\"c\":4}\n{\"c\":5,\"a\":6}\n",
		"fields=a,b,c rows=3 types=m\n1\t2\t\n\t3\t4\n6\t\t5\n"},
	{"two orders in a section", `{"l":[{"a":"1","b":null},{"b":"","a":"x"}],"n":1}`,
		".l fields=value rows=2 n=1\n{\"a\":\"1\",\"b\":null}\n{\"b\":\"\",\"a\":\"x\"}\n",
		".l fields=a,b rows=2 types=sn n=1\n1\t\nx\t\"\"\n"},
	{"order in cells", `[{"a":1,"b":[{"x":1,"y":2},{"y":3,"x":4}]}]`,
		"fields=a,b rows=1\n1\t[{\"x\":1,\"y\":2},{\"y\":3,\"x\":4}]\n", ""},
	{"long keys, few members", `[{"a long name":1},{"another one":2},{"something else":3},{"the fourth of them":4},{"and the last":5}]`,
		"fields=and\\ the\\ last,the\\ fourth\\ of\\ them,something\\ else,another\\ one,a\\ long\\ name rows=5 types=m\n\t\t\t\t1\n\t\t\t2\t\n\t\t3\t\t\n\t4\t\t\t\n5\t\t\t\t\n", ""},
	{"an empty object", `[{"a":1},{}]`, "fields=value rows=2\n{\"a\":1}\n{}\n", ""},
}

func TestOrders(t *testing.T) {
	for _, test := range orderTable {
		t.Run(test.name, func(t *testing.T) {
			v := parse(t, test.json)
			for c, want := range map[gcx.Codec]string{{Tool: "t"}: test.payload, {Tool: "t", Reorder: true}: test.reordered} {
				if want == "" {
					want = test.payload
				}
				got := codectest.Encoded(t, c, v)
				require.Equal(t, "GCX1 tool=t"+strings.Replace(" "+want, " .", ".", 1), string(got))
				back := codectest.Decoded(t, gcx.Codec{}, got)
				loss, at := wire.Difference(v, back)
				require.Zero(t, loss&^c.Info().Loss, "%s at %s", loss, at)
			}
		})
	}
}

// randomRows returns rows of some of the keys, in their order or in any.
func randomRows(r *rand.Rand, rows, keys, members int, shuffled bool) wire.Value {
	list := make([]wire.Value, rows)
	for i := range list {
		chosen := r.Perm(keys)[:r.IntN(members+1)]
		var row []wire.Member
		for k := range keys {
			for _, c := range chosen {
				if !shuffled && c == k {
					row = append(row, wire.Member{Key: fmt.Sprint("key", k), Value: wire.Int(int64(i))})
				}
			}
		}
		for _, c := range chosen {
			if shuffled {
				row = append(row, wire.Member{Key: fmt.Sprint("key", c), Value: wire.String(fmt.Sprint(r.IntN(3)))})
			}
		}
		list[i], _ = wire.Object(row...)
	}
	return wire.Array(list...)
}

// TestRandomOrders: rows with the keys in one order are a table, in whichever
// order they first appear, and come back as they were; with Reorder those of any
// order are.
func TestRandomOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		keys := 2 + r.IntN(12)
		shuffled := i%2 == 0
		v := randomRows(r, 1+r.IntN(30), keys, min(keys, 1+r.IntN(6)), shuffled)
		for _, c := range []gcx.Codec{{}, {Reorder: true}} {
			got := codectest.Encoded(t, c, v)
			back := codectest.Decoded(t, gcx.Codec{}, got)
			require.True(t, wire.Equal(v, back), "%s", got)
			require.True(t, c.Reorder || wire.Identical(v, back), "%s", got)
			again := codectest.Encoded(t, c, back)
			if !c.Reorder {
				require.Equal(t, string(got), string(again))
			}
		}
	}
	for _, shuffled := range []bool{false, true} {
		v := randomRows(r, 500, 28, 6, shuffled)
		got := codectest.Encoded(t, gcx.Codec{Reorder: shuffled}, v)
		require.NotContains(t, string(got), "fields=value")
	}
}

// TestTablesBySize: a table that is mostly empty takes fewer tokens than its rows
// in JSON, or is none.
func TestTablesBySize(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, keys := range []int{4, 16, 28, 64, 100, 300, 1000} {
		for _, members := range []int{1, 4, 12} {
			v := randomRows(r, 200, keys, min(keys, members), false)
			got := codectest.Encoded(t, gcx.Codec{}, v)
			cells := codectest.Encoded(t, gcx.Codec{}, wire.Array(append([]wire.Value{wire.Int(1)}, values(v)...)...))
			require.LessOrEqual(t, count(t, got), count(t, cells), "%d keys, up to %d members", keys, members)
		}
	}
}

func values(v wire.Value) (list []wire.Value) {
	for e := range v.Elements() {
		list = append(list, e)
	}
	return list
}

func count(t *testing.T, text []byte) int {
	n, err := tokens.O200k{}.Count(text)
	require.NoError(t, err)
	return n
}

// TestEmptyCells: readers count empty cells as values, so there are never so many
// that a reader with the limits of the writer refuses them.
func TestEmptyCells(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	table, own := randomRows(r, 40, 40, 6, false), randomRows(r, 40, 40, 6, false)
	v, err := wire.Object(wire.Member{Key: "a", Value: table}, wire.Member{Key: "b", Value: own})
	require.NoError(t, err)
	limits := wire.Limits{Values: 3000}
	got := codectest.Encoded(t, gcx.Codec{Limits: limits}, v)
	require.Contains(t, string(got), "tool=data.b fields=value", "there is room for one table")
	back := codectest.Decoded(t, gcx.Codec{Limits: limits}, got)
	require.True(t, wire.Identical(v, back))
}

func TestReorderedRecords(t *testing.T) {
	keys := codectest.Keys(t, "a", "b", "c")
	list := parse(t, `[{"a":1,"b":2,"c":3},{"c":4,"a":5,"b":6},{"c":7,"a":null},{"b":"8"}]`)
	got, err := writeRecords(t, gcx.Codec{Reorder: true}, keys, list)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=data fields=a,b,c rows=* types=m\n1\t2\t3\n5\t6\t4\nnull\t\t7\n\t\"8\"\t\n", string(got))
	back := readRecords(t, got)
	require.True(t, wire.Equal(list, back))
	_, err = writeRecords(t, gcx.Codec{Reorder: true}, keys, parse(t, `[{"d":1}]`))
	requireError(t, err, "unknown_member", wire.ErrUnknownMember)
}

// TestReorderedColumns: the fullest columns come first, but for one that begins with no
// short word, and one that ends in punctuation comes last.
func TestReorderedColumns(t *testing.T) {
	for in, want := range map[string]string{
		`[{"a":null,"b":"x","c":1},{"a":"","b":"y","c":2},{"a":"z","b":"w","c":3}]`: "fields=c,b,a rows=3 types=n\n1\tx\t\n2\ty\t\"\"\n3\tw\tz\n",
		`{"l":[{"s":["k"],"t":"ab","n":1},{"s":[],"t":"c","n":2}],"k":0}`:           ".l fields=n,t,s rows=2 k=0\n1\tab\t[\"k\"]\n2\tc\t[]\n",
		`[{"a":1,"b":2},{"b":3,"a":4}]`:                                             "fields=a,b rows=2\n1\t2\n4\t3\n",
		`[{"a":1},2]`:                                                               "fields=value rows=2\n{\"a\":1}\n2\n",
	} {
		v := parse(t, in)
		got := codectest.Encoded(t, gcx.Codec{Tool: "t", Reorder: true}, v)
		require.Equal(t, "GCX1 tool=t"+strings.Replace(" "+want, " .", ".", 1), string(got))
		back := codectest.Decoded(t, gcx.Codec{}, got)
		require.True(t, wire.Equal(v, back), "%s", got)
	}
	// Bytes, which come back as strings, are in the order that these have.
	rows := wire.Array()
	for _, text := range []string{"", "x", ""} {
		row, err := wire.Object(wire.Member{Key: "v", Value: wire.Bytes([]byte(text))}, wire.Member{Key: "n", Value: wire.Int(1)})
		require.NoError(t, err)
		rows = wire.Array(append(slices.Collect(rows.Elements()), row)...)
	}
	first := codectest.Encoded(t, gcx.Codec{Reorder: true}, rows)
	back := codectest.Decoded(t, gcx.Codec{}, first)
	again := codectest.Encoded(t, gcx.Codec{Reorder: true}, back)
	require.Equal(t, string(first), string(again))
	require.NotZero(t, gcx.Codec{Reorder: true}.Info().Loss&wire.LossOrder)
}
