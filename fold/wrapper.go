package fold

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// The members of a wrapper, and those of the rows of its lists.
const (
	memberFolded    = "folded"
	memberLegend    = "legend"
	memberConstants = "constants"
	memberTemplates = "templates"
	memberTimes     = "times"
	memberData      = "data"

	memberRef   = "ref"
	memberText  = "text"
	memberAt    = "at"
	memberName  = "member"
	memberValue = "value"
	memberMany  = "members"
	memberIndex = "index"

	timesBasic = "basic"
)

var wrapperMembers = []string{memberFolded, memberLegend, memberConstants, memberTemplates, memberTimes, memberData}

// IsFolded reports whether v has the shape of a folded value: an object with
// the members folded, a string, and data, and none but those of a wrapper.
func IsFolded(v wire.Value) bool {
	if v.Kind() != wire.KindObject || v.Len() > len(wrapperMembers) {
		return false
	}
	for key := range v.Members() {
		if !slices.Contains(wrapperMembers, key) {
			return false
		}
	}
	note, ok := v.Get(memberFolded)
	_, data := v.Get(memberData)
	return ok && data && note.Kind() == wire.KindString
}

// A rule says what the objects at a path have beside what they show.
type rule struct {
	at       string
	member   string
	value    wire.Value // of a constant
	template template   // of a template, which has a source
	index    int        // the member's position, or -1 for the end
}

// A wrapper is a folded value, taken apart.
type wrapper struct {
	legend    Legend
	constants []rule
	templates []rule
	basic     bool // times are in basic form
	data      wire.Value
}

// note is the sentence for a reader.
func (w *wrapper) note() string {
	n := w.legend.notation
	some := func(has func(r rule) bool) bool { return slices.ContainsFunc(w.templates, has) }
	var parts []string
	for _, says := range []struct {
		applies bool
		text    string
	}{
		{n.anywhere(), n.sigil + n.name + "n in a text stands for legend entry n."},
		{!n.anywhere() && len(w.legend.texts) > 0, "A leading " + n.sigil + n.name + "n stands for legend entry n."},
		{len(w.constants)+len(w.templates) > 0, "Objects at a path also have its members."},
		{some(func(r rule) bool { return !r.template.copies && !r.isFrame() }), "<x> is the object's own x."},
		{some(func(r rule) bool { return r.template.copies }), "=x is a copy of x."},
		{some(func(r rule) bool { return r.isFrame() }), "A template of x with <x> in it is around the x that is shown."},
		{some(func(r rule) bool { return r.template.inner != nil }), "In <x<y>>, <y> is the object's own y."},
		{some(func(r rule) bool { return r.template.again }), "In <x<=>>, = is the x of the object before."},
		{w.basic, "Times are written like 20060102T150405Z."},
	} {
		if says.applies {
			parts = append(parts, says.text)
		}
	}
	return cmp.Or(strings.Join(parts, " "), "Nothing is folded.")
}

// value puts the wrapper together, in the shape that a style asks for.
func (w *wrapper) value(s style) wire.Value {
	members := []wire.Member{{Key: memberFolded, Value: wire.String(w.note())}}
	add := func(key string, v wire.Value) {
		if v.Len() > 0 {
			members = append(members, wire.Member{Key: key, Value: v})
		}
	}
	add(memberLegend, w.legend.value(s))
	add(memberConstants, rulesValue(w.constants, s))
	if s.loose && chained(w.templates) {
		s.rules = asRows
	}
	add(memberTemplates, rulesValue(w.templates, s))
	if w.basic {
		members = append(members, wire.Member{Key: memberTimes, Value: wire.String(timesBasic)})
	}
	return builder.Object(append(members, wire.Member{Key: memberData, Value: w.data})...)
}

// chained reports whether a template makes what another one starts from, so
// that their order means something.
func chained(templates []rule) bool {
	type place struct{ at, member string }
	made := make(map[place]bool, len(templates))
	for _, r := range templates {
		if !r.isFrame() { // these apply before all others
			made[place{r.at, r.member}] = true
		}
	}
	return slices.ContainsFunc(templates, func(r rule) bool { return made[place{r.at, r.template.source}] })
}

// listed returns a list as an object or, if asked, as rows with members of these names.
func listed(list []wire.Member, rows bool, key, value string) wire.Value {
	if !rows {
		return builder.Object(list...)
	}
	all := make([]wire.Value, len(list))
	for i, e := range list {
		all[i] = builder.Object(wire.Member{Key: key, Value: wire.String(e.Key)}, wire.Member{Key: value, Value: e.Value})
	}
	return wire.Array(all...)
}

// value returns the legend as rows or as an object.
func (l Legend) value(s style) wire.Value {
	list := make([]wire.Member, len(l.texts))
	for i, text := range l.texts {
		list[i] = wire.Member{Key: l.notation.reference(i + 1), Value: wire.String(text)}
	}
	return listed(list, s.legend == asRows && len(list) >= s.fewest, memberRef, memberText)
}

// shown is what the rule writes as its value.
func (r *rule) shown() wire.Value {
	if r.template.source != "" {
		return wire.String(r.template.String())
	}
	return r.value
}

// rulesValue returns the rules in the shape of a style, or as rows, which
// positions need.
func rulesValue(rules []rule, s style) wire.Value {
	if s.rules == asRows || slices.ContainsFunc(rules, func(r rule) bool { return r.index >= 0 }) {
		return ruleRows(rules)
	}
	var paths, members []wire.Member
	for i, r := range rules { // those of one path follow each other
		members = append(members, wire.Member{Key: r.member, Value: r.shown()})
		if i+1 == len(rules) || rules[i+1].at != r.at {
			paths = append(paths, wire.Member{Key: r.at, Value: builder.Object(members...)})
			members = nil
		}
	}
	return listed(paths, s.rules != asObject && len(paths) >= s.fewest, memberAt, memberMany)
}

func ruleRows(rules []rule) wire.Value {
	rows := make([]wire.Value, len(rules))
	for i := range rules {
		r := &rules[i]
		row := []wire.Member{
			{Key: memberAt, Value: wire.String(r.at)},
			{Key: memberName, Value: wire.String(r.member)},
			{Key: memberValue, Value: r.shown()},
		}
		if r.index >= 0 {
			row = append(row, wire.Member{Key: memberIndex, Value: wire.Int(int64(r.index))})
		}
		rows[i] = builder.Object(row...)
	}
	return wire.Array(rows...)
}

// fault is an error of this package.
func fault(code string, kind error, format string, args ...any) error {
	return &wire.Error{Format: "fold", Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// parseWrapper takes a value apart that IsFolded.
func parseWrapper(v wire.Value) (*wrapper, error) {
	w := &wrapper{}
	for key, member := range v.Members() {
		var err error
		switch key {
		case memberLegend:
			w.legend, err = parseLegend(member)
		case memberConstants:
			w.constants, err = parseRules(member, false)
		case memberTemplates:
			w.templates, err = parseRules(member, true)
		case memberTimes:
			w.basic = true
			if member.Kind() != wire.KindString || member.Text() != timesBasic {
				err = fault("unknown_times", wire.ErrVersion, "the only form of times is %q", timesBasic)
			}
		case memberData:
			w.data = member
		}
		if err != nil {
			return nil, wire.AtKey(err, key)
		}
	}
	return w, nil
}

// ParseLegend returns the legend of a folded value, the zero Legend if it has
// none. It is an error if v is not a folded value.
func ParseLegend(v wire.Value) (Legend, error) {
	if !IsFolded(v) {
		return Legend{}, fault("not_folded", wire.ErrShape, "the value has no legend: it is not folded")
	}
	member, ok := v.Get(memberLegend)
	if !ok {
		return Legend{}, nil
	}
	l, err := parseLegend(member)
	return l, wire.AtKey(err, memberLegend)
}

// inChild puts the key or the index of a child of v before the path of an error that
// occurred in it.
func inChild(err error, v wire.Value, i int) error {
	if v.Kind() == wire.KindObject {
		return wire.AtKey(err, v.Keys().At(i))
	}
	return wire.AtIndex(err, i)
}

// parseLegend reads a legend in either shape.
func parseLegend(v wire.Value) (l Legend, err error) {
	switch {
	case v.Kind() < wire.KindArray:
		return l, fault("malformed_legend", wire.ErrShape, "a legend is an object or an array of rows")
	case v.Len() > maxEntries:
		return l, fault("too_many_entries", wire.ErrLimit, "the legend has more than %d entries", maxEntries)
	}
	for i := range v.Len() {
		if v.Kind() == wire.KindObject {
			err = l.parse(v.Keys().At(i), v.Index(i))
		} else {
			err = l.parseRow(v.Index(i))
		}
		if err != nil {
			return Legend{}, inChild(err, v, i)
		}
	}
	return l, nil
}

func (l *Legend) parseRow(row wire.Value) error {
	ref, _ := row.Get(memberRef)
	text, ok := row.Get(memberText)
	if !ok || ref.Kind() != wire.KindString || row.Len() != 2 {
		return fault("malformed_legend", wire.ErrShape, "an entry has the members %s and %s, both strings", memberRef, memberText)
	}
	return l.parse(ref.Text(), text)
}

// parse reads an entry. References must count up from 1.
func (l *Legend) parse(ref string, text wire.Value) error {
	ok := true
	if l.texts == nil {
		l.notation, ok = parseNotation(ref)
	}
	if !ok {
		return fault("malformed_reference", wire.ErrSyntax, "%.40q is no first reference: a sigil, lower-case letters if any, and 1", ref)
	}
	switch want := l.notation.reference(len(l.texts) + 1); {
	case ref != want:
		return fault("reference_out_of_order", wire.ErrSyntax, "%.40q where %q must follow", ref, want)
	case text.Kind() != wire.KindString || text.Text() == "":
		return fault("malformed_entry", wire.ErrShape, "an entry is a string that is not empty")
	}
	l.texts = append(l.texts, text.Text())
	return nil
}

// parseNotation reads the first reference of a legend.
func parseNotation(ref string) (notation, bool) {
	body, ok := strings.CutSuffix(ref, "1")
	if !ok || body == "" {
		return notation{}, false
	}
	n := notation{sigil: body[:1], name: body[1:]}
	if strings.HasPrefix(n.name, n.sigil) {
		n = notation{sigil: body[:2], name: body[2:]}
	}
	return n, validSigil(n.sigil[0]) && validName(n.name)
}

// validSigil reports whether c is printable ASCII and no letter, digit, space
// or tilde.
func validSigil(c byte) bool {
	return c > ' ' && c < '~' && (!isWord(c) || c == '_')
}

const maxName = 16

func validName(name string) bool {
	return len(name) <= maxName && !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

// parseRules reads constants or templates in either shape.
func parseRules(v wire.Value, templates bool) (rules []rule, err error) {
	if v.Kind() < wire.KindArray {
		return nil, fault("malformed_rule", wire.ErrShape, "rules are an object or an array of rows")
	}
	add := func(r rule) error {
		if templates {
			var ok bool
			if r.value.Kind() == wire.KindString {
				r.template, ok = parseTemplate(r.value.Text())
			}
			if !ok || !r.isFrame() && (r.template.again || r.template.inner != nil) {
				return fault("malformed_template", wire.ErrSyntax, "a template is a string with the name of one member between < and >, or after =")
			}
			r.value = wire.Null()
		}
		rules = append(rules, r)
		return nil
	}
	for i := range v.Len() {
		if v.Kind() == wire.KindObject {
			err = parsePathRules(v.Keys().At(i), v.Index(i), add)
		} else {
			err = parseRuleRow(v.Index(i), add)
		}
		if err != nil {
			return nil, inChild(err, v, i)
		}
	}
	return rules, nil
}

// parsePathRules reads the rules of one path.
func parsePathRules(at string, members wire.Value, add func(rule) error) error {
	if members.Kind() != wire.KindObject {
		return fault("malformed_rule", wire.ErrShape, "the rules of a path are an object")
	}
	for member, value := range members.Members() {
		if err := add(rule{at: at, member: member, value: value, index: -1}); err != nil {
			return wire.AtKey(err, member)
		}
	}
	return nil
}

// parseRuleRow reads a row of one rule, or of the rules of one path.
func parseRuleRow(row wire.Value, add func(rule) error) error {
	at, _ := row.Get(memberAt)
	if members, many := row.Get(memberMany); many && row.Len() == 2 && at.Kind() == wire.KindString {
		return wire.AtKey(parsePathRules(at.Text(), members, add), memberMany)
	}
	name, _ := row.Get(memberName)
	value, ok := row.Get(memberValue)
	want, position := 3, int64(-1)
	if index, there := row.Get(memberIndex); there {
		var exact bool
		if position, exact = index.Int64(); !exact || position < 0 || position > 1<<30 {
			return wire.AtKey(fault("malformed_rule", wire.ErrShape, "a position is a whole number"), memberIndex)
		}
		want++
	}
	if !ok || row.Len() != want || at.Kind() != wire.KindString || name.Kind() != wire.KindString {
		return fault("malformed_rule", wire.ErrShape, "a row has the members %s and %s, both strings, %s, and perhaps %s, or %s and %s",
			memberAt, memberName, memberValue, memberIndex, memberAt, memberMany)
	}
	return add(rule{at: at.Text(), member: name.Text(), value: value, index: int(position)})
}
