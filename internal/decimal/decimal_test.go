package decimal_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/scan"
)

// TestAppendFloat compares with the examples of ECMAScript's Number::toString.
func TestAppendFloat(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", -1.5: "-1.5", 123456789: "123456789", 1e20: "100000000000000000000", 123456789012345680000: "123456789012345680000",
		1e21: "1e+21", 1.5e21: "1.5e+21", 1e-6: "0.000001", 1.5e-6: "0.0000015", 1e-7: "1e-7", 1.25e-10: "1.25e-10",
		5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308", -1e-9: "-1e-9", 1e100: "1e+100",
	} {
		require.Equal(t, want, string(decimal.AppendFloat(nil, f)))
	}
	require.Equal(t, "x-0", string(decimal.AppendFloat([]byte("x"), math.Copysign(0, -1))))

	// Short decimals, for which there is a shorter way, and their neighbours.
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		f := float64(random.Int64N(int64(math.Pow10(1+random.IntN(17))))) / math.Pow10(random.IntN(8))
		for _, f := range []float64{f, -f, math.Nextafter(f, 0), math.Nextafter(f, 1e30)} {
			if abs := math.Abs(f); abs < 1e-6 || abs >= 1e21 {
				continue
			}
			want := strconv.FormatFloat(f, 'f', -1, 64)
			if got := string(decimal.AppendFloat(nil, f)); got != want {
				t.Fatalf("%s, not %s", got, want)
			}
		}
	}
}

func TestParseFloat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		s := strconv.FormatUint(random.Uint64()>>random.IntN(64), 10)
		if n := random.IntN(len(s)); n > 0 {
			s = s[:n] + "." + s[n:]
		}
		if random.IntN(4) == 0 {
			s += "e" + strconv.Itoa(random.IntN(700)-350)
		}
		if random.IntN(2) == 0 {
			s = "-" + s
		}
		want, err := strconv.ParseFloat(s, 64)
		got, ok := decimal.ParseFloat(s)
		require.Equal(t, err == nil, ok, s)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), s)
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"0", "-0", "1", "1.0", "10e-1", "0.001e3", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
		"1e19", "12345678901234567890123", "0.5", "5e-1", "1e400", "1e-400", "100e-2", "-0.0e5", "1e18", "1844674407370955161.5e1"} {
		f.Add(s, "1")
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok := exact(a)
		y, ok2 := exact(b)
		if !ok || !ok2 {
			return
		}
		require.Equal(t, x.Cmp(y) == 0, decimal.Equal(a, b), "%s %s", a, b)
		i, ok := decimal.Int64(a)
		require.Equal(t, x.IsInt() && x.Num().IsInt64(), ok, a)
		if ok {
			require.Equal(t, x.Num().Int64(), i)
		}
		u, ok := decimal.Uint64(a)
		require.Equal(t, x.IsInt() && x.Num().IsUint64(), ok, a)
		if ok {
			require.Equal(t, x.Num().Uint64(), u)
		}
		want, err := strconv.ParseFloat(a, 64)
		got, survives := decimal.Float64(a)
		require.Equal(t, want, got)
		if err != nil {
			require.False(t, survives)
			return
		}
		short, _ := exact(strconv.FormatFloat(want, 'e', -1, 64))
		require.Equal(t, short.Cmp(x) == 0, survives, a)
	})
}

// exact reads a number of modest size with math/big.
func exact(s string) (*big.Rat, bool) {
	if n := scan.Number(s); n == 0 || n != len(s) || len(s) > 60 {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if e, err := strconv.Atoi(s[i+1:]); err != nil || e > 500 || e < -500 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

func TestHugeExponents(t *testing.T) {
	big := strings.Repeat("9", 1000)
	require.True(t, decimal.Equal("1e"+big, "1.0e+0"+big))
	require.False(t, decimal.Equal("1e"+big, "1e-"+big))
	require.False(t, decimal.Equal("1e"+big, "2e"+big))
	require.True(t, decimal.Equal("0e"+big, "-0"))
	_, ok := decimal.Int64("1e" + big)
	require.False(t, ok)
	_, ok = decimal.Int64("10e-1" + big)
	require.False(t, ok)
}

func TestIsFloat(t *testing.T) {
	for _, f := range []float64{0, 0.1, -1e23, 5e-324, math.MaxFloat64, 1 << 80, 9007199254740992} {
		for _, digits := range []int{-1, 16, 766} {
			require.True(t, decimal.IsFloat(strconv.FormatFloat(f, 'e', digits, 64), f))
		}
	}
	require.True(t, decimal.IsFloat("1208925819614629174706176", 1<<80), "every digit of 2^80")
	for s, f := range map[string]float64{"1e-400": 0, "9007199254740993": 9007199254740992, "0.10000000000000000001": 0.1, "1": 2} {
		require.False(t, decimal.IsFloat(s, f), s)
	}
}
