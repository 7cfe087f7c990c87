package set_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/wire"
)

// FuzzPairs sends sets through a session of deltas, which must end with what
// was sent.
func FuzzPairs(f *testing.F) {
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
		sets := func() *set.Set {
			s := &set.Set{Key: "id", Fields: []string{"id", "a", "b c"}, Keyed: false}
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
		session := &set.Session{FullEvery: int(seed%5) - 1, FullBySize: seed%2 == 0}
		p, err := session.Next(sets())
		if err != nil {
			requireCode(t, err, "invalid_utf8")
			return
		}
		var receiver set.Receiver
		_, err = receiver.Receive(p.Encoded)
		require.NoError(t, err, "%s", p.Encoded)
		for range 8 {
			s := sets()
			p, err := session.Next(s)
			if err != nil {
				requireCode(t, err, "invalid_utf8")
				return
			}
			got, err := receiver.Receive(p.Encoded)
			require.NoError(t, err, "%s", p.Encoded)
			want, err := set.PackRoot(s)
			require.NoError(t, err)
			is, err := set.PackRoot(got)
			require.NoError(t, err)
			require.Equal(t, want, is)
			require.Equal(t, p.Root, receiver.Root())
		}
	})
}

// FuzzDocuments reads arbitrary bytes as sets, deltas and answers. What is read must
// encode to a document that reads the same.
func FuzzDocuments(f *testing.F) {
	for _, c := range deltaDocuments {
		f.Add([]byte("GCF profile=generic delta=true base_root=a new_root=b key=id\n" + c.doc))
	}
	for _, c := range pairs {
		f.Add([]byte("GCF profile=generic delta=true base_root=a new_root=b key=id savings=5%\n" + c.body))
	}
	for _, c := range vectors {
		f.Add([]byte("GCF profile=generic pack_root=a key=id\n" + c.body))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if d, err := set.DecodeDelta(src); err == nil {
			if doc, err := set.EncodeDelta(d); err == nil {
				again, err := set.DecodeDelta(doc)
				require.NoError(t, err, "%s", doc)
				second, err := set.EncodeDelta(again)
				require.NoError(t, err)
				require.Equal(t, string(doc), string(second))
			}
		}
		if s, err := set.Decode(src); err == nil {
			doc, err := set.Encode(s)
			if err != nil {
				return
			}
			again, err := set.Decode(doc)
			require.NoError(t, err, "%s", doc)
			require.True(t, wire.Equal(wire.Array(s.Rows...), wire.Array(again.Rows...)))
		}
	})
}
