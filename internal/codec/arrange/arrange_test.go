package arrange_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/codec/arrange"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/wire"
)

const deep = 512

var parse = codectest.JSON[string]

// orders are the functions of the package.
var orders = []func(b *builder.Builder, v wire.Value, depth int) wire.Value{
	arrange.WordFirst, arrange.ClosedLast,
	func(b *builder.Builder, v wire.Value, _ int) wire.Value { return arrange.FilledFirst(b, v) },
}

func TestOrders(t *testing.T) {
	for in, want := range map[string][3]string{ // WordFirst, ClosedLast, FilledFirst
		`{"n":1,"s":"a b","l":[]}`: {`{"s":"a b","n":1,"l":[]}`, `{"n":1,"s":"a b","l":[]}`, `{"n":1,"s":"a b","l":[]}`},
		`{"s":"a b","n":1}`:        {`{"s":"a b","n":1}`, `{"n":1,"s":"a b"}`, `{"s":"a b","n":1}`},
		`{"d":"1a","w":"1"}`:       {`{"w":"1","d":"1a"}`, `{"d":"1a","w":"1"}`, `{"d":"1a","w":"1"}`},
		`{"n":1,"o":{"m":2,"w":"x"}}`: {`{"o":{"w":"x","m":2},"n":1}`, `{"n":1,"o":{"m":2,"w":"x"}}`,
			`{"n":1,"o":{"m":2,"w":"x"}}`},
		`[{"n":1,"s":"a b","e":null},{"n":2,"s":"c","e":null},{"s":"d e","n":3}]`: {
			`[{"s":"a b","n":1,"e":null},{"s":"c","n":2,"e":null},{"s":"d e","n":3}]`,
			`[{"n":1,"e":null,"s":"a b"},{"n":2,"e":null,"s":"c"},{"n":3,"s":"d e"}]`,
			`[{"n":1,"s":"a b","e":null},{"n":2,"s":"c","e":null},{"s":"d e","n":3}]`},
		`{}`: {`{}`, `{}`, `{}`}, `[]`: {`[]`, `[]`, `[]`}, `1`: {`1`, `1`, `1`}, `[{},{}]`: {`[{},{}]`, `[{},{}]`, `[{},{}]`},
	} {
		v := parse(t, in)
		for i, order := range orders {
			var b builder.Builder
			require.Equal(t, want[i], string(wire.AppendJSON(nil, order(&b, v, deep))), "%d of %s", i, in)
			b.GiveBack(nil)
		}
	}
}

// TestNothingIsLost: nothing but the order of members changes, of any value and to
// any depth.
func TestNothingIsLost(t *testing.T) {
	values := []wire.Value{}
	for _, p := range payload.All() {
		values = append(values, p.Value)
	}
	g := conformance.NewGenerator(5)
	g.Kinds = true
	for range 2000 {
		values = append(values, g.Value())
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 { // rows with some of few keys, in any order
		var rows []wire.Value
		for range r.IntN(9) {
			var members []wire.Member
			for _, k := range r.Perm(6)[:r.IntN(7)] {
				members = append(members, wire.Member{Key: fmt.Sprint(k), Value: g.Value()})
			}
			row, err := wire.Object(members...)
			require.NoError(t, err)
			rows = append(rows, row)
		}
		values = append(values, wire.Array(rows...))
	}
	for _, v := range values {
		for _, depth := range []int{0, 1, 2, 3, deep} {
			for _, order := range orders {
				var b builder.Builder
				require.True(t, wire.Equal(v, order(&b, v, depth)))
				b.GiveBack(nil)
			}
		}
	}
}

// TestSiblingsAgree: rows of one list never contradict each other in the order of
// their members.
func TestSiblingsAgree(t *testing.T) {
	v := parse(t, `[{"a":1,"b":"x y","c":true},{"a":2,"b":"x y","d":false},{"a":3,"b":"w"}]`)
	require.Equal(t, `[{"a":1,"c":true,"b":"x y"},{"a":2,"d":false,"b":"x y"},{"a":3,"b":"w"}]`,
		string(wire.AppendJSON(nil, arrange.ClosedLast(new(builder.Builder), v, deep))))
	v = parse(t, `[{"a":1,"b":"x y"},{"b":"x y","a":2,"c":3},{"a":3}]`) // b is not in all
	require.Equal(t, string(wire.AppendJSON(nil, v)), string(wire.AppendJSON(nil, arrange.WordFirst(new(builder.Builder), v, deep))))
}

// TestTime: many forms, joined in chains, and many members take linear time.
func TestTime(t *testing.T) {
	kinds := map[string]func(n int) string{
		"chains": func(n int) string {
			var lists []string
			for i := range n {
				lists = append(lists, fmt.Sprintf(`[{"k%d":1,"s":"a b"},{"k%d":1,"s":"a b"}]`, i+1, i))
			}
			return "[" + strings.Join(lists, ",") + "]"
		},
		"one list": func(n int) string {
			var rows []string
			for i := range n {
				rows = append(rows, fmt.Sprintf(`{"s":"a b","k%d":1}`, i))
			}
			return "[" + strings.Join(rows, ",") + "]"
		},
		"members": func(n int) string {
			var members []string
			for i := range n {
				members = append(members, fmt.Sprintf(`"k%d":%d`, i, i))
			}
			return "[{" + strings.Join(members, ",") + `,"s":"a b"},{` + strings.Join(members, ",") + "}]"
		},
	}
	for name, text := range kinds {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 2000, func(n int) func() {
				v := parse(t, text(n))
				return func() {
					for _, order := range orders {
						var b builder.Builder
						order(&b, v, deep)
						b.GiveBack(nil)
					}
				}
			})
		})
	}
}
