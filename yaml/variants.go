package yaml

import "github.com/wirekit/wirekit/wire"

// Variants returns yaml:multi-document, whose arrays are texts of several documents.
func (internals) Variants(wire.Codec) []wire.Codec { return []wire.Codec{Codec{MultiDocument: true}} }

func (c Codec) variant() string {
	if c.MultiDocument {
		return "multi-document"
	}
	return ""
}
