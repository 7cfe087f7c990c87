package bcp_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
)

// TestCompressLargePayload compresses payloads, and leaves those alone for which it does not
// pay or that no decoder would inflate.
func TestCompressLargePayload(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 7))
	noise := make([]byte, 3<<20)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var text []byte
	for i := 0; len(text) < 3<<20; i++ {
		text = fmt.Appendf(text, "line %d of %d words, %d\n", i, r.IntN(40), r.IntN(1000))
	}
	for name, test := range map[string]struct {
		contents [][]byte
		limits   bcp.Limits
		whole    bool
	}{
		"text":                     {contents: [][]byte{text}, whole: true},
		"noise":                    {contents: [][]byte{noise}},
		"text, then noise":         {contents: [][]byte{text, noise}, whole: true},
		"noise, then text":         {contents: [][]byte{noise, text}, whole: true},
		"zeros":                    {contents: [][]byte{make([]byte, 5<<20)}, whole: true},
		"text too long to inflate": {contents: [][]byte{text, text}, limits: bcp.Limits{InflatedBytes: 1 << 20}},
	} {
		p := new(bcp.Payload)
		for i, content := range test.contents {
			p.Blocks = append(p.Blocks, bcp.Block{Body: &bcp.Code{Path: fmt.Sprint(i), Content: content}})
		}
		plain, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), []byte("before"), p)
		require.NoError(t, err, name)
		out, err := bcp.EncodeOptions{CompressPayload: true, Limits: test.limits}.AppendEncode(context.Background(), []byte("before"), p)
		require.NoError(t, err, name)
		if !test.whole {
			require.True(t, bytes.Equal(plain, out), name)
			continue
		}
		require.Less(t, len(out), len(plain), name)
		got, err := bcp.Decode(out[len("before"):])
		require.NoError(t, err, name)
		require.True(t, got.Header.Flags.IsCompressed(), name)
		for i, content := range test.contents {
			require.True(t, bytes.Equal(content, got.Blocks[i].Body.(*bcp.Code).Content), name)
		}
	}
}
