package scan_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// unescape is Escapes.Unescape, byte by byte.
func unescape(e *scan.Escapes, s string, i int) (out []byte, end int) {
	hex := func(i int) rune {
		if len(s) < i+6 || s[i:i+2] != `\u` {
			return -1
		}
		n, err := strconv.ParseUint(s[i+2:i+6], 16, 16)
		if err != nil || s[i+2] == '_' {
			return -1
		}
		return rune(n)
	}
	for i < len(s) {
		switch c := s[i]; {
		case c == '"', c == '\n', c < 0x20 && !e.Controls, c == '\\' && i+1 == len(s):
			return out, i
		case c != '\\':
			out = append(out, c)
			i++
		case e.Letters[s[i+1]] != 0:
			out = append(out, e.Letters[s[i+1]])
			i += 2
		default:
			r := hex(i)
			if r < 0 {
				return out, i
			}
			if utf16.IsSurrogate(r) {
				if r = utf16.DecodeRune(r, hex(i+6)); r == utf8.RuneError || !e.Pairs {
					return out, i
				}
				i += 6
			}
			out = utf8.AppendRune(out, r)
			i += 6
		}
	}
	return out, i
}

// checkUnescape compares Unescape with a loop over bytes: in memory of its own, with and
// without room, and in that of the text.
func checkUnescape(t *testing.T, s string) {
	t.Helper()
	all := scan.FewEscapes
	all.Controls = true
	for n, e := range []*scan.Escapes{&scan.JSONEscapes, &scan.FewEscapes, &all} {
		for _, i := range []int{0, 1, len(s) / 2} {
			if i > len(s) {
				continue
			}
			text, end := unescape(e, s, i)
			for _, room := range []int{0, 1, 3, 8, len(s), len(s) + 8} {
				out, at, beyond := e.Unescape(append(make([]byte, 0, 3+room), "abc"...), s, i)
				require.Equal(t, "abc"+string(text), string(out), "%d: %q from %d, room for %d", n, s, i, room)
				require.Equal(t, end, at, "%d: %q", n, s)
				if beyond&scan.Highs == 0 {
					require.Equal(t, -1, firstBeyond(s[i:end]), "%q", s)
				}
			}
			for w := range i + 1 {
				buf := append([]byte(s), "more"...)
				out, at, _ := e.Unescape(buf[:w], unsafe.String(unsafe.SliceData(buf), len(s)), i)
				require.Equal(t, s[:w]+string(text), string(out), "%d: %q from %d to %d", n, s, i, w)
				require.Equal(t, end, at)
				require.Equal(t, s[end:]+"more", string(buf[end:]), "%q", s)
			}
		}
	}
}

// TestUnescapeDoubled compares the escapes of JSON within another text with those of the
// JSON text.
func TestUnescapeDoubled(t *testing.T) {
	doubled := scan.Escapes{Doubled: true, Pairs: true}
	for _, text := range escapeCases {
		for n := range len(text) + 1 {
			s := text[:n]
			want, end := unescape(&scan.JSONEscapes, s, 0)
			for _, more := range []string{"", "\"", "\\", "\\\"", "x"} {
				if more != "" && strings.HasSuffix(s, "\\") {
					continue
				}
				full := strings.ReplaceAll(s, `\`, `\\`) + more
				out, at, _ := doubled.Unescape(nil, full, 0)
				if end < len(s) || more == "" {
					require.Equal(t, string(want), string(out), "%q", full)
					require.Equal(t, len(strings.ReplaceAll(s[:end], `\`, `\\`)), at, "%q", full)
				}
			}
		}
	}
	for _, s := range []string{`\n`, `\"`, `\u0041`, `\\\`, `\\\n`, `\\ud83d\ude00`, `\\\x`} {
		out, at, _ := doubled.Unescape(nil, s+`"`, 0)
		require.Empty(t, out, s)
		require.Zero(t, at, s)
	}
}

func firstBeyond(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return i
		}
	}
	return -1
}

// escapeCases are texts with escapes, whole, cut short and wrong.
var escapeCases = []string{
	"", `"`, `plain"`, `a\nb"`, `\"\\\/\b\f\n\r\t"`, `\x"`, `\`, `abc\`, `\u`, `\u00`, `\u00e9"`, `\u00E9\u4e2d\u0041\u0000"`, `\u00g0"`, `\u+123"`,
	`\ud83d\ude00"`, `\ud83d\ude00\ud83d"`, `\ud83d"`, `\ude00\ud83d"`, `\ud83d\u0041"`, `\ud83d\n"`, `\ud83dx`, `\ud83d\ude0`, `\uffff\ufffd\ud7ff\ue000"`,
	"a\tb\\n\x01c\nd\"", "\x00", `a text of some length with an escape at its end\n"`, `\na text of some length with an escape at its start"`,
	`short\n, and then more than sixteen bytes, and then another\\, and so on` + "\\\"" + `é漢😀 and some that are wider\u00e9"`,
	`\n\n\n\n\n\n\n\n\n"`, `1234567\n1234567\n12345678\n123456789\n"`,
}

func TestUnescape(t *testing.T) {
	for _, s := range escapeCases {
		for n := range len(s) + 1 {
			checkUnescape(t, s[:n])
			checkUnescape(t, s[n:])
		}
	}
}

func FuzzUnescape(f *testing.F) {
	for _, s := range escapeCases {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 200 {
			checkUnescape(t, s)
		}
	})
}
