package wire_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

func TestViewGo(t *testing.T) {
	for name, v := range sameAsJSON() {
		for range 2 {
			want, err := wire.FromGo(v)
			require.NoError(t, err)
			require.NoError(t, wire.Internal.ViewGo(v, func(got wire.Value) error {
				require.True(t, wire.Identical(want, got), name)
				return nil
			}))
		}
	}
	failed := errors.New("failed")
	require.ErrorIs(t, wire.Internal.ViewGo(1, func(wire.Value) error { return failed }), failed)
	require.ErrorIs(t, wire.Internal.ViewGo(func() {}, func(wire.Value) error { t.Fatal("called"); return nil }), wire.ErrShape)
	// A conversion within another has memory of its own, and so has one that is
	// given up by a panic.
	rows, text := tableRows(t, 300)
	check := func(v wire.Value) error {
		require.Equal(t, string(text), string(wire.AppendJSON(nil, v)))
		return nil
	}
	require.NoError(t, wire.Internal.ViewGo(rows, func(outer wire.Value) error {
		require.NoError(t, wire.Internal.ViewGo(map[string]any{"a": []any{1, "x"}}, func(wire.Value) error { return nil }))
		require.Panics(t, func() { _ = wire.Internal.ViewGo(rows, func(wire.Value) error { panic("given up") }) })
		require.NoError(t, wire.Internal.ViewGo(rows, check))
		return check(outer)
	}))
}

// TestViewGoConcurrently marshals values of many sizes in turn, so that
// memory that was used for one is used for another.
func TestViewGoConcurrently(t *testing.T) {
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 300 {
				data := map[string]any{"g": g, strings.Repeat("k", i%40): fmt.Sprint(i), "list": make([]int, i%100*(i%7)), "large": map[string]int{strings.Repeat("x", 50*(i%50)): i}}
				want, err := marshalJSON(data)
				got, err2 := wire.Marshal(wire.JSON{}, data)
				if err != nil || err2 != nil || string(want) != string(got) {
					t.Errorf("%v %v: %s, not %s", err, err2, got, want)
				}
			}
		})
	}
	group.Wait()
}
