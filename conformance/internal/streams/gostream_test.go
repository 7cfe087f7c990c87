package streams

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestStreamsOfGoValues sends structs through every format that has records.
func TestStreamsOfGoValues(t *testing.T) {
	t.Parallel()
	type reading struct {
		ID    int       `json:"id"`
		Place string    `json:"place"`
		Value float64   `json:"value"`
		Note  *string   `json:"note"`
		At    time.Time `json:"at"`
		Tags  []string  `json:"tags"`
	}
	note := "line\nwith | and \"quotes\""
	var readings []reading
	for i := range 40 {
		r := reading{ID: i, Place: fmt.Sprint("place ", i%3), Value: float64(i) / 7, At: time.Unix(int64(i)*1e6, 0).UTC(), Tags: []string{"x"}}
		if i%2 > 0 {
			r.Note = &note
		}
		readings = append(readings, r)
	}
	for _, c := range describe.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		name := c.Info().FullName()
		if !ok || c.Info().Name == "csv" || name == "md" || c.Info().Loss&^measure.BeyondJSON != 0 {
			continue // tables of scalars have no lists
		}
		for _, n := range []int{0, 1, len(readings)} {
			var out bytes.Buffer
			enc := wire.NewEncoder[reading](s, &out)
			for _, r := range readings[:n] {
				require.NoError(t, enc.Encode(r), name)
			}
			require.NoError(t, enc.Close(), name)
			var back []reading
			for r, err := range wire.NewDecoder[reading](s, &out).All() {
				require.NoError(t, err, "%s of %d\n%s", name, n, out.String())
				back = append(back, r)
			}
			require.Equal(t, n, len(back), name)
			for i, r := range back {
				require.Equal(t, readings[i], r, name)
			}
		}
	}
}

// flatRow is a struct that some writers of records need no Value of, and nestedRow one of
// which some do.
type flatRow struct {
	S    string    `json:"s"`
	N    int       `json:"n"`
	F    float64   `json:"f"`
	B    bool      `json:"b"`
	U    uint64    `json:"u"`
	I8   int8      `json:"i 8"`
	T    time.Time `json:"t"`
	Last string    `json:"last"`
}

type nestedRow struct {
	List []string       `json:"list"`
	Map  map[string]int `json:"map"`
	Flat *flatRow       `json:"flat"`
	Rows []flatRow      `json:"rows"`
	Next *nestedRow     `json:"next"`
	Null *string        `json:"null"`
}

// deepRow has what nestedRow has, but not itself.
type deepRow struct {
	ID   string            `json:"id"`
	In   flatRow           `json:"in"`
	Flat *flatRow          `json:"flat"`
	List []string          `json:"list,omitempty"`
	Rows []flatRow         `json:"rows"`
	Map  map[string]string `json:"map"`
	Pair *struct{ A, B struct{ X *int } }
	Null *int `json:"null"`
}

// randomRows returns n rows of each kind; the last of the first is nil.
func randomRows(r *rand.Rand, n int) (flat []*flatRow, nested []nestedRow, deep []deepRow) {
	texts := []string{"", "a", "plain text", "#x", "G", "GCX1 y", "@end", "@1 ", "a|b", "a,b", "tab\t", "line\nfeed", "\r", `"q"`, `\`, "-", "~", "^", "null", "true", "t", "_", "12", "1.50", "1e3", " lead", "trail ", "é", "\ufeff", "\xff", "- item", "k: v", "a=b", "2026-01-02", strings.Repeat("long ", 30)}
	floats := []float64{0, 1, -1.5, 1e21, 1e-7, 0.1, math.Copysign(0, -1), math.MaxFloat64, math.Inf(1), math.NaN()}
	text := func() string { return texts[r.IntN(len(texts))] }
	for range n {
		flat = append(flat, &flatRow{S: text(), N: r.IntN(2000) - 1000, F: floats[r.IntN(r.IntN(len(floats))+1)], B: r.IntN(2) > 0, U: r.Uint64() >> r.IntN(64),
			I8: int8(r.IntN(256)), T: time.Unix(r.Int64N(1<<r.IntN(40)+1), 0).UTC(), Last: text()})
	}
	flat[len(flat)-1] = nil
	for range n {
		n := nestedRow{Flat: flat[r.IntN(len(flat))]}
		for range r.IntN(4) {
			n.List = append(n.List, text())
			n.Rows = append(n.Rows, *flat[r.IntN(len(flat)-1)])
		}
		if s := text(); r.IntN(2) > 0 {
			n.Null, n.Map = &s, map[string]int{"b": 1, s: 2, "a|\t": 3}
		}
		if len(nested) > 0 && r.IntN(3) == 0 {
			n.Next = &nested[r.IntN(len(nested))]
		}
		nested = append(nested, n)
	}
	for i, n := range nested {
		d := deepRow{ID: text(), In: *flat[r.IntN(len(flat)-1)], List: n.List, Rows: n.Rows}
		if n.Null != nil {
			d.Flat, d.Map, d.Null = n.Flat, map[string]string{text(): "1", "b": text(), "": ""}, &i
		}
		switch r.IntN(5) {
		case 0:
			d.Map, d.List, d.Rows = map[string]string{}, []string{}, []flatRow{}
		case 1:
			d.Pair = new(struct{ A, B struct{ X *int } })
			d.Pair.A.X = d.Null
		}
		deep = append(deep, d)
	}
	return flat, nested, deep
}

// TestEncoderDirect holds that an Encoder writes the same bytes and gives the same errors
// whether or not it makes Values: with an option it makes them.
func TestEncoderDirect(t *testing.T) {
	t.Parallel()
	flat, nested, deep := randomRows(rand.New(rand.NewPCG(7, 29)), trials.Of(400))
	cycle := nestedRow{}
	cycle.Next = &cycle
	nested = append(nested, cycle, nested[0])
	pointers := []*deepRow{&deep[0], nil}
	for i := range deep {
		pointers = append(pointers, &deep[i])
	}
	for _, c := range describe.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		if !ok {
			continue
		}
		for _, columns := range [][]string{nil, {"s", "n", "f", "b", "u", "i 8", "t", "last"}, {"last", "t", "i 8", "u", "b", "f", "n", "s"}, {"s", "n"}} {
			requireDirect(t, s, flat, columns...)
		}
		requireDirect(t, s, nested)
		for _, columns := range [][]string{nil, {"null", "id", "in", "flat", "list", "rows", "map", "Pair"}, {"id", "in"}} {
			requireDirect(t, s, deep, columns...)
			requireDirect(t, s, pointers, columns...)
		}
		requireDirect(t, s, []**deepRow{&pointers[1], &pointers[0], nil})
	}
}

func requireDirect[T any](t *testing.T, s wire.Streamer, rows []T, columns ...string) {
	t.Helper()
	write := func(o wire.Options) string {
		var out bytes.Buffer
		enc := wire.NewEncoder[T](s, &out, columns...)
		enc.Options = o
		for i := range rows {
			if err := enc.Encode(rows[i]); err != nil {
				fmt.Fprintln(&out, "row", i, err)
			}
		}
		return fmt.Sprint(enc.Close(), "\n", out.String())
	}
	require.Equal(t, write(wire.Options{RejectUnknownMembers: true}), write(wire.Options{}), "%s %q", s.Info().FullName(), columns)
}

// TestEncoderNil writes nil pointers among structs: null where any value is a record, and
// the same error, with its place, where records are rows.
func TestEncoderNil(t *testing.T) {
	t.Parallel()
	type row struct {
		A string `json:"a"`
	}
	for _, c := range describe.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		if !ok {
			continue
		}
		var out bytes.Buffer
		enc := wire.NewEncoder[*row](s, &out)
		want := []*row{nil, {"x"}, nil}
		errs := []error{enc.Encode(want[0]), enc.Encode(want[1]), enc.Encode(want[2])}
		require.NoError(t, enc.Close())
		require.NoError(t, errs[1])
		if errs[0] != nil {
			for i, path := range map[int]string{0: "/0", 2: "/1"} {
				var e *wire.Error
				require.ErrorAs(t, errs[i], &e, c.Info().FullName())
				require.ErrorIs(t, e, wire.ErrShape)
				require.Contains(t, e.Message, " is an object, not null", c.Info().FullName())
				require.Equal(t, path, e.Path(), c.Info().FullName())
			}
			want = want[1:2]
		}
		var back []*row
		for r, err := range wire.NewDecoder[*row](s, &out).All() {
			require.NoError(t, err, c.Info().FullName())
			back = append(back, r)
		}
		require.Equal(t, want, back, c.Info().FullName())
	}
}

// TestDecoderDirect holds that a Decoder gives the same records and errors whether or not it
// makes Values: with an option it makes them.
func TestDecoderDirect(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 29))
	for range trials.Of(25) {
		pointers, nested, deep := randomRows(r, 2+r.IntN(12))
		var flat []flatRow // only structs are stored without Values
		for _, p := range pointers[:len(pointers)-1] {
			flat = append(flat, *p)
		}
		for _, c := range describe.All(wirekit.Registry()) {
			if s, ok := c.(wire.Streamer); ok {
				requireDecoded(t, r, s, flat)
				requireDecoded(t, r, s, pointers[:len(pointers)-1])
				requireDecoded(t, r, s, nested)
				requireDecoded(t, r, s, deep)
			}
		}
	}
}

// TestDecoderCutRecords is TestDecoderDirect for streams that are cut at every byte and end with
// a line end there.
func TestDecoderCutRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 4))
	_, nested, deep := randomRows(r, 3)
	flat := []flatRow{{S: "a", N: 1}, {S: "b", F: 2.5}, {S: "c", B: true}}
	for _, c := range describe.All(wirekit.Registry()) {
		if s, ok := c.(wire.Streamer); ok {
			requireCut(t, s, flat)
			if !testing.Short() {
				requireCut(t, s, nested)
				requireCut(t, s, deep)
			}
		}
	}
}

func requireCut[T any](t *testing.T, s wire.Streamer, rows []T) {
	t.Helper()
	var stream bytes.Buffer
	enc := wire.NewEncoder[T](s, &stream)
	for i := range rows {
		_ = enc.Encode(rows[i])
	}
	_ = enc.Close()
	for n := range stream.Len() {
		src := append(stream.Bytes()[:n:n], '\n')
		require.Equal(t, decoded[T](s, bytes.NewReader(src), wire.Options{UseFloat64: true}), decoded[T](s, bytes.NewReader(src), wire.Options{}), "%s %q", s.Info().FullName(), src)
	}
}

// requireDecoded has the format of s read rows as s writes them, as a stream and as a document,
// damaged more and more.
func requireDecoded[T any](t *testing.T, r *rand.Rand, s wire.Streamer, rows []T) {
	t.Helper()
	pieces := []string{"\n", "\r\n", "\t", "|", "{", "}", "[", "]", "null", "_", "-", "~", "^", "@", "@end", "@1 ", "#", ".", ",", ", ", "  ", "1e3", "1.5", "7", `"`, `\`, "=", ": ",
		`"n":`, `"N":7,`, `"x":[1],`, `"\u00e9"`, "\xff", "\ufeff", `{"s":"a","s":"b"}`, "99999999999999999999", " "}
	var stream bytes.Buffer
	enc := wire.NewEncoder[T](s, &stream)
	for i := range rows {
		_ = enc.Encode(rows[i]) // the format may not carry it
	}
	_ = enc.Close()
	document, _ := wire.Marshal(s, rows)
	c, err := wirekit.Lookup(s.Info().Name)
	require.NoError(t, err)
	for i, src := range [][]byte{stream.Bytes(), document} {
		for range 8 {
			read := func() io.Reader { return bytes.NewReader(src) }
			if r.IntN(3) == 0 {
				read = func() io.Reader { return iotest.OneByteReader(bytes.NewReader(src)) }
			}
			require.Equal(t, decoded[T](c.(wire.Streamer), read(), wire.Options{UseFloat64: true}), decoded[T](c.(wire.Streamer), read(), wire.Options{}), "%s %d %q", s.Info().FullName(), i, src)
			src = faulty.Damaged(r, src, src, pieces)
		}
	}
}

// decoded returns what a Decoder gives of a text.
func decoded[T any](s wire.Streamer, in io.Reader, o wire.Options) string {
	var out strings.Builder
	dec := wire.NewDecoder[T](s, in)
	dec.Options = o
	for row, err := range dec.All() {
		text, failed := wire.Marshal(wire.JSON{}, row)
		fmt.Fprintf(&out, "%s %v %v\n", text, failed, err)
	}
	return out.String()
}

// FuzzGoTwoWays holds that every text in every format is read into structs with the same result
// and error whether or not there are Values, as a document and as a stream.
func FuzzGoTwoWays(f *testing.F) {
	codecs := describe.All(wirekit.Registry())
	flat, nested, deep := randomRows(rand.New(rand.NewPCG(13, 29)), 5)
	rows := []any{flat[:4], nested, deep, []flatRow{*flat[0], *flat[1]}}
	for i, c := range codecs {
		f.Add(uint8(i), []byte("GCX1 tool=x fields=s,n rows=1 types=m\n1\t\r\n"))
		for _, rows := range rows {
			if text, err := wire.Marshal(c, rows); err == nil {
				f.Add(uint8(i), text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, codec uint8, text []byte) {
		c, err := wirekit.Lookup(codecs[int(codec)%len(codecs)].Info().Name)
		require.NoError(t, err)
		requireTwoWays[flatRow](t, c, text)
		requireTwoWays[nestedRow](t, c, text)
		requireTwoWays[deepRow](t, c, text)
	})
}

func requireTwoWays[T any](t *testing.T, c wire.Codec, text []byte) {
	t.Helper()
	read := func(o wire.Options) string {
		var rows []T
		var row T
		errs := []error{o.Unmarshal(c, text, &rows), o.Unmarshal(c, text, &row)}
		json, err := wire.Marshal(wire.JSON{}, rows)
		one, failed := wire.Marshal(wire.JSON{}, row)
		out := fmt.Sprintf("%s %v\n%s %v\n%v\n", json, err, one, failed, errs)
		if s, ok := c.(wire.Streamer); ok {
			out += decoded[T](s, bytes.NewReader(text), o)
		}
		return out
	}
	require.Equal(t, read(wire.Options{UseFloat64: true}), read(wire.Options{}), "%s %q", c.Info().FullName(), text)
}
