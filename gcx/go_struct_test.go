package gcx_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// around is a struct around lists, with a member of every sort.
type around struct {
	ID    string  `json:"id"`
	N     int     `json:"n"`
	U     uint8   `json:"u"`
	F     float64 `json:"f,omitempty"`
	B     bool    `json:"b"`
	P     *int    `json:"p"`
	S     *string `json:"s"`
	Items []inner `json:"items"`
	None  struct{}
	More  []*inner          `json:"more,omitempty"`
	Tags  []string          `json:"tags"`
	Map   map[string]int    `json:"map"`
	Texts map[string]string `json:"two words"`
	One   inner             `json:"one"`
	Other *inner            `json:"other"`
	At    time.Time         `json:"at"`
	Lists [][]int           `json:"lists"`
	Rows  []*string         `json:"rows"`
	Value []oneValue        `json:"value"`
	Last  string            `json:"last"`
}

type inner struct {
	SKU  string         `json:"sku"`
	N    int            `json:"n,omitempty"`
	F    float64        `json:"f"`
	B    *bool          `json:"b,omitempty"`
	T    *string        `json:"t,omitempty"`
	Tags []string       `json:"tags"`
	M    map[string]int `json:"m,omitempty"`
}

type oneValue struct {
	Value string `json:"value"`
}

// TestStructsAroundLists: a struct is written and read as through its Value,
// whatever has become of the payload.
func TestStructsAroundLists(t *testing.T) {
	trials.OneGoroutine(t)
	ways := goWays()
	lists, straight := 0, 0
	for seed := range uint64(1500) {
		types := randgo.Simple(seed, nasty)
		if seed%2 == 0 { // what is written in the form that is read straight
			types.Strings = []string{"", "a", "b", "42", "true", "null", "two words", "[x", "\"q\"", "G", "#"}
		}
		in := reflect.New(reflect.TypeFor[around]())
		types.Fill(in.Elem(), 0)
		types.Fill(in.Elem(), 0)
		v := in.Interface().(*around)
		c := gcx.Codec{Single: seed%7 == 0, Reorder: seed%11 == 0}
		want, wantErr := wire.Marshal(codectest.Values(c), v)
		got, err := c.Marshal(v)
		require.Equal(t, wantErr, err)
		require.Equal(t, string(want), string(got), "seed %d", seed)
		if len(v.Items) > 1 && !c.Single {
			lists++
		}
		docs := [][]byte{want}
		for range 8 {
			docs = append(docs, faulty.Damaged(types.Rand, want, want, ways.Pieces))
		}
		for _, doc := range docs {
			var got, want around
			wantErr := wire.Unmarshal(codectest.Values(gcx.Codec{}), doc, &want)
			require.Equal(t, randgo.Unplaced(wantErr), randgo.Unplaced(gcx.Unmarshal(doc, &got)), "%s", doc)
			require.Equal(t, want, got, "%s", doc)
			if wantErr == nil {
				straight++
			}
		}
	}
	require.Greater(t, lists, 300)
	require.Greater(t, straight, 2000)
}

// TestStructAllocations: a struct around lists is written without a Value.
func TestStructAllocations(t *testing.T) {
	v := &around{ID: "x", Items: []inner{{SKU: "a"}, {SKU: "b", N: 1}}, Tags: []string{"t"}, Map: map[string]int{"k": 1}}
	growth.Allocs(t, 30, func() {
		if _, err := gcx.Marshal(v); err != nil {
			t.Fatal(err)
		}
	})
}

type item struct {
	SKU      string  `json:"sku"`
	Name     string  `json:"name"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
	Note     string  `json:"note,omitempty"`
}

type wrapping struct {
	ID       string            `json:"id"`
	Number   int               `json:"number"`
	Customer item              `json:"customer"`
	Items    []item            `json:"items"`
	Tags     []string          `json:"tags"`
	Labels   map[string]string `json:"labels"`
	Total    float64           `json:"total"`
	Status   string            `json:"status"`
}

func newEnvelope(n int, notes bool) *wrapping {
	e := &wrapping{ID: "ord_000001", Number: 1000, Customer: item{"c-1", "Ada Okafor", 3, 1.5, ""}, Tags: []string{"new", "paid"},
		Labels: map[string]string{"region": "eu", "channel": "web"}, Total: 99.5, Status: "paid"}
	for i := range n {
		it := item{fmt.Sprintf("SKU-%04d", i), "retry after backoff", i%7 + 1, float64(i*31%20000) / 100, ""}
		if notes && i%4 == 0 {
			it.Note = "gift"
		}
		e.Items = append(e.Items, it)
	}
	return e
}

// BenchmarkEnvelope measures structs around lists, with goccy/go-json beside it.
func BenchmarkEnvelope(b *testing.B) {
	for name, v := range map[string]*wrapping{"3": newEnvelope(3, false), "3 with notes": newEnvelope(3, true), "100": newEnvelope(100, true), "5000": newEnvelope(5000, true), "5000 uniform": newEnvelope(5000, false)} {
		asJSON, err := gojson.Marshal(v)
		require.NoError(b, err)
		text, err := gcx.Marshal(v)
		require.NoError(b, err)
		run := func(way string, f func() error) { codectest.Measure(b, name+"/"+way, len(asJSON), f) }
		run("marshal/gcx", func() error { _, err := gcx.Marshal(v); return err })
		run("marshal/goccy", func() error { _, err := gojson.Marshal(v); return err })
		run("unmarshal/gcx", func() error { return gcx.Unmarshal(text, new(wrapping)) })
		run("unmarshal/goccy", func() error { return gojson.Unmarshal(asJSON, new(wrapping)) })
	}
}

// FuzzStructsAroundLists: whatever a payload is, a struct is read from it as through
// its Value, and written again so too.
func FuzzStructsAroundLists(f *testing.F) {
	seven, text := 7, "x"
	for _, v := range []*around{
		{ID: "two words", Items: []inner{{SKU: "a"}, {SKU: "b", N: 1, T: &text}}, Tags: []string{"", "t"}, Map: map[string]int{"k": 1}, P: &seven},
		{ID: "x", S: &text, Rows: []*string{&text, nil}, Lists: [][]int{{1}, nil}, Value: []oneValue{{"a"}, {"b"}}},
	} {
		doc, err := gcx.Marshal(v)
		require.NoError(f, err)
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		var got, want around
		wantErr := wire.Unmarshal(codectest.Values(gcx.Codec{}), doc, &want)
		require.Equal(t, randgo.Unplaced(wantErr), randgo.Unplaced(gcx.Unmarshal(doc, &got)), "%s", doc)
		require.Equal(t, want, got, "%s", doc)
		if wantErr == nil {
			goWays().Same(t, &got)
			goWays().Same(t, got.Items)
		}
	})
}
