package goon

import (
	"reflect"
	"sync"

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
	room := edgeRooms.Get().(*[]Edge)
	edges, ok := g.edges(*room, list)
	defer giveBackEdges(room, edges)
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
	var out []byte
	err := wire.WithFromGo(given, func(value wire.Value) error {
		r, err := fromValue(value)
		if err != nil {
			return err
		}
		r.Edges = edges
		out, err = c.AppendResponse(dst, r)
		return err
	})
	if err != nil {
		return dst, false
	}
	return out, true
}

// edgeRooms is memory for edges, which are nobody's once the text is written.
var edgeRooms = sync.Pool{New: func() any { return new([]Edge) }}

// giveBackEdges forgets the edges, and keeps their memory if it is little.
func giveBackEdges(room *[]Edge, edges []Edge) {
	const most = 1 << 13
	if cap(edges) > most {
		return
	}
	clear(edges)
	*room = edges[:0]
	edgeRooms.Put(room)
}

// edges returns the edges of a list, in memory that is given if it is enough.
func (g *goEdges) edges(room []Edge, list gotype.Slice) ([]Edge, bool) {
	edges := room[:0]
	if cap(edges) < list.Len {
		edges = make([]Edge, list.Len)
	}
	edges = edges[:list.Len]
	for i := range edges {
		if !g.edge(&edges[i], gotype.Add(list.Data, uintptr(i)*g.size)) {
			return edges, false
		}
	}
	return edges, true
}

func (g *goEdges) edge(e *Edge, p gotype.Ptr) bool {
	return g.fields[0].text(&e.From, p) && g.fields[1].id(&e.FromID, p) && g.fields[2].text(&e.To, p) && g.fields[3].id(&e.ToID, p) &&
		g.fields[4].text(&e.Type, p) && g.fields[5].number(&e.Depth, p) && g.fields[6].number(&e.PathID, p) && g.fields[7].number(&e.Step, p)
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
