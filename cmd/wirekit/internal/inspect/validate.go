package inspect

import (
	"context"
	"fmt"

	"github.com/wirekit/wirekit/bcp"
)

// Soundness is whether a payload is sound.
type Soundness struct {
	Document string `json:"document"`
	Sound    bool   `json:"sound"`
	Blocks   int    `json:"blocks"`
	Error    string `json:"error,omitempty"`

	version string
}

// Validate reports whether src is a sound payload, and returns the error if it is not.
// document is what it is called. With [bcp.DecodeOptions.Strict] it must be in canonical
// form.
func Validate(document string, src []byte, o bcp.DecodeOptions) (*Soundness, error) {
	p, err := o.Decode(context.Background(), src)
	if err != nil {
		return &Soundness{Document: document, Error: err.Error()}, err
	}
	return &Soundness{Document: document, Sound: true, Blocks: len(p.Blocks), version: version(p.Header)}, nil
}

func (s *Soundness) String() string {
	if !s.Sound {
		return fmt.Sprintf("✗ Error: %s\n", s.Error)
	}
	return fmt.Sprintf("✓ Header: valid (%s)\n✓ Blocks: %s parsed successfully\n✓ Sentinel: END block present\n"+
		"✓ Integrity: all block bodies parse without error\n", s.version, blocks(s.Blocks))
}
