package wire_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/wire"
)

// TestPointers: a table of what At returns (RFC 6901, section 5), and what Set of "new"
// and Delete make of the document.
func TestPointers(t *testing.T) {
	const document = `{"rows":[{"id":1},{"id":2}],"a/b":3,"m~n":4,"":5}`
	v, err := wire.ParseJSON([]byte(document))
	require.NoError(t, err)
	for _, c := range []struct{ pointer, at, set, deleted string }{
		{"", document, `"new"`, "error: invalid_pointer"},
		{"/rows/1/id", `2`, `{"rows":[{"id":1},{"id":"new"}],"a/b":3,"m~n":4,"":5}`, `{"rows":[{"id":1},{}],"a/b":3,"m~n":4,"":5}`},
		{"/rows/0", `{"id":1}`, `{"rows":["new",{"id":2}],"a/b":3,"m~n":4,"":5}`, `{"rows":[{"id":2}],"a/b":3,"m~n":4,"":5}`},
		{"/a~1b", `3`, `{"rows":[{"id":1},{"id":2}],"a/b":"new","m~n":4,"":5}`, `{"rows":[{"id":1},{"id":2}],"m~n":4,"":5}`},
		{"/m~0n", `4`, `{"rows":[{"id":1},{"id":2}],"a/b":3,"m~n":"new","":5}`, `{"rows":[{"id":1},{"id":2}],"a/b":3,"":5}`},
		{"/", `5`, `{"rows":[{"id":1},{"id":2}],"a/b":3,"m~n":4,"":"new"}`, `{"rows":[{"id":1},{"id":2}],"a/b":3,"m~n":4}`},
		{"/c", "error: no_such_part", `{"rows":[{"id":1},{"id":2}],"a/b":3,"m~n":4,"":5,"c":"new"}`, "error: no_such_part"},
		{"/rows/-", "error: no_such_part", `{"rows":[{"id":1},{"id":2},"new"],"a/b":3,"m~n":4,"":5}`, "error: no_such_part"},
		{"/rows/2", "error: no_such_part", "error: no_such_part", "error: no_such_part"},
		{"/rows/01", "error: no_such_part", "error: no_such_part", "error: no_such_part"},
		{"/c/d", "error: no_such_part", "error: no_such_part", "error: no_such_part"},
		{"/rows/0/id/x", "error: no_such_part", "error: no_such_part", "error: no_such_part"},
		{"rows", "error: invalid_pointer", "error: invalid_pointer", "error: invalid_pointer"},
		{"/~2", "error: invalid_pointer", "error: invalid_pointer", "error: invalid_pointer"},
		{"/~", "error: invalid_pointer", "error: invalid_pointer", "error: invalid_pointer"},
	} {
		show := func(w wire.Value, err error) string {
			if err != nil {
				return "error: " + err.(*wire.Error).Code
			}
			return string(wire.AppendJSON(nil, w))
		}
		require.Equal(t, c.at, show(v.At(c.pointer)), "At %q", c.pointer)
		require.Equal(t, c.set, show(v.Set(c.pointer, wire.String("new"))), "Set %q", c.pointer)
		require.Equal(t, c.deleted, show(v.Delete(c.pointer)), "Delete %q", c.pointer)
		require.Equal(t, document, v.String(), "a Value never changes")
	}
	_, err = v.At("/rows/7")
	require.ErrorIs(t, err, wire.ErrShape)
	require.ErrorContains(t, err, "/rows is an array of 2 elements")
	require.Equal(t, "/rows", err.(*wire.Error).Path())
}

func ExampleValue_Set() {
	v, _ := wire.ParseJSON([]byte(`{"user":{"name":"Ann","roles":["dev"]}}`))
	v, _ = v.Set("/user/roles/-", wire.String("admin"))
	name, _ := v.At("/user/name")
	fmt.Println(name, v)
	// Output: Ann {"user":{"name":"Ann","roles":["dev","admin"]}}
}
