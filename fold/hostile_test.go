package fold_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// hostile are JSON texts of about n bytes that could make the search expensive.
var hostile = map[string]func(n int) string{
	"a wide object and empty ones": func(n int) string {
		return "[{" + numbered(n*4/5, `"k%d":1`) + "}" + strings.Repeat(",{}", n/15) + "]"
	},
	"a wide object and narrow ones": func(n int) string {
		return "[{" + numbered(n*4/5, `"k%d":1`) + "}" + strings.Repeat(`,{"k0":1}`, n/45) + "]"
	},
	"a long key around leaves": func(n int) string {
		return `[{"` + strings.Repeat("x", n/2) + `":{` + numbered(n/2, `"%d":1`) + "}}]"
	},
	"a long key around objects": func(n int) string {
		inner := `{"` + strings.Repeat("x", n/6) + `":{` + numbered(n/6, `"%d":{"a":1}`) + "}}"
		return "[" + inner + "," + inner + "," + inner + "]"
	},
	"texts of each other": func(n int) string {
		row := `,{` + numbered(n/40, `"k%[1]d":"word %[1]d and `+"word %[1]d0 and word 7"+`"`) + `,"a":"word 7"}`
		return "[" + strings.Repeat(row, 30)[1:] + "]"
	},
	"names and repeats": func(n int) string {
		return "[" + strings.Repeat(`,{"long":"xxxxxx yyyyyy","text":"<long> <long> = xxxxxx yyyyyy zzzzz"},{"long":"=","text":"<<<<<<<<<<<<"}`, n/110)[1:] + "]"
	},
	"one long string": func(n int) string {
		return `["` + strings.Repeat("a phrase of words, ", n/19) + `"]`
	},
	"words": func(n int) string { return `["` + strings.Repeat(`a b a a","`, n/10) + `"]` },
	"phrases of phrases": func(n int) string {
		return "[" + numbered(n, `"`+strings.Repeat("x%[1]d the same words come again ", 4)+`"`) + "]"
	},
	"dollars": func(n int) string { return `["` + strings.Repeat(`$$ $$$ @@ __ %% `, n/16) + `"]` },
	"deep arrays": func(n int) string {
		return "[" + strings.Repeat(strings.Repeat("[", 400)+strings.Repeat("]", 400)+",", n/801) + "0]"
	},
	"deep objects": func(n int) string {
		return "[" + strings.Repeat(strings.Repeat(`{"a":`, 400)+"1"+strings.Repeat("}", 400)+",", n/2402) + "0]"
	},
}

// numbered is about n bytes of units with commas between them.
func numbered(n int, unit string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, unit, i)
	}
	return b.String()
}

func folding() []fold.Codec {
	o := fold.Options{Counter: tokens.O200k{}}
	return []fold.Codec{{Options: o}, {Inner: gcf.Codec{}, Options: o}, {Inner: toon.Codec{}, Options: o}}
}

// TestSearchIsLinear: what a fold takes is in proportion to the value, also where
// nothing can be folded.
func TestSearchIsLinear(t *testing.T) {
	for name, text := range hostile {
		for _, c := range []fold.Codec{{}, {Inner: toon.Codec{}}} {
			t.Run(name+"/"+c.Info().FullName(), func(t *testing.T) {
				growth.Linear(t, 5_000, func(n int) func() {
					v, err := wire.ParseJSON([]byte(text(n)))
					require.NoError(t, err)
					return func() { _, _ = c.AppendEncode(nil, v) }
				})
			})
		}
	}
}

// TestUnfoldIsLinear: frames take no time where their members are not.
func TestUnfoldIsLinear(t *testing.T) {
	growth.Linear(t, 200, func(n int) func() {
		members := func(unit string) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, unit, i)
			}
			return b.String()[1:]
		}
		v, err := wire.ParseJSON([]byte(`{"folded":"","templates":{"[]":{` + members(`,"k%[1]d":"x<k%[1]d<a>>"`) + `}},"data":[` + members(`,{"k%d":"1"}`) + `]}`))
		require.NoError(t, err)
		return func() {
			_, err := fold.Unfold(v, wire.Limits{})
			require.NoError(t, err)
		}
	})
}

// TestMemoryOfSearch: the rule of memory holds for folding.
func TestMemoryOfSearch(t *testing.T) {
	var cases []resident.Case
	for name, text := range hostile {
		for i, c := range folding() {
			size := []int{213_000, 320_000, 40_000}[i]
			cases = append(cases, resident.Case{
				Name:  name + " " + c.Info().FullName(),
				Input: func() []byte { return []byte(text(size)) },
				Call: func(src []byte) {
					v, err := wire.ParseJSON(src)
					if err != nil {
						panic(err)
					}
					_, _ = c.AppendEncode(nil, v)
				},
			})
		}
	}
	resident.Check(t, cases...)
}
