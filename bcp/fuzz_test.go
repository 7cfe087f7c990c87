package bcp

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func seeds(f *testing.F) {
	for _, v := range plainVectors(f) {
		f.Add(unhex(f, v.hex))
	}
	for _, v := range valueVectors {
		f.Add(unhex(f, v.hex))
	}
	for _, s := range []string{
		`424350000100010028B52FFD005891000001000B0100010201016103010178FF010000`,
		head + `01021428B52FFD00585900000100010201016103010178` + e,
		head + `01001c0100010201076d61696e2e727303010c666e206d61696e2829207b7d01042043a46f0158afda81e59de599d569e088d4cf85620b2b17e28abb40301a6b0f9e` + e,
		head + `FF01`, head + e + `DEADBEEF`, `4243500001000200` + e + `DEADBEEF`,
		head + `010113FFFFFFFFFFFFFFFFFF01010001020100030100` + e,
		head + `0100FFFFFFFFFFFFFFFFFF01`,
	} {
		f.Add(unhex(f, s))
	}
}

// Reading from memory and from readers agrees in every mode; what strict mode
// accepts of uncompressed payloads encodes to the same bytes; lenient mode
// accepts what the default does, and the default what strict mode does.
func FuzzDecode(f *testing.F) {
	seeds(f)
	small := Limits{BlockBytes: 1 << 20, PayloadBytes: 4 << 20}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, strict := decodeBoth(t, DecodeOptions{Strict: true, Limits: small}, src)
		if strict == nil && !p.Header.Flags.IsCompressed() && len(p.Blocks) > 0 && !anyCompressed(p) {
			again, err := EncodeOptions{Store: NewMemoryStore()}.AppendEncode(context.Background(), nil, p)
			require.NoError(t, err)
			require.Equal(t, src, again)
			truncations(t, src)
		}
		_, byDefault := decodeBoth(t, DecodeOptions{Limits: small}, src)
		p, lenient := decodeBoth(t, DecodeOptions{Lenient: true, Limits: small, AllowTrailing: true, KeepReferences: true}, src)
		if strict == nil {
			require.NoError(t, byDefault)
		}
		if byDefault == nil {
			require.NoError(t, lenient)
		}
		if lenient != nil || len(p.Blocks) == 0 {
			return
		}
		o := EncodeOptions{Lenient: true, Store: NewMemoryStore()}
		again, err := o.AppendEncode(context.Background(), nil, p)
		require.NoError(t, err)
		back, err := DecodeOptions{Lenient: true, Store: o.Store, KeepReferences: true}.Decode(context.Background(), again)
		require.NoError(t, err)
		require.Equal(t, plain(p), plain(back))
		view, _, err := FromManifest(p.Value(), nil, Limits{})
		require.NoError(t, err)
		fromView, err := o.AppendEncode(context.Background(), nil, view)
		require.NoError(t, err)
		require.Equal(t, again, fromView)
	})
}

func anyCompressed(p *Payload) bool {
	for _, b := range p.Blocks {
		if b.Flags.isCompressed() {
			return true
		}
	}
	return false
}

// plain returns the blocks of p without the flags, which say how a block is
// stored: an encoder compresses what gets smaller by its own measure.
func plain(p *Payload) []Block {
	var list []Block
	for _, b := range p.Blocks {
		b.Flags &= flagsReserved
		list = append(list, b)
	}
	return list
}

func truncations(t *testing.T, src []byte) {
	p, err := Decode(src)
	require.NoError(t, err)
	most := len(src) - len(p.Trailing)
	for i := range min(most, 300) {
		if i == most-2 {
			continue // the document's bare END
		}
		_, err := Decode(src[:i])
		require.ErrorIs(t, err, wire.ErrTruncated)
	}
}

// Any text that is JSON survives the codec; whatever else is a block's content
// decodes to a view.
func FuzzCodec(f *testing.F) {
	for _, v := range valueVectors {
		f.Add([]byte(v.json), false)
	}
	f.Add([]byte(`{"a":"`+string(bytes.Repeat([]byte("x"), 300))+`"}`), true)
	f.Add([]byte("\xFF"), false)
	f.Fuzz(func(t *testing.T, text []byte, compress bool) {
		src, err := Encode(&Payload{Blocks: blocks(&StructuredData{Format: "json", Content: text})})
		require.NoError(t, err)
		codectest.SameLent(t, Codec{}, src)
		got, err := Codec{}.Decode(src)
		want, noJSON := wire.ParseJSON(text)
		if noJSON != nil {
			require.True(t, err != nil || got.Kind() == wire.KindObject)
			return
		}
		require.NoError(t, err)
		require.True(t, wire.Identical(want, got))
		again := codectest.Encoded(t, Codec{Compress: compress}, want)
		got = codectest.Decoded(t, Codec{}, again)
		require.True(t, wire.Identical(want, got))
	})
}

// The primitives agree with each other on every input.
func FuzzPrimitives(f *testing.F) {
	f.Add([]byte{0xAC, 0x02, 0xFF})
	f.Add(bytes.Repeat([]byte{0x80}, 11))
	f.Add([]byte{0xFF, 1, 0, 0})
	f.Add([]byte{1, 2, 3, 4, 5, 6})
	f.Fuzz(func(t *testing.T, src []byte) {
		v, n, err := DecodeVarint(src)
		if err == nil {
			require.LessOrEqual(t, sizeVarint(v), n)
			back, m, err := DecodeVarint(binary.AppendUvarint(nil, v))
			require.NoError(t, err)
			require.Equal(t, v, back)
			require.Equal(t, sizeVarint(v), m)
		}
		frame, n, err := ReadFrame(src)
		if err == nil && frame.Type != BlockEnd {
			require.LessOrEqual(t, frame.size(), n)
			back, _, err := ReadFrame(frame.append(nil))
			require.NoError(t, err)
			require.Equal(t, frame, back)
		}
		if h, err := ReadHeader(src); err == nil {
			require.Equal(t, src[:HeaderSize], h.append(nil))
		}
	})
}
