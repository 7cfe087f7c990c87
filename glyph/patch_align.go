package glyph

import "github.com/wirekit/wirekit/internal/base/align"

// The search for the shortest script of edits gives up after that many of them,
// or earlier in long lists: every edit may cost a walk over both lists.
const (
	maxEdits     = 1024
	minEdits     = 16
	maxEditSteps = 1 << 22
)

// aligned returns the gaps between two lists, in order.
func aligned(from, to []digest) []align.Gap {
	gaps := align.Gaps(hashes(from), hashes(to), func(length int) int { return min(maxEdits, max(minEdits, maxEditSteps/length)) })
	i, j := 0, 0
	for _, g := range append(gaps, align.Gap{From: len(from), To: len(to)}) {
		for ; i < g.From; i, j = i+1, j+1 {
			if !from[i].same(to[j]) { // two values of one hash
				return []align.Gap{{FromEnd: len(from), ToEnd: len(to)}}
			}
		}
		i, j = g.FromEnd, g.ToEnd
	}
	return gaps
}

func hashes(list []digest) []uint64 {
	all := make([]uint64, len(list))
	for i, g := range list {
		all[i] = g.hash
	}
	return all
}
