package tokens

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCountsAgain: what a counter remembers of other texts changes no count, in whatever
// order they come and however much it has to forget.
func TestCountsAgain(t *testing.T) {
	long := benchmarkTexts()
	r := rand.New(rand.NewPCG(5, 6))
	for _, e := range []*encoding{&o200kBase, &cl100kBase} {
		v, err := e.load()
		require.NoError(t, err)
		kept := &encoding{pattern: e.pattern, vocab: v}
		check := func(text []byte) {
			want, err := (&encoding{pattern: e.pattern, vocab: v}).countAlone(text, noBound)
			require.NoError(t, err)
			got, err := kept.countAlone(text, noBound)
			require.NoError(t, err)
			require.Equal(t, want, got, "%.80q", text)
			got, err = kept.countAlone(text, want)
			require.NoError(t, err)
			require.Equal(t, want, got)
			if want > 1 {
				got, err = kept.countAlone(text, want-1)
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
		// More distinct pieces than a counter remembers.
		check(randomOf("abcdefghijklmnopqrstuvwxyz  ")(3 * 1 << 17))
		check(long[0].text)
	}
}
