package gcf

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
)

// Structs of strings, numbers, booleans and times, with structs, slices and maps
// of those in them, are written and read without Values. What is simple is
// handled; all else, errors included, is left to the way through Values, whose
// bytes and results are the same.

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
	typ    *gotype.Type
	fields []goField
	// optional are the numbers of the fields that an object can lack; fixed says
	// that there are none.
	optional []int32
	fixed    bool
	// required says that one field is not, so that an object is never empty.
	required bool
	// scalar says that all fields are scalars or pointers to them.
	scalar bool
	// leaves is the number of path columns that an object of this type has as a
	// field of a table's rows, 0 if it cannot be flattened for sure: all its
	// fields are there, and one of them is never null.
	leaves int
	// tabular says that objects of this type can be the rows of a table.
	tabular bool
	static  bool   // every row has the same columns, and nothing attached
	header  string // of a static table, from its opening brace on
	// programs are the tables that were read into such structs first.
	programs atomic.Pointer[goProgram]
	// layouts are the columns of tables that were written, if all fields are scalars.
	layouts atomic.Pointer[goLayout]
}

// goField is a field of a goStruct.
type goField struct {
	name   string
	label  string // the name as a key
	path   string // the name in a path: escaped, without quotation marks
	offset uintptr
	form   goForm
	op     gotype.Op    // of a scalar, also of what a pointer, a slice or a map holds
	size   uintptr      // of an element
	elem   *gotype.Type // of a pointer or a slice
	inner  *goStruct
	maps   *goMaps
	// Of an optional field.
	optional bool
	absence  gotype.Absence
}

// goStructs maps reflect.Type to *goStruct, nil for types that need Values.
var goStructs sync.Map

// maxGoLevels bounds how deep structs lie in each other as path columns.
const maxGoLevels = 8

// goStructOf returns the plan of a struct type, nil if there is none.
func goStructOf(t *gotype.Type) *goStruct {
	if known, ok := goStructs.Load(t.T); ok {
		return known.(*goStruct)
	}
	s := (&goCompiler{}).compile(t)
	known, _ := goStructs.LoadOrStore(t.T, s)
	return known.(*goStruct)
}

// goCompiler compiles a type and those in it. A type in itself is left to
// Values.
type goCompiler struct{ open []*gotype.Type }

func (c *goCompiler) compile(t *gotype.Type) *goStruct {
	if t.Op != gotype.Struct || t.ConvertsItself() || slices.Contains(c.open, t) || len(c.open) == maxGoLevels {
		return nil
	}
	c.open = append(c.open, t)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	list := t.Fields().List
	s := &goStruct{typ: t, fields: make([]goField, len(list)), fixed: true, scalar: true, tabular: true, static: true}
	filled := false
	for i := range list {
		f := &s.fields[i]
		if !c.field(f, &list[i]) {
			return nil
		}
		if f.optional {
			s.optional, s.fixed = append(s.optional, int32(i)), false
		}
		s.required = s.required || !f.optional
		s.scalar = s.scalar && f.form <= goPointer
		switch f.form {
		case goScalar:
			s.leaves++
			filled = true
		case goPointer:
			s.leaves++
		case goStructValue:
			s.leaves += f.inner.leaves
			filled = true
			s.tabular = s.tabular && f.inner.leaves > 0
		case goStructPointer:
			s.tabular = s.tabular && f.inner.leaves > 0
		}
		s.static = s.static && (f.form <= goPointer || f.form == goStructValue)
	}
	s.tabular = s.tabular && s.required
	s.static = s.static && s.fixed && s.tabular
	if !filled || !s.static {
		s.leaves = 0
	}
	if len(list) == 0 {
		return nil
	}
	if s.static {
		b := []byte("{")
		for i := range s.fields {
			b = s.fields[i].appendColumns(b)
		}
		b[len(b)-1] = '}' // instead of the last comma
		s.header = string(append(b, '\n'))
	}
	return s
}

// field compiles a field and reports whether it needs no Values.
func (c *goCompiler) field(f *goField, of *gotype.Field) bool {
	if of.Quoted || of.Hidden || len(of.Hops) > 0 || of.RunsCode() || of.Name == "" || strings.IndexByte(of.Name, '>') >= 0 {
		return false
	}
	f.name, f.label, f.path = of.Name, string(lex.AppendKey(nil, of.Name)), string(scan.AppendEscaped(nil, of.Name))
	f.offset = of.Offset
	if f.optional = of.Optional(); f.optional {
		f.absence = of.Absence()
	}
	t := of.Type
	f.op = t.Op
	switch {
	case gotext.IsScalar(t):
		return true
	case t.ConvertsItself():
		return false
	}
	switch t.Op {
	case gotype.Struct:
		f.form, f.inner = goStructValue, c.compile(t)
		return f.inner != nil
	case gotype.Pointer:
		elem := t.Elem()
		f.elem = elem
		if f.op = elem.Op; gotext.IsScalar(elem) {
			f.form = goPointer
			return true
		}
		f.form, f.inner = goStructPointer, c.compile(elem)
		return f.inner != nil
	case gotype.List:
		elem := t.Elem()
		f.elem = elem
		if f.op, f.size = elem.Op, elem.Size; t.IsBytes() {
			return false
		}
		if gotext.IsScalar(elem) {
			f.form = goList
			return true
		}
		f.form, f.inner = goRows, c.compile(elem)
		return f.inner != nil && f.inner.tabular
	case gotype.Map:
		if t.T.Key() != reflect.TypeFor[string]() || !gotext.IsScalar(t.Elem()) {
			return false
		}
		f.form, f.op, f.maps = goMap, t.Elem().Op, goMapsOf(t.Elem())
		return f.maps != nil
	}
	return false
}

// appendColumns appends the names of a field's columns, each with a comma behind
// it.
func (f *goField) appendColumns(dst []byte) []byte {
	if f.form == goStructValue || f.form == goStructPointer {
		return f.inner.appendPaths(dst, `"`+f.path)
	}
	return append(append(dst, f.label...), ',')
}

// appendPaths appends the names of the path columns below a path.
func (s *goStruct) appendPaths(dst []byte, path string) []byte {
	for i := range s.fields {
		f := &s.fields[i]
		if f.form == goStructValue {
			dst = f.inner.appendPaths(dst, path+">"+f.path)
		} else {
			dst = append(append(append(append(append(dst, path...), '>'), f.path...), '"'), ',')
		}
	}
	return dst
}

// goMaps reads maps of one type.
type goMaps struct {
	len   func(p gotype.Ptr) int // -1 for a nil map
	names func(p gotype.Ptr, names []string) []string
	// cell appends the scalar with that key. It reports whether there is one that
	// has a cell.
	cell func(dst []byte, p gotype.Ptr, key string) ([]byte, bool)
	// put reads the scalar at i, which delim ends, as the element with that key,
	// and returns the position of delim; -1 if the key is there already, or for
	// what goReader leaves to Values. It makes the map if there is none.
	put func(r *goReader, p gotype.Ptr, key string, i int, delim byte) int
}

func goMapsOf(elem *gotype.Type) *goMaps {
	switch elem.T {
	case reflect.TypeFor[string]():
		return newGoMaps(elem.Op, func(dst []byte, s string) ([]byte, bool) { return lex.AppendString(dst, s), true })
	case reflect.TypeFor[int]():
		return newGoMaps(elem.Op, func(dst []byte, n int) ([]byte, bool) { return strconv.AppendInt(dst, int64(n), 10), true })
	case reflect.TypeFor[float64]():
		return newGoMaps(elem.Op, lex.AppendFloat)
	case reflect.TypeFor[bool]():
		return newGoMaps(elem.Op, func(dst []byte, b bool) ([]byte, bool) { return gotext.AppendBool(dst, b), true })
	}
	return nil
}

func newGoMaps[V any](op gotype.Op, appendCell func([]byte, V) ([]byte, bool)) *goMaps {
	return &goMaps{
		len: func(p gotype.Ptr) int {
			m := *gotype.At[map[string]V](p)
			if m == nil {
				return -1
			}
			return len(m)
		},
		names: func(p gotype.Ptr, names []string) []string {
			for name := range *gotype.At[map[string]V](p) {
				names = append(names, name)
			}
			return names
		},
		cell: func(dst []byte, p gotype.Ptr, key string) ([]byte, bool) {
			v, ok := (*gotype.At[map[string]V](p))[key]
			if !ok {
				return dst, false
			}
			return appendCell(dst, v)
		},
		put: func(r *goReader, p gotype.Ptr, key string, i int, delim byte) int {
			m := gotype.At[map[string]V](p)
			if *m == nil {
				*m = make(map[string]V)
			}
			if _, ok := (*m)[key]; ok {
				return -1
			}
			var v V
			if i = r.scalar(op, gotype.Ptr(&v), i, delim); i >= 0 {
				(*m)[key] = v
			}
			return i
		},
	}
}

// goRoot is the type of a document: a struct, or a slice of structs or of pointers
// to them.
type goRoot struct {
	*goStruct
	list     bool
	pointers bool
	size     uintptr // of an element
}

// goRoots holds what is known of types, nil for those that need Values.
var goRoots gotext.Roots[*goRoot]

func newGoRoot(of reflect.Type) *goRoot {
	t := gowire.Types.Of(of)
	if t.ConvertsItself() {
		return nil
	}
	r := new(goRoot)
	if r.list = t.Op == gotype.List; r.list {
		t = t.Elem()
		r.size = t.Size
		if r.pointers = t.Op == gotype.Pointer; r.pointers {
			t = t.Elem()
		}
	}
	if t.Op != gotype.Struct {
		return nil
	}
	if r.goStruct = goStructOf(t); r.goStruct == nil {
		return nil
	}
	return r
}
