package fold

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// Unfold returns the value that v was folded from. A value that is not folded
// comes back as it is. Errors wrap a kind of package wire and have the path in v.
//
// Depth, Values and OutputBytes (of all strings together) bound the result. Where they
// are not set, as in wire.Limits{}, the result is
// in proportion to what was folded: with n for its values and the bytes of its
// strings, at most 1,048,576 + n values and 8 MiB + 8n bytes. [Fold] folds no
// more than that.
func Unfold(v wire.Value, l wire.Limits) (wire.Value, error) {
	if !IsFolded(v) {
		return v, nil
	}
	w, err := parseWrapper(v)
	if err != nil {
		return wire.Value{}, err
	}
	u := unfolder{legend: w.legend, basic: w.basic, budget: budgetOf(l, v)}
	root, err := u.plan(w)
	if err != nil {
		return wire.Value{}, err
	}
	data, err := u.value(w.data, root, 0)
	if err != nil {
		return wire.Value{}, wire.AtKey(err, memberData)
	}
	for _, r := range u.rules {
		if !r.applied {
			return wire.Value{}, fault("rule_without_object", wire.ErrShape, "the path %.80q leads to no object that a rule for %.40q applies to", r.at, r.member)
		}
	}
	return data, nil
}

// A budget is what may still be made.
type budget struct {
	limits        wire.Limits
	values, bytes int
}

// A rule or reference of a few bytes can become a megabyte at each of thousands
// of places, so what a folded value may become is in proportion to it.
const (
	freeValues = 1 << 20
	freeBytes  = 8 << 20
	byteFactor = 8
)

// budgetOf returns the budget for what is made of all of the folded values.
func budgetOf(l wire.Limits, folded ...wire.Value) budget {
	resolved := l.Resolved()
	if l.Values == 0 || l.OutputBytes == 0 {
		n := 0
		for _, v := range folded {
			values, bytes, _ := size(v)
			n = bound.Add(n, bound.Add(values, bytes))
		}
		if l.Values == 0 {
			resolved.Values = min(resolved.Values, bound.Add(freeValues, n))
		}
		if l.OutputBytes == 0 {
			resolved.OutputBytes = min(resolved.OutputBytes, bound.Add(freeBytes, bound.Times(byteFactor, n)))
		}
	}
	return budget{limits: resolved, values: resolved.Values, bytes: resolved.OutputBytes}
}

// unfoldable reports whether the budget that a reader has for a folded value is
// enough for v. A low limit on what is written here is none on what is unfolded.
func (o Options) unfoldable(v, folded wire.Value) bool {
	values, bytes, _ := size(v)
	b := budgetOf(o.Limits, folded)
	b.bytes = max(b.bytes, budgetOf(wire.Limits{}, folded).bytes)
	return b.spend(values, bytes) == nil
}

func (b *budget) spend(values, bytes int) error {
	switch {
	case values > b.values:
		return fault(wire.CodeTooManyValues, wire.ErrLimit, "the unfolded value has more than %d values; raise Limits.Values", b.limits.Values)
	case bytes > b.bytes:
		return fault("unfolded_too_long", wire.ErrLimit, "the strings of the unfolded value have more than %d bytes; raise Limits.OutputBytes", b.limits.OutputBytes)
	}
	b.values -= values
	b.bytes -= bytes
	return nil
}

// An unfolder unfolds one value.
type unfolder struct {
	legend Legend
	basic  bool
	rules  []*activeRule
	budget budget
	build  builder.Builder
	text   []byte       // where strings are put together
	values []wire.Value // of the objects at hand that rules apply to
}

// A place is a step of the rules' paths with what applies there.
type place struct {
	members map[step]*place // and that of the elements
	rules   []*activeRule
	frame   *activeRule // of the text here

	last  *form
	forms map[*wire.Keys]*form
}

// An activeRule is a rule with what it costs and what it did.
type activeRule struct {
	rule
	order                int
	values, bytes, depth int // of a constant
	applied              bool
	latest               wire.Value // of a frame, the text that it restored
}

// plan makes the tree of places.
func (u *unfolder) plan(w *wrapper) (*place, error) {
	if len(w.constants)+len(w.templates) == 0 {
		return nil, nil
	}
	root := &place{}
	for i, r := range slices.Concat(w.constants, w.templates) {
		of := memberConstants
		if i >= len(w.constants) {
			of = memberTemplates
		}
		steps, ok := parsePath(r.at)
		if !ok {
			return nil, wire.AtKey(fault("malformed_path", wire.ErrSyntax, "%.80q is no path", r.at), of)
		}
		p := root
		for _, s := range steps {
			p = p.next(s)
		}
		a := &activeRule{rule: r, order: i}
		if r.template.source == "" {
			a.values, a.bytes, a.depth = size(r.value)
		}
		u.rules = append(u.rules, a)
		if !r.isFrame() {
			p.rules = append(p.rules, a)
			continue
		}
		if p = p.next(step{key: r.member}); p.frame != nil {
			return nil, wire.AtKey(fault("member_is_there", wire.ErrDuplicateKey, "the member %.40q has a second frame at %.80q", r.member, r.at), of)
		}
		p.frame = a
	}
	return root, nil
}

func (p *place) next(s step) *place {
	if p.members == nil {
		p.members = make(map[step]*place)
	}
	if p.members[s] == nil {
		p.members[s] = &place{}
	}
	return p.members[s]
}

// size returns the number of values in v, the length of its strings, and how
// deep it is.
func size(v wire.Value) (values, bytes, depth int) {
	switch v.Kind() {
	case wire.KindArray, wire.KindObject:
		values = 1
		for i := range v.Len() {
			n, b, d := size(v.Index(i))
			values, bytes, depth = values+n, bytes+b, max(depth, d)
		}
		return values, bytes, depth + 1
	case wire.KindString:
		return 1, len(v.Text()), 0
	}
	return 1, 0, 0
}

// value unfolds a value of data. p is what applies at its place, or nil.
func (u *unfolder) value(v wire.Value, p *place, depth int) (wire.Value, error) {
	switch v.Kind() {
	case wire.KindString:
		return u.string(v)
	case wire.KindArray, wire.KindObject:
		if depth >= u.budget.limits.Depth {
			return wire.Value{}, fault(wire.CodeTooDeep, wire.ErrLimit, "more than %d levels (Limits.Depth)", u.budget.limits.Depth)
		}
		if err := u.budget.spend(1, 0); err != nil {
			return wire.Value{}, err
		}
		return u.container(v, p, depth)
	}
	return v, u.budget.spend(1, 0)
}

func (u *unfolder) string(v wire.Value) (wire.Value, error) {
	if s := v.Text(); !u.basic && (s == "" || len(u.legend.texts) == 0 || s[0] != u.legend.notation.sigil[0] && !u.legend.notation.anywhere()) {
		return v, u.budget.spend(1, len(s)) // as most are
	}
	text, err := u.resolved(v.Text())
	if err != nil {
		return wire.Value{}, err
	}
	if u.basic {
		if t, ok := extendedTime(text); ok {
			text = t
		}
	}
	return wire.Internal.TaggedString(text, wire.Internal.Tag(v)), nil
}

// resolved returns what a string of data means. It spends the string before it makes it: a
// reference of two bytes can mean a megabyte.
func (u *unfolder) resolved(s string) (string, error) {
	if len(u.legend.texts) == 0 {
		return s, u.budget.spend(1, len(s))
	}
	if u.legend.notation.anywhere() {
		return u.withPhrases(s)
	}
	number, rest, _ := u.legend.notation.parse(s)
	switch {
	case number == 0:
		return rest, u.budget.spend(1, len(rest))
	case number < 0 || number > len(u.legend.texts):
		return "", u.unknown(s)
	}
	entry := u.legend.texts[number-1]
	if err := u.budget.spend(1, len(entry)+len(rest)); err != nil {
		return "", err
	}
	return u.join(entry, rest), nil
}

func (u *unfolder) unknown(ref string) error {
	return fault("unknown_reference", wire.ErrSyntax,
		"%.40q refers to an entry that the legend of %d does not have", ref, len(u.legend.texts))
}

// withPhrases does the same where references are anywhere in strings.
func (u *unfolder) withPhrases(s string) (string, error) {
	at, number, rest := u.legend.notation.find(s)
	if at < 0 {
		return s, u.budget.spend(1, len(s))
	}
	u.text = u.text[:0]
	for at >= 0 {
		if number < 1 || number > len(u.legend.texts) {
			return "", u.unknown(s[at:])
		}
		entry := u.legend.texts[number-1]
		if made := len(u.text) + at + len(entry); made > u.budget.bytes {
			return "", u.budget.spend(1, made)
		}
		u.text = append(append(u.text, s[:at]...), entry...)
		s = rest
		at, number, rest = u.legend.notation.find(s)
	}
	u.text = append(u.text, s...)
	return u.made(), u.budget.spend(1, len(u.text))
}

// textChunk is the size of the chunks that strings are put together in.
const textChunk = 16 << 10

// join concatenates.
func (u *unfolder) join(a, b string) string {
	if b == "" {
		return a
	}
	u.text = append(append(u.text[:0], a...), b...)
	return u.made()
}

// made returns the text that was put together. Short ones share memory.
func (u *unfolder) made() string {
	if len(u.text) > textChunk/8 {
		return string(u.text)
	}
	return u.build.Text(u.text)
}

// container unfolds an array or object.
func (u *unfolder) container(v wire.Value, p *place, depth int) (wire.Value, error) {
	var next []*place // of an object's members
	array := v.Kind() == wire.KindArray
	if p != nil && !array {
		f := p.form(v.Keys())
		if len(p.rules)+len(f.frames) > 0 {
			return u.restored(v, p, f, depth)
		}
		next = f.next
	} else if p != nil {
		p = p.members[step{each: true}]
	}
	mark := u.build.Mark()
	for i := range v.Len() {
		child, err := u.child(v, i, p, next, depth)
		if err != nil {
			return wire.Value{}, err
		}
		u.build.Push(child)
	}
	if array {
		return u.build.Array(mark), nil
	}
	return u.build.Row(v.Keys(), mark), nil
}

// child unfolds one of a container, at p or, of an object that has next, at its own place.
func (u *unfolder) child(v wire.Value, i int, p *place, next []*place, depth int) (wire.Value, error) {
	if next != nil {
		p = next[i]
	}
	child, err := u.value(v.Index(i), p, depth+1)
	if err != nil {
		err = inChild(err, v, i)
	}
	return child, err
}

// restored unfolds an object that rules apply to.
func (u *unfolder) restored(v wire.Value, p *place, f *form, depth int) (wire.Value, error) {
	own := len(u.values)
	for i := range v.Len() {
		member, err := u.child(v, i, p, f.next, depth)
		if err != nil {
			return wire.Value{}, err
		}
		u.values = append(u.values, member)
	}
	if err := u.frame(f, u.values[own:]); err != nil {
		return wire.Value{}, err
	}
	if f.err != nil {
		return wire.Value{}, f.err
	}
	for i, r := range p.rules {
		value, err := u.apply(r, u.values[own:], f.source[i], depth)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, r.member)
		}
		u.values = append(u.values, value)
	}
	mark := u.build.Mark()
	for _, i := range f.order {
		u.build.Push(u.values[own+i])
	}
	u.values = u.values[:own]
	return u.build.Row(f.keys, mark), nil
}

// apply returns what a rule restores, of the object's values so far, of which
// from is the source's position.
func (u *unfolder) apply(r *activeRule, values []wire.Value, from int, depth int) (wire.Value, error) {
	r.applied = true
	t := r.template
	if t.source == "" {
		if depth+r.depth >= u.budget.limits.Depth {
			return wire.Value{}, fault(wire.CodeTooDeep, wire.ErrLimit, "more than %d levels (Limits.Depth)", u.budget.limits.Depth)
		}
		return r.value, u.budget.spend(r.values, r.bytes)
	}
	if from < 0 {
		return wire.Value{}, fault("source_is_missing", wire.ErrShape, "the template at %q wants the member %.40q, which the object lacks", r.at, t.source)
	}
	source := values[from]
	if t.copies {
		if source.Kind() >= wire.KindArray {
			return wire.Value{}, fault("source_is_no_scalar", wire.ErrShape, "the template at %q copies the member %.40q, which is no scalar", r.at, t.source)
		}
		_, bytes, _ := size(source)
		return source, u.budget.spend(1, bytes)
	}
	text, ok := sourceText(source)
	if !ok {
		return wire.Value{}, fault("source_is_no_text", wire.ErrShape,
			"the template at %q wants the text of the member %.40q, which is neither a string nor a whole number", r.at, t.source)
	}
	if err := u.budget.spend(1, len(t.prefix)+len(text)+len(t.suffix)); err != nil {
		return wire.Value{}, err
	}
	return wire.String(u.join(u.join(t.prefix, text), t.suffix)), nil
}

// shaped reports whether s has a digit for each 0 of shape and is equal to it
// elsewhere.
func shaped(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(shape) {
		if shape[i] == '0' && !scan.IsDigit(s[i]) || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// basicTime returns the basic form of a time: 20260109T120500Z for 2026-01-09T12:05:00Z.
func basicTime(s string) (string, bool) {
	if !shaped(s, "0000-00-00T00:00:00Z") {
		return "", false
	}
	return s[:4] + s[5:7] + s[8:13] + s[14:16] + s[17:], true
}

func extendedTime(s string) (string, bool) {
	if !shaped(s, "00000000T000000Z") {
		return "", false
	}
	return s[:4] + "-" + s[4:6] + "-" + s[6:11] + ":" + s[11:13] + ":" + s[13:], true
}
