package lines

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
	"strings"
)

const (
	// maxEntries bounds the legend, and maxPhrase its entries, in atoms.
	maxEntries = 32
	maxPhrase  = 64
	// maxPhrases bounds how many are candidates.
	maxPhrases = 8192
	// effort bounds the search, in atoms looked at for each of the text.
	effort = 256
)

// An atom is a word, a run of blanks or another character: what phrases are made of.
// A word is what a reader would copy as a whole, such as a path, a name or a time, so
// that no entry ends within one.
type atom struct {
	start, end int32 // in the text of its line
	line       int32 // index in the body; -1 for the end of a line
	id         int32 // equal atoms have equal ones
	cost       int32 // tokens of the atoms before it
	class      class
}

type class uint8

const (
	other class = iota
	blank
	word
)

// A phrase is atoms that occur more than once.
type phrase struct {
	from, to int32 // in the sorted suffixes
	length   int32 // in atoms
	cost     int32 // tokens
	gain     int32 // an upper bound unless stamp is the number of entries
	stamp    int32 // -1 until the cost is counted
}

// A dictionary finds the phrases that are worth an entry.
type dictionary struct {
	lines    []line
	count    *counting
	atoms    []atom
	suffixes []int32 // the atoms, sorted by what follows them
	entry    []int32 // by atom, the entry that covers it, from 1
	effort   int
	places   []int32 // of the phrase at hand
	legend   [][]byte
	line     int // what the line of an entry takes beside its text
	ref      int // what a reference takes
}

// withLegend returns the body with phrases that repeat in a legend.
func (b body) withLegend(free [256]bool, count *counting) body {
	m, ok := (&body{legend: [][]byte{nil}}).choose(free)
	if !ok {
		return b
	}
	d := dictionary{lines: b.lines, count: count}
	d.ref = count.text(m.appendReference(nil, maxEntries/2))
	d.line = d.ref + 2
	d.split()
	d.sort()
	d.entry = make([]int32, len(d.atoms))
	d.effort = effort * len(d.atoms)
	d.choose(d.phrases())
	if len(d.legend) == 0 {
		return b
	}
	return d.apply(b)
}

// classOf tells what the character at i is part of. What ends a sentence is no part of
// the word before it, and a colon is one within times, URLs and scopes only.
func classOf(text []byte, i int) class {
	c := text[i]
	if isLetter(c) || isDigit(c) {
		return word
	}
	before, after := byte(' '), byte(' ')
	if i > 0 {
		before = text[i-1]
	}
	if i+1 < len(text) {
		after = text[i+1]
	}
	within := false
	switch c {
	case ' ', '\t', '\r':
		return blank
	case '/', '-', '_', '+', '~', '@', '%', '#', '$', '\\':
		within = true
	case '.', '!', '?', '*', '&':
		within = after > ' ' && strings.IndexByte(`.,;:!?"')]}>`, after) < 0
	case ':':
		within = after == '/' || after == ':' || before == ':' || isDigit(after) && isDigit(before)
	}
	if within {
		return word
	}
	return other
}

// split cuts the plain lines into atoms.
func (d *dictionary) split() {
	ids := make(map[string]int32)
	costs := int32(0)
	for n, l := range d.lines {
		if l.kind != plain || estimate(l.text) < d.ref+minReference-1 {
			continue // too short for a phrase
		}
		for i := 0; i < len(l.text); {
			start, c := i, classOf(l.text, i)
			for i++; i < len(l.text) && classOf(l.text, i) == c && (c == word || l.text[i] == l.text[i-1]); i++ {
			}
			text := l.text[start:i]
			id, ok := ids[string(text)]
			if !ok {
				id = int32(len(ids))
				ids[string(text)] = id
			}
			d.atoms = append(d.atoms, atom{start: int32(start), end: int32(i), line: int32(n), id: id, cost: costs, class: c})
			if c != blank || len(text) > 1 {
				costs += int32(max(estimate(text), 1))
			}
		}
		d.atoms = append(d.atoms, atom{line: -1, id: -1, cost: costs})
	}
	// No phrase goes beyond the end of a line: each end is an atom of its own.
	unique := int32(len(ids))
	for i := range d.atoms {
		if d.atoms[i].line < 0 {
			d.atoms[i].id = unique
			unique++
		}
	}
}

// sort sorts the suffixes by their first maxPhrase atoms, by doubling: sorted by so
// many, they are sorted by twice as many next.
func (d *dictionary) sort() {
	n := len(d.atoms)
	rank, next := make([]int32, n), make([]int32, n)
	second := make([]int32, n) // the suffixes in the order of their second half
	counts := make([]int32, n+1)
	d.suffixes = make([]int32, n)
	highest := int32(0)
	for i := range d.atoms {
		rank[i], second[i] = d.atoms[i].id, int32(i)
		highest = max(highest, d.atoms[i].id)
	}
	for width := 0; ; width = max(1, 2*width) {
		if width > 0 {
			second = second[:0]
			for i := max(0, n-width); i < n; i++ {
				second = append(second, int32(i))
			}
			for _, s := range d.suffixes {
				if int(s) >= width {
					second = append(second, s-int32(width))
				}
			}
		}
		clear(counts[:highest+1])
		for _, r := range rank {
			counts[r]++
		}
		sum := int32(0)
		for r, c := range counts[:highest+1] {
			counts[r], sum = sum, sum+c
		}
		for _, s := range second {
			r := rank[s]
			d.suffixes[counts[r]] = s
			counts[r]++
		}
		if width >= maxPhrase/2 || int(highest) == n-1 {
			return
		}
		half := func(s int32) int32 {
			if int(s)+width < n && width > 0 {
				return rank[int(s)+width]
			}
			return -1
		}
		highest = -1
		for i, s := range d.suffixes {
			if i == 0 || rank[s] != rank[d.suffixes[i-1]] || half(s) != half(d.suffixes[i-1]) {
				highest++
			}
			next[s] = highest
		}
		rank, next = next, rank
	}
}

// common returns how many atoms each suffix begins with like the one before it in the
// order, at most maxPhrase.
func (d *dictionary) common() []int32 {
	n := len(d.suffixes)
	common := make([]int32, n+1)
	for i := 1; i < n; i++ {
		a, b := int(d.suffixes[i-1]), int(d.suffixes[i])
		h := 0
		for h < maxPhrase && max(a, b)+h < n && d.atoms[a+h].id == d.atoms[b+h].id {
			h++
		}
		common[i] = int32(h)
	}
	return common
}

// phrases returns what repeats and may be worth an entry: what neighbours in the
// order have in common gives every branch of the tree of all suffixes.
func (d *dictionary) phrases() (found queue) {
	common := d.common()
	type branch struct{ from, length int32 }
	var open []branch
	for i := 1; i <= len(d.suffixes); i++ {
		from := int32(i) - 1
		for len(open) > 0 && open[len(open)-1].length > common[i] {
			b := open[len(open)-1]
			open = open[:len(open)-1]
			from = b.from
			outer := common[i]
			if len(open) > 0 {
				outer = max(outer, open[len(open)-1].length)
			}
			d.add(&found, b.from, int32(i), b.length, outer)
		}
		if common[i] > 0 && (len(open) == 0 || open[len(open)-1].length < common[i]) {
			open = append(open, branch{from, common[i]})
		}
	}
	heap.Init(&found)
	return found
}

// add adds the phrases of a branch: what it begins with, and that up to the last word.
func (d *dictionary) add(found *queue, from, to, length, outer int32) {
	at := d.suffixes[from]
	if d.atoms[at].class == blank {
		return
	}
	for ; length > outer; length-- {
		if d.atoms[at+length-1].class == blank {
			continue
		}
		d.addPhrase(found, from, to, length)
		if d.atoms[at+length-1].class == word {
			break
		}
	}
}

// addPhrase adds a phrase that may be worth an entry, unless a shorter branch has it.
func (d *dictionary) addPhrase(found *queue, from, to, length int32) {
	at := d.suffixes[from]
	cost := d.atoms[at+length].cost - d.atoms[at].cost
	if int(cost) < d.ref+minReference-1 {
		return
	}
	p := &phrase{from: from, to: to, length: length, cost: cost, stamp: -1}
	p.gain = d.gain(p, int(to-from))
	if p.gain < minEntry {
		return
	}
	if *found = append(*found, p); len(*found) == 2*maxPhrases {
		slices.SortFunc(*found, comparePhrases)
		*found = (*found)[:maxPhrases]
	}
}

// gain returns what an entry saves that is used so often.
func (d *dictionary) gain(p *phrase, times int) int32 {
	return int32(times*(int(p.cost)-d.ref) - int(p.cost) - d.line)
}

// text returns a phrase that begins at an atom.
func (d *dictionary) text(at, length int32) []byte {
	a := d.atoms[at]
	return d.lines[a.line].text[a.start:d.atoms[at+length-1].end]
}

// choose takes the best phrases, best first. Gains only fall as others are chosen, so
// that one whose gain was just computed and is still the highest is the best.
func (d *dictionary) choose(found queue) {
	for len(found) > 0 && len(d.legend) < maxEntries && d.effort > 0 && d.count.err == nil {
		p := found[0]
		if int(p.stamp) != len(d.legend) {
			if !d.evaluate(p) {
				heap.Pop(&found)
			} else {
				heap.Fix(&found, 0)
			}
			continue
		}
		heap.Pop(&found)
		d.legend = append(d.legend, d.text(d.suffixes[p.from], p.length))
		for at := range d.uses(p) {
			for i := range p.length {
				d.entry[at+i] = int32(len(d.legend))
			}
		}
	}
}

// evaluate computes what a phrase saves now, and reports whether that is enough.
func (d *dictionary) evaluate(p *phrase) bool {
	times := 0
	for range d.uses(p) {
		times++
	}
	if times < 2 {
		return false
	}
	if p.stamp < 0 {
		p.cost = int32(d.count.text(d.text(d.suffixes[p.from], p.length)))
	}
	p.stamp = int32(len(d.legend))
	p.gain = d.gain(p, times)
	return int(p.cost) >= d.ref+minReference && p.gain >= minEntry
}

// uses yields the places where a phrase can be a reference, in order, but those that
// overlap the one before or are next to it: a chain of references is hard to read.
func (d *dictionary) uses(p *phrase) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		d.places = append(d.places[:0], d.suffixes[p.from:p.to]...)
		slices.Sort(d.places)
		d.effort -= 4 * len(d.places) // sorted
		next := int32(0)
		for _, at := range d.places {
			if at >= next && d.usable(at, p.length) {
				if !yield(at) {
					return
				}
				next = at + p.length + 1
			}
		}
	}
}

// usable reports whether a phrase can be a reference: no entry covers it or is next to
// it, and neither is a word, which a reader would have to put together.
func (d *dictionary) usable(at, length int32) bool {
	if at > 0 && (d.entry[at-1] > 0 || d.atoms[at-1].class == word) ||
		d.entry[at+length] > 0 || d.atoms[at+length].class == word {
		return false
	}
	for _, e := range d.entry[at : at+length] {
		d.effort--
		if e > 0 {
			return false
		}
	}
	return true
}

// apply writes references into the body and numbers the entries in the order of their
// first use.
func (d *dictionary) apply(b body) body {
	b.lines = slices.Clone(b.lines)
	numbers := make([]int, len(d.legend)+1)
	for at := 0; at < len(d.atoms); {
		n := int(d.atoms[at].line)
		end := at
		for d.atoms[end].line >= 0 {
			end++
		}
		if slices.Max(d.entry[at:end+1]) > 0 {
			l := &b.lines[n]
			l.from = int32(len(b.pieces))
			b.pieces = d.references(b.pieces, numbers, &b.legend, at, end)
			l.to = int32(len(b.pieces))
		}
		at = end + 1
	}
	return b
}

// references appends the pieces of the line with the atoms from at to end.
func (d *dictionary) references(pieces []piece, numbers []int, legend *[][]byte, at, end int) []piece {
	text := d.lines[d.atoms[at].line].text
	for at < end {
		e := d.entry[at]
		start := at
		if e > 0 {
			if numbers[e] == 0 {
				*legend = append(*legend, d.legend[e-1])
				numbers[e] = len(*legend)
			}
			length := len(d.legend[e-1])
			for first := d.atoms[at].start; at < end && int(d.atoms[at].start-first) < length; at++ {
			}
			pieces = append(pieces, piece{entry: numbers[e]})
			continue
		}
		for at < end && d.entry[at] == 0 {
			at++
		}
		pieces = append(pieces, piece{text: text[d.atoms[start].start:d.atoms[at-1].end]})
	}
	return pieces
}

// comparePhrases orders phrases by gain, the highest first; of equal ones the longer,
// and then the first in the order of suffixes, so that the choice is the same every
// time.
func comparePhrases(a, b *phrase) int {
	if a.gain != b.gain {
		return cmp.Compare(b.gain, a.gain)
	}
	return cmp.Or(cmp.Compare(b.length, a.length), cmp.Compare(a.from, b.from))
}

// A queue is a heap, the first phrase in the order of comparePhrases on top.
type queue []*phrase

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*phrase)) }
func (q queue) Less(i, j int) bool {
	return comparePhrases(q[i], q[j]) < 0
}
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
