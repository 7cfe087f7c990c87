package tokens

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// TestMarks compares the marks of blocks with the pieces that the splitters find: of all
// blocks of random texts that a piece begins with, and in the middle of others.
func TestMarks(t *testing.T) {
	trials.OneGoroutine(t)
	characters := []string{
		"a", "s", "ll", "Z", "RE", "0", "9", "12", " ", "  ", "\t", "\n", "\r", "'", "/", "//", "_", "\"", "\":\"", "\x00", "\x7f", "é", "½", "́", "的", "\u00a0", "\u2028", "😀"}
	c := characterClasses()
	r := rand.New(rand.NewPCG(5, 6))
	marked, wrong := 0, func(text []byte, at int, found, want uint64) {
		t.Helper()
		require.Equal(t, want, found, "bits %b of %q", found^want, text[at:at+blockLen])
	}
	for range 2000 {
		var b strings.Builder
		of := 1 + r.IntN(len(characters))
		first := r.IntN(len(characters) - of + 1)
		for b.Len() < 3*len(block{}) {
			longest := 1 + r.IntN(7)
			b.WriteString(strings.Repeat(characters[first+r.IntN(of)], 1+r.IntN(longest)))
		}
		text := []byte(b.String())
		for _, p := range []pattern{patternO200k, patternCl100k, patternQwen} {
			var begins [10 * len(block{})]bool
			for i := 0; i < len(text); i = p.split(c, text, i) {
				begins[i] = true
			}
			for i := 0; i+len(block{}) <= len(text); i++ {
				b := (*block)(text[i:])
				found, digit, unsure := p.marks(b)
				var want, digits uint64
				for j := range blockLen {
					if begins[i+j] {
						want |= 1 << j
					}
					if text[i+j]-'0' < 10 {
						digits |= 1 << j
					}
				}
				require.Equal(t, digits, digit)
				if begins[i] {
					sure := sureBits(unsure)
					wrong(text, i, (found|1)&sure, (want|1)&sure)
					marked += bits.OnesCount64(found & sure)
				}
			}
		}
	}
	require.Greater(t, marked, 1_000_000)
}
