package streams

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// rows makes records of strings in members of some of the names.
func (r randomRecords) rows(names ...string) []wire.Value {
	rows := make([]wire.Value, 1+r.IntN(5))
	for i := range rows {
		members := make([]wire.Member, len(names))
		for k, name := range names {
			members[k] = wire.Member{Key: name, Value: wire.String("s" + r.text())}
		}
		rows[i], _ = wire.Object(members...)
	}
	return rows
}

// written is the stream of records with these keys, and the error of a record.
func written(t *testing.T, c wire.Streamer, keys []string, records []wire.Value) ([]byte, error) {
	t.Helper()
	k, err := wire.NewKeys(keys...)
	require.NoError(t, err)
	var out bytes.Buffer
	w, err := c.NewRecordWriter(&out, k)
	require.NoError(t, err, c.Info().FullName())
	for _, record := range records {
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes(), nil
}

// TestDescribedColumns holds that the columns of a stream are what the codec says they are.
func TestDescribedColumns(t *testing.T) {
	for _, c := range streamers(t) {
		name, columns := c.Info().FullName(), describe.Of(c).Columns
		for seed := range uint64(20) {
			r := randomRecords{rand.New(rand.NewPCG(seed, 1))}
			rows := r.rows("a", "b")
			narrow, err := written(t, c, []string{"a", "b"}, rows)
			require.NoError(t, err, name)
			wide, _ := written(t, c, []string{"a", "b", "c"}, rows)
			require.Equal(t, columns == inplace.NoColumns, bytes.Equal(narrow, wide), "%s\n%s\n%s", name, narrow, wide)
			_, err = written(t, c, []string{"a", "b"}, append(rows, r.rows("a", "b", "other")...))
			require.Equal(t, columns == inplace.FixedColumns, err != nil, "%s: %v", name, err)
		}
	}
}

// TestDescribedCut holds that what Cut cuts off a stream is a record, however much of the
// stream is there, and that the codec reads it alone.
func TestDescribedCut(t *testing.T) {
	cut := map[string]bool{}
	for _, c := range streamers(t) {
		d, name := describe.Of(c), c.Info().FullName()
		if d.Cut == nil {
			continue
		}
		cut[c.Info().Name] = true
		for seed := range uint64(60) {
			r := randomRecords{rand.New(rand.NewPCG(seed, 2))}
			rows := r.rows("a", "b")
			text, err := written(t, c, []string{"a", "b"}, rows)
			require.NoError(t, err, name)
			header := 0
			if d.Columns != inplace.NoColumns {
				header, _ = d.Cut(c, text)
			}
			at := header
			for i, row := range rows {
				n, ended := d.Cut(c, text[at:])
				require.True(t, ended || at+n == len(text), "%s: %q", name, text[at:])
				for end := range text[at:] {
					if n2, ended := d.Cut(c, text[at:at+end]); ended {
						require.Equal(t, n, n2, "%s: %q", name, text[at:at+end])
					} else {
						require.LessOrEqual(t, n2, end, "%s: %q", name, text[at:at+end])
					}
				}
				alone := append(bytes.Clone(text[:header]), text[at:at+n]...)
				k := 0
				for v, err := range c.Records(bytes.NewReader(alone)) {
					require.NoError(t, err, "%s: %q", name, alone)
					require.True(t, wire.Equal(row, v), "%s: record %d, %q: %v", name, i, alone, v)
					k++
				}
				require.Equal(t, 1, k, "%s: %q", name, alone)
				at += n
			}
			require.Equal(t, len(text), at, "%s: %q", name, text)
		}
	}
	require.Equal(t, map[string]bool{"csv": true, "jsonl": true, "yaml": true}, cut)
}

// TestDescribedTypes holds that strings take numbers, and numbers strings, of the formats
// that say so, and of no others.
func TestDescribedTypes(t *testing.T) {
	type texts struct{ A string }
	type numbers struct{ A int }
	for _, c := range describe.All(wirekit.Registry()) {
		d, name := describe.Of(c), c.Info().FullName()
		text, err := wire.Marshal(c, []numbers{{7}})
		if err != nil {
			continue // a format of strings, or of responses
		}
		var s []texts
		require.Equal(t, d.Untyped, wire.Unmarshal(c, text, &s) == nil, name)
		text, err = wire.Marshal(c, []texts{{"7"}})
		require.NoError(t, err, name)
		v, err := c.Decode(text)
		require.NoError(t, err, name)
		if a, _ := v.Index(0).Get("A"); a.Kind() == wire.KindString {
			var n []numbers
			require.Equal(t, d.Cells, wire.Unmarshal(c, text, &n) == nil, name)
		}
	}
}
