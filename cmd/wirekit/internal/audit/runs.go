package audit

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"regexp"
	"strconv"
	"strings"
)

// A run has at least so many lines and bytes.
const runLines, runBytes = 8, 400

// A ledger has the lines of a context's results, to find runs of lines that an earlier
// result has.
type ledger struct {
	results []ledgerResult
	places  map[uint64][2]int32 // result and line where a window of runLines lines is first
}

type ledgerResult struct {
	name  string       // for references to it
	lines []ledgerLine // as it is sent, with references in it
}

// A ledgerLine is a line: the hash of its text after its number, and the number.
type ledgerLine struct {
	hash   uint64
	number int32 // -1 without one
	column int16 // where a number ends that has blanks before it
}

var (
	lineSeed   = maphash.MakeSeed()
	lineNumber = regexp.MustCompile(`^( *)([1-9][0-9]{0,7})(?:\t|→)|^()([1-9][0-9]{0,7})[:|-]`)
	failure    = regexp.MustCompile(`(?i)\b(errors?|fail(s|ed|ures?)?|panic|fatal|exception|traceback)\b`)
)

// parseLine returns a line, and its text after its number.
func parseLine(line []byte) (ledgerLine, []byte) {
	at := lineNumber.FindSubmatchIndex(line)
	if at == nil {
		return ledgerLine{hash: maphash.Bytes(lineSeed, line), number: -1}, line
	}
	from, to := max(at[4], at[8]), max(at[5], at[9])
	number, _ := strconv.Atoi(string(line[from:to])) // of eight digits at most
	l := ledgerLine{hash: maphash.Bytes(lineSeed, line[to:]), number: int32(number)}
	if from > 0 {
		l.column = int16(min(to, 1<<14))
	}
	return l, line[to:]
}

// follows reports whether l is as e is, but for a number that is larger by shift.
func (l ledgerLine) follows(e ledgerLine, shift int32) bool {
	return l.hash == e.hash && (l.number < 0) == (e.number < 0) && (l.number < 0 || l.number-e.number == shift && l.column == e.column)
}

// windows returns a hash of each runLines lines that follow each other.
func windows(lines []ledgerLine) []uint64 {
	all := make([]uint64, max(0, len(lines)-runLines+1))
	for i := range all {
		for _, l := range lines[i : i+runLines] {
			all[i] = all[i]*0x9e3779b97f4a7c15 + l.hash
		}
	}
	return all
}

// add adds a result, the nth of its context, and returns it with a reference in place of
// each run that an earlier one has, and how many these are.
func (g *ledger) add(nth int, tool string, data []byte) (text []byte, references int) {
	if g.places == nil {
		g.places = make(map[uint64][2]int32)
	}
	raw := bytes.SplitAfter(data, []byte("\n"))
	if len(raw) < runLines || len(data) > 1<<20 {
		return data, 0
	}
	lines := make([]ledgerLine, len(raw))
	for i, line := range raw {
		lines[i], _ = parseLine(line)
	}
	r, hashes := ledgerResult{name: fmt.Sprintf("result %d (%s)", nth, tool)}, windows(lines)
	var sent [][]byte
	for i, n := 0, 0; i < len(raw); i += n {
		reference := ""
		if n = 1; i > 0 && i < len(hashes) {
			n, reference = g.run(lines, raw, i, hashes[i])
		}
		if reference != "" {
			sent, references = append(sent, []byte(reference)), references+1
			r.lines = append(r.lines, ledgerLine{number: -1}) // no line has its hash
			continue
		}
		sent = append(sent, raw[i:i+n]...)
		r.lines = append(r.lines, lines[i:i+n]...)
	}
	for i, hash := range windows(r.lines) {
		if _, ok := g.places[hash]; !ok {
			g.places[hash] = [2]int32{int32(len(g.results)), int32(i)}
		}
	}
	g.results = append(g.results, r)
	return bytes.Join(sent, nil), references
}

// run returns how many lines from i on an earlier result has where a window has the same hash,
// and the line that names them, if they are enough; otherwise how many lines begin no run. The
// last line of a result is in no run, nor is one that states a failure.
func (g *ledger) run(lines []ledgerLine, raw [][]byte, i int, hash uint64) (n int, reference string) {
	place, ok := g.places[hash]
	if !ok {
		return 1, ""
	}
	earlier, at := g.results[place[0]], int(place[1])
	shift, first, size := int32(0), int32(-1), 0
	for ; i+n < len(lines)-1 && at+n < len(earlier.lines); n++ {
		l, e := lines[i+n], earlier.lines[at+n]
		if l.number >= 0 && first < 0 {
			first, shift = l.number, l.number-e.number
		}
		if !l.follows(e, shift) || l.number < 0 && failure.Match(raw[i+n]) {
			break
		}
		size += len(raw[i+n])
	}
	if n < runLines || size < runBytes {
		return max(1, n-runLines+1), ""
	}
	_, quoted := parseLine(raw[i])
	quoted = bytes.TrimSpace(quoted)
	moved := ""
	if shift != 0 {
		moved = fmt.Sprintf("; here numbered from %d", first)
	}
	return n, fmt.Sprintf("[lines %d-%d of %s, from %q, word for word%s]\n",
		at+1, at+n, earlier.name, strings.ToValidUTF8(string(quoted[:min(len(quoted), 24)]), ""), moved)
}
