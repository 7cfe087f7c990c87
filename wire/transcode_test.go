package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// manyLines returns n records of JSON Lines.
func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":%d,\"text\":\"some words of record %d\"}\n", i, i)
	}
	return b.String()
}

// patience is more than anything here takes on a busy machine.
const patience = time.Minute

// settled waits until there are no more goroutines than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "goroutines are left")
	}
}

// TestTranscoderErrorInOrder: the first error of the stream is the copy's, whoever
// meets another one earlier, and the records before it count.
func TestTranscoderErrorInOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	text := manyLines(20_000)
	at := len(text) / 3
	at += strings.IndexByte(text[at:], '\n') + 1
	good := strings.Count(text[:at], "\n")
	text = text[:at] + "{\"id\":?}\n" + text[at:] + "oops\n" + strings.Repeat("nonsense\n", 10_000)
	for range 5 {
		c := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}, Workers: 4}
		n, err := c.Transcode(t.Context(), io.Discard, strings.NewReader(text))
		var record *lineio.RecordError
		require.ErrorAs(t, err, &record)
		require.Equal(t, good+1, record.Record)
		e := codectest.Error(t, err)
		require.Equal(t, good+1, e.Line)
		require.Equal(t, at+len("{\"id\":"), e.Offset)
		require.Equal(t, good, n)
		settled(t, before)
	}
}

// endless gives one line again and again, and waits for ever after so many bytes.
type endless struct {
	line string
	most int
	at   int // in the line
	n    atomic.Int64
	wait chan struct{}
}

func (r *endless) Read(p []byte) (int, error) {
	if r.most > 0 && int(r.n.Load()) >= r.most {
		<-r.wait
		return 0, io.EOF
	}
	for n := 0; n < len(p); {
		copied := copy(p[n:], r.line[r.at:])
		n += copied
		r.at = (r.at + copied) % len(r.line)
	}
	r.n.Add(int64(len(p)))
	return len(p), nil
}

// TestTranscoderBrokenPipe: when the writer fails, the copy ends at once, also while
// the reader waits, and leaves no goroutine behind but the one that waits.
func TestTranscoderBrokenPipe(t *testing.T) {
	before := runtime.NumGoroutine()
	line := "{\"a\":\"" + strings.Repeat("x", 90) + "\"}\n"
	c := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}, Workers: 4}
	_, err := c.Transcode(t.Context(), &faulty.Writer{Limit: 5 << 20}, &endless{line: line})
	require.ErrorIs(t, err, faulty.ErrFull)
	settled(t, before)

	r := &endless{line: line, most: 3 << 20, wait: make(chan struct{})}
	_, err = c.Transcode(t.Context(), &faulty.Writer{Limit: 1 << 20}, r)
	require.ErrorIs(t, err, faulty.ErrFull)
	close(r.wait)
	settled(t, before)
}

// TestTranscoderBounded: how far reading is ahead of a writer that takes nothing does
// not depend on the length of the stream.
func TestTranscoderBounded(t *testing.T) {
	const workers = 4
	t.Run("short records", func(t *testing.T) { bounded(t, workers, 90, (2*workers+4)*(256<<10)) })
	t.Run("long records", func(t *testing.T) { bounded(t, workers, 3<<20, 4*(3<<20)) })
}

// bounded holds what is read of a stream of records of that length, when the writer
// takes none of them, to a bound.
func bounded(t *testing.T, workers, length int, bound int64) {
	line := "{\"a\":\"" + strings.Repeat("x", length) + "\"}\n"
	r := &endless{line: line}
	w, pipe := io.Pipe()
	done := make(chan error, 1)
	c := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}, Workers: workers}
	go func() {
		_, err := c.Transcode(t.Context(), pipe, r)
		done <- err
	}()
	last := int64(-1)
	require.Eventually(t, func() bool {
		now := r.n.Load()
		still := now == last && now > 0
		last = now
		return still
	}, patience, 50*time.Millisecond)
	require.Less(t, last, bound)
	require.NoError(t, w.CloseWithError(faulty.ErrFull))
	require.ErrorIs(t, <-done, faulty.ErrFull)
}

// TestTranscoderCheck: records that a check refuses end the copy in their place.
func TestTranscoderCheck(t *testing.T) {
	refused := errors.New("refused")
	text := manyLines(9_000) + "{\"id\":1,\"more\":2}\n" + manyLines(9_000)
	c := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}, Workers: 3}
	var n atomic.Int64
	err := wire.Internal.Transcode(t.Context(), c, io.Discard, strings.NewReader(text), &n, func(record, header *wire.Keys) error {
		if !wire.Internal.Same(record, header) {
			return refused
		}
		return nil
	})
	require.ErrorIs(t, err, refused)
	require.EqualValues(t, 9_000, n.Load())
}

// panicking is JSON Lines whose writer panics at a record, also in its forks.
type panicking struct{ jsonl.Codec }

type panicker struct{ records.ForkingWriter }

func (c panicking) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	inner, err := c.Codec.NewRecordWriter(w, keys)
	return panicker{inner.(records.ForkingWriter)}, err
}

func (p panicker) Write(record wire.Value) error {
	if record.Len() == 1 {
		panic("one member")
	}
	return p.ForkingWriter.Write(record)
}

func (p panicker) Fork() records.Appender { return panickingFork{p.ForkingWriter.Fork()} }

type panickingFork struct{ records.Appender }

func (p panickingFork) AppendRecord(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	if record.Len() == 1 {
		panic("one member")
	}
	return p.Appender.AppendRecord(dst, record, before)
}

// ending is a reader that ends the goroutine after a text.
type ending struct {
	io.Reader
	end func()
}

func (e ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if n == 0 && err == io.EOF {
		e.end()
	}
	return n, err
}

// splitting is JSON Lines whose parts end the goroutine after some of them.
type splitting struct {
	jsonl.Codec
	end func()
}

type endingParts struct {
	records.Parts
	n   int
	end func()
}

func (s splitting) Internal() any {
	return describe.Type[splitting](describe.Codec{Parts: s})
}

func (s splitting) Split(_ wire.Codec, r io.Reader) records.Parts {
	return &endingParts{describe.Of(s.Codec).Parts.Split(s.Codec, r), 6, s.end}
}

func (p *endingParts) Next(buf []byte) (lineio.Part, error) {
	if p.n--; p.n == 0 {
		p.end()
	}
	return p.Parts.Next(buf)
}

// ended runs a copy in a goroutine and returns how that ended: with the value of a
// panic, or "exit".
func ended(t *testing.T, copy func() error) any {
	t.Helper()
	how := make(chan any, 1)
	go func() {
		returned := false
		defer func() {
			if p := recover(); p != nil {
				how <- p
			} else if !returned {
				how <- "exit"
			}
		}()
		err := copy()
		returned = true
		how <- fmt.Sprint("returned ", err)
	}()
	select {
	case end := <-how:
		return end
	case <-time.After(patience):
		require.Fail(t, "the copy hangs")
		return nil
	}
}

// TestTranscoderEnds: a panic or Goexit in a reader, a Splitter, or a check is the
// caller's, whatever the number of workers; what precedes it is written, and no
// goroutine is left.
func TestTranscoderEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	text := manyLines(20_000)
	for how, end := range map[any]func(){"oops": func() { panic("oops") }, "exit": runtime.Goexit} {
		for _, workers := range []int{1, 2, 5} {
			var out strings.Builder
			var n atomic.Int64
			transcode := func(from wire.Streamer, r io.Reader, check func(record, header *wire.Keys) error) {
				out.Reset()
				n.Store(0)
				c := wire.Transcoder{From: from, To: jsonl.Codec{}, Workers: workers}
				require.Equal(t, how, ended(t, func() error { return wire.Internal.Transcode(t.Context(), c, &out, r, &n, check) }))
			}
			transcode(jsonl.Codec{}, ending{strings.NewReader(text), end}, nil)
			require.Equal(t, text, out.String(), "%d workers", workers)

			odd := strings.Repeat("{\"more\":1}\n", 50_000)
			transcode(jsonl.Codec{}, strings.NewReader(text+odd), func(record, header *wire.Keys) error {
				if !wire.Internal.Same(record, header) {
					end()
				}
				return nil
			})
			require.EqualValues(t, 20_000, n.Load())
			settled(t, before)
			if workers == 1 {
				continue // which splits nothing
			}
			transcode(splitting{end: end}, strings.NewReader(text), nil)
			require.True(t, strings.HasPrefix(text, out.String()) && int(n.Load()) == strings.Count(out.String(), "\n"), "%d workers", workers)
			settled(t, before)
		}
	}
}

// TestTranscoderExits: Goexit on the goroutines of all workers, but not on the caller's,
// leaves the copy to that.
func TestTranscoderExits(t *testing.T) {
	before := runtime.NumGoroutine()
	text := manyLines(20_000) + strings.Repeat("{\"more\":1}\n{\"id\":1}\n", 50_000)
	c := wire.Transcoder{From: jsonl.Codec{}, To: exiting{}, Workers: 3}
	var out strings.Builder
	_, err := c.Transcode(t.Context(), &out, strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, text, out.String())
	settled(t, before)
}

// exiting is JSON Lines whose forks end their goroutines.
type exiting struct{ jsonl.Codec }

type exiter struct{ records.ForkingWriter }

func (c exiting) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	inner, err := c.Codec.NewRecordWriter(w, keys)
	return exiter{inner.(records.ForkingWriter)}, err
}

func (e exiter) Fork() records.Appender { return exitingFork{} }

type exitingFork struct{}

func (exitingFork) AppendRecord([]byte, wire.Value, int) ([]byte, bool, error) {
	runtime.Goexit()
	return nil, false, nil
}

// TestTranscoderPanics: what panics does so on the caller's goroutine.
func TestTranscoderPanics(t *testing.T) {
	before := runtime.NumGoroutine()
	c := wire.Transcoder{From: jsonl.Codec{}, To: panicking{}, Workers: 3}
	text := manyLines(20_000) + "{\"a\":1}\n" + manyLines(20_000)
	require.PanicsWithValue(t, "one member", func() { _, _ = c.Transcode(t.Context(), io.Discard, strings.NewReader(text)) })
	settled(t, before)
}

// TestTranscoderContext: a stream without an end is copied up to the record at which the
// context ends, by any number of workers.
func TestTranscoderContext(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		c := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}, Workers: workers}
		var out bytes.Buffer
		in := &counting{Reader: &endless{line: manyLines(100)}, at: 20, do: cancel}
		n, err := c.Transcode(ctx, &out, in)
		require.ErrorIs(t, err, context.Canceled)
		var at *lineio.RecordError
		require.ErrorAs(t, err, &at)
		require.Equal(t, at.Record, n+1)
		require.Equal(t, n, bytes.Count(out.Bytes(), []byte{'\n'}), "whole records only")
		require.NotZero(t, n)
	}
}

// counting is a reader that does something at a call of Read.
type counting struct {
	io.Reader
	at int
	do func()
}

func (c *counting) Read(p []byte) (int, error) {
	if c.at--; c.at == 0 {
		c.do()
	}
	return c.Reader.Read(p)
}

func ExampleTranscoder() {
	in := strings.NewReader("{\"id\":1,\"name\":\"ada\"}\n{\"id\":2,\"name\":\"bob\"}\n")
	var out bytes.Buffer
	c := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}}
	n, err := c.Transcode(context.Background(), &out, in)
	fmt.Print(out.String(), n, err)
	// Output:
	// {"id":1,"name":"ada"}
	// {"id":2,"name":"bob"}
	// 2 <nil>
}
