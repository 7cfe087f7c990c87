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

// A position is a place where a value or a key can be in a document.
type position struct {
	name string
	form wire.Value // of the document, with VALUE or KEY in its place
}

// The positions that formats treat differently: a cell at the beginning or end of a line, the
// only cell of a line, an element of a list on one line; keys, with others that are none of
// the special ones; and ways to put a value one level deeper.
var positions, keyPositions, nestings = positionsOf("positions"), positionsOf("positions-of-keys"), positionsOf("nestings")

// positionsOf returns positions of corpora.txt, each a name and a form.
func positionsOf(name string) (all []position) {
	for pair := range slices.Chunk(listed(name), 2) {
		all = append(all, position{parse(pair[0]).Text(), parse(pair[1])})
	}
	return all
}

func (p position) put(v wire.Value) wire.Value { return filled(p.form, "", v) }

func (p position) putKey(key string) wire.Value { return filled(p.form, key, wire.Value{}) }

func filled(form wire.Value, key string, v wire.Value) wire.Value {
	switch form.Kind() {
	case wire.KindString:
		if form.Text() == "VALUE" {
			return v
		}
	case wire.KindArray, wire.KindObject:
		members := builder.Children(form)
		for i := range members {
			if members[i].Key == "KEY" {
				members[i].Key = key
			}
			members[i].Value = filled(members[i].Value, key, v)
		}
		return builder.With(form, members)
	}
	return form
}

// everywhere adds v in every position.
func (l *caseList) everywhere(name string, v wire.Value) {
	for _, p := range positions {
		l.add(name+", "+p.name, p.put(v))
	}
}
