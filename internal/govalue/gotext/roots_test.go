package gotext_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// TestRoots holds which roots are read where they lie, and that types that share a
// slot are told apart.
func TestRoots(t *testing.T) {
	type pair struct{ A, B int }
	type word struct{ P *int }
	var roots gotext.Roots[*string]
	plan := func(t reflect.Type) (*string, *gotext.Node) {
		name := t.String()
		return &name, gotext.Leaf(gowire.Types.Of(t))
	}
	find := func(v any) (string, bool, gotext.Var) {
		root, at := roots.Of(v, plan)
		if root.Plan == nil {
			return "", root.Pointer, at
		}
		return *root.Plan, root.Pointer, at
	}
	name, pointer, at := find(&pair{1, 2})
	require.Equal(t, "gotext_test.pair", name)
	require.True(t, pointer)
	require.Equal(t, pair{1, 2}, *gotext.As[pair](at))
	name, pointer, at = find(pair{3, 4})
	require.Equal(t, "gotext_test.pair", name)
	require.False(t, pointer)
	require.Equal(t, pair{3, 4}, *gotext.As[pair](at))
	name, _, at = find([]int{5, 6})
	require.Equal(t, "[]int", name)
	require.Equal(t, []int{5, 6}, *gotext.As[[]int](at))
	_, _, at = find([]int(nil))
	require.Nil(t, *gotext.As[[]int](at))
	name, pointer, at = find((*pair)(nil))
	require.Equal(t, "gotext_test.pair", name)
	require.True(t, pointer)
	require.True(t, at.IsNil())
	for _, v := range []any{nil, 1, "text", map[string]int{}, word{new(int)}, func() {}, make(chan int), struct{}{}} {
		name, _, at = find(v)
		require.Empty(t, name, "%T", v)
		require.True(t, at.IsNil(), "%T", v)
	}
	// More types than slots, each asked for twice.
	for range 2 {
		for n := range 300 {
			v := reflect.New(reflect.ArrayOf(n+1, reflect.TypeFor[pair]()))
			name, _, at = find(v.Interface())
			require.Equal(t, v.Type().Elem().String(), name)
			require.Equal(t, v.UnsafePointer(), at.Reflect().Addr().UnsafePointer())
		}
	}
}

func TestIsZero(t *testing.T) {
	var b [300]byte
	for size := range len(b) + 1 {
		require.True(t, gotype.IsZero(gotype.Ptr(&b), uintptr(size)))
		for i := range b {
			b[i] = 1
			require.Equal(t, i >= size, gotype.IsZero(gotype.Ptr(&b), uintptr(size)))
			b[i] = 0
		}
	}
}
