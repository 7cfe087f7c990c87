package gcf

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/scan"
)

// Every byte at every place of a word and behind it, against the definition.
func TestWords(t *testing.T) {
	isKey := func(c byte) bool { return class[c]&keyRest != 0 }
	isPlain := func(c byte) bool { return class[c]&(quoteAlways|quoteBracket|quoteLead) == 0 }
	for c := range 256 {
		for at := range 19 {
			b := []byte(strings.Repeat("azAZ_09m", 3))[:19]
			b[at] = byte(c)
			s := string(b)
			name := fmt.Sprintf("%q", s)

			want := len(s)
			if !isKey(byte(c)) || at == 0 && class[c]&keyFirst == 0 {
				want = at
			}
			require.Equal(t, want, bareKeyEnd(s, 0), name)

			// plainPrefix may stop at any byte beyond ASCII.
			switch n := plainPrefix(s); {
			case !isPlain(byte(c)):
				require.Equal(t, at, n, name)
			case c < 0x80:
				require.Equal(t, len(s), n, name)
			}

			b = []byte(strings.Repeat(" ", 19))
			b[at] = byte(c)
			if want = at; c == ' ' {
				want = len(b)
			}
			require.Equal(t, want, spacesEnd(string(b), 0), name)

			b = []byte(strings.Repeat("9012345678", 2))[:19]
			b[at] = byte(c)
			if want = at; byte(c)-'0' <= 9 {
				want = len(b)
			}
			require.Equal(t, want, digitsEnd(b, 0), "%q", b)
			number, next := smallInt(string(b), 0)
			require.Equal(t, want, next, "%q", b)
			if next <= 18 {
				n, _ := strconv.ParseInt("0"+string(b[:next]), 10, 64)
				require.Equal(t, n, number, "%q", b)
			}
		}
		for at := range 19 {
			s := []byte(strings.Repeat("ab\x80\xff", 5))[:19]
			s[at] = byte(c)
			want := strings.IndexByte(string(s), byte(c))
			require.Equal(t, want, delimiter(string(s), 0, byte(c)))
		}
	}
}

func TestEightDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		n := random.Uint64N(100000000)
		got, ok := eightDigits(scan.Load64(fmt.Sprintf("%08d", n), 0))
		require.True(t, ok)
		require.Equal(t, n, got)
	}
}
