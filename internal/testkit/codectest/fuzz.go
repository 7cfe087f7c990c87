// Package codectest holds what tests and benchmarks of formats have in common.
package codectest

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"testing/iotest"
	"time"

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
		if !slices.ContainsFunc(may, func(kind error) bool { return errors.Is(err, kind) }) {
			t.Fatal(err)
		}
		return nil
	}
	back, err := c.Decode(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if loss, path := wire.Difference(v, back); loss&^c.Info().Loss != 0 {
		t.Fatalf("%v at %s\n%s", loss, path, text)
	}
	again, err := c.AppendEncode(nil, back)
	if err != nil || !bytes.Equal(text, again) {
		t.Fatalf("%v\n%s\n%s", err, text, again)
	}
	return text
}

// Placed holds that an error, if there is one, is a *wire.Error with a place in
// src.
func Placed(t testing.TB, err error, src []byte) {
	t.Helper()
	var e *wire.Error
	if err != nil && (!errors.As(err, &e) || e.Line == 0 || e.Offset > len(src)) {
		t.Fatalf("%#v", err)
	}
}

// Records holds that reading the records of src from a reader that gives half of
// what it is asked for is reading the array that Decode gives. It returns their
// number.
func Records(t testing.TB, c wire.Streamer, src []byte) (n int) {
	t.Helper()
	want, wantErr := c.Decode(src)
	var records []wire.Value
	var err error
	for v, e := range c.Records(iotest.HalfReader(bytes.NewReader(src))) {
		if err = e; e == nil {
			records = append(records, v)
		}
	}
	Placed(t, err, src)
	if wantErr == nil && want.Kind() != wire.KindArray {
		if !errors.Is(err, wire.ErrShape) {
			t.Fatalf("%v is no array, but: %v", want, err)
		}
		return len(records)
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("whole %v, chunked %v", wantErr, err)
	}
	if err == nil && !wire.Identical(want, wire.Array(records...)) {
		t.Fatalf("%v\n%v", want, records)
	}
	return len(records)
}

// NotJSON holds that a codec does not claim JSON text.
func NotJSON(t testing.TB, c interface{ Sniff(src []byte) bool }, src []byte) {
	t.Helper()
	if !c.Sniff(src) {
		return
	}
	if _, err := wire.ParseJSON(src); err == nil {
		t.Fatalf("%q is JSON", src)
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
		if n := len(err.Error()); n > 2000 {
			t.Fatalf("an error of %d bytes", n)
		}
		return nil
	}
	text, err := write.AppendEncode(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return text
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
