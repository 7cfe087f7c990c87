package goon

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// The lines that begin a section.
const (
	headerMark = "@header"
	nodesMark  = "@nodes"
	edgesMark  = "@edges"
	pathsMark  = "@paths"
	rowsMark   = "@rows"
)

// An encoder appends one response.
type encoder struct {
	dst    []byte
	start  int // where the text begins in dst
	maxLen int // of dst

	codec  Codec
	limits wire.Limits

	plans map[*wire.Keys]*plan // of nodes, by their keys
	last  *plan

	scratch []byte // arrays and objects as JSON
}

func newEncoder(c Codec, dst []byte) *encoder {
	limits := c.Limits.Resolved()
	return &encoder{dst: dst, start: len(dst), maxLen: bound.Add(len(dst), limits.OutputBytes), codec: c, limits: limits}
}

// nodeList is the nodes of a response in order.
type nodeList interface {
	count() int
	typeOf(i int) string
	run(e *encoder, i, end int) error // writes those of one type from i to end
}

// edgesInOrder is the edges of a response, or the paths, in order.
type edgesInOrder interface {
	count() int
	write(e *encoder)
}

// response writes a response with these nodes and edges, nil for its own.
func (e *encoder) response(r *Response, nodes nodeList, edges edgesInOrder) error {
	if err := r.everyEdgeShown(); err != nil {
		return err
	}
	if edges == nil {
		edges = listed(r)
	}
	if err := e.header(r, nodes.count(), edges.count()); err != nil {
		return err
	}
	if err := e.nodes(nodes); err != nil {
		return err
	}
	edges.write(e)
	if r.Rows != nil || r.QueryType == queryAggregation {
		if err := e.rows(r); err != nil {
			return err
		}
	}
	if e.full() {
		return &wire.Error{Format: name, Code: wire.CodeOutputTooLong, Kind: wire.ErrLimit,
			Message: "the text gets longer than the limit", Hint: "raise Limits.OutputBytes"}
	}
	if !scan.IsUTF8(e.dst[e.start:]) {
		return e.invalidUTF8(r)
	}
	return nil
}

// full reports whether the text got longer than the limit; the loops that
// write lines end when it did.
func (e *encoder) full() bool { return len(e.dst) > e.maxLen }

func (e *encoder) invalidUTF8(r *Response) error {
	if err := wire.Internal.InvalidUTF8(r.Value(), name); err != nil {
		return err
	}
	// A header line of the caller's, or the codec's version.
	return fault(wire.CodeInvalidUTF8, wire.ErrUTF8, "a line of the header is not valid UTF-8")
}

func (e *encoder) line(s string) { e.dst = append(append(e.dst, s...), '\n') }

// header writes the query's metadata. The order of the lines is that of the
// document's examples and of its server.
func (e *encoder) header(r *Response, nodes, edges int) error {
	e.line(headerMark)
	e.field("query_type", r.QueryType)
	e.field("goon_version", cmp.Or(r.Version, e.codec.writtenVersion()))
	e.count("nodes", uint64(nodes))
	e.count("edges", uint64(edges))
	if p := r.Pagination; p != nil {
		if p.HasMore {
			e.line("has_more:true")
		}
		if p.Truncated {
			e.line("truncated:true")
		}
		if p.TotalRows.Valid {
			e.count("total_rows", p.TotalRows.Value)
		}
		if p.NextCursor.Valid {
			e.field("next_cursor", p.NextCursor.Value)
		}
	}
	if r.QueryType == queryAggregation {
		e.count("rows", uint64(len(r.Rows)))
		if len(r.GroupColumns) > 0 {
			e.groupBy(r.GroupColumns)
		}
		if len(r.Columns) > 0 {
			e.aggregations(r.Columns)
		}
	}
	for _, f := range r.Header {
		if knownField(f.Name) {
			return fault("duplicate_field", wire.ErrDuplicateKey, "the format itself writes the header line %s", f.Name)
		}
		e.dst = append(appendName(e.dst, f.Name, wordName), ':')
		e.dst = append(appendHeaderValue(e.dst, f.Value), '\n')
	}
	return nil
}

// knownField reports whether the format has a header line of that name.
func knownField(name string) bool {
	switch name {
	case "query_type", "goon_version", "nodes", "edges", "rows", "group_by", "aggregations",
		"has_more", "truncated", "total_rows", "next_cursor":
		return true
	}
	return false
}

func (e *encoder) field(key, value string) {
	e.dst = append(append(e.dst, key...), ':')
	e.dst = append(appendHeaderValue(e.dst, value), '\n')
}

func (e *encoder) count(key string, n uint64) {
	e.dst = append(append(e.dst, key...), ':')
	e.dst = append(strconv.AppendUint(e.dst, n, 10), '\n')
}

// groupBy writes name(kind) or name(kind:detail) for each group column.
func (e *encoder) groupBy(columns []GroupColumn) {
	e.dst = append(e.dst, "group_by:"...)
	for i, c := range columns {
		detail := ""
		switch {
		case c.Kind == kindNode:
			detail = c.Entity
		case c.Kind == kindProperty && c.Property != c.Name:
			detail = c.Property
		}
		e.descriptor(i, c.Name, c.Kind)
		if detail != "" {
			e.dst = appendName(append(e.dst, ':'), detail, keyName)
		}
		e.dst = append(e.dst, ')')
	}
	e.dst = append(e.dst, '\n')
}

// aggregations writes name(function), name(function:target) or
// name(function:target.property) for each metric.
func (e *encoder) aggregations(columns []Column) {
	e.dst = append(e.dst, "aggregations:"...)
	for i, c := range columns {
		e.descriptor(i, c.Name, c.Function)
		if c.Target != "" {
			e.dst = appendName(append(e.dst, ':'), c.Target, wordName)
			if c.Property != "" {
				e.dst = appendName(append(e.dst, '.'), c.Property, keyName)
			}
		}
		e.dst = append(e.dst, ')')
	}
	e.dst = append(e.dst, '\n')
}

// descriptor writes a column's descriptor up to its detail.
func (e *encoder) descriptor(i int, name, kind string) {
	if i > 0 {
		e.dst = append(e.dst, ',')
	}
	e.dst = append(appendName(e.dst, name, keyName), '(')
	if kind != "" {
		e.dst = appendName(e.dst, kind, wordName)
	}
}

// An arrangement is the nodes of a response in the order they are listed in.
type arrangement struct {
	nodes  []Node
	order  []int32 // indices in nodes; nil: as they are
	lifted []int   // the rows that the last len(lifted) nodes were lifted from
}

func (a *arrangement) count() int { return len(a.nodes) }

func (a *arrangement) typeOf(i int) string { return a.at(i).Type }

func (a *arrangement) at(i int) *Node {
	if a.order != nil {
		return &a.nodes[a.order[i]]
	}
	return &a.nodes[i]
}

// locate puts the way to node i before an error's path.
func (a *arrangement) locate(err error, i int) error {
	if a.order != nil {
		i = int(a.order[i])
	}
	if own := len(a.nodes) - len(a.lifted); i >= own {
		return wire.AtKey(wire.AtIndex(wire.AtKey(err, "properties"), a.lifted[i-own]), "rows")
	}
	return wire.AtKey(wire.AtIndex(err, i), "nodes")
}

// arrange puts the nodes in order: by type and id, but in an aggregation as
// they are, followed by those lifted from rows.
func arrange(r *Response) *arrangement {
	if r.QueryType != queryAggregation {
		order := make([]int32, len(r.Nodes))
		for i := range order {
			order[i] = int32(i)
		}
		typ := func(i int32) string { return r.Nodes[i].Type }
		byID := func(a, b int32) int { return cmp.Compare(r.Nodes[a].ID, r.Nodes[b].ID) }
		return &arrangement{nodes: r.Nodes, order: sorted(order, typ, strings.Compare, byID)}
	}
	return lift(r)
}

// nodes writes runs of nodes of one type, each under its header.
func (e *encoder) nodes(l nodeList) error {
	e.line(nodesMark)
	for i := 0; i < l.count() && !e.full(); {
		typ, end := l.typeOf(i), i+1
		for end < l.count() && l.typeOf(end) == typ {
			end++
		}
		e.group(typ, end-i)
		if err := l.run(e, i, end); err != nil {
			return err
		}
		i = end
	}
	return nil
}

func (e *encoder) group(typ string, n int) {
	e.dst = append(appendName(e.dst, typ, typeName), '(')
	e.dst = append(strconv.AppendInt(e.dst, int64(n), 10), "):\n"...)
}

// run writes the nodes from i to end. Where nodes are sorted, those of one
// identity follow each other; then their lines are sorted as well, so that the
// order of the response does not show.
func (a *arrangement) run(e *encoder, i, end int) error {
	for i < end && !e.full() {
		from, first := len(e.dst), i
		for {
			if err := e.node(a.at(i)); err != nil {
				return a.locate(err, i)
			}
			if i++; i == end || a.order == nil || a.at(i).ID != a.at(first).ID {
				break
			}
		}
		if i > first+1 {
			sortLines(e.dst[from:])
		}
	}
	return nil
}

// sortLines sorts the lines of text in place.
func sortLines(text []byte) {
	lines := strings.SplitAfter(string(text), "\n")
	slices.Sort(lines)
	copy(text, strings.Join(lines, ""))
}

// A plan says in which order the properties of nodes of one shape are written
// and how.
type plan struct {
	keys       *wire.Keys
	properties []planned
}

type planned struct {
	at    int
	label string // what is before the value
	limit int    // of characters to write
	mayBe bool   // it would be the breadcrumb of the property before it
	has   bool   // the one after it would be its breadcrumb
}

// compareProperties compares names in the order in which properties are written.
func compareProperties(a, b string) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// rank puts identity first, then status, and long text last, so that a cut
// description never hides a shorter field.
func rank(key string) int {
	switch key {
	case "iid", "username", "name", "full_path", "path", "uuid":
		return 0
	case "state", "status", "visibility_level":
		return 1
	case "created_at", "updated_at", "merged_at", "closed_at":
		return 3
	case "title", "description", "body", "note":
		return 4
	}
	return 2
}

func (e *encoder) plan(keys *wire.Keys) *plan {
	if e.last != nil && e.last.keys == keys {
		return e.last
	}
	p, known := e.plans[keys]
	switch {
	case known:
		e.last = p
	case e.last == nil || !wire.Internal.Same(e.last.keys, keys):
		if e.plans == nil {
			e.plans = make(map[*wire.Keys]*plan)
		}
		e.last = e.newPlan(keys)
		e.plans[keys] = e.last
	}
	return e.last
}

func (e *encoder) newPlan(keys *wire.Keys) *plan {
	p := &plan{keys: keys, properties: make([]planned, 0, keys.Len())}
	for i, key := range keys.All() {
		if reserved(key) {
			continue
		}
		w := planned{at: i, label: propertyLabel(key), limit: e.limit(key)}
		if before, ok := strings.CutSuffix(key, lenSuffix); ok && i > 0 && before == keys.At(i-1) && !reserved(before) {
			w.mayBe = true
			p.properties[len(p.properties)-1].has = true
		}
		p.properties = append(p.properties, w)
	}
	slices.SortStableFunc(p.properties, func(a, b planned) int { return compareProperties(keys.At(a.at), keys.At(b.at)) })
	return p
}

// propertyLabel returns what is before the value of a property or cell.
func propertyLabel(key string) string {
	return string(append(appendName([]byte{' '}, key, keyName), '='))
}

// limit returns how many characters of a text are written under that name.
func (e *encoder) limit(key string) int {
	if e.codec.NoTruncate || slices.Contains(e.codec.Expand, key) {
		return int(^uint(0) >> 1)
	}
	return limitOf(key)
}

// node writes a node's line.
func (e *encoder) node(n *Node) error {
	dst := decimal.AppendInt(e.dst, n.ID)
	if n.props.Kind() != wire.KindObject {
		e.dst = append(dst, '\n')
		return nil
	}
	keys := n.props.Keys()
	p := e.plan(keys)
	for i := range p.properties {
		w := &p.properties[i]
		v := n.props.Index(w.at)
		if w.mayBe && n.breadcrumb(keys, w.at-1) > 0 {
			continue // written after the text it belongs to
		}
		var length int64
		if v.Kind() == wire.KindString && v.Len() <= w.limit {
			// This is most of what there is.
			dst = appendLabeled(dst, w.label, v.Text())
		} else {
			var err error
			if dst, length, err = e.value(dst, w.label, w.limit, v); err != nil {
				return wire.AtKey(err, keys.At(w.at))
			}
		}
		// It may have been cut before the response was made. Such a text is written as it is.
		if length == 0 && n.crumbs != nil {
			length = n.crumbs[keys.At(w.at)]
		}
		if length == 0 && w.has {
			length = n.breadcrumb(keys, w.at)
		}
		if length > 0 {
			dst = appendBreadcrumb(dst, keys.At(w.at), length)
		}
	}
	e.dst = append(dst, '\n')
	return nil
}

// breadcrumb returns the length that the member after that at i says of it, 0 if that is not its
// breadcrumb.
func (n *Node) breadcrumb(keys *wire.Keys, i int) int64 {
	key := keys.At(i)
	if _, own := n.crumbs[key]; own {
		return 0
	}
	length, _ := cutLength(n.props.Index(i), n.props.Index(i+1), limitOf(key))
	return length
}

// appendBreadcrumb says after a cut text how many characters the whole has.
func appendBreadcrumb(dst []byte, key string, length int64) []byte {
	dst = append(appendName(append(dst, ' '), key+lenSuffix, keyName), '=')
	return strconv.AppendInt(dst, length, 10)
}
