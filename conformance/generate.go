package conformance

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A Generator makes random values that look for trouble: strings and keys from
// and around every format's special characters and words, numbers in every
// spelling, and the shapes that formats treat in their own way (tables that
// are uniform, sparse or permuted, keyed maps, records in records, lists).
// Equal seeds give equal values. It is not safe for concurrent use.
type Generator struct {
	Kinds bool // bytes, times and tagged strings too, which JSON does not have

	r    *rand.Rand
	left int // values that the document may still have
	pool []string
}

// NewGenerator returns a generator with that seed.
func NewGenerator(seed uint64) *Generator { return &Generator{r: source(seed)} }

// Value returns the next value.
func (g *Generator) Value() wire.Value {
	g.left = 1 << g.r.IntN(8)
	g.pool = g.pool[:0]
	for range 2 + g.r.IntN(6) {
		g.pool = append(g.pool, g.text(keySources))
	}
	if g.r.IntN(12) == 0 {
		return g.scalar()
	}
	return g.container(0)
}

func (g *Generator) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *Generator) value(depth int) wire.Value {
	g.left--
	if g.left <= 0 || depth > 12 || g.r.IntN(5) < 3 {
		return g.scalar()
	}
	return g.container(depth)
}

func (g *Generator) container(depth int) wire.Value {
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return g.table(depth)
	case 3:
		return g.keyed(depth)
	case 4, 5, 6:
		return g.record(g.keys(), depth)
	case 7:
		return g.list(func() wire.Value { return g.scalar() })
	case 8:
		alike := g.scalar()
		return g.list(func() wire.Value { return alike })
	case 9:
		return pick(g.r, []wire.Value{array(), record(), array(array()), array(record()), array(record(), record())})
	case 10:
		chain := g.value(depth + 1)
		for range g.r.IntN(10) {
			chain = pick(g.r, nestings).put(chain)
		}
		return chain
	default:
		return g.list(func() wire.Value { return g.value(depth + 1) })
	}
}

func (g *Generator) list(element func() wire.Value) wire.Value {
	return repeated(g.size(), func(int) wire.Value { return element() })
}

// size is a number of children: mostly small, sometimes none.
func (g *Generator) size() int {
	if g.chance(10) {
		return g.r.IntN(3)
	}
	return min(1+g.r.IntN(5), max(g.left, 1))
}

// keys returns distinct keys, most of them from the document's own few.
func (g *Generator) keys() []string {
	var keys []string
	for range g.size() {
		key := pick(g.r, g.pool)
		if g.chance(6) {
			key = g.text(keySources)
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (g *Generator) record(keys []string, depth int) wire.Value {
	return objectOf(keys, func(int) wire.Value { return g.value(depth + 1) })
}

// A column makes the cells of one column.
type column struct {
	key  string
	cell func() wire.Value
}

// columns returns what the rows of one table have in common.
func (g *Generator) columns(depth int) []column {
	var columns []column
	for _, key := range g.keys() {
		c := column{key: key}
		switch g.r.IntN(6) {
		case 0: // records of one shape, which may be flattened
			inner := g.keys()
			c.cell = func() wire.Value { return g.record(inner, depth+2) }
		case 1: // lists or tables
			inner := g.keys()
			c.cell = func() wire.Value { return g.list(func() wire.Value { return g.record(inner, depth+3) }) }
		case 2:
			c.cell = func() wire.Value { return g.value(depth + 2) }
		case 3:
			alike := g.scalar()
			c.cell = func() wire.Value { return alike }
		default:
			c.cell = g.scalar
		}
		columns = append(columns, c)
	}
	return columns
}

// rows returns what makes the rows of one table; sparse rows lack cells or have null,
// permuted ones have another order.
func (g *Generator) rows(depth int) (row func() wire.Value) {
	columns, sparse, permuted := g.columns(depth), g.chance(3), g.chance(5)
	return func() wire.Value {
		members := make([]wire.Member, 0, len(columns))
		for _, c := range columns {
			g.left--
			switch {
			case sparse && g.chance(4):
				continue
			case sparse && g.chance(5):
				members = append(members, wire.Member{Key: c.key})
			default:
				members = append(members, wire.Member{Key: c.key, Value: c.cell()})
			}
		}
		if permuted && g.chance(2) {
			g.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		}
		return builder.Object(members...)
	}
}

func (g *Generator) table(depth int) wire.Value {
	row, stray := g.rows(depth), g.chance(12)
	return g.list(func() wire.Value {
		if stray && g.chance(3) {
			return g.value(depth + 1)
		}
		return row()
	})
}

func (g *Generator) keyed(depth int) wire.Value {
	row := g.rows(depth)
	return objectOf(g.keys(), func(int) wire.Value { return row() })
}

func (g *Generator) scalar() wire.Value {
	switch n := g.r.IntN(16); n {
	case 0, 1:
		return wire.Null()
	case 2, 3:
		return wire.Bool(n == 2)
	case 4, 5:
		return wire.Int(g.r.Int64N(2000) - 1000)
	case 6, 7:
		return g.number()
	case 8:
		if g.Kinds {
			return g.kind()
		}
	case 9:
		return wire.String("")
	}
	return wire.String(g.text(textSources))
}

func (g *Generator) kind() wire.Value {
	switch g.r.IntN(5) {
	case 0, 1:
		return wire.Bytes([]byte(g.text(textSources)))
	case 2:
		return wire.Internal.TaggedString(g.text(textSources), 255)
	}
	zone := time.FixedZone("", g.r.IntN(29*4)*900-14*3600)
	return wire.Time(time.Unix(g.r.Int64N(4e9)-1e9, pick(g.r, []int64{0, 1, 5e8, 123456789, 999999999})).In(zone))
}

func (g *Generator) number() wire.Value {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0012345678999"[g.r.IntN(13)]
		}
		return string(b)
	}
	switch g.r.IntN(8) {
	case 0:
		return wire.Int(int64(g.r.Uint64()) >> g.r.IntN(64))
	case 1:
		return wire.Uint(g.r.Uint64())
	case 2:
		return wire.Float(g.r.NormFloat64())
	case 3:
		return wire.Float(float64(g.r.IntN(1_000_000)) / 100)
	case 4:
		return number(strconv.FormatInt(1<<g.r.IntN(63)+g.r.Int64N(3)-1, 10))
	}
	text := pick(g.r, []string{"", "", "-"}) + cmp.Or(strings.TrimLeft(digits(g.length(24)), "0"), "0")
	if g.chance(2) {
		text += "." + digits(1+g.length(20))
	}
	if g.chance(3) {
		text += pick(g.r, []string{"e", "E"}) + pick(g.r, []string{"", "+", "-"}) + digits(1+g.length(3))
	}
	return number(text)
}

// length is at most n and mostly much less.
func (g *Generator) length(n int) int { return g.r.IntN(1 + g.r.IntN(1+n)) }

var (
	textSources = [][]string{wordStrings, syntaxStrings, characterStrings, plainStrings, plainStrings}
	keySources  = [][]string{keyStrings, wordStrings, syntaxStrings, characterStrings, plainStrings, plainStrings, plainStrings, plainStrings}

	plainStrings = []string{"a", "b", "c", "id", "name", "value", "key", "status", "x", "y", "some words", "type", "a1"}
)

// text returns a string of the sources, or one made of several, or of
// characters that mean something.
func (g *Generator) text(sources [][]string) string {
	s := pick(g.r, pick(g.r, sources))
	switch g.r.IntN(10) {
	case 0:
		return s + pick(g.r, pick(g.r, sources))
	case 1:
		const signs = "\n\r\t\x00 \"\\|,:;=#@^~_-.[]{}()<>&0123456789eE+truefalsnil\u0085\u2028\ufeffé漢😀"
		runes := []rune(signs)
		b := []rune(nil)
		for range g.length(12) {
			b = append(b, pick(g.r, runes))
		}
		return string(b)
	case 2:
		runes := []rune(s)
		at := g.r.IntN(len(runes) + 1)
		return string(runes[:at]) + string(rune(g.r.IntN(0x180))) + string(runes[at:])
	case 3:
		if g.chance(4) {
			return strings.Repeat(s, 1+g.length(60))
		}
	case 4:
		return fmt.Sprint(g.r.IntN(100))
	}
	return s
}
