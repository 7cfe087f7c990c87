package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/trials"
)

// TestASCIIEnd compares the decisions taken eight bytes at a time with those of
// the splitters: on all short strings of characters that differ to the patterns,
// and on long ones at random.
func TestASCIIEnd(t *testing.T) {
	trials.OneGoroutine(t)
	characters := []string{"a", "z", "A", "Z", "0", "9", " ", "\t", "\n", "\r", "'", "/", "_", "\"", "@", "[", "`", "{", "\x00", "\x7f", "é", "½", "́", "的", "\u00a0", "😀"}
	c := characterClasses()
	decided := 0
	check := func(p pattern, text []byte) {
		for i := 0; i+lookahead < len(text); {
			want := p.split(c, text, i)
			if text[i] < 0x80 {
				if end := p.asciiEnd(c, text, i); end > 0 {
					require.Equal(t, want, end, "at %d of %q", i, text)
					decided++
				}
			}
			require.Equal(t, want, p.pieceEnd(c, text, i))
			i = want
		}
	}
	for _, p := range []pattern{patternO200k, patternCl100k, patternQwen} {
		for _, x := range characters {
			for _, y := range characters {
				for _, z := range characters {
					for _, tail := range []string{"ab\"c def-g", "\n\n  123abcd", "'s12345678"} {
						check(p, []byte(x+y+z+tail+"12345678"))
					}
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range 60 {
			b.WriteString(strings.Repeat(characters[r.IntN(len(characters))], 1+r.IntN(1+r.IntN(12))))
		}
		check(patternO200k, []byte(b.String()))
		check(patternCl100k, []byte(b.String()))
		check(patternQwen, []byte(b.String()))
	}
	require.Greater(t, decided, 100_000)
}
