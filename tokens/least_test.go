package tokens

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/payload"
)

// TestLeast: no vocabulary has fewer tokens, of random texts of all characters that
// differ to the patterns; and of JSON it is not far below.
func TestLeast(t *testing.T) {
	encodings := []*encoding{&o200kBase, &cl100kBase, {data: o200kData, pattern: patternQwen}}
	characters := []string{"a", "s", "ll", "Z", "0", "9", " ", "\t", "\n", "\r", "'", "/", "//", "_", "\"", "\x00", "\x7f", "é", "½", "́", "的", "\u00a0", "😀", "\xff"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var b strings.Builder
		of := 1 + r.IntN(len(characters))
		for range 100 {
			b.WriteString(strings.Repeat(characters[r.IntN(of)], 1+r.IntN(1+r.IntN(9))))
		}
		text := []byte(b.String())
		for _, e := range encodings {
			want, err := e.countAlone(text, noBound)
			require.NoError(t, err)
			require.LessOrEqual(t, e.least(text), want, "%q", text)
		}
	}
	proven, tokens := 0, 0
	for _, p := range payload.All() {
		text := bytes.TrimSpace(p.JSON)
		n, err := O200k{}.Count(text)
		require.NoError(t, err)
		m := o200kBase.least(text)
		require.LessOrEqual(t, m, n, p.Kind)
		proven, tokens = proven+m, tokens+n
	}
	t.Logf("%.1f %%", 100*float64(proven)/float64(tokens))
	require.Greater(t, float64(proven), 0.87*float64(tokens))
}
