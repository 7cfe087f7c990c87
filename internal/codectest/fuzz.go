// Package codectest holds what tests and benchmarks of formats have in common.
package codectest

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"testing/iotest"

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
