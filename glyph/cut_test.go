package glyph_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestEveryCut cuts texts of containers at every byte: none is accepted, and all
// say that something is missing.
func TestEveryCut(t *testing.T) {
	trials.OneGoroutine(t)
	texts := []string{
		"[-1.5e+10 9.25 1e5 -0 2025-01-13T12:34:56.789+02:00 2025-01-13T12:34:56Z 2025-12-31T23:59:59+00:53:28 ^a:b ^\"x y\" b64\"AAEC\"]",
		`["\u00e9\ud83d\ude00\n" "漢字" é ∅ 2025-01-01 {a=[t f _]}]`,
		"{a=@tab _ rows=2 cols=2 [id name]\n|1|Ada|\n|2|\"a\\|b\"|\n@end b=1}",
		"@tab _ [a b]\n|1|{l=@tab _ [x]\n\\|1\\|\n@end}|\n|2||\n@end",
		"@schema#x @keys=[a b]\n{#0=1 #1=2}",
		"@schema.clear\n{a=1}",
		`{"a": [1, 2.5, {"b": "c"}], "d": null}`,
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 60 {
		v := wire.Array(randomValue(r, 4), randomValue(r, 2))
		for _, c := range []glyph.Codec{{}, upstream} {
			text := codectest.Encoded(t, c, v)
			texts = append(texts, string(text))
		}
	}
	for _, text := range texts {
		for n := range len(text) {
			cut := text[:n]
			v, err := glyph.Codec{}.Decode([]byte(cut))
			if err == nil && v.Kind() == wire.KindNull || err == nil && strings.HasPrefix(text, "@schema") {
				t.Fatalf("%q is accepted as %v", cut, v)
			}
			e := codectest.Error(t, err)
			if e.Code == "schema_not_found" && strings.HasPrefix("@schema#x @keys", cut) {
				continue // a whole reference to a schema
			}
			require.ErrorIs(t, err, wire.ErrTruncated, "%q", cut)
			require.LessOrEqual(t, e.Offset, n)
			if strings.HasPrefix(text, "@tab") {
				cutStream(t, text, n, err)
			}
		}
	}
}

// cutStream reads a table that is cut off row by row: the rows before the cut,
// none that differs, and the error of the whole text at its place.
func cutStream(t *testing.T, text string, n int, want error) {
	t.Helper()
	whole := codectest.Decoded(t, glyph.Codec{}, text)
	i := 0
	for row, err := range (glyph.Codec{}).TableRows(iotest.HalfReader(strings.NewReader(text[:n]))) {
		if err == nil {
			require.True(t, wire.Identical(whole.Index(i), row), "%q: row %d is %v", text[:n], i, row)
			i++
			continue
		}
		var e, w *wire.Error
		require.ErrorAs(t, err, &e)
		require.ErrorAs(t, want, &w)
		require.ErrorIs(t, err, wire.ErrTruncated, "%q", text[:n])
		if n > 0 && w.Code != "unexpected_end" {
			require.Equal(t, [3]int{w.Offset, w.Line, w.Column}, [3]int{e.Offset, e.Line, e.Column}, "%q: %v, whole %v", text[:n], err, want)
		}
	}
}

// once gives its error one time, and then the end.
type once struct{ err error }

func (o *once) Read([]byte) (int, error) {
	err := o.err
	o.err = io.EOF
	return 0, err
}

// TestFaultyReaders holds that Records gives the rows before a fault, then the
// fault, however the reader cuts its chunks.
func TestFaultyReaders(t *testing.T) {
	fault := errors.New("fault")
	check := func(t *testing.T, r io.Reader, want error, rows int) {
		t.Helper()
		n := 0
		var last error
		for _, err := range (glyph.Codec{}).Records(r) {
			require.NoError(t, last)
			if last = err; err == nil {
				n++
			}
		}
		require.ErrorIs(t, last, want)
		require.Equal(t, rows, n)
	}
	for _, c := range []struct {
		text string
		rows int
	}{
		{"", 0}, {"\n ", 0}, {"@sche", 0}, {"@schema#x @keys=[a]\n", 0}, {"[1 2", 0}, {"@tab _ [a]\n", 0},
		{"@tab _ [a]\n|1|\n|2|\n", 2}, {"@tab _ [a]\n|1|\n|2", 1}, {"@schema#x @keys=[a]\n@tab _ [#0]\n|1|\n|[@tab _ [x]\n\\|1", 1},
	} {
		t.Run(c.text, func(t *testing.T) {
			check(t, faulty.Stuck([]byte(c.text)), io.ErrNoProgress, c.rows)
			check(t, io.MultiReader(strings.NewReader(c.text), &once{fault}), fault, c.rows)
			for name, r := range faulty.Failing([]byte(c.text), fault) {
				t.Run(name, func(t *testing.T) { check(t, r, fault, c.rows) })
			}
		})
	}
}

func TestShortWrites(t *testing.T) {
	row := glyph.Map(glyph.MapEntry{Key: "a", Value: glyph.Str(strings.Repeat("x", 1000))})
	for limit := range 1000 {
		out := faulty.Writer{Limit: limit, Silent: true}
		w, err := glyph.Codec{}.NewTableWriter(&out, nil, -1)
		require.NoError(t, err)
		require.NoError(t, w.Write(row))
		require.ErrorIs(t, w.Flush(), io.ErrShortWrite)
		out.Limit += 10
		require.ErrorIs(t, w.Write(row), io.ErrShortWrite)
		require.ErrorIs(t, w.Close(), io.ErrShortWrite)
		require.Equal(t, limit, out.Len(), "nothing after an error")
	}
	out := faulty.Writer{Silent: true}
	w, err := glyph.Codec{}.NewTableWriter(&out, nil, -1)
	require.NoError(t, err)
	require.NoError(t, w.Write(row))
	require.ErrorIs(t, w.Close(), io.ErrShortWrite)
}
