package streams

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// row makes a record of scalars that every format with records takes.
func row(t *testing.T, id int64, name string) wire.Value {
	t.Helper()
	v, err := wire.Object(wire.Member{Key: "id", Value: wire.String(fmt.Sprint("r", id))}, wire.Member{Key: "name", Value: wire.String(name)})
	require.NoError(t, err)
	return v
}

// deep makes a record that nests deeper than any limit.
func deep(t *testing.T) wire.Value {
	t.Helper()
	v := wire.Array()
	for range 2000 {
		v = wire.Array(wire.String("x"), v)
	}
	record, err := wire.Object(wire.Member{Key: "id", Value: wire.String("r")}, wire.Member{Key: "name", Value: v})
	require.NoError(t, err)
	return record
}

// stream writes records with a record writer, of which the bad ones are refused, and
// returns the text.
func stream(t *testing.T, c wire.Streamer, keys *wire.Keys, records ...wire.Value) string {
	t.Helper()
	var out bytes.Buffer
	w, err := c.NewRecordWriter(&out, keys)
	require.NoError(t, err)
	good := 0
	for _, record := range records {
		if w.Write(record) == nil {
			good++
		}
	}
	require.NoError(t, w.Close())
	require.Equal(t, good, w.Written())
	return out.String()
}

// counted reports whether the format has nothing to write before it knows all records.
func counted(c wire.Streamer) bool { return c.Info().Name == "toon" }

// TestRecordWriterPassesOver: a record that cannot be written leaves no trace, wherever
// it is, and those before it are written when its error is returned.
func TestRecordWriterPassesOver(t *testing.T) {
	one, two, three := row(t, 1, "ada"), row(t, 2, "bob"), row(t, 3, "cy")
	keys := one.Keys()
	for _, c := range streamers(t) {
		t.Run(c.Info().FullName(), func(t *testing.T) {
			want := stream(t, c, keys, one, two, three)
			for name, bad := range map[string]wire.Value{"no UTF-8": row(t, 9, "x\xff"), "too deep": deep(t)} {
				for at := range 4 {
					records := []wire.Value{one, two, three}
					records = append(records[:at:at], append([]wire.Value{bad, bad}, records[at:]...)...)
					require.Equal(t, want, stream(t, c, keys, records...), "%s at %d", name, at)
				}
				var out bytes.Buffer
				w, err := c.NewRecordWriter(&out, keys)
				require.NoError(t, err)
				require.NoError(t, w.Write(one))
				require.NoError(t, w.Write(two))
				require.Error(t, w.Write(bad), name)
				if !counted(c) {
					require.Equal(t, 2, w.Written())
					require.True(t, strings.HasPrefix(want, out.String()), "%q is no beginning of %q", out.String(), want)
					require.Len(t, before(c, out.Bytes()), 2)
				}
				require.NoError(t, w.Write(three))
				require.NoError(t, w.Close())
				require.Equal(t, want, out.String())
			}
		})
	}
}

// before returns the records of a stream that was cut off.
func before(c wire.Streamer, text []byte) (records []wire.Value) {
	for record, err := range c.Records(bytes.NewReader(text)) {
		if err != nil {
			break
		}
		records = append(records, record)
	}
	return records
}

// TestRecordWriterShapes: a bad record of another shape changes nothing for those that
// follow, though it would have made another form of a list, or the columns.
func TestRecordWriterShapes(t *testing.T) {
	for _, c := range streamers(t) {
		var out bytes.Buffer
		w, err := c.NewRecordWriter(&out, nil)
		if err != nil {
			continue // it wants columns
		}
		records := []wire.Value{row(t, 1, "ada"), row(t, 2, "bob")}
		bad := wire.Array(wire.String("x\xff"), wire.Array(wire.Null()))
		want := stream(t, c, nil, records...)
		require.Error(t, w.Write(bad))
		require.NoError(t, w.Write(records[0]), c.Info().FullName())
		require.Error(t, w.Write(bad))
		require.NoError(t, w.Write(records[1]))
		require.NoError(t, w.Close())
		require.Equal(t, want, out.String(), c.Info().FullName())
	}
}

// TestRecordWriterFlush: what was flushed is there, and no byte of the stream is another.
func TestRecordWriterFlush(t *testing.T) {
	keys := row(t, 1, "").Keys()
	for _, c := range streamers(t) {
		t.Run(c.Info().FullName(), func(t *testing.T) {
			var records []wire.Value
			for i := range 30 {
				records = append(records, row(t, int64(i), strings.Repeat("x", i*i)))
			}
			var out bytes.Buffer
			w, err := c.NewRecordWriter(&out, keys)
			require.NoError(t, err)
			for i, record := range records {
				require.NoError(t, w.Write(record))
				require.NoError(t, w.Flush())
				if counted(c) {
					require.Zero(t, w.Written())
					continue
				}
				require.Equal(t, i+1, w.Written())
				require.GreaterOrEqual(t, len(before(c, out.Bytes())), i, "all but the last, whose end may be what follows it")
			}
			require.NoError(t, w.Close())
			require.Equal(t, stream(t, c, keys, records...), out.String())
		})
	}
}

// linesOf returns records as JSON Lines.
func linesOf(records ...wire.Value) []byte {
	var text []byte
	for _, record := range records {
		text = append(wire.AppendJSON(text, record), '\n')
	}
	return text
}

// oneAndMore are numbers of workers: one alone has no races to detect.
func oneAndMore() []int {
	if resident.RaceEnabled {
		return []int{3}
	}
	return []int{1, 3}
}

// TestTranscoderWritesWhatPrecedes: before any error, all good records are written and
// counted, and nothing else is.
func TestTranscoderWritesWhatPrecedes(t *testing.T) {
	const n = 3000 // of which the first part has some and the others many
	var records []wire.Value
	for i := range n {
		records = append(records, row(t, int64(i), strings.Repeat("word ", i%40)))
	}
	good := linesOf(records...)
	broken := errors.New("the reader is broken")
	endings := map[string]func() io.Reader{
		"bad line":      func() io.Reader { return strings.NewReader("{\"id\":?}\n{\"id\":1}\n") },
		"record":        func() io.Reader { return bytes.NewReader(linesOf(deep(t), records[0])) },
		"broken reader": func() io.Reader { return iotest.ErrReader(broken) },
	}
	for _, to := range streamers(t) {
		t.Run(to.Info().FullName(), func(t *testing.T) {
			want := stream(t, to, records[0].Keys(), records...)
			for name, ending := range endings {
				for _, workers := range oneAndMore() {
					var out bytes.Buffer
					c := wire.Transcoder{From: jsonl.Codec{Limits: wire.Limits{Depth: 4000}}, To: to, Workers: workers}
					copied, err := c.Transcode(t.Context(), &out, io.MultiReader(bytes.NewReader(good), ending()))
					var bad *lineio.RecordError
					require.ErrorAs(t, err, &bad, name)
					require.Equal(t, n+1, bad.Record)
					require.Equal(t, n, copied)
					require.Len(t, before(to, out.Bytes()), n, "%s, %d workers", name, workers)
					require.True(t, strings.HasPrefix(want, out.String()), "%s, %d workers", name, workers)
				}
			}
		})
	}
}

// flushed returns the stream of records, and where they end in it.
func flushed(t *testing.T, c wire.Streamer, records []wire.Value) (text string, ends []int) {
	t.Helper()
	var out bytes.Buffer
	w, err := c.NewRecordWriter(&out, records[0].Keys())
	require.NoError(t, err)
	for _, record := range records {
		require.NoError(t, w.Write(record))
		require.NoError(t, w.Flush())
		ends = append(ends, out.Len())
	}
	require.NoError(t, w.Close())
	return out.String(), ends
}

// TestTranscoderFull: with a writer that takes so many bytes and no more, the records that
// it took whole count, whoever made them.
func TestTranscoderFull(t *testing.T) {
	var records []wire.Value
	for i := range 2000 {
		records = append(records, row(t, int64(i), strings.Repeat("line\n", i%9)))
	}
	text := linesOf(records...)
	for _, to := range streamers(t) {
		t.Run(to.Info().FullName(), func(t *testing.T) {
			want, ends := flushed(t, to, records)
			for _, limit := range []int{1, 100, 20_000, len(want) / 2, len(want) - 40} {
				whole := 0
				for _, end := range ends {
					if end <= limit {
						whole++
					}
				}
				for _, workers := range oneAndMore() {
					out := faulty.Writer{Limit: limit}
					c := wire.Transcoder{From: jsonl.Codec{}, To: to, Workers: workers}
					copied, err := c.Transcode(t.Context(), &out, bytes.NewReader(text))
					require.ErrorIs(t, err, faulty.ErrFull)
					var bad *lineio.RecordError
					require.ErrorAs(t, err, &bad)
					if counted(to) {
						whole = len(before(to, []byte(out.String())))
						require.InDelta(t, whole, copied, 1, "a last row that was cut may look whole")
						continue
					}
					require.Equal(t, whole, copied, "%d bytes, %d workers", limit, workers)
					require.Equal(t, whole+1, bad.Record)
					require.Equal(t, want[:limit], out.String())
				}
			}
		})
	}
}

// A live reader gives a record, and the next one when that has been written.
type live struct {
	lines   [][]byte
	ends    []int // of the records in what is written
	written *atomic.Int64
	n       int
}

func (r *live) Read(p []byte) (int, error) {
	if r.n > 0 {
		for end := time.Now().Add(time.Minute); r.written.Load() < int64(r.ends[r.n-1]); time.Sleep(100 * time.Microsecond) {
			if time.Now().After(end) {
				return 0, fmt.Errorf("record %d was not written before the next was asked for", r.n)
			}
		}
	}
	if r.n == len(r.lines) {
		return 0, io.EOF
	}
	r.n++
	return copy(p, r.lines[r.n-1]), nil
}

type lengthOf struct{ atomic.Int64 }

func (l *lengthOf) Write(p []byte) (int, error) { l.Add(int64(len(p))); return len(p), nil }

// TestTranscoderLive: a record leaves before the next one comes.
func TestTranscoderLive(t *testing.T) {
	var records []wire.Value
	for i := range 40 {
		records = append(records, row(t, int64(i), "some words"))
	}
	lines := bytes.SplitAfter(linesOf(records...), []byte("\n"))[:len(records)]
	for _, to := range streamers(t) {
		if counted(to) {
			continue
		}
		_, ends := flushed(t, to, records)
		for _, workers := range []int{1, 3} {
			var out lengthOf
			c := wire.Transcoder{From: jsonl.Codec{}, To: to, Workers: workers}
			n, err := c.Transcode(t.Context(), &out, &live{lines: lines, ends: ends, written: &out.Int64})
			require.NoError(t, err, "%s, %d workers", to.Info().FullName(), workers)
			require.Equal(t, len(records), n)
		}
	}
}
