package fold

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
	"strings"

	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

const (
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

	texts []occurring // distinct strings, sorted
	work  int         // bytes that may still be counted
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
		from := sort.Search(len(d.texts), func(i int) bool { return d.texts[i].text >= text })
		n := sort.Search(len(d.texts)-from, func(i int) bool { return !strings.HasPrefix(d.texts[from+i].text, text) })
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
	return strings.IndexByte(delimiters, text[i]) >= 0 ||
		text[i] == 'T' && i > 0 && i+1 < len(text) && scan.IsDigit(text[i-1]) && scan.IsDigit(text[i+1])
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
		if saved < phrases.MinReference {
			continue
		}
		for _, t := range d.texts[c.from:c.to] {
			c.gain += t.times * min(saved, t.plain)
		}
		c.gain -= c.line
		if c.gain >= phrases.MinEntry {
			queue = append(queue, c)
		}
	}
	heap.Init(&queue)
	for chosen := 0; len(queue) > 0 && chosen < d.most && d.count.Err == nil; {
		c := queue[0]
		if c.costs == nil || c.stamp != chosen {
			if d.evaluate(c, chosen) {
				heap.Fix(&queue, 0)
			} else {
				heap.Pop(&queue)
			}
			continue
		}
		heap.Pop(&queue)
		for i := c.from; i < c.to; i++ {
			t := &d.texts[i]
			if cost := c.costs[i-c.from]; cost < t.cost && t.plain-cost >= phrases.MinReference {
				t.cost, t.entry = cost, c
			}
		}
		chosen++
	}
}

// evaluate computes a candidate's gain. It reports false if that is not enough, or too much
// was counted already.
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
		if cost < t.cost && t.plain-cost >= phrases.MinReference {
			c.gain += t.times * (t.cost - cost)
		}
	}
	return c.gain >= phrases.MinEntry
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

// apply writes the references into v and numbers the entries in the order of their first
// use. It returns the number of strings that hold a reference as well.
func (d *dictionary) apply(v wire.Value) (referring wire.Value, legend Legend, uses int) {
	entries, become := make(map[string]*candidate), make(map[string]string)
	for _, t := range d.texts {
		if t.entry != nil {
			entries[t.text] = t.entry
		}
	}
	if len(entries) == 0 {
		return v, legend, 0
	}
	legend.notation = d.notation
	referring = builder.Map(new(builder.Builder), v, func(v wire.Value) wire.Value {
		if v.Kind() != wire.KindString {
			return v
		}
		s, tag := v.Text(), wire.Internal.Tag(v)
		c := entries[s]
		switch {
		case c != nil && tag == 0:
		case d.notation.looksLike(s):
			return wire.Internal.TaggedString(d.notation.sigil+s, tag)
		default:
			return v
		}
		uses++
		if become[s] == "" {
			if c.number == 0 {
				legend.texts = append(legend.texts, c.text)
				c.number = len(legend.texts)
			}
			become[s] = d.notation.joined(c.number, s[len(c.text):])
		}
		return wire.String(become[s])
	})
	return referring, legend, uses
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
