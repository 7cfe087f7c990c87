package tokens

import (
	"cmp"
	"fmt"
	"math"
)

// Estimate guesses the number of tokens of a tokenizer that is not public by
// multiplying the count of one that is. Use it to compare sizes, not to bill or
// to fill a context window to the brim. The zero value is claude-estimate; the
// package's documentation has the estimates that [Lookup] knows, and their errors.
type Estimate struct {
	// Label names the model or the family. The counter's name is the label
	// and "-estimate". "" means claude.
	Label string
	// Base counts the tokens that are multiplied. Nil means O200k.
	Base Counter
	// Factor is a positive, finite number. 0 means 1.18.
	Factor float64
}

// The estimates that Lookup knows.
var (
	claude   = Estimate{}
	claude47 = Estimate{Label: "claude-4.7", Factor: 1.53}
	gemini   = Estimate{Label: "gemini", Factor: 1.08}
)

// Name returns the label followed by "-estimate".
func (e Estimate) Name() string { return cmp.Or(e.Label, "claude") + "-estimate" }

// Exact returns false.
func (Estimate) Exact() bool { return false }

// Count returns the product of the count of Base and Factor, rounded to the
// nearest whole number. The error is that of Base, or says that Factor is not
// usable or the product not an int.
func (e Estimate) Count(text []byte) (int, error) { return e.countUpTo(text, noBound) }

// countUpTo counts as the function [CountUpTo] does with Base.
func (e Estimate) countUpTo(text []byte, bound int) (int, error) {
	factor := cmp.Or(e.Factor, 1.18)
	if !(factor > 0) || math.IsInf(factor, 0) {
		return 0, fmt.Errorf("tokens: %s: factor %v is not a positive, finite number", e.Name(), factor)
	}
	base, most := cmp.Or[Counter](e.Base, O200k{}), noBound
	if least := (float64(bound)+1)/factor + 1; least < math.MaxInt32 {
		most = int(least)
	}
	n, err := CountUpTo(base, text, most)
	if err != nil {
		return 0, err
	}
	product := math.Round(float64(n) * factor)
	if product >= math.MaxInt {
		return 0, fmt.Errorf("tokens: %s: %d times %v overflows", e.Name(), n, factor)
	}
	return int(product), nil
}
