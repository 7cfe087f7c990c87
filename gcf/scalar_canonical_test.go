package gcf

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/wire"
)

// TestCanonicalForm holds numbers in any spelling to the form of section 2.3.1: all their
// digits but zeros that say nothing, and an exponent below 10^-6 and from 2^53 on.
func TestCanonicalForm(t *testing.T) {
	form := regexp.MustCompile(`^(0|-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?|-?[1-9](\.[0-9]*[1-9])?e[+-][1-9][0-9]*)$`)
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0000123456789"[r.IntN(13)])
		}
		return b.String()
	}
	for range 200_000 {
		whole := strings.TrimLeft(digits(r.IntN(19)), "0")
		if whole == "" {
			whole = "0"
		}
		text := whole
		if n := r.IntN(24); n > 0 {
			text += "." + digits(n)
		}
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		if !strings.Contains(text, ".") && r.IntN(4) > 0 {
			continue
		}
		if r.IntN(50) == 0 {
			text += fmt.Sprintf("e%d", r.IntN(40)-20)
		}
		v, err := wire.Number(text)
		require.NoError(t, err)
		got, ok := lex.AppendNumber(make([]byte, 0, r.IntN(40)), v)
		require.True(t, ok, text)
		require.Regexp(t, form, string(got), text)
		require.True(t, decimal.Equal(text, string(got)), "%s: %s", text, got)
		if strings.Trim(text, "-0123456789") != "" {
			f, _ := v.Float64()
			f = math.Abs(f)
			require.Equal(t, f != 0 && f < 1e-6 || f >= 1<<53, bytes.IndexByte(got, 'e') > 0, "%s: %s", text, got)
		}
	}
}
