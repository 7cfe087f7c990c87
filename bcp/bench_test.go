package bcp

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// smallPack, mediumPack and the packs of a size are those of the reference's
// benchmarks.
func smallPack() *Payload {
	return &Payload{Blocks: blocks(code("rust", "src/main.rs", "fn main() { println!(\"hello\"); }\n"))}
}

func mediumPack() *Payload {
	p := new(Payload)
	for i := range 5 {
		p.Blocks = append(p.Blocks, Block{Body: code("rust", fmt.Sprintf("src/file_%d.rs", i), strings.Repeat("fn f() { todo!() }\n", 50))})
	}
	p.Blocks = append(p.Blocks, blocks(conversation("user", "Fix the timeout."), conversation("assistant", "I'll look at the pool."),
		&ToolResult{ToolName: "rg", Status: "ok", Content: []byte("3 matches")})...)
	return p
}

func sizedPack(n int) *Payload {
	return &Payload{Blocks: blocks(code("rust", "src/large.rs", strings.Repeat("x", n)))}
}

var packs = []struct {
	name string
	pack *Payload
}{
	{"small", smallPack()}, {"medium", mediumPack()}, {"1KB", sizedPack(1 << 10)}, {"10KB", sizedPack(10 << 10)},
	{"100KB", sizedPack(100 << 10)}, {"10MB", sizedPack(10 << 20)},
}

// eachPack benchmarks a call on every pack, which prepare makes of it and its bytes.
func eachPack(b *testing.B, prepare func(p *Payload, src []byte) func() error) {
	for _, c := range packs {
		src, err := Encode(c.pack)
		require.NoError(b, err)
		codectest.Measure(b, c.name, len(src), prepare(c.pack, src))
	}
}

func BenchmarkEncode(b *testing.B) {
	eachPack(b, func(p *Payload, buf []byte) func() error {
		return func() (err error) {
			buf, err = EncodeOptions{}.AppendEncode(context.Background(), buf[:0], p)
			return err
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	eachPack(b, func(_ *Payload, src []byte) func() error {
		return func() error { _, err := Decode(src); return err }
	})
}

func BenchmarkDecoder(b *testing.B) {
	eachPack(b, func(_ *Payload, src []byte) func() error {
		r := bytes.NewReader(nil)
		return func() error {
			r.Reset(src)
			for _, err := range (DecodeOptions{NoBackReferences: true}).NewDecoder(context.Background(), r).Blocks() {
				if err != nil {
					return err
				}
			}
			return nil
		}
	})
}

func BenchmarkPrimitives(b *testing.B) {
	frame := BlockFrame{Type: BlockCode, Body: make([]byte, 300)}.append(nil)
	buf := make([]byte, 0, 512)
	b.Run("appendVarint", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = binary.AppendUvarint(buf[:0], 1<<40)
		}
	})
	b.Run("DecodeVarint", func(b *testing.B) {
		b.ReportAllocs()
		in := binary.AppendUvarint(nil, 1<<40)
		for b.Loop() {
			if _, _, err := DecodeVarint(in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("ReadFrame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := ReadFrame(frame); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The codec beside goccy/go-json on the same documents; MB/s of compact JSON.
func BenchmarkCodec(b *testing.B) {
	b.Run("encode", func(b *testing.B) { codectest.Encode(b, Codec{}, wire.JSON{}) })
	b.Run("decode", func(b *testing.B) { codectest.Decode(b, Codec{}, wire.JSON{}) })
}

// What must not be more than linear: deep trees, many blocks, many fields, many
// references. Time per byte stays the same as n grows.
func BenchmarkHostile(b *testing.B) {
	many := func(n int, one func(i int) []byte) []byte {
		src := Header{}.append(nil)
		for i := range n {
			src = append(src, one(i)...)
		}
		return appendEnd(src)
	}
	fields := func(n int) []byte {
		body := unhex(b, `010001020100030100`)
		for range n {
			body = append(body, 99, 0, 1, 98, 0, 1)
		}
		return body
	}
	for _, c := range []struct {
		name string
		make func(n int) []byte
	}{
		{"empty blocks", func(n int) []byte { return many(n, func(int) []byte { return []byte{0x42, 0, 0} }) }},
		{"unknown fields", func(n int) []byte {
			return many(1, func(int) []byte { return BlockFrame{Type: BlockCode, Body: fields(n)}.append(nil) })
		}},
		{"entries", func(n int) []byte {
			body := appendBytes(nil, 1, "/")
			for range n {
				body = append(body, 2, 2, 6, 1, 1, 0, 2, 0, 0)
			}
			return many(1, func(int) []byte { return BlockFrame{Type: BlockFileTree, Body: body}.append(nil) })
		}},
		{"references", func(n int) []byte {
			h := HashOf(nil)
			return many(n, func(i int) []byte {
				if i%2 == 0 {
					return []byte{0x42, 0, 0}
				}
				return BlockFrame{Type: 0x42, Flags: FlagIsReference, Body: h[:]}.append(nil)
			})
		}},
	} {
		for _, n := range []int{1000, 10_000, 100_000} {
			src := c.make(n)
			codectest.Measure(b, fmt.Sprintf("%s/%d", c.name, n), len(src), func() error { _, err := Decode(src); return err })
		}
	}
}

// Decoding allocates the same, however large the content is: the payload, its list of
// blocks, the body, and a path or a list of hunks for all of them. Encoding into memory that
// is there allocates nothing.
func TestDecodeAllocations(t *testing.T) {
	diff := func(hunks int) *Payload { return &Payload{Blocks: blocks(&Diff{Hunks: make([]DiffHunk, hunks)})} }
	for _, p := range []*Payload{sizedPack(100), sizedPack(10 << 20), diff(1), diff(1000)} {
		buf, err := Encode(p)
		require.NoError(t, err)
		growth.Allocs(t, 4, func() {
			if _, err := Decode(buf); err != nil {
				t.Fatal(err)
			}
		})
		growth.Allocs(t, 0, func() {
			if buf, err = (EncodeOptions{}).AppendEncode(context.Background(), buf[:0], p); err != nil {
				t.Fatal(err)
			}
		})
		if _, ok := p.Blocks[0].Body.(*Code); ok {
			growth.Bytes(t, 4096, func() { _, _ = Decode(buf) })
		}
	}
}
