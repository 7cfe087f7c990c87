//go:build !race

package resident

// RaceEnabled reports whether the race detector is on, which takes memory of its
// own and makes allocations that are none without it.
const RaceEnabled = false
