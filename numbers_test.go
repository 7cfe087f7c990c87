package wirekit_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// TestNumbersInAny holds every format to the option, also those that make what an empty
// interface gets while they read; and to the readers and writers of one document.
func TestNumbersInAny(t *testing.T) {
	v, err := wire.ParseJSON([]byte(`[{"a":1,"b":9007199254740993}]`))
	require.NoError(t, err)
	for _, c := range wirekit.Registry().Codecs() {
		var text bytes.Buffer
		if wire.MarshalWrite(&text, c, v) != nil {
			continue // goon.Codec and others of other shapes
		}
		name := c.Info().Name
		for o, want := range map[wire.Options][2]any{
			{}:                 {1.0, json.Number("9007199254740993")},
			{UseFloat64: true}: {1.0, 9007199254740992.0},
			{UseNumber: true}:  {json.Number("1"), json.Number("9007199254740993")},
		} {
			var got any
			require.NoError(t, o.Unmarshal(c, text.Bytes(), &got), name)
			require.Equal(t, any([]any{map[string]any{"a": want[0], "b": want[1]}}), got, "%s, %+v", name, o)
		}
		var rows []struct{ A, B int64 }
		require.NoError(t, wire.UnmarshalRead(c, &text, &rows), name)
		require.Equal(t, []struct{ A, B int64 }{{1, 9007199254740993}}, rows, name)
	}
}
