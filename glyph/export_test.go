package glyph

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/wire"
)

// Active returns the schema that payloads without a directive are read with.
func (r *SchemaRegistry) Active() *SchemaContext { return r.current() }

// Len returns the number of schemas.
func (r *SchemaRegistry) Len() int { return len(r.recent) }

// Register adds a schema, as a payload that defines it does.
func (r *SchemaRegistry) Register(c *SchemaContext) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.register(c)
}

// Lookup returns the schema of that id.
func (r *SchemaRegistry) Lookup(id string) *SchemaContext { return r.lookup(id) }

// Check returns the first mistake in the schema.
func (s *Schema) Check() error { return s.check() }

// Fingerprint is the document's, of any value.
func Fingerprint(v wire.Value) string { return fingerprint([]byte(CanonicalizeLoose(v))) }

// FingerprintExact is the other one that a patch has, of any value.
func FingerprintExact(v wire.Value) string { return fingerprintExact(v) }

// TableRows reads a table row by row, and nothing but tables.
func (c Codec) TableRows(r io.Reader) iter.Seq2[wire.Value, error] {
	return c.newTableReader(r).remaining
}
