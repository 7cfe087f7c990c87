package toon

import (
	"encoding/binary"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
)

// Structs, slices and maps of usual types are written without Values. What is
// simple is handled; all else, errors included, is left to the way through Values,
// whose bytes are the same.

// goPlans are the plans of TOON text: a label is a key and what a scalar has before
// it.
var goPlans = gotext.Plans{Label: func(dst []byte, key string) []byte {
	return append(appendKey(dst, key), scalarMark...)
}}

// scalarMark is between a key and a scalar.
const scalarMark = ": "

// goTree is a type that needs no Values.
type goTree struct {
	root    *gotext.Node
	lines   []atomic.Pointer[goLines] // see goReader.lines
	unicode bool                      // some key is not ASCII
}

// goRoots holds the trees of types, nil for those that need Values.
var goRoots gotext.Roots[*goTree]

func newGoTree(t reflect.Type) *goTree {
	n := goPlans.Of(gowire.Types.Of(t))
	if n == nil {
		return nil
	}
	tree := &goTree{root: n, lines: make([]atomic.Pointer[goLines], n.Nodes*goDepths)}
	if !tree.takes(n, make([]uint8, n.Nodes)) {
		return nil
	}
	return tree
}

// takes reports whether values of a type need no Values: all but those with
// interfaces, lists of maps, and types that hold themselves. state has 1 for nodes
// that are open, 2 for those that are known.
func (t *goTree) takes(n *gotext.Node, state []uint8) bool {
	if state[n.Number] > 0 {
		return state[n.Number] == 2
	}
	state[n.Number] = 1
	switch n.Form {
	case gotext.Any:
		return false
	case gotext.Map:
		if n.Elem.Form != gotext.Scalar {
			return false
		}
	case gotext.Struct:
		for i := range n.Members {
			if !t.takes(n.Members[i].Node, state) {
				return false
			}
			t.unicode = t.unicode || !isASCII(n.Members[i].Name)
		}
	case gotext.List:
		of := n.Elem
		if of.Form == gotext.Pointer {
			of = of.Elem
		}
		if of.Form != gotext.Scalar && of.Form != gotext.Struct && n.Elem.Form != gotext.List || !t.takes(n.Elem, state) {
			return false
		}
	case gotext.Pointer:
		if n.Elem.Form != gotext.Scalar && n.Elem.Form != gotext.Struct || !t.takes(n.Elem, state) {
			return false
		}
	}
	state[n.Number] = 2
	return true
}

// goEncoder appends one document, that of the zero Codec. Its methods report
// false for what they leave to Values; what was written by then does not count.
type goEncoder struct {
	max      int // the document's end must not be beyond
	indented int // bytes of indentation
	objects  int // of nested groups
	sorter   gotext.Sorter
	scratch  gotext.Scratch
	unicode  bool     // there are bytes beyond ASCII
	last     goLayout // of the last table
}

var goOutputs gotext.Outputs

var goEncoders = sync.Pool{New: func() any { return new(goEncoder) }}

// maxGoIndented bounds the indentation of a document without Values.
const maxGoIndented = 4 << 20

// appendGo appends the document of a Go value, the same that AppendEncode gives
// for its Value, unless it needs Values.
func appendGo(dst []byte, v any) ([]byte, bool) {
	root, p := goRoots.Of(v, newGoTree)
	if root.Plan == nil || p == nil {
		return dst, false
	}
	e := goEncoders.Get().(*goEncoder)
	e.max, e.indented, e.objects, e.unicode = len(dst)+bound.OutputBytes, 0, 0, root.Plan.unicode
	out, ok := e.root(dst, root.Plan.root, p)
	e.sorter.Clear()
	e.scratch.Clear()
	unicode := e.unicode
	if e.last.first != nil { // it is the caller's
		e.last.node, e.last.first = nil, nil
	}
	goEncoders.Put(e)
	// A longer text might hold more values than FromGo takes.
	if !ok || len(out) > e.max || len(out)-len(dst) > bound.Values || e.objects > sparseGroups || unicode && !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

func (e *goEncoder) root(dst []byte, n *gotext.Node, p gotype.Ptr) ([]byte, bool) {
	switch {
	case n.Form == gotext.Struct && isFilled(n, p) && !isKeyed(n, p):
		return e.fields(dst, n, p, 0, true)
	case n.Form == gotext.List && gotype.At[gotype.Slice](p).Len > 0:
		return e.array(dst, n, gotype.At[gotype.Slice](p), 0, true)
	}
	return dst, false
}

// goKind says what a variable is in the text.
type goKind uint8

const (
	goPrimitive goKind = iota
	goObject
	goArray
)

// held returns what the variable at p is: the node and the address of what a
// pointer points to, if there is anything.
func held(n *gotext.Node, p gotype.Ptr) (goKind, *gotext.Node, gotype.Ptr) {
	if n.Form == gotext.Pointer {
		if p = *gotype.At[gotype.Ptr](p); p == nil {
			return goPrimitive, n, nil
		}
		n = n.Elem
	}
	switch n.Form {
	case gotext.Struct:
		return goObject, n, p
	case gotext.Map:
		if *gotype.At[gotype.Ptr](p) != nil {
			return goObject, n, p
		}
	case gotext.List:
		if gotype.At[gotype.Slice](p).Data != nil {
			return goArray, n, p
		}
	}
	return goPrimitive, n, p
}

// isFilled reports whether an object has members.
func isFilled(n *gotext.Node, p gotype.Ptr) bool {
	return n.Optional < len(n.Members) || holdsMember(n, p)
}

// holdsMember is isFilled for objects all of whose members may be absent.
func holdsMember(n *gotext.Node, p gotype.Ptr) bool {
	if n.Form == gotext.Map {
		return n.Maps.Len(p) > 0
	}
	for i := range n.Members {
		if !n.Members[i].Absence.Of(p) {
			return true
		}
	}
	return false
}

// isKeyed reports whether a struct may be a keyed table: all its members, and
// more than one, are objects.
func isKeyed(n *gotext.Node, p gotype.Ptr) bool {
	// Else a scalar is always there.
	return len(n.Varying) >= len(n.Members)-n.Optional && holdsObjects(n, p)
}

func holdsObjects(n *gotext.Node, p gotype.Ptr) bool {
	objects := 0
	for i := range n.Members {
		m := &n.Members[i]
		if m.Optional && m.Absence.Of(p) {
			continue
		}
		if kind, _, _ := held(m.Node, gotype.Add(p, m.Offset)); kind != goObject {
			return false
		}
		objects++
	}
	return objects > 1
}

// newline begins a line at the depth.
func (e *goEncoder) newline(dst []byte, depth int) ([]byte, bool) {
	n := depth * defaultIndent
	e.indented += n
	if n > len(spaces) || e.indented > maxGoIndented || len(dst) > e.max {
		return dst, false
	}
	return appendNewline(dst, n), true
}

// fields appends the members of a struct that are at the depth, each in a line.
// The first one goes on in the line that is begun, if inLine.
func (e *goEncoder) fields(dst []byte, n *gotext.Node, p gotype.Ptr, depth int, inLine bool) (_ []byte, ok bool) {
	members, before := n.Members, 1+depth*defaultIndent
	if inLine {
		before = 0
	}
	if e.indented += depth * defaultIndent * len(members); e.indented > maxGoIndented || len(dst) > e.max {
		return dst, false
	}
	for i := range members {
		m := &members[i]
		if m.Optional && m.Absence.Of(p) {
			continue
		}
		dst = m.Label.AppendLine(dst, before)
		before = 1 + depth*defaultIndent
		q := gotype.Add(p, m.Offset)
		switch m.Op {
		case gotype.String:
			dst = e.text(dst, *gotype.At[string](q))
		case gotype.Int64:
			dst = decimal.AppendInt(dst, *gotype.At[int64](q))
		case gotype.Float64:
			if f := *gotype.At[float64](q); isShort(f) {
				dst = decimal.AppendFloat(dst, f)
			} else if dst, ok = appendFloat(dst, f); !ok {
				return dst, false
			}
		case gotype.Bool:
			dst = gotext.AppendBool(dst, *gotype.At[bool](q))
		case gotype.Other:
			if dst, ok = e.field(dst, m.Node, q, depth); !ok {
				return dst, false
			}
		default:
			if dst, ok = e.scalar(dst, m.Op, q); !ok {
				return dst, false
			}
		}
	}
	return dst, true
}

// field appends what follows the label of a field that is at the depth, which
// is one of a scalar.
func (e *goEncoder) field(dst []byte, n *gotext.Node, p gotype.Ptr, depth int) ([]byte, bool) {
	kind, n, p := held(n, p)
	key := dst[:len(dst)-len(scalarMark)]
	switch {
	case kind == goPrimitive:
		return e.primitive(dst, n, p)
	case kind == goArray && gotype.At[gotype.Slice](p).Len == 0:
		return append(dst, "[]"...), true
	case kind == goArray:
		return e.array(key, n, gotype.At[gotype.Slice](p), depth, true)
	case !isFilled(n, p):
		return append(key, ':'), true
	case n.Form == gotext.Map:
		return e.mapping(append(key, ':'), n, p, depth+1)
	case isKeyed(n, p):
		return dst, false
	}
	return e.fields(append(key, ':'), n, p, depth+1, false)
}

// array appends an array with elements, from its bracket on, whose header stands
// at the depth. tabular says whether it may be a table in that place.
func (e *goEncoder) array(dst []byte, n *gotext.Node, list *gotype.Slice, depth int, tabular bool) (_ []byte, ok bool) {
	dst = append(decimal.AppendInt(append(dst, '['), int64(list.Len)), ']')
	row := n.Elem
	if row.Form == gotext.Pointer {
		row = row.Elem
	}
	at := func(i int) gotype.Ptr { return gotype.Add(list.Data, uintptr(i)*n.Size) }
	if row.Form == gotext.Scalar || n.Elem.Form == gotext.List && !holdsArray(n, list) {
		dst = append(dst, ':', ' ')
		for i := range list.Len {
			_, node, p := held(n.Elem, at(i))
			if dst, ok = e.primitive(dst, node, p); !ok || len(dst) > e.max {
				return dst, false
			}
			dst = append(dst, ',')
		}
		return dst[:len(dst)-1], true // the last comma
	}
	if row.Form == gotext.Struct {
		rows := goRows{Node: row, Rows: n.Rows(list)}
		if rows.HoldsNil() {
			return dst, false
		}
		if tabular && rows.isTable() {
			return e.table(dst, &rows, depth)
		}
	}
	dst = append(dst, ':')
	for i := range list.Len {
		if dst, ok = e.item(dst, n.Elem, at(i), depth+1); !ok {
			return dst, false
		}
	}
	return dst, true
}

// holdsArray reports whether a list of lists holds one that is not nil.
func holdsArray(n *gotext.Node, list *gotype.Slice) bool {
	for i := range list.Len {
		if gotype.At[gotype.Slice](gotype.Add(list.Data, uintptr(i)*n.Size)).Data != nil {
			return true
		}
	}
	return false
}

// item appends one element of a list in its lines. The first field of an object
// is one level deeper than the hyphen before it.
func (e *goEncoder) item(dst []byte, n *gotext.Node, p gotype.Ptr, depth int) (_ []byte, ok bool) {
	kind, n, p := held(n, p)
	if kind == goObject && isFilled(n, p) {
		hyphen := len(dst) + 1 + depth*defaultIndent
		if dst, ok = e.fields(dst, n, p, depth+1, false); ok {
			dst[hyphen] = '-'
		}
		return dst, ok
	}
	if dst, ok = e.newline(dst, depth); !ok {
		return dst, false
	}
	dst = append(dst, '-')
	switch {
	case kind == goObject:
		return dst, true
	case kind == goArray && gotype.At[gotype.Slice](p).Len == 0:
		return append(dst, " [0]:"...), true
	case kind == goArray:
		return e.array(append(dst, ' '), n, gotype.At[gotype.Slice](p), depth, false)
	}
	return e.primitive(append(dst, ' '), n, p)
}

// mapping appends the members of a map, each in a line at the depth.
func (e *goEncoder) mapping(dst []byte, n *gotext.Node, p gotype.Ptr, depth int) (_ []byte, ok bool) {
	from, indented := len(dst), e.indented
	keys, own := e.sorter.Keys(n.Maps, p, n.Maps.Len(p))
	for i := 0; i < len(keys); i++ {
		q := e.scratch.At(n.Elem)
		if !n.Maps.Load(p, keys[i], q) {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = n.Maps.Sorted(p, keys), true, dst[:from], -1
			e.indented = indented
			continue
		}
		if dst, ok = e.newline(dst, depth); !ok {
			return dst, false
		}
		dst = append(e.key(dst, keys[i]), scalarMark...)
		if n.Elem.Op == gotype.String {
			dst = e.text(dst, *gotype.At[string](q))
		} else if dst, ok = e.scalar(dst, n.Elem.Op, q); !ok {
			return dst, false
		}
	}
	e.sorter.Put(keys)
	return dst, true
}

// primitive appends what held takes for one.
func (e *goEncoder) primitive(dst []byte, n *gotext.Node, p gotype.Ptr) ([]byte, bool) {
	if n.Form != gotext.Scalar {
		return append(dst, "null"...), true
	}
	return e.scalar(dst, n.Op, p)
}

func (e *goEncoder) scalar(dst []byte, op gotype.Op, p gotype.Ptr) (_ []byte, ok bool) {
	switch op {
	case gotype.String:
		return e.text(dst, *gotype.At[string](p)), true
	case gotype.Int64:
		return decimal.AppendInt(dst, *gotype.At[int64](p)), true
	case gotype.Float64:
		return appendFloat(dst, *gotype.At[float64](p))
	case gotype.Bool:
		return gotext.AppendBool(dst, *gotype.At[bool](p)), true
	case gotype.Time:
		var buf [64]byte
		text, ok := gotext.AppendTime(buf[:0], *gotype.At[time.Time](p))
		return e.text(dst, string(text)), ok
	}
	return gotext.AppendInt(dst, op, p), true
}

// text appends a string as appendString does, and notices what is not ASCII.
func (e *goEncoder) text(dst []byte, s string) []byte {
	from, n := len(dst), len(s)
	if uint(n-1) >= fourWords || cap(dst)-from < n+2 {
		return e.anyText(dst, s)
	}
	var suspect uint64
	text := dst[from : from+n]
	begin, end := s[0], s[n-1]
	switch {
	case n >= 8:
		first, last := scan.Load64(s, 0), scan.Load64(s, n-8)
		binary.LittleEndian.PutUint64(text, first)
		suspect = doubts(first) | doubts(last)
		if n > twoWords {
			second, third := scan.Load64(s, 8), scan.Load64(s, n-16)
			binary.LittleEndian.PutUint64(text[8:], second)
			binary.LittleEndian.PutUint64(text[n-16:], third)
			suspect |= doubts(second) | doubts(third)
		}
		binary.LittleEndian.PutUint64(text[n-8:], last)
	case n >= 4:
		first, last := scan.Load32(s, 0), scan.Load32(s, n-4)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
		suspect = doubts(uint64(first) | uint64(last)<<32)
	default:
		const plain = 'a'<<24 | 'a'<<32 | 'a'<<40 | 'a'<<48 | 'a'<<56
		middle := s[n/2]
		text[0], text[n/2], text[n-1] = begin, middle, end
		suspect = doubts(uint64(begin) | uint64(middle)<<8 | uint64(end)<<16 | plain)
	}
	if suspect&scan.Highs == 0 && end != ' ' && (firstPlain[begin] || n > len("false") && plainLong[begin] || bareMeaning(s)) {
		return dst[:from+n]
	}
	return e.anyText(dst, s)
}

// doubts is suspects for the comma, and for bytes beyond ASCII: of the last two
// subtractions one leaves their highest bit.
func doubts(w uint64) uint64 {
	folded := w | 0x20*scan.Ones
	brackets := (folded + 5*scan.Ones) &^ (folded + 2*scan.Ones)
	return brackets | (w ^ 2*scan.Ones - 0x21*scan.Ones) | (w ^ colons - scan.Ones) | (w ^ commas - scan.Ones)
}

// anyText is text for every string.
func (e *goEncoder) anyText(dst []byte, s string) []byte {
	e.unicode = e.unicode || !isASCII(s)
	return appendString(dst, s, ',')
}

// key appends a key of a map.
func (e *goEncoder) key(dst []byte, key string) []byte {
	if bareKey(key) {
		return append(dst, key...)
	}
	e.unicode = e.unicode || !isASCII(key)
	return appendQuoted(dst, key)
}

func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if scan.Load64(s, 0)&scan.Highs != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// isShort reports whether the shortest text of a number is the canonical one.
func isShort(f float64) bool {
	abs := math.Abs(f)
	return abs >= 1e-6 && abs < 1e21
}

// appendFloat reports false for what is not a number.
func appendFloat(dst []byte, f float64) ([]byte, bool) {
	from := len(dst)
	if isShort(f) {
		return decimal.AppendFloat(dst, f), true
	}
	if f-f != 0 {
		return dst, false
	}
	return canonicalNumber(decimal.AppendFloat(dst, f), from), true
}
