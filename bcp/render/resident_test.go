package render

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/tokens"
)

var sink any

// Payloads of at most a megabyte are rendered in bounded memory, whatever they
// stand for.
func TestResidentMemory(t *testing.T) {
	encoded := func(o bcp.EncodeOptions, bodies ...bcp.Body) func() []byte {
		return func() []byte {
			o.Limits.InflatedBytes = -1
			src, err := o.AppendEncode(context.Background(), nil, pack(bodies...))
			require.NoError(t, err)
			return src
		}
	}
	zstd := bcp.EncodeOptions{CompressBlocks: true}
	many := make([]bcp.Body, 150_000)
	for i := range many {
		many[i] = &bcp.UnknownBody{Type: 0x42}
	}
	for name, input := range map[string]func() []byte{
		"a deep tree":             encoded(bcp.EncodeOptions{}, branch(500, 80_000)),
		"a deep tree, compressed": encoded(zstd, branch(500, 60_000)),
		"a large tree":            encoded(zstd, branch(500, 1_150_000)),
		"ten trees":               encoded(zstd, branch(500, 6000), branch(500, 6000), branch(500, 6000), branch(500, 6000), branch(500, 6000)),
		"text to escape":          encoded(bcp.EncodeOptions{}, &bcp.Document{Content: bytes.Repeat([]byte("&"), 1_000_000), FormatHint: "plain"}),
		"text, compressed":        encoded(zstd, &bcp.Document{Content: bytes.Repeat([]byte("&text "), 2_000_000), FormatHint: "plain"}),
		"a title":                 encoded(bcp.EncodeOptions{}, &bcp.Document{Title: string(bytes.Repeat([]byte("<"), 1_000_000)), FormatHint: "plain"}),
		"many blocks":             encoded(bcp.EncodeOptions{}, many...),
	} {
		t.Run(name, func(t *testing.T) {
			var cases []resident.Case
			for what, o := range map[string]Options{
				"xml": {}, "markdown": {Mode: ModeMarkdown}, "minimal": {Mode: ModeMinimal}, "plain": {Plain: true, Policy: PolicyReference, Budget: ptr(100)},
				"budget": {Budget: ptr(2000), Counter: tokens.O200k{}}, "large budget": {Budget: ptr(1_000_000)}, "steady": {Budget: ptr(2000), Policy: PolicySteady},
			} {
				cases = append(cases, resident.Case{Name: what, Input: input, Call: func(src []byte) {
					if p, err := bcp.Decode(src); err == nil {
						r, _ := o.Render(p)
						sink = r
					}
				}})
			}
			resident.Check(t, cases...)
		})
	}
}
