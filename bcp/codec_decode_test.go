package bcp

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestPlainPayloads: what is read at once in a payload as AppendEncode writes it is what
// the decoder of any payload finds there, and in every other payload near it.
func TestPlainPayloads(t *testing.T) {
	for _, json := range []string{`{"a":[1,2,{"b":"text"}],"c":null}`, `0`, `"` + string(bytes.Repeat([]byte("x"), 200)) + `"`} {
		text := codectest.Encoded(t, Codec{}, parse(t, json))
		require.Equal(t, json, string(Codec{}.plain(text)))
		near := [][]byte{text, append(bytes.Clone(text), 0), nil}
		for i := range text {
			for _, b := range []byte{text[i] ^ 1, text[i] ^ 0x80, text[i] + 1, 0, 0xFF} {
				other := bytes.Clone(text)
				other[i] = b
				near = append(near, other)
			}
			near = append(near, text[:i], append(bytes.Clone(text[:i]), text[i+1:]...))
		}
		for _, src := range near {
			for _, c := range []Codec{{}, {BlockBytes: 30}, {Limits: wire.Limits{Values: 2}}, {Limits: wire.Limits{Depth: 2}}} {
				want, wantErr := throughPayload(c, src)
				got, err := c.Decode(src)
				require.Equal(t, wantErr, err, "%q", src)
				require.True(t, wire.Identical(want, got), "%q", src)
				codectest.SameLent(t, c, src)
			}
		}
	}
}

// throughPayload is Decode by way of a Payload, for payloads that are not compressed.
func throughPayload(c Codec, src []byte) (wire.Value, error) {
	p, err := c.decodeOptions().Decode(context.Background(), src)
	if err != nil {
		return wire.Value{}, err
	}
	if len(p.Blocks) == 1 {
		if text := carried(&p.Blocks[0]); text != nil {
			v, err := c.json().Decode(text)
			if err == nil || errors.Is(err, wire.ErrLimit) {
				return v, renamed(err)
			}
		}
	}
	return p.Value(), nil
}

// TestViewRecords: records that are reused are those that Records gives, up to the same
// error.
func TestViewRecords(t *testing.T) {
	for _, c := range []Codec{{}, {Compress: true}} {
		var out bytes.Buffer
		w, err := c.NewRecordWriter(&out, nil)
		require.NoError(t, err)
		for i := range 40 {
			require.NoError(t, w.Write(wire.Array(wire.Int(int64(i)), wire.String(string(bytes.Repeat([]byte("word "), i*i%300))))))
		}
		require.NoError(t, w.Close())
		for n := range out.Len() + 1 {
			if n%37 != 0 && n < out.Len()-8 {
				continue
			}
			src := out.Bytes()[:n]
			want, wantErr := codectest.Collect(t, c.Records(bytes.NewReader(src)))
			i := 0
			for v, err := range wire.ViewRecords(c, iotest.HalfReader(bytes.NewReader(src))) {
				if err != nil {
					require.Equal(t, wantErr, err)
					break
				}
				require.True(t, wire.Identical(want[i], v))
				i++
			}
			require.Len(t, want, i)
		}
	}
}
