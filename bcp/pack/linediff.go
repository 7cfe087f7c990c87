package pack

import (
	"bytes"
	"slices"

	"github.com/wirekit/wirekit/bcp"
)

// mostEdits is how many lines two texts may differ in for their difference to
// be looked for: the work grows with their lines times this number at worst.
const mostEdits = 1000

// around is how many equal lines are around a change.
const around = 3

// An edit is a line of a difference: kept, removed or added.
type edit struct {
	kind byte // ' ', '-' or '+'
	line []byte
}

// lineDiff returns the hunks that make one text of another one; false if they
// differ in too many lines.
func lineDiff(before, after []byte) ([]bcp.DiffHunk, bool) {
	a, b := splitLines(before), splitLines(after)
	head := 0
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	edits, ok := shortestEdit(a[head:len(a)-tail], b[head:len(b)-tail])
	if !ok {
		return nil, false
	}
	// As many of the equal lines as can be around a change.
	lead := min(head, around)
	all := make([]edit, 0, len(edits)+2*around)
	for _, line := range a[head-lead : head] {
		all = append(all, edit{' ', line})
	}
	all = append(all, edits...)
	for _, line := range a[len(a)-tail : len(a)-tail+min(tail, around)] {
		all = append(all, edit{' ', line})
	}
	return hunks(all, head-lead), true
}

func splitLines(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if n := len(lines) - 1; len(lines[n]) == 0 {
		lines = lines[:n]
	}
	return lines
}

// shortestEdit is Myers' algorithm, which goes to the furthest points of each
// number of edits until the end of both.
func shortestEdit(a, b [][]byte) ([]edit, bool) {
	if len(a)-len(b) > mostEdits || len(b)-len(a) > mostEdits {
		return nil, false
	}
	limit := min(len(a)+len(b), mostEdits)
	furthest := make([]int, 2*limit+3)
	var trace [][]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), furthest[limit+1-d:limit+2+d]...))
		for k := -d; k <= d; k += 2 {
			at := limit + 1 + k
			var i int
			if k == -d || k != d && furthest[at-1] < furthest[at+1] {
				i = furthest[at+1]
			} else {
				i = furthest[at-1] + 1
			}
			for i < len(a) && i-k < len(b) && bytes.Equal(a[i], b[i-k]) {
				i++
			}
			furthest[at] = i
			if i >= len(a) && i-k >= len(b) {
				return walkBack(a, b, trace), true
			}
		}
	}
	return nil, false
}

// walkBack turns the trace of the furthest points into edits. trace[d] holds
// those before the round d, of the diagonals from -d to d.
func walkBack(a, b [][]byte, trace [][]int) []edit {
	var back []edit
	i, j := len(a), len(b)
	for d := len(trace) - 1; d > 0; d-- {
		point := func(k int) int { return trace[d][k+d] }
		k := i - j
		down := k == -d || k != d && point(k-1) < point(k+1)
		from := k - 1
		if down {
			from = k + 1
		}
		fromI := point(from)
		for i > fromI && j > fromI-from {
			i, j = i-1, j-1
			back = append(back, edit{' ', a[i]})
		}
		if i, j = fromI, fromI-from; down {
			back = append(back, edit{'+', b[j]})
		} else {
			back = append(back, edit{'-', a[i]})
		}
	}
	for i > 0 {
		i--
		back = append(back, edit{' ', a[i]})
	}
	slices.Reverse(back)
	return back
}

// hunks groups edits, the first of which comes after so many lines.
func hunks(edits []edit, skipped int) []bcp.DiffHunk {
	var out []bcp.DiffHunk
	oldLine, newLine, done := skipped+1, skipped+1, 0
	for i := range edits {
		if edits[i].kind == ' ' || i < done {
			continue
		}
		last := i // of the changes that so few lines part
		for j := i; j < len(edits) && j-last <= 2*around+1; j++ {
			if edits[j].kind != ' ' {
				last = j
			}
		}
		from, to := max(i-around, done), min(last+1+around, len(edits))
		oldLine, newLine = oldLine+from-done, newLine+from-done
		h := bcp.DiffHunk{OldStart: uint32(oldLine), NewStart: uint32(newLine)}
		for _, e := range edits[from:to] {
			if h.Lines = append(append(h.Lines, e.kind), e.line...); !bytes.HasSuffix(e.line, []byte("\n")) {
				h.Lines = append(h.Lines, "\n\\ No newline at end of file\n"...)
			}
			if e.kind != '+' {
				oldLine++
			}
			if e.kind != '-' {
				newLine++
			}
		}
		out, done = append(out, h), to
	}
	return out
}
