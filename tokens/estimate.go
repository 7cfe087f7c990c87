package tokens

import (
	"cmp"
	"fmt"
	"math"
)

// Estimate guesses the number of tokens of a tokenizer that is not public by
// multiplying the count of one that is.
//
// The zero value stands for Claude models: 1.35 times the count of
// cl100k_base, the factor that the GCX document uses. That document observed
// between 28 and 42 percent more tokens than cl100k_base on its own 20
// payloads; nothing is known about other text. Use it to compare sizes, not to
// bill or to fill a context window to the brim.
type Estimate struct {
	// Label names the model or the family. The counter's name is the label
	// and "-estimate". "" means claude.
	Label string
	// Base counts the tokens that are multiplied. Nil means Cl100k.
	Base Counter
	// Factor is a positive, finite number. 0 means 1.35.
	Factor float64
}

// Name returns the label followed by "-estimate".
func (e Estimate) Name() string {
	return cmp.Or(e.Label, "claude") + "-estimate"
}

// Exact returns false.
func (Estimate) Exact() bool { return false }

// Count returns the product of the count of Base and Factor, rounded to the
// nearest whole number. The error is that of Base, or says that Factor is not
// usable or the product not an int.
func (e Estimate) Count(text []byte) (int, error) { return e.countUpTo(text, noBound) }

// countUpTo counts as the function [CountUpTo] does with Base.
func (e Estimate) countUpTo(text []byte, bound int) (int, error) {
	factor := cmp.Or(e.Factor, 1.35)
	if !(factor > 0) || math.IsInf(factor, 0) {
		return 0, fmt.Errorf("tokens: %s: factor %v is not a positive, finite number", e.Name(), factor)
	}
	n, err := e.base(text, (float64(bound)+1)/factor+1)
	if err != nil {
		return 0, err
	}
	product := math.Round(float64(n) * factor)
	if product >= math.MaxInt {
		return 0, fmt.Errorf("tokens: %s: %d times %v overflows", e.Name(), n, factor)
	}
	return int(product), nil
}

// base counts with Base, up to a bound if it can.
func (e Estimate) base(text []byte, bound float64) (int, error) {
	base := cmp.Or[Counter](e.Base, Cl100k{})
	if bound < math.MaxInt32 {
		return CountUpTo(base, text, int(bound))
	}
	return base.Count(text)
}
