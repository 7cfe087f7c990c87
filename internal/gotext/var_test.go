package gotext

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/gotype"
)

// TestChecked uses variables as what they are not, in every way that is checked.
func TestChecked(t *testing.T) {
	if !checked {
		t.Skip("runs where memory is checked: in a build with the tag wirekitdebug or the race detector")
	}
	type row struct {
		A string
		B int32
		C []int
	}
	var types gotype.Universe
	for i := range types.Marshalers {
		types.Marshalers[i], types.Unmarshalers[i] = reflect.TypeFor[error](), reflect.TypeFor[error]()
	}
	plans := Plans{Label: func(dst []byte, key string) []byte { return append(dst, key...) }}
	_, v := plans.Root(&types, &row{"text", 1, []int{1, 2}})
	a, b, c := v.Members[0].Of(v), v.Members[1].Of(v), v.Members[2].Of(v)
	require.Equal(t, "text", a.Text())
	list := c.Items()
	require.Equal(t, int64(2), list.At(1).Int64())
	for name, wrong := range map[string]func(){
		"text":    func() { b.Text() },
		"int64":   func() { b.Int64() },
		"integer": func() { a.Int() },
		"set":     func() { c.SetInt(1) },
		"number":  func() { a.AppendNumber(nil) },
		"float":   func() { a.SetFloat(1) },
		"list":    func() { a.Items() },
		"pointer": func() { c.Target() },
		"element": func() { list.At(2) },
		"member":  func() { v.Members[2].Of(b) },
		"as":      func() { As[int](a) },
		"root":    func() { NewVar(v.Node, reflect.ValueOf(new(int))) },
	} {
		require.Panics(t, wrong, name)
	}
}
