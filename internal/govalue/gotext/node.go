// Package gotext writes Go values as text and reads them from it without a Value
// in between: a type is described once as a tree of nodes, with the text of its
// keys, and a syntax walks that along the memory of the values. JSON's is here.
//
// What is simple is handled. All else, errors included, is left to the way
// through Values, whose bytes and results are the same.
package gotext

import (
	"encoding/binary"
	"reflect"
	"slices"
	"time"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A Form says what the values of a type become.
type Form uint8

// The forms.
const (
	Scalar  Form = iota // a string, a number, a boolean, a time
	Struct              // an object
	Pointer             // null or what it points to
	List                // null or an array
	Map                 // null or an object
	Any                 // whatever an empty interface holds
)

// A Node describes a type.
type Node struct {
	Type    *gotype.Type
	Form    Form
	Op      gotype.Op // of a scalar
	Members []Member  // of a struct
	Elem    *Node     // of a pointer, a list or a map
	Size    uintptr   // of an element of a list
	maps    *mapType  // of a map
	// Number is the node's own among those of the tree, of which the root knows
	// how many there are.
	Number, Nodes int
	// Optional is the number of members that may be absent.
	Optional int
	// Varying are the members that may be absent or are not scalars: only they make
	// the shapes of two structs differ.
	Varying []*Member

	tables tables // of a struct
}

// A Member is a field of a struct.
type Member struct {
	Name  string
	Label Label
	Place
	Optional bool
	absence  gotype.Absence
	// Group are the columns that the member is in a table, if it is an object and not one cell.
	Group []Member
}

// Lacks reports whether a struct lacks the member.
func (m *Member) Lacks(v Var) bool { return m.Optional && m.absence.Is(gotype.Add(v.p, m.offset)) }

// A Label is the text of a key, the first bytes of it also in forms of which each
// is moved at once.
type Label struct {
	Text string
	// room begins with the text, if it is not longer.
	room [labelRoom]byte
	// words are the first bytes of the text, and masks has a 1 for each of their
	// bits.
	words, masks [2]uint64
}

// labelRoom is the length of the labels that are copied and compared as a whole.
const labelRoom = 16

// NewLabel returns the label with that text.
func NewLabel(text string) Label {
	l := Label{Text: text}
	var mask [labelRoom]byte
	for i := range copy(l.room[:], text) {
		mask[i] = 0xFF
	}
	for i := range l.words {
		l.words[i] = binary.LittleEndian.Uint64(l.room[8*i:])
		l.masks[i] = binary.LittleEndian.Uint64(mask[8*i:])
	}
	return l
}

// Append appends the label.
func (l *Label) Append(dst []byte) []byte {
	n, text := len(dst), l.Text
	if len(text) > labelRoom || cap(dst)-n < labelRoom {
		return append(dst, text...)
	}
	*(*[labelRoom]byte)(dst[n : n+labelRoom]) = l.room
	return dst[:n+len(text)]
}

// lineRoom begins a line, with as many spaces as a short label leaves room for.
var lineRoom = [labelRoom]byte([]byte("\n               "))

// AppendLine appends the end of a line, spaces, and the label, so many bytes before
// the label: 0 for one that goes on in its line.
func (l *Label) AppendLine(dst []byte, before int) []byte {
	n := len(dst)
	if uint(before|len(l.Text)) >= labelRoom || cap(dst)-n < 2*labelRoom {
		return l.appendLine(dst, before)
	}
	*(*[labelRoom]byte)(dst[n : n+labelRoom]) = lineRoom
	n += before
	*(*[labelRoom]byte)(dst[n : n+labelRoom]) = l.room
	return dst[:n+len(l.Text)]
}

func (l *Label) appendLine(dst []byte, before int) []byte {
	for i := range before {
		dst = append(dst, "\n "[min(i, 1)])
	}
	return append(dst, l.Text...)
}

// At reports whether text has the label at i, but for its first byte: what opens
// an object may be in the place of what separates members.
func (l *Label) At(text string, i int) bool {
	if len(l.Text) > labelRoom || i+labelRoom > len(text) {
		return i+len(l.Text) <= len(text) && text[i+1:i+len(l.Text)] == l.Text[1:]
	}
	w := text[i : i+labelRoom]
	return (load64(w)^l.words[0])&(l.masks[0]&^0xFF) == 0 && load64(w[8:])&l.masks[1] == l.words[1]
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Plans are the nodes of types in one syntax.
type Plans struct {
	// Label appends the text of a key, as it comes after another member. Types
	// with a key for which it appends nothing need Values.
	Label func(dst []byte, key string) []byte
	// nodes are nil for types that need Values.
	nodes gotype.Memo[reflect.Type, *Node]
	roots Roots[*Node]
}

// Root returns what is known of v's type, and the variable that v points to or holds, see
// [Roots.Of].
func (s *Plans) Root(types *gotype.Universe, v any) (*Root[*Node], Var) {
	return s.roots.Of(v, s.from(types))
}

func (s *Plans) from(types *gotype.Universe) func(t reflect.Type) (*Node, *Node) {
	return func(t reflect.Type) (*Node, *Node) { n := s.Of(types.Of(t)); return n, n }
}

// Of returns the node of a type of strings, numbers, booleans and times, and
// structs, slices, pointers, maps with keys of type string and empty interfaces
// of those; nil for all others.
func (s *Plans) Of(t *gotype.Type) *Node {
	return s.nodes.Of(t.T, func(reflect.Type) *Node {
		c := compiler{label: s.Label, made: make(map[*gotype.Type]*Node)}
		made := c.compile(t)
		if made != nil {
			made.Nodes = len(c.made)
		}
		return made
	})
}

// compiler compiles a type and those in it, which may hold themselves.
type compiler struct {
	label func(dst []byte, key string) []byte
	made  map[*gotype.Type]*Node
}

// maxNodes bounds the types in a type.
const maxNodes = 1 << 10

func (c *compiler) compile(t *gotype.Type) *Node {
	if known, ok := c.made[t]; ok {
		return known
	}
	if t.ConvertsItself() || len(c.made) == maxNodes {
		return nil
	}
	n := &Node{Type: t, Op: t.Op, Number: len(c.made)}
	c.made[t] = n
	if c.fill(n, t) {
		return n
	}
	return nil // and so is every type that holds it
}

func (c *compiler) fill(n *Node, t *gotype.Type) bool {
	switch t.Op {
	case gotype.Struct:
		n.Form = Struct
		return c.members(n, t)
	case gotype.Pointer:
		n.Form = Pointer // which those in it may ask for
		n.Elem = c.compile(t.Elem())
		return n.Elem != nil
	case gotype.List:
		if t.IsBytes() {
			return false
		}
		n.Form, n.Size = List, t.Elem().Size
		n.Elem = c.compile(t.Elem())
		return n.Elem != nil
	case gotype.Map:
		if t.T.Key() != reflect.TypeFor[string]() {
			return false
		}
		n.Form, n.maps = Map, mapsOf(t.Elem().T)
		n.Elem = c.compile(t.Elem())
		return n.Elem != nil && n.maps != nil
	case gotype.Interface:
		n.Form = Any
		return t.T == reflect.TypeFor[any]()
	}
	return IsScalar(t)
}

func (c *compiler) members(n *Node, t *gotype.Type) bool {
	if t.Fields().Rest != nil {
		return false
	}
	list := t.Fields().List
	n.Members = make([]Member, len(list))
	for i := range list {
		f, m := &list[i], &n.Members[i]
		if f.Quoted || f.Hidden || len(f.Hops) > 0 || f.RunsCode() {
			return false
		}
		m.Name = f.Name
		if m.Label = NewLabel(string(c.label(nil, f.Name))); m.Label.Text == "" {
			return false
		}
		if m.Node = c.compile(f.Type); m.Node == nil {
			return false
		}
		m.Place = NewPlace(m.Node, f.Offset)
		if m.Optional = f.Optional(); m.Optional {
			m.absence = f.Absence()
			n.Optional++
		}
		if m.Optional || m.Op == gotype.Other {
			n.Varying = append(n.Varying, m)
		}
	}
	return true
}

// IsScalar reports whether values of the type are a string, a number, a boolean
// or a time.
func IsScalar(t *gotype.Type) bool {
	switch op := t.Op; {
	case t.ConvertsItself():
		return false
	case op == gotype.String, op == gotype.Float64, op == gotype.Bool, op == gotype.Time, op.IsInt(), op.IsUint():
		return true
	}
	return false
}

// Scratch is a variable of each of the types that maps hold: the word for numbers
// and booleans, which have no pointers.
type Scratch struct {
	text string
	word uint64
	held any
}

// At returns the scratch variable for elements of a map.
func (s *Scratch) At(elem *Node) Var {
	switch {
	case elem.Form == Any:
		return Var{elem, gotype.Ptr(&s.held)}
	case elem.Op == gotype.String:
		return Var{elem, gotype.Ptr(&s.text)}
	}
	return Var{elem, gotype.Ptr(&s.word)}
}

// Clear forgets what the variables hold.
func (s *Scratch) Clear() {
	s.word = 0
	if s.text != "" || s.held != nil { // writing a pointer takes longer than looking at it
		s.text, s.held = "", nil
	}
}

// AppendKeys appends the keys of the map.
func (v Var) AppendKeys(keys []string) []string { return v.maps.keys(v.p, keys) }

// Count returns the number of elements of the map, -1 for a nil map.
func (v Var) Count() int { return v.maps.len(v.p) }

// Load returns a copy of the element with that key, if there is one, in scratch.
func (v Var) Load(key string, scratch *Scratch) (Var, bool) {
	to := scratch.At(v.Elem)
	return to, v.maps.load(v.p, key, to.p)
}

// Store makes the map one that has a copy of elem with that key. It reports false if it
// had that key.
func (v Var) Store(key string, elem Var) bool { return v.maps.store(v.p, key, elem.p) }

// MakeMap makes the map one without elements, but not nil, with room for n.
func (v Var) MakeMap(n int) { v.maps.make(v.p, n) }

// mapType reads and writes the maps of one type.
type mapType struct {
	keys  func(p gotype.Ptr, keys []string) []string
	len   func(p gotype.Ptr) int
	load  func(p gotype.Ptr, key string, to gotype.Ptr) bool
	store func(p gotype.Ptr, key string, from gotype.Ptr) bool
	make  func(p gotype.Ptr, n int)
}

// Sorted returns the keys of the map in their order, in the memory of keys if there is
// enough.
func (v Var) Sorted(keys []string) []string {
	keys = v.AppendKeys(keys[:0])
	slices.Sort(keys)
	return keys
}

func mapsOf(elem reflect.Type) *mapType {
	switch elem {
	case reflect.TypeFor[string]():
		return newMaps[string]()
	case reflect.TypeFor[int]():
		return newMaps[int]()
	case reflect.TypeFor[int64]():
		return newMaps[int64]()
	case reflect.TypeFor[float64]():
		return newMaps[float64]()
	case reflect.TypeFor[bool]():
		return newMaps[bool]()
	case reflect.TypeFor[any]():
		return newMaps[any]()
	}
	return nil
}

func newMaps[V any]() *mapType {
	return &mapType{
		keys: func(p gotype.Ptr, keys []string) []string {
			for key := range *gotype.At[map[string]V](p) {
				keys = append(keys, key)
			}
			return keys
		},
		len: func(p gotype.Ptr) int {
			m := *gotype.At[map[string]V](p)
			if m == nil {
				return -1
			}
			return len(m)
		},
		load: func(p gotype.Ptr, key string, to gotype.Ptr) bool {
			v, ok := (*gotype.At[map[string]V](p))[key]
			*gotype.At[V](to) = v
			return ok
		},
		store: func(p gotype.Ptr, key string, from gotype.Ptr) bool {
			m := gotype.At[map[string]V](p)
			if *m == nil {
				*m = make(map[string]V)
			}
			size := len(*m)
			(*m)[key] = *gotype.At[V](from)
			return len(*m) > size
		},
		make: func(p gotype.Ptr, n int) { *gotype.At[map[string]V](p) = make(map[string]V, n) },
	}
}

// AppendTime appends what wire.Value.AppendText gives for a time. It reports
// false for those that wire.FromGo refuses.
func AppendTime(dst []byte, t time.Time) ([]byte, bool) {
	if !HasText(t) {
		return dst, false
	}
	if _, offset := t.Zone(); offset%60 != 0 {
		t = t.UTC() // RFC 3339 has no seconds in its offsets
	}
	return t.AppendFormat(dst, time.RFC3339Nano), true
}

// HasText reports whether RFC 3339 has a text for a time: wire.FromGo refuses all others.
func HasText(t time.Time) bool {
	const day = 24 * 60 * 60
	_, offset := t.Zone()
	year := t.Year()
	return year >= 0 && year <= 9999 && offset > -day && offset < day
}
