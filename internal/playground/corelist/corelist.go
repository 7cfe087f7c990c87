// Package corelist names the formats of the playground's first program.
package corelist

import (
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/playground"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// Engine returns what answers with the text formats that are asked for most. What
// it does not see to be JSON, the second program has to look at, because formats are
// told apart only where all of them are known.
func Engine() *playground.Engine {
	r, _ := wire.NewRegistry( // their names differ
		gcx.Codec{},
		toon.Codec{}, // before JSON, which takes [2]: for an array
		jsonl.Codec{},
		wire.JSON{},
	)
	return &playground.Engine{Formats: r, Detect: func(src []byte) (wire.Codec, error) {
		c, err := r.Detect(src)
		if err != nil {
			return nil, playground.ErrOther
		}
		switch c.(type) {
		case wire.JSON, jsonl.Codec:
			return c, nil
		}
		return nil, playground.ErrOther
	}}
}
