package items

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIsASCII(t *testing.T) {
	for n := range 40 {
		s := strings.Repeat("a\x7f\x00", 20)[:n]
		require.Equal(t, n <= 32, isASCII(s), n)
		for i := range n {
			require.False(t, isASCII(s[:i]+"\x80"+s[i+1:]), "%d of %d", i, n)
		}
	}
}
