package decimal_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
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
	for range trials.Of(100_000) {
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

// TestAppendFloatRoom writes short decimals into memory with and without room.
func TestAppendFloatRoom(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for i := range 60_000 {
		n := int64(i)
		switch i % 4 {
		case 1:
			n = 1e8 - 30_000 + n
		case 2:
			n = random.Int64N(1e8)
		case 3:
			n = random.Int64N(1e14)
		}
		f := float64(n) / 1e4
		if i%8 < 4 {
			f = -f
		}
		want := strconv.FormatFloat(f, 'f', -1, 64)
		for _, room := range []int{0, 8, 9, 10, 40} {
			if got := string(decimal.AppendFloat(append(make([]byte, 0, 1+room), '>'), f)); got != ">"+want {
				t.Fatalf("%s, not %s", got, want)
			}
		}
	}
}

// TestShortest compares with strconv all over the range of float64, where most
// goes wrong: powers of two and of ten, and the ends.
func TestShortest(t *testing.T) {
	room := make([]byte, 0, 64)
	check := func(f float64) {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		want := strconv.FormatFloat(f, 'e', -1, 64)
		if abs := math.Abs(f); f == 0 || abs >= 1e-6 && abs < 1e21 {
			want = strconv.FormatFloat(f, 'f', -1, 64)
		}
		want = strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(want)
		for _, dst := range [][]byte{nil, room} {
			if got := string(decimal.AppendFloat(dst, f)); got != want {
				t.Fatalf("%s, not %s", got, want)
			}
		}
		if back, ok := decimal.ParseFloat(want); !ok || math.Float64bits(back) != math.Float64bits(f) {
			t.Fatalf("%s read as %v", want, back)
		}
	}
	for exp := range uint64(0x7FF) {
		for _, mantissa := range []uint64{0, 1, 2, 3, 1<<51 - 1, 1 << 51, 1<<52 - 2, 1<<52 - 1} {
			check(math.Float64frombits(exp<<52 | mantissa))
		}
	}
	for exp := -324; exp <= 308; exp++ {
		f, _ := strconv.ParseFloat("1e"+strconv.Itoa(exp), 64)
		for range 3 {
			f = math.Nextafter(f, 0)
		}
		for range 6 {
			check(f)
			check(-f)
			f = math.Nextafter(f, math.Inf(1))
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range trials.Of(300_000) {
		check(math.Float64frombits(random.Uint64()))
		check(float64(random.IntN(1e6)) / 7)
		check(random.Float64())
		// Exact ties and ends of intervals are where few bits are set, or the last
		// one stands for about 1.
		check(math.Float64frombits(random.Uint64()&(0x7FF<<52) | 1<<random.IntN(52) | 1<<random.IntN(52)))
		check(math.Ldexp(float64(random.Uint64()>>11|1), random.IntN(24)-12))
	}
}

func TestParseFloat(t *testing.T) {
	check := func(s string) {
		want, err := strconv.ParseFloat(s, 64)
		got, ok := decimal.ParseFloat(s)
		require.Equal(t, err == nil, ok, s)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), s)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range trials.Of(100_000) {
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
		check(s)
	}
	for _, s := range []string{"0", "-0", "0.000000000000000000000000", "-0.0e5", "0e999", "0.00000000000000000000000000000000012345678901234567890",
		"12345678901234567890", "9223372036854775807.5", "1e400", "-1e400", "1e-400", "1e99999", "1e-99999", "9007199254740993", "9007199254740993.0000000000000001",
		"2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623159e308", "1e23", "8.5e22", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324"} {
		check(s)
	}
	// Numbers half way between two floats, and a little beside.
	for range trials.Of(50_000) {
		f := math.Float64frombits(random.Uint64()&(1<<62-1) | 1<<61)
		half := new(big.Float).SetPrec(80).Add(big.NewFloat(f), big.NewFloat(math.Nextafter(f, math.Inf(1))))
		half.Quo(half, big.NewFloat(2))
		check(half.Text('e', 16+random.IntN(6)))
	}
}

func TestAppendInt(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MaxInt64}
	for n := int64(-20); n < 11_000; n++ {
		numbers = append(numbers, n)
	}
	for n := int64(10); n < 1e18; n *= 10 {
		numbers = append(numbers, n-1, n, n+1, n*9/7, -n)
	}
	for _, n := range numbers {
		want := strconv.FormatInt(n, 10)
		for _, room := range []int{0, 7, 8, 24} {
			got := decimal.AppendInt(append(make([]byte, 0, 1+room), 'x'), n)
			require.Equal(t, "x"+want, string(got))
		}
	}
}

// TestScanFloat finds the same end as the grammar, in any text.
func TestScanFloat(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	const chars = "0123456789012345678900.-+eE,| \x80\xff:/"
	numbers := 0
	for round := range 300_000 {
		b := make([]byte, random.IntN(24))
		for i := range b {
			b[i] = chars[random.IntN(len(chars))]
		}
		if round%3 == 0 { // a long fraction
			digits := strconv.FormatUint(random.Uint64()>>random.IntN(60), 10)
			b = append([]byte("17."[random.IntN(2):]+digits), b...)
		}
		s := string(b)
		at := random.IntN(len(s) + 1)
		f, end := decimal.ScanFloat(s, at)
		n := scan.Number(s[at:])
		if end < 0 {
			continue
		}
		if next := s[min(end, len(s)):]; n != end-at {
			// After the longest number may be what looks like an exponent.
			t.Fatalf("%q at %d: %d, not %d; %q", s, at, end, at+n, next)
		}
		want, err := strconv.ParseFloat(s[at:end], 64)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(want), math.Float64bits(f), s[at:end])
		numbers++
	}
	require.Greater(t, numbers, 50_000)
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

// TestExponentsOfAnyLength compares with sums of math/big: the place of the
// first digit is the exponent and what is before the point.
func TestExponentsOfAnyLength(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	spell := func(first *big.Int, point int) string {
		// 5 with its point moved: as many zeros before or after it.
		e := new(big.Int).Sub(first, big.NewInt(int64(point))).String()
		if point > 0 {
			return "5" + strings.Repeat("0", point-1) + "." + strings.Repeat("0", random.IntN(3)+1) + "e" + e
		}
		return "0." + strings.Repeat("0", -point) + "5E" + e
	}
	for range trials.Of(20_000) {
		digits := 1 + random.IntN(40)
		first := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
		first.Add(first, big.NewInt(random.Int64N(40)-20))
		if random.IntN(2) == 0 {
			first.Neg(first)
		}
		a, b := spell(first, random.IntN(40)-20), spell(first, random.IntN(40)-20)
		require.True(t, decimal.Equal(a, b), "%s %s", a, b)
		next := new(big.Int).Add(first, big.NewInt(1))
		c := spell(next, random.IntN(40)-20)
		require.False(t, decimal.Equal(a, c), "%s %s", a, c)
	}
	for _, same := range [][2]string{
		{"10e99999999999999999", "1e100000000000000000"},
		{"0.1e100000000000000000", "1e99999999999999999"},
		{"100e999999999999999999", "1e1000000000000000001"},
		{"0.001e1000000000000000000", "1e999999999999999997"},
		{"10e-1000000000000000000000", "1e-999999999999999999999"},
		{"1e-0000000000000000000000001", "0.1"},
	} {
		require.True(t, decimal.Equal(same[0], same[1]), "%s %s", same[0], same[1])
	}
	require.False(t, decimal.Equal("1e100000000000000000001", "10e100000000000000000001"))
}

// TestLongNumbers: what strconv does not read, an exponent that undoes a point
// a hundred thousand digits away.
func TestLongNumbers(t *testing.T) {
	zeros := strings.Repeat("0", 200_000)
	for s, want := range map[string]float64{
		"0." + zeros + "125e200001": 1.25, "-125" + zeros + "e-200002": -1.25, "0." + zeros: 0, "1" + zeros + "e-200000": 1,
		"0." + zeros + "1": 0, "9e-1" + zeros: 0, "0." + zeros + "9e-" + zeros + "1": 0,
	} {
		f, ok := decimal.ParseFloat(s)
		require.True(t, ok)
		require.Equal(t, want, f)
	}
	for _, s := range []string{"1" + zeros, "9e1" + zeros} {
		f, ok := decimal.ParseFloat(s)
		require.False(t, ok)
		require.True(t, math.IsInf(f, 1))
	}
	n, ok := decimal.Int64("0." + zeros + "125e200003")
	require.True(t, ok)
	require.EqualValues(t, 125, n)
}

func TestTimeIsLinear(t *testing.T) {
	growth.Linear(t, 20_000, func(n int) func() {
		nines := strings.Repeat("9", n)
		return func() {
			decimal.Equal("10e"+nines, "1e1"+strings.Repeat("0", n))
			decimal.Float64("0." + nines + "e" + nines)
			decimal.Int64(nines + "e-" + nines)
		}
	})
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

// TestFloat64Survives compares with strconv and math/big: numbers of few and of many
// digits, those of float64s and others near them, everywhere.
func TestFloat64Survives(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	check := func(s string) {
		t.Helper()
		f, survives := decimal.Float64(s)
		x, ok := exact(s)
		require.True(t, ok, s)
		short, _ := exact(strconv.FormatFloat(f, 'e', -1, 64))
		require.Equal(t, short.Cmp(x) == 0, survives, s)
	}
	for range trials.Of(20_000) {
		f := random.Float64() * math.Pow(10, float64(random.IntN(30)-15))
		if random.IntN(4) == 0 {
			if f = math.Float64frombits(random.Uint64()); math.IsNaN(f) || math.IsInf(f, 0) {
				continue
			}
		}
		form := "fe"[random.IntN(2)]
		if abs := math.Abs(f); abs < 1e-15 || abs > 1e15 {
			form = 'e'
		}
		check(strconv.FormatFloat(f, form, -1, 64))
		check(strconv.FormatFloat(f, form, 12+random.IntN(8), 64))
	}
	for _, s := range []string{"0", "-0", "0.000", "5e-324", "4e-324", "3e-324", "1e-400", "-0.00000000000000000000001", "1.50000000000000000000", "100000000000000000000",
		"9007199254740993", "9007199254740992.0", "1797693134862315700000000000000000e275", "0.1000000000000000055511151231257827", "1e0000000001", "12345678901234567e-5"} {
		check(s)
	}
}

func TestFloat64Allocates(t *testing.T) {
	for _, s := range []string{"1.5", "-122.41941550000", "0.12345678901234567", "0.30000000000000004441", "123456789012345678901234567890", "1e-310"} {
		require.Zero(t, testing.AllocsPerRun(10, func() { decimal.Float64(s) }), s)
	}
}
