package wire_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

func TestBuilder(t *testing.T) {
	var b wire.Builder
	mark := b.Mark()
	for i := range 3 {
		o := b.Object()
		require.True(t, b.Key(&o, "id"))
		b.Put(&o, wire.Int(int64(i)))
		require.True(t, b.Key(&o, "tags"))
		inner := b.Mark()
		b.Push(wire.String("x"))
		b.Push(wire.String(b.Text([]byte("copied"))))
		b.Put(&o, b.Array(inner))
		if i == 1 {
			require.False(t, b.Key(&o, "id"), "a repeated key")
			b.Put(&o, wire.String("second"))
		}
		b.Push(b.EndObject(&o))
	}
	v := b.Array(mark)
	require.Equal(t, `[{"id":0,"tags":["x","copied"]},{"id":"second","tags":["x","copied"]},{"id":2,"tags":["x","copied"]}]`, v.String())
	require.True(t, v.Index(0).Keys() == v.Index(2).Keys())
	require.Zero(t, b.Mark())

	o := b.Object()
	b.Key(&o, "id")
	b.Put(&o, wire.Null())
	require.Equal(t, `{"id":null}`, b.EndObject(&o).String())
	require.Equal(t, "[]", b.Array(b.Mark()).String())
	require.Panics(t, func() {
		var b wire.Builder
		o := b.Object()
		b.Key(&o, "a")
		b.EndObject(&o)
	}, "a key without a value")
	empty := b.Object()
	require.Equal(t, "{}", b.EndObject(&empty).String())
}

func TestBuilderRow(t *testing.T) {
	keys, err := wire.NewKeys("a", "b")
	require.NoError(t, err)
	var b wire.Builder
	slots := b.Slots(2)
	slots[0], slots[1] = wire.Int(1), wire.Null()
	row := b.RowOf(keys, slots)
	require.Equal(t, `{"a":1,"b":null}`, row.String())
	require.True(t, row.Keys() == keys)
	require.Panics(t, func() { b.RowOf(keys, b.Slots(1)) })
}

// TestBuilderOutsideTheShapeTree checks objects that are too wide for the tree
// or come when it is full: same result, no sharing.
func TestBuilderOutsideTheShapeTree(t *testing.T) {
	var b wire.Builder
	build := func(n int, prefix string) wire.Value {
		o := b.Object()
		for i := range n {
			require.True(t, b.Key(&o, fmt.Sprint(prefix, i)))
			b.Put(&o, wire.Int(int64(i)))
		}
		require.Equal(t, n == 0, b.Key(&o, prefix+"0"))
		b.Put(&o, wire.Int(-1))
		return b.EndObject(&o)
	}
	for _, n := range []int{1, 255, 256, 257, 1000} {
		v := build(n, "k")
		require.Equal(t, n, v.Len())
		for i, k := range v.Keys().All() {
			require.Equal(t, fmt.Sprint("k", i), k)
			require.Equal(t, i, v.Keys().Index(k))
		}
		first, _ := v.Get("k0")
		require.Equal(t, "-1", first.String())
	}
	for i := range 5000 { // fills the tree
		build(1, fmt.Sprint("x", i, "-"))
	}
	require.Equal(t, 3, build(3, "late").Len())
}

// TestBuilderMemory holds the bound on what misleading input can cost: wide
// objects that are never repeated leave no slots unused.
func TestBuilderMemory(t *testing.T) {
	text := []byte(`[`)
	for i := range 2000 {
		text = append(text, '{')
		for j := range 250 {
			text = fmt.Appendf(text, `"%d":0,`, j)
		}
		text = fmt.Appendf(text, `"z":%d},{"0":1,"n%d":2},`, i, i)
	}
	text = append(text, '0', ']')
	requireLittle(t, text)

	// Objects in each other that all seem to be like a large one.
	wide := []byte(`{"a":{"a":0`)
	for i := range 250 {
		wide = fmt.Appendf(wide, `,"%c%c":0`, 'b'+i%20, 'a'+i/20)
	}
	wide = append(wide, "}},"...)
	chain := strings.Repeat(`{"a":`, 300) + "0" + strings.Repeat("}", 300) + ","
	text = []byte{'['}
	for range 100 {
		text = append(append(text, wide...), chain...)
	}
	requireLittle(t, append(text, '0', ']'))
}

// requireLittle requires that the text is parsed with memory of a few times its
// length.
func requireLittle(t *testing.T, text []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := wire.ParseJSON(text)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20*len(text)))
}

// TestBuilderSlots: objects decoded in place are right whatever is taken
// between, and slots that no member needs are used again.
func TestBuilderSlots(t *testing.T) {
	two, err := wire.NewKeys("a", "b")
	require.NoError(t, err)
	one, err := wire.NewKeys("a")
	require.NoError(t, err)
	none, err := wire.NewKeys()
	require.NoError(t, err)
	var b wire.Builder
	var rows, want []wire.Value
	for i := range int64(3000) {
		mark := b.Mark()
		b.Push(wire.Int(i))
		slots := b.Slots(2)
		slots[0] = wire.Int(i)
		slots[1] = b.Array(mark) // taken between
		rows = append(rows, b.RowOf(two, slots))
		want = append(want, parse(t, fmt.Sprintf(`{"a":%d,"b":[%d]}`, i, i)))

		slots = b.Slots(5)
		slots[4] = wire.Int(-i)
		rows = append(rows, b.RowOf(one, slots[4:]))
		want = append(want, parse(t, fmt.Sprintf(`{"a":%d}`, -i)))

		slots = b.Slots(300)
		slots[0] = wire.Int(i)
		rows = append(rows, b.RowOf(one, slots), b.RowOf(none, b.Slots(300)))
		want = append(want, parse(t, fmt.Sprintf(`{"a":%d}`, i)), parse(t, "{}"))
	}
	for i, row := range rows {
		require.True(t, wire.Identical(want[i], row), "%s, not %s", row, want[i])
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 1000 { // too many slots for a slab
		slots := b.Slots(10_000)
		slots[0] = wire.Int(int64(i))
		rows = append(rows, b.RowOf(one, slots))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20))
	require.Equal(t, `{"a":999}`, rows[len(rows)-1].String())
	var free wire.Builder
	allocs := testing.AllocsPerRun(1000, func() { free.RowOf(none, free.Slots(300)) })
	require.Less(t, allocs, 0.1)
}
