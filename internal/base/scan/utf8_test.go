package scan_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// Every sequence of three bytes that begins beyond ASCII, and of four with the
// last one at a bound, in words and in the rest after them.
func TestIsUTF8(t *testing.T) {
	trials.OneGoroutine(t)
	check := func(b []byte) {
		if scan.IsUTF8(b) != utf8.Valid(b) {
			t.Fatalf("%q: %v", b, scan.IsUTF8(b))
		}
	}
	buf := []byte("abc\x00\x00\x00\x00defghijk")
	for first := 0x80; first < 0x100; first++ {
		for second := range 0x100 {
			buf[3], buf[4] = byte(first), byte(second)
			for third := range 0x100 {
				buf[5], buf[6] = byte(third), 'x'
				check(buf)
			}
			for _, third := range []byte{0x7F, 0x80, 0xBF, 0xC0} {
				for _, fourth := range []byte{0x7F, 0x80, 0xBF, 0xC0} {
					buf[5], buf[6] = third, fourth
					check(buf)
					check(buf[:7])
					check(buf[3:])
				}
			}
		}
	}
	text := []byte(strings.Repeat("aé漢字😀, ", 4))
	for i := range text {
		check(text[i:])
		check(text[:i])
	}
}
