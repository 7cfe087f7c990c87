package wire

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// TestStaleValuesPanic keeps a value beyond its time.
func TestStaleValuesPanic(t *testing.T) {
	if !poison {
		t.Skip("runs where memory is poisoned: in a build with the tag wirekitdebug or the race detector")
	}
	var root, inner Value
	require.NoError(t, View(JSON{}, []byte(`{"a":["text",{"b":1}]}`), func(v Value) error {
		root, inner = v, v.Index(0)
		return nil
	}))
	for name, use := range map[string]func(){
		"kind":     func() { root.Index(0).Kind() },
		"keys":     func() { root.Keys() },
		"text":     func() { inner.Index(0).Text() },
		"number":   func() { inner.Index(1).Int64() },
		"elements": func() { _ = inner.String() },
		"encode":   func() { _, _ = JSON{}.AppendEncode(nil, inner) },
		"clone":    func() { inner.Clone() },
		"equal":    func() { Equal(inner, inner.Index(0)) },
	} {
		require.Panics(t, use, name)
	}
	var record Value
	p := borrowParser(nil, "jsonl", new(Limits), false)
	p.records(lineio.NewReader(strings.NewReader("[[1]]\n[[2]]\n[[3]]\n"), 100), nil, nil, func(v Value, err error) bool {
		require.NoError(t, err)
		if record.Kind() == KindNull {
			record = v
		}
		return true
	})
	require.Panics(t, func() { record.Index(0).Kind() })
}

// TestIdleMemoryIsBounded looks at what a memory holds when its document is done.
func TestIdleMemoryIsBounded(t *testing.T) {
	texts := map[string]string{
		"small":   `{"a":1}`,
		"large":   `[` + strings.Repeat(`"text",`, 1<<19) + `1]`,
		"long":    `"` + strings.Repeat("x", 1<<22) + `"`,
		"deep":    strings.Repeat(`{"key":`, 400) + "1" + strings.Repeat("}", 400),
		"shapes":  `[` + manyShapes(5000) + `1]`,
		"keys":    `[` + strings.Repeat(`{"`+strings.Repeat("k", 1<<16)+`":1},`, 30) + `1]`,
		"escapes": `["` + strings.Repeat(`\n`, 1<<20) + `"]`,
	}
	for name, text := range texts {
		largeMemories = sync.Pool{} // or the document may get what another one left
		b := borrowParser(inplace.Owned{}, "json", new(Limits), false)
		b.mem, b.self = new(memory), b.here()
		m := b.mem
		b.tree = &m.root
		_, err := b.parse([]byte(text), []byte(text))
		require.NoError(t, err, name)
		b.release()
		require.LessOrEqual(t, m.weight, maxKeptWeight, name)
		require.LessOrEqual(t, m.shapes, maxKeptShapes, name)
		if name == "small" && !poison {
			require.Positive(t, m.shapes)
			require.Positive(t, cap(m.slots))
		}
		require.Equal(t, !poison && slices.Contains([]string{"large", "long", "escapes", "keys"}, name), m.kind == largeMemory, name)
		if m.kind == largeMemory { // which small documents do not get
			continue
		}
		require.LessOrEqual(t, valueBytes*(cap(m.slots)+cap(m.stack))+cap(m.text)+cap(m.chunk), maxKeptBytes, name)
		for _, v := range m.slots[:cap(m.slots)] {
			require.Nil(t, v.ptr, name)
		}
		for _, v := range m.stack[:cap(m.stack)] {
			require.Nil(t, v.ptr, name)
		}
	}
	runtime.KeepAlive(texts)
}

func manyShapes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`{"k` + strings.Repeat("x", i%100) + string(rune('a'+i%26)) + `":1},`)
	}
	return b.String()
}

// TestLentAllocations holds what a value that passes through costs.
func TestLentAllocations(t *testing.T) {
	if poison {
		t.Skip("runs without the race detector and wirekitdebug: poisoned memory is not reused")
	}
	src := []byte(`[` + strings.Repeat(`{"id":12,"name":"text","tags":["a","b"],"esc":"\n"},`, 200) + `{}]`)
	growth.Allocs(t, 2, func() { _ = JSON{}.view(nil, src, func(Value) error { return nil }) })
	r, err := NewRegistry(JSON{})
	require.NoError(t, err)
	small := []byte(`{"id":12,"name":"text","tags":["a","b"]}`)
	growth.Allocs(t, 2, func() { _, _ = r.Convert(small, "", "json") })
}

// TestOwnValuesStay decodes documents of many shapes one after the other, in some
// goroutines, which all share the trees of key lists, and looks at the Values in the
// end.
func TestOwnValuesStay(t *testing.T) {
	var texts []string
	for n := range 40 {
		members := strings.Repeat(`,"more":[1,2,{"x\n":"esc\taped"}]`, n%3)
		text := fmt.Sprintf(`{"id":%d,"k%d":{"a":"text %d","b":[{"id":%d},{"id":1,"c":null}]}%s}`, n, n%7, n, n, members)
		v, err := ParseJSON([]byte(text))
		require.NoError(t, err)
		indented, err := JSON{Indent: strings.Repeat(" ", 1+n%4)}.AppendEncode(nil, v)
		require.NoError(t, err)
		texts = append(texts, text, string(indented), "{}", `[{"id":`, fmt.Sprintf(`[[%d,2,3],[],"x"]`, n))
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			values := make(map[int]Value)
			for i := range texts {
				i = (i*(2*g+1) + g) % len(texts)
				src := []byte(texts[i])
				if v, err := ParseJSON(src); err == nil {
					values[i] = v
					v.Get("id")
				}
				clear(src)
			}
			for i, v := range values {
				again, err := parsedAlone(texts[i])
				if err != nil || !Identical(again, v) {
					t.Errorf("%v of %s", v, texts[i])
				}
			}
		})
	}
	group.Wait()
}

// parsedAlone parses a text without anything that was there before.
func parsedAlone(text string) (Value, error) {
	p := &jsonParser{format: "json", depth: bound.Depth, limits: Limits{}.Resolved()}
	return p.parse([]byte(text), []byte(text))
}

// TestOwnAllocations holds what a small document costs that comes again, and what it
// costs after one with an object that is much larger.
func TestOwnAllocations(t *testing.T) {
	if poison {
		t.Skip("runs without the race detector and wirekitdebug, where pools lose what they hold")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would empty the pools
	const runs = 100
	bytes := func(f func()) uint64 { // the least of some: another processor has pools of its own
		least := uint64(math.MaxUint64)
		for range 5 {
			least = min(least, growth.Allocated(func() {
				for range runs {
					f()
				}
			}))
		}
		return least / runs
	}
	wide := []byte("{" + manyMembers(200) + "}")
	for _, text := range []string{`{"id":1}`, `{"id":12,"name":"text","tags":["a","b"],"at":{"x":1,"y":2}}`, `[1,2,3,4,5,6,7,8,9,10,11,12]`} {
		src := []byte(text)
		n := testing.AllocsPerRun(100, func() { _, _ = ParseJSON(src) })
		require.LessOrEqual(t, n, 2.0, text)
		alone := bytes(func() { _, _ = ParseJSON(wide) })
		both := bytes(func() { _, _ = ParseJSON(wide); _, _ = ParseJSON(src) })
		require.Less(t, int(both-alone), 600, text)
	}
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"member %d":%d,`, i, i)
	}
	return b.String() + `"last":0`
}

// TestSharedStackIsEmpty holds that what parsed a document keeps no Value of it.
func TestSharedStackIsEmpty(t *testing.T) {
	for _, text := range []string{`[{"a":["b",{"c":["d"]}]},{"x":1,"y":[[["z"]]]}]`, `{"a":["b",{"c":["d"`, `[1,"2",[3,"4"],x]`} {
		p := borrowParser(inplace.Owned{}, "json", new(Limits), false)
		m := p.shared
		_, _ = p.parse([]byte(text), []byte(text))
		p.giveBack(nil)
		require.Nil(t, p.shared)
		for _, v := range m.stack[:cap(m.stack)] {
			require.Equal(t, Value{}, v)
		}
	}
}

// TestKeyListsStay asks for lists in the memory of one document after the other.
func TestKeyListsStay(t *testing.T) {
	text := []byte("idnameid")
	name := func(from, to int) string { return aliasString(text[from:to]) }
	m := new(memory)
	var first *Keys
	for range 3 {
		b := new(Builder)
		b.borrow(m)
		keys, err := b.newKeys(name(0, 2), name(2, 6))
		require.NoError(t, err)
		again, err := b.newKeys("id", "name")
		require.NoError(t, err)
		require.Same(t, keys, again)
		_, err = b.newKeys(name(0, 2), name(2, 6), name(6, 8))
		require.ErrorIs(t, err, ErrDuplicateKey)
		none, err := b.newKeys()
		require.NoError(t, err)
		require.Same(t, noKeys, none)
		wide := make([]string, maxShapeDepth+50)
		for i := range wide {
			wide[i] = strings.Repeat("k", i+1)
		}
		many, err := b.newKeys(wide...)
		require.NoError(t, err)
		require.Equal(t, wide, many.names)
		_, err = b.newKeys(append(wide, wide[len(wide)-1])...)
		require.ErrorIs(t, err, ErrDuplicateKey)
		b.giveBack(nil)
		if first == nil {
			first = keys
		}
		require.Same(t, first, keys)
	}
	copy(text, "XXXXXXXX")
	require.Equal(t, []string{"id", "name"}, first.names)
}
