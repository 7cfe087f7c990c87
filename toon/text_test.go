package toon

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestBarredByte compares the search in words with that in bytes, for every byte
// at every place of strings of every short length.
func TestBarredByte(t *testing.T) {
	trials.OneGoroutine(t)
	for c := range 256 {
		for _, filler := range []byte{'x', ' ', 0x7f, 0x7a, 0x7e, 0xff, 0x80, '^', 'Z', ';', '!', '-'} {
			b := bytes.Repeat([]byte{filler}, 34)
			for at := range b {
				b[at] = byte(c)
				for n := at + 1; n <= len(b); n++ {
					for _, delim := range []byte(",|\t") {
						s := string(b[:n])
						if got, want := barredByte(s, delim), barredIn(s, delim); got != want {
							t.Fatalf("%q: %v", s, got)
						}
						want := string(appendString(nil, s, delim))
						if got := string(appendString(make([]byte, 0, 64), s, delim)); got != want {
							t.Fatalf("%q is written %s, not %s", s, got, want)
						}
					}
				}
				b[at] = filler
			}
		}
	}
}

// TestAppendNumber compares what is told from words with what the digits one by
// one say.
func TestAppendNumber(t *testing.T) {
	check := func(text string) {
		want := canonicalNumber([]byte(text), 0)
		for _, room := range []int{0, 64} {
			if got := appendNumber(make([]byte, 1, 1+room), number(t, text)); string(got[1:]) != string(want) {
				t.Fatalf("%s is written %s, not %s", text, got[1:], want)
			}
		}
	}
	for n := 1; n <= 26; n++ {
		for _, fill := range []string{"0", "1", "9"} {
			digits := strings.Repeat(fill, n)
			whole := strings.TrimLeft(digits, "0")
			for _, sign := range []string{"", "-"} {
				check(sign + "7" + digits)
				check(sign + "0." + digits)
				check(sign + "0." + digits + "3")
				check(sign + "0." + digits + "30")
				check(sign + "1" + digits + ".5")
				check(sign + "1" + digits + ".0")
				check(sign + "3e" + digits)
				check(sign + "3." + digits + "E-7")
				for i := 1; i < len(whole); i++ {
					check(sign + whole[:i] + "." + whole[i:])
					check(sign + whole[:i] + "." + whole[i:] + "0")
				}
			}
		}
	}
	check("0")
	check("-0")
	check("-0.0")
}

func number(t *testing.T, text string) wire.Value {
	v, err := wire.Number(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
