package glyph

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// TestAllLetters holds that the shortcut is one.
func TestAllLetters(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if allLetters(r) && !unicode.IsLetter(r) {
			t.Fatalf("%U is no letter", r)
		}
	}
}

// TestQuotedCell compares with a replacement of each character alone.
func TestQuotedCell(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	escapes := strings.NewReplacer(`"`, `\"`, `\`, `\\`, `|`, `\|`, "\x00", `\u0000`, "\x1f", `\u001F`)
	alphabet := []rune("ab|\"\\\x00\x1f \u007f\u0080é漢😀~{}")
	for range 50_000 {
		var b strings.Builder
		for range r.IntN(24) {
			if r.IntN(4) == 0 {
				b.WriteRune(alphabet[r.IntN(len(alphabet))])
			} else {
				b.WriteByte('x')
			}
		}
		s := b.String()
		want := `"` + escapes.Replace(s) + `"`
		require.Equal(t, "|"+want, string(appendQuotedFrom([]byte("|"), s, 0, true)), "%q", s)
		plain := len(s) - len(strings.TrimLeft(s, "x")) // may be passed over
		require.Equal(t, "|"+want, string(appendQuotedFrom([]byte("|"), s, plain, true)), "%q", s)
	}
}

// TestPartRun compares with the class of every byte.
func TestPartRun(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			for _, around := range []string{"z", "9", "_"} {
				b := []byte(strings.Repeat(around, 20))
				b[at] = byte(c)
				want := 20
				if class[c]&classPart == 0 {
					want = at
				}
				require.Equal(t, want, partRun(string(b), 0), "%q", b)
				require.Equal(t, 20, partRun(string(b), at+1))
			}
		}
	}
	// Bytes above a special one must not hide it.
	require.Equal(t, 0, partRun("\xff\xff\xff\xff\xff\xff\xff\xff", 0))
	require.Equal(t, 2, partRun("a-:;@[`{", 0))
}

// TestPlainNumber compares the shortcut for numbers with the long way, which
// goes through float64.
func TestPlainNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 50_000 {
		digits := make([]byte, r.IntN(18)+1)
		for i := range digits {
			digits[i] = "000123456789"[r.IntN(12)]
		}
		text := strings.TrimLeft(string(digits), "0")
		if text == "" || r.IntN(4) == 0 {
			text = "0"
		}
		if r.IntN(3) > 0 {
			text += "." + strings.Repeat("0", r.IntN(6)) + string(digits[:r.IntN(len(digits))+1])
		}
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		for _, threshold := range []int{expThreshold, upstreamExpThreshold} {
			if !isCanonical([]byte(text), threshold) {
				continue
			}
			got, ok := canonicalNumber([]byte(text), 0, threshold)
			require.True(t, ok)
			require.Equal(t, text, string(got))
			require.Equal(t, text, string(splitNumber(text).append(nil)))
		}
	}
}

// TestFloats compares the canonical text of floats with what they are.
func TestFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 50_000 {
		f := math.Float64frombits(r.Uint64())
		switch r.IntN(3) {
		case 0:
			f = math.Ldexp(r.Float64(), r.IntN(80)-20)
		case 1:
			f = math.Pow(10, float64(r.IntN(30)-10)) * (1 + float64(r.IntN(3)-1)*0x1p-52)
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		text := CanonicalizeLoose(wire.Float(f))
		back, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		require.Equal(t, f+0, back, text)
		digits, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		e, err := strconv.Atoi(exp)
		require.NoError(t, err)
		whole := f == math.Trunc(f) && math.Abs(f) <= maxSafe
		require.Equal(t, (e < -4 || e >= 15) && !whole, strings.Contains(text, "e"), "%s %s", text, digits)
	}
}

// TestAppendFloat compares with the form that strconv's two formats give.
func TestAppendFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	want := func(f float64, threshold int) string {
		if f == math.Trunc(f) && math.Abs(f) <= maxSafe {
			return strconv.FormatInt(int64(f), 10)
		}
		text := strconv.FormatFloat(f, 'e', -1, 64)
		exp, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
		require.NoError(t, err)
		if exp < minExp || exp >= threshold {
			return text
		}
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	for range 200_000 {
		f := r.NormFloat64() * math.Pow10(r.IntN(24)-6)
		if r.IntN(3) == 0 {
			f = math.Nextafter(math.Pow10(r.IntN(24)-6), []float64{0, 1e300}[r.IntN(2)])
		}
		for _, threshold := range []int{expThreshold, upstreamExpThreshold} {
			require.Equal(t, want(f, threshold), string(appendFloat(nil, f, threshold)))
		}
	}
}

// TestAppendText puts bytes at every place of strings of every length that is copied
// in words, into memory with and without room.
func TestAppendText(t *testing.T) {
	check := func(s string, cell bool) {
		want := string(appendText(nil, s, cell))
		for _, room := range []int{len(s), len(s) + 2, 200} {
			if got := string(appendText(append(make([]byte, 0, 1+room), '>'), s, cell)); got != ">"+want {
				t.Fatalf("%q is written %s, not %s", s, got, want)
			}
		}
	}
	for n := range 24 {
		for at := range max(1, n) {
			for _, c := range []string{"a", "\"", "\\", "\x1f", "|", "_", "-", ".", "/", "0", ":", " ", "@", "é", "\xff", "漢"} {
				s := strings.Repeat("x", n)
				if n > 0 {
					s = s[:at] + c + s[at+1:]
				}
				check(s, false)
				check(s, true)
			}
		}
	}
	for _, s := range []string{"t", "f", "true", "false", "null", "none", "nil", "_", "trues", "nulls", "9lives", "-dash"} {
		check(s, false)
		check(s, true)
	}
}
