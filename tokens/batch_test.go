package tokens

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBatch: the counts of a batch are those of the counter, in whatever order
// texts come and however much it has to forget.
func TestBatch(t *testing.T) {
	long := benchmarkTexts()
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range append(counters(), Estimate{Label: "own", Base: fixed{n: 7}}) {
		b := c.(Batcher).Batch()
		require.Equal(t, c.Name(), b.Name())
		require.Equal(t, c.Exact(), b.Exact())
		check := func(text []byte) {
			want, err := c.Count(text)
			require.NoError(t, err)
			got, err := b.Count(text)
			require.NoError(t, err)
			require.Equal(t, want, got, "%.80q", text)
			got, err = b.CountUpTo(text, want)
			require.NoError(t, err)
			require.Equal(t, want, got)
			if want > 1 {
				got, err = b.CountUpTo(text, want-1)
				require.NoError(t, err)
				require.Greater(t, got, want-1)
			}
		}
		check(nil)
		for range 3 {
			for _, test := range texts {
				check([]byte(test.text))
			}
			for _, test := range long {
				from := r.IntN(len(test.text))
				check(test.text[from:min(len(test.text), from+1+r.IntN(100_000))])
			}
			check([]byte("not \xff UTF-8 \xc3 at all, " + string(long[0].text[:600]) + "\xfe"))
		}
		// More distinct pieces than a batch remembers.
		check(randomOf("abcdefghijklmnopqrstuvwxyz  ")(3 * 1 << 17))
		check(long[0].text)
	}
}
