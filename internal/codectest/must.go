package codectest

import (
	"errors"
	"iter"
	"testing"

	"github.com/wirekit/wirekit/wire"
)

// Encoded returns the text that c makes of v. It ends the test if c refuses v.
func Encoded(t testing.TB, c wire.Codec, v wire.Value) []byte {
	t.Helper()
	text, err := c.AppendEncode(nil, v)
	if err != nil {
		t.Fatalf("%v\nin %.2000s", err, v)
	}
	return text
}

// Decoded returns the value that c reads in src. It ends the test if there is none.
func Decoded[S ~string | ~[]byte](t testing.TB, c wire.Codec, src S) wire.Value {
	t.Helper()
	v, err := c.Decode([]byte(src))
	if err != nil {
		t.Fatalf("%v\nin %.2000q", err, src)
	}
	return v
}

// JSON returns the value of a JSON text.
func JSON[S ~string | ~[]byte](t testing.TB, text S) wire.Value {
	t.Helper()
	return Decoded(t, wire.JSON{}, text)
}

// Keys returns a list of keys.
func Keys(t testing.TB, names ...string) *wire.Keys {
	t.Helper()
	keys, err := wire.NewKeys(names...)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// Collect returns the records that come before an error, and the error.
func Collect(records iter.Seq2[wire.Value, error]) (all []wire.Value, err error) {
	for v, err := range records {
		if err != nil {
			return all, err
		}
		all = append(all, v)
	}
	return all, nil
}

// Refused holds that an error has the code and, unless kind is nil, is of the kind. It
// returns the error.
func Refused(t testing.TB, err error, code string, kind error) *wire.Error {
	t.Helper()
	var e *wire.Error
	if !errors.As(err, &e) || e.Code != code || kind != nil && !errors.Is(err, kind) {
		t.Fatalf("got %v, not %s, %v", err, code, kind)
	}
	return e
}
