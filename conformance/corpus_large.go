package conformance

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// nestings are the ways to put a value one level deeper.
var nestings = []position{
	{"arrays", func(v wire.Value) wire.Value { return array(v) }},
	{"arrays with others", func(v wire.Value) wire.Value { return array(1, v, "x") }},
	{"objects", func(v wire.Value) wire.Value { return record("a", v) }},
	{"objects with others", func(v wire.Value) wire.Value { return record("x", 1, "a", v, "y", array(1, 2)) }},
	{"objects with an awkward key", func(v wire.Value) wire.Value { return record("a>b [1]", v) }},
	{"rows", func(v wire.Value) wire.Value { return array(record("n", 1, "a", v)) }},
	{"three rows", func(v wire.Value) wire.Value {
		return array(record("n", 1, "a", nil), record("n", 2, "a", v), record("n", 3))
	}},
	{"tables in objects", func(v wire.Value) wire.Value { return record("t", array(record("a", v), record("a", 1))) }},
	{"keyed maps", func(v wire.Value) wire.Value { return record("p", record("a", v, "b", 1), "q", record("a", 1, "b", 2)) }},
	{"arrays of arrays", func(v wire.Value) wire.Value { return array(array(), v, array(1)) }},
}

func deep(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	for _, way := range nestings {
		for _, leaf := range []wire.Value{wire.Int(1), array(), record(), array(record("x", 1, "y", "a"), record("x", 2, "y", "b"), record("x", 3, "y", "c"))} {
			v := leaf
			for depth := range 200 {
				switch depth {
				case 1, 2, 3, 5, 10, 31, 32, 33, 64, 100, 127, 128, 129, 190:
					l.add(fmt.Sprintf("%d %s around %s", depth, way.name, shortened(v2s(leaf))), v)
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

func v2s(v wire.Value) string { return string(wire.AppendJSON(nil, v)) }

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

func wide(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
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
