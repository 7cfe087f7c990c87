package govalues

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// itemWays are the formats that write what interfaces hold along one walk.
var itemWays = []struct {
	codec   wire.Codec
	marshal func(v any) ([]byte, error)
}{{cbor.Codec{}, cbor.Marshal}, {msgpack.Codec{}, msgpack.Marshal}, {yaml.Codec{}, yaml.Marshal}}

type holder struct {
	ID   int
	Held any
	At   time.Time
	Next *holder
}

// around returns what holds v in each way.
func around(v any) []any {
	return []any{v, &v, []any{1, v}, map[string]any{"b": v, "a": 1.5}, []map[string]any{{"x": v}, {"y": v}, {"x": v}}, holder{Held: v}, &holder{Next: &holder{Held: v}},
		[]holder{{Held: v}}, map[string]map[string]any{"m": {"k": v}}, []any{[]any{map[string]any{"": []any{v}}}}}
}

func sameAsValues(t *testing.T, v any) {
	for _, w := range itemWays {
		for _, limits := range []wire.Limits{{}, {Depth: 3}, {OutputBytes: 12}} {
			codec := reflect.New(reflect.TypeOf(w.codec)).Elem()
			codec.FieldByName("Limits").Set(reflect.ValueOf(limits))
			c := codec.Interface().(interface {
				wire.Codec
				Marshal(v any) ([]byte, error)
			})
			want, wantErr := wire.Marshal(codectest.Values(c), v)
			got, err := c.Marshal(v)
			require.Equal(t, wantErr, err, "%s %T", c.Info().Name, v)
			require.Equal(t, string(want), string(got), "%s %T", c.Info().Name, v)
		}
	}
}

// TestHeldValues: what an interface holds is written as its Value is, and refused as that.
func TestHeldValues(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = []any{cycle}
	list := []any{nil}
	list[0] = &list
	var deep any = "end"
	for range 6000 {
		deep = []any{map[string]any{"d": deep}}
	}
	type named map[string]any
	type text string
	at := time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)
	values := []any{nil, "", "é", "\xff", true, 0, -1, int8(-3), int64(math.MinInt64), uint8(4), uint64(math.MaxUint64), float32(0.1), 0.0, math.Copysign(0, -1),
		1e300, 1.0, int64(1 << 53), -2.5, 1e19, math.NaN(), math.Inf(1), json.Number("1.50"), json.Number("x"), json.Number(""), json.RawMessage(`{"a":[1]}`), []byte(nil), []byte{}, []byte{1, 255},
		text("named"), named{"a": 1}, named(nil), map[string]any(nil), map[string]any{"\xff": 1}, map[int]any{2: 1, 1: nil}, map[string]int{"z": 1, "a": 2}, map[string][]byte{"a": {1}},
		[]any(nil), []any{}, []int(nil), [2]any{1, "a"}, []string{"a", "\xff"}, (*holder)(nil), struct{}{}, struct{ P *int }{new(int)}, wire.Int(7), wire.Array(wire.Null()),
		at, &at, at.In(time.FixedZone("", 3600)), at.In(time.FixedZone("", 30)), at.In(time.FixedZone("", 86399)), at.In(time.FixedZone("", -86400)), time.Time{},
		time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 30)),
		time.Date(9999, 12, 31, 23, 59, 59, 1, time.FixedZone("", -30)), make(chan int), func() {}, 1i, fmt.Errorf("x"), cycle, list, deep}
	for _, held := range values {
		for _, v := range around(held) {
			sameAsValues(t, v)
		}
		if at, ok := held.(time.Time); ok {
			sameAsValues(t, []holder{{At: at}, {}})
		}
	}
}

// TestHeldSizes: a number, a text, a list and a map take a form of one byte more or less where
// their size passes a power of two, or a part of one that a format has.
func TestHeldSizes(t *testing.T) {
	for _, power := range []int64{0, 8, 16, 24, 32, 128, 256, 1 << 16, 1 << 32} {
		for n := power - 2; n <= power+2; n++ {
			held := []any{n, -n, int(n), int(-n), float64(n), -float64(n), float64(n) + 0.5}
			if n >= 0 && n < 300 {
				list, members, text := make([]any, n), map[string]any{}, strings.Repeat("t", int(n))
				for i := range int(n) {
					members[strconv.Itoa(i)] = nil
				}
				held = append(held, text, list, members, map[string]any{text: text}, []map[string]any{members, {text: list}})
			}
			for _, v := range held {
				sameAsValues(t, v)
				sameAsValues(t, []any{v, map[string]any{"a": v, "b": nil}, map[string]any{"a": v, "c": nil}})
			}
			sameAsValues(t, struct {
				Text   string
				Number int64
				Float  float64
				List   []int
			}{strings.Repeat("t", int(n&0x1ff)), n, float64(n), make([]int, n&0x1ff)})
		}
	}
}

// TestHeldRandom is TestHeldValues for random data.
func TestHeldRandom(t *testing.T) {
	for seed := range uint64(400) {
		r := randgo.Types{Rand: rand.New(rand.NewPCG(seed, 7)), Keys: []reflect.Type{reflect.TypeFor[string]()}, Longer: 4}
		r.Leaves = append(randgo.Scalars(), reflect.TypeFor[any](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]byte](), reflect.TypeFor[json.Number]())
		v := reflect.New(r.Leaves[len(r.Leaves)-3-r.IntN(2)])
		r.Fill(v.Elem(), 0)
		sameAsValues(t, v.Interface())
		sameAsValues(t, v.Elem().Interface())
	}
}
