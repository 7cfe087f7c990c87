package pack

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/base/align"
)

// mostEdits is how many lines two texts may differ in for their difference to
// be looked for: the work grows with their lines times this number at worst.
const mostEdits = 1000

// around is how many equal lines are around a change.
const around = 3

// lineDiff returns the hunks that make one text of another one; false if they
// differ in too many lines.
func lineDiff(before, after []byte) (hunks []bcp.DiffHunk, ok bool) {
	a, b := slices.Collect(strings.Lines(string(before))), slices.Collect(strings.Lines(string(after)))
	gaps := align.Gaps(a, b, func(int) int { return mostEdits })
	edits := 0
	for _, g := range gaps {
		edits += g.FromEnd - g.From + g.ToEnd - g.To
	}
	if edits > mostEdits {
		return nil, false
	}
	for len(gaps) > 0 {
		n := 1 // those that so few lines part are in one hunk
		for n < len(gaps) && gaps[n].From-gaps[n-1].FromEnd <= 2*around {
			n++
		}
		lead := min(around, gaps[0].From)
		at := gaps[0].From - lead
		h := bcp.DiffHunk{OldStart: uint32(at + 1), NewStart: uint32(gaps[0].To - lead + 1)}
		for _, g := range gaps[:n] {
			h.Lines = appendLines(h.Lines, ' ', a[at:g.From])
			h.Lines = appendLines(h.Lines, '-', a[g.From:g.FromEnd])
			h.Lines = appendLines(h.Lines, '+', b[g.To:g.ToEnd])
			at = g.FromEnd
		}
		h.Lines = appendLines(h.Lines, ' ', a[at:min(at+around, len(a))])
		hunks, gaps = append(hunks, h), gaps[n:]
	}
	return hunks, true
}

func appendLines(dst []byte, kind byte, lines []string) []byte {
	for _, line := range lines {
		if dst = append(append(dst, kind), line...); !strings.HasSuffix(line, "\n") {
			dst = append(dst, "\n\\ No newline at end of file\n"...)
		}
	}
	return dst
}
