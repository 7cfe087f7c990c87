package glyph

import (
	"math/rand/v2"
	"testing"

	"github.com/wirekit/wirekit/internal/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestGuesses holds that guesses change no byte: a list has the form that the plan
// gives it.
func TestGuesses(t *testing.T) {
	trials.OneGoroutine(t)
	rng := rand.New(rand.NewPCG(3, 12))
	kept, tables := 0, 0
	for range 3000 {
		v := lists(rng, 0)
		e, p := borrowEncoder(nil, Codec{}.settings()), borrowEncoder(nil, Codec{}.settings())
		p.guesses.misses = maxGuessMisses
		e.value(v, 0)
		p.value(v, 0)
		if string(e.dst) != string(p.dst) || e.err != nil || p.err != nil {
			t.Fatalf("%s\nis written %s\nand by the plan %s", wire.AppendJSON(nil, v), e.dst, p.dst)
		}
		if e.guesses.saved != p.guesses.saved {
			t.Fatalf("%s: %d bytes saved, by the plan %d", wire.AppendJSON(nil, v), e.guesses.saved, p.guesses.saved)
		}
		kept += min(1, e.guesses.misses)
		tables += min(1, e.guesses.saved)
	}
	if kept < 50 || tables < 500 {
		t.Fatalf("%d wrong guesses, %d texts with tables: too few to tell", kept, tables)
	}
}

// lists returns a value with lists of records in lists of records.
func lists(rng *rand.Rand, depth int) wire.Value {
	names := []string{"a", "id", "a long name", "name", "items"}
	n := 1 + rng.IntN(7)
	elements := make([]wire.Value, n)
	width := 1 + rng.IntN(len(names))
	for i := range elements {
		if rng.IntN(30) == 0 {
			elements[i] = wire.Int(7)
			continue
		}
		var members []wire.Member
		for k, name := range names[:width] {
			if rng.IntN(25) == 0 {
				continue
			}
			v := wire.Int(int64(k))
			if depth < 4 && rng.IntN(4) == 0 {
				v = lists(rng, depth+1)
			}
			members = append(members, wire.Member{Key: name, Value: v})
		}
		var err error
		if elements[i], err = wire.Object(members...); err != nil {
			panic(err)
		}
	}
	return wire.Array(elements...)
}
