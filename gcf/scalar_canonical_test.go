package gcf

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// TestCanonicalByScan compares what a look at a number's text decides with what
// its double and its shortest form decide.
func TestCanonicalByScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0000123456789"[r.IntN(13)])
		}
		return b.String()
	}
	scanned := 0
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
		want, wantOK := lex.CanonicalNumber([]byte(text), 0)
		if strings.Trim(text, "-0123456789") == "" {
			n, _ := v.Int64() // whole, of 18 digits at most
			want = strconv.AppendInt(nil, n, 10)
		}
		got, ok := lex.AppendNumber(make([]byte, 0, r.IntN(40)), v)
		require.Equal(t, wantOK, ok, text)
		require.Equal(t, string(want), string(got), text)
		bare := strings.TrimPrefix(text, "-")
		if point := scan.Digits(bare, 0); point < len(bare) && !strings.Contains(text, "e") && lex.CanonicalLength([]byte(bare), point) > 0 {
			scanned++
		}
	}
	require.Greater(t, scanned, 100_000)
}
