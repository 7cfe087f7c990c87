package yaml

import "github.com/wirekit/wirekit/wire"

// Variants returns yaml:documents, whose arrays are texts of several documents.
func (c Codec) Variants() []wire.Codec { return []wire.Codec{Codec{Documents: true}} }

func (c Codec) variant() string {
	if c.Documents {
		return "documents"
	}
	return ""
}
