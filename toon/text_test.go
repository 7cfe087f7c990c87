package toon

import (
	"bytes"
	"testing"
)

// TestBarredByte compares the search in words with that in bytes, for every byte
// at every place of strings of every short length.
func TestBarredByte(t *testing.T) {
	for c := range 256 {
		for _, filler := range []byte{'x', ' ', 0x7f, 0x7a, 0x7e, 0xff, 0x80, '^', 'Z', ';', '!', '-'} {
			b := bytes.Repeat([]byte{filler}, 18)
			for at := range b {
				b[at] = byte(c)
				for n := at + 1; n <= len(b); n++ {
					for _, delim := range []byte(",|\t") {
						s := string(b[:n])
						if got, want := barredByte(s, delim), barredIn(s, delim); got != want {
							t.Fatalf("%q: %v", s, got)
						}
					}
				}
				b[at] = filler
			}
		}
	}
}
