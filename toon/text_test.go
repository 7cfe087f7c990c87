package toon

import (
	"strings"
	"testing"
)

// TestBarredByte compares the search in words with that in bytes, for every byte
// at every place.
func TestBarredByte(t *testing.T) {
	for c := range 256 {
		for at := range 18 {
			for _, filler := range []byte{'x', ' ', 0x7f, 0x7a, 0x7e, 0xff, 0x80, '^', 'Z', ';', '!', '-'} {
				b := []byte(strings.Repeat(string(rune('a')), 18))
				for i := range b {
					b[i] = filler
				}
				b[at] = byte(c)
				for _, barred := range []uint8{classSpecial | classComma, classSpecial | classPipe, classSpecial | classTab} {
					if got, want := barredByte(string(b), barred), inClass(string(b), barred); got != want {
						t.Fatalf("%q: %v", b, got)
					}
				}
			}
		}
	}
}
