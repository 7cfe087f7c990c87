package bcp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
)

// files are n files of 16 KB, of which every fourth is the same.
func files(n int) *bcp.Payload {
	p := new(bcp.Payload)
	for i := range n {
		text := fmt.Sprintf("line %d of a file\n", i*min(1, i%4))
		content := bytes.Repeat([]byte(text), 16<<10/len(text))
		p.Blocks = append(p.Blocks, bcp.Block{Body: &bcp.Code{Path: fmt.Sprint("f", i, ".go"), Content: content}})
	}
	return p
}

// TestEncodeAllocates holds what a large pack allocates: its length and little
// more.
func TestEncodeAllocates(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, under which slices.Grow allocates twice")
	}
	p := files(600)
	plain, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	for name, o := range map[string]bcp.EncodeOptions{
		"plain": {}, "blocks deduplicated": {Dedup: true}, "compressed as one": {CompressPayload: true},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := o.AppendEncode(context.Background(), nil, p)
			require.NoError(t, err)
			if o.CompressPayload {
				out = plain // what has to be there to be compressed
			}
			growth.Bytes(t, uint64(len(out)*12/10), func() {
				_, err := o.AppendEncode(context.Background(), nil, p)
				require.NoError(t, err)
			})
		})
	}
}

// TestStreamIsResidentInBlocks writes payloads of 256 MB, block by block, which
// may take no more memory than the base of the rule.
func TestStreamIsResidentInBlocks(t *testing.T) {
	limits := bcp.Limits{PayloadBytes: 1 << 30}
	for name, o := range map[string]bcp.EncodeOptions{
		"plain": {Limits: limits}, "deduplicated": {Dedup: true, Limits: limits}, "compressed": {CompressBlocks: true, Limits: limits},
	} {
		resident.Check(t, resident.Case{
			Name:  name,
			Input: func() []byte { return []byte{1} },
			Call: func([]byte) {
				content := bytes.Repeat([]byte("some text\n"), 100<<10)
				e := o.NewEncoder(context.Background(), io.Discard, bcp.Header{})
				for i := range 256 {
					content[0] = byte(i)&0x3F + ' '
					if err := e.Write(bcp.Block{Body: &bcp.Code{Path: "a.go", Content: content}}); err != nil {
						panic(err)
					}
				}
				if err := e.Close(); err != nil {
					panic(err)
				}
			},
		})
	}
}
