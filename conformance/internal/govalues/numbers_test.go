// Package govalues holds what Go values of all formats have in common.
package govalues

import (
	"bytes"
	"encoding/json"
	"math"
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

// TestWholeNumbers: a whole number goes into integers in every spelling, in the same way
// with a Value and without.
func TestWholeNumbers(t *testing.T) {
	type row struct {
		A int64
		B uint64
		C int8
	}
	rows := []row{{424242, 7, 1}, {-424242, 7, 2}, {424242, 7, 3}}
	for _, name := range []string{"json", "jsonl", "csv", "md", "yaml", "gcf", "gcx", "glyph", "toon"} {
		c, err := wirekit.Lookup(name)
		require.NoError(t, err)
		plain, err := wire.Marshal(c, rows)
		require.NoError(t, err)
		for _, spelled := range []struct {
			text string
			want row
		}{
			{"-424242.0", row{-424242, 7, 2}}, {"-4.24242e5", row{-424242, 7, 2}}, {"1E3", row{1000, 7, 2}},
			{"-0.0", row{0, 7, 2}}, {"9223372036854775807", row{math.MaxInt64, 7, 2}}, {"1.5", row{}}, {"9223372036854775808", row{}},
		} {
			text := bytes.Replace(plain, []byte("-424242"), []byte(spelled.text), 1)
			var direct []row
			through := make([]row, 1, 3) // is not empty: not by the direct path
			err := wire.Unmarshal(c, text, &direct)
			require.Equal(t, wire.Unmarshal(c, text, &through), err, "%s", text)
			if spelled.want == (row{}) {
				require.Error(t, err, "%s", text)
				continue
			}
			require.NoError(t, err, "%s", text)
			require.Equal(t, []row{rows[0], spelled.want, rows[2]}, direct, "%s", text)
			require.Equal(t, direct, through)
		}
		rows[1].B = math.MaxUint64
		if text, err := wire.Marshal(c, rows); err == nil { // GCF has numbers of 63 bits
			var direct []row
			require.NoError(t, wire.Unmarshal(c, text, &direct), name)
			require.Equal(t, rows, direct, name)
		}
		rows[1].B = 7
	}
}
