package wire_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

func TestAppendMarshal(t *testing.T) {
	dst := []byte("before ")
	out, err := wire.Internal.AppendMarshal(dst, wire.JSON{}, map[string]int{"a": 1})
	require.NoError(t, err)
	require.Equal(t, `before {"a":1}`, string(out))
	for _, bad := range []any{math.NaN(), "\xff"} {
		out, err = wire.Internal.AppendMarshal(dst, wire.JSON{}, bad)
		require.Error(t, err)
		require.Equal(t, "before ", string(out))
	}
}

func TestRejectUnknownMembers(t *testing.T) {
	strict := wire.Options{RejectUnknownMembers: true}
	type inner struct {
		Known int `json:"known"`
	}
	for _, c := range []struct{ text, path string }{
		{`{"Items":[{"known":1},{"known":2,"other":3}]}`, "/Items/1/other"},
		{`{"extra":null}`, "/extra"},
		{`{"M":{"any key":{"x":1}}}`, "/M/any key/x"},
		{`{"Items":[],"items":[],"ITEMS ":1}`, "/ITEMS "},
	} {
		var v struct {
			Items []inner
			M     map[string]inner
			Any   any
		}
		require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(c.text), &v))
		requireGoError(t, strict.Unmarshal(wire.JSON{}, []byte(c.text), &v), wire.ErrUnknownMember, c.path)
	}
	var v struct {
		Items []inner
		Any   any
	}
	require.NoError(t, strict.Unmarshal(wire.JSON{}, []byte(`{"items":[{"KNOWN":1}],"Any":{"what":"ever"}}`), &v))
	require.Equal(t, 1, v.Items[0].Known)
}

func TestObjectOf(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	values := []wire.Value{wire.Int(1), wire.Null()}
	v := wire.ObjectOf(keys, values...)
	values[0] = wire.Int(9)
	require.Equal(t, `{"a":1,"b":null}`, v.String())
	require.Same(t, keys, v.Keys())
	none, _ := wire.NewKeys()
	require.Equal(t, "{}", wire.ObjectOf(none).String())
	require.Panics(t, func() { wire.ObjectOf(keys, wire.Int(1)) })
}

func ExampleOptions() {
	type user struct {
		Name string `json:"name"`
	}
	strict := wire.Options{RejectUnknownMembers: true}
	var u user
	fmt.Println(strict.Unmarshal(wire.JSON{}, []byte(`{"name":"Ada","nmae":"Ada"}`), &u))
	// Output:
	// wire: line 1, column 15: unknown_member: a Go value of type wire_test.user has no field for the member (at /nmae)
}

func ExampleObjectOf() {
	keys, _ := wire.NewKeys("id", "name")
	rows := wire.Array(
		wire.ObjectOf(keys, wire.Int(1), wire.String("Ada")),
		wire.ObjectOf(keys, wire.Int(2), wire.String("Jun")),
	)
	fmt.Println(rows)
	// Output:
	// [{"id":1,"name":"Ada"},{"id":2,"name":"Jun"}]
}

func TestIsFloat(t *testing.T) {
	require.True(t, wire.Internal.IsFloat(wire.Float(0.5)))
	for _, v := range []wire.Value{wire.Int(1), wire.Uint(math.MaxUint64), spelled(t, "0.5"), wire.String("0.5"), {}} {
		require.False(t, wire.Internal.IsFloat(v))
	}
}

// TestMarshalSharedValues: a value whose parts it holds many times is refused for the
// length of its text, at once and not when all of it has been looked at.
func TestMarshalSharedValues(t *testing.T) {
	v := wire.Int(1)
	for range 32 {
		v = wire.Array(v, v)
	}
	c := wire.JSON{Limits: wire.Limits{OutputBytes: 1 << 16}}
	growth.Within(t, 10*time.Second, func() {
		_, err := wire.Marshal(c, v)
		require.ErrorIs(t, err, wire.ErrLimit)
	})
}
