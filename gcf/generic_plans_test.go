package gcf

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// declared returns a value whose document has n declarations, of which many begin alike.
func declared(rng *rand.Rand, n int) wire.Value {
	var members []wire.Member
	for i := range n {
		columns := []string{"a", "name"}
		for c := range 1 + rng.IntN(4) {
			columns = append(columns, fmt.Sprintf("column_%d%s", rng.IntN(40), strings.Repeat("x", rng.IntN(3)*c)))
		}
		if rng.IntN(20) == 0 {
			columns = append(columns, strings.Repeat("long", 60+rng.IntN(2500)))
		}
		var rows []wire.Value
		for row := range 1 + rng.IntN(3) {
			var cells []wire.Member
			seen := make(map[string]bool)
			for c, name := range columns {
				if !seen[name] {
					cells = append(cells, wire.Member{Key: name, Value: wire.Int(int64(row + c))})
				}
				seen[name] = true
			}
			v, err := wire.Object(cells...)
			if err != nil {
				panic(err)
			}
			rows = append(rows, v)
		}
		members = append(members, wire.Member{Key: fmt.Sprintf("t%d", i), Value: wire.Array(rows...)})
	}
	v, err := wire.Object(members...)
	if err != nil {
		panic(err)
	}
	return v
}

// TestPlansStay decodes documents with few and many declarations one after the other
// with one decoder, whole and damaged ones: what it remembers changes nothing.
func TestPlansStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 13))
	var d decoder
	remembered := false
	for range 150 {
		src, err := Codec{}.AppendEncode(nil, declared(rng, []int{2, 12, 30, 90, 300}[rng.IntN(5)]))
		require.NoError(t, err)
		if rng.IntN(4) == 0 {
			src[len(src)/2+rng.IntN(len(src)/2)] = ",{}\n>"[rng.IntN(5)]
		}
		want, wantErr := Codec{}.Decode(src)
		d.Borrow(nil)
		d.lent = true
		v, err := d.document(Codec{}, src)
		require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err))
		require.True(t, err != nil || wire.Identical(want, v), "%s", src)
		d.GiveBack(err)
		d.idle()
		kept := 0
		for _, p := range d.plans {
			kept += len(p.text)
		}
		require.LessOrEqual(t, kept, maxKeptPlans)
		remembered = remembered || kept > maxKeptPlans/8
	}
	require.True(t, remembered)
}

// TestLatestPlansStay holds that the declarations of the document at hand are remembered,
// whatever a decoder has read before it.
func TestLatestPlansStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var d decoder
	checked := 0
	for range 60 {
		src, err := Codec{}.AppendEncode(nil, declared(rng, 30))
		require.NoError(t, err)
		for range 2 {
			d.Borrow(nil)
			d.lent = true
			_, err := d.document(Codec{}, src)
			require.NoError(t, err)
			d.GiveBack(nil)
			d.idle()
		}
		if len(src) > maxKeptPlans {
			continue // its own are too many
		}
		for line := range strings.Lines(string(src)) {
			if at := strings.IndexByte(line, '{'); at > 0 && strings.HasPrefix(line, "## ") {
				require.NotNil(t, d.known(line[at:], planTable), line)
				checked++
			}
		}
	}
	require.Greater(t, checked, 1000)
}

// TestForgottenPlansLeaveNothing: with declarations that were forgotten goes what was made of
// their key lists.
func TestForgottenPlansLeaveNothing(t *testing.T) {
	sparse := "## sparse [2]{aaaaaaaa,bbbbbbbb}\n1|~\n~|1\n"
	for tables, kept := range map[int]bool{0: true, 2 * maxPlans: false} {
		src := "GCF profile=generic\n" + sparse
		for i := range tables {
			src += fmt.Sprintf("## t%d [1]{a%d,b}\n1|2\n", i, i)
		}
		var d decoder
		d.Borrow(nil)
		d.lent = true
		_, err := d.document(Codec{}, []byte(src))
		require.NoError(t, err)
		d.GiveBack(nil)
		d.idle()
		require.Equal(t, kept, !reflect.ValueOf(d.partial).IsZero())
	}
}
