package conformance

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

func integers(l *caseList) {
	add := func(text string) { l.everywhere(numberName(text), number(text)) }
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

func decimals(l *caseList) {
	texts := listed("decimals")
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

func deep(l *caseList) {
	for _, way := range nestings {
		for _, leaf := range []wire.Value{wire.Int(1), array(), record(), array(record("x", 1, "y", "a"), record("x", 2, "y", "b"), record("x", 3, "y", "c"))} {
			v := leaf
			for depth := range 200 {
				switch depth {
				case 1, 2, 3, 5, 10, 31, 32, 33, 64, 100, 127, 128, 129, 190:
					l.add(fmt.Sprintf("%d %s around %s", depth, way.name, shortened(text(leaf).String())), v)
				}
				// A level of some ways is two of the model.
				if depthOf(v) >= 198 {
					break
				}
				v = way.put(v)
			}
		}
	}
	v := value(nil)
	for i := range 95 {
		v = nestings[i%len(nestings)].put(v)
	}
	l.add("all ways in turn", v)
}

// depthOf returns how many arrays and objects are around the innermost value.
func depthOf(v wire.Value) int {
	d := 0
	for e := range v.Elements() {
		d = max(d, depthOf(e))
	}
	if v.Kind() >= wire.KindArray {
		d++
	}
	return d
}

func wide(l *caseList) {
	l.add("1,000 members", numbered(1000, func(i int) wire.Value { return cells[i%len(cells)] }))
	l.add("6,000 members", numbered(6000, func(i int) wire.Value { return wire.Int(int64(i)) }))
	l.add("10,000 elements", repeated(10_000, func(i int) wire.Value { return wire.Int(int64(i)) }))
	l.add("5,000 strings", repeated(5000, func(i int) wire.Value { return wire.String(fmt.Sprintf("item %d", i)) }))
	l.add("2,000 rows", repeated(2000, func(i int) wire.Value {
		return record("id", i, "name", fmt.Sprintf("name %d", i), "ok", i%2 == 0, "score", float64(i)/8, "note", cells[i%len(cells)])
	}))
	l.add("3 rows of 500 columns", repeated(3, func(r int) wire.Value {
		return numbered(500, func(c int) wire.Value { return cells[(r+c)%len(cells)] })
	}))
	l.add("1,000 sparse rows", repeated(1000, func(i int) wire.Value {
		return record("id", i, fmt.Sprintf("c%d", i%40), i)
	}))
	l.add("200 rows with a key of their own", repeated(200, func(i int) wire.Value { return record(fmt.Sprintf("c%d", i), i) }))
	l.add("1,000 records by key", numbered(1000, func(i int) wire.Value { return record("a", i, "b", "x") }))
	l.add("500 rows with tables", repeated(500, func(i int) wire.Value {
		return record("id", i, "items", repeated(i%4, func(j int) wire.Value { return record("sku", j, "qty", i) }), "at", record("x", i, "y", 1))
	}))
	l.add("2,000 empty arrays", repeated(2000, func(int) wire.Value { return array() }))
	l.add("2,000 empty objects", repeated(2000, func(int) wire.Value { return record() }))
	l.add("long keys", numbered(20, func(int) wire.Value { return record(strings.Repeat("k", 5000), 1) }))
}
