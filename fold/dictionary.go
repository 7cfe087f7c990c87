package fold

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

const (
	// minReference is how many tokens each reference must save, and minEntry
	// how many an entry must, beyond its line.
	minReference = phrases.MinReference
	minEntry     = phrases.MinEntry
	// minPrefix is the length of the shortest prefix that can be an entry.
	minPrefix = 4
	// legendOverhead is about what an entry costs beside its text.
	legendOverhead = 2
	// sampleNumber is a number of the usual length.
	sampleNumber = 12
)

// delimiters are the characters after which a prefix may end.
const delimiters = "/?=&#:.-_@ ,;([|"

// A dictionary finds texts that repeat.
type dictionary struct {
	notation notation
	style    style
	count    *counting
	most     int

	texts  []occurring // distinct strings, sorted
	work   int         // bytes that may still be counted
	legend Legend
	become map[string]string // what strings are written as
	uses   int               // strings that hold a reference
	build  builder.Builder
}

// occurring is a distinct string of the value.
type occurring struct {
	text  string
	times int
	plain int // its tokens as it is
	cost  int // its tokens with the best entry chosen so far
	entry *candidate
}

// A candidate is a string that may become an entry, with the range of texts
// that begin with it.
type candidate struct {
	text     string
	from, to int
	line     int   // tokens of its entry
	costs    []int // of each text in the range with a reference; nil until known
	gain     int   // an upper bound as long as costs are nil or stamp is old
	stamp    int
	number   int // in the legend
}

// find chooses the entries.
func (d *dictionary) find(v wire.Value) {
	d.texts = occurrences(v)
	slices.SortFunc(d.texts, func(a, b occurring) int { return strings.Compare(a.text, b.text) })
	total := 0
	for i := range d.texts {
		t := &d.texts[i]
		t.plain = d.count.cell(d.style, "", t.text)
		t.cost = t.plain
		total += len(t.text)
	}
	// Texts that begin alike in many lengths could cost their square.
	d.work = 16*total + 64<<10
	d.choose(d.candidates())
}

// occurrences lists the distinct strings of v in the order of their first one.
func occurrences(v wire.Value) (texts []occurring) {
	index := make(map[string]int)
	var walk func(v wire.Value)
	walk = func(v wire.Value) {
		switch v.Kind() {
		case wire.KindString:
			s := v.Text()
			if i, ok := index[s]; ok {
				texts[i].times++
				return
			}
			index[s] = len(texts)
			texts = append(texts, occurring{text: s, times: 1})
		case wire.KindArray, wire.KindObject:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(v)
	return texts
}

// candidates returns texts that repeat, and what neighbours in the order have
// in common up to a delimiter. The neighbours give every branch of the tree of
// all texts.
func (d *dictionary) candidates() (list []*candidate) {
	known := make(map[string]bool)
	add := func(text string) {
		if len(text) < minPrefix || known[text] {
			return
		}
		known[text] = true
		from, _ := slices.BinarySearchFunc(d.texts, text, func(t occurring, text string) int { return strings.Compare(t.text, text) })
		n, _ := slices.BinarySearchFunc(d.texts[from:], text, func(t occurring, text string) int {
			if strings.HasPrefix(t.text, text) {
				return -1
			}
			return 1
		})
		list = append(list, &candidate{text: text, from: from, to: from + n})
	}
	for i, t := range d.texts {
		if i > 0 {
			add(t.text[:cutLength(t.text, scan.CommonPrefix(d.texts[i-1].text, t.text))])
		}
		if t.times > 1 {
			add(t.text)
		}
	}
	return list
}

// delimits reports whether a prefix may end after byte i of text: after a
// delimiter, and after the T between a date and a time.
func delimits(text string, i int) bool {
	if strings.IndexByte(delimiters, text[i]) >= 0 {
		return true
	}
	return text[i] == 'T' && i > 0 && i+1 < len(text) && scan.IsDigit(text[i-1]) && scan.IsDigit(text[i+1])
}

// cutLength returns the length of text[:n] up to its last delimiter.
func cutLength(text string, n int) int {
	for n > 0 && !delimits(text, n-1) {
		n--
	}
	return n
}

// choose takes the best candidates, best first. Gains only fall as others are
// chosen, so a candidate whose gain was just computed and is still the highest
// is the best.
func (d *dictionary) choose(all []*candidate) {
	reference := d.count.cell(d.style, d.notation.reference(sampleNumber), "")
	queue := make(queue, 0, len(all))
	for _, c := range all {
		c.line = d.count.cell(d.style, d.notation.reference(sampleNumber), c.text) + legendOverhead
		saved := d.count.cell(d.style, "", c.text) - reference + 1 // at most, per reference
		if saved < minReference {
			continue
		}
		for _, t := range d.texts[c.from:c.to] {
			c.gain += t.times * min(saved, t.plain)
		}
		c.gain -= c.line
		if c.gain >= minEntry {
			queue = append(queue, c)
		}
	}
	heap.Init(&queue)
	for chosen := 0; len(queue) > 0 && chosen < d.most && d.count.Err == nil; {
		c := queue[0]
		if c.costs == nil || c.stamp != chosen {
			if !d.evaluate(c, chosen) || c.gain < minEntry {
				heap.Pop(&queue)
				continue
			}
			heap.Fix(&queue, 0)
			continue
		}
		heap.Pop(&queue)
		for i := c.from; i < c.to; i++ {
			t := &d.texts[i]
			if cost := c.costs[i-c.from]; cost < t.cost && t.plain-cost >= minReference {
				t.cost, t.entry = cost, c
			}
		}
		chosen++
	}
}

// evaluate computes a candidate's gain. It reports false if too much was
// counted already.
func (d *dictionary) evaluate(c *candidate, stamp int) bool {
	if c.costs == nil {
		for _, t := range d.texts[c.from:c.to] {
			d.work -= len(t.text) - len(c.text) + 1
		}
		if d.work < 0 {
			d.work = -1 // and stays below 0 where an int has 32 bits
			return false
		}
		c.costs = make([]int, c.to-c.from)
		for i := range c.costs {
			c.costs[i] = d.count.cell(d.style, "", d.notation.joined(sampleNumber, d.texts[c.from+i].text[len(c.text):]))
		}
	}
	c.gain, c.stamp = -c.line, stamp
	for i, cost := range c.costs {
		t := &d.texts[c.from+i]
		if cost < t.cost && t.plain-cost >= minReference {
			c.gain += t.times * (t.cost - cost)
		}
	}
	return true
}

// A queue is a heap with the highest gain first; of equal ones the longer text,
// and then the one that comes first, so that the choice is the same every time.
type queue []*candidate

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*candidate)) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(len(b.text), len(a.text)), strings.Compare(a.text, b.text)) < 0
}
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// apply writes the references into v, numbers the entries in the order of
// their first use, and returns the number of strings that hold one.
func (d *dictionary) apply(v wire.Value) (wire.Value, int) {
	entries := make(map[string]*candidate)
	for i := range d.texts {
		if t := &d.texts[i]; t.entry != nil {
			entries[t.text] = t.entry
		}
	}
	if len(entries) == 0 {
		return v, 0
	}
	d.legend.notation = d.notation
	d.become = make(map[string]string)
	return builder.Map(&d.build, v, func(v wire.Value) wire.Value {
		if v.Kind() != wire.KindString {
			return v
		}
		return d.written(v, entries[v.Text()])
	}), d.uses
}

// written returns the string that is written for v in data.
func (d *dictionary) written(v wire.Value, c *candidate) wire.Value {
	s := v.Text()
	if c == nil || wire.Internal.Tag(v) != 0 {
		if d.notation.looksLike(s) {
			return wire.Internal.TaggedString(d.notation.sigil+s, wire.Internal.Tag(v))
		}
		return v
	}
	d.uses++
	if text, ok := d.become[s]; ok {
		return wire.String(text)
	}
	if c.number == 0 {
		d.legend.texts = append(d.legend.texts, c.text)
		c.number = len(d.legend.texts)
	}
	text := d.notation.joined(c.number, s[len(c.text):])
	d.become[s] = text
	return wire.String(text)
}

// withBasicTimes returns v with its times in basic form, and whether there are
// any. A value that has a string of that form already stays as it is.
func withBasicTimes(v wire.Value) (wire.Value, bool) {
	found, clash := false, false
	out := builder.Map(new(builder.Builder), v, func(v wire.Value) wire.Value {
		if v.Kind() != wire.KindString {
			return v
		}
		_, extends := extendedTime(v.Text())
		clash = clash || extends
		basic, ok := basicTime(v.Text())
		if !ok {
			return v
		}
		found = true
		return wire.Internal.TaggedString(basic, wire.Internal.Tag(v))
	})
	if clash || !found {
		return v, false
	}
	return out, true
}
