package glyph

import "slices"

// A gap is what lies between elements that two lists have in common: elements
// from:fromEnd of one list are matched with to:toEnd of the other.
type gap struct{ from, fromEnd, to, toEnd int }

// both is how many elements of the gap are matched with each other.
func (g gap) both() int { return min(g.fromEnd-g.from, g.toEnd-g.to) }

// align returns the gaps between two lists, in order.
func align(from, to []digest) []gap {
	start, n, m := 0, len(from), len(to)
	for start < min(n, m) && from[start].same(to[start]) {
		start++
	}
	for min(n, m) > start && from[n-1].same(to[m-1]) {
		n--
		m--
	}
	if start == n && start == m {
		return nil
	}
	whole := gap{start, n, start, m}
	if whole.both() == 0 {
		return []gap{whole}
	}
	gaps := edits(from[start:n], to[start:m])
	if gaps == nil {
		return []gap{whole}
	}
	for i := range gaps {
		g := &gaps[i]
		g.from, g.fromEnd, g.to, g.toEnd = g.from+start, g.fromEnd+start, g.to+start, g.toEnd+start
	}
	return gaps
}

// The search for the shortest script of edits gives up after that many of them,
// or earlier in long lists: every edit may cost a walk over both lists.
const (
	maxEdits     = 1024
	minEdits     = 16
	maxEditSteps = 1 << 22
)

// edits returns the gaps of a shortest script of deletions and insertions, nil if
// that is too long to be found. It is Myers's greedy algorithm.
func edits(a, b []digest) []gap {
	f := frontier{a: a, b: b}
	f.most = min(len(a)+len(b), maxEdits, max(minEdits, maxEditSteps/(len(a)+len(b))))
	f.reached = make([]int32, 2*f.most+3)
	for i := range f.reached {
		f.reached[i] = unreached
	}
	var trace [][]int32 // what was reached before each number of edits
	for n := 0; n <= f.most; n++ {
		trace = append(trace, slices.Clone(f.reached[f.most-n:f.most+n+3]))
		for k := -n; k <= n; k += 2 {
			x, _ := f.step(f.reached, f.most+1, n, k)
			for x >= 0 && x < len(a) && x-k < len(b) && a[x].hash == b[x-k].hash {
				x++
			}
			f.reached[f.most+1+k] = int32(x)
			if x == len(a) && x-k == len(b) {
				return f.gaps(trace)
			}
		}
	}
	return nil
}

// A frontier is how far numbers of edits lead: on diagonal k, where an element x
// of a is against x-k of b, to element reached[most+1+k] of a.
type frontier struct {
	a, b    []digest
	most    int
	reached []int32
}

const unreached = -1

// step returns where on diagonal k the n-th edit leads, and whether it inserts
// an element of b; otherwise it deletes one of a. reached is of n-1 edits, with
// the diagonal 0 at zero.
func (f *frontier) step(reached []int32, zero, n, k int) (x int, inserts bool) {
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
func (f *frontier) gaps(trace [][]int32) []gap {
	var list []gap
	x, y := len(f.a), len(f.b)
	open := gap{x, x, y, y} // grows towards the start
	for n := len(trace) - 1; n >= 0; n-- {
		from, inserts := f.step(trace[n], n+1, n, x-y)
		for x > from { // elements in common
			x, y = x-1, y-1
			if !f.a[x].same(f.b[y]) { // two values of one hash
				return nil
			}
			if open.from < open.fromEnd || open.to < open.toEnd {
				list = append(list, open)
			}
			open = gap{x, x, y, y}
		}
		switch {
		case n == 0:
		case inserts:
			y--
		default:
			x--
		}
		open.from, open.to = x, y
	}
	if open.from < open.fromEnd || open.to < open.toEnd {
		list = append(list, open)
	}
	slices.Reverse(list)
	return list
}
