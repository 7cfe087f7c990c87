package gcf

import (
	"reflect"
	"sync/atomic"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// Structs of strings, numbers, booleans and times, with structs, slices and maps
// of those in them, are written and read without Values. What is simple is
// handled; all else, errors included, is left to the way through Values, whose
// bytes and results are the same.

// goPlans are the plans of GCF text: a label is a key and what a scalar has before it.
// A key that would read as a path needs Values.
var goPlans = gotext.Plans{Label: func(dst []byte, key string) []byte {
	if key == "" || lex.HoldsPath(key) {
		return nil
	}
	return append(lex.AppendKey(dst, key), '=')
}}

// goForm says what a field becomes.
type goForm uint8

const (
	goScalar        goForm = iota
	goPointer              // to a scalar
	goStructValue          // an object
	goStructPointer        // an object or null
	goRows                 // a slice of structs: a table
	goList                 // a slice of scalars: an inline array
	goMap                  // with keys of type string, of scalars
)

// goStruct is a struct type whose values need no Value on their way.
type goStruct struct {
	*gotext.Node
	fields []goField
	// scalar says that all fields are scalars or pointers to them, plain that they
	// are these or such structs: then the columns of rows follow from which fields
	// they have.
	scalar, plain bool
	// tabular says that objects of this type can be the rows of a table.
	tabular bool
	// layouts are the columns of tables that were written, if the type is plain.
	layouts atomic.Pointer[goLayout]
	// flat is what an object of this type is as path columns of a table's rows, and
	// cells writes them, unless it cannot be flattened for sure: all its fields are
	// there, and one of them is never null.
	flat  flattened
	cells []goOp
}

// goField is a field of a goStruct.
type goField struct {
	*gotext.Member
	form  goForm
	inner *goStruct // of what it is, or holds
	paths string    // the names of the path columns that it can be, each with a comma after it
}

// key returns the field's name as a key.
func (f *goField) key() string { return keyOf(f.Member) }

func keyOf(m *gotext.Member) string { return m.Label.Text[:len(m.Label.Text)-1] }

// maxGoLevels bounds how deep structs lie in each other.
const maxGoLevels = 8

// newGoStruct returns the plan of a struct type at that level, nil if there is none.
func newGoStruct(n *gotext.Node, level int) *goStruct {
	if n.Form != gotext.Struct || len(n.Members) == 0 || level == maxGoLevels {
		return nil
	}
	s := &goStruct{Node: n, fields: make([]goField, len(n.Members)), scalar: true, plain: true, tabular: n.Optional < len(n.Members)}
	filled := false
	for i := range s.fields {
		f := &s.fields[i]
		f.Member = &n.Members[i]
		if !f.init(level) {
			return nil
		}
		object := f.form == goStructValue || f.form == goStructPointer
		s.scalar = s.scalar && f.form <= goPointer
		s.plain = s.plain && f.form <= goStructValue
		s.tabular = s.tabular && (!object || f.inner.cells != nil)
		filled = filled || f.form == goScalar || f.form == goStructValue
	}
	if s.plain && s.tabular && n.Optional == 0 {
		order := make([]int32, len(s.fields))
		for i := range order {
			order[i] = int32(i)
		}
		l := s.newLayout(order, nil)
		s.layouts.Store(l)
		if filled {
			s.flat.add(s.model(), maxFlatDepth, 0, 0)
			s.cells = l.ops
		}
	}
	return s
}

// init finds out what the field becomes, and reports whether it needs no Values.
func (f *goField) init(level int) bool {
	of := f.Node // what a pointer, a slice or a map holds, else what the field is
	if of.Elem != nil {
		of = of.Elem
	}
	scalar := of.Form == gotext.Scalar
	if !scalar {
		if f.inner = newGoStruct(of, level+1); f.inner == nil {
			return false
		}
	}
	switch f.Node.Form {
	case gotext.Struct:
		f.form = goStructValue
	case gotext.Pointer:
		if f.form = goPointer; !scalar {
			f.form = goStructPointer
		}
	case gotext.List:
		if f.form = goList; !scalar {
			f.form = goRows
			return f.inner.tabular
		}
	case gotext.Map:
		f.form = goMap
		return scalar
	}
	if f.inner != nil && f.inner.cells != nil {
		f.paths = string(appendPaths(nil, f.Name, f.inner.model()))
	}
	return true
}

// model returns an object with the members of the type.
func (s *goStruct) model() wire.Value {
	members := make([]wire.Member, len(s.fields))
	for i := range s.fields {
		f := &s.fields[i]
		if members[i].Key = f.Name; f.inner != nil {
			members[i].Value = f.inner.model()
		}
	}
	v, _ := wire.Object(members...) // of different names
	return v
}

// goRoots holds what is known of types, nil for those that need Values: of a document
// that is a struct, or of the rows of one that is a slice of structs or of pointers to them.
var goRoots gotext.Roots[*goStruct]

func newGoRoot(of reflect.Type) (*goStruct, *gotext.Node) {
	root := goPlans.Of(gowire.Types.Of(of))
	if root == nil {
		return nil, nil
	}
	row := root
	if root.Form == gotext.List {
		if row, _ = root.Row(); row == nil {
			return nil, nil
		}
	}
	s := newGoStruct(row, 0)
	if s == nil {
		return nil, nil
	}
	return s, root
}
