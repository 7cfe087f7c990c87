package gcf_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// FuzzSetPairs sends sets through a session of deltas, which must end with what
// was sent.
func FuzzSetPairs(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, "text|x", 0.1)
	}
	f.Add(uint64(99), "\t\u2028\"", math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, seed uint64, text string, number float64) {
		r := rand.New(rand.NewPCG(seed, 5))
		if number != number || number-number != 0 {
			return
		}
		values := []wire.Value{wire.String(text), wire.Float(number), wire.Null(), wire.Bool(true), wire.Int(int64(seed)), wire.String("-"), wire.String("1")}
		sets := func() *gcf.Set {
			s := &gcf.Set{Key: "id", Fields: []string{"id", "a", "b c"}, Keyed: false}
			if r.IntN(10) == 0 {
				s.Fields = []string{"a", "id"}
			}
			for id := range r.IntN(8) {
				if r.IntN(3) == 0 {
					continue
				}
				members := []wire.Member{{Key: "id", Value: wire.Int(int64(id))}}
				if id == 3 {
					members[0].Value = wire.String(text + "id")
				}
				if r.IntN(3) > 0 {
					members = append(members, wire.Member{Key: "a", Value: values[r.IntN(len(values))]})
				}
				row, err := wire.Object(members...)
				require.NoError(t, err)
				s.Rows = append(s.Rows, row)
			}
			return s
		}
		session, p, err := gcf.NewSetSession(sets(), gcf.ReAnchor{Turns: int(seed%5) - 1, Size: seed%2 == 0})
		if err != nil {
			requireCode(t, err, "invalid_utf8")
			return
		}
		var receiver gcf.SetReceiver
		_, err = receiver.Receive(p.Wire)
		require.NoError(t, err, "%s", p.Wire)
		for range 8 {
			s := sets()
			p, err := session.Next(s)
			if err != nil {
				requireCode(t, err, "invalid_utf8")
				return
			}
			got, err := receiver.Receive(p.Wire)
			require.NoError(t, err, "%s", p.Wire)
			want, err := gcf.SetPackRoot(s)
			require.NoError(t, err)
			is, err := gcf.SetPackRoot(got)
			require.NoError(t, err)
			require.Equal(t, want, is)
			require.Equal(t, p.Root, receiver.Root())
		}
	})
}
