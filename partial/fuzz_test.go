package partial_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// FuzzParse: whatever the text, and in whatever pieces it comes, it has one value, one list of
// repairs and one error; what was shown only grows; what was repaired for sure needs no repair;
// and without repairs it is what the reader reads.
func FuzzParse(f *testing.F) {
	for _, c := range append(textCases, moreCases...) {
		f.Add([]byte(c.text), uint8(c.level), uint64(1))
	}
	f.Add([]byte(`"[{\"a\":1}]"`), uint8(11), uint64(2))
	f.Fuzz(func(t *testing.T, text []byte, options uint8, seed uint64) {
		if len(text) > 1000 {
			t.Skip("a copy after every piece takes long")
		}
		o := partial.Options{Level: partial.Level(options & 3 % 3), Many: options&4 > 0, Quoted: options&8 > 0}
		want, repairs, wanted := partial.Parse(text, o)
		p, r := partial.NewParser(o), rand.New(rand.NewPCG(seed, 1))
		before, seen := wire.Value{}, false
		for rest := text; len(rest) > 0; {
			n := min(1+r.IntN(7), len(rest))
			_, _ = p.Write(rest[:n])
			rest = rest[n:]
			v, ok := p.Value()
			if seen && !repeats(p.Repairs()) {
				require.True(t, ok && grows(before, v), "%q: %v and then %v", text, before, v)
			}
			before, seen = v.Clone(), ok
			p.Open()
			p.Complete("/0/a")
		}
		err := p.Close()
		require.Equal(t, outcome(wanted), outcome(err), "%q: %v and %v", text, wanted, err)
		require.Equal(t, repairs, p.Repairs(), "%q", text)
		v, _ := p.Value()
		require.True(t, wire.Identical(want, v), "%q: %v and %v", text, want, v)
		if errors.Is(err, partial.ErrCut) {
			p.Missing()
		}
		checkFuzzed(t, text, o, v, repairs, err)
	})
}

func checkFuzzed(t *testing.T, text []byte, o partial.Options, v wire.Value, repairs []partial.Repair, err error) {
	if o.Many {
		return
	}
	read, failed := wire.ParseJSON(text)
	switch {
	case failed == nil && !(o.Quoted && o.Level == partial.Lenient):
		require.NoError(t, err, "%q", text)
		require.True(t, wire.Identical(read, v), "%q: %v and %v", text, read, v)
	case o.Level == partial.Strict:
		require.Error(t, err, "%q", text)
	case err == nil && failed != nil:
		require.NotEmpty(t, repairs, "%q", text)
		_, again, err := partial.Parse(wire.AppendJSON(nil, v), o)
		require.NoError(t, err, "%q", text)
		require.Empty(t, again, "%q", text)
	}
}

func repeats(repairs []partial.Repair) bool {
	for _, r := range repairs {
		if r.Kind == partial.DuplicateKey {
			return true
		}
	}
	return false
}
