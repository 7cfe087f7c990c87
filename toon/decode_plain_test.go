package toon

import (
	"errors"
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

// TestSpaced holds that what is parsed in one pass is read as the same text with a space at
// the end of each line, which is taken apart line by line, and that errors are the same.
func TestSpaced(t *testing.T) {
	trials.OneGoroutine(t)
	rng := rand.New(rand.NewPCG(1, 14))
	for range trials.Of(1500) {
		c := Codec{Indent: 1 + rng.IntN(3), Lenient: rng.IntN(3) == 0, Delimiter: ",\t|"[rng.IntN(3)]}
		if rng.IntN(4) == 0 {
			c.Limits = wire.Limits{Depth: 1 + rng.IntN(6), Values: 1 + rng.IntN(80)}
		}
		v := similar(rng)
		for range rng.IntN(4) * rng.IntN(5) {
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
		compareSpaced(t, c, strings.Join(lines, "\n"))
	}
}

func FuzzSpaced(f *testing.F) {
	f.Add("a:\n  x: 1\n  y: 2\nb:\n  x: 3\n  y:\n    z[1]: 4\n  w: 1\n", false)
	f.Add("[3]:\n  - x: 1\n    y[1]:\n      - a: 1\n        b: 2\n  - x: 1\n    y[2]:\n      - a: 1\n        b: 2\n      - a[1: 1\n  - x[1", true)
	f.Add("a:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h:\n        x: 1\n        y:\n         x: 1\n         y: 2\n        z:\n         x:\n         y: 1\n", false)
	f.Add("[2:]{a,b{c,d}}:\n  x: 1,2,3\n  y: a:b,\"\\n\",\nz[1]{k}:\n  a:b\nw[2]: 1,\n", false)
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		compareSpaced(t, Codec{Lenient: lenient}, text)
	})
}

// compareSpaced decodes the text both ways.
func compareSpaced(t *testing.T, c Codec, text string) {
	t.Helper()
	codectest.SameAny(t, c, []byte(text))
	spaced := spaceLines(text)
	v, err := c.Decode([]byte(text))
	want, wantErr := c.Decode([]byte(spaced))
	var e, wantE *wire.Error
	if errors.As(err, &e) && errors.As(wantErr, &wantE) {
		if e.Code != wantE.Code || e.Line != wantE.Line || e.Path() != wantE.Path() {
			t.Fatalf("%+v\n%s\n%v\nwith spaces\n%v", c, text, err, wantErr)
		}
		return
	}
	if (err == nil) != (wantErr == nil) || err == nil && !wire.Identical(v, want) {
		t.Fatalf("%+v\n%s\n%v\n%v\nwith spaces\n%v\n%v", c, text, v, err, want, wantErr)
	}
}

// spaceLines puts a space at the end of each line.
func spaceLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		begin := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		lines[i] = begin + " " + line[len(begin):]
	}
	return strings.Join(lines, "")
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
