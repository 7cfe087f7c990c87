package inspect

import (
	"context"
	"fmt"
	"io"

	"github.com/wirekit/wirekit/bcp"
)

// Validate prints whether src is a sound payload, and returns the error if it
// is not. With [bcp.DecodeOptions.Strict] it must be in canonical form.
func Validate(w io.Writer, src []byte, o bcp.DecodeOptions) error {
	p, err := o.Decode(context.Background(), src)
	if err != nil {
		if _, werr := fmt.Fprintf(w, "✗ Error: %v\n", err); werr != nil {
			return werr
		}
		return err
	}
	_, err = fmt.Fprintf(w, "✓ Header: valid (%s)\n✓ Blocks: %s parsed successfully\n✓ Sentinel: END block present\n"+
		"✓ Integrity: all block bodies parse without error\n", version(p.Header), blocks(len(p.Blocks)))
	return err
}
