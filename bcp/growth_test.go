package bcp

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// Time grows with the input and not faster, for payloads that ask for as much
// work as they can and through every way in.
func TestLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures time")
	}
	block := func(t BlockType, flags BlockFlags, body []byte) []byte {
		return appendEnd(BlockFrame{Type: t, Flags: flags, Body: body}.append(Header{}.append(nil)))
	}
	tree := func(n, depth int) []byte {
		entries := make([]FileEntry, n)
		for range depth {
			entries = []FileEntry{{Name: "d", Kind: "directory", Children: entries}}
		}
		return bodyOf(&Block{Body: &FileTree{Root: "/", Entries: entries}})
	}
	json := func(text string) []byte { return appendBytes(appendNumber(nil, 1, 1), 3, text) }
	for name, input := range map[string]func(n int) []byte{
		"empty blocks": func(n int) []byte {
			return appendEnd(append(Header{}.append(nil), bytes.Repeat([]byte{0x42, 0, 0}, n)...))
		},
		"entries":      func(n int) []byte { return block(BlockFileTree, 0, tree(n, 0)) },
		"deep entries": func(n int) []byte { return block(BlockFileTree, 0, tree(n, 500)) },
		"hunks": func(n int) []byte {
			return block(BlockDiff, 0, bodyOf(&Block{Body: &Diff{Hunks: make([]DiffHunk, n)}}))
		},
		"unknown fields": func(n int) []byte {
			return block(BlockCode, 0, append(bodyOf(&Block{Body: code("go", "a", "")}), bytes.Repeat([]byte{0, 0, 1, 99, 0, 1, 2, 1, 0}, n)...))
		},
		"references": func(n int) []byte {
			src := BlockFrame{Type: 0x42, Body: []byte("x")}.append(Header{}.append(nil))
			h := HashOf([]byte("x"))
			return appendEnd(append(src, bytes.Repeat(BlockFrame{Type: 0x42, Flags: FlagIsReference, Body: h[:]}.append(nil), n)...))
		},
		"bodies and references": func(n int) []byte {
			src := Header{}.append(nil)
			for i := range n {
				body := binary.AppendUvarint(nil, uint64(i))
				h := HashOf(body)
				src = BlockFrame{Type: 0x42, Body: body}.append(src)
				src = BlockFrame{Type: 0x42, Flags: FlagIsReference, Body: h[:]}.append(src)
			}
			return appendEnd(src)
		},
		"compressed blocks": func(n int) []byte {
			frame := BlockFrame{Type: 0x42, Flags: FlagCompressed, Body: zeros(10)}.append(nil)
			return appendEnd(append(Header{}.append(nil), bytes.Repeat(frame, n/10)...))
		},
		"frames in a block": func(n int) []byte { return block(0x42, FlagCompressed, bytes.Repeat(zeros(10), n/10)) },
		"skippable frames":  func(n int) []byte { return block(0x42, FlagCompressed, bytes.Repeat(unhex(t, "502A4D1800000000"), n)) },
		"empty zstd blocks": func(n int) []byte {
			return block(0x42, FlagCompressed, append(unhex(t, "28B52FFD0058"), bytes.Repeat([]byte{0, 0, 0}, n)...))
		},
		"compressed JSON": func(n int) []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json("["+strings.Repeat("1,", n)+"1]")))
		},
		"a payload compressed": func(n int) []byte { return wholly(bytes.Repeat([]byte("text "), n), deflate) },
	} {
		t.Run(name, func(t *testing.T) {
			for way, call := range map[string]func(src []byte){
				"Decode": func(src []byte) { _, _ = Decode(src) },
				"Decoder": func(src []byte) {
					_, _ = decodeStream(DecodeOptions{}.NewDecoder(context.Background(), bytes.NewReader(src)))
				},
				"Codec": func(src []byte) { _, _ = Codec{}.Decode(src) },
				"Records": func(src []byte) {
					for range (Codec{}).Records(bytes.NewReader(src)) {
					}
				},
				"again": func(src []byte) {
					if p, err := Decode(src); err == nil {
						_, _ = EncodeOptions{Dedup: true, CompressBlocks: true}.AppendEncode(context.Background(), nil, p)
						_, _, _ = FromManifest(p.Value(), nil, Limits{})
					}
				},
			} {
				t.Run(way, func(t *testing.T) {
					growth.Linear(t, 2500, func(n int) func() {
						src := input(n)
						return func() { call(src) }
					})
				})
			}
		})
	}
}

// A decoder keeps no more of earlier bodies than the limit says, in a stream of
// any length, and finds what it kept.
func TestKeptBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: a stream of 125 MiB")
	}
	body := func(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 32<<10) }
	src := Header{}.append(nil)
	for i := range 2000 { // 125 MiB
		src = BlockFrame{Type: 0x42, Body: body(i)}.append(src)
	}
	reference := func(i int) []byte {
		h := HashOf(body(i))
		return appendEnd(BlockFrame{Type: 0x42, Flags: FlagIsReference, Body: h[:]}.append(src))
	}
	for i, found := range map[int]bool{0: true, 511: true, 512: false, 1999: false} {
		d := DecodeOptions{}.NewDecoder(context.Background(), bytes.NewReader(reference(i)))
		var err error
		for _, err = range d.Blocks() {
		}
		if found {
			require.NoError(t, err)
		} else {
			requireCode(t, "missing_content_store", err)
			require.Contains(t, err.Error(), "Limits.KeptBytes")
		}
		require.Equal(t, defaultKeptBytes, d.earlier.kept.used)
	}
	_, err := DecodeOptions{Limits: Limits{KeptBytes: -1}}.Decode(context.Background(), reference(1999))
	require.NoError(t, err)
}

// Every cut of a compressed payload is noticed, in both decoders.
func TestCutCompressedPayloads(t *testing.T) {
	p := &Payload{Header: Header{Magic: magicBCP}, Blocks: blocks(code("go", "a.go", strings.Repeat("x = y\n", 100)), &Document{Title: "T", Content: logText(20), FormatHint: "plain"})}
	for _, o := range []EncodeOptions{{CompressBlocks: true}, {CompressPayload: true}} {
		src, err := o.AppendEncode(context.Background(), nil, p)
		require.NoError(t, err)
		for i := range src {
			if bytes.HasSuffix(src[:i], []byte{0xFF, 0x01}) && i == len(src)-2 && o.CompressBlocks {
				continue // the document's END
			}
			_, err := decodeBoth(t, DecodeOptions{}, src[:i])
			require.Error(t, err, "%d of %d bytes", i, len(src))
		}
	}
}
