// Package phrases finds the words and phrases of texts that are worth an entry of a
// legend, and refers to them.
package phrases

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

const (
	// MinReference is how many tokens each reference must save, and MinEntry how many an
	// entry, a block of lines or a heading must, beyond its line.
	MinReference = 4
	MinEntry     = 8
	// maxPhrase bounds the entries, in atoms.
	maxPhrase = 64
	// maxPhrases bounds how many are candidates.
	maxPhrases = 8192
	// effort bounds the search, in atoms looked at for each of the text.
	effort = 192
)

// A Text is one that is searched, and how often it is there. What is empty is not searched.
type Text struct {
	Text  []byte
	Times int
}

// A Notation is how references are written.
type Notation struct {
	Count     func(text []byte) int                           // tokens
	Reference func(dst []byte, entry int, rest []byte) []byte // before the rest of a text
	Sample    int                                             // an entry of the usual length
	Most      int                                             // entries
}

// Refer returns a legend of what repeats in texts, in the order of its first use, and
// the texts with references to it. Without a legend there are no texts.
func Refer(texts []Text, n Notation) (legend, referring [][]byte) {
	d := dictionary{texts: texts, notation: n}
	d.ref = n.Count(n.Reference(nil, n.Sample, nil))
	d.split()
	d.sort()
	d.entry, d.set = make([]int32, len(d.atoms)), make([]uint64, len(d.atoms)/wordSize+1)
	d.effort = effort * len(d.atoms)
	d.choose(d.phrases())
	if len(d.legend) == 0 {
		return nil, nil
	}
	return d.apply()
}

// An atom is a word, a run of blanks or another character: what phrases are made of.
// A word is what a reader would copy as a whole, such as a path, a name or a time, so
// that no entry ends within one.
type atom struct {
	start, end int32 // in its text
	line       int32 // index in the texts; -1 for the end of one
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
	texts    []Text
	notation Notation
	atoms    []atom
	suffixes []int32 // the atoms that begin phrases, sorted by what follows them
	entry    []int32 // by atom, the entry that covers it, from 1
	effort   int
	places   []int32  // where the phrase at hand can be a reference
	set      []uint64 // a bit by atom, none set between calls of uses
	legend   [][]byte
	ref      int // what a reference takes
}

// classOf returns what the character at i is part of. What ends a sentence is not part of
// the word before it, and a colon is one within times, URLs and scopes only.
func classOf(text []byte, i int) class {
	c := text[i]
	if scan.IsLetter(c) || scan.IsDigit(c) {
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
		within = after == '/' || after == ':' || i > 0 && before == ':' || scan.IsDigit(after) && scan.IsDigit(before)
	}
	if within {
		return word
	}
	return other
}

// split cuts the texts into atoms.
func (d *dictionary) split() {
	ids := make(map[string]int32)
	costs := int32(0)
	for n, t := range d.texts {
		if Estimate(t.Text) < d.ref+MinReference-1 {
			continue // too short for a phrase
		}
		for i := 0; i < len(t.Text); {
			start, c := i, classOf(t.Text, i)
			for i++; i < len(t.Text) && classOf(t.Text, i) == c && (c == word || t.Text[i] == t.Text[i-1]); i++ {
			}
			text := t.Text[start:i]
			id, ok := ids[string(text)]
			if !ok {
				id = int32(len(ids))
				ids[string(text)] = id
			}
			d.atoms = append(d.atoms, atom{start: int32(start), end: int32(i), line: int32(n), id: id, cost: costs, class: c})
			if c != blank || len(text) > 1 {
				costs += int32(max(Estimate(text), 1))
			}
		}
		d.atoms = append(d.atoms, atom{line: -1, id: -1, cost: costs})
	}
	// No phrase goes beyond the end of a text: each end is an atom of its own.
	unique := int32(len(ids))
	for i := range d.atoms {
		if d.atoms[i].line < 0 {
			d.atoms[i].id = unique
			unique++
		}
	}
}

// sort sorts the suffixes that can begin with a phrase by their first maxPhrase atoms. Each
// has the end of a text in it, an atom that no other suffix has there.
func (d *dictionary) sort() {
	for i, a := range d.atoms {
		if a.line >= 0 && a.class != blank {
			d.suffixes = append(d.suffixes, int32(i))
		}
	}
	ids := make([]byte, 0, 4*len(d.atoms))
	for _, a := range d.atoms {
		ids = binary.BigEndian.AppendUint32(ids, uint32(a.id))
	}
	begin := func(i int32) []byte { return ids[4*i:][:4*min(maxPhrase, int32(len(d.atoms))-i)] }
	slices.SortFunc(d.suffixes, func(a, b int32) int {
		return cmp.Or(bytes.Compare(begin(a), begin(b)), cmp.Compare(a, b))
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
	// before is how often the suffixes before from are there.
	type branch struct{ from, length, before int32 }
	var open []branch
	sum := int32(0)
	for i := 1; i <= len(d.suffixes); i++ {
		from, before, common := int32(i)-1, sum, d.alike(i)
		sum += d.times(d.suffixes[i-1])
		for len(open) > 0 && open[len(open)-1].length > common {
			b := open[len(open)-1]
			open = open[:len(open)-1]
			from, before = b.from, b.before
			outer := common
			if len(open) > 0 {
				outer = max(outer, open[len(open)-1].length)
			}
			d.add(&found, phrase{from: b.from, to: int32(i), length: b.length}, sum-before, outer)
		}
		if common > 0 && (len(open) == 0 || open[len(open)-1].length < common) {
			open = append(open, branch{from, common, before})
		}
	}
	slices.SortFunc(found, comparePhrases)
	return found
}

// times returns how often the text of an atom is there.
func (d *dictionary) times(at int32) int32 {
	return int32(d.texts[d.atoms[at].line].Times)
}

// add adds the phrases of a branch: what it begins with, and that up to the last word.
func (d *dictionary) add(found *[]*phrase, p phrase, times, outer int32) {
	at := d.suffixes[p.from]
	for ; p.length > outer; p.length-- {
		if d.atoms[at+p.length-1].class == blank {
			continue
		}
		d.addPhrase(found, p, times)
		if d.atoms[at+p.length-1].class == word {
			break
		}
	}
}

// addPhrase adds a phrase that may be worth an entry, unless a shorter branch has it.
func (d *dictionary) addPhrase(found *[]*phrase, p phrase, times int32) {
	at := d.suffixes[p.from]
	p.cost, p.stamp = d.atoms[at+p.length].cost-d.atoms[at].cost, -1
	if int(p.cost) < d.ref+MinReference-1 {
		return
	}
	p.gain = d.gain(&p, int(times))
	if p.gain < MinEntry {
		return
	}
	if *found = append(*found, &p); len(*found) == 2*maxPhrases {
		slices.SortFunc(*found, comparePhrases)
		*found = (*found)[:maxPhrases]
	}
}

// gain returns what an entry saves that is used so often. Beside its text its line takes
// a reference and two more.
func (d *dictionary) gain(p *phrase, times int) int32 {
	return int32(times*(int(p.cost)-d.ref) - int(p.cost) - d.ref - 2)
}

// text returns a phrase that begins at an atom.
func (d *dictionary) text(at, length int32) []byte {
	a := d.atoms[at]
	return d.texts[a.line].Text[a.start:d.atoms[at+length-1].end]
}

// choose takes the best phrases, best first. Gains only fall as others are chosen, so
// that one whose gain was just computed and is still the highest is the best.
func (d *dictionary) choose(found []*phrase) {
	for len(found) > 0 && len(d.legend) < d.notation.Most && d.effort > 0 {
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
	times := 0
	for _, at := range d.uses(p) {
		times += int(d.times(at))
	}
	if times < 2 {
		return false
	}
	if p.stamp < 0 {
		p.cost = int32(d.notation.Count(d.text(d.suffixes[p.from], p.length)))
	}
	p.stamp = int32(len(d.legend))
	p.gain = d.gain(p, times)
	return int(p.cost) >= d.ref+MinReference && p.gain >= MinEntry
}

// uses returns the places where a phrase can be a reference, in order, but those that
// overlap the one before or are next to it: a chain of references is hard to read.
func (d *dictionary) uses(p *phrase) []int32 {
	suffixes := d.suffixes[p.from:p.to]
	d.effort -= 4 * len(suffixes) // sorted
	d.places = d.places[:0]
	if wordSize*len(suffixes) < len(d.atoms) {
		sorted := append(d.places, suffixes...)
		slices.Sort(sorted)
		d.places = sorted[:0] // what is kept is written over what was looked at
		for _, at := range sorted {
			d.use(at, p.length)
		}
		return d.places
	}
	for _, at := range suffixes {
		d.set[at/wordSize] |= 1 << (at % wordSize)
	}
	for i, word := range d.set {
		for ; word != 0; word &= word - 1 {
			d.use(int32(wordSize*i+bits.TrailingZeros64(word)), p.length)
		}
	}
	clear(d.set)
	return d.places
}

// wordSize is how many atoms a word of a set has a bit for.
const wordSize = 64

// use adds a place to those where a phrase can be a reference, if it is one.
func (d *dictionary) use(at, length int32) {
	if n := len(d.places); (n == 0 || at > d.places[n-1]+length) && d.usable(at, length) {
		d.places = append(d.places, at)
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

// apply writes the references and numbers the entries in the order of their first use.
func (d *dictionary) apply() (legend, referring [][]byte) {
	for _, t := range d.texts {
		referring = append(referring, t.Text)
	}
	numbers := make([]int, len(d.legend)+1)
	for at := 0; at < len(d.atoms); at++ {
		line, begin := d.atoms[at].line, at
		for d.atoms[at].line >= 0 {
			at++
		}
		if slices.Max(d.entry[begin:at+1]) > 0 {
			referring[line] = d.referring(&legend, numbers, referring[line], begin, at)
		}
	}
	return legend, referring
}

// referring returns a text with references for the atoms from at to end that entries
// cover.
func (d *dictionary) referring(legend *[][]byte, numbers []int, text []byte, at, end int) (out []byte) {
	for at < end {
		a, e := d.atoms[at], d.entry[at]
		if e == 0 {
			out = append(out, text[a.start:a.end]...)
			at++
			continue
		}
		if numbers[e] == 0 {
			*legend = append(*legend, d.legend[e-1])
			numbers[e] = len(*legend)
		}
		after := int(a.start) + len(d.legend[e-1])
		for at < end && int(d.atoms[at].start) < after {
			at++
		}
		out = d.notation.Reference(out, numbers[e], text[after:])
	}
	return out
}

// comparePhrases orders phrases by gain, the highest first; of equal ones the longer,
// and then the first in the order of suffixes, so that the choice is the same every
// time.
func comparePhrases(a, b *phrase) int {
	return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(b.length, a.length), cmp.Compare(a.from, b.from))
}

// Estimate returns about how many tokens a text has: a word with the blank or the
// character before it is one, as are three digits.
func Estimate(text []byte) (n int) {
	sort := func(c byte) int {
		switch {
		case scan.IsLetter(c):
			return 0
		case scan.IsDigit(c):
			return 1
		case c == ' ':
			return 2
		}
		return 3
	}
	for i := 0; i < len(text); {
		start, s := i, sort(text[i])
		for i++; i < len(text) && sort(text[i]) == s; i++ {
		}
		length := i - start
		if s >= 2 && i < len(text) && !scan.IsDigit(text[i]) {
			length--
		}
		switch s {
		case 0:
			n += (length + 6) / 7
		case 1:
			n += (length + 2) / 3
		case 2:
			n += min(length, 1)
		case 3:
			n += (length + 1) / 2
		}
	}
	return n
}

// Counting counts tokens and keeps the first error.
type Counting struct {
	Counter interface { // nil for an estimate of a token for four bytes
		Count(text []byte) (int, error)
	}
	Err error
}

// Text returns the tokens of a text, 0 after an error.
func (c *Counting) Text(text []byte) int {
	switch {
	case c.Err != nil:
		return 0
	case c.Counter == nil:
		return (len(text) + 3) / 4
	}
	n, err := c.Counter.Count(text)
	c.Err = err
	return n
}
