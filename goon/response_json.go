package goon

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// ParseJSON reads a response from JSON text: the bare object, or the envelope
// {"result": …} that the REST API wraps it in. Ids may be strings, as the
// server writes them, or numbers; members it does not know are skipped.
func ParseJSON(src []byte) (*Response, error) {
	v, err := wire.ParseJSON(src)
	if err != nil {
		return nil, err
	}
	return FromValue(v)
}

// FromValue is [ParseJSON] for JSON that was parsed already. An error has the
// path of the part that does not fit.
func FromValue(v wire.Value) (*Response, error) {
	if result, ok := enveloped(v); ok {
		r, err := fromValue(result)
		return r, wire.AtKey(err, "result")
	}
	return fromValue(v)
}

// enveloped returns the response inside of an envelope.
func enveloped(v wire.Value) (wire.Value, bool) {
	if _, bare := v.Get("nodes"); bare {
		return wire.Value{}, false
	}
	result, ok := v.Get("result")
	return result, ok && result.Kind() == wire.KindObject
}

// UnmarshalJSON implements json.Unmarshaler as [ParseJSON] does.
func (r *Response) UnmarshalJSON(src []byte) error {
	parsed, err := ParseJSON(src)
	if err != nil {
		return err
	}
	*r = *parsed
	return nil
}

// MarshalJSON implements json.Marshaler.
func (r *Response) MarshalJSON() ([]byte, error) { return wire.AppendJSON(nil, r.Value()), nil }

// ExtractResult returns the GOON text in src: src itself, or the string in the member
// result of the JSON envelope that the REST API wraps the text in.
func ExtractResult(src []byte) ([]byte, error) {
	if (Codec{}).Sniff(src) {
		return src, nil
	}
	v, err := wire.ParseJSON(src)
	if err != nil {
		return nil, fault("missing_header", wire.ErrSyntax, "neither a GOON text, which begins with a line @header, nor JSON")
	}
	result, _ := v.Get("result")
	if result.Kind() != wire.KindString {
		return nil, fault("missing_header", wire.ErrShape, "JSON without a GOON text in its member result")
	}
	return []byte(result.Text()), nil
}

// A reader takes a response's JSON form apart.
type reader struct {
	response wire.Value
	err      error // the first

	keys      *wire.Keys // of the last node
	typ, id   int        // where they are in it
	edgeKeys  *wire.Keys // of the last edge
	edgeSlots [len(edgeNames)]int
}

// fromValue reads the bare response.
func fromValue(v wire.Value) (*Response, error) {
	if v.Kind() != wire.KindObject {
		return nil, misfit("a response is an object, not "+article(v), otherData)
	}
	rd := reader{response: v}
	r := &Response{
		QueryType:     rd.member("query_type", true),
		FormatVersion: rd.member("format_version", false),
		Version:       rd.member("goon_version", false),
		Nodes:         list(&rd, "nodes", true, rd.node),
		Edges:         list(&rd, "edges", true, rd.edge),
		Columns:       list(&rd, "columns", false, column),
		GroupColumns:  list(&rd, "group_columns", false, groupColumn),
		Rows:          list(&rd, "rows", false, row),
		Pagination:    rd.pagination(),
	}
	if rd.err != nil {
		return nil, rd.err
	}
	return r, nil
}

// otherData is what to do with what is not a response.
const otherData = "only graph query responses are written as GOON; FromList makes one of a list of objects"

// fault returns an error of the format.
func fault(code string, kind error, format string, args ...any) *wire.Error {
	return &wire.Error{Format: name, Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// misfit is the error for a part of the wrong shape.
func misfit(message, hint string) *wire.Error {
	return &wire.Error{Format: name, Code: "not_a_response", Kind: wire.ErrShape, Message: message, Hint: hint}
}

func article(v wire.Value) string {
	switch k := v.Kind(); k {
	case wire.KindArray, wire.KindObject:
		return "an " + k.String()
	case wire.KindNull, wire.KindBytes:
		return k.String()
	default:
		return "a " + k.String()
	}
}

// member returns the string member with that key, "" if it is absent or null.
func (rd *reader) member(key string, required bool) string {
	m, ok := rd.response.Get(key)
	switch {
	case m.Kind() == wire.KindString:
		return m.Text()
	case !ok && required:
		rd.fail(misfit("a response has no member "+key, otherData))
	case m.Kind() != wire.KindNull || required:
		rd.fail(wire.AtKey(misfit(key+" is a string, not "+article(m), ""), key))
	}
	return ""
}

func (rd *reader) fail(err error) { rd.err = cmp.Or(rd.err, err) }

// list returns the elements of the array member with that key. An empty array
// gives an empty slice; null, which is what a nil slice of Go becomes, and an
// absent member give nil.
func list[T any](rd *reader, key string, required bool, read func(wire.Value, *T) error) []T {
	m, ok := rd.response.Get(key)
	switch {
	case rd.err != nil:
		return nil
	case !ok && required:
		rd.fail(misfit("a response has no member "+key, "an empty list is written as []"))
		return nil
	case m.Kind() == wire.KindNull:
		return nil
	case m.Kind() != wire.KindArray:
		rd.fail(wire.AtKey(misfit(key+" is an array, not "+article(m), ""), key))
		return nil
	}
	all := make([]T, m.Len())
	for i := range all {
		if err := read(m.Index(i), &all[i]); err != nil {
			rd.fail(wire.AtKey(wire.AtIndex(err, i), key))
			return nil
		}
	}
	return all
}

func (rd *reader) node(v wire.Value, n *Node) error {
	if v.Kind() != wire.KindObject {
		return misfit("a node is an object, not "+article(v), "")
	}
	if keys := v.Keys(); keys != rd.keys {
		rd.keys, rd.typ, rd.id = keys, keys.Index("type"), keys.Index("id")
	}
	if rd.typ < 0 {
		return misfit("a node has no member type", "")
	}
	typ := v.Index(rd.typ)
	if typ.Kind() != wire.KindString {
		return wire.AtKey(misfit("a node's type is a string, not "+article(typ), ""), "type")
	}
	n.Type = typ.Text()
	if rd.id < 0 {
		return misfit(fmt.Sprintf("a node of type %.60q has no member id", n.Type), "")
	}
	var err error
	if n.ID, err = wholeID(v.Index(rd.id)); err != nil {
		return wire.AtKey(err, "id")
	}
	n.props = v
	return nil
}

// wholeID reads a 64-bit id: a number, or a string of digits.
func wholeID(v wire.Value) (int64, error) {
	switch v.Kind() {
	case wire.KindString:
		if id, ok := parseID(v.Text()); ok {
			return id, nil
		}
		id, err := strconv.ParseInt(v.Text(), 10, 64) // takes +7 and 007 as well
		switch {
		case err == nil:
			return id, nil
		case errors.Is(err, strconv.ErrRange):
			return 0, idRange(v.Text())
		}
		return 0, misfit(fmt.Sprintf("an id is a whole number of 64 bits, not %.60q", v.Text()), "")
	case wire.KindNumber:
		if id, ok := v.Int64(); ok {
			return id, nil
		}
		return 0, idRange(v.Text())
	}
	return 0, misfit("an id is a string of digits or a number, not "+article(v), "")
}

func idRange(text string) error {
	return fault("id_range", wire.ErrRange, "id %.60s is not a whole number of 64 bits", text)
}

// edgeNames are an edge's members in JSON. The first five are required.
var edgeNames = [...]string{"from", "from_id", "to", "to_id", "type", "depth", "path_id", "step"}

const requiredEdgeNames = 5

func (rd *reader) edge(v wire.Value, e *Edge) error {
	if v.Kind() != wire.KindObject {
		return misfit("an edge is an object, not "+article(v), "")
	}
	if keys := v.Keys(); keys != rd.edgeKeys {
		rd.edgeKeys = keys
		for i, name := range edgeNames {
			rd.edgeSlots[i] = keys.Index(name)
		}
	}
	for i, slot := range rd.edgeSlots[:requiredEdgeNames] {
		if slot < 0 {
			return misfit("an edge has no member "+edgeNames[i], "")
		}
	}
	slots := &rd.edgeSlots
	err := cmp.Or(edgeText(&e.From, v, slots[0]), edgeID(&e.FromID, v, slots[1]), edgeText(&e.To, v, slots[2]), edgeID(&e.ToID, v, slots[3]),
		edgeText(&e.Type, v, slots[4]))
	if err != nil {
		return err
	}
	for i, opt := range [...]*Optional[int64]{&e.Depth, &e.PathID, &e.Step} {
		slot := rd.edgeSlots[requiredEdgeNames+i]
		if slot < 0 || v.Index(slot).Kind() == wire.KindNull {
			continue
		}
		n, ok := v.Index(slot).Int64()
		if !ok || n < 0 {
			key := edgeNames[requiredEdgeNames+i]
			return wire.AtKey(misfit(fmt.Sprintf("an edge's %s is a whole number from 0 on, not %.60s", key, v.Index(slot)), ""), key)
		}
		*opt = some(n)
	}
	return nil
}

func edgeText(to *string, edge wire.Value, slot int) error {
	m := edge.Index(slot)
	if m.Kind() != wire.KindString {
		return wire.AtKey(misfit("an edge's "+edge.Keys().At(slot)+" is a string, not "+article(m), ""), edge.Keys().At(slot))
	}
	*to = m.Text()
	return nil
}

func edgeID(to *int64, edge wire.Value, slot int) error {
	id, err := wholeID(edge.Index(slot))
	*to = id
	return wire.AtKey(err, edge.Keys().At(slot))
}

func (c *Column) fields() []field {
	return []field{{"name", &c.Name, true}, {"function", &c.Function, true}, {"target", &c.Target, false}, {"property", &c.Property, false}}
}

func (c *GroupColumn) fields() []field {
	return []field{{"name", &c.Name, true}, {"kind", &c.Kind, true}, {"node", &c.Node, false},
		{"property", &c.Property, false}, {"entity", &c.Entity, false}}
}

func column(v wire.Value, c *Column) error { return members(v, "a column", c.fields()) }

func groupColumn(v wire.Value, c *GroupColumn) error { return members(v, "a group column", c.fields()) }

// A field is a member of an object, whose value is a string.
type field struct {
	key      string
	to       *string
	required bool
}

// members reads string members of an object.
func members(v wire.Value, what string, fields []field) error {
	if v.Kind() != wire.KindObject {
		return misfit(what+" is an object, not "+article(v), "")
	}
	for _, f := range fields {
		m, ok := v.Get(f.key)
		switch {
		case m.Kind() == wire.KindString:
			*f.to = m.Text()
		case !ok && f.required:
			return misfit(what+" has no member "+f.key, "")
		case m.Kind() != wire.KindNull || f.required:
			return wire.AtKey(misfit(f.key+" of "+what+" is a string, not "+article(m), ""), f.key)
		}
	}
	return nil
}

func row(v wire.Value, to *wire.Value) error {
	if v.Kind() != wire.KindObject {
		return misfit("a row is an object, not "+article(v), "")
	}
	*to = v
	return nil
}

func (rd *reader) pagination() *Pagination {
	v, _ := rd.response.Get("pagination")
	if v.Kind() == wire.KindNull {
		return nil
	}
	if v.Kind() != wire.KindObject {
		rd.fail(wire.AtKey(misfit("pagination is an object, not "+article(v), ""), "pagination"))
		return nil
	}
	p := new(Pagination)
	wrong := func(key, want string, m wire.Value) {
		err := misfit(fmt.Sprintf("%s is %s, not %.60s", key, want, m), "")
		rd.fail(wire.AtKey(wire.AtKey(err, key), "pagination"))
	}
	for key, m := range v.Members() {
		if m.Kind() == wire.KindNull {
			continue
		}
		switch key {
		case "has_more", "truncated":
			if m.Kind() != wire.KindBool {
				wrong(key, "a bool", m)
			}
			if key == "has_more" {
				p.HasMore = m.Bool()
			} else {
				p.Truncated = m.Bool()
			}
		case "total_rows":
			n, ok := m.Uint64()
			if !ok {
				wrong(key, "a whole number from 0 on", m)
			}
			p.TotalRows = some(n)
		case "next_cursor":
			if m.Kind() != wire.KindString {
				wrong(key, "a string", m)
			}
			p.NextCursor = some(m.Text())
		}
	}
	return p
}

// Value returns the response's JSON form. Ids are strings, as the server
// writes them; goon_version is there if Version is set; the breadcrumb of a
// cut text follows it.
func (r *Response) Value() wire.Value { return new(writer).response(r) }

func (w *writer) response(r *Response) wire.Value {
	o := w.Object()
	w.text(&o, "format_version", r.FormatVersion, false)
	w.text(&o, "goon_version", r.Version, false)
	w.text(&o, "query_type", r.QueryType, true)
	w.put(&o, "nodes", each(r.Nodes, w.node))
	w.put(&o, "edges", each(r.Edges, w.edge))
	if r.Columns != nil {
		w.put(&o, "columns", each(r.Columns, w.column))
	}
	if r.GroupColumns != nil {
		w.put(&o, "group_columns", each(r.GroupColumns, w.groupColumn))
	}
	if r.Rows != nil {
		w.put(&o, "rows", each(r.Rows, func(v *wire.Value) wire.Value { return *v }))
	}
	if r.Pagination != nil {
		w.put(&o, "pagination", w.pagination(r.Pagination))
	}
	return w.EndObject(&o)
}

// A writer makes a response's JSON form.
type writer struct {
	builder.Builder
	digits [20]byte
	// untouched says that the nodes are as the decoder made them: in their JSON
	// form.
	untouched bool
}

func each[T any](all []T, one func(*T) wire.Value) wire.Value {
	values := make([]wire.Value, len(all))
	for i := range all {
		values[i] = one(&all[i])
	}
	return wire.Array(values...)
}

func (w *writer) put(o *wire.ObjectBuilder, key string, v wire.Value) {
	w.Key(o, key)
	w.Put(o, v)
}

func (w *writer) text(o *wire.ObjectBuilder, key, s string, always bool) {
	if s != "" || always {
		w.put(o, key, wire.String(s))
	}
}

func (w *writer) id(id int64) wire.Value {
	return wire.String(w.Text(strconv.AppendInt(w.digits[:0], id, 10)))
}

func (w *writer) node(n *Node) wire.Value {
	if w.untouched || n.flat() {
		return n.props
	}
	o := w.Object()
	w.text(&o, "type", n.Type, true)
	w.put(&o, "id", w.id(n.ID))
	for key, v := range n.Properties() {
		w.put(&o, key, v)
	}
	return w.EndObject(&o)
}

// flat reports whether props is the node's JSON form as it is.
func (n *Node) flat() bool {
	if n.props.Len() < 2 || n.props.Keys().At(0) != "type" || n.props.Keys().At(1) != "id" {
		return false
	}
	typ, id := n.props.Index(0), n.props.Index(1)
	if typ.Kind() != wire.KindString || typ.Text() != n.Type || id.Kind() != wire.KindString {
		return false
	}
	have, canonical := parseID(id.Text())
	return canonical && have == n.ID
}

// Value returns the node's JSON form: type and id, then the properties.
func (n Node) Value() wire.Value { return new(writer).node(&n) }

// Cell returns the node as a row's cell holds it: type, id and properties.
func (n Node) Cell() wire.Value { return new(writer).cell(&n) }

func (w *writer) cell(n *Node) wire.Value {
	p := w.Object()
	for key, v := range n.Properties() {
		w.put(&p, key, v)
	}
	props := w.EndObject(&p)
	o := w.Object()
	w.text(&o, "type", n.Type, true)
	w.put(&o, "id", w.id(n.ID))
	w.put(&o, "properties", props)
	return w.EndObject(&o)
}

func (w *writer) edge(e *Edge) wire.Value {
	o := w.Object()
	w.text(&o, "from", e.From, true)
	w.put(&o, "from_id", w.id(e.FromID))
	w.text(&o, "to", e.To, true)
	w.put(&o, "to_id", w.id(e.ToID))
	w.text(&o, "type", e.Type, true)
	for i, opt := range [...]Optional[int64]{e.Depth, e.PathID, e.Step} {
		if opt.Valid {
			w.put(&o, edgeNames[requiredEdgeNames+i], wire.Int(opt.Value))
		}
	}
	return w.EndObject(&o)
}

func (w *writer) column(c *Column) wire.Value { return w.members(c.fields()) }

func (w *writer) groupColumn(c *GroupColumn) wire.Value { return w.members(c.fields()) }

func (w *writer) members(fields []field) wire.Value {
	o := w.Object()
	for _, f := range fields {
		w.text(&o, f.key, *f.to, f.required)
	}
	return w.EndObject(&o)
}

// pagination leaves truncated out only beside total_rows: the two belong to
// different dialects, and the later one always has truncated.
func (w *writer) pagination(p *Pagination) wire.Value {
	o := w.Object()
	w.put(&o, "has_more", wire.Bool(p.HasMore))
	if p.Truncated || !p.TotalRows.Valid {
		w.put(&o, "truncated", wire.Bool(p.Truncated))
	}
	if p.TotalRows.Valid {
		w.put(&o, "total_rows", wire.Uint(p.TotalRows.Value))
	}
	if p.NextCursor.Valid {
		w.put(&o, "next_cursor", wire.String(p.NextCursor.Value))
	}
	return w.EndObject(&o)
}
