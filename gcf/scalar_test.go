package gcf_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// canonicalDouble is section 2.3.1's form of a double, by strconv.
func canonicalDouble(f float64) string {
	abs := math.Abs(f)
	switch {
	case f == 0:
		return "0"
	case abs >= 1e-6 && abs < 1<<53:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// TestDoubles encodes doubles in many spellings.
func TestDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	doubles := []float64{
		0, 1e-6, math.Nextafter(1e-6, 0), math.Nextafter(1e-6, 1), 1<<53 - 1, 1 << 53, 1<<53 + 2, 1e15, 1e16, 123456.75,
		math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 62, 1 << 63, 1e21, 1e22, 0.1, 0.3, 2.5, 100, 1e5, 4503599627370497.5,
	}
	for range trials.Of(20_000) {
		if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			doubles = append(doubles, f)
		}
		doubles = append(doubles, float64(r.Int64N(1e9))/math.Pow10(r.IntN(15)), math.Exp(r.Float64()*80-40))
	}
	for _, f := range doubles {
		for _, f := range []float64{f, -f} {
			want := header + "=" + canonicalDouble(f) + "\n"
			shortest := strconv.FormatFloat(f, 'e', -1, 64)
			mantissa, exponent, _ := strings.Cut(shortest, "e")
			if !strings.Contains(mantissa, ".") {
				mantissa += ".0"
			}
			spellings := []string{shortest, mantissa + "000E" + exponent, strconv.FormatFloat(f, 'f', -1, 64)}
			if !strings.Contains(spellings[2], ".") {
				spellings[2] += ".00" // without a point it would be an integer
			}
			for _, spelling := range spellings {
				v, err := wire.Number(spelling)
				require.NoError(t, err)
				doc := codectest.Encoded(t, gcf.Codec{}, v)
				require.Equal(t, want, string(doc), spelling)
				back := codectest.Decoded(t, gcf.Codec{}, doc)
				require.True(t, wire.Equal(v, back), spelling)
			}
		}
	}
}

// TestIntegers encodes integers around every power of ten and of two.
func TestIntegers(t *testing.T) {
	var integers []int64
	for _, base := range []int64{2, 10} {
		for n := int64(1); n > 0 && n <= math.MaxInt64/base; n *= base {
			integers = append(integers, n-1, n, n+1, n*base-1)
		}
	}
	integers = append(integers, math.MaxInt64, math.MaxInt64-1, math.MinInt64+1)
	for _, n := range integers {
		for _, n := range []int64{n, -n} {
			text := strconv.FormatInt(n, 10)
			fromText, err := wire.Number(text)
			require.NoError(t, err)
			for _, v := range []wire.Value{wire.Int(n), fromText} {
				doc := codectest.Encoded(t, gcf.Codec{}, v)
				require.Equal(t, header+"="+text+"\n", string(doc))
				back := codectest.Decoded(t, gcf.Codec{}, doc)
				got, exact := back.Int64()
				require.True(t, exact)
				require.Equal(t, n, got)
			}
		}
	}
	for _, text := range []string{"9223372036854775808", "-9223372036854775809", "10000000000000000000", "123456789012345678901234567890"} {
		v, err := wire.Number(text)
		require.NoError(t, err)
		_, err = gcf.Codec{}.AppendEncode(nil, v)
		require.ErrorIs(t, err, wire.ErrRange)
		_, err = gcf.Codec{}.Decode([]byte(header + "=" + text + "\n"))
		require.ErrorIs(t, err, wire.ErrRange)
	}
}

// TestQuotingByPosition puts every ASCII character at every position of strings
// of growing length: a string is quoted because of what is in it, wherever.
func TestQuotingByPosition(t *testing.T) {
	quoted := func(c byte) bool { return c < 0x20 || strings.IndexByte("\"\\|,", c) >= 0 }
	for c := range byte(0x80) {
		for n := 3; n < 27; n++ {
			for at := 1; at < n-1; at++ { // the ends have rules of their own
				s := strings.Repeat("m", at) + string(rune(c)) + strings.Repeat("m", n-at-1)
				doc := codectest.Encoded(t, gcf.Codec{}, wire.String(s))
				require.Equal(t, quoted(c), doc[len(header)+1] == '"', "%q", s)
			}
		}
	}
	for _, at := range []int{0, 1, 5, 8, 13, 16} {
		for _, s := range []string{"[1]:", "\u00a0", "\u0085", "\u2003", "\ufeff"} {
			doc := codectest.Encoded(t, gcf.Codec{}, wire.String(strings.Repeat("m", at)+s+"m"))
			require.Equal(t, byte('"'), doc[len(header)+1], "%q at %d", s, at)
		}
	}
}
