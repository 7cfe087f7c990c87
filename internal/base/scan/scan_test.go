package scan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "-": 0, "+1": 0, ".5": 0, "a": 0, "0": 1, "-0": 2, "01": 1, "10": 2, "1.": 1, "1.5": 3, "1.5.": 3,
		"1e": 1, "1e+": 1, "1e5": 3, "1E-05x": 5, "-12.50e+10,": 10, "1e5.5": 3, "٣": 0,
	} {
		require.Equal(t, want, scan.Number(text), text)
		require.Equal(t, want, scan.Number([]byte(text)), text)
	}
}

func TestStringEnd(t *testing.T) {
	for c := range 256 {
		special := c < 0x20 || c == '"' || c == '\\'
		for at := range 20 {
			b := []byte(strings.Repeat("\x7fz\xff ", 5))
			b[at] = byte(c)
			want := len(b)
			if special {
				want = at
			}
			require.Equal(t, want, scan.StringEnd(string(b), 0))
			require.Equal(t, len(b), scan.StringEnd(string(b), at+1))
		}
	}
	// Bytes above a special one must not hide it.
	require.Equal(t, 0, scan.StringEnd("\"\x20\x20\x20\x20\x20\x20\x20", 0))
	require.Equal(t, 3, scan.StringEnd("\x20\x20\x20\x00\x20\x80\"\\", 0))
}

func TestAppendQuote(t *testing.T) {
	for _, s := range []string{"", "plain", "\"\\\b\f\n\r\t/\x00\x1f\x7f\u2028é漢😀", strings.Repeat("long ", 100) + "\n"} {
		var back string
		quoted := scan.AppendQuote([]byte("x"), s)
		require.NoError(t, json.Unmarshal(quoted[1:], &back))
		require.Equal(t, s, back)
	}
	require.Equal(t, `"\"\\\b\f\n\r\t/\u0000\u001f"`, string(scan.AppendQuote(nil, "\"\\\b\f\n\r\t/\x00\x1f")))
}

func TestValidUTF8(t *testing.T) {
	for text, want := range map[string]int{"": 0, "aé": 3, "a\xff": 1, "\xc0\x80": 0, "ab\xed\xa0\x80": 2, "漢\xe6\xbc": 3} {
		require.Equal(t, want, scan.ValidUTF8([]byte(text)), "%q", text)
	}
}

func TestHex4(t *testing.T) {
	for text, want := range map[string]rune{"0000": 0, "00e9": 0xe9, "FFFFx": 0xffff, "aBcD": 0xabcd} {
		r, ok := scan.Hex4([]byte(text))
		require.True(t, ok)
		require.Equal(t, want, r)
	}
	for _, text := range []string{"", "123", "12g4", "+123", " 123", "１２３４"} {
		_, ok := scan.Hex4([]byte(text))
		require.False(t, ok, text)
	}
}
