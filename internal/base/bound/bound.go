// Package bound adds and multiplies limits without overflow.
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

// Times returns a*b or, if that is too large, the largest int. Neither is
// negative.
func Times(a, b int) int {
	if b != 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
