package goon

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// Most of what a response of a Go program's own structs holds are nodes and edges.
// Where they are plain structs, they are written from their memory, and only the rest
// of the response becomes a Value. What is not simple, errors included, is left to
// the way on which all is one.

// A goResponse is a struct type of responses. Of its lists of nodes and edges, those
// that need Values are nil.
type goResponse struct {
	nodes *goNodes
	edges *goEdges
}

// A goList is a list of plain structs in a struct.
type goList struct {
	gotext.Place
	values int // that an element is
}

type goNodes struct {
	goList
	typ, id    goField
	properties []goProperty // as they are written
}

type goEdges struct {
	goList
	fields [len(edgeNames)]goField
	sparse bool // fields that are required may be absent
	placed bool // there are others
}

// A goField is a field of a node or an edge; one that is not there has no op.
type goField struct{ gotext.Member }

type goProperty struct {
	goField
	label string
}

// goResponses holds what is known of the types of responses, nil for those that
// need Values.
var goResponses gotext.Roots[*goResponse]

// fewElements is how many nodes and edges are worth a copy of the struct that holds
// them.
const fewElements = 16

func newGoResponse(of reflect.Type) (*goResponse, *gotext.Node) {
	t := gowire.Types.Of(of)
	if t.Op != gotype.Struct || t.ConvertsItself() || t.Fields().Rest != nil {
		return nil, nil
	}
	g := &goResponse{newGoNodes(t), newGoEdges(t)}
	if g.nodes == nil && g.edges == nil {
		return nil, nil
	}
	return g, gotext.Leaf(t)
}

// newGoList finds a list of structs. What the format does not know of these is not
// looked at, but must be of a type whose values all have a Value.
func newGoList(response *gotype.Type, name string) (l goList, members []gotext.Member) {
	fields := response.Fields()
	at := fields.Find(name)
	if at < 0 || fields.Names[at] != name {
		return l, nil
	}
	f := &fields.List[at]
	if f.Quoted || f.Hidden || len(f.Hops) > 0 || f.Type.Op != gotype.List || f.Type.ConvertsItself() {
		return l, nil
	}
	list := gotext.JSON.Of(f.Type)
	if list == nil || list.Elem.Form != gotext.Struct {
		return l, nil
	}
	element := list.Elem
	for i := range element.Members {
		if op := element.Members[i].Op; op == gotype.Other || op == gotype.Float64 || op == gotype.Time {
			return l, nil
		}
	}
	return goList{gotext.NewPlace(list, f.Offset), 1 + len(element.Members)}, element.Members
}

func newGoNodes(response *gotype.Type) *goNodes {
	list, members := newGoList(response, "nodes")
	g := &goNodes{goList: list}
	for i := range members {
		f, name := goField{members[i]}, members[i].Name
		switch {
		case name == "type" && f.Op == gotype.String:
			g.typ = f
		case name == "id" && f.Op != gotype.Bool:
			g.id = f
		case reserved(name) || strings.HasSuffix(name, lenSuffix): // perhaps a breadcrumb
			return nil
		default:
			g.properties = append(g.properties, goProperty{f, propertyLabel(name)})
		}
	}
	if g.typ.Op == gotype.Other || g.id.Op == gotype.Other {
		return nil
	}
	slices.SortStableFunc(g.properties, func(a, b goProperty) int { return compareProperties(a.Name, b.Name) })
	return g
}

func newGoEdges(response *gotype.Type) *goEdges {
	list, members := newGoList(response, "edges")
	g := &goEdges{goList: list}
	for i := range members {
		at := slices.Index(edgeNames[:], members[i].Name)
		if at < 0 {
			continue
		}
		f := goField{members[i]}
		isText, isID := f.Op == gotype.String, at == 1 || at == 3
		if f.Op == gotype.Bool || !isID && isText != (at < requiredEdgeNames) {
			return nil
		}
		g.fields[at] = f
		g.sparse = g.sparse || at < requiredEdgeNames && f.Optional
		g.placed = g.placed || at >= requiredEdgeNames
	}
	for i := range requiredEdgeNames {
		if g.fields[i].Op == gotype.Other {
			return nil
		}
	}
	return g
}

// appendGo appends the text of a response of structs. It reports false for what
// needs a Value.
func (c Codec) appendGo(dst []byte, of any) ([]byte, bool) {
	root, p := goResponses.Of(of, newGoResponse)
	g := root.Plan
	if p.IsNil() {
		return dst, false
	}
	e := newEncoder(c, dst)
	var nodes nodeList
	var edges []Edge
	var inOrder edgesInOrder
	rest, v := p.Copy() // without the lists that are taken
	elements, values := 0, 0
	take := func(l goList) {
		n := l.Of(p).Len()
		elements, values = elements+n, values+min(n, bound.Values)*l.values
		l.Of(rest).SetEmpty()
	}
	if g.nodes != nil {
		if s := g.nodes.section(e, p); s != nil {
			nodes = s
			take(g.nodes.goList)
		}
	}
	if g.edges != nil {
		if l := (goEdgeList{g.edges, g.edges.Of(p).Items()}); l.isInOrder() {
			inOrder = &l
		} else if edges = g.edges.all(p); edges == nil {
			return dst, false
		}
		take(g.edges.goList)
	}
	if elements < fewElements || values > bound.Values/2 {
		return dst, false
	}
	if !root.Pointer { // then methods of pointers are not asked
		v = v.Elem()
	}
	err := wire.Internal.ViewGo(v.Interface(), func(value wire.Value) error {
		r, err := fromValue(value)
		if err != nil {
			return err
		}
		if nodes == nil {
			nodes = arrange(r)
		} else if r.QueryType == queryAggregation {
			return errNotSimple // its nodes keep their order, and its rows have others
		}
		if edges != nil {
			r.Edges = edges
		} else if inOrder != nil && r.QueryType == queryPathFinding {
			return errNotSimple // its edges have places
		}
		return e.response(r, nodes, inOrder)
	})
	if err != nil {
		return dst, false
	}
	return e.dst, true
}

// errNotSimple says that a response needs a Value. It is not returned to callers.
var errNotSimple = errors.New("goon: needs a value")

// goSection is the nodes of a list in order.
type goSection struct {
	*goNodes
	nodes  gotext.Items
	limits []int // of the properties
}

func (s *goSection) count() int { return s.nodes.Len }

func (s *goSection) typeOf(i int) string { return s.typ.string(s.nodes.At(i)) }

func (s *goSection) run(e *encoder, i, end int) error {
	dst := e.dst
	for ; i < end && len(dst) <= e.maxLen; i++ {
		p := s.nodes.At(i)
		dst = s.id.appendID(dst, p)
		for k := range s.properties {
			dst = s.properties[k].append(dst, s.limits[k], p)
		}
		dst = append(dst, '\n')
	}
	e.dst = dst
	return nil
}

// section returns the nodes of the response at p, nil if they are not in order or one
// of them is not sound.
func (g *goNodes) section(e *encoder, p gotext.Var) *goSection {
	s := &goSection{goNodes: g, nodes: g.Of(p).Items(), limits: make([]int, len(g.properties))}
	var last ref
	for i := range s.nodes.Len {
		p := s.nodes.At(i)
		if g.typ.Lacks(p) || g.id.Lacks(p) {
			return nil
		}
		id, ok := g.id.id(p)
		next := ref{g.typ.string(p), id}
		if !ok || i > 0 && (next.typ < last.typ || next.typ == last.typ && id <= last.id) {
			return nil
		}
		last = next
	}
	for i := range s.limits {
		s.limits[i] = e.limit(g.properties[i].Name)
	}
	return s
}

func (f *goProperty) append(dst []byte, limit int, p gotext.Var) []byte {
	if f.Lacks(p) {
		return dst
	}
	if f.Op == gotype.String {
		s := f.Of(p).Text()
		if len(s) <= limit {
			return appendLabeled(dst, f.label, s)
		}
		dst, length := appendCut(dst, f.label, limit, s)
		if length > 0 {
			dst = appendBreadcrumb(dst, f.Name, length)
		}
		return dst
	}
	dst, _ = f.Of(p).AppendNumber(append(dst, f.label...))
	return dst
}

// all returns the edges of the response at p, nil if one of them is not sound.
func (g *goEdges) all(p gotext.Var) []Edge {
	list := g.Of(p).Items()
	edges := make([]Edge, list.Len)
	for i := range edges {
		if !g.read(&edges[i], list.At(i)) {
			return nil
		}
	}
	return edges
}

// read reads an edge. It reports false for one that is not sound.
func (g *goEdges) read(e *Edge, p gotext.Var) bool {
	f := &g.fields
	if g.sparse && (f[0].Lacks(p) || f[1].Lacks(p) || f[2].Lacks(p) || f[3].Lacks(p) || f[4].Lacks(p)) {
		return false
	}
	e.From, e.To, e.Type = f[0].string(p), f[2].string(p), f[4].string(p)
	var isFrom, isTo bool
	e.FromID, isFrom = f[1].id(p)
	e.ToID, isTo = f[3].id(p)
	return isFrom && isTo && (!g.placed || f[5].number(&e.Depth, p) && f[6].number(&e.PathID, p) && f[7].number(&e.Step, p))
}

// goEdgeList is the edges of a list in order.
type goEdgeList struct {
	*goEdges
	edges gotext.Items
}

func (l *goEdgeList) count() int { return l.edges.Len }

// isInOrder reports whether the edges are sound, without depths and places in paths, and
// in order, each one once.
func (l *goEdgeList) isInOrder() bool {
	if l.placed {
		return false
	}
	var edges [2]Edge
	for i := range l.edges.Len {
		last, e := &edges[i&1], &edges[i&1^1]
		if !l.read(e, l.edges.At(i)) {
			return false
		}
		if i > 0 && cmp.Or(strings.Compare(last.Type, e.Type), strings.Compare(last.From, e.From), last.compareEnds(e)) >= 0 {
			return false
		}
	}
	return true
}

func (l *goEdgeList) write(e *encoder) {
	e.line(edgesMark)
	f := &l.fields
	var from, to refLabel
	for i := 0; i < l.edges.Len && !e.full(); {
		typ, end := f[4].string(l.edges.At(i)), i+1
		for end < l.edges.Len && f[4].string(l.edges.At(end)) == typ {
			end++
		}
		e.group(typ, end-i)
		dst := e.dst
		for ; i < end && len(dst) <= e.maxLen; i++ {
			p := l.edges.At(i)
			dst = f[1].appendID(from.append(dst, f[0].string(p)), p)
			dst = f[3].appendID(to.append(append(dst, " --> "...), f[2].string(p)), p)
			dst = append(dst, '\n')
		}
		e.dst = dst
	}
}

func (f *goField) string(p gotext.Var) string { return f.Of(p).Text() }

func (f *goField) id(p gotext.Var) (int64, bool) {
	if f.Op == gotype.String {
		return parseID(f.string(p))
	}
	return f.Of(p).Int()
}

// appendID appends an id that is sound: its text is that of the number.
func (f *goField) appendID(dst []byte, p gotext.Var) []byte {
	if f.Op == gotype.String {
		return scan.AppendWords(dst, f.string(p))
	}
	n, _ := f.Of(p).Int()
	return decimal.AppendInt(dst, n)
}

func (f *goField) number(to *Optional[int64], p gotext.Var) bool {
	if f.Op == gotype.Other || f.Lacks(p) {
		return true
	}
	n, ok := f.Of(p).Int()
	*to = some(n)
	return ok && n >= 0
}
