package glyph

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestTablesShareColumns: tables of the same columns have one list of keys, also where
// tables of others are between them.
func TestTablesShareColumns(t *testing.T) {
	for _, distinct := range []int{1, 2, 4, 5, 20} {
		var tables []string
		for i := range 40 {
			var row []string
			for k := range 1 + i%distinct {
				row = append(row, fmt.Sprintf(`"c%d":%d`, k, i))
			}
			rows := "{" + strings.Join(row, ",") + `,"e":""},{` + strings.Join(row, ",") + `,"e":"x"}`
			tables = append(tables, fmt.Sprintf(`"t%d":[%s,%s]`, i, rows, rows))
		}
		want := codectest.JSON(t, "{"+strings.Join(tables, ",")+"}")
		text := codectest.Encoded(t, Codec{}, want)
		require.Equal(t, 40, bytes.Count(text, []byte("@tab")))
		check := func(got wire.Value) error {
			require.True(t, wire.Identical(want, got))
			lists := map[*wire.Keys]bool{}
			for _, table := range got.Members() {
				lists[table.Index(0).Keys()] = true
			}
			require.Len(t, lists, distinct)
			return nil
		}
		require.NoError(t, check(codectest.Decoded(t, Codec{}, text)))
		require.NoError(t, wire.View(Codec{}, text, check))
	}
}
