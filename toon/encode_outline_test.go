package toon_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// TestOutlines writes lists of objects with keys in common: each has the lines that it
// has in a list of its own, where there is nothing to know from others.
func TestOutlines(t *testing.T) {
	g := conformance.NewGenerator(9)
	below := func(doc []byte) []byte { return doc[bytes.IndexByte(doc, '\n'):] }
	for round := range 400 {
		c := toon.Codec{Indent: 1 + round%9}
		inner := map[string]any{"p": []any{[]any{}}, "q": round}
		members := []any{inner, []any{inner, inner}, wire.Array(wire.Array()), g.Value(), g.Value(), wire.Array(g.Value(), g.Value(), g.Value(), g.Value())}
		keys := []string{"a", "second one", "a key that is longer than thirty-two bytes", "d"}
		var objects []any
		for i := range 2 + round%40 {
			object := map[string]any{"list": []any{[]any{}}} // so that there is no table
			for k, key := range keys {
				if k == 0 || i*round%7 != k {
					object[key] = members[(k+i/3)%len(members)]
				}
			}
			objects = append(objects, object)
		}
		list, err := wire.FromGo(objects) // whose objects share key lists
		require.NoError(t, err)
		want := fmt.Appendf(nil, "[%d]:", list.Len())
		for v := range list.Elements() {
			alone, err := c.AppendEncode(nil, wire.Array(v))
			require.NoError(t, err)
			want = append(want, below(alone)...)
		}
		doc, err := c.AppendEncode(nil, list)
		require.NoError(t, err)
		require.Equal(t, string(want), string(doc))
	}
}
