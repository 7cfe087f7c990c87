package partial_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/md"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

type step struct {
	Tool  string         `json:"tool"`
	Count int            `json:"count"`
	At    time.Time      `json:"at"`
	Args  map[string]any `json:"args"`
}

type plan struct {
	Title string    `json:"title"`
	Steps []step    `json:"steps"`
	Raw   []byte    `json:"raw"`
	Next  *plan     `json:"next"`
	Half  halfDozen `json:"half"`
}

// halfDozen converts itself, and takes anything.
type halfDozen struct{ n int }

func (h *halfDozen) UnmarshalJSON(text []byte) error { h.n = len(text); return nil }

const planText = `{"title":"a \"plan\" of three","steps":[{"tool":"read","count":12,"at":"2026-01-02T03:04:05Z","args":{"path":"/etc/x","n":1.50}},` +
	`{"tool":"write","count":123,"at":"2026-01-02T03:04:05Z","args":{"list":["a","b",{"c":null}]}}],"raw":"aGVsbG8=","next":{"title":"after"},"half":[1,2,{"x":3}]}`

// TestInto: what a struct has only grows, and ends as what wire.ToGo stores.
func TestInto(t *testing.T) {
	var want plan
	require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(planText), &want))
	d := partial.Into[plan](partial.Options{})
	for i := range len(planText) {
		_, err := d.WriteString(planText[i : i+1])
		require.NoError(t, err)
		got, err := d.Value()
		require.NoError(t, err, planText[:i+1])
		require.True(t, strings.HasPrefix(want.Title, got.Title))
		require.LessOrEqual(t, len(got.Steps), len(want.Steps))
		for j, s := range got.Steps {
			w := want.Steps[j]
			require.True(t, strings.HasPrefix(w.Tool, s.Tool))
			require.Contains(t, []int{0, w.Count}, s.Count)
			require.True(t, s.At.IsZero() || s.At.Equal(w.At))
			require.LessOrEqual(t, len(s.Args), len(w.Args))
			if d.Complete(fmt.Sprintf("/steps/%d", j)) {
				require.Equal(t, w, s)
			}
		}
		require.Contains(t, []string{"", "hello"}, string(got.Raw))
		require.Contains(t, []int{0, want.Half.n}, got.Half.n)
		require.Equal(t, d.Complete("/title"), i >= strings.Index(planText, `","steps`))
	}
	require.NoError(t, d.Close())
	got, err := d.Value()
	require.NoError(t, err)
	require.Equal(t, want, got)

	wrong := partial.Into[plan](partial.Options{})
	_, err = wrong.WriteString(`{"title":12,`)
	require.NoError(t, err)
	_, err = wrong.Value()
	require.ErrorIs(t, err, wire.ErrType)
}

// pieces yields a text in pieces and counts what was asked for.
func pieces(text string, size int, asked *int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for *asked < len(text) {
			n := min(size, len(text)-*asked)
			piece := text[*asked : *asked+n]
			if *asked += n; !yield(piece, nil) {
				return
			}
		}
	}
}

// TestElements: each element comes with the byte that completes it.
func TestElements(t *testing.T) {
	for _, c := range []struct {
		text, pointer, want string
		err                 error
	}{
		{planText, "/steps", "read@128 write@222", nil},
		{`{"a":[1],"steps":[]}`, "/steps", "", nil},
		{`[{"tool":"x"},{"tool":"y"}]`, "", "x@13 y@26", nil},
		{planText[:200], "/steps", "read@128", partial.ErrCut},
		{planText[:150], "/steps", "read@128", partial.ErrCut},
		{`{"steps":[{"tool":"x"},{"tool":1}]}`, "/steps", "x@22", wire.ErrType},
		{`{"steps":{}}`, "/steps", "", wire.ErrType},
		{`{"a":1}`, "/steps", "", wire.ErrShape},
		{`{"steps":[{"tool":"x"}],"steps":[{"tool":"y"}]}`, "/steps", "x@22", wire.ErrDuplicateKey},
		{``, "/steps", "", partial.ErrEmpty},
		{`{"a":{"b":[[],[{"tool":"x"}]]}}`, "/a/b/1", "x@27", nil},
	} {
		var got []string
		var failed error
		asked := 0
		for s, err := range partial.Elements[step](pieces(c.text, 1, &asked), c.pointer, partial.Options{}) {
			if failed = err; err == nil {
				got = append(got, fmt.Sprintf("%s@%d", s.Tool, asked))
			}
		}
		require.Equal(t, c.want, strings.Join(got, " "), c.text)
		if c.err == nil {
			require.NoError(t, failed, c.text)
		} else {
			require.ErrorIs(t, failed, c.err, c.text)
		}
	}
	broken := errors.New("broken")
	for _, err := range partial.Elements[step](func(yield func(string, error) bool) { yield("", broken) }, "", partial.Options{}) {
		require.ErrorIs(t, err, broken)
	}
}

type row struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// TestRows: of a table that is cut anywhere come the rows whose lines are whole.
func TestRows(t *testing.T) {
	var rows []row
	for i := range 9 {
		rows = append(rows, row{i, fmt.Sprint("row ", i)})
	}
	for _, c := range []struct {
		codec    wire.Streamer
		declared int
	}{{csv.Codec{}, -1}, {jsonl.Codec{}, -1}, {md.Codec{}, -1}, {toon.Codec{}, 9}, {gcf.Codec{}, 9}, {gcx.Codec{}, 9}} {
		data, err := wire.Marshal(c.codec, rows)
		require.NoError(t, err)
		text := strings.TrimSuffix(string(data), "\n") + "\n"
		if c.declared >= 0 && c.codec != (gcx.Codec{}) { // the last line needs no end, but in GCX
			asked, n := 0, 0
			for _, err := range partial.Rows[row](c.codec, pieces(text[:len(text)-1], 7, &asked)).All() {
				require.NoError(t, err, c.codec.Info().Name)
				n++
			}
			require.Equal(t, len(rows), n, text)
		}
		for cut := range len(text) + 1 {
			asked, n := 0, 0
			r := partial.Rows[row](c.codec, pieces(text[:cut], 7, &asked))
			var failed error
			for got, err := range r.All() {
				if failed = err; err != nil {
					break
				}
				if n < len(rows)-1 || cut == len(text) { // that the last cell is whole cannot be seen
					require.Equal(t, rows[n], got, "%q", text[:cut])
				}
				n++
				require.LessOrEqual(t, asked, endOf(text, rows[n-1].Name)+40, "row %d comes late", n)
			}
			name := c.codec.Info().Name
			if cut == len(text) {
				require.NoError(t, failed, "%s %q", name, text[:cut])
				require.Equal(t, len(rows), n)
				declared, ok := r.Declared()
				require.Equal(t, c.declared >= 0, ok)
				require.Equal(t, max(0, c.declared), declared)
				continue
			}
			require.LessOrEqual(t, n, strings.Count(text[:cut], "\n"), "%s %q", name, text[:cut])
			if text[cut-min(1, cut):cut] != "\n" && cut > 0 && n < len(rows) {
				require.Error(t, failed, "%s %q", name, text[:cut])
			}
			if c.declared >= 0 && n > 0 && n < len(rows) {
				require.ErrorIs(t, failed, partial.ErrCut, "%s %q", name, text[:cut])
				require.ErrorContains(t, failed, fmt.Sprintf("%d of 9 rows", n))
			}
		}
	}
}

func endOf(text, name string) int { return strings.Index(text, name) + len(name) }
