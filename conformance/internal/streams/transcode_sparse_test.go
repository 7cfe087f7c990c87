package streams

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// tableStreams are the formats whose streams have a column for each member of the
// first record.
var tableStreams = []string{"gcf", "gcx", "gcx:plain", "glyph", "glyph:canonical"}

// manyColumns returns a record with n members as a line of JSON.
func manyColumns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",\"k%d\":1", i)
	}
	return "{" + b.String()[1:] + "}\n"
}

// TestSparseStreams: records that have hardly a member do not become the square of
// their text, and are refused in the same place by one worker and by several.
func TestSparseStreams(t *testing.T) {
	text := manyColumns(3000) + strings.Repeat("{\"k1\":1}\n{}\n", 15_000)
	names := tableStreams
	if resident.RaceEnabled {
		names = names[:1] // the goroutines are the same for all
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c, err := wirekit.Lookup(name)
			require.NoError(t, err)
			var texts [2]bytes.Buffer
			var errs [2]error
			var records [2]int
			for i, workers := range []int{1, 3} {
				copier := wire.Transcoder{From: jsonl.Codec{}, To: c.(wire.Streamer), Workers: workers}
				records[i], errs[i] = copier.Transcode(t.Context(), &texts[i], strings.NewReader(text))
				require.ErrorIs(t, errs[i], wire.ErrLimit)
				var e *wire.Error
				require.True(t, errors.As(errs[i], &e))
				require.Equal(t, "sparse_table", e.Code)
				require.Contains(t, errs[i].Error(), "Limits.OutputBytes")
				require.Less(t, texts[i].Len(), 24<<20)
			}
			require.Equal(t, errs[0].Error(), errs[1].Error())
			require.Equal(t, records[0], records[1])
			require.True(t, bytes.Equal(texts[0].Bytes(), texts[1].Bytes()))

			if testing.Short() {
				return // what follows is long
			}
			raised := wire.WithLimits(c, wire.Limits{OutputBytes: 1 << 30}).(wire.Streamer)
			copier := wire.Transcoder{From: jsonl.Codec{}, To: raised}
			_, err = copier.Transcode(t.Context(), io.Discard, strings.NewReader(text))
			require.NoError(t, err)
		})
	}
}

// TestOrdinaryStreams: rows that lack nineteen of twenty members, and empty ones of
// a table that is not wide, are written whatever the length of the stream.
func TestOrdinaryStreams(t *testing.T) {
	rows := trials.Of(12_000)
	some := manyColumns(2000)
	var sparse strings.Builder
	sparse.WriteString("{")
	for i := 0; i < 2000; i += 20 {
		fmt.Fprintf(&sparse, "\"k%d\":0,", i)
	}
	lack := strings.TrimSuffix(sparse.String(), ",") + "}\n"
	for shape, text := range map[string]string{
		"lacking": some + strings.Repeat(lack, rows),
		"narrow":  manyColumns(60) + strings.Repeat("{}\n", trials.Of(400_000)),
	} {
		for _, name := range tableStreams {
			c, err := wirekit.Lookup(name)
			require.NoError(t, err)
			copier := wire.Transcoder{From: jsonl.Codec{}, To: c.(wire.Streamer)}
			_, err = copier.Transcode(t.Context(), io.Discard, strings.NewReader(text))
			require.NoError(t, err, "%s %s", shape, name)
		}
	}
}
