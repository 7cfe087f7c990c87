package scan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// TestWords puts every byte that matters at every place of strings of every
// length that is copied in words, into memory with and without room.
func TestWords(t *testing.T) {
	for n := range 80 {
		for at := range max(1, n) {
			for _, c := range []string{"x", "\"", "\\", "\x1f", "|", "\x00", "\xe4", "\x7f", "9", "/"} {
				s := strings.Repeat("1", n)
				if n > 0 {
					s = s[:at] + c + s[at+1:]
				}
				for _, room := range []int{0, n, n + 1, n + 2, 200} {
					dst := append(make([]byte, 0, 1+room), '>')
					require.Equal(t, ">"+s, string(scan.AppendWords(dst, s)))
					plain := !strings.ContainsAny(s, "\"\\\x1f\x00")
					if out, ok := scan.AppendPlain(dst, s, '|'); ok {
						require.True(t, plain && !strings.Contains(s, "|"), "%q", s)
						require.Equal(t, `>"`+s+`"`, string(out))
					} else {
						require.Equal(t, ">", string(out))
					}
					if plain {
						require.Equal(t, `>"`+s+`"`, string(scan.AppendQuote(dst, s)))
					}
				}
				word, ok := scan.EndWord(s)
				require.Equal(t, n >= 4, ok)
				if n >= 8 {
					require.Equal(t, scan.Load64(s, n-8), word)
				}
				want := 0
				for want < n && '0' <= s[want] && s[want] <= '9' {
					want++
				}
				require.Equal(t, want, scan.Digits(s, 0), "%q", s)
			}
		}
	}
	out, ok := scan.AppendPlain(make([]byte, 0, 100), "copied in words", '|')
	require.True(t, ok)
	require.Equal(t, `"copied in words"`, string(out))
}

func TestEscapeByte(t *testing.T) {
	for _, s := range []string{"", "a", "|", "||", "a|b", "|a||b|", strings.Repeat("ab|", 100)} {
		want := s[:len(s)/2] + strings.ReplaceAll(s[len(s)/2:], "|", `\|`)
		for _, room := range []int{0, 1000} {
			require.Equal(t, want, string(scan.EscapeByte(append(make([]byte, 0, room), s...), len(s)/2, '|')))
		}
	}
}
