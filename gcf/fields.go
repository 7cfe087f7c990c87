package gcf

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

// planKind says which rules a field declaration follows.
type planKind uint8

const (
	planTable  planKind = iota // of an array
	planKeyed                  // of a keyed map: the first field is the label of the keys
	planInline                 // of an inline schema: no path columns, no identity
)

func planOf(keyed bool) planKind {
	if keyed {
		return planKeyed
	}
	return planTable
}

// plan is what a field declaration says about the rows below it. It is made
// once per declaration and shared by all tables that repeat it.
type plan struct {
	kind     planKind
	text     string     // the declaration, braces included
	names    []string   // of the columns, for a keyed map with the label first
	width    int        // the number of columns
	keys     *wire.Keys // of a row that has every field
	identity int        // the column marked with @ (section 10a.1), -1 if none

	// With path columns (section 7.4.6.2), fields are a row's members in their
	// order, and columns finds their columns if they are many; else both are nil
	// and member i is in column i, or i+1 of a keyed map.
	fields  []node
	columns map[string]int
	grouped []bool // by column: it belongs to a group
	levels  int    // of groups in each other

	bare bool // no name is quoted

	partial     [4]partialKeys // of some earlier rows
	nextPartial int            // where the next one goes
}

// node is a member that a row's cells make: one cell's value, or an object
// made of several path columns.
type node struct {
	name     string
	column   int // -1 for a group
	children []node
	keys     *wire.Keys // of a group that has every child
	leaves   []int      // a top-level group's columns
}

// fewPlans is how many declarations are remembered: nested tables repeat theirs
// in every row.
const fewPlans = 8

// fields reads the field declaration at i and returns the position behind it.
func (d *decoder) fields(i int, kind planKind) (*plan, int, error) {
	rest := d.text[i:d.end]
	for _, p := range d.plans {
		if p != nil && p.kind == kind && strings.HasPrefix(rest, p.text) {
			return p, i + len(p.text), nil
		}
	}
	b := planBuilder{d: d, plan: &plan{kind: kind, identity: -1, bare: true}}
	next, err := b.read(i)
	if err != nil {
		return nil, 0, err
	}
	if err := b.finish(i); err != nil {
		return nil, 0, err
	}
	b.plan.text = d.text[i:next]
	d.plans[d.nextPlan] = b.plan
	d.nextPlan = (d.nextPlan + 1) % fewPlans
	return b.plan, next, nil
}

// planBuilder reads one declaration.
type planBuilder struct {
	d     *decoder
	plan  *plan
	names []string
	at    []int // where the names begin
	paths bool

	trees []tree // the current chunk of trees, len is what is taken
	count int    // of all trees
	nodes []node // of all trees; len is what is taken
}

func (b *planBuilder) read(i int) (next int, err error) {
	d := b.d
	malformed := func(at int) (int, error) {
		code := "invalid_field_declaration"
		if b.plan.kind == planInline {
			code = "invalid_attachment_marker"
		}
		return 0, d.syntax(at, code, "a field declaration is a list of keys in braces, with commas between them")
	}
	// A quoted name may hold a brace or a comma; then this is off, but never
	// more than the declaration is long.
	declared, _, _ := strings.Cut(d.text[i:d.end], "}")
	fields := 1 + strings.Count(declared, ",")
	b.names, b.at = make([]string, 0, fields), make([]int, 0, fields)
	for i++; ; i++ {
		i = d.skipBlanks(i, d.end)
		marked := i < d.end && d.text[i] == '@'
		if marked {
			if !d.hasIdentity || b.plan.identity >= 0 || b.plan.kind == planInline {
				return malformed(i)
			}
			i++
		}
		name, next, err := d.scalars.key(i, d.end)
		if err != nil {
			return 0, err
		}
		if next == i {
			return malformed(i)
		}
		if marked {
			if name != d.identityKey {
				return 0, d.syntax(i, "invalid_field_declaration", "the field marked with @ is not the one that the header's key= names")
			}
			b.plan.identity = len(b.names)
		}
		b.plan.bare = b.plan.bare && d.text[i] != '"'
		b.names = append(b.names, name)
		b.at = append(b.at, i)
		b.paths = b.paths || b.plan.kind != planInline && isPath(name)
		i = d.skipBlanks(next, d.end)
		if i == d.end || d.text[i] != ',' && d.text[i] != '}' {
			return malformed(i)
		}
		if d.text[i] == '}' {
			return i + 1, nil
		}
	}
}

// isPath reports whether a field's name is a path: separators with something
// before and behind each (section 7.4.6.2, rule 1).
func isPath(name string) bool {
	return holdsPath(name) && name[0] != '>' && name[len(name)-1] != '>' && !strings.Contains(name, ">>")
}

func (b *planBuilder) finish(at int) error {
	p := b.plan
	p.names, p.width = b.names, len(b.names)
	names := b.names
	if p.kind == planKeyed {
		if p.width < 2 {
			return b.d.syntax(at, "invalid_keyed_map", "a keyed map declares at least two fields")
		}
		names = names[1:]
	}
	if !b.paths {
		// The label counts as a name, too: it must be unlike the others.
		if _, err := wire.NewKeys(b.names...); err != nil {
			return b.duplicate()
		}
		keys, err := wire.NewKeys(names...)
		p.keys = keys
		return err
	}
	return b.group(len(b.names) - len(names))
}

// duplicate returns the error for the first name that stands twice.
func (b *planBuilder) duplicate() error {
	seen := make(map[string]bool, len(b.names))
	for i, name := range b.names {
		if seen[name] {
			return b.duplicateAt(i)
		}
		seen[name] = true
	}
	return nil
}

func (b *planBuilder) duplicateAt(i int) error {
	return b.d.fail(b.at[i], wire.Error{Code: "duplicate_field_name", Kind: wire.ErrDuplicateKey,
		Message: "the field stands twice in its declaration, or as a value and as a path"})
}

// group makes the members of rows with path columns. A group stands where its
// first column does.
func (b *planBuilder) group(from int) error {
	p := b.plan
	var root tree
	for column := from; column < len(b.names); column++ {
		name := b.names[column]
		if from == 1 && name == b.names[0] {
			return b.duplicateAt(column)
		}
		parent := &root
		if isPath(name) {
			var err error
			if parent, name, err = b.walk(&root, column); err != nil {
				return err
			}
		}
		if parent.child(name) != nil {
			return b.duplicateAt(column)
		}
		b.add(parent, name, column)
	}
	b.nodes = make([]node, 0, b.count)
	var err error
	p.fields, p.keys, err = b.members(&root)
	p.grouped = make([]bool, p.width)
	leaves := make([]int, 0, p.width)
	for i := range p.fields {
		f := &p.fields[i]
		if f.column >= 0 {
			continue
		}
		first := len(leaves)
		leaves = appendLeaves(leaves, f.children)
		f.leaves = leaves[first:]
		for _, c := range f.leaves {
			p.grouped[c] = true
		}
	}
	if len(p.fields) > fewColumns {
		p.columns = make(map[string]int, len(p.fields))
		for _, f := range p.fields {
			p.columns[f.name] = f.column
		}
	}
	return err
}

// walk returns the group that a path column belongs to, with groups added on
// the way, and the last segment of its name.
func (b *planBuilder) walk(at *tree, column int) (*tree, string, error) {
	rest := b.names[column]
	for level := 0; ; level++ {
		segment, behind, more := strings.Cut(rest, ">")
		if !more {
			b.plan.levels = max(b.plan.levels, level)
			return at, rest, nil
		}
		if level == b.d.depth {
			return nil, "", b.d.tooDeep()
		}
		next := at.child(segment)
		if next == nil {
			next = b.add(at, segment, -1)
		} else if next.column >= 0 {
			return nil, "", b.duplicateAt(column)
		}
		at, rest = next, behind
	}
}

// tree is a node while columns are being added to it.
type tree struct {
	name        string
	column      int
	first, last *tree            // child
	next        *tree            // sibling
	n           int              // children
	index       map[string]*tree // of children, once there are many
}

func (t *tree) child(name string) *tree {
	if t.index != nil {
		return t.index[name]
	}
	// Columns of one group mostly follow each other.
	if t.last != nil && t.last.name == name {
		return t.last
	}
	for c := t.first; c != nil; c = c.next {
		if c.name == name {
			return c
		}
	}
	return nil
}

// add adds a child to t.
func (b *planBuilder) add(t *tree, name string, column int) *tree {
	if len(b.trees) == cap(b.trees) {
		b.trees = make([]tree, 0, len(b.names)) // the full one stays where it is
	}
	b.trees = append(b.trees, tree{name: name, column: column})
	b.count++
	child := &b.trees[len(b.trees)-1]
	if t.last == nil {
		t.first = child
	} else {
		t.last.next = child
	}
	t.last = child
	t.n++
	if t.index == nil && t.n > fewColumns {
		t.index = make(map[string]*tree, 4*fewColumns)
		for c := t.first; c != nil; c = c.next {
			t.index[c.name] = c
		}
	}
	if t.index != nil {
		t.index[name] = child
	}
	return child
}

// members returns t's children as nodes, and their keys. The nodes of one
// declaration share an allocation of b.count.
func (b *planBuilder) members(t *tree) ([]node, *wire.Keys, error) {
	from := len(b.nodes)
	b.nodes = b.nodes[:from+t.n]
	nodes := b.nodes[from:]
	names := make([]string, 0, t.n)
	for c := t.first; c != nil; c = c.next {
		n := &nodes[len(names)]
		names = append(names, c.name)
		n.name, n.column = c.name, c.column
		if c.column < 0 {
			var err error
			if n.children, n.keys, err = b.members(c); err != nil {
				return nil, nil, err
			}
		}
	}
	keys, err := wire.NewKeys(names...)
	return nodes, keys, err
}

func appendLeaves(leaves []int, nodes []node) []int {
	for _, n := range nodes {
		if n.column >= 0 {
			leaves = append(leaves, n.column)
		} else {
			leaves = appendLeaves(leaves, n.children)
		}
	}
	return leaves
}

// column returns the column of the field with that name, -1 if there is none
// or it is a group.
func (p *plan) column(name string) int {
	switch {
	case p.columns != nil:
		if c, ok := p.columns[name]; ok {
			return c
		}
		return -1
	case p.fields != nil:
		for i := range p.fields {
			if p.fields[i].name == name {
				return p.fields[i].column
			}
		}
		return -1
	}
	c := p.keys.Index(name)
	if c >= 0 && p.kind == planKeyed {
		c++
	}
	return c
}
