package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// TestAppendNested has the limits of AppendNested at their bounds: levels, and bytes
// with those that were there before.
func TestAppendNested(t *testing.T) {
	const before, text = "row\t", `[{"a":[1,"x\\y"]},"é"]`
	v := parse(t, text)
	for _, c := range []struct {
		name       string
		depth, max int
		fits       bool
	}{
		{"as deep and long as it is", 3, len(before) + len(text), true},
		{"a level less", 2, len(before) + len(text), false},
		{"a byte less", 3, len(before) + len(text) - 1, false},
		{"no room at all", 3, 0, false},
	} {
		out, err := builder.AppendNested([]byte(before), v, c.depth, c.max)
		if c.fits {
			require.NoError(t, err, c.name)
			require.Equal(t, before+text, string(out), c.name)
			continue
		}
		require.ErrorIs(t, err, wire.ErrLimit, c.name)
		require.Equal(t, before, string(out), c.name)
	}
	out, err := builder.AppendNested(nil, wire.Array(wire.String("\xff")), 1, 9)
	require.NoError(t, err)
	require.Equal(t, "[\"\xff\"]", string(out))
}
