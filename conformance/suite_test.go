package conformance_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestSpan is the test of the example's codec.
func TestSpan(t *testing.T) {
	conformance.Suite{
		Codec:      Span{},
		WithLimits: func(l wire.Limits) wire.Codec { return Span{Limits: l} },
		Documents:  [][]byte{[]byte("[0:{}~]")},
	}.Run(t)
}

// leaving is a streamer that writes null for what it refuses.
type leaving struct{ wire.JSON }

type leavingWriter struct{ wire.RecordWriter }

func (c leaving) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	out, err := c.JSON.NewRecordWriter(w, keys)
	return leavingWriter{out}, err
}

func (w leavingWriter) Write(record wire.Value) error {
	err := w.RecordWriter.Write(record)
	if err != nil {
		_ = w.RecordWriter.Write(wire.Null())
	}
	return err
}

// silent is a streamer that says nothing of an end that comes too early.
type silent struct{ wire.JSON }

func (c silent) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		for v, err := range c.JSON.Records(r) {
			if errors.Is(err, wire.ErrTruncated) || !yield(v, err) {
				return
			}
		}
	}
}

// losing is a streamer that forgets its last record.
type losing struct{ Span }

type losingWriter struct {
	w    io.Writer
	last []byte
}

func (losing) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return &losingWriter{w: w}, nil
}

func (w *losingWriter) Write(record wire.Value) (err error) {
	if _, err = w.w.Write(w.last); err == nil {
		w.last, err = Span{}.AppendEncode(w.last[:0], record)
		w.last = append(w.last, '\n')
	}
	return err
}

func (w *losingWriter) Flush() error { return nil }

func (w *losingWriter) Written() int { return 0 }

func (w *losingWriter) Close() error { return nil }

func (losing) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		src, err := io.ReadAll(r)
		for line := range bytes.Lines(src) {
			v, err := Span{}.Decode(bytes.TrimSuffix(line, []byte("\n")))
			if !yield(v, err) || err != nil {
				return
			}
		}
		if err != nil {
			yield(wire.Null(), err)
		}
	}
}

var (
	busy  atomic.Int32
	idled atomic.Uint32 // what takes time
)

// suiteFaults are codecs with faults that only a whole suite finds, and what
// it says of them.
var suiteFaults = map[string]struct {
	suite conformance.Suite
	says  []string
}{
	"name": {
		conformance.Suite{Codec: faulty{info: func(i wire.Info) wire.Info { i.Name = "My format"; return i }}},
		[]string{`Name "My format" must be a word in lower case`},
	},
	"panic on damage": {
		conformance.Suite{Codec: faulty{decode: func(src []byte) (wire.Value, error) {
			if bytes.HasSuffix(src, []byte("[")) {
				panic("nothing follows")
			}
			return Span{}.Decode(src)
		}}},
		[]string{"cut document: Decode and Sniff must not panic: nothing follows"},
	},
	"quadratic": {
		conformance.Suite{Codec: faulty{decode: func(src []byte) (wire.Value, error) {
			if bytes.HasPrefix(src, []byte("{{")) {
				var sum uint32
				for i := range uint32(len(src)) * uint32(len(src)) {
					sum += i / (1 + sum>>31)
				}
				idled.Store(sum)
			}
			return Span{}.Decode(src)
		}}},
		[]string{`and many "{": Decode must take linear time`},
	},
	"no limit of depth": {
		conformance.Suite{Codec: faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			out, err := Span{}.AppendEncode(dst, v)
			if errors.Is(err, wire.ErrLimit) {
				return append(dst, '~'), nil
			}
			return out, err
		}}},
		[]string{"10001 arrays: a value of more than 10,000 levels must be refused"},
	},
	"indentation without a limit of depth": {
		conformance.Suite{Codec: faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			out, err := Span{}.AppendEncode(dst, v)
			if errors.Is(err, wire.ErrLimit) {
				out = append(dst, '~')
			} else if err != nil {
				return dst, err
			}
			levels := 0
			for ; v.Kind() >= wire.KindArray && v.Len() > 0; levels++ {
				v = v.Index(0)
			}
			return append(out, bytes.Repeat([]byte(" "), 4*levels*levels)...), nil
		}, decode: func(src []byte) (wire.Value, error) { return Span{}.Decode(bytes.TrimRight(src, " ")) }}},
		[]string{"10001 arrays: a value of more than 10,000 levels must be refused: 2000 levels were written", "which was not tried"},
	},
	"documents without a limit of depth": {
		conformance.Suite{Codec: faulty{decode: func(src []byte) (wire.Value, error) {
			v, err := Span{}.Decode(src)
			if levels := bytes.Count(src, []byte("[")); err != nil && levels > bound.MostDepth {
				for v = wire.Int(1); levels > 0; levels-- {
					v = wire.Array(v)
				}
				return v, nil
			}
			return v, err
		}}},
		[]string{`[": a document of more than 10,000 levels must be refused`},
	},
	"shared state": {
		conformance.Suite{Codec: faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			defer busy.Add(-1)
			if busy.Add(1) > 1 {
				return append(dst, '~'), nil
			}
			runtime.Gosched()
			return Span{}.AppendEncode(dst, v)
		}}},
		[]string{"with other goroutines at work:"},
	},
	"lost record": {
		conformance.Suite{Codec: losing{}},
		[]string{"a codec must read the records it wrote: reader \"whole\": 3 of 4 records"},
	},
	"record that leaves something": {
		conformance.Suite{Codec: leaving{}},
		[]string{"a record that cannot be written leaves nothing"},
	},
	"cut that is not told": {
		conformance.Suite{Codec: silent{}},
		[]string{"a cut stream is told"},
	},
	"no limits": {
		conformance.Suite{Codec: Span{}, WithLimits: func(wire.Limits) wire.Codec { return Span{} }},
		[]string{
			"encoding must honour Limits.OutputBytes", "decoding must honour Limits.InputBytes", "decoding must honour Limits.Values",
			"encoding must honour Limits.Depth", "decoding must honour Limits.Depth",
		},
	},
	"limits too low": {
		conformance.Suite{Codec: Span{}, WithLimits: func(l wire.Limits) wire.Codec {
			return Span{Limits: wire.Limits{OutputBytes: l.OutputBytes / 2, InputBytes: l.InputBytes / 2, Values: l.Values / 4, Depth: l.Depth / 2}}
		}},
		[]string{
			"encoding must not fail below Limits.OutputBytes", "decoding must not fail below Limits.InputBytes", "decoding must not fail below Limits.Values",
			"encoding must not fail below Limits.Depth", "decoding must not fail below Limits.Depth",
		},
	},
}

const faultVariable = "WIREKIT_CONFORMANCE_FAULT"

// TestSuiteFindsFaults runs the suite on faulty codecs, each in a process of
// its own, since it is meant to fail.
func TestSuiteFindsFaults(t *testing.T) {
	trials.OneGoroutine(t)
	if fault := os.Getenv(faultVariable); fault != "" {
		suite := suiteFaults[fault].suite
		suite.Values = 20
		for _, c := range conformance.Corpora() {
			if c.Name == "scalars" || c.Name == "objects" || c.Name == "tables" || c.Name == "answers" {
				suite.Corpora = append(suite.Corpora, c)
			}
		}
		suite.Run(t)
		return
	}
	if testing.Short() {
		t.Skip("runs without -short: it runs the whole suite for each fault")
	}
	for fault, want := range suiteFaults {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(os.Args[0], "-test.run=^TestSuiteFindsFaults$", "-test.short")
			c.Env = append(os.Environ(), faultVariable+"="+fault)
			out, err := c.CombinedOutput()
			require.Error(t, err)
			for _, s := range want.says {
				require.Contains(t, string(out), s)
			}
		})
	}
}
