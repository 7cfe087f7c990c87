package wire_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

func TestBuilder(t *testing.T) {
	var b builder.Builder
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
		var b builder.Builder
		o := b.Object()
		b.Key(&o, "a")
		b.EndObject(&o)
	}, "a key without a value")
	empty := b.Object()
	require.Equal(t, "{}", b.EndObject(&empty).String())
}

func TestBuilderRow(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	var b builder.Builder
	slots := b.Slots(2)
	slots[0], slots[1] = wire.Int(1), wire.Null()
	row := b.RowOf(keys, slots)
	require.Equal(t, `{"a":1,"b":null}`, row.String())
	require.True(t, row.Keys() == keys)
	require.Panics(t, func() { b.RowOf(keys, b.Slots(1)) })
}

// TestBuilderFrom: objects of values that are not on the stack, in the tree of key lists
// and when that is full.
func TestBuilderFrom(t *testing.T) {
	var b builder.Builder
	values := []wire.Value{wire.Int(1), wire.Null(), wire.Bool(true)}
	for i := range 6000 {
		o := b.Object()
		want := "{"
		for k := range i % 3 {
			key := fmt.Sprint("key", i-k)
			require.True(t, b.Key(&o, key))
			want += []string{"", ","}[min(k, 1)] + `"` + key + `":` + []string{"1", "null"}[k]
		}
		v := b.RowFrom(b.KeysSoFar(&o), values[:i%3])
		require.Equal(t, want+"}", v.String())
		require.True(t, wire.Identical(v, b.RowFrom(v.Keys(), values[:i%3])))
		require.Panics(t, func() { b.RowFrom(b.KeysSoFar(&o), values[:i%3+1]) })
		require.Panics(t, func() { b.RowFrom(v.Keys(), values[:i%3+1]) })
	}
	require.Zero(t, b.Mark())
}

// TestBuilderOutsideTheShapeTree checks objects that are too wide for the tree
// or come when it is full: same result, no sharing.
func TestBuilderOutsideTheShapeTree(t *testing.T) {
	var b builder.Builder
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
	growth.Bytes(t, uint64(20*len(text)), func() {
		codectest.JSON(t, text)
	})
}

// TestBuilderSlots: objects decoded in place are right whatever is taken
// between, and slots that no member needs are reused.
func TestBuilderSlots(t *testing.T) {
	two := codectest.Keys(t, "a", "b")
	one := codectest.Keys(t, "a")
	none := codectest.Keys(t)
	var b builder.Builder
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
	var free builder.Builder
	growth.Allocs(t, 100, func() {
		for range 1000 {
			free.RowOf(none, free.Slots(300))
		}
	})
}

// TestBuilderGivesNoWayIn: whatever a caller does with a Builder, the values
// that it made stay as they are.
func TestBuilderGivesNoWayIn(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	made := func(b *builder.Builder) []wire.Value {
		mark := b.Mark()
		b.Push(wire.Int(1))
		b.Push(wire.String(b.Text([]byte("text"))))
		row := b.Row(keys, mark)
		o := b.Object()
		b.Key(&o, "key")
		b.Put(&o, row)
		return []wire.Value{row, b.EndObject(&o)}
	}
	const row, object = `{"a":1,"b":"text"}`, `{"key":{"a":1,"b":"text"}}`
	check := func(t *testing.T, values []wire.Value) {
		t.Helper()
		require.Equal(t, row, values[0].String())
		require.Equal(t, object, values[1].String())
	}
	t.Run("a copy", func(t *testing.T) {
		var b builder.Builder
		first := made(&b)
		c := new(builder.Builder)
		reflect.ValueOf(c).Elem().Set(reflect.ValueOf(&b).Elem()) // go vet refuses an assignment
		second := made(&b)
		mark := c.Mark()
		for range 3 {
			c.Push(wire.String(c.Text([]byte("XXXX"))))
		}
		third := c.Array(mark)
		o := c.Object()
		c.Key(&o, "other key")
		c.Put(&o, third)
		require.Equal(t, `{"other key":["XXXX","XXXX","XXXX"]}`, c.EndObject(&o).String())
		fourth := made(&b)
		check(t, first)
		check(t, second)
		check(t, fourth)
		check(t, made(c))
		require.Equal(t, `["XXXX","XXXX","XXXX"]`, third.String())
	})
	t.Run("a mark that is none", func(t *testing.T) {
		var b builder.Builder
		values := made(&b)
		for _, mark := range []int{1, 3, 100, -1, -100} {
			require.Panics(t, func() { b.Array(mark) })
			require.Panics(t, func() { b.Row(keys, mark) })
		}
		require.Panics(t, func() { b.Row(keys, 0) })
		b.Push(wire.Bool(true))
		require.Equal(t, "[true]", b.Array(0).String())
		check(t, values)
	})
	t.Run("an object that goes on", func(t *testing.T) {
		var b builder.Builder
		o := b.Object()
		for i := range 300 { // more than the tree of shapes takes
			b.Key(&o, strconv.Itoa(i))
			b.Put(&o, wire.Int(int64(i)))
		}
		copied := o
		v := b.EndObject(&o)
		text := v.String()
		for i := range 300 {
			b.Push(wire.Int(int64(-i)))
		}
		b.Key(&copied, "more")
		b.Put(&copied, wire.Null())
		w := b.EndObject(&copied)
		require.Equal(t, text, v.String())
		require.Equal(t, 301, w.Len())
	})
}
