package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

func objects(l *caseList) {
	l.json(listed("objects")...)
	for _, n := range []int{3, 12, 13, 20, 21, 64, 65, 100} {
		l.add(fmt.Sprintf("%d members", n), numbered(n, func(i int) wire.Value { return wire.Int(int64(i)) }))
	}
	l.add("members of every kind in turn", numbered(40, func(i int) wire.Value {
		return []wire.Value{wire.Null(), wire.Bool(true), wire.Int(1), wire.String("x"), array(1, "a"), record("a", 1), array(record("a", 1), record("a", 2))}[i%7]
	}))
}

// numbered returns an object of n members with the keys k0, k1 and so on.
func numbered(n int, member func(i int) wire.Value) wire.Value {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("k%d", i)
	}
	return objectOf(keys, member)
}

func keys(l *caseList) {
	all := slices.Concat(keyStrings, wordStrings, syntaxStrings, characterStrings)
	for c := range rune(0x20) {
		all = append(all, "k"+string(c))
	}
	all = append(all, strings.Repeat("k", 300), strings.Repeat("é|", 200))
	seen := map[string]bool{"plain": true, "other": true, "more": true, "most": true, "other key": true, "rows": true, "a": true, "b": true}
	all = slices.DeleteFunc(all, func(k string) bool {
		had := seen[k]
		seen[k] = true
		return had
	})
	for i, k := range all {
		for _, p := range keyPositions {
			l.add(fmt.Sprintf("%d %s, %s", i, shortened(fmt.Sprintf("%+q", k)), p.name), p.putKey(k))
		}
	}
	every := objectOf(all, func(i int) wire.Value { return wire.Int(int64(i)) })
	l.add("all in one object", every)
	l.add("all in one table", array(every, every, every))
	l.add("each its own row", repeated(len(all), func(i int) wire.Value { return record(all[i], i) }))
	l.json(listed("keys")...)
}

func memberOrder(l *caseList) {
	names := []string{"b", "a", "C", "10", "9", ""}
	for _, order := range orders(len(names)) {
		members := make([]wire.Member, len(order))
		for i, at := range order {
			members[i] = wire.Member{Key: names[at], Value: wire.Int(int64(at))}
		}
		l.add(fmt.Sprint(order), builder.Object(members...))
	}
	for _, p := range orders(3) {
		for _, q := range orders(3) {
			row := func(order []int) wire.Value {
				cells := []wire.Member{{Key: "x", Value: wire.Int(1)}, {Key: "y", Value: wire.String("s")}, {Key: "z", Value: wire.Null()}}
				return builder.Object(cells[order[0]], cells[order[1]], cells[order[2]])
			}
			name := fmt.Sprint("rows ", p, q)
			l.add(name, array(row(p), row(q), row(p)))
			l.add(name+", keyed", record("p", row(p), "q", row(q), "r", row(p)))
			l.add(name+", nested", array(record("n", 1, "o", row(p)), record("n", 2, "o", row(q)), record("n", 3, "o", row(p))))
		}
	}
	l.json(listed("member-order")...)
}

// orders returns every order of the first n numbers.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, order := range orders(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(order), at, n-1))
		}
	}
	return all
}

func arrays(l *caseList) {
	l.json(listed("arrays")...)
	for _, n := range []int{2, 3, 9, 10, 11, 100} {
		l.add(fmt.Sprintf("%d integers", n), repeated(n, func(i int) wire.Value { return wire.Int(int64(i * i)) }))
		l.add(fmt.Sprintf("%d empty strings", n), repeated(n, func(int) wire.Value { return wire.String("") }))
		l.add(fmt.Sprintf("%d nulls", n), record("a", repeated(n, func(int) wire.Value { return wire.Null() })))
	}
}

// cells are the members that a table's rows take in turn.
var cells = []wire.Value{wire.Int(1), wire.String("a"), wire.Null(), wire.Bool(true), wire.String(""), wire.Float(2.5), wire.String("b c"), wire.Bool(false), wire.String("x|y,z\t"), number("1.50")}

func tables(l *caseList) {
	for _, rows := range []int{1, 2, 3, 4, 10, 50} {
		for _, columns := range []int{1, 2, 3, 8, 20, 21, 70} {
			table := repeated(rows, func(r int) wire.Value {
				return numbered(columns, func(c int) wire.Value { return cells[(r*columns+c*c)%len(cells)] })
			})
			name := fmt.Sprintf("%d rows of %d", rows, columns)
			l.add(name, table)
			l.add(name+", as a member", record("before", "x", "rows", table, "after", array(1, 2)))
		}
	}
	for i, c := range cells {
		l.add(fmt.Sprintf("all cells %d", i), repeated(4, func(int) wire.Value { return record("a", c, "b", c) }))
		l.add(fmt.Sprintf("one column, all cells %d", i), repeated(4, func(int) wire.Value { return record("a", c) }))
	}
	l.json(listed("tables")...)
}

func sparseTables(l *caseList) {
	// Every way to leave cells of three rows and two columns absent, null, empty or filled.
	states := []struct {
		there bool
		cell  wire.Value
	}{{false, wire.Null()}, {true, wire.Null()}, {true, wire.String("")}, {true, wire.Int(7)}}
	for n := range 1 << 12 {
		rows := make([]wire.Value, 3)
		for r := range rows {
			var members []wire.Member
			for c, key := range []string{"a", "b"} {
				if s := states[n>>(2*(2*r+c))&3]; s.there {
					members = append(members, wire.Member{Key: key, Value: s.cell})
				}
			}
			rows[r] = builder.Object(members...)
		}
		// One in seven, and all whose first row is complete.
		if n%7 == 0 || n&15 == 15 {
			l.add(fmt.Sprintf("cells %012b", n), wire.Array(rows...))
		}
		if n%17 == 0 {
			l.add(fmt.Sprintf("cells %012b, keyed", n), record("r0", rows[0], "r1", rows[1], "r2", rows[2]))
			l.add(fmt.Sprintf("cells %012b, with a full column", n), array(record("id", 1, "o", rows[0]), record("id", 2, "o", rows[1]), record("id", 3, "o", rows[2])))
		}
	}
	for _, every := range []int{2, 3, 10} {
		l.add(fmt.Sprintf("one member in %d absent", every), repeated(30, func(r int) wire.Value {
			var members []wire.Member
			for c := range 6 {
				if c == 0 || (r+c)%every != 0 {
					members = append(members, wire.Member{Key: fmt.Sprintf("c%d", c), Value: cells[(r+c)%len(cells)]})
				}
			}
			return builder.Object(members...)
		}))
	}
	l.add("a column of one row each", repeated(30, func(i int) wire.Value { return record(fmt.Sprintf("c%d", i), i) }))
	l.add("a growing row", repeated(25, func(i int) wire.Value { return numbered(i, func(c int) wire.Value { return wire.Int(int64(c)) }) }))
	l.add("a shrinking row", repeated(25, func(i int) wire.Value { return numbered(25-i, func(c int) wire.Value { return wire.Int(int64(c)) }) }))
	l.json(listed("sparse-tables")...)
}

func nestedTables(l *caseList) {
	// What the second column of three rows holds: all choices of three.
	inner := listed("inside-of-tables")
	for i, x := range inner {
		for j, y := range inner {
			z := inner[(i*5+j*3)%len(inner)]
			l.json(`[{"n":1,"c":` + x + `},{"n":2,"c":` + y + `},{"n":3,"c":` + z + `}]`)
			if (i+j)%3 == 0 {
				l.json(`{"t":[{"c":`+x+`,"n":"a"},{"c":`+y+`,"n":"b","d":`+x+`}],"after":`+z+`}`, `[{"c":`+x+`},{"n":1},{"c":`+y+`}]`)
			}
		}
	}
	l.json(listed("nested-tables")...)
}

func keyedMaps(l *caseList) {
	l.json(listed("keyed-maps")...)
	for _, n := range []int{2, 3, 10, 100} {
		m := numbered(n, func(i int) wire.Value {
			return record("host", fmt.Sprintf("h%d.example.com", i), "port", 8000+i, "up", i%3 > 0, "note", cells[i%len(cells)])
		})
		l.add(fmt.Sprintf("%d records", n), m)
		l.add(fmt.Sprintf("%d records, as a member", n), record("hosts", m, "n", n))
	}
}
