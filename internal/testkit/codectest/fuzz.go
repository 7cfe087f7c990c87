// Package codectest holds what tests and benchmarks of formats have in common.
package codectest

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// Fixpoint holds that encoding, decoding and encoding again gives the same text
// and loses no more than the codec declares. It returns the text, nil if the
// codec refuses v with an error of a kind that it may.
func Fixpoint(t testing.TB, c wire.Codec, v wire.Value, may ...error) []byte {
	t.Helper()
	text, err := c.AppendEncode(nil, v)
	if err != nil {
		require.True(t, slices.ContainsFunc(may, func(kind error) bool { return errors.Is(err, kind) }), "%v", err)
		return nil
	}
	back := Decoded(t, c, text)
	loss, path := wire.Difference(v, back)
	require.Zero(t, loss&^c.Info().Loss, "at %s\n%s", path, text)
	require.Equal(t, string(text), string(Encoded(t, c, back)))
	return text
}

// Placed holds that an error, if there is one, is a *wire.Error with a place in
// src.
func Placed(t testing.TB, err error, src []byte) {
	t.Helper()
	var e *wire.Error
	require.True(t, err == nil || errors.As(err, &e) && e.Line > 0 && e.Offset <= len(src), "%#v", err)
}

// Records holds that reading the records of src from a reader that gives half of
// what it is asked for is reading the array that Decode gives. It returns their
// number.
func Records(t testing.TB, c wire.Streamer, src []byte) (n int) {
	t.Helper()
	want, wantErr := c.Decode(src)
	records, err := Collect(t, c.Records(iotest.HalfReader(bytes.NewReader(src))))
	Placed(t, err, src)
	if wantErr == nil && want.Kind() != wire.KindArray {
		require.ErrorIs(t, err, wire.ErrShape, "%v is no array", want)
		return len(records)
	}
	require.Equal(t, wantErr != nil, err != nil, "whole %v, chunked %v", wantErr, err)
	require.True(t, err != nil || wire.Identical(want, wire.Array(records...)), "%v\n%v", want, records)
	return len(records)
}

// NotJSON holds that a codec does not claim JSON text.
func NotJSON(t testing.TB, c interface{ Sniff(src []byte) bool }, src []byte) {
	t.Helper()
	if c.Sniff(src) {
		_, err := wire.ParseJSON(src)
		require.Error(t, err, "%q is JSON", src)
	}
}

// Resident holds the memory of decoding hostile documents of a megabyte, into new and into
// reused memory, to what [resident.Check] allows. documents makes them, by name, about n
// bytes long.
func Resident(t *testing.T, c wire.Codec, documents func(n int) map[string][]byte) {
	var cases []resident.Case
	for name := range documents(100) {
		cases = append(cases, resident.Case{Name: name, Input: func() []byte { return documents(1_000_000)[name] },
			Call: func(src []byte) { _, _ = c.Decode(src) }})
		cases = append(cases, resident.Case{Name: name + ", reused", Input: cases[len(cases)-1].Input,
			Call: func(src []byte) { _ = wire.View(c, src, func(wire.Value) error { return nil }) }})
	}
	resident.Check(t, cases...)
}

// Linear holds the time of decoding hostile documents to be in proportion to their
// length.
func Linear(t *testing.T, c wire.Codec, documents func(n int) map[string][]byte) {
	for name := range documents(100) {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 8<<10, func(n int) func() {
				src := documents(n)[name]
				return func() { _, _ = c.Decode(src) }
			})
		})
	}
}

// Bounded holds that a hostile document is read or refused at once, with memory of at
// most 300 times its length, and that an error is short. What was read it writes by
// the codec write and returns the text, nil where the document was refused.
func Bounded(t *testing.T, read, write wire.Codec, document []byte) []byte {
	t.Helper()
	var v wire.Value
	var err error
	growth.Within(t, 5*time.Second, func() {
		growth.Bytes(t, uint64(300*len(document)+1<<20), func() { v, err = read.Decode(document) })
	})
	if err != nil {
		require.LessOrEqual(t, len(err.Error()), 2000)
		return nil
	}
	return Encoded(t, write, v)
}

// NoGarbage holds that c encodes rows into a buffer that is long enough without an
// allocation.
func NoGarbage(t *testing.T, c wire.Codec) {
	t.Helper()
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, under which pools forget at random")
	}
	rows := JSON(t, sample.Rows(100))
	text := Encoded(t, c, rows)
	growth.Allocs(t, 0, func() { text, _ = c.AppendEncode(text[:0], rows) })
}
