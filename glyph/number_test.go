package glyph

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

func rational(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return r
}

func randomNumber(r *rand.Rand) string {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0001234567899999"[r.IntN(16)]
		}
		return string(b)
	}
	s := strings.TrimLeft(digits(r.IntN(25)), "0")
	if s == "" {
		s = "0"
	}
	if r.IntN(2) == 0 {
		s = "-" + s
	}
	if r.IntN(2) == 0 {
		s += "." + digits(1+r.IntN(20))
	}
	if r.IntN(3) == 0 {
		s += fmt.Sprintf("e%+d", r.IntN(60)-30)
	}
	return s
}

// TestExactNumbers compares with rational numbers: one spelling per number, sums
// without rounding, and which numbers are whole.
func TestExactNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	spelled := map[string]string{}
	for range 20_000 {
		a, b := randomNumber(r), randomNumber(r)
		x, y := rational(t, a), rational(t, b)
		text := string(splitNumber(a).append(nil))
		require.Zero(t, x.Cmp(rational(t, text)), "%s is written %s", a, text)
		if other, ok := spelled[x.RatString()]; ok {
			require.Equal(t, other, text, a)
		}
		spelled[x.RatString()] = text
		require.Equal(t, text, string(splitNumber(text).append(nil)))
		require.Equal(t, x.IsInt(), splitNumber(a).isWhole(), a)

		v, err := wire.Number(a)
		require.NoError(t, err)
		w, err := wire.Number(b)
		require.NoError(t, err)
		sum, ok := addNumbers(v, w)
		require.True(t, ok)
		require.Zero(t, x.Add(x, y).Cmp(rational(t, sum.Text())), "%s + %s is %s", a, b, sum.Text())
	}
}
