package goon

import (
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// The query types that the document names. A response may have another.
const (
	queryTraversal   = "traversal"
	queryAggregation = "aggregation"
	queryPathFinding = "path_finding"
	querySearch      = "search"
	queryNeighbors   = "neighbors"
)

// The kinds of group column that the document names.
const (
	kindNode     = "node"
	kindProperty = "property"
)

// A Response is the answer to a graph query: what a GOON text is written from
// and what it is read into. Its JSON form is that of the server's raw
// responses; see [FromValue] and [Response.Value].
type Response struct {
	// FormatVersion is the version of the JSON form's schema. GOON does not
	// carry it.
	FormatVersion string
	// Version is the goon_version that a decoded text had. When it is written
	// again, it takes precedence over the codec's.
	Version string

	QueryType string
	Nodes     []Node
	Edges     []Edge

	// Columns are the metrics of an aggregation, GroupColumns what it groups
	// by, Rows its table: objects whose keys are the columns' names. A cell is
	// a scalar, null, or a node; see [Node.Cell]. Nil stands for a member that
	// is absent in JSON.
	Columns      []Column
	GroupColumns []GroupColumn
	Rows         []wire.Value

	Pagination *Pagination

	// Header are lines of the header that the document does not know. They are
	// written back; the JSON form leaves them out.
	Header []Field
}

// A Field is one line of the header.
type Field struct{ Name, Value string }

// A Node is one entity. Type and ID identify it; the properties are after
// methods because they stay where they were decoded.
type Node struct {
	Type string
	ID   int64

	// props is an object, or null for a node without properties. Members named
	// type and id are not properties: the names are reserved, and so the
	// flat JSON form of a node serves as it is.
	props wire.Value
	// crumbs are the lengths of cut texts whose breadcrumb has the name of a
	// property that the node has as well: an object cannot hold both.
	crumbs map[string]int64
}

// NewNode returns a node with the properties in the order given. Two
// properties of one name are an error, and so is one named type or id.
func NewNode(typ string, id int64, properties ...wire.Member) (Node, error) {
	for _, p := range properties {
		if reserved(p.Key) {
			return Node{}, fault("reserved_name", wire.ErrShape, "%q is no name for a property of node %s", p.Key, ref{typ, id})
		}
	}
	props, err := wire.Object(properties...)
	if err != nil {
		return Node{}, fault(wire.CodeDuplicateKey, wire.ErrDuplicateKey, "two properties of node %s have one name", ref{typ, id})
	}
	return Node{Type: typ, ID: id, props: props}, nil
}

// reserved reports whether key is one of a node's own members in JSON.
func reserved(key string) bool { return key == "type" || key == "id" }

// Properties iterates over the node's properties. A cut text is followed by
// the property that says how long the whole text was: description,
// description_len.
func (n Node) Properties() iter.Seq2[string, wire.Value] {
	return func(yield func(string, wire.Value) bool) {
		for key, v := range n.props.Members() {
			if !reserved(key) && !yield(key, v) {
				return
			}
		}
	}
}

// Get returns the property with that name and whether there is one.
func (n Node) Get(key string) (wire.Value, bool) {
	if reserved(key) {
		return wire.Value{}, false
	}
	return n.props.Get(key)
}

// FullLength returns how many characters the property's text had before it was
// truncated. It reports false if the text is whole, as far as can be known.
func (n Node) FullLength(key string) (length int64, truncated bool) {
	if length, truncated = n.crumbs[key]; truncated {
		return length, true
	}
	if n.props.Kind() != wire.KindObject {
		return 0, false
	}
	keys := n.props.Keys()
	at := keys.Index(key)
	if at < 0 || at+1 >= keys.Len() || reserved(key) || keys.At(at+1) != key+lenSuffix {
		return 0, false
	}
	return cutLength(n.props.Index(at), n.props.Index(at+1), limitOf(key))
}

const (
	lenSuffix = "_len" // of a breadcrumb's name
	ellipsis  = "..."  // ends a cut text
)

// cutLength reports whether text is a cut text and length its breadcrumb,
// given that the one property follows the other: a text no longer than the
// limit that ends in an ellipsis, and a number above the limit.
func cutLength(text, length wire.Value, limit int) (int64, bool) {
	n, whole := length.Int64()
	if !whole || n <= int64(limit) || text.Kind() != wire.KindString {
		return 0, false
	}
	s := text.Text()
	if !strings.HasSuffix(s, ellipsis) || len(s) > limit && utf8.RuneCountInString(s) > limit {
		return 0, false
	}
	return n, true
}

// Texts longer than these are cut, counted in characters (Unicode scalar
// values), the ellipsis included.
const (
	proseLimit = 200  // of the properties that hold prose
	textLimit  = 1000 // of all others
)

func limitOf(key string) int {
	switch key {
	case "body", "description", "name", "note", "title":
		return proseLimit
	}
	return textLimit
}

// ref identifies a node.
type ref struct {
	typ string
	id  int64
}

func (r ref) String() string { return r.typ + ":" + strconv.FormatInt(r.id, 10) }

func (n Node) ref() ref { return ref{n.Type, n.ID} }

// An Edge is one relationship between two nodes.
type Edge struct {
	Type   string
	From   string // the source's type
	FromID int64
	To     string // the target's type
	ToID   int64

	Depth  Optional[int64] // of a traversal of variable length, from 1
	PathID Optional[int64] // the path that the edge is a step of, from 0; path_finding only
	Step   Optional[int64] // its place there, from 0
}

// An Optional is a value that may be absent, as its zero value is.
type Optional[T any] struct {
	Value T
	Valid bool // Value is present
}

func some[T any](v T) Optional[T] { return Optional[T]{v, true} }

// A Column is a metric of an aggregation: function(target.property).
type Column struct {
	Name     string
	Function string // count, sum, avg, min, max, collect
	Target   string // the query's name for the nodes aggregated; may be empty
	Property string // the property aggregated; may be empty
}

// A GroupColumn is what the rows of an aggregation are grouped by.
type GroupColumn struct {
	Name     string
	Kind     string // kindNode or kindProperty
	Node     string // the query's name for the nodes; GOON does not carry it
	Property string // of kind property: the property, if Name is an alias
	Entity   string // of kind node: the nodes' type
}

// Pagination says what a response is a page of. The members are those of both
// dialects: total_rows of the document, truncated and next_cursor of later
// servers.
type Pagination struct {
	HasMore    bool
	Truncated  bool
	TotalRows  Optional[uint64] // the authorized rows before the page was taken
	NextCursor Optional[string]
}

// FloatOrNull returns f as a value. NaN and the infinities, which JSON and GOON do
// not have, become null: a property that is left out, or null in a row's cell,
// as the server does it.
func FloatOrNull(f float64) wire.Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return wire.Null()
	}
	return wire.Float(f)
}

// CellNode returns the node that a row's cell holds, if it holds one: the inverse of
// [Node.Cell].
func CellNode(cell wire.Value) (Node, bool) {
	typ, idText, ok := cellRef(cell)
	if !ok {
		return Node{}, false
	}
	id, err := strconv.ParseInt(idText, 10, 64)
	if err != nil {
		return Node{}, false
	}
	n := Node{Type: typ, ID: id}
	if props, _ := cell.Get("properties"); props.Kind() == wire.KindObject {
		n.props = props
	}
	return n, true
}

// cellRef returns the members type and id of a cell that is an object with
// these two as strings.
func cellRef(cell wire.Value) (typ, id string, ok bool) {
	if cell.Kind() != wire.KindObject {
		return "", "", false
	}
	t, _ := cell.Get("type")
	i, _ := cell.Get("id")
	if t.Kind() != wire.KindString || i.Kind() != wire.KindString {
		return "", "", false
	}
	return t.Text(), i.Text(), true
}
