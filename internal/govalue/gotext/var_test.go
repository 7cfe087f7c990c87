package gotext

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
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
	types := gotype.Universe{Marshaler: reflect.TypeFor[error](), Unmarshaler: reflect.TypeFor[error]()}
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
		"nil":     func() { a.HoldsNil() },
		"element": func() { list.At(2) },
		"member":  func() { v.Members[2].Of(b) },
		"as":      func() { As[int](a) },
		"root":    func() { NewVar(v.Node, reflect.ValueOf(new(int))) },
	} {
		require.Panics(t, wrong, name)
	}
}

// TestNotNumbers: what is not a number is not read and not written as one in any build.
func TestNotNumbers(t *testing.T) {
	for op := range gotype.Interface + 1 {
		if op.IsInt() || op.IsUint() {
			continue
		}
		word := uint64(7)
		n, ok := gotype.Int(op, gotype.Ptr(&word))
		require.Zero(t, n, op)
		require.False(t, ok || gotype.SetInt(op, gotype.Ptr(&word), 0) || gotype.SetUint(op, gotype.Ptr(&word), 0), op)
		require.Equal(t, uint64(7), word, op)
	}
	if checked {
		return
	}
	text, ok := Var{Node: Leaf(&gotype.Type{T: reflect.TypeFor[any](), Op: gotype.Interface}), p: gotype.Ptr(new(any))}.AppendNumber([]byte("x"))
	require.False(t, ok)
	require.Equal(t, "x", string(text))
}

// TestReadWhole: integers in every spelling go into the variables that hold them, and into
// no others.
func TestReadWhole(t *testing.T) {
	types := gotype.Universe{Marshaler: reflect.TypeFor[error](), Unmarshaler: reflect.TypeFor[error]()}
	read := func(to any, text string) int {
		return NewVar(Leaf(types.Of(reflect.TypeOf(to).Elem())), reflect.ValueOf(to)).ReadWhole(text+"\n", 0)
	}
	for text, want := range map[string]int64{
		"0": 0, "-7": -7, "424242.0": 424242, "4.2e1": 42, "-1.50e+2": -150, "70E-1": 7, "1e18": 1e18,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64, "9223372036854775807.000": math.MaxInt64,
	} {
		var n int64
		require.Equal(t, len(text), read(&n, text), text)
		require.Equal(t, want, n, text)
	}
	var u uint64
	require.Equal(t, 20, read(&u, "18446744073709551615"))
	require.Equal(t, uint64(math.MaxUint64), u)
	for _, text := range []string{"", "-", "x", "1.5", "1e-1", "1e19", "9223372036854775808", "1e400", "18446744073709551616"} {
		require.Equal(t, -1, read(new(int64), text), text)
	}
	for _, text := range []string{"256", "2.56e2", "-1.0"} {
		require.Equal(t, -1, read(new(uint8), text), text)
	}
}
