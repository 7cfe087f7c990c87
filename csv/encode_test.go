package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// plainly is what a table is, cell by cell, and false if it is none.
func plainly(c Codec, rows []wire.Value) (string, bool) {
	comma := string(max(c.Comma, 1))
	if c.Comma == 0 {
		comma = ","
	}
	var names []string
	seen := map[string]bool{}
	for _, row := range rows {
		if row.Kind() != wire.KindObject || row.Len() == 0 {
			return "", false
		}
		for name := range row.Members() {
			if !seen[name] {
				names = append(names, name)
			}
			seen[name] = true
		}
	}
	quote := func(s string, must bool) string {
		if must || strings.ContainsAny(s, "\"\r\n"+comma) {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}
	var b strings.Builder
	for i, name := range names {
		b.WriteString(strings.Repeat(comma, min(i, 1)) + quote(name, name == "" || strings.HasPrefix(name, "\ufeff")))
	}
	for _, row := range rows {
		b.WriteByte('\n')
		for i, name := range names {
			b.WriteString(strings.Repeat(comma, min(i, 1)))
			v, ok := row.Get(name)
			switch {
			case !ok && c.AllStrings, ok && (v.Kind() == wire.KindArray || v.Kind() == wire.KindObject):
				return "", false
			case !ok:
			case v.Kind() == wire.KindString, v.Kind() == wire.KindBytes, v.Kind() == wire.KindTime:
				s := string(wire.Internal.AppendText(nil, v))
				_, err := wire.Number(s)
				scalar := err == nil || s == "null" || s == "true" || s == "false"
				b.WriteString(quote(s, !c.AllStrings && (scalar || s == "") || s == "" && len(names) == 1))
			case c.AllStrings:
				return "", false
			default:
				b.WriteString(v.String())
			}
		}
	}
	return b.String() + "\n", true
}

// scalars are members' values that a cell may be anything for.
func scalars() []wire.Value {
	all := []wire.Value{wire.Null(), wire.Bool(true), wire.Bool(false), wire.Int(-7), wire.Float(0.25), wire.Bytes(nil), wire.Bytes([]byte{0xd7, 0x6d, 0xf8}), wire.Bytes([]byte("\xb6\xbb\x9e")),
		wire.Bytes(bytes.Repeat([]byte{0xfb}, 40)), wire.Time(time.Date(2024, 1, 31, 10, 0, 0, 0, time.FixedZone("", 3600)))}
	for _, s := range []string{"", "a", "12", "-1e9", "null", "nul", "true", "false", "a,b", "a:b", "\"", "say \"hi\"", "two\nlines", "x\r", "tab\tand more than eight", "seven77", "eight888", "more than eight, and the comma early",
		"more than eight and the comma la,te", "more than eight and the comma last,", strings.Repeat("ö", 40), strings.Repeat("long ", 30) + "\n", "\ufeff"} {
		all = append(all, wire.String(s))
	}
	return append(all, number("1.50"), number("12345678901234567890123"))
}

// TestEncodePlainly writes random tables, of rows of one shape or of many, and compares
// with what their cells are one by one, at once and as records.
func TestEncodePlainly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	cells := scalars()
	cells = append(cells, codectest.JSON(t, `[1]`))
	for round := range 2000 {
		c := []Codec{{}, {Comma: '\t'}, {Comma: ':'}, {AllStrings: true}}[r.IntN(4)]
		from := 0
		if c.AllStrings {
			from = 5
		}
		names := []string{"a", "", "b,c", "d\"", "\ufeffe", "f:", "g", "h", "i", "j"}[:1+r.IntN(10)]
		shapes, most := 1+r.IntN(4), len(cells)-min(r.IntN(8), 1)
		if round%100 == 0 {
			shapes = 2000 // more than are remembered
		}
		var rows []wire.Value
		for range r.IntN(8) + shapes/10 {
			shape := rand.New(rand.NewPCG(uint64(r.IntN(shapes)), uint64(shapes)))
			var members []wire.Member
			for _, i := range shape.Perm(len(names)) {
				if shapes < 3 || shape.IntN(4) > 0 {
					members = append(members, wire.Member{Key: names[i], Value: cells[from+r.IntN(most-from)]})
				}
			}
			row, err := wire.Object(members...)
			require.NoError(t, err)
			rows = append(rows, row)
		}
		got, err := c.AppendEncode([]byte("x"), wire.Array(rows...))
		want, ok := plainly(c, rows)
		if len(rows) == 0 {
			want = ""
		}
		if !ok {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "x"+want, string(got))
		requireWritten(t, c, rows, want)
	}
}

// requireWritten holds that a writer and its forks write the rows as the table does.
func requireWritten(t *testing.T, c Codec, rows []wire.Value, want string) {
	t.Helper()
	if len(rows) == 0 {
		return
	}
	var all columns.Layout
	for _, row := range rows {
		all.Add(row.Keys())
	}
	var out bytes.Buffer
	w, err := c.NewRecordWriter(&out, codectest.Keys(t, all.Names...))
	require.NoError(t, err)
	fork := w.(records.ForkingWriter).Fork()
	for i, row := range rows {
		if i%2 == 0 {
			require.NoError(t, w.Write(row))
			continue
		}
		text, _, err := fork.AppendRecord(nil, row, -1)
		require.NoError(t, err)
		require.NoError(t, w.(records.ForkingWriter).Join(text, []int{len(text)}))
	}
	require.NoError(t, w.Close())
	require.Equal(t, want, out.String())
}

// TestUnknownMembers: a record with a member that is not a column is refused whatever
// records were before it.
func TestUnknownMembers(t *testing.T) {
	for _, before := range []string{`{"a":1,"b":2}`, `{"b":1}`, `{"b":1,"a":2}`} {
		w, err := Codec{}.NewRecordWriter(io.Discard, codectest.Keys(t, "a", "b"))
		require.NoError(t, err)
		require.NoError(t, w.Write(codectest.JSON(t, before)))
		err = w.Write(codectest.JSON(t, `{"b":1,"z":2}`))
		e := codectest.Refused(t, err, "unknown_member", wire.ErrUnknownMember)
		require.Equal(t, "/1/z", e.Path())
	}
}

// TestManyColumns: tables of more columns and shapes than idle layouts keep.
func TestManyColumns(t *testing.T) {
	for _, n := range []int{257, 2000} {
		var rows []wire.Value
		for i := range 40 {
			var members []wire.Member
			for k := range n - i {
				members = append(members, wire.Member{Key: fmt.Sprint("k", (k*7+i)%n), Value: wire.Int(int64(k))})
			}
			row, err := wire.Object(members...)
			if errors.Is(err, wire.ErrDuplicateKey) {
				continue
			}
			require.NoError(t, err)
			rows = append(rows, row)
		}
		require.NotEmpty(t, rows)
		for range 2 {
			want, _ := plainly(Codec{}, rows)
			require.Equal(t, want, string(codectest.Encoded(t, Codec{}, wire.Array(rows...))))
		}
	}
}

func number(text string) wire.Value {
	v, err := wire.Number(text)
	if err != nil {
		panic(err)
	}
	return v
}

// TestEncodeAllocates: encoding into a buffer that is long enough allocates nothing.
func TestEncodeAllocates(t *testing.T) { codectest.NoGarbage(t, Codec{}) }
