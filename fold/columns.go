package fold

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

const (
	// minObjects is how many objects a constant must hold for. It says what
	// they all have, and nothing more.
	minObjects = 3
	// minTemplateObjects is how many a template must hold for: it suggests a
	// law, and what follows from another member in fewer objects is
	// coincidence as often as not.
	minTemplateObjects = 5
	// maxOccurrences bounds the places of a source's text in a target that are
	// tried as templates.
	maxOccurrences = 4
	// maxTargets bounds the members of one path that templates are sought for,
	// and the sources that are tried for each.
	maxTargets = 64
	// ruleOverhead is about what a rule costs beside its parts.
	ruleOverhead = 4
	// maxPath is the length of the longest path that rules are found for: paths count
	// for each rule, and those of a value can have the square of its length together.
	maxPath = 512
)

// columns finds members that need not be said in every object.
type columns struct {
	style     style
	count     *counting
	keepOrder bool

	root      *node
	path      []byte // to the node that is searched
	constants []rule
	templates []rule
	frames    int  // of the templates
	framing   bool // cut takes what frames say out of texts
	build     builder.Builder
}

// A node is a step of the paths in a value, with the objects there.
type node struct {
	each    *node
	members map[string]*node
	order   []string // the keys of members, first ones first, so that equal values give equal rules
	objects []wire.Value
	cut     map[string]bool // members that rules restore
	frames  map[string]*frame

	// The nodes of the members of the latest object, most of which have the
	// same keys.
	keys  *wire.Keys
	nodes []*node
}

// find finds rules and returns the number of members that they restore.
func (c *columns) find(v wire.Value) int {
	c.root = &node{}
	c.root.collect(v)
	return c.search(c.root)
}

func (n *node) collect(v wire.Value) {
	switch v.Kind() {
	case wire.KindArray:
		if n.each == nil {
			n.each = &node{}
		}
		for e := range v.Elements() {
			n.each.collect(e)
		}
	case wire.KindObject:
		n.objects = append(n.objects, v)
		if keys := v.Keys(); keys != n.keys {
			n.keys, n.nodes = keys, n.nodes[:0]
			for _, key := range keys.All() {
				n.nodes = append(n.nodes, n.member(key))
			}
		}
		for i, member := range n.nodes {
			member.collect(v.Index(i))
		}
	}
}

func (n *node) member(key string) *node {
	m := n.members[key]
	if m == nil {
		if n.members == nil {
			n.members = make(map[string]*node)
		}
		m = &node{}
		n.members[key] = m
		n.order = append(n.order, key)
	}
	return m
}

// search looks for rules at a node and below, parents first: what is part of a
// constant is not searched.
func (c *columns) search(n *node) int {
	members, end := 0, len(c.path)
	if c.count.Err != nil {
		return 0
	}
	if len(n.objects) >= minObjects && end <= maxPath {
		members = c.rules(n)
	}
	if n.each != nil {
		c.path = appendStep(c.path[:end], step{each: true})
		members += c.search(n.each)
	}
	for _, key := range n.order {
		if n.cut[key] {
			continue
		}
		c.path = appendStep(c.path[:end], step{key: key})
		members += c.search(n.members[key])
	}
	c.path = c.path[:end]
	return members
}

// A column is one member of the objects of a node that have it.
type column struct {
	key     string
	index   int // among the members of the first object, -1 if that is not kept
	values  []wire.Value
	objects []wire.Value // that have them
	text    bool         // all values are strings without a tag
	cost    int          // tokens of all that the rule saves

	naming bool // its texts have names of members in them
	named  bool // those of others have its name
}

// rules finds the rules of one node.
func (c *columns) rules(n *node) int {
	cols := c.columns(n)
	n.cut, n.frames = make(map[string]bool), make(map[string]*frame)
	at, members := string(c.path), 0
	var varied []*column
	permuted := c.keepOrder && slices.ContainsFunc(n.objects, func(o wire.Value) bool { return !wire.Internal.SameKeys(n.objects[0], o) })
	for _, col := range cols {
		if len(col.values) < len(n.objects) || permuted {
			continue
		}
		if slices.ContainsFunc(col.values, func(v wire.Value) bool { return !wire.Identical(col.values[0], v) }) {
			varied = append(varied, col)
			continue
		}
		value := col.values[0]
		cost := c.cost(col.key, value)
		line := c.line(at, col.key, value.String())
		if c.count.Err != nil || len(col.values)*cost <= line {
			continue
		}
		c.constants = append(c.constants, rule{at: at, member: col.key, value: value, index: col.index})
		n.cut[col.key] = true
		members += len(col.values)
	}
	if len(n.objects) < minTemplateObjects {
		return members
	}
	first := len(c.templates)
	members += c.findTemplates(n, at, varied)
	c.findFrames(n, at, first, slices.DeleteFunc(cols, func(col *column) bool { return !col.text || n.cut[col.key] }))
	return members
}

// line is about what a rule costs.
func (c *columns) line(path, member, value string) int {
	return c.count.cell(style{}, path, member) + c.count.cell(style{}, "", value) + ruleOverhead
}

// columns returns the members of the objects of a node, first ones first.
func (c *columns) columns(n *node) (cols []*column) {
	known := make(map[string]*column)
	var keys *wire.Keys
	var of []*column // of the members of objects with these keys
	for _, o := range n.objects {
		if o.Keys() != keys {
			keys, of = o.Keys(), of[:0]
			for i, key := range keys.All() {
				if known[key] == nil {
					known[key] = &column{key: key, index: -1, text: true}
					if c.keepOrder {
						known[key].index = i
					}
					cols = append(cols, known[key])
				}
				of = append(of, known[key])
			}
		}
		for i, col := range of {
			v := o.Index(i)
			col.text = col.text && v.Kind() == wire.KindString && wire.Internal.Tag(v) == 0
			col.values, col.objects = append(col.values, v), append(col.objects, o)
		}
	}
	return cols
}

// findTemplates finds members that follow from others. A source may be a
// target itself, of a rule that is found later and applies earlier.
func (c *columns) findTemplates(n *node, at string, cols []*column) int {
	targets := slices.DeleteFunc(cols, func(col *column) bool {
		return slices.ContainsFunc(col.values, func(v wire.Value) bool { return v.Kind() >= wire.KindArray })
	})
	if len(targets) < 2 {
		return 0
	}
	for _, col := range targets {
		col.cost = c.cost(col.key, col.values...)
	}
	// By names where costs are equal: rules move members, and what comes back
	// must give the same rules.
	slices.SortFunc(targets, func(a, b *column) int {
		return cmp.Or(cmp.Compare(b.cost, a.cost), strings.Compare(a.key, b.key))
	})
	targets = targets[:min(len(targets), maxTargets)]
	var found []rule
	members := 0
	for _, target := range targets {
		var best template
		for _, source := range targets {
			if source == target || n.cut[source.key] || !bareSource(source.key) {
				continue
			}
			if t, ok := templateOf(target, source); ok && (best.source == "" || len(t.prefix)+len(t.suffix) < len(best.prefix)+len(best.suffix)) {
				best = t
			}
		}
		if best.source == "" {
			continue
		}
		line := c.line(at, target.key, best.String())
		if c.count.Err != nil || target.cost <= line {
			continue
		}
		found = append(found, rule{at: at, member: target.key, template: best, index: target.index})
		n.cut[target.key] = true
		members += len(target.values)
	}
	slices.Reverse(found)
	c.templates = append(c.templates, found...)
	return members
}

// cost is about what members with this key and these values take.
func (c *columns) cost(key string, values ...wire.Value) (sum int) {
	name := 0
	if c.style.keys {
		name = c.count.cell(style{}, "", key)
	}
	for _, v := range values {
		sum += c.count.cell(c.style, "", v.String()) + name
	}
	return sum
}

// templateOf returns the shortest template that makes the target of the source
// in all objects.
func templateOf(target, source *column) (template, bool) {
	if wire.Identical(target.values[0], source.values[0]) {
		t := template{source: source.key, copies: true}
		if t.holds(target, source, wire.Identical) {
			return t, true
		}
	}
	if !target.text {
		return template{}, false
	}
	first, ok := sourceText(source.values[0])
	if !ok || first == "" {
		return template{}, false
	}
	text := target.values[0].Text()
	for n, i := 0, -1; n < maxOccurrences; n++ {
		next := strings.Index(text[i+1:], first)
		if next < 0 {
			break
		}
		i += 1 + next
		t := template{source: source.key, prefix: text[:i], suffix: text[i+len(first):]}
		if t.holds(target, source, t.makes) {
			return t, true
		}
	}
	return template{}, false
}

// holds reports whether the relation holds in all objects. The last is tried
// first: neighbours are alike more often.
func (t template) holds(target, source *column, relation func(target, source wire.Value) bool) bool {
	last := len(target.values) - 1
	for i := range target.values {
		i = (i + last) % len(target.values)
		if !relation(target.values[i], source.values[i]) {
			return false
		}
	}
	return true
}

func (t template) makes(target, source wire.Value) bool {
	text, ok := sourceText(source)
	s := target.Text()
	return ok && len(s) == len(t.prefix)+len(text)+len(t.suffix) &&
		strings.HasPrefix(s, t.prefix) && strings.HasSuffix(s, t.suffix) && s[len(t.prefix):len(t.prefix)+len(text)] == text
}

// sourceText is the text that <name> means: a string's, or that of a whole
// number in the one spelling that every format keeps.
func sourceText(v wire.Value) (string, bool) {
	switch v.Kind() {
	case wire.KindString:
		return v.Text(), true
	case wire.KindNumber:
		text := v.Text()
		return text, plainInteger(text)
	}
	return "", false
}

func plainInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && (digits[0] != '0' || text == "0") && scan.Digits(digits, 0) == len(digits)
}

// cut returns v without the members that rules restore.
func (c *columns) cut(v wire.Value) wire.Value { return c.without(v, c.root) }

func (c *columns) without(v wire.Value, n *node) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		mark := c.build.Mark()
		for e := range v.Elements() {
			c.build.Push(c.without(e, n.each))
		}
		return c.build.Array(mark)
	case wire.KindObject:
		o := c.build.Object()
		for key, member := range v.Members() {
			if n.cut[key] {
				continue
			}
			c.build.Key(&o, key)
			if t, ok := n.frames[key]; ok && c.framing {
				member = t.next(v, member.Text())
			}
			c.build.Put(&o, c.without(member, n.members[key]))
		}
		return c.build.EndObject(&o)
	}
	return v
}
