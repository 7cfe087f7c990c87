package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

// throughValues is JSON for which Marshal and Unmarshal have no straight way.
type throughValues struct{ wire.JSON }

var jsonTexts = []string{"", " ", "a", "plain text", "ünïcode 漢字", "with \"quotes\"\n", "back\\slash", "\t", "\x00\x1f", "\u007f", "\u2028",
	"eight by", "nine bytes", "seven b", "four", "thr", "\"", "\"\"\"\"\"\"\"\"\"\"", "null", "0", "ends with \\", "invalid \xff", "😀"}

func jsonWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   func(v any) ([]byte, error) { return wire.Marshal(wire.JSON{}, v) },
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, wire.JSON{}, v) },
		Unmarshal: func(src []byte, v any) error { return wire.Unmarshal(wire.JSON{}, src, v) },
		Codec:     throughValues{},
		Types: func(seed uint64) randgo.Types {
			if seed%8 == 0 {
				return randomTypes(seed)
			}
			types := randgo.Simple(seed, jsonTexts[:len(jsonTexts)-2+int(seed%3)/2])
			types.Leaves = append(types.Leaves, reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](), reflect.TypeFor[any](),
				reflect.TypeFor[[]int](), reflect.TypeFor[map[string]float64](), reflect.TypeFor[map[string]bool](), reflect.TypeFor[tree]())
			return types
		},
		Pieces: []string{",", ":", "{", "}", "[", "]", "\"", "null", "true", "0", "-", "-0", "1.0", "1e2", "1E400", "01", ".", " ", "\n\t ", "\\", `\u00e9`, `\ud83d\ude00`,
			`\ud800`, `\n`, `"a":1,`, `,"F0":null`, `"F1":2,`, `"f2":"x",`, `"name0":[],`, `"other":{"a":[1,"\n",{}]},`, "[]", "{}", "123456789012345678901", "9223372036854775808",
			"0.10000000000000000000001", "\xff", "\x00", "\xef\xbb\xbf"},
		Respell: func(r *rand.Rand, doc []byte) []byte {
			if r.IntN(2) == 0 {
				var b bytes.Buffer
				_ = json.Indent(&b, doc, "", []string{"", "\t", "            "}[r.IntN(3)])
				return b.Bytes()
			}
			return bytes.ReplaceAll(doc, []byte(`"F`), []byte(`"f`))
		},
	}
}

// tree holds itself.
type tree struct {
	Name string           `json:"name"`
	Kids []tree           `json:"kids,omitempty"`
	Next *tree            `json:"next"`
	By   map[string]any   `json:"by,omitzero"`
	Data map[string]int64 `json:"data"`
}

// TestJSONGoRandom: what needs no Values on its way gives what Values give.
func TestJSONGoRandom(t *testing.T) { jsonWays().Compare(t, 4000) }

func TestJSONGoMutated(t *testing.T) { jsonWays().CompareMutated(t, 2000) }

// TestJSONGoCases compares both ways where types are not made at random.
func TestJSONGoCases(t *testing.T) {
	cyclic := &tree{Name: "a"}
	cyclic.Next = cyclic
	deep := &tree{}
	for range 200 {
		deep = &tree{Next: deep}
	}
	endless := map[string]any{}
	endless["self"] = endless
	type small struct{ A, B int }
	type wide struct{ Float float32 }
	for name, v := range map[string]any{
		"cycle": cyclic, "deep": deep, "cyclic map": endless, "nil": nil, "nil pointer": (*tree)(nil), "nil map": map[string]any(nil), "nil list": []any(nil),
		"scalars": []any{nil, "x", 1.5, true, 1, int64(2), uint8(3), int16(-4), float32(0.1), json.Number("1.0")},
		"structs": []any{small{1, 2}, &small{3, 4}, []small{{5, 6}}, map[string]small{"a": {7, 8}}, wide{0.1}},
		"maps": []map[string]any{
			{"a": map[string]any{"b": 1.0}, "c": map[string]any{"b": 2.0}}, {"d": map[string]any{"e": 1.0}, "c": map[string]any{"f": 2.0}},
			{"a": []any{map[string]any{"a": nil, "b": nil}}, "b": map[string]any{"x": nil, "y": nil}}, {},
		},
		"text": "x", "number": 1, "pointer": new(int), "value": wire.Int(1), "errors": []any{wireMethods{}, make(chan int)},
		"lists": map[string]any{"a": []string{"b"}, "c": [][]int{{1}, nil, {}}, "d": []map[string]string{{"x": "y"}, nil, {}}},
	} {
		t.Run(name, func(t *testing.T) {
			want, wantErr := wire.Marshal(throughValues{}, v)
			got, err := wire.Marshal(wire.JSON{}, v)
			require.Equal(t, wantErr, err)
			require.Equal(t, string(want), string(got))
		})
	}
	// Targets that hold something keep what the text does not replace.
	for _, text := range []string{`{"A":1}`, `null`, `{"A":1,"A":2}`, `{"a":3}`, `{"B":null,"A":1,"a":2}`, `{"A":1} `, `{"A":1}x`, ``} {
		for _, target := range []func() any{
			func() any { return &small{8, 9} }, func() any { return new(small) }, func() any { return &map[string]int{"A": 8, "C": 9} },
			func() any { return new(*small) }, func() any { p := &small{8, 9}; return &p }, func() any { return new(any) },
			func() any { p := any(&small{8, 9}); return &p },
		} {
			want, got := target(), target()
			wantErr, err := wire.Unmarshal(throughValues{}, []byte(text), want), wire.Unmarshal(wire.JSON{}, []byte(text), got)
			require.Equal(t, wantErr, err)
			require.Equal(t, want, got, "%T from %s", want, text)
		}
	}
}

// TestJSONAnyWide compares objects of seven to twelve members, which follow each other
// in every order, some with a key twice.
func TestJSONAnyWide(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	object := func(inner string) string {
		n := 7 + r.IntN(6)
		members := make([]string, n)
		for i := range members {
			members[i] = fmt.Sprintf(`"k%d":%d`, r.IntN(n+4), i)
		}
		members[r.IntN(n)] = `"in":` + inner
		return "{" + strings.Join(members, ",") + "}"
	}
	for range 300 {
		texts := make([]string, 4)
		for i := range texts {
			texts[i] = object(object(`[{},` + object("1") + `]`))
		}
		codectest.SameAny(t, wire.JSON{}, []byte("["+strings.Join(texts, ",")+"]"))
	}
}

// TestJSONGoListsInLists: a list begins with memory for as many elements as the last
// one had, but not each of those within it, too.
func TestJSONGoListsInLists(t *testing.T) {
	const deep = 40
	long := `{"kids":[` + strings.Repeat("{},", 1023) + `{}]},`
	short := strings.Repeat(`{"kids":[`, deep) + "{}" + strings.Repeat("]}", deep) + ","
	src := []byte("[" + strings.Repeat(long+short, 20) + "{}]")
	growth.Bytes(t, uint64(128*len(src)), func() {
		var trees []tree
		require.NoError(t, wire.Unmarshal(wire.JSON{}, src, &trees))
	})
}

// TestGoRepeatedMember: a member that occurs twice counts as it does last, however many
// members there are and whatever is between.
func TestGoRepeatedMember(t *testing.T) {
	fields := make([]reflect.StructField, 70)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[[]int]()}
	}
	for _, text := range []string{`{"F69":[1],"F3":[1],"F69":null}`, `{"F5":[1],"F69":[2],"F5":null}`, `{"F66":[1],"F68":[3],"F67":[2],"F66":null,"F68":[4]}`} {
		got, want := reflect.New(reflect.StructOf(fields)), reflect.New(reflect.StructOf(fields))
		require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(text), got.Interface()))
		require.NoError(t, json.Unmarshal([]byte(text), want.Interface()))
		require.Equal(t, want.Interface(), got.Interface(), text)
	}
}

func TestReadDirectly(t *testing.T) {
	codectest.ReadDirectly(t, func(v any) ([]byte, error) { return wire.Marshal(wire.JSON{}, v) }, wire.ReadJSONGo)
}
