package toon

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// inner are the keys of an object around another.
var inner = func() *wire.Keys {
	keys, err := wire.NewKeys("in")
	if err != nil {
		panic(err)
	}
	return keys
}()

// TestLike holds that objects that are parsed like the ones before them are read as
// those that are taken apart line by line, wherever they differ, and that errors
// are the same.
func TestLike(t *testing.T) {
	trials.OneGoroutine(t)
	rng := rand.New(rand.NewPCG(1, 14))
	liked := 0
	for range trials.Of(1500) {
		c := Codec{Indent: 1 + rng.IntN(3), Lenient: rng.IntN(3) == 0, Delimiter: ",\t|"[rng.IntN(3)]}
		if rng.IntN(4) == 0 {
			c.Limits = wire.Limits{Depth: 1 + rng.IntN(6), Values: 1 + rng.IntN(80)}
		}
		v := similar(rng)
		for range rng.IntN(4) * rng.IntN(5) { // down to where depths share their sites
			v = wire.ObjectOf(inner, v)
		}
		text, err := Codec{Indent: c.Indent, Delimiter: c.Delimiter}.AppendEncode(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for range rng.IntN(4) {
			lines = disturb(rng, lines)
		}
		liked += compareLike(t, c, strings.Join(lines, "\n"))
	}
	if liked < 2500 {
		t.Fatalf("only %d objects could be parsed like others", liked)
	}
}

func FuzzLike(f *testing.F) {
	f.Add("a:\n  x: 1\n  y: 2\nb:\n  x: 3\n  y:\n    z[1]: 4\n  w: 1\n", false)
	f.Add("[3]:\n  - x: 1\n    y[1]:\n      - a: 1\n        b: 2\n  - x: 1\n    y[2]:\n      - a: 1\n        b: 2\n      - a[1: 1\n  - x[1", true)
	f.Add("a:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h:\n        x: 1\n        y:\n         x: 1\n         y: 2\n        z:\n         x:\n         y: 1\n", false)
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		compareLike(t, Codec{Lenient: lenient}, text)
	})
}

// compareLike decodes the text both ways and returns the number of layouts there
// were.
func compareLike(t *testing.T, c Codec, text string) int {
	t.Helper()
	var p, q parser
	err, plainErr := p.begin(c, []byte(text)), q.begin(c, []byte(text))
	if err != nil {
		return 0
	}
	q.learned = &learned{layouts: slab[layout]{taken: maxLayouts}}
	v, ok := p.document()
	want, wantOK := q.document()
	if !ok {
		err = p.failure([]byte(text))
	}
	if !wantOK {
		plainErr = q.failure([]byte(text))
	}
	if fmt.Sprint(err) != fmt.Sprint(plainErr) || err == nil && !wire.Identical(v, want) {
		t.Fatalf("%+v\n%s\n%v\n%v\nwithout layouts\n%v\n%v", c, text, v, err, want, plainErr)
	}
	codectest.SameAny(t, c, []byte(text))
	if p.learned == nil {
		return 0
	}
	return p.learned.layouts.taken
}

// similar returns a value with many objects of much the same shapes.
func similar(rng *rand.Rand) wire.Value {
	shapes := make([][]string, 3)
	for i := range shapes {
		for _, key := range strings.Fields("id id_str a.b name x-y user items tags n kind") {
			if rng.IntN(2) == 0 {
				shapes[i] = append(shapes[i], key)
			}
		}
	}
	var value func(depth int) wire.Value
	object := func(depth int) wire.Value {
		shape := shapes[min(depth+rng.IntN(8)/7, len(shapes)-1)]
		var members []wire.Member
		for _, key := range shape {
			if rng.IntN(12) > 0 {
				members = append(members, wire.Member{Key: key, Value: value(depth + 1)})
			}
		}
		if rng.IntN(12) == 0 {
			members = append(members, wire.Member{Key: "more", Value: wire.Int(1)})
		}
		v, err := wire.Object(members...)
		if err != nil {
			panic(err)
		}
		return v
	}
	many := func(depth int) wire.Value {
		items := make([]wire.Value, rng.IntN(5))
		for i := range items {
			items[i] = object(depth)
		}
		return wire.Array(items...)
	}
	value = func(depth int) wire.Value {
		switch n := rng.IntN(12); {
		case n < 3 && depth < 4:
			return object(depth)
		case n < 5 && depth < 4:
			return many(depth)
		case n < 7:
			return wire.Array(wire.Int(1), wire.String("two, three"))
		case n < 9:
			return wire.String([]string{"", "plain text", "258m", "12", "a: b", "null", "- x", "[1]: 2", "1e5", "a\nb"}[rng.IntN(10)])
		}
		return []wire.Value{wire.Null(), wire.Bool(true), wire.Int(-7), wire.Float(2.5)}[rng.IntN(4)]
	}
	members := make([]wire.Member, 8)
	for i := range members {
		members[i] = wire.Member{Key: fmt.Sprintf("svc_%d", i), Value: object(0)}
	}
	if rng.IntN(2) == 0 {
		return many(0)
	}
	v, err := wire.Object(append(members, wire.Member{Key: "list", Value: many(0)})...)
	if err != nil {
		panic(err)
	}
	return v
}

// disturb changes one line.
func disturb(rng *rand.Rand, lines []string) []string {
	i := rng.IntN(max(1, len(lines)))
	if len(lines) == 0 {
		return lines
	}
	line := lines[i]
	out := append([]string{}, lines[:i]...)
	switch rng.IntN(12) {
	case 0: // it is gone
	case 1:
		out = append(out, line, line)
	case 2:
		out = append(out, line, "")
	case 3:
		out = append(out, "  # note", line)
	case 4:
		out = append(out, line+" ")
	case 5:
		out = append(out, line+"\r")
	case 6:
		out = append(out, " "+line)
	case 7:
		out = append(out, strings.TrimPrefix(line, " "))
	case 8:
		out = append(out, strings.Replace(line, ": ", ":  ", 1))
	case 9:
		out = append(out, strings.Replace(line, ":", "", 1))
	case 10:
		out = append(out, strings.Replace(line, "]", "", 1))
	case 11:
		out = append(out, strings.Replace(line, ": ", ":\t", 1))
	}
	return append(out, lines[i+1:]...)
}
