// Package bound adds limits without overflow.
package bound

import "math"

// Add returns a+b or, if that is too large, the largest int. Neither is
// negative.
func Add(a, b int) int {
	if sum := a + b; sum >= 0 {
		return sum
	}
	return math.MaxInt
}
