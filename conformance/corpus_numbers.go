package conformance

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

func integers(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	seen := map[string]bool{}
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			l.everywhere(numberName(text), number(text))
		}
	}
	for _, bits := range []uint{7, 8, 15, 16, 31, 32, 53, 62, 63, 64, 65, 128} {
		edge := new(big.Int).Lsh(big.NewInt(1), bits)
		for _, d := range []int64{-2, -1, 0, 1, 2} {
			n := new(big.Int).Add(edge, big.NewInt(d))
			add(n.String())
			add(new(big.Int).Neg(n).String())
		}
	}
	for _, text := range []string{"0", "-0", "7", "-7", "10", "99", "100", "1000000", "999999999999999", "1000000000000000", "9999999999999999", "99999999999999999999", "100000000000000000000", "100000000000000000001", "1000000000000000000000", "123456789012345678901234567890"} {
		add(text)
	}
	add("1" + strings.Repeat("0", 308))
	add("1" + strings.Repeat("0", 400))
	add("-" + strings.Repeat("9", 1000))
	for _, n := range []int64{math.MinInt64, math.MinInt32, -1, 0, 1, math.MaxInt32, math.MaxInt64} {
		l.add(fmt.Sprintf("Int %d", n), array(wire.Int(n), record("n", wire.Int(n))))
	}
	l.add("Uint", array(wire.Uint(math.MaxInt64), wire.Uint(math.MaxInt64+1), wire.Uint(math.MaxUint64)))
	l.add("column of growing integers", repeated(70, func(i int) wire.Value {
		return record("n", number(new(big.Int).Lsh(big.NewInt(1), uint(i)).String()), "i", i)
	}))
}

func decimals(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	texts := strings.Fields(`
		0.0 -0.0 0.00 1.0 -1.0 1.00 10.0 100.0 0.1 0.10 -0.1 0.5 1.5 1.25 2.50 3.14159 0.30000000000000004 0.1000000000000000055511151231257827
		1e0 1e1 1E1 1e+1 1e-1 1E+01 1e01 1e-01 1.0e3 1.5e3 1e3 12e2 0e0 0e5 -0e0 -0e-5 0.0e10 1e5 1e6 1e14 1e15 1e16 1e20 1e21 1e22 1e+20 1e+21
		100000.0 999999.5 1000000.5 99999999999999.9 999999999999999.9 1000000000000000.5 9007199254740991.0 9007199254740992.0 9007199254740993.0 9223372036854775807.0 9223372036854775808.0 18446744073709551616.0
		0.001 0.0001 0.00001 0.000001 0.0000001 1e-5 1e-6 1e-7 9.99e-7 1.5e-7 0.00012345
		1.7976931348623157e308 1.7976931348623158e308 1.7976931348623159e308 1.8e308 1e308 1e309 1e400 -1e400 1e999999 1e-999999 1e99999999999999999999
		5e-324 4.9e-324 2.4703282292062327e-324 2e-324 2.2250738585072014e-308 2.2250738585072011e-308 2.225073858507201e-308 1e-400
		123456789.123456789 1234567890.12345678901234567890 0.123456789012345678901234567890 3.141592653589793238462643383279502884
		0.1e1 0.01e2 10e-1 100e-2 1.10e1 33.333333333333336 66.66666666666667 1e23 9e15 9.007199254740993e15 8.41e21 4.35 0.57 1.005 2.675`)
	for _, text := range texts {
		l.everywhere(text, number(text))
	}
	for _, text := range []string{"1." + strings.Repeat("0", 300), "0." + strings.Repeat("0", 400) + "1", strings.Repeat("1234567890", 50) + "." + strings.Repeat("5", 500), "1e" + strings.Repeat("0", 200) + "5"} {
		l.everywhere(numberName(text), number(text))
	}
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 1e15, 1e16, 1e20, 1e21, 1e-6, 1e-7, 1 << 53, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, math.Pi, 5e-310}
	for _, f := range floats {
		l.everywhere("Float "+wire.Float(f).Text(), wire.Float(f))
	}
	l.add("all in one list", repeated(len(texts), func(i int) wire.Value { return number(texts[i]) }))
	l.add("all in one table", repeated(len(texts), func(i int) wire.Value {
		return record("i", i, "text", texts[i], "number", number(texts[i]))
	}))
}

func numberName(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%s, %d digits", shortened(text), len(text))
	}
	return text
}
