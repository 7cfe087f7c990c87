package glyph

import (
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
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
	gotext.Writer
	tree *goTree
	cell bool // inside a table's cell: no tables, "|" escaped
	plan goTables
}

var goEncoders = sync.Pool{New: func() any { return newGoEncoder() }}

func newGoEncoder() *goEncoder {
	e := &goEncoder{Writer: gotext.Writer{Plain: appendPlain, Null: "_", Between: ' ', End: '|', Letters: true}}
	e.Syntax = e
	return e
}

// inCell says whether what follows is in a table's cell.
func (e *goEncoder) inCell(cell bool) {
	e.cell, e.Mark = cell, cellMark(cell)
}

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
	e.Clear()
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
	e.Begin(len(dst) + bound.OutputBytes)
	e.inCell(false)
	e.plan.clear()
	out, ok := e.Value(dst, at)
	// A longer text might hold more values than FromGo takes.
	if !ok || len(out) > e.Max || len(out)-len(dst) > bound.Values || !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

// maxGoDepth bounds how deep values lie in each other without Values.
const maxGoDepth = 100

// Text implements [gotext.Syntax].
func (e *goEncoder) Text(dst []byte, s string) []byte { return appendAnyText(dst, s, e.cell) }

// Time implements [gotext.Syntax].
func (e *goEncoder) Time(dst []byte, t time.Time) ([]byte, bool) {
	return appendTime(dst, t), writableTime(t)
}

// Key implements [gotext.Syntax].
func (e *goEncoder) Key(dst []byte, key string) []byte {
	from := len(dst)
	dst = append(appendKey(append(dst, ' '), key, false), '=')
	if e.cell && dst[from+1] == '"' { // a bare key has no pipe
		dst = scan.EscapeByte(dst, from, '|')
	}
	return dst
}

// List implements [gotext.Syntax]: a list is a table where that is shorter.
func (e *goEncoder) List(dst []byte, list gotext.Items) ([]byte, bool) {
	if !e.cell && list.Len >= defaultMinRows {
		if rows := list.Rows(); rows.Node != nil && !rows.At(0).IsNil() {
			columns := e.plan.next(e.tree, &rows)
			if e.plan.failed {
				return dst, false
			}
			if columns != nil {
				return e.table(dst, &rows, columns)
			}
		}
	}
	return e.Writer.List(dst, list)
}

// table appends a list as a table with these columns, members of its structs.
func (e *goEncoder) table(dst []byte, rows *gotext.Rows, columns []int32) (_ []byte, ok bool) {
	cells := rows.Members
	if rows.Optional > 0 {
		cells = e.plan.pick(cells, columns)
	}
	dst = append(dst, "@tab _ "...)
	open := len(dst)
	for _, c := range columns {
		label := rows.Members[c].Label.Text
		dst = append(dst, label[:len(label)-1]...)
	}
	dst[open] = '['
	dst = append(dst, ']', '\n')
	e.inCell(true)
	for i := range rows.Len {
		if dst, ok = e.Cells(append(dst, '|'), cells, rows.At(i)); !ok || len(dst) > e.Max {
			return dst, false
		}
		dst = append(dst, '\n')
	}
	e.inCell(false)
	return append(dst, "@end"...), true
}
