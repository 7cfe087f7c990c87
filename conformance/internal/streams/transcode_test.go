package streams

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// streamers returns every format with records, in every configuration.
func streamers(t *testing.T) []wire.Streamer {
	t.Helper()
	var all []wire.Streamer
	for _, c := range describe.All(wirekit.Registry()) {
		if s, ok := c.(wire.Streamer); ok {
			all = append(all, s)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// A randomRecords makes the records of a stream.
type randomRecords struct{ *rand.Rand }

func (r randomRecords) text() string {
	const letters = "ab 1.-_|,\"\n\\@#~^=:\tü"
	var b strings.Builder
	for range r.IntN(9) {
		b.WriteString(string([]rune(letters)[r.IntN(len([]rune(letters)))]))
	}
	return b.String()
}

func (r randomRecords) value(depth int) wire.Value {
	switch n := r.IntN(9); {
	case n == 0:
		return wire.Value{}
	case n == 1:
		return wire.Bool(true)
	case n < 5:
		return wire.Int(int64(r.IntN(2000) - 1000))
	case n < 7 || depth == 0:
		return wire.String(r.text())
	case n == 7:
		list := make([]wire.Value, r.IntN(3))
		for i := range list {
			list[i] = r.value(depth - 1)
		}
		return wire.Array(list...)
	}
	return r.object([]string{"x", "y", "long name"}, depth-1, true)
}

// object makes an object of some of the names, or of all.
func (r randomRecords) object(names []string, depth int, some bool) wire.Value {
	var members []wire.Member
	for _, name := range names {
		if !some || r.IntN(4) > 0 {
			members = append(members, wire.Member{Key: name, Value: r.value(depth)})
		}
	}
	v, err := wire.Object(members...)
	if err != nil {
		panic(err)
	}
	return v
}

// records makes records of one kind: flat rows, rows that lack members, nested
// ones, or values of any kind.
func (r randomRecords) records(n int) []wire.Value {
	names := []string{"id", "name", "c", "note"}
	kind := r.IntN(5)
	records := make([]wire.Value, n)
	for i := range records {
		switch kind {
		case 0, 1:
			records[i] = r.object(names, 0, false)
		case 2:
			records[i] = r.object(names, 0, i > 0)
		case 3:
			records[i] = r.object(names, 2, r.IntN(9) == 0)
		default:
			records[i] = r.value(2)
		}
	}
	return records
}

// stream encodes records as one document, which is not what a writer of records
// writes, or with such a writer. It returns nil if the format refuses them.
func (r randomRecords) stream(c wire.Streamer, records []wire.Value) []byte {
	if r.IntN(2) == 0 {
		out, err := c.AppendEncode(nil, wire.Array(records...))
		if err == nil {
			return out
		}
	}
	var out bytes.Buffer
	var keys *wire.Keys
	if len(records) > 0 && records[0].Kind() == wire.KindObject {
		keys = records[0].Keys()
	}
	w, err := c.NewRecordWriter(&out, keys)
	if err != nil {
		return nil
	}
	for _, record := range records {
		if w.Write(record) != nil {
			return nil
		}
	}
	if w.Close() != nil {
		return nil
	}
	return out.Bytes()
}

// damage changes a few bytes or lines.
func (r randomRecords) damage(text []byte) []byte {
	const bytesOfFormats = "\"\n\n{}[]|,#@.~- \xff\x00:1a"
	text = bytes.Clone(text)
	for range r.IntN(3) {
		if len(text) == 0 {
			break
		}
		i := r.IntN(len(text))
		switch r.IntN(5) {
		case 0:
			text[i] = bytesOfFormats[r.IntN(len(bytesOfFormats))]
		case 1:
			text = append(text[:i:i], append([]byte{bytesOfFormats[r.IntN(len(bytesOfFormats))]}, text[i:]...)...)
		case 2:
			text = append(text[:i:i], text[min(i+1+r.IntN(30), len(text)):]...)
		case 3:
			text = text[:i]
		default: // a line twice, or elsewhere
			lines := bytes.SplitAfter(text, []byte("\n"))
			at := r.IntN(len(lines))
			text = bytes.Join([][]byte{text, lines[at]}, nil)
			if r.IntN(2) == 0 {
				text = bytes.Join([][]byte{bytes.Join(lines[:at], nil), lines[r.IntN(len(lines))], bytes.Join(lines[at:], nil)}, nil)
			}
		}
	}
	return text
}

// copied is the outcome of a copy.
type copied struct {
	records int
	err     string
	cause   wire.Error
	path    string
	text    string
}

func copyOf(from, to wire.Streamer, workers int, r io.Reader) copied {
	var out bytes.Buffer
	c := wire.Transcoder{From: from, To: to, Workers: workers}
	n, err := c.Transcode(context.Background(), &out, r)
	got := copied{records: n, text: out.String()}
	if err != nil {
		got.err = err.Error()
	}
	var e *wire.Error
	if errors.As(err, &e) {
		got.cause = wire.Error{Format: e.Format, Code: e.Code, Kind: e.Kind, Message: e.Message, Hint: e.Hint, Offset: e.Offset, Line: e.Line, Column: e.Column}
		got.path = e.Path()
	}
	return got
}

// TestTranscoderWorkers holds copies by several goroutines to those by one: the same
// bytes, or the same error after as many records, for every pair of formats, from
// readers that give a few bytes a time, so that parts are small.
func TestTranscoderWorkers(t *testing.T) {
	all := streamers(t)
	rounds := trials.Of(300)
	helped := map[string]int{}
	broken := errors.New("the reader is broken")
	for _, from := range all {
		rnd := randomRecords{rand.New(rand.NewPCG(7, uint64(len(from.Info().FullName()))))}
		t.Run(from.Info().FullName(), func(t *testing.T) {
			for i := range rounds {
				text := rnd.stream(from, rnd.records(rnd.IntN(120)))
				if text == nil {
					continue
				}
				if i%2 == 1 {
					text = rnd.damage(text)
				}
				ending := io.EOF
				if rnd.IntN(8) == 0 {
					ending = broken
				}
				to := all[rnd.IntN(len(all))]
				if i%3 == 0 {
					to = all[i/3%len(all)]
				}
				most := 1 + rnd.IntN(400)
				read := func() io.Reader { return faulty.Crumbs(rand.New(rand.NewPCG(1, uint64(i))), text, most, ending) }
				one, many := copyOf(from, to, 1, read()), copyOf(from, to, 3, read())
				what := fmt.Sprintf("round %d, to %s, %d bytes at most\n%q", i, to.Info().FullName(), most, text)
				if one.err == "" {
					helped[from.Info().Name] += one.records
				}
				require.Equal(t, one, many, what)
			}
		})
	}
	for _, from := range all {
		if describe.Of(from).Parts == nil {
			continue
		}
		require.NotZero(t, helped[from.Info().Name], from.Info().Name)
	}
}
