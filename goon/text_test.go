package goon

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// TestQuotedText: texts are written as by a writer that looks at one character at a time,
// wherever eight bytes end, and those that are not UTF-8 do not become UTF-8.
func TestQuotedText(t *testing.T) {
	plain := func(s string) string {
		var b strings.Builder
		for _, r := range s {
			switch {
			case r == '\u0085':
				b.WriteString(`\u0085`)
			case r == '\u2028':
				b.WriteString(`\u2028`)
			case r == '\u2029':
				b.WriteString(`\u2029`)
			case r < 0x80 && scan.FewLetters[r] != 0:
				b.WriteString(`\` + string(scan.FewLetters[r]))
			case r >= 0x20 && (r < 0x7F || r >= 0xA0):
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	buf := make([]byte, 1<<7)
	check := func(s string) {
		for at := range 9 {
			for _, after := range []string{"", "plain plain"} {
				text := "........"[:at] + s + after
				for _, room := range []int{len(text), len(buf)} {
					got := string(appendQuotedText(buf[:0:room], text))
					if valid := utf8.ValidString(text); valid != utf8.ValidString(got) || valid && got != plain(text) {
						require.Equal(t, plain(text), got, "%q, which is UTF-8: %v", text, valid)
					}
				}
			}
		}
	}
	bytes := "\x00\t\x1F !\"\\x~\x7F\x80\x85\x9F\xA0\xA8\xA9\xBF\xC2\xC3\xE2\xE3\xF0\xFF"
	for a := range len(bytes) {
		for b := range len(bytes) {
			for c := range len(bytes) {
				check(string([]byte{bytes[a], bytes[b], bytes[c]}))
			}
			check("\xC2" + string([]byte{bytes[a], bytes[b]}) + "\xA9")
			check("\xE2" + string([]byte{bytes[a]}) + "\x80" + string([]byte{bytes[b]}) + "\xA8")
		}
	}
	for a := range 0x10000 {
		check(string([]byte{byte(a >> 8), byte(a)}))
	}
}
