package glyph

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A directive is what is before a payload's value: @schema#id @keys=[…], @schema#id or
// @schema.clear.
type directive struct {
	given   bool
	schema  *SchemaContext // active from then on; nil if none is
	defines bool           // it has the keys
	valued  bool           // a value follows
}

// ParseLoosePayload parses a payload: a schema directive, a value, or both.
// It returns the value and the schema that is active afterwards, nil if none
// is. The registry, which may be nil, supplies the schemas that directives
// refer to and the active schema of payloads without a directive; it learns
// what the payload defines, unless there is an error. A payload that is only a
// directive has the value null.
func ParseLoosePayload(input string, registry *SchemaRegistry) (wire.Value, *SchemaContext, error) {
	if registry == nil {
		registry = NewSchemaRegistry()
	}
	active := registry.current()
	var v wire.Value
	var d directive
	err := parseText(input, func(p *parser) (ok bool) {
		v, d, ok = p.payload(active, registry.lookup)
		return ok
	})
	if err != nil {
		return wire.Value{}, nil, err
	}
	registry.apply(d)
	if d.given {
		active = d.schema
	}
	return v, active, nil
}

// payload parses the whole text.
func (p *parser) payload(active *SchemaContext, lookup func(id string) *SchemaContext) (wire.Value, directive, bool) {
	p.schema = active
	d, i := p.directive(p.space(0), lookup)
	if i < 0 {
		return wire.Value{}, d, false
	}
	if d.given {
		p.schema = d.schema
		if i = p.space(i); i == p.end {
			return wire.Value{}, d, true
		}
	}
	d.valued = true
	v, i := p.value(i)
	if i >= 0 {
		if i = p.space(i); i != p.end {
			i = p.fail(i, wire.CodeTrailingData, wire.ErrSyntax, "expected the end after the value, found "+p.found(i))
		}
	}
	return v, d, i >= 0
}

// directive parses the schema directive at i, if there is one.
func (p *parser) directive(i int, lookup func(id string) *SchemaContext) (directive, int) {
	const word = "@schema"
	start := i
	if p.cutOffIn(word, i) {
		return directive{}, p.expected(p.end, "a schema directive")
	}
	if !strings.HasPrefix(p.s[i:], word) {
		return directive{}, i
	}
	i += len(word)
	if p.cutOffIn(".clear", i) {
		return directive{}, p.expected(p.end, ".clear")
	}
	if rest := p.s[i:]; strings.HasPrefix(rest, ".clear") {
		i += len(".clear")
		return directive{given: true}, p.blank(i)
	}
	if p.s[i] != '#' {
		return directive{}, p.expected(i, "'#' and an id, or '.clear'")
	}
	id, i := p.schemaID(i)
	if i < 0 {
		return directive{}, i
	}
	keys, defined, i := p.schemaKeys(i)
	if i < 0 {
		return directive{}, i
	}
	if defined {
		return directive{given: true, schema: NewSchemaContextWithID(id, keys), defines: true}, p.blank(i)
	}
	schema := lookup(id)
	if schema == nil {
		return directive{}, p.fail(start, "schema_not_found", wire.ErrShape, "schema "+id+" is not known here")
	}
	return directive{given: true, schema: schema}, p.blank(i)
}

// schemaID parses the id from its "#".
func (p *parser) schemaID(i int) (string, int) {
	j := i + 1
	for idByte(p.s[j]) {
		j++
	}
	if j == i+1 {
		return "", p.expected(j, "an id after #")
	}
	return strings.Clone(p.s[i+1 : j]), j
}

// schemaKeys parses " @keys=[…]", if it is there. The document's CLI section
// spells it without "@".
func (p *parser) schemaKeys(i int) (keys []string, defined bool, next int) {
	at := p.space(i)
	j := at
	if p.s[j] == '@' {
		j++
	}
	const word = "keys=["
	if at > i && (p.cutOffIn("@"+word, at) || p.cutOffIn(word, at)) {
		return nil, false, p.expected(p.end, "the keys of the schema")
	}
	if at == i || !strings.HasPrefix(p.s[j:], word) {
		return nil, false, i
	}
	// Keys of the schema itself are literal: #0 in the list is not a reference.
	schema := p.schema
	p.schema = nil
	keys, next = p.names(j+len(word)-1, nil)
	p.schema = schema
	for i, key := range keys {
		keys[i] = strings.Clone(key)
	}
	return keys, true, next
}

// blank checks that a directive is followed by white space or the end.
func (p *parser) blank(i int) int {
	if i >= 0 && i < p.end && p.space(i) == i {
		return p.expected(i, "white space after the schema directive")
	}
	return i
}

// ParseTabularLoose parses one table and returns its rows. Their numbers are
// int64 if they are spelled as whole numbers and fit, else float64 if that
// holds them, else json.Number; null is nil, lists are []any, maps
// map[string]any, ids strings beginning with "^", times time.Time and bytes
// []byte. [Codec.Decode] gives the same table as a value, in order and exact.
func ParseTabularLoose(input string) ([]map[string]any, error) {
	var v wire.Value
	err := parseText(input, func(p *parser) (ok bool) {
		if i := p.space(0); !p.atTable(i) {
			return p.expected(i, "a table") >= 0
		}
		v, _, ok = p.payload(nil, nil)
		return ok
	})
	if err != nil {
		return nil, err
	}
	rows := make([]map[string]any, v.Len())
	for i := range rows {
		rows[i], _ = plain(v.Index(i)).(map[string]any)
	}
	return rows, nil
}
