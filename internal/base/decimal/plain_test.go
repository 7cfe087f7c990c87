package decimal_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/decimal"
)

// TestAppendPlain compares what a look at words decides of numbers' texts with what
// their characters say.
func TestAppendPlain(t *testing.T) {
	plain := func(text string) bool {
		digits := strings.TrimPrefix(text, "-")
		whole, fraction, point := strings.Cut(digits, ".")
		switch {
		case strings.ContainsAny(text, "eE") || text == "-0":
			return false
		case !point:
			return true
		}
		return fraction[len(fraction)-1] != '0' && !(whole == "0" && strings.HasPrefix(fraction, "000000"))
	}
	r := rand.New(rand.NewPCG(5, 6))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0000123456789"[r.IntN(13)])
		}
		return b.String()
	}
	accepted := 0
	for range 200_000 {
		text := strings.TrimLeft(digits(r.IntN(18)), "0")
		if text == "" {
			text = "0"
		}
		if r.IntN(3) == 0 {
			text = "-" + text
		}
		if r.IntN(3) > 0 {
			text += "." + digits(1+r.IntN(18))
		}
		if r.IntN(20) == 0 {
			text += "e+5"[:2+r.IntN(2)] + digits(1)
		}
		dst := append(make([]byte, 0, 1+r.IntN(50)), '>')
		out, ok := decimal.AppendPlain(dst, text)
		if !ok {
			require.Equal(t, ">", string(out), text)
			// Of short ones only the smallest are left to a closer look.
			if len(text) <= 16 && cap(dst) > 24 && !strings.HasPrefix(text, "-0.00000") {
				require.False(t, plain(text), text)
			}
			continue
		}
		require.True(t, plain(text), text)
		require.Equal(t, ">"+text, string(out))
		accepted++
	}
	require.Greater(t, accepted, 40_000)
}
