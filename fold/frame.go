package fold

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A frame is what all texts of a member begin and end with: a template of a member
// with its own name in it. The object shows what is in the frame.
func (r *rule) isFrame() bool {
	return r.template.source != "" && r.template.source == r.member && !r.template.copies
}

const (
	// minFramed is how many tokens a frame must save in each object.
	minFramed = 2
	// minInner is how many tokens = or the name of a member inside of a frame must save,
	// beyond its line: there is a sentence about it, too.
	minInner = 24
	// maxInner is the number of members that the texts in a frame can name.
	maxInner = 4
	// sampled is how many texts are looked at before all of a column are.
	sampled = 24
)

// again is what an object shows for the text of the object before.
const again = "="

// A frame is a rule that is found, with the latest text in it.
type frame struct {
	template
	latest *string
}

// findFrames finds the frames of members of a node that no rule restores, which are texts.
// Some of its objects may lack the member. They come before the node's other templates,
// the first of which has that index, and those that name members come last.
func (c *columns) findFrames(n *node, at string, first int, cols []*column) {
	sources := cols[:min(len(cols), maxTargets)]
	var frames, naming []rule
	for i, col := range cols {
		if len(col.values) < minTemplateObjects || !bareSource(col.key) {
			continue
		}
		f := &frame{template: template{source: col.key}}
		line := c.line(at, col.key, f.String())
		c.findEnds(col, f, line)
		c.findRepeats(col, f, line)
		if i < len(sources) && !col.named {
			c.findNames(col, f, line, sources)
		}
		if !f.restores(col) {
			f.inner, f.again = nil, false
		}
		if c.count.Err != nil || len(f.prefix)+len(f.suffix)+len(f.inner) == 0 && !f.again {
			continue
		}
		n.frames[col.key] = f
		r := rule{at: at, member: col.key, template: f.template, index: -1}
		if f.inner == nil {
			frames = append(frames, r)
		} else {
			naming = append(naming, r)
		}
	}
	c.frames += len(frames) + len(naming)
	c.templates = slices.Insert(c.templates, first, append(frames, naming...)...)
}

// findEnds gives a frame what all texts begin and end with.
func (c *columns) findEnds(col *column, f *frame, line int) {
	t := frameOf(col)
	if len(t.prefix)+len(t.suffix) == 0 {
		return
	}
	saved := 0
	for _, v := range col.values {
		saved += c.count.cell(c.style, "", v.Text()) - c.count.cell(c.style, "", t.inside(v.Text()))
	}
	if saved >= minFramed*len(col.values) && saved >= line+c.count.cell(style{}, t.prefix, t.suffix)+phrases.MinEntry {
		f.template = t
	}
}

// findRepeats lets a frame show = for a text that the object before has as well.
func (c *columns) findRepeats(col *column, f *frame, line int) {
	saved, same, cost := 0, 0, 0
	for i, v := range col.values[1:] {
		if v.Text() != col.values[i].Text() {
			cost = 0
			continue
		}
		if cost == 0 {
			cost = c.count.cell(c.style, "", f.inside(v.Text())) - c.count.cell(c.style, "", again)
		}
		saved, same = saved+cost, same+1
	}
	f.again = saved >= minFramed*same && saved >= line+minInner
}

// findNames lets the texts in a frame have the names of members for their texts. Those
// members name none themselves.
func (c *columns) findNames(col *column, f *frame, line int, sources []*column) {
	before, tried := -1, 0
	for _, source := range sources {
		if source == col || source.naming || !bareSource(source.key) || !f.mayName(source.key, col) {
			continue
		}
		if before < 0 {
			before = c.shownCost(col, f)
		}
		inner := f.inner
		f.inner = append(slices.Clip(inner), source.key)
		if after := c.shownCost(col, f); before-after >= line+minInner {
			before, col.naming, source.named = after, true, true
		} else {
			f.inner = inner
		}
		if tried++; tried == maxInner {
			break
		}
	}
}

// shownCost returns about what a column takes if texts that repeat are references.
func (c *columns) shownCost(col *column, f *frame) int {
	sum, costs := 0, make(map[string]int)
	for i, v := range col.values {
		text := f.shown(col.objects[i], f.inside(v.Text()))
		cost, ok := costs[text]
		if !ok {
			cost = c.count.cell(c.style, "", text)
			costs[text] = min(cost, phrases.MinReference)
		}
		sum += cost
	}
	return sum
}

// mayName reports whether some of a column's texts have that of a member in them.
func (f *frame) mayName(key string, col *column) bool {
	found := 0
	for i := 0; i < len(col.values); i += 1 + len(col.values)/sampled {
		if _, end := located(col.objects[i], key, f.inside(col.values[i].Text())); end > 0 {
			found++
		}
	}
	return found > 1
}

// located returns where a text has the text of an object's member in it, as a word or
// words; 0, 0 if it does not.
func located(o wire.Value, key, text string) (from, end int) {
	v, _ := o.Get(key)
	if v.Kind() != wire.KindString || len(v.Text()) < minPrefix || len(v.Text()) >= len(text) {
		return 0, 0
	}
	s := v.Text()
	from = strings.Index(text, s)
	end = from + len(s)
	if from < 0 || from > 0 && isWord(text[from-1]) && isWord(s[0]) || end < len(text) && isWord(text[end]) && isWord(text[end-1]) {
		return 0, 0
	}
	return from, end
}

// shown returns text with the names of members for their texts.
func (f *frame) shown(o wire.Value, text string) string {
	for _, key := range f.inner {
		if from, end := located(o, key, text); end > 0 {
			text = text[:from] + "<" + key + ">" + text[end:]
		}
	}
	return text
}

// next returns what the next of the objects shows of a text.
func (f *frame) next(o wire.Value, text string) wire.Value {
	if f.again && f.latest != nil && *f.latest == text {
		return wire.String(again)
	}
	f.latest = &text
	return wire.String(f.shown(o, f.inside(text)))
}

// restores reports whether all of a column comes back: a text may have what looks like
// a name in it, or be =.
func (f *frame) restores(col *column) bool {
	var restored []byte
	for i, v := range col.values {
		text, o := f.inside(v.Text()), col.objects[i]
		restored = f.resolve(restored[:0], f.shown(o, text), len(text), func(i int) (wire.Value, bool) { return o.Get(f.inner[i]) })
		if string(restored) != text || f.again && text == again {
			return false
		}
	}
	return true
}

// resolve appends a shown text, with the texts of members in place of their names. It
// ends early if dst is longer than most.
func (t *template) resolve(dst []byte, shown string, most int, member func(inner int) (wire.Value, bool)) []byte {
	for len(t.inner) > 0 && len(dst) <= most {
		at := strings.IndexByte(shown, '<')
		if at < 0 {
			break
		}
		dst, shown = append(dst, shown[:at]...), shown[at:]
		name := slices.IndexFunc(t.inner, func(name string) bool {
			return len(shown) > len(name)+1 && shown[len(name)+1] == '>' && shown[1:len(name)+1] == name
		})
		if name >= 0 {
			if v, ok := member(name); ok {
				if text, ok := sourceText(v); ok {
					dst, shown = append(dst, text...), shown[len(t.inner[name])+2:]
					continue
				}
			}
		}
		dst, shown = append(dst, '<'), shown[1:]
	}
	return append(dst, shown...)
}

// frameOf returns what the texts of a column begin and end with, up to delimiters, so
// that something is left of each.
func frameOf(col *column) template {
	first := col.values[0].Text()
	prefix, suffix, shortest := len(first), len(first), len(first)
	for _, v := range col.values[1:] {
		s := v.Text()
		prefix = min(prefix, scan.CommonPrefix(first, s))
		suffix = min(suffix, commonSuffix(first, s))
		shortest = min(shortest, len(s))
	}
	prefix = cutLength(first, min(prefix, max(shortest-1, 0)))
	from := len(first) - max(0, min(suffix, shortest-prefix-1))
	for from < len(first) && !delimits(first, from) && !unit(first, from) {
		from++
	}
	return template{source: col.key, prefix: first[:prefix], suffix: first[from:]}
}

// unit reports whether text ends with a unit from byte i on, or with the Z of a time.
func unit(text string, i int) bool {
	return len(text)-i <= maxUnit && i > 0 && scan.IsDigit(text[i-1]) && !scan.IsDigit(text[i])
}

// maxUnit is the length of the longest unit.
const maxUnit = 3

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// inside returns what a text has in the frame.
func (t template) inside(s string) string { return s[len(t.prefix) : len(s)-len(t.suffix)] }

// frame puts the frames of a place around the members of an object, which values are.
func (u *unfolder) frame(f *form, values []wire.Value) error {
	for _, r := range f.frames {
		text, err := u.framed(r, values)
		if err != nil {
			return wire.AtKey(err, r.member)
		}
		values[r.position] = text
	}
	return nil
}

// framed returns a member with its frame around it.
func (u *unfolder) framed(r framing, values []wire.Value) (wire.Value, error) {
	shown, ok := sourceText(values[r.position])
	switch {
	case !ok:
		return wire.Value{}, fault("source_is_no_text", wire.ErrShape, "a frame at %q is for the text of the member %.40q, which is neither a string nor a whole number", r.at, r.member)
	case r.template.again && shown == again && !r.applied:
		return wire.Value{}, fault("source_is_missing", wire.ErrShape, "a frame at %q wants the text of the object before the first", r.at)
	case r.template.again && shown == again:
		return r.latest, u.budget.spend(0, len(r.latest.Text()))
	}
	r.applied = true
	u.text = append(u.text[:0], r.template.prefix...)
	u.text = r.template.resolve(u.text, shown, u.budget.bytes+len(shown), func(inner int) (wire.Value, bool) {
		if from := r.inner[inner]; from >= 0 {
			return values[from], true
		}
		return wire.Value{}, false
	})
	u.text = append(u.text, r.template.suffix...)
	if err := u.budget.spend(0, len(u.text)-len(shown)); err != nil {
		return wire.Value{}, err
	}
	r.latest = wire.String(u.made())
	return r.latest, nil
}
