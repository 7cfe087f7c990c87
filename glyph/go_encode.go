package glyph

import (
	"reflect"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// Structs, slices and maps of usual types are written and read without Values.
// What is simple is handled; all else, errors included, is left to the way
// through Values, whose bytes and results are the same.

// goPlans are the plans of GLYPH text. A cell would escape the pipe in a key.
var goPlans = gotext.Plans{Label: func(dst []byte, key string) []byte {
	if strings.IndexByte(key, '|') >= 0 {
		return nil
	}
	return append(appendKey(append(dst, ' '), key, false), '=')
}}

// goTree is a type that needs no Values, with what a table of each node takes.
type goTree struct {
	nodes []goNode // by number
}

// goNode is what is known of a node.
type goNode struct {
	labels int // the length of a struct's labels
	// nested are the members of a struct that are tables or hold some.
	nested      []*gotext.Member
	tables      bool // a list of objects is it, or lies within
	known, open bool
}

// goRoots holds the trees of types, nil for those that need Values.
var goRoots gotext.Roots[*goTree]

func newGoTree(t reflect.Type) (*goTree, *gotext.Node) {
	root := goPlans.Of(gowire.Types.Of(t))
	if root == nil {
		return nil, nil
	}
	made := &goTree{make([]goNode, root.Nodes)}
	if !made.add(root) {
		return nil, nil
	}
	return made, root
}

// maxMasked is the number of optional members up to which those that a struct has
// are bits of a mask.
const maxMasked = 64

// add finds out what is to know of a node and those in it. It reports false if
// tables might be of maps, or of what only a value tells, and for types that hold
// themselves.
func (t *goTree) add(n *gotext.Node) bool {
	g := &t.nodes[n.Number]
	if g.known || g.open {
		return g.known
	}
	g.open = true
	switch n.Form {
	case gotext.Any:
		return false
	case gotext.Map:
		if n.Elem.Form != gotext.Scalar {
			return false
		}
	case gotext.Struct:
		for i := range n.Members {
			m := &n.Members[i]
			if !t.add(m.Node) {
				return false
			}
			g.labels += len(m.Label.Text)
			if t.nodes[m.Node.Number].tables {
				g.tables, g.nested = true, append(g.nested, m)
			}
		}
		if n.Optional > maxMasked {
			return false
		}
	case gotext.Pointer, gotext.List:
		if !t.add(n.Elem) {
			return false
		}
		g.tables = t.nodes[n.Elem.Number].tables
		if n.Form == gotext.List {
			row, pointers := n.Row()
			if row == nil && n.Elem.Form != gotext.Scalar && n.Elem.Form != gotext.List && !(pointers && n.Elem.Elem.Form == gotext.Scalar) {
				return false
			}
			g.tables = g.tables || row != nil
		}
	}
	g.known = true
	return true
}

// goEncoder appends one document, that of the zero Codec. Its methods report
// false for what they leave to Values; what was written by then does not count.
type goEncoder struct {
	tree    *goTree
	max     int // the document's end must not be beyond
	depth   int
	cell    bool // inside a table's cell: no tables, "|" escaped
	sorter  gotext.Sorter
	scratch gotext.Scratch
	plan    goTables
}

var goEncoders = sync.Pool{New: func() any { return new(goEncoder) }}

// appendGo appends the document of a Go value, the same that AppendEncode gives for its
// Value, unless it needs Values.
func appendGo(dst []byte, v any) ([]byte, bool) {
	e := goEncoders.Get().(*goEncoder)
	out, ok := e.document(dst, v)
	e.giveBack()
	return out, ok
}

// giveBack makes the encoder free for another document, without what belongs to
// this one.
func (e *goEncoder) giveBack() {
	const kept = 1 << 16
	if p := &e.plan; cap(p.choices)+cap(p.columns)+cap(p.masks)+p.order.Size() > kept {
		*p = goTables{}
	}
	e.sorter.Clear()
	e.scratch.Clear()
	e.tree = nil
	goEncoders.Put(e)
}

// document appends the document of v to dst.
func (e *goEncoder) document(dst []byte, v any) ([]byte, bool) {
	root, at := goRoots.Of(v, newGoTree)
	if at.IsNil() {
		return dst, false
	}
	e.tree = root.Plan
	e.max, e.depth, e.cell = len(dst)+bound.OutputBytes, 0, false
	e.plan.clear()
	out, ok := e.value(dst, at)
	// A longer text might hold more values than FromGo takes.
	if !ok || len(out) > e.max || len(out)-len(dst) > bound.Values || !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

// maxGoDepth bounds how deep values lie in each other without Values.
const maxGoDepth = 100

// enter is called where a value leads to others, and whoever calls it takes one
// from depth. It reports false if they lie too deep, or the text is too long.
func (e *goEncoder) enter(dst []byte) bool {
	e.depth++
	return e.depth <= maxGoDepth && len(dst) <= e.max
}

// value appends the variable v.
func (e *goEncoder) value(dst []byte, v gotext.Var) ([]byte, bool) {
	switch v.Form {
	case gotext.Struct:
		return e.members(dst, v)
	case gotext.Pointer:
		if v.HoldsNil() {
			return append(dst, '_'), true
		}
		if !e.enter(dst) {
			return dst, false
		}
		dst, ok := e.value(dst, v.Target())
		e.depth--
		return dst, ok
	case gotext.List:
		return e.list(dst, v.Items())
	case gotext.Map:
		return e.mapping(dst, v)
	case gotext.Any: // whatever it holds
		return dst, false
	}
	return e.scalar(dst, v)
}

func (e *goEncoder) scalar(dst []byte, v gotext.Var) ([]byte, bool) {
	switch v.Op {
	case gotype.String:
		return appendText(dst, v.Text(), e.cell), true
	case gotype.Bool:
		return append(dst, boolLetter(v.Bool())), true
	case gotype.Time:
		t := v.Time()
		return appendTime(dst, t), writableTime(t)
	}
	return v.AppendNumber(dst)
}

func boolLetter(b bool) byte {
	if b {
		return 't'
	}
	return 'f'
}

func (e *goEncoder) members(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	first := len(dst)
	for i := range v.Members {
		m := &v.Members[i]
		if m.Lacks(v) {
			continue
		}
		switch dst = m.Label.Append(dst); m.Op {
		case gotype.String:
			dst = appendText(dst, m.Of(v).Text(), e.cell)
		case gotype.Int64:
			dst = decimal.AppendInt(dst, m.Of(v).Int64())
		case gotype.Float64:
			if dst, ok = m.Of(v).AppendNumber(dst); !ok {
				return dst, false
			}
		default:
			if dst, ok = e.value(dst, m.Of(v)); !ok {
				return dst, false
			}
		}
	}
	if len(dst) == first {
		return append(dst, "{}"...), true
	}
	dst[first] = '{' // instead of the blank that separates members
	return append(dst, '}'), true
}

func (e *goEncoder) list(dst []byte, list gotext.Items) (_ []byte, ok bool) {
	switch {
	case list.IsNil():
		return append(dst, '_'), true
	case list.Len == 0:
		return append(dst, "[]"...), true
	case !e.enter(dst):
		return dst, false
	}
	if !e.cell && list.Len >= defaultMinRows {
		if rows := list.Rows(); rows.Node != nil && !rows.At(0).IsNil() {
			columns := e.plan.next(e.tree, &rows)
			if e.plan.failed {
				return dst, false
			}
			if columns != nil {
				dst, ok = e.table(dst, &rows, columns)
				e.depth--
				return dst, ok
			}
		}
	}
	dst = append(dst, '[')
	for i := range list.Len {
		if dst, ok = e.value(dst, list.At(i)); !ok || len(dst) > e.max {
			return dst, false
		}
		dst = append(dst, ' ')
	}
	dst[len(dst)-1] = ']' // instead of the last blank
	e.depth--
	return dst, true
}

// table appends a list as a table with these columns, members of its structs.
func (e *goEncoder) table(dst []byte, rows *gotext.Rows, columns []int32) (_ []byte, ok bool) {
	members := rows.Members
	dst = append(dst, "@tab _ "...)
	open := len(dst)
	for _, c := range columns {
		label := members[c].Label.Text
		dst = append(dst, label[:len(label)-1]...)
	}
	dst[open] = '['
	dst = append(dst, ']', '\n')
	e.cell = true
	for i := range rows.Len {
		row := rows.At(i)
		for _, c := range columns {
			m := &members[c]
			if dst = append(dst, '|'); m.Lacks(row) {
				continue
			}
			switch m.Op {
			case gotype.String:
				dst = appendText(dst, m.Of(row).Text(), true)
			case gotype.Int64:
				dst = decimal.AppendInt(dst, m.Of(row).Int64())
			case gotype.Float64:
				if dst, ok = m.Of(row).AppendNumber(dst); !ok {
					return dst, false
				}
			case gotype.Bool:
				dst = append(dst, boolLetter(m.Of(row).Bool()))
			default:
				if dst, ok = e.value(dst, m.Of(row)); !ok {
					return dst, false
				}
			}
		}
		if dst = append(dst, '|', '\n'); len(dst) > e.max {
			return dst, false
		}
	}
	e.cell = false
	return append(dst, "@end"...), true
}

func (e *goEncoder) mapping(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	size := v.Count()
	switch {
	case size < 0:
		return append(dst, '_'), true
	case size == 0:
		return append(dst, "{}"...), true
	case !e.enter(dst):
		return dst, false
	}
	first := len(dst)
	keys, own := e.sorter.Keys(v, size)
	for i := 0; i < len(keys); i++ {
		q, found := v.Load(keys[i], &e.scratch)
		if !found {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = v.Sorted(keys), true, dst[:first], -1
			continue
		}
		from := len(dst)
		dst = append(appendKey(append(dst, ' '), keys[i], false), '=')
		if e.cell && dst[from+1] == '"' { // a bare key has no pipe
			dst = escapePipes(dst, from)
		}
		if dst, ok = e.value(dst, q); !ok || len(dst) > e.max {
			return dst, false
		}
	}
	e.sorter.Put(keys)
	dst[first] = '{' // instead of the blank that separates members
	e.depth--
	return append(dst, '}'), true
}
