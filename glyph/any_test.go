package glyph_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

// TestAnyWide compares objects of seven to twelve members, and of some hundred, which
// follow each other in every order, some with a key twice.
func TestAnyWide(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 2))
	object := func(inner string) string {
		n := 7 + r.IntN(6)
		if r.IntN(40) == 0 {
			n = 300
		}
		members := make([]string, n)
		for i := range members {
			members[i] = fmt.Sprintf("k%d=%d", r.IntN(n+4), i)
		}
		members[r.IntN(n)] = "in=" + inner
		return "{" + strings.Join(members, " ") + "}"
	}
	for range 300 {
		texts := make([]string, 4)
		for i := range texts {
			texts[i] = object(object("[{} " + object("x") + "]"))
		}
		codectest.SameAny(t, glyph.Codec{}, []byte("["+strings.Join(texts, " ")+"]"))
	}
}
