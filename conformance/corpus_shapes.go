package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

func objects(l *caseList) {
	l.json(
		`{}`, `{"a":1}`, `{"a":1,"b":2}`, `{"a":{}}`, `{"a":{},"b":{}}`, `{"a":{"b":{}}}`, `{"a":[]}`, `{"a":[],"b":{}}`, `{"a":null}`, `{"a":null,"b":null}`,
		`{"a":""}`, `{"a":"","b":null,"c":[],"d":{},"e":false,"f":0}`, `{"a":true,"b":1.5,"c":"x","d":[1,"y",null],"e":{"f":{"g":[{}]}}}`,
		`{"a":{"b":1},"c":2,"d":{"e":3}}`, `{"a":1,"b":{"c":1},"d":1}`, `{"a":{"b":1},"c":{"b":1}}`, `{"o":{"a":1,"b":2,"c":3},"l":[1,2,3],"t":[{"x":1},{"x":2}],"s":"end"}`,
		`{"a":{"x":1},"b":{"y":2}}`, `{"a":{"x":1},"b":null}`, `{"a":{"x":1},"b":[]}`, `{"a":{"x":1},"b":{}}`, `{"a":{"x":{}},"b":{"x":{}}}`, `{"a":{"b":{"c":{"d":{"e":1}}}}}`,
		`{"a":{"b":1,"c":{"d":2}},"e":{"b":1,"c":{"d":2}}}`, `{"key":"x","value":1}`, `{"value":[1,2]}`, `{"rows":[]}`, `{"type":"a","id":1}`, `{"format":"gcf","data":{"a":1}}`,
		`{"":1}`, `{"":{"":{"":null}}}`, `{"a":1,"A":2,"á":3}`, `{"1":1,"01":2,"1.0":3,"1e0":4}`, `{"true":true,"null":null,"_":0,"-":1,"~":2}`,
	)
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
			l.add(fmt.Sprintf("%d %s, %s", i, shortened(fmt.Sprintf("%+q", k)), p.name), p.put(k))
		}
	}
	every := objectOf(all, func(i int) wire.Value { return wire.Int(int64(i)) })
	l.add("all in one object", every)
	l.add("all in one table", array(every, every, every))
	l.add("each its own row", repeated(len(all), func(i int) wire.Value { return record(all[i], i) }))
	l.json(
		`{"a":1,"a ":2," a":3,"A":4,"\"a\"":5,"a\\":6}`, `{"a>b":1,"a":{"b":2}}`, `[{"a>b":1,"a":{"b":2}},{"a>b":3,"a":{"b":4}},{"a>b":5,"a":{"b":6}}]`,
		`[{"m":{"a":1},"m>a":2},{"m":{"a":3},"m>a":4}]`, `{"a.b":1,"a":{"b":2}}`, `[{"a.b":1,"a":{"b":2}},{"a":{"b":2}}]`, `{"a/b":{"~1":1,"~0":2,"a~b":3}}`,
		`{"é":1,"e\u0301":2}`, `{"x":1,"x\u0000":2,"x\u200b":3}`, `{"a b":{"c d":{"e f":1}}}`, `{"a=b":1,"a":"b=1"}`, `{"a[0]":1,"a":[1]}`, `{"k":{"key":1,"_key":2},"l":{"key":3,"_key":4}}`,
	)
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
	l.json(
		`[{"b":1,"a":2},{"b":3,"a":4},{"b":5,"a":6}]`, `[{"a":1,"c":2},{"b":3,"a":4},{"c":5,"b":6}]`, `[{"b":1},{"a":1,"b":2},{"c":0,"a":1,"b":2}]`,
		`{"z":{"y":1,"x":2},"a":{"y":3,"x":4}}`, `{"z":{"y":1,"x":2},"a":{"x":3,"y":4}}`, `{"z":1,"y":[{"b":1,"a":{"d":1,"c":2}}],"x":{"w":1,"v":2}}`,
		`[{"m":{"a":1,"b":2},"n":1},{"m":{"b":2,"a":1},"n":1},{"m":{"a":1,"b":2},"n":1}]`, `[{"m":{"a":1},"n":1,"o":2},{"n":1,"m":{"a":1},"o":2}]`, `[{"o":{"p":{"b":1,"a":2}}},{"o":{"p":{"b":3,"a":4}}}]`,
		`[{"a":1,"m":{"x":1}},{"m":{"x":1},"a":1},{"a":1,"m":{"x":1}}]`, `[{"l":[1],"a":1,"k":[2]},{"k":[2],"a":1,"l":[1]}]`,
	)
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
	l.json(
		`[]`, `[[]]`, `[[],[]]`, `[[[]]]`, `[[],{}]`, `[{},[]]`, `[{}]`, `[{},{}]`, `[{},{},{}]`, `[{},{"a":1}]`, `[{"a":1},{}]`, `[{"a":1},{},{"a":1},{}]`,
		`[1]`, `[1,2,3]`, `["a"]`, `["a","b"]`, `[""]`, `["",""]`, `["","",""]`, `["a",""]`, `["","a"]`, `[null]`, `[null,null]`, `[true,false]`, `[null,"",0,false,[],{}]`,
		`[1,"1",1.0,true,"true",null,"null","",[1],"[1]",{"k":1},"{\"k\":1}"]`, `[[1,2],[3,4]]`, `[[1,2],[3]]`, `[[1],2]`, `[1,[2]]`, `[[1,[2,[3,[4]]]]]`, `[["a","b"],["c","d"],["e","f"]]`,
		`[{"a":1}]`, `[{"a":1},2]`, `[1,{"a":1}]`, `[{"a":1},[2]]`, `[{"a":1},null]`, `[null,{"a":1}]`, `[{"a":1},{"b":2}]`, `[{"a":1},"x",{"a":2},[]]`, `[{"a":1},{"a":2},null,{"a":3}]`,
		`{"a":[[]]}`, `{"a":[[],[]]}`, `{"a":[{}]}`, `{"a":[1,[2,3],{"b":4}]}`, `{"a":[1],"b":[],"c":["x","y"]}`, `[[{"a":1},{"a":2}],[{"a":3}]]`, `[[{"a":1}],[{"b":1}]]`, `[[[1,2],[3,4]],[[5,6],[7,8]]]`,
		`["a,b","c|d","e f"]`, `["-","~","^"]`, `["- a","- b"]`, `[-1,-2]`, `[0,-0,0.0]`, `[1,1,1,1]`, `["a","a","a"]`, `[[null],[null]]`, `[[""],[""]]`, `[[{}]]`, `[[{}],[{}]]`, `[[[]],[[]]]`,
	)
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
	l.json(
		`[{"a":1},{"a":2},{"a":3}]`, `{"a":[{"x":1},{"x":2},{"x":3}],"b":[{"x":1},{"x":2},{"x":3}]}`, `{"t":[{"a":1,"b":2},{"a":3,"b":4}],"u":[{"a":1,"b":2},{"a":3,"b":4}]}`,
		`[{"a":"1","b":1},{"a":"2","b":2},{"a":"true","b":true}]`, `[{"a":1},{"a":"1"},{"a":"x"},{"a":true},{"a":null},{"a":1.0}]`, `{"rows":[{"rows":1},{"rows":2}]}`,
		`[{"id":1,"ok":true},{"id":2,"ok":"true"},{"id":3,"ok":"t"}]`, `[{"a":"#x","b":1},{"a":"GCX1","b":2},{"a":"@end","b":3}]`, `[{"a":"","b":""},{"a":"","b":""},{"a":"","b":""}]`,
	)
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
	l.json(`[{"a":1,"b":2},{"b":3}]`, `[{"b":3},{"a":1,"b":2}]`, `[{"a":null},{}]`, `[{},{"a":null}]`, `[{"a":{}},{}]`, `[{"a":[]},{}]`, `[{"a":"~"},{},{"a":"-"},{"a":null},{"a":"_"}]`, `[{"a":{"x":1}},{"a":null},{}]`, `[{"a":{"x":1}},{"a":{"x":null}},{"a":{}},{"a":null},{}]`)
}

func nestedTables(l *caseList) {
	// What the second column of three rows holds: all choices of three.
	inner := []string{
		`1`, `null`, `"x"`, `{}`, `[]`, `{"x":1}`, `{"x":1,"y":"s"}`, `{"y":"s","x":1}`, `{"x":null,"y":null}`, `{"x":1,"y":2,"z":3}`, `{"o":{"x":1}}`, `{"o":{}}`, `{"x>y":1}`, `{"":1}`,
		`[1]`, `[1,"b"]`, `[{"x":1}]`, `[{"x":1},{"x":2}]`, `[{"x":1,"y":{"z":[1]}}]`, `[[1],[2]]`, `[null]`, `[{}]`, `[{},{}]`, `{"k1":{"a":1,"b":2},"k2":{"a":3,"b":4}}`, `"-"`, `"a|b"`,
	}
	for i, x := range inner {
		for j, y := range inner {
			z := inner[(i*5+j*3)%len(inner)]
			l.json(`[{"n":1,"c":` + x + `},{"n":2,"c":` + y + `},{"n":3,"c":` + z + `}]`)
			if (i+j)%3 == 0 {
				l.json(`{"t":[{"c":`+x+`,"n":"a"},{"c":`+y+`,"n":"b","d":`+x+`}],"after":`+z+`}`, `[{"c":`+x+`},{"n":1},{"c":`+y+`}]`)
			}
		}
	}
	l.json(
		`[{"a":[{"b":[{"c":[{"d":1}]}]}]}]`, `[{"o":{"p":{"q":1,"r":2}}},{"o":{"p":{"q":3,"r":4}}},{"o":{"p":{"q":5,"r":6}}}]`, `[{"o":{"a":{"b":1},"c":2}},{"o":{"a":null,"c":2}}]`, `[{"o":{"a":{"b":1},"c":2}},{"o":null},{}]`,
		`[{"a":[1,2],"b":{"x":1},"c":[{"y":1}]},{"a":[],"b":{},"c":[]}]`, `[{"t":[{"x":1,"y":2},{"x":3,"y":4}]},{"t":[{"x":5,"y":6}]},{"t":[{"y":8,"x":7}]}]`, `[{"t":[{"x":1}]},{"t":[{},{}]},{"t":[{"x":null}]}]`,
		`[{"a":{"b":1}},{"a":[1]},{"a":"s"},{"a":null},{}]`, `{"a":[{"b":[{"c":1},{"c":2}]},{"b":[{"c":3}]}],"d":[[{"e":1}],[{"e":2}]]}`,
	)
}

func keyedMaps(l *caseList) {
	l.json(
		`{"a":{"x":1,"y":2},"b":{"x":3,"y":4}}`, `{"a":{"x":1,"y":2},"b":{"x":3,"y":4},"c":{"x":5,"y":6}}`, `{"a":{"x":1},"b":{"x":2}}`, `{"a":{"x":1},"b":{"y":2}}`, `{"a":{"x":1,"y":2},"b":{"x":3}}`, `{"a":{"x":1},"b":{}}`, `{"a":{},"b":{},"c":{}}`,
		`{"a":{"key":1},"b":{"key":2}}`, `{"a":{"key":1,"_key":2},"b":{"key":3,"_key":4}}`, `{"a":{"key":"b"},"b":{"key":"a"}}`, `{"m":{"a":{"x":1},"b":{"x":2}}}`, `{"m":{"a":{"x":1},"b":{"x":2}},"n":1}`,
		`{"":{"x":1,"y":1},"b":{"x":2,"y":2}}`, `{"a|b":{"x":1},"c,d":{"x":2},"-":{"x":3},"~":{"x":4},"^":{"x":5},"1":{"x":6},"true":{"x":7}}`, `{"a":{"x":{"p":1,"q":2}},"b":{"x":{"p":3,"q":4}}}`, `{"a":{"x":{"p":1}},"b":{"x":5}}`,
		`{"a":{"x":[1,2]},"b":{"x":[{"y":1}]}}`, `{"a":{"b":{"x":1},"c":{"x":2}},"d":{"b":{"x":3},"c":{"x":4}}}`, `{"server":{"host":"h","port":1},"db":{"url":"u","pool":{"min":1,"max":2}}}`, `{"a":{"x":null},"b":{"x":""},"c":{}}`,
		`{"a":{"x>y":1},"b":{"x>y":2}}`, `{"a>b":{"x":1},"c":{"x":2}}`, `{"a":{"x":1,"y":2},"b":{"y":3,"x":4}}`, `{"a":{"x":1},"b":{"x":2},"c":null}`, `{"a":{"x":1},"b":[]}`, `[{"m":{"a":{"x":1},"b":{"x":2}}},{"m":{"c":{"x":3},"d":{"x":4}}}]`,
		`[{"a":{"x":1},"b":{"x":2}},{"a":{"x":3},"b":{"x":4}}]`, `{"users":{"u1":{"n":"a","tags":["x"]},"u2":{"n":"b","tags":[]}},"total":2}`, `{"a":{"k":{"a":1},"l":{"a":2}},"b":{"k":{"a":3},"l":{"a":4}}}`,
		`{"paths":{"/a":{"get":{"id":"x"},"post":{"id":"y"}},"/b/{id}":{"get":{"id":"z"}}}}`,
	)
	for _, n := range []int{2, 3, 10, 100} {
		m := numbered(n, func(i int) wire.Value {
			return record("host", fmt.Sprintf("h%d.example.com", i), "port", 8000+i, "up", i%3 > 0, "note", cells[i%len(cells)])
		})
		l.add(fmt.Sprintf("%d records", n), m)
		l.add(fmt.Sprintf("%d records, as a member", n), record("hosts", m, "n", n))
	}
}
