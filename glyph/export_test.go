package glyph

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/wire"
)

// Active returns the schema that payloads without a directive are read with.
func (r *SchemaRegistry) Active() *SchemaContext { return r.current() }

// Len returns the number of schemas.
func (r *SchemaRegistry) Len() int { return r.recent.Len() }

// TableRows reads a table row by row, and nothing but tables.
func (c Codec) TableRows(r io.Reader) iter.Seq2[wire.Value, error] {
	return c.newTableReader(r).remaining()
}
