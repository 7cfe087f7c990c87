package gcf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/codec/builder"
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

// plan is what a field declaration says about the rows below it. It is made
// once per declaration and shared by all tables that repeat it.
type plan struct {
	kind     planKind
	text     string     // the declaration, braces included
	names    []string   // of the columns, for a keyed map with the label first
	width    int        // the number of columns
	keys     *wire.Keys // of a row that has every field
	identity int        // the column marked with @ (section 10a.1), -1 if none

	// With path columns (section 7.4.6.2), fields are a row's members in the
	// order of keys; else it is nil and member i is in column i, or i+1 of a
	// keyed map.
	fields []*node
	levels int // of groups in each other

	bare bool // no name is quoted that is not a path
}

// node is a member that a row's cells make: one cell's value, or an object
// made of several path columns.
type node struct {
	name     string
	column   int // -1 for a group
	children []*node
	index    map[string]*node // of children, once there are many
	keys     *wire.Keys       // of a group that has every child
	leaves   []int            // a top-level group's columns
}

// fields reads the field declaration at i and returns the position after it.
func (d *decoder) fields(i int, kind planKind) (*plan, int, error) {
	if p := d.known(d.Doc[i:d.End], kind); p != nil && p.levels <= d.depth { // else it is refused here
		return p, i + len(p.text), nil
	}
	b := planBuilder{d: d, plan: &plan{kind: kind, identity: -1, bare: true}}
	next, err := b.read(i)
	if err != nil {
		return nil, 0, err
	}
	b.text = d.Doc[i:next]
	if d.lent { // the text of the document is written over
		b.text = strings.Clone(b.text)
		for k, name := range b.names {
			b.names[k] = strings.Clone(name)
		}
	}
	if err := b.finish(i); err != nil {
		return nil, 0, err
	}
	if len(d.plans) == maxPlans {
		d.forget(maxPlans / 2)
	}
	d.plans = append(d.plans, b.plan)
	return b.plan, next, nil
}

const (
	// maxPlans is how many declarations are remembered, maxKeptPlans the length of
	// those that an idle decoder remembers.
	maxPlans     = 128
	maxKeptPlans = 16 << 10
	// maxKeptColumns bounds the room for those of tables that it has for the next one.
	maxKeptColumns = 1 << 8
)

// known returns the declaration that text begins with, nil if it is not remembered.
func (d *decoder) known(text string, kind planKind) *plan {
	for _, p := range d.plans {
		if p.kind == kind && strings.HasPrefix(text, p.text) {
			return p
		}
	}
	return nil
}

// forget forgets the n oldest declarations, and what was made of their key lists.
func (d *decoder) forget(n int) {
	d.plans, d.partial = slices.Delete(d.plans, 0, n), builder.PartialRows{}
}

// idle makes the decoder ready for another document. What it read of declarations
// stays right as long as none of them may name the field that identifies rows.
func (d *decoder) idle() {
	length, oldest := 0, 0
	for i, p := range slices.Backward(d.plans) {
		if length += len(p.text); length > maxKeptPlans || d.hasIdentity {
			oldest = i + 1
			break
		}
	}
	if oldest > 0 {
		d.forget(oldest)
	}
	established, gaps := d.established, d.gaps
	*d = decoder{plans: d.plans, partial: d.partial}
	if max(cap(established), cap(gaps)) <= maxKeptColumns {
		clear(established[:cap(established)])
		d.established, d.gaps = established[:0], gaps
	}
}

// planBuilder reads one declaration.
type planBuilder struct {
	d *decoder
	*plan
	at    []int // where the names begin
	paths bool
	nodes []node // the current chunk
}

func (b *planBuilder) read(i int) (next int, err error) {
	d := b.d
	malformed := func(at int) (int, error) {
		code := "invalid_field_declaration"
		if b.kind == planInline {
			code = "invalid_attachment_marker"
		}
		return 0, d.Syntax(at, code, "a field declaration is a list of keys in braces, with commas between them")
	}
	// A quoted name may hold a brace or a comma; then this is off, but never
	// more than the declaration is long.
	declared, _, _ := strings.Cut(d.Doc[i:d.End], "}")
	fields := 1 + strings.Count(declared, ",")
	b.names, b.at = make([]string, 0, fields), make([]int, 0, fields)
	for i++; ; i++ {
		i = d.SkipBlanks(i, d.End)
		marked := i < d.End && d.Doc[i] == '@'
		if marked {
			if !d.hasIdentity || b.identity >= 0 || b.kind == planInline {
				return malformed(i)
			}
			i++
		}
		name, next, err := d.Scalars.ReadKey(i, d.End)
		if err != nil {
			return 0, err
		}
		if next == i {
			return malformed(i)
		}
		if marked {
			if name != d.identityKey {
				return 0, d.Syntax(i, "invalid_field_declaration", "the field marked with @ is not the one that the header's key= names")
			}
			b.identity = len(b.names)
		}
		path := b.kind != planInline && isPath(name)
		b.paths = b.paths || path
		b.bare = b.bare && (path || d.Doc[i] != '"')
		b.names = append(b.names, name)
		b.at = append(b.at, i)
		i = d.SkipBlanks(next, d.End)
		if i == d.End || d.Doc[i] != ',' && d.Doc[i] != '}' {
			return malformed(i)
		}
		if d.Doc[i] == '}' {
			return i + 1, nil
		}
	}
}

// isPath reports whether a field's name is a path: separators with something
// before and after each (section 7.4.6.2, rule 1).
func isPath(name string) bool {
	return lex.HoldsPath(name) && name[0] != '>' && name[len(name)-1] != '>' && !strings.Contains(name, ">>")
}

func (b *planBuilder) finish(at int) error {
	p := b.plan
	p.width = len(p.names)
	names := p.names
	if p.kind == planKeyed {
		if p.width < 2 {
			return b.d.Syntax(at, "invalid_keyed_map", "a keyed map declares at least two fields")
		}
		names = names[1:]
	}
	if !b.paths {
		// The label counts as a name, too: it must be unlike the others.
		if _, err := wire.NewKeys(b.names...); err == nil {
			p.keys, err = b.d.NewKeys(names...)
			return err
		}
	}
	return b.group(len(b.names) - len(names)) // which tells what name occurs twice, if one does
}

func (b *planBuilder) duplicateAt(i int) error {
	return b.d.Fail(b.at[i], wire.Error{Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey,
		Message: "the field occurs twice in its declaration, or as a value and as a path"})
}

// group makes the members of rows with path columns. A group is where its
// first column does.
func (b *planBuilder) group(from int) error {
	p := b.plan
	var root node
	for column := from; column < len(b.names); column++ {
		name := b.names[column]
		if from == 1 && name == b.names[0] {
			return b.duplicateAt(column)
		}
		parent := &root
		if b.paths && isPath(name) {
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
	b.nameMembers(&root)
	p.keys, p.fields = root.keys, root.children
	leaves := make([]int, 0, p.width)
	for _, f := range p.fields {
		first := len(leaves)
		leaves = appendLeaves(leaves, f)
		f.leaves = leaves[first:]
	}
	return nil
}

// walk returns the group that a path column belongs to, with groups added on
// the way, and the last segment of its name.
func (b *planBuilder) walk(at *node, column int) (*node, string, error) {
	rest := b.names[column]
	for level := 0; ; level++ {
		segment, after, more := strings.Cut(rest, ">")
		if !more {
			b.levels = max(b.levels, level)
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
		at, rest = next, after
	}
}

func (t *node) child(name string) *node {
	if t.index != nil {
		return t.index[name]
	}
	for _, c := range slices.Backward(t.children) { // columns of one group mostly follow each other
		if c.name == name {
			return c
		}
	}
	return nil
}

// add adds a child to t.
func (b *planBuilder) add(t *node, name string, column int) *node {
	if len(b.nodes) == cap(b.nodes) {
		b.nodes = make([]node, 0, len(b.names)) // the full one stays where it is
	}
	b.nodes = append(b.nodes, node{name: name, column: column})
	child := &b.nodes[len(b.nodes)-1]
	t.children = append(t.children, child)
	if t.index == nil && len(t.children) > fewColumns {
		t.index = make(map[string]*node, 4*fewColumns)
		for _, c := range t.children {
			t.index[c.name] = c
		}
	}
	if t.index != nil {
		t.index[name] = child
	}
	return child
}

// nameMembers makes the key lists of t and of the groups in it.
func (b *planBuilder) nameMembers(t *node) {
	members := make([]string, 0, len(t.children))
	for _, c := range t.children {
		members = append(members, c.name)
		if c.column < 0 {
			b.nameMembers(c)
		}
	}
	t.keys, _ = b.d.NewKeys(members...) // of different names
}

func appendLeaves(leaves []int, group *node) []int {
	for _, c := range group.children {
		if c.column >= 0 {
			leaves = append(leaves, c.column)
		} else {
			leaves = appendLeaves(leaves, c)
		}
	}
	return leaves
}

// column returns the column of the field with that name, -1 if there is none
// or it is a group.
func (p *plan) column(name string) int {
	c := p.keys.Index(name)
	switch {
	case c < 0:
	case p.fields != nil:
		return p.fields[c].column
	case p.kind == planKeyed:
		return c + 1
	}
	return c
}
