package glyph

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// A SchemaContext is a list of keys with an id ("Schema Context & Key
// Dictionaries"). Under it a key is written as #N, its position in the list. It
// is immutable and safe for concurrent use.
type SchemaContext struct {
	id    string
	keys  []string
	index map[string]int
}

// NewSchemaContext returns the context of the keys, with the id that the
// document derives from them.
func NewSchemaContext(keys []string) *SchemaContext {
	return NewSchemaContextWithID(schemaID(keys), keys)
}

// NewSchemaContextWithID returns the context of the keys with an id of the
// caller's choice, such as the document's session ids S1 and S2. An id consists
// of ASCII letters, digits, "_", "-" and "."; other characters are left out, and
// if none is left the id is the one derived from the keys.
func NewSchemaContextWithID(id string, keys []string) *SchemaContext {
	if id = strings.Map(idRune, id); id == "" {
		id = schemaID(keys)
	}
	c := &SchemaContext{
		id:    id,
		keys:  slices.Clone(keys),
		index: make(map[string]int, len(keys)),
	}
	for i, key := range keys {
		if _, ok := c.index[key]; !ok {
			c.index[key] = i
		}
	}
	return c
}

func idRune(r rune) rune {
	if r < 0x80 && idByte(byte(r)) {
		return r
	}
	return -1
}

func idByte(c byte) bool { return class[c]&classPart != 0 && c != '/' }

// schemaID is the SHA-256 of the keys, joined with a zero byte each: its first
// five bytes in base32.
func schemaID(keys []string) string {
	sum := sha256.Sum256([]byte(strings.Join(keys, "\x00")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5]))
}

// ID returns the schema's id.
func (c *SchemaContext) ID() string { return c.id }

// Keys returns the schema's keys.
func (c *SchemaContext) Keys() []string { return slices.Clone(c.keys) }

// number returns the position of a key.
func (c *SchemaContext) number(key string) (int, bool) {
	if c == nil {
		return 0, false
	}
	n, ok := c.index[key]
	return n, ok
}

// size is what the context counts for in a registry.
func (c *SchemaContext) size() int {
	n := len(c.id)
	for _, key := range c.keys {
		n += len(key) + 16
	}
	return n
}

// appendDirective appends the schema directive that defines the context or,
// without keys, refers to it.
func (c *SchemaContext) appendDirective(dst []byte, keys, upstream bool) []byte {
	dst = append(append(dst, "@schema#"...), c.id...)
	if !keys {
		return dst
	}
	dst = append(dst, " @keys=["...)
	for i, key := range c.keys {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendKey(dst, key, upstream)
	}
	return append(dst, ']')
}

// KeyDict returns the keys of all objects in v, in canonical order, for
// [NewSchemaContext] and [LooseCanonOpts].
func KeyDict(v wire.Value) []string {
	keys := make(map[string]bool)
	lists := make(map[*wire.Keys]bool)
	var visit func(wire.Value)
	visit = func(v wire.Value) {
		if v.Kind() == wire.KindObject && !lists[v.Keys()] {
			lists[v.Keys()] = true
			for _, key := range v.Keys().All() {
				keys[key] = true
			}
		}
		for c := range v.Elements() {
			visit(c)
		}
	}
	visit(v)
	return slices.SortedFunc(maps.Keys(keys), func(a, b string) int {
		return bytes.Compare(appendKey(nil, a, false), appendKey(nil, b, false))
	})
}

// The bounds of a SchemaRegistry.
const (
	maxSchemas     = 64
	maxSchemaBytes = 4 << 20
)

// A SchemaRegistry remembers schemas between payloads: those used last, at most
// 64 and together at most 4 MiB; a larger one is remembered alone. It is safe
// for concurrent use; payloads that rely on the active schema must be parsed in
// their order. [ParseLoosePayload] fills it; the payload may be a directive alone.
type SchemaRegistry struct {
	mu     sync.Mutex
	recent []*SchemaContext // the one used last is the last
	bytes  int
	active *SchemaContext
}

// NewSchemaRegistry returns an empty registry.
func NewSchemaRegistry() *SchemaRegistry { return &SchemaRegistry{} }

// register adds a schema, in place of one with the same id, and forgets those
// that were not used for longest if there are too many.
func (r *SchemaRegistry) register(c *SchemaContext) {
	if i := r.index(c.id); i >= 0 {
		r.remove(i)
	}
	r.recent = append(r.recent, c)
	r.bytes += c.size()
	for len(r.recent) > maxSchemas || r.bytes > maxSchemaBytes && len(r.recent) > 1 {
		r.remove(0)
	}
}

func (r *SchemaRegistry) remove(i int) {
	r.bytes -= r.recent[i].size()
	r.recent = slices.Delete(r.recent, i, i+1)
}

// index returns where the schema of that id is, below zero if it is not there.
func (r *SchemaRegistry) index(id string) int {
	return slices.IndexFunc(r.recent, func(c *SchemaContext) bool { return c.id == id })
}

// lookup returns the schema of that id, nil if the registry has none.
func (r *SchemaRegistry) lookup(id string) *SchemaContext {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(id)
	if i < 0 {
		return nil
	}
	c := r.recent[i]
	r.recent = append(slices.Delete(r.recent, i, i+1), c)
	return c
}

// current returns the schema that payloads without a directive are read with,
// nil if there is none.
func (r *SchemaRegistry) current() *SchemaContext {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.active
}

// apply makes a payload's directive take effect.
func (r *SchemaRegistry) apply(d directive) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d.defines {
		r.register(d.schema)
	}
	if d.given {
		r.active = d.schema
	}
}
