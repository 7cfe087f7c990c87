package lines

import (
	"cmp"
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
	marks    marks
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
func (b body) withLegend(taken [256]bool, count *counting) body {
	m, ok := (&body{legend: [][]byte{nil}}).choose(taken)
	if !ok {
		return b
	}
	d := dictionary{lines: b.lines, count: count, marks: m}
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

// classOf tells what the character at i is part of. What ends a sentence is not part of
// the word before it, and a colon is one within times, URLs and scopes only.
func classOf(text []byte, i int) class {
	c := text[i]
	if isLetter(c) || isDigit(c) {
		return word
	}
	before, after := text[max(i-1, 0)], byte(' ')
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
		within = after == '/' || after == ':' || i > 0 && before == ':' || isDigit(after) && isDigit(before)
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

// sort sorts the suffixes by their first maxPhrase atoms. Each has the end of a line in it,
// an atom that no other suffix has there.
func (d *dictionary) sort() {
	for i := range d.atoms {
		d.suffixes = append(d.suffixes, int32(i))
	}
	slices.SortFunc(d.suffixes, func(a, b int32) int {
		for i := range min(maxPhrase, int32(len(d.atoms))-max(a, b)) {
			if x, y := d.atoms[a+i].id, d.atoms[b+i].id; x != y {
				return cmp.Compare(x, y)
			}
		}
		return cmp.Compare(a, b)
	})
}

// alike returns how many atoms suffix i begins with like the one before it in the order, at
// most maxPhrase; 0 beyond the last.
func (d *dictionary) alike(i int) (length int32) {
	if i == len(d.suffixes) {
		return 0
	}
	a, b := d.suffixes[i-1], d.suffixes[i]
	for length < maxPhrase && int(max(a, b)+length) < len(d.atoms) && d.atoms[a+length].id == d.atoms[b+length].id {
		length++
	}
	return length
}

// phrases returns what repeats and may be worth an entry: what neighbours in the
// order have in common gives every branch of the tree of all suffixes.
func (d *dictionary) phrases() (found []*phrase) {
	type branch struct{ from, length int32 }
	var open []branch
	for i := 1; i <= len(d.suffixes); i++ {
		from, common := int32(i)-1, d.alike(i)
		for len(open) > 0 && open[len(open)-1].length > common {
			b := open[len(open)-1]
			open = open[:len(open)-1]
			from = b.from
			outer := common
			if len(open) > 0 {
				outer = max(outer, open[len(open)-1].length)
			}
			d.add(&found, b.from, int32(i), b.length, outer)
		}
		if common > 0 && (len(open) == 0 || open[len(open)-1].length < common) {
			open = append(open, branch{from, common})
		}
	}
	slices.SortFunc(found, comparePhrases)
	return found
}

// add adds the phrases of a branch: what it begins with, and that up to the last word.
func (d *dictionary) add(found *[]*phrase, from, to, length, outer int32) {
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
func (d *dictionary) addPhrase(found *[]*phrase, from, to, length int32) {
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
func (d *dictionary) choose(found []*phrase) {
	for len(found) > 0 && len(d.legend) < maxEntries && d.effort > 0 && d.count.err == nil {
		p := found[0]
		found = found[1:]
		if int(p.stamp) != len(d.legend) {
			if d.evaluate(p) {
				at, _ := slices.BinarySearchFunc(found, p, comparePhrases)
				found = slices.Insert(found, at, p)
			}
			continue
		}
		d.legend = append(d.legend, d.text(d.suffixes[p.from], p.length))
		for _, at := range d.uses(p) {
			for i := range p.length {
				d.entry[at+i] = int32(len(d.legend))
			}
		}
	}
}

// evaluate computes what a phrase saves now, and reports whether that is enough.
func (d *dictionary) evaluate(p *phrase) bool {
	times := len(d.uses(p))
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

// uses returns the places where a phrase can be a reference, in order, but those that
// overlap the one before or are next to it: a chain of references is hard to read.
func (d *dictionary) uses(p *phrase) []int32 {
	d.places = append(d.places[:0], d.suffixes[p.from:p.to]...)
	slices.Sort(d.places)
	d.effort -= 4 * len(d.places) // sorted
	next := int32(0)
	return slices.DeleteFunc(d.places, func(at int32) bool {
		if at < next || !d.usable(at, p.length) {
			return true
		}
		next = at + p.length + 1
		return false
	})
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
	for at := 0; at < len(d.atoms); at++ {
		l := &b.lines[d.atoms[at].line]
		begin := at
		for d.atoms[at].line >= 0 {
			at++
		}
		if slices.Max(d.entry[begin:at+1]) > 0 {
			l.text = d.referring(&b, numbers, l.text, begin, at)
		}
	}
	return b
}

// referring returns a line with references for the atoms from at to end that entries
// cover.
func (d *dictionary) referring(b *body, numbers []int, text []byte, at, end int) (out []byte) {
	out = append(out, text[:d.atoms[at].start]...)
	for at < end {
		a, e := d.atoms[at], d.entry[at]
		if e == 0 {
			out = append(out, text[a.start:a.end]...)
			at++
			continue
		}
		if numbers[e] == 0 {
			b.legend = append(b.legend, d.legend[e-1])
			numbers[e] = len(b.legend)
		}
		after := int(a.start) + len(d.legend[e-1])
		for at < end && int(d.atoms[at].start) < after {
			at++
		}
		out = d.marks.appendReference(out, numbers[e])
		if after < len(text) && (isDigit(text[after]) || text[after] == ';') {
			out = append(out, ';')
		}
	}
	return out
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
