package gcf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// Every byte at every place of a word and after it, against the definition.
func TestWords(t *testing.T) {
	isKey := func(c byte) bool { return lex.Class[c]&lex.KeyRest != 0 }
	isPlain := func(c byte) bool { return lex.Class[c]&(lex.QuoteAlways|lex.QuoteBracket|lex.QuoteLead) == 0 }
	for c := range 256 {
		for at := range 19 {
			b := []byte(strings.Repeat("azAZ_09m", 3))[:19]
			b[at] = byte(c)
			s := string(b)
			name := fmt.Sprintf("%q", s)

			want := len(s)
			if !isKey(byte(c)) || at == 0 && lex.Class[c]&lex.KeyFirst == 0 {
				want = at
			}
			require.Equal(t, want, lex.BareKeyEnd(s, 0), name)

			// plainPrefix may stop at any byte beyond ASCII.
			switch n := lex.PlainPrefix(s, 0); {
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
			require.Equal(t, want, lex.SpacesEnd(string(b), 0), name)
		}
		for at := range 19 {
			s := []byte(strings.Repeat("ab\x80\xff", 5))[:19]
			s[at] = byte(c)
			want := strings.IndexByte(string(s), byte(c))
			require.Equal(t, want, lex.Delimiter(string(s), 0, byte(c)))
		}
	}
}

// TestGraphWords: words that are read at once are those that are read byte by byte.
func TestGraphWords(t *testing.T) {
	require.False(t, isWord(""))
	for n := 1; n < 20; n++ {
		for at := range n {
			for c := range 256 {
				b := []byte(strings.Repeat("~!azAZ_09", 3))[:n]
				b[at] = byte(c)
				if s := string(b); isWord(s) != isWordSlow(s) {
					t.Errorf("isWord(%q) is %v", s, isWord(s))
				}
			}
		}
	}
}

// TestScores: a score is what strconv makes of it, however many digits it has.
func TestScores(t *testing.T) {
	form := regexp.MustCompile(`^-?[0-9]+\.[0-9]{2}$`)
	compare := func(s string) {
		want, err := strconv.ParseFloat(s, 64)
		got, ok := parseScore(s)
		if ok != (err == nil && form.MatchString(s)) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("parseScore(%q) is %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "-", ".", ".00", "-.00", "-0.00", "+1.00", "1.0", "1.000", "1e2.00", "1.e2", "--1.00", "1,00", "0x1.00", "1_0.00", "NaN", " 1.00", "1.00 ", strings.Repeat("9", 400) + ".00"} {
		compare(s)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 40_000 {
		b := []byte("-0000000000000000000000")[1-i%2:][:4+r.IntN(18)]
		for at := i % 2; at < len(b); at++ {
			b[at] = byte('0' + r.IntN(10))
		}
		b[len(b)-3] = '.'
		compare(string(b))
		b[r.IntN(len(b))] = "/:.-+e_0"[r.IntN(8)]
		compare(string(b))
	}
}

// TestQuotingInWords compares quotation of texts made of what matters, of every
// length that is copied in words, with what section 2.4 says of their characters.
func TestQuotingInWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"a", "Z", "7", " ", "-", "+", "~", "^", "#", "@", ".", ":", "[", "]", "{", "}", "true", "null",
		"\"", "\\", ",", "|", "\n", "\x1f", "\x7f", "é", "漢", "\u3000", "\u3001", "\u2028", "\u2030", "\u00a0", "\u00a1", "\ufeff", "😀"}
	special := map[rune]bool{'"': true, '\\': true, ',': true, '|': true}
	quotes := func(s string) bool {
		if s == "" || strings.ContainsAny(s[:1], " #@.") || strings.HasSuffix(s, " ") ||
			lex.Class[s[0]]&lex.LookFirst != 0 && lex.ReadsOtherwise(s) || lex.HoldsArrayPattern(s) {
			return true
		}
		return strings.ContainsFunc(s, func(c rune) bool {
			return special[c] || c < 0x20 || c >= 0x80 && c < 0xA0 || c > 0x7F && (unicode.IsSpace(c) || c == '\ufeff')
		})
	}
	bare := 0
	for range 100_000 {
		s := ""
		for range r.IntN(3) {
			s += strings.Repeat("abcdefgh", 4)[:r.IntN(32)] + parts[r.IntN(len(parts))]
		}
		s += "abcdefgh"[:r.IntN(9)]
		want := s
		if quotes(s) {
			want = string(scan.AppendQuote(nil, s))
		} else {
			bare++
		}
		dst := append(make([]byte, 0, 1+r.IntN(100)), '>')
		require.Equal(t, ">"+want, string(lex.AppendString(dst, s)), "%q", s)
	}
	require.Greater(t, bare, 30_000)
}

// TestAppendString puts every byte at every place of strings of every length that
// is copied in words, into memory with and without room.
func TestAppendString(t *testing.T) {
	for n := range 70 {
		for at := range max(1, n) {
			for _, c := range []string{"a", "\"", "\\", "\x1f", "|", ",", "[", " ", "#", "-", "0", "t", "~", "\xc2", "\xe4", "\x7f"} {
				s := strings.Repeat("x", n)
				if n > 0 {
					s = s[:at] + c + s[at+1:]
				}
				want := s
				if lex.NeedsQuotes(s) {
					want = string(scan.AppendQuote(nil, s))
				}
				for _, room := range []int{0, n, n + 2, 200} {
					dst := append(make([]byte, 0, 1+room), '>')
					if got := string(lex.AppendString(dst, s)); got != ">"+want {
						t.Fatalf("%q is written %s, not %s", s, got, want)
					}
				}
			}
		}
	}
	for _, s := range []string{"true", "false", "tru", "t", "-", "~", "^", "1", "12", "1.5", "-3", "+1", "1e5", "007", "@id", "12345678", "123456789012", "1 2"} {
		want := s
		if lex.NeedsQuotes(s) {
			want = string(scan.AppendQuote(nil, s))
		}
		require.Equal(t, want, string(lex.AppendString(make([]byte, 0, 64), s)))
	}
}
