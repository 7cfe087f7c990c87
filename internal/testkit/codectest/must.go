package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
)

// Encoded returns the text that c makes of v. It ends the test if c refuses v.
func Encoded(t testing.TB, c wire.Codec, v wire.Value) []byte {
	t.Helper()
	text, err := c.AppendEncode(nil, v)
	require.NoError(t, err, "in %.2000s", v)
	return text
}

// Decoded returns the value that c reads in src. It ends the test if there is none.
func Decoded[S ~string | ~[]byte](t testing.TB, c wire.Codec, src S) wire.Value {
	t.Helper()
	v, err := c.Decode([]byte(src))
	require.NoError(t, err, "in %.2000q", src)
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
	require.NoError(t, err)
	return keys
}

// Collect returns the records that come before an error, and the error, which must be
// the last that comes.
func Collect[V any](t testing.TB, records iter.Seq2[V, error]) (all []V, err error) {
	t.Helper()
	for v, e := range records {
		require.NoError(t, err, "%v, %v follows it", v, e)
		if err = e; err == nil {
			all = append(all, v)
		}
	}
	return all, err
}

// All returns records. It ends the test on an error.
func All[V any](t testing.TB, records iter.Seq2[V, error]) []V {
	t.Helper()
	all, err := Collect(t, records)
	require.NoError(t, err, "behind %d records", len(all))
	return all
}

// Err returns the error of a call with two results.
func Err[T any](_ T, err error) error { return err }

// Error returns err as what every error of this module is. It ends the test if it is
// another one.
func Error(t testing.TB, err error) *wire.Error {
	t.Helper()
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	return e
}

// Refused holds that an error has the code and, unless kind is nil, is of the kind. It
// returns the error.
func Refused(t testing.TB, err error, code string, kind error) *wire.Error {
	t.Helper()
	e := Error(t, err)
	require.Equal(t, code, e.Code, "%v", err)
	require.True(t, kind == nil || errors.Is(err, kind), "got %v; want %v", err, kind)
	return e
}

// Values is c without what package wire knows of it: wire.Marshal and wire.Unmarshal go
// through a Value.
func Values(c wire.Codec) wire.Codec {
	d := describe.Of(c)
	return valuesOnly{c, describe.Codec{Untyped: d.Untyped, Cells: d.Cells}}
}

// valuesOnly is a codec of which package wire knows whether its texts have types.
type valuesOnly struct {
	wire.Codec
	known describe.Codec
}

func (c valuesOnly) Internal() any { return describe.Type[valuesOnly](c.known) }

// SameAny ends the test unless c reads in src straight what an empty interface gets
// through a Value.
func SameAny(t testing.TB, c wire.Codec, src []byte) {
	t.Helper()
	var straight, through any
	value, want := c.Decode(src)
	if want == nil {
		want = wire.ToGo(value, &through)
	}
	err := wire.Unmarshal(c, src, &straight)
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(err), "in %.2000q", src)
	require.True(t, reflect.DeepEqual(straight, through), "%.500v, through a Value %.500v\nin %.2000q", straight, through, src)
}

// SameLent ends the test unless c lends of src what it decodes, or the same error.
func SameLent(t testing.TB, c wire.Codec, src []byte) {
	t.Helper()
	value, want := c.Decode(src)
	err := wire.View(c, src, func(lent wire.Value) error {
		require.True(t, wire.Identical(value, lent), "lent %.500v, decoded %.500v\nin %.2000q", lent, value, src)
		return nil
	})
	require.Equal(t, want, err, "in %.2000q", src)
}

// ReadDirectly fails the test if read, the direct path of a format, leaves a document to
// Values for other line ends or spellings of whole numbers than those of marshal.
func ReadDirectly(t testing.TB, marshal func(v any) ([]byte, error), read func(src []byte, v any) bool) {
	t.Helper()
	type row struct {
		A string
		B int
		C uint64
	}
	rows := []row{{"a", 7777, 1}}
	for range 20 { // a table in every format
		rows = append(rows, row{"b", 2, 1 << 62})
	}
	plain, err := marshal(rows)
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"plain":    plain,
		"CR LF":    bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n")),
		"fraction": bytes.Replace(plain, []byte("7777"), []byte("7777.0"), 1),
		"exponent": bytes.Replace(plain, []byte("7777"), []byte("7.777e3"), 1),
	} {
		var got []row
		if !read(text, &got) || !reflect.DeepEqual(got, rows) {
			t.Errorf("%s: %v of %q", name, got, text)
		}
	}
}
