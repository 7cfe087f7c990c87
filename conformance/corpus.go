package conformance

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A Corpus is a set of named values of one sort. The same corpus always has
// the same values in the same order.
type Corpus struct {
	Name        string // in lower case, with hyphens
	Description string
	Cases       iter.Seq2[string, wire.Value] // names are unique in a corpus
}

// Corpora returns every corpus of the package. Their values are made when they are first
// asked for, and kept: they take 25 MB.
func Corpora() []Corpus { return slices.Clone(corpora) }

var corpora = []Corpus{
	{"scalars", "null, the bools, and the plainest number, string and containers", cases(scalars)},
	{"words", "strings and member values that are words, numbers or signs of some format", cases(func(l *caseList) { l.strings(wordStrings) })},
	{"syntax", "strings with the characters and line beginnings that formats give a meaning", cases(func(l *caseList) { l.strings(syntaxStrings) })},
	{"characters", "control characters, line ends, blanks and the corners of Unicode", cases(characters)},
	{"long-text", "long strings, source code, and whole documents of other formats as strings", cases(longText)},
	{"integers", "integers at the boundaries of the machine types, and beyond them", cases(integers)},
	{"decimals", "fractions and exponents, spelled in every way JSON allows", cases(decimals)},
	{"objects", "objects small and large, empty ones, members of every kind", cases(objects)},
	{"keys", "keys with every special character and word, empty and look-alike keys", cases(keys)},
	{"member-order", "the same members in every order, alone and in tables", cases(memberOrder)},
	{"arrays", "arrays of scalars, mixed arrays, arrays in arrays", cases(arrays)},
	{"tables", "arrays of objects with the same members", cases(tables)},
	{"sparse-tables", "rows with absent, null and empty members", cases(sparseTables)},
	{"nested-tables", "rows that hold objects, arrays and tables", cases(nestedTables)},
	{"keyed-maps", "objects whose members are records, as tables with a key column", cases(keyedMaps)},
	{"deep", "nesting of arrays, objects and tables, up to 200 levels", cases(deep)},
	{"wide", "very many members, elements, rows and columns", cases(wide)},
	{"answers", "answers of programs: issues, logs, metrics, symbols, orders and others, with their lists cut short", cases(answers)},
	{"graphs", "symbols with edges, and nodes with edges, as graph formats take them", cases(graphs)},
	{"bytes-and-times", "byte strings, times, and strings with the tag of no format", cases(kinds)},
	{"invalid-text", "strings and keys that are not UTF-8", cases(invalidText)},
	{"random", "values of the random generator", cases(randomValues)},
}

// randomValues are the first values of two generators.
func randomValues(l *caseList) {
	for _, kinds := range []bool{false, true} {
		g := NewGenerator(20260101)
		g.Kinds = kinds
		for i := range 250 {
			l.add(fmt.Sprintf("kinds %t, value %d", kinds, i), g.Value())
		}
	}
}

// A caseList collects the cases of a corpus.
type caseList struct {
	names  []string
	values []wire.Value
	texts  int // cases named by their text
}

// cases are those that a corpus adds.
func cases(corpus func(l *caseList)) iter.Seq2[string, wire.Value] {
	made := sync.OnceValue(func() (l caseList) { corpus(&l); return l })
	return func(yield func(string, wire.Value) bool) {
		for i, name := range made().names {
			if !yield(name, made().values[i]) {
				return
			}
		}
	}
}

func (l *caseList) add(name string, v wire.Value) {
	l.names, l.values = append(l.names, name), append(l.values, v)
}

// json adds cases that are named by their number and their text.
func (l *caseList) json(texts ...string) {
	for _, text := range texts {
		l.texts++
		l.add(fmt.Sprintf("%d %s", l.texts, shortened(text)), parse(text))
	}
}

//go:embed corpora.txt
var corporaText string

// lists has the texts of corpora.txt by their names.
var lists = sync.OnceValue(func() map[string][]string {
	all := make(map[string][]string)
	name := ""
	for line := range strings.Lines(corporaText) {
		if next, ok := strings.CutPrefix(line, "= "); ok {
			name = strings.TrimSpace(next)
		} else if line[0] != '#' {
			for d := json.NewDecoder(strings.NewReader(line)); d.More(); {
				var text json.RawMessage
				if err := d.Decode(&text); err != nil {
					panic(err)
				}
				all[name] = append(all[name], string(text))
			}
		}
	}
	return all
})

// listed returns the JSON texts of one of the lists.
func listed(name string) []string { return lists()[name] }

// shortened cuts a name after 60 characters.
func shortened(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// must returns what a call without an error returned: what it takes is written in this package.
func must(v wire.Value, err error) wire.Value {
	if err != nil {
		panic("conformance: " + err.Error())
	}
	return v
}

// parse returns the value of JSON text that is written in this package.
func parse(text string) wire.Value { return must(wire.ParseJSON([]byte(text))) }

// number returns the number with that spelling.
func number(text string) wire.Value { return must(wire.Number(text)) }

// record returns an object of keys and values in turn.
func record(pairs ...any) wire.Value {
	members := make([]wire.Member, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, wire.Member{Key: pairs[i].(string), Value: value(pairs[i+1])})
	}
	return builder.Object(members...)
}

// objectOf returns an object of these keys.
func objectOf(keys []string, member func(i int) wire.Value) wire.Value {
	members := make([]wire.Member, len(keys))
	for i, key := range keys {
		members[i] = wire.Member{Key: key, Value: member(i)}
	}
	return builder.Object(members...)
}

// array returns an array of values.
func array(elements ...any) wire.Value {
	return repeated(len(elements), func(i int) wire.Value { return value(elements[i]) })
}

// repeated returns an array of n values made by element.
func repeated(n int, element func(i int) wire.Value) wire.Value {
	values := make([]wire.Value, n)
	for i := range values {
		values[i] = element(i)
	}
	return wire.Array(values...)
}

// value converts what the generators of this package write down.
func value(x any) wire.Value {
	if t, ok := x.(time.Time); ok {
		return wire.Time(t) // of any year
	}
	return must(wire.FromGo(x))
}

// source returns a source of random numbers for a corpus.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x2545F4914F6CDD1D)) }

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// A position is a place where a scalar can be in a document.
type position struct {
	name string
	put  func(v wire.Value) wire.Value
}

// positions are the places that formats treat differently: a cell at the
// beginning or end of a line, the only cell of a line, an element of a list on
// one line.
var positions = []position{
	{"alone", func(v wire.Value) wire.Value { return v }},
	{"member", func(v wire.Value) wire.Value { return record("v", v) }},
	{"member between others", func(v wire.Value) wire.Value { return record("a", 1, "v", v, "z", true) }},
	{"element", func(v wire.Value) wire.Value { return array(v) }},
	{"element between others", func(v wire.Value) wire.Value { return record("list", array("a", v, v, "b")) }},
	{"only column", func(v wire.Value) wire.Value {
		return array(record("v", v), record("v", "x"), record("v", v), record("v", v))
	}},
	{"first column", func(v wire.Value) wire.Value {
		return array(record("v", v, "n", 1), record("v", "x", "n", 2), record("v", v, "n", 3))
	}},
	{"last column", func(v wire.Value) wire.Value {
		return record("rows", array(record("n", 1, "m", true, "v", v), record("n", 2, "m", false, "v", v), record("n", 3, "m", true, "v", "x")))
	}},
	{"row of a keyed map", func(v wire.Value) wire.Value {
		return record("one", record("v", v, "n", 1), "two", record("v", "x", "n", 2), "three", record("v", v, "n", 3))
	}},
	{"below rows", func(v wire.Value) wire.Value {
		return array(record("n", 1, "in", record("v", v, "l", array(v, array(v)))), record("n", 2, "in", record("v", "x", "l", array())), record("n", 3, "in", record("v", v, "l", array(v))))
	}},
}

// everywhere adds v in every position.
func (l *caseList) everywhere(name string, v wire.Value) {
	for _, p := range positions {
		l.add(name+", "+p.name, p.put(v))
	}
}

// keyPositions are the places where a key can be. The other keys in them
// are none of the special ones.
var keyPositions = []struct {
	name string
	put  func(key string) wire.Value
}{
	{"alone", func(k string) wire.Value { return record(k, 1) }},
	{"first", func(k string) wire.Value { return record(k, "x", "other key", 2) }},
	{"last", func(k string) wire.Value { return record("other key", array(1), k, array("a", "b")) }},
	{"of an object", func(k string) wire.Value { return record(k, record(k, record("plain", 1, "other", nil))) }},
	{"only column", func(k string) wire.Value { return array(record(k, 1), record(k, "x"), record(k, nil)) }},
	{"column", func(k string) wire.Value {
		return record("rows", array(record("plain", 1, k, 2), record("plain", 2, k, "x"), record("plain", 3, k, nil)))
	}},
	{"column of records", func(k string) wire.Value {
		return array(record("plain", 1, k, record(k, 1)), record("plain", 2, k, record(k, 2)), record("plain", 3, k, record(k, 3)))
	}},
	{"column of lists", func(k string) wire.Value {
		return array(record(k, array(1, "x")), record(k, array(record(k, 1), record(k, 2))), record("plain", 3))
	}},
	{"of a keyed map", func(k string) wire.Value {
		return record("plain", record("a", 1, "b", 2), k, record("a", 3, "b", 4), "other", record("a", 5, "b", 6))
	}},
	{"column of a keyed map", func(k string) wire.Value {
		return record("plain", record("other", 1, k, 2), "more", record("other", 3, k, nil), "most", record("other", 3))
	}},
}
