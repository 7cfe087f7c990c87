package toon

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// TestStreamAccount holds that elements of a list count the same for the limits of a stream
// whether or not they were Values.
func TestStreamAccount(t *testing.T) {
	t.Parallel()
	type inner struct {
		A, B int
		C    string            `json:",omitempty"`
		M    map[string]string `json:",omitempty"`
	}
	type record struct {
		A    int     `json:",omitempty"`
		Rows []inner `json:",omitempty"`
		In   inner
		P    *inner `json:",omitempty"`
		List []string
		Deep []struct{ In []inner } `json:",omitempty"`
		Far  []struct{ G, H struct{ X int } }
		Last string `json:",omitempty"`
	}
	r := rand.New(rand.NewPCG(7, 31))
	inners := func() (list []inner) {
		for range r.IntN(4) {
			in := inner{A: r.IntN(2)}
			if r.IntN(5) == 0 {
				in.C, in.M = "é", map[string]string{"k": "v"}
			}
			list = append(list, in)
		}
		return list
	}
	keys, err := wire.NewKeys("A", "Rows", "In", "P", "List", "Deep", "Far", "Last")
	require.NoError(t, err)
	values, direct := Codec{}.tableWriter(keys, -1), Codec{}.tableWriter(keys, -1)
	valuesTo, err := records.NewWriter(io.Discard, values)
	require.NoError(t, err)
	directTo, err := records.NewWriter(io.Discard, direct)
	require.NoError(t, err)
	without := 0 // Values; groups of maps need them
	for range 500 {
		v := record{A: r.IntN(2), Rows: inners(), List: []string{"a"}[:r.IntN(2)], Deep: make([]struct{ In []inner }, r.IntN(3))}
		if rows := inners(); len(rows) > 0 {
			v.P, v.Last = &rows[0], "x"
		}
		for i := range v.Deep {
			v.Deep[i].In = inners()
		}
		v.Far = make([]struct{ G, H struct{ X int } }, r.IntN(3))
		value, err := wire.FromGo(v)
		require.NoError(t, err)
		require.NoError(t, valuesTo.Write(value))
		done, err := directTo.(*records.Writer).WriteGo(&v)
		require.NoError(t, err)
		if done {
			without++
		} else {
			require.NoError(t, directTo.Write(value))
		}
		account := func(w *tableWriter) string {
			return fmt.Sprint(w.Out.Count(), w.size, w.e.indented, w.e.grouped, len(w.Out.Text()))
		}
		require.Equal(t, account(values), account(direct))
	}
	require.Equal(t, formList, direct.form)
	require.Equal(t, string(values.Out.Text()), string(direct.Out.Text()))
	require.Positive(t, direct.e.grouped)
	require.Greater(t, without, 400)
}
