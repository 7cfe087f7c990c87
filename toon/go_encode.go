package toon

import (
	"encoding/binary"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// Structs, slices and maps of usual types are written without Values. What is
// simple is handled; all else, errors included, is left to the way through Values,
// whose bytes are the same.

// goPlans are the plans of TOON text: a label is a key and what a scalar has before
// it.
var goPlans = gotext.Plans{Label: func(dst []byte, key string) []byte {
	if !utf8.ValidString(key) {
		return nil
	}
	return append(appendKey(dst, key), scalarMark...)
}}

// scalarMark is between a key and a scalar.
const scalarMark = ": "

// goTree is a type that needs no Values.
type goTree struct {
	lines []atomic.Pointer[goLines] // see goReader.lines
}

// goRoots holds the trees of types, nil for those that need Values.
var goRoots gotext.Roots[*goTree]

func newGoTree(t reflect.Type) (*goTree, *gotext.Node) {
	n := goPlans.Of(gowire.Types.Of(t))
	if n == nil {
		return nil, nil
	}
	tree := &goTree{lines: make([]atomic.Pointer[goLines], n.Nodes*goDepths)}
	if !tree.takes(n, make([]uint8, n.Nodes)) {
		return nil, nil
	}
	return tree, n
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
	gotext.Writer
	indented int      // bytes of indentation
	objects  int      // of nested groups
	indent   int      // of the keys of a map
	unicode  bool     // there may be bytes beyond ASCII
	last     goLayout // of the last table
}

func newGoEncoder() *goEncoder {
	e := &goEncoder{Writer: gotext.Writer{Plain: appendPlain, Mark: ',', Null: "null", Between: ',', End: ','}}
	e.Syntax = e
	return e
}

var goEncoders = sync.Pool{New: func() any { return newGoEncoder() }}

// maxGoIndented bounds the indentation of a document without Values.
const maxGoIndented = 4 << 20

// appendGo appends the document of a Go value, the same that AppendEncode gives
// for its Value, unless it needs Values.
func appendGo(dst []byte, v any) ([]byte, bool) {
	_, at := goRoots.Of(v, newGoTree)
	if at.IsNil() {
		return dst, false
	}
	e := goEncoders.Get().(*goEncoder)
	out, ok := e.bounded(dst, at, (*goEncoder).root)
	goEncoders.Put(e)
	return out, ok
}

// bounded appends what write appends for a value, unless that needs Values.
func (e *goEncoder) bounded(dst []byte, v gotext.Var, write func(*goEncoder, []byte, gotext.Var) ([]byte, bool)) ([]byte, bool) {
	e.Begin(len(dst) + bound.OutputBytes)
	e.indented, e.objects, e.unicode = 0, 0, false
	out, ok := write(e, dst, v)
	e.Clear()
	// A longer text might hold more values than FromGo takes.
	if !ok || len(out) > e.Max || len(out)-len(dst) > bound.Values || e.objects > sparseGroups || e.unicode && !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

func (e *goEncoder) root(dst []byte, v gotext.Var) ([]byte, bool) {
	switch {
	case v.Form == gotext.Struct && isFilled(v) && !isKeyed(v):
		return e.fields(dst, v, 0, true)
	case v.Form == gotext.List && v.Len() > 0:
		return e.array(dst, v.Items(), 0, true)
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

// goKinds are the kinds of variables that are there, by their form.
var goKinds = [gotext.Any + 1]goKind{gotext.Struct: goObject, gotext.Map: goObject, gotext.List: goArray}

// held returns what a variable is: what it points to, if that is there.
func held(v gotext.Var) (goKind, gotext.Var) {
	if v.Form == gotext.Pointer && !v.HoldsNil() {
		v = v.Target()
	}
	if v.Form > gotext.Struct && v.HoldsNil() {
		return goPrimitive, v
	}
	return goKinds[v.Form], v
}

// isFilled reports whether an object has members.
func isFilled(v gotext.Var) bool {
	return v.Optional < len(v.Members) || holdsMember(v)
}

// holdsMember is isFilled for objects all of whose members may be absent.
func holdsMember(v gotext.Var) bool {
	if v.Form == gotext.Map {
		return v.Count() > 0
	}
	for i := range v.Members {
		if !v.Members[i].Lacks(v) {
			return true
		}
	}
	return false
}

// isKeyed reports whether a struct may be a keyed table: all its members, and
// more than one, are objects.
func isKeyed(v gotext.Var) bool {
	// Else a scalar is always there.
	return len(v.Varying) >= len(v.Members)-v.Optional && holdsObjects(v)
}

func holdsObjects(v gotext.Var) bool {
	objects := 0
	for i := range v.Members {
		m := &v.Members[i]
		if m.Lacks(v) {
			continue
		}
		if kind, _ := held(m.Of(v)); kind != goObject {
			return false
		}
		objects++
	}
	return objects > 1
}

// indents counts the indentation of lines at the depth. It reports false if they need Values.
func (e *goEncoder) indents(dst []byte, depth, lines int) bool {
	n := depth * defaultIndent
	e.indented += lines * n
	return n <= len(spaces) && e.indented <= maxGoIndented && len(dst) <= e.Max
}

// fields appends the members of a struct that are at the depth, each in a line.
// The first one goes on in the line that is begun, if inLine.
func (e *goEncoder) fields(dst []byte, v gotext.Var, depth int, inLine bool) ([]byte, bool) {
	lines, line := len(v.Members), 1+depth*defaultIndent
	for i := 0; i < len(v.Varying) && v.Optional > 0; i++ {
		if v.Varying[i].Lacks(v) {
			lines--
		}
	}
	before := line
	if inLine {
		before = 0
	}
	if !e.indents(dst, depth, lines) {
		return dst, false
	}
	return e.Members(dst, v, before, line)
}

// Member implements [gotext.Syntax]: it appends a cell, or what follows the label of a field,
// which is one of a scalar.
func (e *goEncoder) Member(dst []byte, m *gotext.Member, v gotext.Var, line int) ([]byte, bool) {
	kind, v := held(v)
	switch {
	case kind == goPrimitive:
		return e.Value(dst, v)
	case line == 0 && (kind == goArray || m.Group == nil):
		return dst, false // it changes meanwhile
	case line == 0:
		dst, ok := e.Cells(dst, m.Group, v)
		return dst[:len(dst)-1], ok // without the last comma
	}
	key, depth := dst[:len(dst)-len(scalarMark)], line/defaultIndent
	switch {
	case kind == goArray && v.Len() == 0:
		return append(dst, "[]"...), true
	case kind == goArray:
		return e.array(key, v.Items(), depth, true)
	case !isFilled(v):
		return append(key, ':'), true
	case v.Form == gotext.Map:
		return e.mapping(append(key, ':'), v, depth+1)
	case isKeyed(v):
		return dst, false
	}
	return e.fields(append(key, ':'), v, depth+1, false)
}

// array appends an array with elements, from its bracket on, whose header is at the
// depth. tabular says whether it may be a table in that place.
func (e *goEncoder) array(dst []byte, list gotext.Items, depth int, tabular bool) (_ []byte, ok bool) {
	dst = append(decimal.AppendInt(append(dst, '['), int64(list.Len)), ']')
	row := list.Elem
	if row.Form == gotext.Pointer {
		row = row.Elem
	}
	if row.Form == gotext.Scalar || list.Elem.Form == gotext.List && !holdsArray(&list) {
		dst, ok = e.Elements(append(dst, ':', ' '), list)
		return dst[:len(dst)-1], ok // without the last comma
	}
	if row.Form == gotext.Struct {
		rows := list.Rows()
		if rows.HoldsNil() {
			return dst, false
		}
		if tabular && isTable(&rows) {
			return e.table(dst, &rows, depth)
		}
	}
	dst = append(dst, ':')
	for i := range list.Len {
		if dst, ok = e.item(dst, list.At(i), depth+1); !ok {
			return dst, false
		}
	}
	return dst, true
}

// holdsArray reports whether a list of lists holds one that is not nil.
func holdsArray(list *gotext.Items) bool {
	for i := range list.Len {
		if !list.At(i).HoldsNil() {
			return true
		}
	}
	return false
}

// item appends one element of a list in its lines. The first field of an object
// is one level deeper than the hyphen before it.
func (e *goEncoder) item(dst []byte, v gotext.Var, depth int) (_ []byte, ok bool) {
	kind, v := held(v)
	if kind == goObject && isFilled(v) {
		hyphen := len(dst) + 1 + depth*defaultIndent
		if v.Form == gotext.Map {
			dst, ok = e.mapping(dst, v, depth+1)
		} else {
			dst, ok = e.fields(dst, v, depth+1, false)
		}
		if ok {
			dst[hyphen] = '-'
			e.indented -= defaultIndent // of the first field
		}
		return dst, ok
	}
	if !e.indents(dst, depth, 1) {
		return dst, false
	}
	dst = append(appendNewline(dst, depth*defaultIndent), '-')
	switch {
	case kind == goObject:
		return dst, true
	case kind == goArray && v.Len() == 0:
		return append(dst, " [0]:"...), true
	case kind == goArray:
		return e.array(append(dst, ' '), v.Items(), depth, false)
	}
	return e.Value(append(dst, ' '), v)
}

// element appends an element of the outermost array, a list.
func (e *goEncoder) element(dst []byte, v gotext.Var) ([]byte, bool) { return e.item(dst, v, 1) }

// mapping appends the members of a map, each in a line at the depth.
func (e *goEncoder) mapping(dst []byte, v gotext.Var, depth int) ([]byte, bool) {
	size := v.Count()
	if !e.indents(dst, depth, size) {
		return dst, false
	}
	e.indent = depth * defaultIndent
	return e.Map(dst, v, size)
}

// Key implements [gotext.Syntax].
func (e *goEncoder) Key(dst []byte, key string) []byte {
	dst = appendNewline(dst, e.indent)
	from := len(dst)
	dst = appendKey(dst, key)
	e.unicode = e.unicode || dst[from] == '"'
	return append(dst, scalarMark...)
}

// Text implements [gotext.Syntax].
func (e *goEncoder) Text(dst []byte, s string) []byte {
	e.unicode = true
	if strings.IndexByte(s, ':') >= 0 { // as times and addresses have one
		return appendQuoted(dst, s)
	}
	return appendString(dst, s, ',')
}

// appendPlain appends a short string in ASCII that needs no quotation marks, as appendString
// does. It reports false for all others.
func appendPlain(dst []byte, s string, _ byte) ([]byte, bool) {
	from, n := len(dst), len(s)
	if uint(n-1) >= fourWords || cap(dst)-from < n {
		return dst, false
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
	if suspect&scan.Highs == 0 && end != ' ' && (firstPlain[begin] || bareMeaning(s)) {
		return dst[:from+n], true
	}
	return dst, false
}

// doubts is suspects for the comma, and for bytes beyond ASCII: of the last two
// subtractions one leaves their highest bit.
func doubts(w uint64) uint64 {
	folded := w | 0x20*scan.Ones
	brackets := (folded + 5*scan.Ones) &^ (folded + 2*scan.Ones)
	return brackets | (w ^ 2*scan.Ones - 0x21*scan.Ones) | (w ^ colons - scan.Ones) | (w ^ commas - scan.Ones)
}

// Time implements [gotext.Syntax].
func (e *goEncoder) Time(dst []byte, t time.Time) ([]byte, bool) {
	var buf [64]byte
	text, ok := gotext.AppendTime(buf[:0], t)
	return appendString(dst, string(text), ','), ok
}

// Float implements [gotext.Syntax].
func (e *goEncoder) Float(dst []byte, f float64) ([]byte, bool) {
	if f-f != 0 {
		return dst, false
	}
	if f == 0 {
		return append(dst, '0'), true // without a sign
	}
	return decimal.AppendFloat(dst, f), true
}
