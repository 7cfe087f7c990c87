package gcx

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
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
	// head are the fields and types that rows of the type came with last.
	head atomic.Pointer[goColumns]
}

// A goMember is a member of a goStruct.
type goMember struct {
	*gotext.Member
	value *gotext.Node // what the pointers of the member lead to
	key   string       // as headers have it
	head  string       // of its section, up to the fields, under the default tool
	// pair says that the key can be that of a pair in a header.
	pair bool
	// rows are the structs that the member is, or that it is a list of; nil if it is
	// neither.
	rows *goStruct
	// fields are those of the last map that the member was.
	fields atomic.Pointer[goFields]
}

// goFields are the fields of a section whose rows lack some, or that are a map's.
type goFields struct {
	names []string
	keys  *wire.Keys
	text  string // as a header has them; "" if they can be no fields
	// If they are merged, variants are those of which they are, in the order in which
	// they came first, and columns has the member of each field, nil for none.
	variants []*goVariant
	columns  [][]*goMember
	overhead int // of their table, see tableOverhead
}

// newGoFields returns the fields of these names, nil if one stands twice.
func newGoFields(names []string) *goFields {
	keys, err := wire.NewKeys(names...)
	if err != nil {
		return nil
	}
	f := &goFields{names: names, keys: keys}
	if columns(keys) {
		f.text = string(appendFields(nil, names))
	}
	return f
}

// A goVariant is what objects are that lack the same members.
type goVariant struct {
	mask     uint64
	keys     *wire.Keys
	members  []*goMember // that they have
	texts    []*goMember // of these, the pointers to strings and times
	text     string      // see goFields
	overhead int         // bytes in JSON besides keys and values, without the quotation marks of pointers' texts
}

// maxVariants bounds the variants of a type.
const maxVariants = 64

// goStructs holds what roots are that are structs or lists of them; nil for types
// that need Values.
var goStructs gotext.Roots[*goRoot]

// A goRoot is a struct, or a list of structs.
type goRoot struct {
	node *gotext.Node
	goMember
}

func goRootOf(t reflect.Type) *goRoot {
	n := gotext.JSON.Of(gowire.Types.Of(t))
	if n == nil {
		return nil
	}
	root := &goRoot{node: n}
	switch n.Form {
	case gotext.Struct:
		root.rows = newGoStruct(n, true)
	case gotext.List:
		if elem := pointee(n.Elem); elem.Form == gotext.Struct {
			root.rows = newGoStruct(elem, false)
		}
	}
	if root.rows == nil {
		return nil
	}
	return root
}

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
		m.head = tag + " " + metaTool + "=" + DefaultTool + "." + m.key
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
		switch rows := m.value; rows.Form {
		case gotext.Any:
			return nil // who knows what is in it
		case gotext.Struct:
			m.rows = newGoStruct(rows, false)
		case gotext.List:
			if rows = pointee(rows.Elem); rows.Form == gotext.Struct {
				m.rows = newGoStruct(rows, false)
			}
		}
	}
	s.full = newGoVariant(0, all)
	if s.full == nil {
		return nil
	}
	return s
}

func newGoVariant(mask uint64, members []*goMember) *goVariant {
	v := &goVariant{mask: mask, members: members, overhead: objectBytes}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
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
	f := newGoFields(names)
	if f == nil {
		return nil
	}
	v.keys, v.text = f.keys, f.text
	return v
}

// variant returns which members the struct at p has; nil if the type has too many
// variants.
func (s *goStruct) variant(p gotype.Ptr) *goVariant {
	mask := uint64(0)
	for bit, i := range s.optional {
		if s.members[i].Absence.Of(p) {
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
		v := newGoVariant(mask, members)
		if v == nil {
			return nil
		}
		known, _ = s.variants.LoadOrStore(mask, v)
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
	if len(o.names) < 2 || !o.sort() && !o.arrange() {
		return nil
	}
	f := newGoFields(o.sorted)
	if f == nil {
		return nil
	}
	f.variants, f.overhead = slices.Clone(variants), tableOverhead(f.names, 0, 0)
	f.columns = make([][]*goMember, len(variants))
	for i, v := range variants {
		f.columns[i] = make([]*goMember, len(f.names))
		for _, m := range v.members {
			f.columns[i][f.keys.Index(m.Name)] = m
		}
	}
	s.merged.Store(f)
	return f
}
