package goon

import (
	"errors"
	"reflect"

	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/wire"
)

// Most of what a response of a Go program's own structs holds are edges. Where they
// are plain structs, they are read from their memory, and only the rest of the
// response becomes a Value. What is not simple, errors included, is left to the way
// on which all is one.

// goEdges is a struct type of responses whose edges are read from their memory.
type goEdges struct {
	typ    *gotype.Type
	offset uintptr // of the list of edges
	size   uintptr // of an edge
	fields [len(edgeNames)]goEdgeField
}

// A goEdgeField is a field of an edge; one that is not there has no type.
type goEdgeField struct {
	offset   uintptr
	op       gotype.Op
	optional bool
	absence  gotype.Absence
}

// goResponses holds what is known of the types of responses, nil for those that
// need Values.
var goResponses gotext.Roots[*goEdges]

// fewEdges is how many edges are worth a copy of the struct that holds them.
const fewEdges = 16

func newGoEdges(of reflect.Type) *goEdges {
	t := gowire.Types.Of(of)
	if t.Op != gotype.Struct || t.ConvertsItself() {
		return nil
	}
	fields := t.Fields()
	at := fields.Find("edges")
	if at < 0 || fields.Names[at] != "edges" {
		return nil
	}
	f := &fields.List[at]
	if f.Quoted || f.Hidden || len(f.Hops) > 0 || f.Type.Op != gotype.List || f.Type.ConvertsItself() {
		return nil
	}
	edge := f.Type.Elem()
	if edge.Op != gotype.Struct || edge.ConvertsItself() {
		return nil
	}
	g := &goEdges{typ: t, offset: f.Offset, size: edge.Size}
	members := edge.Fields()
	for i := range members.List {
		// What the format does not know is not looked at, but must be of a type whose
		// values all have a Value.
		m := &members.List[i]
		op := m.Type.Op
		if m.Quoted || m.Hidden || len(m.Hops) > 0 || !gotext.IsScalar(m.Type) || op == gotype.Float64 || op == gotype.Time {
			return nil
		}
	}
	for i, name := range edgeNames {
		at := members.Find(name)
		if at < 0 || members.Names[at] != name {
			if i < requiredEdgeNames {
				return nil
			}
			continue
		}
		m := &members.List[at]
		isNumber := m.Type.Op.IsInt() || m.Type.Op.IsUint()
		if isText := m.Type.Op == gotype.String; !isText && !isNumber || isText && i >= requiredEdgeNames || isNumber && i < requiredEdgeNames && !isEdgeID(i) {
			return nil
		}
		g.fields[i] = goEdgeField{offset: m.Offset, op: m.Type.Op, optional: m.Optional()}
		if m.Optional() {
			g.fields[i].absence = m.Absence()
		}
	}
	return g
}

// isEdgeID reports whether that one of edgeNames is an id.
func isEdgeID(i int) bool { return i == 1 || i == 3 }

// appendGo appends the text of a response of structs. It reports false for what
// needs a Value.
func (c Codec) appendGo(dst []byte, v any) ([]byte, bool) {
	root, p := goResponses.Of(v, newGoEdges)
	g := root.Plan
	if g == nil || p == nil {
		return dst, false
	}
	list := *gotype.At[gotype.Slice](gotype.Add(p, g.offset))
	if list.Len < fewEdges || list.Len > wire.DefaultValues/8/len(edgeNames) {
		return dst, false
	}
	edges, ok := g.listed(list)
	if !ok {
		return dst, false
	}
	rest := reflect.New(g.typ.T)
	rest.Elem().Set(reflect.NewAt(g.typ.T, p).Elem())
	*gotype.At[gotype.Slice](gotype.Add(rest.UnsafePointer(), g.offset)) = gotype.Slice{Data: gotype.Empty}
	given := rest.Interface()
	if !root.Pointer { // then methods of pointers are not asked
		given = rest.Elem().Interface()
	}
	e := newEncoder(c, dst)
	err := wire.WithFromGo(given, func(value wire.Value) error {
		r, err := fromValue(value)
		if err == nil && r.QueryType == QueryPathFinding {
			err = errNotSimple // its edges have places
		}
		if err != nil {
			return err
		}
		return e.write(r, edges)
	})
	if err != nil {
		return dst, false
	}
	return e.dst, true
}

// errNotSimple says that a response needs a Value. It is not returned to callers.
var errNotSimple = errors.New("goon: needs a value")

// listed returns the edges of a list in order.
func (g *goEdges) listed(list gotype.Slice) (edgeList, bool) {
	l := edgeList{edges: make([]rankedEdge, list.Len)}
	hasDepth := g.fields[5].op != gotype.Other
	if hasDepth {
		l.depths = make([]Int, list.Len)
	}
	var types typeNumbers
	var from, to, typ string
	for i := range l.edges {
		e, p := &l.edges[i], gotype.Add(list.Data, uintptr(i)*g.size)
		if !g.fields[0].text(&from, p) || !g.fields[1].id(&e.fromID, p) || !g.fields[2].text(&to, p) || !g.fields[3].id(&e.toID, p) || !g.fields[4].text(&typ, p) {
			return l, false
		}
		var place Int
		if hasDepth && !g.fields[5].number(&l.depths[i], p) || !g.fields[6].number(&place, p) || !g.fields[7].number(&place, p) {
			return l, false
		}
		e.typ, e.from, e.to, e.at = types.of(typ), types.of(from), types.of(to), int32(i)
	}
	l.rank(&types)
	l.sort(false)
	return l, true
}

func (f *goEdgeField) text(to *string, p gotype.Ptr) bool {
	*to = *gotype.At[string](gotype.Add(p, f.offset))
	return !f.optional || !f.absence.Of(p)
}

func (f *goEdgeField) id(to *int64, p gotype.Ptr) bool {
	if f.optional && f.absence.Of(p) {
		return false
	}
	p = gotype.Add(p, f.offset)
	var ok bool
	if f.op == gotype.String {
		*to, ok = parseID(*gotype.At[string](p))
	} else {
		*to, ok = gotype.Int(f.op, p)
	}
	return ok
}

func (f *goEdgeField) number(to *Int, p gotype.Ptr) bool {
	if f.op == gotype.Other || f.optional && f.absence.Of(p) {
		return true
	}
	n, ok := gotype.Int(f.op, gotype.Add(p, f.offset))
	*to = Some(n)
	return ok && n >= 0
}
