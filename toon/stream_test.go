package toon_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

func write(t *testing.T, c toon.Codec, keys *wire.Keys, n int, records ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	w, err := c.NewTableWriter(&out, keys, n)
	require.NoError(t, err)
	for _, r := range records {
		if err := w.Write(parse(t, r)); err != nil {
			return out.String(), err
		}
	}
	err = w.Close()
	return out.String(), err
}

// TestWriterForms: the writer finds the form of the whole array, with its number
// of elements known or not.
func TestWriterForms(t *testing.T) {
	for _, c := range []struct {
		records []string
		want    string
		known   bool // it can be written with the number known
	}{
		{nil, "[]", true},
		{[]string{`1`, `"x"`, `null`}, "[3]: 1,x,null", true},
		{[]string{`{"a":1,"b":{"c":2}}`, `{"b":{"c":3},"a":4}`}, "[2]{a,b{c}}:\n  1,2\n  4,3", true},
		{[]string{`{"a":[1]}`, `{"a":2}`, `3`, `[]`, `{}`}, "[5]:\n  - a[1]: 1\n  - a: 2\n  - 3\n  - [0]:\n  -", true},
		{[]string{`1`, `{"a":1}`}, "[2]:\n  - 1\n  - a: 1", false},
		{[]string{`{"a":1}`, `{"a":null}`, `{"a":[]}`}, "[3]:\n  - a: 1\n  - a: null\n  - a: []", false},
		{[]string{`{"a":1}`, `{"b":1}`}, "[2]:\n  - a: 1\n  - b: 1", false},
	} {
		got, err := write(t, toon.Codec{}, nil, -1, c.records...)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		whole := codectest.Encoded(t, toon.Codec{}, parse(t, "["+strings.Join(c.records, ",")+"]"))
		require.Equal(t, string(whole), got)
		got, err = write(t, toon.Codec{}, nil, len(c.records), c.records...)
		if !c.known {
			requireError(t, err, "not_uniform")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

func TestWriterErrors(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	got, err := write(t, toon.Codec{}, keys, -1, `{"b":1,"a":2}`, `{"a":3,"b":4}`)
	require.NoError(t, err)
	require.Equal(t, "[2]{a,b}:\n  2,1\n  3,4", got)
	got, err = write(t, toon.Codec{}, keys, -1, `{"b":1,"a":2}`, `{"a":3}`, `4`)
	require.NoError(t, err)
	require.Equal(t, "[3]:\n  - a: 2\n    b: 1\n  - a: 3\n  - 4", got)
	_, err = write(t, toon.Codec{}, keys, 2, `{"b":1,"a":2}`, `{"a":3}`)
	require.Equal(t, "/1", requireError(t, err, "not_uniform").Path())
	_, err = write(t, toon.Codec{}, nil, 1, `1`, `2`)
	requireError(t, err, "count_mismatch")
	got, err = write(t, toon.Codec{}, nil, 3, `1`, `2`)
	requireError(t, err, "count_mismatch")
	require.Equal(t, "[3]: 1,2", got, "what was written is there")
	_, err = write(t, toon.Codec{Limits: wire.Limits{OutputBytes: 20}}, nil, -1, `"0123456789"`, `"0123456789"`)
	requireError(t, err, "output_too_long")
	_, err = write(t, toon.Codec{Limits: wire.Limits{Depth: 2}}, nil, -1, `{"a":{"b":1}}`)
	requireError(t, err, "too_deep")

	w, err := toon.Codec{}.NewTableWriter(io.Discard, nil, 1)
	require.NoError(t, err)
	require.ErrorIs(t, w.Write(object(t, wire.Member{Key: "\xff", Value: wire.Null()})), wire.ErrUTF8)
	w, err = toon.Codec{}.NewTableWriter(io.Discard, nil, -1)
	require.NoError(t, err)
	require.ErrorIs(t, w.Write(wire.String("\xff")), wire.ErrUTF8)
	w, err = toon.Codec{}.NewTableWriter(io.Discard, nil, -1)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	requireError(t, w.Write(wire.Null()), "closed")
	w, err = toon.Codec{}.NewTableWriter(new(faulty.Writer), nil, 1)
	require.NoError(t, err)
	require.NoError(t, w.Write(wire.Null()))
	require.ErrorIs(t, w.Close(), faulty.ErrFull)
}

// TestWriterHoldsOneRow: with the number known, rows leave as they come.
func TestWriterHoldsOneRow(t *testing.T) {
	const n = 100_000
	var counted countingWriter
	w, err := toon.Codec{Limits: wire.Limits{OutputBytes: 1000}}.NewTableWriter(&counted, nil, n)
	require.NoError(t, err)
	row := parse(t, `{"id":1,"name":"Ada"}`)
	for i := range n {
		require.NoError(t, w.Write(row))
		require.GreaterOrEqual(t, counted.n, 8*i-(32<<10))
	}
	require.NoError(t, w.Close())
}

type countingWriter struct{ n int }

func (w *countingWriter) Write(p []byte) (int, error) { w.n += len(p); return len(p), nil }

func TestRecords(t *testing.T) {
	for text, want := range map[string]string{
		"[2]{a,b}:\n  1,x\n  2,y\n": `[{"a":1,"b":"x"},{"a":2,"b":"y"}]`,
		"\ufeff# note\r\n[2]:\r\n\r\n  - 1\r\n  # c\r\n  - k:\r\n      z: 1\r\n    l: 2\r\n\r\n": `[1,{"k":{"z":1},"l":2}]`,
		"[3]: 1,2,3": `[1,2,3]`, "[]": `[]`, "[0]:": `[]`,
		"[1]:\n  - [2]:\n    - 1\n    - x[1]{y}:\n        2": `[[1,{"x":[{"y":2}]}]]`,
	} {
		got := codectest.All(t, toon.Codec{}.Records(strings.NewReader(text)))
		require.True(t, wire.Identical(parse(t, want), wire.Array(got...)), "%q: %v", text, got)
	}
}

// TestRecordsErrors: errors have the places that they have in the whole.
func TestRecordsErrors(t *testing.T) {
	for _, text := range []string{
		"[2]{a,b}:\n  1,x\n  2", "# c\n[3]:\n  - a: 1\n    a: 2\n  - 3", "[3]:\n  - 1\n", "[2]{a}:\n  1\n\n  2", "[2]:\n  - 1\n\n  - 2", "[1]:\n  - 1\n  x: 2", "[1]: 1\nb: 2",
		"[1]:\n  - 1\n      k: 2", "[2]{a}:\n  1\n   2", "a: \xff", "[1]{a}:\n  \xff", "  [1]: 2", "[1]{x,x}:\n", "[2]:\n  - 1\n\n  # c\n  - \"x", "[]\n[]",
	} {
		_, want := toon.Codec{}.Decode([]byte(text))
		_, got := codectest.Collect(t, toon.Codec{}.Records(strings.NewReader(text)))
		var w, g *wire.Error
		require.ErrorAs(t, want, &w, text)
		require.ErrorAs(t, got, &g, text)
		require.Equal(t, fmt.Sprint(w.Code, w.Line, w.Column, w.Offset), fmt.Sprint(g.Code, g.Line, g.Column, g.Offset), "%q\n%v\n%v", text, want, got)
	}
	for _, text := range []string{"", "a: 1", "x", "[2:]{a}:\n  x: 1\n  y: 2"} {
		for _, err := range (toon.Codec{}).Records(strings.NewReader(text)) {
			requireError(t, err, "not_an_array")
		}
	}
	long := "[1]:\n  - " + strings.Repeat("x", 100)
	for _, err := range (toon.Codec{Limits: wire.Limits{LineBytes: 50}}).Records(strings.NewReader(long)) {
		requireError(t, err, "line_too_long")
	}
	for _, err := range (toon.Codec{Limits: wire.Limits{InputBytes: 50}}).Records(strings.NewReader(long)) {
		requireError(t, err, "input_too_long")
	}
	for _, err := range (toon.Codec{Limits: wire.Limits{Values: 2}}).Records(strings.NewReader("[1]:\n  - [3]: 1,2,3")) {
		requireError(t, err, "too_many_values")
	}
}

// TestRecordsStop: a caller may end the loop.
func TestRecordsStop(t *testing.T) {
	for _, text := range []string{"[3]: 1,2,3", "[3]:\n  - 1\n  - 2\n  - 3", "[3]{a}:\n  1\n  2\n  3"} {
		n := 0
		for range (toon.Codec{}).Records(strings.NewReader(text)) {
			if n++; n == 2 {
				break
			}
		}
		require.Equal(t, 2, n)
	}
}
