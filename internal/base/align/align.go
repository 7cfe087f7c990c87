// Package align finds what two lists have in common.
package align

import "slices"

// A Gap is what lies between elements that two lists have in common: elements
// From:FromEnd of one list are against To:ToEnd of the other.
type Gap struct{ From, FromEnd, To, ToEnd int }

// Both is how many elements of the gap can be paired.
func (g Gap) Both() int { return min(g.FromEnd-g.From, g.ToEnd-g.To) }

func (g Gap) empty() bool { return g.From == g.FromEnd && g.To == g.ToEnd }

// Gaps returns the gaps between two lists, in order, by a shortest script of deletions and
// insertions. Every edit may cost a walk over both lists: if there are more than most returns
// for the length of what is left of both, without what they begin and end with, the gap is
// all of that.
func Gaps[T comparable](from, to []T, most func(length int) int) []Gap {
	start, n, m := 0, len(from), len(to)
	for start < min(n, m) && from[start] == to[start] {
		start++
	}
	for min(n, m) > start && from[n-1] == to[m-1] {
		n--
		m--
	}
	whole := Gap{start, n, start, m}
	if whole.empty() {
		return nil
	}
	if whole.Both() == 0 {
		return []Gap{whole}
	}
	length := n - start + m - start
	f := frontier[T]{a: from[start:n], b: to[start:m], most: min(length, most(length))}
	gaps := f.search()
	if gaps == nil {
		return []Gap{whole}
	}
	for i := range gaps {
		g := &gaps[i]
		g.From, g.FromEnd, g.To, g.ToEnd = g.From+start, g.FromEnd+start, g.To+start, g.ToEnd+start
	}
	return gaps
}

// A frontier is how far numbers of edits lead: on diagonal k, where an element x
// of a is against x-k of b, to element reached[most+1+k] of a.
type frontier[T comparable] struct {
	a, b    []T
	most    int
	reached []int32
}

const unreached = -1

// search returns the gaps of a shortest script, nil if that is too long to be found. It is
// Myers's greedy algorithm.
func (f *frontier[T]) search() []Gap {
	f.reached = slices.Repeat([]int32{unreached}, 2*f.most+3)
	var trace [][]int32 // what was reached before each number of edits
	for n := 0; n <= f.most; n++ {
		trace = append(trace, slices.Clone(f.reached[f.most-n:f.most+n+3]))
		for k := -n; k <= n; k += 2 {
			x, _ := f.step(f.reached, f.most+1, n, k)
			for x >= 0 && x < len(f.a) && x-k < len(f.b) && f.a[x] == f.b[x-k] {
				x++
			}
			f.reached[f.most+1+k] = int32(x)
			if x == len(f.a) && x-k == len(f.b) {
				return f.gaps(trace)
			}
		}
	}
	return nil
}

// step returns where on diagonal k the n-th edit leads, and whether it inserts
// an element of b; otherwise it deletes one of a. reached is of n-1 edits, with
// the diagonal 0 at zero.
func (f *frontier[T]) step(reached []int32, zero, n, k int) (x int, inserts bool) {
	if n == 0 {
		return 0, false
	}
	x = unreached
	if k < n {
		if down := int(reached[zero+k+1]); down >= 0 && down-k <= len(f.b) {
			x, inserts = down, true
		}
	}
	if k > -n {
		if right := int(reached[zero+k-1]); right >= 0 && right < len(f.a) && right+1 > x {
			x, inserts = right+1, false
		}
	}
	return x, inserts
}

// gaps follows the script back from the ends of both lists.
func (f *frontier[T]) gaps(trace [][]int32) []Gap {
	var list []Gap
	x, y := len(f.a), len(f.b)
	open := Gap{x, x, y, y} // grows towards the start
	for n := len(trace) - 1; n >= 0; n-- {
		from, inserts := f.step(trace[n], n+1, n, x-y)
		if x > from { // elements in common
			if !open.empty() {
				list = append(list, open)
			}
			x, y = from, y-(x-from)
			open = Gap{x, x, y, y}
		}
		switch {
		case n == 0:
		case inserts:
			y--
		default:
			x--
		}
		open.From, open.To = x, y
	}
	if !open.empty() {
		list = append(list, open)
	}
	slices.Reverse(list)
	return list
}
