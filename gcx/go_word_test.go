package gcx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAppendString puts bytes at every place of strings of every length that is
// copied in words, into memory with and without room.
func TestAppendString(t *testing.T) {
	for n := range 70 {
		for at := range max(1, n) {
			for _, c := range []string{"a", "\"", "\\", "\t", "\n", "\r", "\x0f", "\x10", "|", "[", "{", " ", "#", "-", "0", "t", "\xe4", "\x7f"} {
				s := strings.Repeat("x", n)
				if n > 0 {
					s = s[:at] + c + s[at+1:]
				}
				want, letters := appendLongString([]byte(">"), s)
				for _, room := range []int{0, n, n + 2, 200} {
					got, set := appendString(append(make([]byte, 0, 1+room), '>'), s)
					if string(got) != string(want) {
						t.Fatalf("%q is written %s with %b, not %s with %b", s, got, set, want, letters)
					}
					require.Equal(t, letters, set)
				}
			}
		}
	}
}
