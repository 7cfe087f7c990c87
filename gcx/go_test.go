package gcx_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   gcx.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, gcx.Codec{}, v) },
		Unmarshal: gcx.Unmarshal,
		Codec:     gcx.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, nasty) },
		Pieces:    append([]string{"\t", "\n", "null", " ", "\"", ",", "0", "1", "-1", "1e5", "true", "[", "]", "{", "}", ":", "=", "#", "\r", "a", "{}", "[]", "\\", "types=", "rows=1"}, nasty...),
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses
// what that refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 2500) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way
// through Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 1500) }

// TestGoConfigured: so it is with a configured codec.
func TestGoConfigured(t *testing.T) {
	for _, c := range []gcx.Codec{
		{Tool: "get_callers"}, {Tool: "a tool.of=mine,"}, {Interop: true}, {Interop: true, Tool: "x.y"}, {Interop: true, Tool: "two words"},
		{Single: true}, {Reorder: true}, {Plain: true}, {AllStrings: true}, {Limits: wire.Limits{OutputBytes: 300, Values: 60}},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			ways := goWays()
			ways.Codec, ways.Marshal, ways.Unmarshal = c, c.Marshal, c.Unmarshal
			ways.Append = func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, c, v) }
			for seed := range uint64(250) {
				r := ways.Types(seed)
				typ := r.Struct(int(seed % 3))
				if seed%4 > 0 {
					typ = reflect.SliceOf(typ)
				}
				in := reflect.New(typ)
				r.Fill(in.Elem(), 0)
				r.Fill(in.Elem(), 0)
				text := ways.Same(t, in.Interface())
				got, want := reflect.New(typ), reflect.New(typ)
				require.Equal(t, randgo.Unplaced(wire.Unmarshal(codectest.Values(c), text, want.Interface())), randgo.Unplaced(c.Unmarshal(text, got.Interface())))
				require.Equal(t, want.Interface(), got.Interface())
			}
		})
	}
}

// TestGoWide: rows with more columns, and lists with more rows, than have room
// beside the text, and narrow ones after them.
func TestGoWide(t *testing.T) {
	var fields []reflect.StructField
	for i := range 70 {
		tag := fmt.Sprintf(`json:"f%d"`, i)
		if i%3 == 0 {
			tag = fmt.Sprintf(`json:"f%d,omitempty"`, i)
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string](), Tag: reflect.StructTag(tag)})
	}
	ways := goWays()
	for seed := range uint64(60) {
		width := 20 + int(seed)%51
		list := reflect.SliceOf(reflect.StructOf(fields[:width]))
		around := reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.SliceOf(reflect.StructOf(fields[:3]))}, {Name: "B", Type: list}, {Name: "C", Type: reflect.SliceOf(reflect.StructOf(fields[:4]))},
		})
		r := ways.Types(seed)
		for _, typ := range []reflect.Type{list, around} {
			in := reflect.New(typ)
			rows := in.Elem()
			if typ == around {
				r.Fill(in.Elem(), 0)
				rows = rows.Field(1)
			}
			rows.Set(reflect.MakeSlice(list, 1+int(seed), 1+int(seed)))
			for i := range rows.Len() {
				for k := range width {
					if r.IntN(3) > 0 {
						rows.Index(i).Field(k).SetString([]string{"x", "y z", "7", "#"}[r.IntN(4)])
					}
				}
			}
			ways.Same(t, in.Interface())
		}
	}
}

// TestGoMaps: a map's section has the map's own keys, whatever those of the last one
// were.
func TestGoMaps(t *testing.T) {
	type item struct{ A, B int }
	type labelled struct {
		ID     string            `json:"id"`
		Labels map[string]string `json:"labels"`
		Items  []item            `json:"items"`
		Counts map[string]int    `json:"counts"`
	}
	r := rand.New(rand.NewPCG(7, 8))
	keys := []string{"a", "b", "c", "value", "", "a b", "two=2", "ü"}
	texts := append([]string{"x", "y"}, nasty...)
	for range 3000 {
		v := labelled{ID: texts[r.IntN(len(texts))], Labels: map[string]string{}, Counts: map[string]int{}, Items: make([]item, 2+r.IntN(2))}
		for range r.IntN(4) {
			v.Labels[keys[r.IntN(len(keys))]] = texts[r.IntN(len(texts))]
			v.Counts[keys[r.IntN(len(keys))]] = r.IntN(9)
		}
		goWays().Same(t, v)
	}
}

// TestGoEmptyCells: the empty cells of a payload's tables are bounded together.
func TestGoEmptyCells(t *testing.T) {
	type row struct {
		A int `json:"alpha,omitempty"`
		B int `json:"beta,omitempty"`
		C int `json:"gamma,omitempty"`
	}
	v := struct{ X, Y []row }{[]row{{1, 2, 0}, {1, 0, 3}}, []row{{0, 2, 3}, {1, 0, 3}}}
	texts := make(map[string]bool)
	for values := range 24 {
		ways := goWays()
		c := gcx.Codec{Limits: wire.Limits{Values: values}}
		ways.Codec, ways.Marshal = c, c.Marshal
		texts[string(ways.Same(t, v))] = true
	}
	require.Greater(t, len(texts), 2, "none of the lists is a table, one, both")
}
