package positions

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

type inner struct {
	X int
	Y []int
	Z string
}

type flat struct {
	ID   int
	Name string
	OK   bool
	F    float64
	At   int
}

type item struct {
	ID   int
	Name string
	OK   bool
	Sub  inner
	Nums []int
	Any  any
	Subs []inner
	Map  map[string]int
	Last int
}

type settings struct {
	Host  string
	Port  int
	Item  item
	Rows  []flat
	Items []item
	End   bool
}

// A node is a document: an object with keys, a list, or a scalar.
type node struct {
	keys   []string
	nodes  []*node
	scalar wire.Value
	list   bool
}

func (n *node) value(t testing.TB) wire.Value {
	if !n.list && n.keys == nil {
		return n.scalar
	}
	values := make([]wire.Value, len(n.nodes))
	for i, c := range n.nodes {
		values[i] = c.value(t)
	}
	if n.list {
		return wire.Array(values...)
	}
	keys, err := wire.NewKeys(n.keys...)
	require.NoError(t, err)
	return wire.ObjectOf(keys, values...)
}

func leaf(v any) *node {
	scalar, err := wire.FromGo(v)
	if err != nil {
		panic(err)
	}
	return &node{scalar: scalar}
}

func list(nodes ...*node) *node { return &node{list: true, nodes: nodes} }

func object(key string, n *node) *node {
	return &node{keys: []string{key}, nodes: []*node{n}}
}

// A place is where a value of a type is expected in a document.
type place struct {
	n    *node
	path string
	kind reflect.Kind
}

// A grower makes random documents that fit a Go type.
type grower struct {
	*rand.Rand
	places []place
}

func (g *grower) pick(values ...any) any { return values[g.IntN(len(values))] }

func (g *grower) text() any {
	return g.pick("a", "port", "true", "W", "", "a b", "W\"q", "\x01", "x,y|z", "7", "a\tb", "é\\")
}

func (g *grower) number() any { return g.pick(0, 1, 7, 22, 144, 98765, -3, g.IntN(1e6)) }

func (g *grower) grow(t reflect.Type, path string) *node {
	n := new(node)
	g.places = append(g.places, place{n, path, t.Kind()})
	switch t.Kind() {
	case reflect.Int:
		*n = *leaf(g.number())
	case reflect.Float64:
		*n = *leaf(g.pick(1.5, 0.25, 3, 1e21))
	case reflect.String:
		*n = *leaf(g.text())
	case reflect.Bool:
		*n = *leaf(g.IntN(2) == 0)
	case reflect.Slice:
		n.list = true
		for i := range g.IntN(4) {
			n.nodes = append(n.nodes, g.grow(t.Elem(), fmt.Sprint(path, "/", i)))
		}
	case reflect.Map:
		n.keys = []string{}
		for _, key := range []string{"w", "true", "k v"}[:g.IntN(4)] {
			n.keys = append(n.keys, key)
			n.nodes = append(n.nodes, g.grow(t.Elem(), path+"/"+key))
		}
	case reflect.Struct:
		n.keys = []string{}
		sparse := t != reflect.TypeFor[flat]() && g.IntN(3) == 0
		for i := range t.NumField() {
			if f := t.Field(i); !sparse || g.IntN(4) > 0 {
				n.keys = append(n.keys, strings.ToLower(f.Name))
				n.nodes = append(n.nodes, g.grow(f.Type, path+"/"+strings.ToLower(f.Name)))
			}
		}
	default:
		*n = *g.any()
	}
	return n
}

// any returns what an empty interface takes.
func (g *grower) any() *node {
	switch g.IntN(8) {
	case 0:
		return list()
	case 1:
		return &node{keys: []string{}}
	case 2:
		return list(leaf(g.text()), leaf(true))
	case 3:
		return object("any", leaf(g.text()))
	}
	return leaf(g.pick(nil, true, false, g.text(), g.number()))
}

// wrong returns a value that no variable of a kind takes, and the same with a marker for
// its first scalar. That of an empty list or object is the other of the two, or the marker.
func (g *grower) wrong(kind reflect.Kind) (n *node, marked []*node) {
	mark := leaf("Qmark")
	scalars := []any{"Wrong", "W q", "W\"q", "W\\\tq", "\x01W", "W\u2028\nq", true, false, "Wé,|"}
	switch kind {
	case reflect.String:
		scalars = []any{1, 77, 98765.4321, true, false}
	case reflect.Bool:
		scalars = append(scalars[:6:6], 1, 98765.4321)
	case reflect.Slice, reflect.Map, reflect.Struct:
		scalars = append(scalars, 1, 98765.4321, "")
	}
	s := leaf(g.pick(scalars...))
	switch shape := g.IntN(12); {
	case shape == 0 && kind != reflect.Slice:
		return list(), []*node{mark, {keys: []string{}}, list(mark)}
	case shape == 1 && kind != reflect.Struct && kind != reflect.Map:
		return &node{keys: []string{}}, []*node{mark, list()}
	case shape == 2 && kind != reflect.Slice:
		return list(s, leaf(1)), []*node{list(mark, leaf(1))}
	case shape == 3 && kind != reflect.Struct && kind != reflect.Map:
		return object("W", s), []*node{object("W", mark)}
	case shape == 4 && kind != reflect.Slice:
		return list(object("W", s)), []*node{list(object("W", mark))}
	}
	return s, []*node{mark}
}

// span returns the one place in which two texts differ, as that in the first of them; ok is
// false if it spans lines.
func span(a, b []byte) (from, to int, ok bool) {
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	to = len(a)
	for end := len(b); to > from && end > from && a[to-1] == b[end-1]; end-- {
		to--
	}
	return from, to, bytes.IndexByte(a[from:to], '\n') < 0
}

// TestPositionsOfWrongValues: a value that does not fit has the position of its own first
// scalar, or of what is written before that of the value itself, or none. Texts are as the
// codec writes them, or have more line ends, or are another variant's.
func TestPositionsOfWrongValues(t *testing.T) {
	trials.OneGoroutine(t)
	types := []reflect.Type{reflect.TypeFor[[]flat](), reflect.TypeFor[[]flat](), reflect.TypeFor[[]item](), reflect.TypeFor[settings](), reflect.TypeFor[[]int](), reflect.TypeFor[[]inner]()}
	placed, nowhere := make(map[string]int), make(map[string]int)
	for seed := range uint64(trials.Of(1000)) {
		g := &grower{Rand: rand.New(rand.NewPCG(seed, 4))}
		typ := types[g.IntN(len(types))]
		root := g.grow(typ, "")
		at := g.places[g.IntN(len(g.places))]
		if at.kind == reflect.Interface {
			continue
		}
		wrong, marked := g.wrong(at.kind)
		*at.n = *wrong
		v := root.value(t)
		var others []wire.Value
		for _, m := range marked {
			*at.n = *m
			others = append(others, root.value(t))
		}
		*at.n = *wrong
		for _, c := range describe.All(wirekit.Registry()) {
			name := c.Info().FullName()
			text, err := c.AppendEncode(nil, v)
			if err != nil || c.Info().Binary {
				continue // a format of other shapes
			}
			reader, written := g.otherwise(c)
			text = written(text)
			w, err := reader.Decode(text)
			same := err == nil && wire.Equal(v, w)
			e, ok := wire.Unmarshal(reader, text, reflect.New(typ).Interface()).(*wire.Error)
			if !ok || e.Kind != wire.ErrType && e.Kind != wire.ErrRange || !same && e.Path() != at.path {
				continue // a text that has no types, or is not read otherwise
			}
			require.Equal(t, at.path, e.Path(), "%s: %v\n%q", name, e, text)
			right, known := at.path == "" && len(bytes.TrimSpace(text[:e.Offset])) == 0, false // that of the whole text
			for _, other := range others {
				changed, err := c.AppendEncode(nil, other)
				if from, to, ok := span(text, written(changed)); ok && err == nil {
					known = true
					right = right || isPlace(text, e.Offset, from, to, wrong, at.path)
				}
			}
			switch {
			case e.Line == 0:
				nowhere[name]++
			case right:
				placed[name]++
			case known:
				t.Errorf("%s: line %d, column %d: %v\n%s\n%q", name, e.Line, e.Column, e, e.Excerpt(), text)
			}
		}
	}
	require.Greater(t, len(placed), 30)
	for name, n := range nowhere {
		if n > 3+placed[name]/50 {
			t.Errorf("%s: %d errors have no position, %d have", name, n, placed[name])
		}
	}
}

// otherwise returns a codec that reads what c writes, and what is done to that before.
func (g *grower) otherwise(c wire.Codec) (wire.Codec, func(text []byte) []byte) {
	end := "\n"
	switch g.IntN(4) {
	case 0:
		end = "\r\n"
	case 1:
		return c, func(text []byte) []byte { return append(text, '\n') }
	case 2:
		if plain, err := wirekit.Lookup(c.Info().Name); err == nil {
			c = plain
		}
	}
	return c, func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte(end)) }
}

// isPlace: a position in what differs, with the first byte of the value, or before that with
// nothing but what opens the value in between.
func isPlace(text []byte, at, from, to int, wrong *node, path string) bool {
	if at > from {
		for len(wrong.nodes) > 0 {
			wrong = wrong.nodes[0]
		}
		spelled := append(wire.AppendJSON([]byte(`"[{`), wrong.scalar), wrong.scalar.Text()...)
		return at < min(to+1, len(text)) && bytes.IndexByte(spelled, text[at]) >= 0
	}
	between := string(text[at:from])
	if !wrong.list && wrong.keys == nil {
		return between == "" || between == `"`
	}
	key := path[strings.LastIndexByte(path, '/')+1:]
	between = strings.ReplaceAll(strings.ReplaceAll(between, "W", ""), key, "")
	return strings.IndexFunc(between, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == ',' || r == '|' }) < 0
}
