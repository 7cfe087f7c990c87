package gcx

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// A goStruct is a struct type whose values are written and read without Values:
// as the object around the lists of a payload, or as a row.
type goStruct struct {
	node     *gotext.Node
	members  []goMember
	optional []int       // which of the members may be absent
	lists    []*goMember // those that are lists of what may be objects
	full     *goVariant
	// variants maps a mask of the optional members that are absent to the
	// *goVariant; last is the one that was asked for last, made how many there are.
	variants sync.Map
	last     atomic.Pointer[goVariant]
	made     atomic.Int32
	merged   atomic.Pointer[goFields] // of the last rows that did not all have the same
	// read are the fields and types that rows of the type came with last.
	read atomic.Pointer[goColumns]
}

// A goMember is a member of a goStruct.
type goMember struct {
	*gotext.Member
	value *gotext.Node // what the pointers of the member lead to
	key   string       // as headers have it
	label string       // of a pair: a space, the key and what separates it from the value
	// pair says that the key can be that of a pair in a header.
	pair bool
	// rows are the structs that the member is, or that it is a list of; nil if it is
	// neither.
	rows *goStruct
	// fields are those of the last map that the member was.
	fields atomic.Pointer[goFields]
}

// A goHeading is what a header says of the columns.
type goHeading struct {
	text string // the fields, as a header has them; "" if they can be no fields
	// letters are those of each column that hold for all that its type can be.
	letters []letterSet
}

// goFields are the fields of a section whose rows lack some, or that are a map's.
type goFields struct {
	goHeading
	names []string
	keys  *wire.Keys
	// If they are merged, variants are those of which they are, in the order in which
	// they came first, and columns has the cells of each, without a node for members that
	// they lack.
	variants []*goVariant
	columns  [][]gotext.Place
	overhead int // of their table, see tableOverhead
}

// newGoFields returns the fields of these names, nil if one occurs twice. The letters are
// those of each column, nil for any.
func newGoFields(names []string, letters []letterSet) *goFields {
	keys, err := wire.NewKeys(names...)
	if err != nil {
		return nil
	}
	f := &goFields{names: names, keys: keys}
	if !areFields(keys) {
		return f
	}
	if letters == nil {
		letters = slices.Repeat([]letterSet{anyLetter}, len(names))
	}
	f.goHeading = goHeading{string(appendFields(nil, names)), letters}
	return f
}

// A goVariant is what objects are that lack the same members.
type goVariant struct {
	goHeading
	mask     uint64
	keys     *wire.Keys
	members  []*goMember    // that they have
	cells    []gotext.Place // of these, see goMember.cell
	texts    []*goMember    // of these, the pointers to strings and times
	overhead int            // bytes in JSON besides keys and values, without the quotation marks of pointers' texts
}

// maxVariants bounds the variants of a type.
const maxVariants = 64

// goRoots holds what roots are that are structs or lists of them; nil for types
// that need Values.
var goRoots gotext.Roots[*goMember]

// goRootOf returns what is known of a root, which is described as a member is but has no
// gotext.Member.
func goRootOf(t reflect.Type) (*goMember, *gotext.Node) {
	if isModel(t) {
		return nil, nil
	}
	n := gotext.JSON.Of(gowire.Types.Of(t))
	if n == nil {
		return nil, nil
	}
	root := new(goMember)
	if root.rows = rowsOf(n, true); root.rows == nil {
		return nil, nil
	}
	return root, n
}

// rowsOf returns what is known of the structs that a node is, or that it is a list of; nil
// if it is neither, or they need Values.
func rowsOf(n *gotext.Node, wraps bool) *goStruct {
	if n.Form == gotext.Struct {
		return newGoStruct(n, wraps)
	}
	if n.Form == gotext.List && pointee(n.Elem).Form == gotext.Struct {
		return newGoStruct(pointee(n.Elem), false)
	}
	return nil
}

// bareHeading is that of rows that are values.
var bareHeading = goHeading{" " + metaFields + "=" + valueField, []letterSet{anyLetter}}

// pointee returns what the pointers of a type lead to.
func pointee(n *gotext.Node) *gotext.Node {
	for n.Form == gotext.Pointer {
		n = n.Elem
	}
	return n
}

// newGoStruct returns what is known of a struct type, nil if it needs Values: with
// the rows of its members if it may be around sections.
func newGoStruct(n *gotext.Node, wraps bool) *goStruct {
	if n.Optional > 63 {
		return nil
	}
	s := &goStruct{node: n, members: make([]goMember, len(n.Members))}
	all := make([]*goMember, len(n.Members))
	for i := range n.Members {
		m := &s.members[i]
		m.Member = &n.Members[i]
		m.value = pointee(m.Node)
		m.key = string(appendToken(nil, m.Name, ""))
		m.label = " " + m.key + "="
		m.pair = m.Name != "" && !reserved(m.Name) && len(m.Name) <= maxMeta && plainToken(m.Name, "=")
		if m.Optional {
			s.optional = append(s.optional, i)
		}
		all[i] = m
		if !wraps {
			continue
		}
		if m.value.Form == gotext.List {
			if elem := pointee(m.value.Elem); elem.Form != gotext.Scalar && elem.Form != gotext.List {
				s.lists = append(s.lists, m)
			}
		}
		if m.value.Form == gotext.Any {
			return nil // whatever is in it
		}
		m.rows = rowsOf(m.value, false)
	}
	s.full = s.newVariant(0, all)
	if s.full == nil {
		return nil
	}
	return s
}

// newVariant returns the variant with these members, nil if it needs Values.
func (s *goStruct) newVariant(mask uint64, members []*goMember) *goVariant {
	v := &goVariant{mask: mask, members: members, overhead: objectBytes}
	names, letters := make([]string, len(members)), make([]letterSet, len(members))
	for i, m := range members {
		names[i] = m.Name
		v.cells = append(v.cells, m.cell())
		letters[i] = m.letters()
		v.overhead += labelBytes + len(m.Name)
		if m.value.Form != gotext.Scalar || m.value.Op != gotype.String && m.value.Op != gotype.Time {
			continue
		}
		if m.Node.Form == gotext.Pointer {
			v.texts = append(v.texts, m)
		} else {
			v.overhead += quoteBytes
		}
	}
	f := newGoFields(names, letters)
	if f == nil {
		return nil
	}
	v.keys, v.goHeading = f.keys, f.goHeading
	return v
}

// cell returns the column that the member is. Its op is that of what is written without a
// look at the node.
func (m *goMember) cell() gotext.Place {
	c := m.Place
	if c.Op == gotype.Time {
		c.Op = gotype.Other
	}
	return c
}

// letters returns the letters that hold for all that the member can be: those of
// numbers for one that is always a number or a boolean.
func (m *goMember) letters() letterSet {
	switch m.Op {
	case gotype.Other, gotype.String, gotype.Time:
		return anyLetter
	}
	return numberLetters
}

// variant returns which members a struct has; nil if the type has too many variants.
func (s *goStruct) variant(v gotext.Var) *goVariant {
	mask := uint64(0)
	for bit, i := range s.optional {
		if s.members[i].Lacks(v) {
			mask |= 1 << bit
		}
	}
	if mask == 0 {
		return s.full
	}
	if last := s.last.Load(); last != nil && last.mask == mask {
		return last
	}
	known, ok := s.variants.Load(mask)
	if !ok {
		if s.made.Add(1) > maxVariants {
			return nil
		}
		members := make([]*goMember, 0, len(s.members))
		for i := range s.members {
			if bit := slices.Index(s.optional, i); bit < 0 || mask>>bit&1 == 0 {
				members = append(members, &s.members[i])
			}
		}
		made := s.newVariant(mask, members)
		if made == nil {
			return nil
		}
		known, _ = s.variants.LoadOrStore(mask, made)
	}
	s.last.Store(known.(*goVariant))
	return known.(*goVariant)
}

// merge returns the fields of rows of these variants, nil if they can be no fields.
func (s *goStruct) merge(variants []*goVariant) *goFields {
	if known := s.merged.Load(); known != nil && slices.Equal(known.variants, variants) {
		return known
	}
	var o keyOrder
	o.reset()
	for _, v := range variants {
		o.add(v.keys)
	}
	if len(o.names) < 2 || !o.sort() {
		return nil
	}
	f := newGoFields(o.sorted, nil)
	if f == nil {
		return nil
	}
	f.variants, f.overhead = slices.Clone(variants), tableOverhead(f.names, 0, 0)
	f.columns = make([][]gotext.Place, len(variants))
	for i, v := range variants {
		f.columns[i] = slices.Repeat([]gotext.Place{{}}, len(f.names))
		for k, m := range v.members {
			col := f.keys.Index(m.Name)
			f.columns[i][col] = v.cells[k]
			f.letters[col] = m.letters()
		}
	}
	s.merged.Store(f)
	return f
}
