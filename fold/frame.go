package fold

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A frame is what all texts of a member begin and end with: a template of a member
// with its own name in it. The object shows what is in the frame.
func (r *rule) isFrame() bool {
	return r.template.source != "" && r.template.source == r.member && !r.template.copies
}

// minFramed is how many tokens a frame must save in each object.
const minFramed = 2

// findFrames finds the frames of the members of a node that no rule restores. Some of
// its objects may lack the member.
func (c *columns) findFrames(n *node, at string) {
	for _, col := range n.texts() {
		if len(col.values) < minTemplateObjects || !bareSource(col.key) {
			continue
		}
		t, ok := frameOf(col)
		if !ok {
			continue
		}
		saved := 0
		for _, v := range col.values {
			saved += c.count.cell(c.style, "", v.Text()) - c.count.cell(c.style, "", t.inside(v.Text()))
		}
		if c.count.err != nil || saved < minFramed*len(col.values) || saved < c.line(n, at, col.key, t.String())+minEntry {
			continue
		}
		if n.frames == nil {
			n.frames = make(map[string]template)
		}
		n.frames[col.key] = t
		c.frames = append(c.frames, rule{at: at, member: col.key, template: t, index: -1})
	}
}

// texts returns the members that are strings in all objects that have them.
func (n *node) texts() (cols []*column) {
	known := make(map[string]*column)
	for _, o := range n.objects {
		for key, v := range o.Members() {
			if n.cut[key] {
				continue
			}
			col := known[key]
			if col == nil {
				col = &column{key: key}
				known[key] = col
				cols = append(cols, col)
			}
			col.gone = col.gone || v.Kind() != wire.KindString || wire.Internal.Tag(v) != 0
			col.values = append(col.values, v)
		}
	}
	return slices.DeleteFunc(cols, func(col *column) bool { return col.gone })
}

// frameOf returns what the texts of a column begin and end with, up to delimiters, so
// that something is left of each.
func frameOf(col *column) (template, bool) {
	first := col.values[0].Text()
	prefix, suffix, shortest := len(first), len(first), len(first)
	for _, v := range col.values[1:] {
		s := v.Text()
		prefix = min(prefix, commonPrefix(first, s))
		suffix = min(suffix, commonSuffix(first, s))
		shortest = min(shortest, len(s))
	}
	for prefix > 0 && (prefix >= shortest || !delimits(first, prefix-1)) {
		prefix--
	}
	from := len(first) - max(0, min(suffix, shortest-prefix-1))
	for from < len(first) && !delimits(first, from) {
		from++
	}
	t := template{source: col.key, prefix: first[:prefix], suffix: first[from:]}
	return t, len(t.prefix)+len(t.suffix) > 0
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// inside returns what a text has in the frame.
func (t template) inside(s string) string { return s[len(t.prefix) : len(s)-len(t.suffix)] }

// withFrames returns the templates with frames before those of the same path, which
// follow each other.
func withFrames(frames, templates []rule) []rule {
	all := slices.Concat(frames, templates)
	order := make(map[string]int)
	for _, r := range all {
		if _, ok := order[r.at]; !ok {
			order[r.at] = len(order)
		}
	}
	slices.SortStableFunc(all, func(a, b rule) int { return order[a.at] - order[b.at] })
	return all
}

// frame puts the frames of a place around the members of an object, which values are.
func (u *unfolder) frame(p *place, f *form, values []wire.Value) error {
	for i, r := range p.frames {
		at := f.framed[i]
		if at < 0 {
			continue
		}
		r.applied = true
		text, ok := sourceText(values[at])
		if !ok {
			return wire.AtKey(fault("source_is_no_text", wire.ErrShape, "a frame at %q is for the text of the member %.40q, which is neither a string nor a whole number", r.at, r.member), r.member)
		}
		t := r.template
		if err := u.budget.spend(0, len(t.prefix)+len(t.suffix)); err != nil {
			return wire.AtKey(err, r.member)
		}
		values[at] = wire.String(u.framed(t.prefix, text, t.suffix))
	}
	return nil
}

// framed concatenates; short strings share memory.
func (u *unfolder) framed(prefix, text, suffix string) string {
	if len(prefix)+len(text)+len(suffix) > textChunk/8 {
		return strings.Join([]string{prefix, text, suffix}, "")
	}
	u.text = append(append(append(u.text[:0], prefix...), text...), suffix...)
	return u.build.Text(u.text)
}
