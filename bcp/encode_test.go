package bcp

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/wire"
)

// unsized returns n zeros as a zstd frame that does not have its size.
func unsized(t testing.TB, n int) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	require.NoError(t, err)
	for range n / (1 << 20) {
		_, err = w.Write(make([]byte, 1<<20))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestBuilder(t *testing.T) {
	var b Builder
	b.Add(code("rust", "a", "x")).Priority(PriorityHigh).Summary("s").Tag("t")
	b.Add(conversation("user", "hi")).Compress()
	p, err := b.Build()
	require.NoError(t, err)
	require.Equal(t, []Block{
		{Body: code("rust", "a", "x"), Summary: ptr("s")},
		{Body: priority(0, PriorityHigh)},
		{Body: &Annotation{Target: 0, Kind: "tag", Value: []byte("t")}},
		{Body: conversation("user", "hi"), Flags: FlagCompressed},
	}, p.Blocks)
	require.Equal(t, []Priority{PriorityHigh, PriorityNormal, PriorityNormal, PriorityNormal}, p.Priorities())

	for name, modify := range map[string]func(*Builder){
		"summary":   func(b *Builder) { b.Summary("s") },
		"priority":  func(b *Builder) { b.Priority(PriorityLow) },
		"tag":       func(b *Builder) { b.Tag("t") },
		"compress":  func(b *Builder) { b.Compress() },
		"reference": func(b *Builder) { b.Reference() },
	} {
		t.Run(name, func(t *testing.T) {
			var b Builder
			modify(&b)
			b.Add(code("rust", "a", "x"))
			_, err := b.Build()
			requireCode(t, "no_block_target", err)
		})
	}
}

func TestPriorities(t *testing.T) {
	p := &Payload{Blocks: blocks(priority(1, PriorityLow), code("rust", "a", "x"), priority(1, PriorityHigh), priority(9, PriorityHigh),
		&Annotation{Target: 1, Kind: "priority", Value: []byte{9}}, &Annotation{Target: 1, Kind: "priority"})}
	require.Equal(t, PriorityHigh, p.Priorities()[1])
}

func TestEncodeFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Payload
		code string
	}{
		{"empty", Payload{}, "empty_payload"},
		{"no body", Payload{Blocks: []Block{{}}}, "no_body"},
		{"a nil pointer for a body", Payload{Blocks: []Block{{Body: (*Code)(nil)}}}, "no_body"},
		{"a nil pointer among bodies", Payload{Blocks: []Block{{Body: &Code{}}, {Body: (*Annotation)(nil)}}}, "no_body"},
		{"magic", Payload{Header: Header{Magic: "NOPE"}, Blocks: blocks(code("rust", "", ""))}, "invalid_magic"},
		{"version", Payload{Header: Header{VersionMajor: 2}, Blocks: blocks(code("rust", "", ""))}, "unsupported_version"},
		{"path", Payload{Blocks: blocks(code("rust", "\xFF", ""))}, "invalid_utf8"},
		{"role", Payload{Blocks: blocks(&Conversation{Role: "other(9)"})}, "invalid_enum_value"},
		{"summary", Payload{Blocks: []Block{{Body: code("rust", "", ""), Summary: ptr("\xFF")}}}, "invalid_utf8"},
		{"extra", Payload{Blocks: []Block{{Body: &Code{}, Extra: []byte{9}}}}, "invalid_extra"},
		{"extra of an unknown body", Payload{Blocks: []Block{{Body: &UnknownBody{Type: 0x42}, Extra: []byte{9, 0, 0}}}}, "invalid_extra"},
		{"a word", Payload{Blocks: blocks(&Conversation{Role: "boss"})}, "invalid_enum_value"},
		{"a language", Payload{Blocks: blocks(&Code{Lang: "Go"})}, "invalid_enum_value"},
		{"an image of an unknown type", Payload{Blocks: blocks(&Image{Data: []byte("x")})}, "invalid_enum_value"},
		{"unknown of a known type", Payload{Blocks: blocks(&UnknownBody{Type: BlockCode})}, "invalid_block_type"},
		{"unknown END", Payload{Blocks: blocks(&UnknownBody{Type: BlockEnd})}, "invalid_block_type"},
		{"END as reference", Payload{Blocks: blocks(&Reference{Type: BlockEnd})}, "invalid_block_type"},
		{"reference without a store", Payload{Blocks: []Block{{Body: code("rust", "", ""), Flags: FlagIsReference}}}, "missing_content_store"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dst := []byte("kept")
			got, err := EncodeOptions{}.AppendEncode(context.Background(), dst, &c.p)
			requireCode(t, c.code, err)
			require.Equal(t, dst, got)
		})
	}
	_, err := EncodeOptions{Store: brokenStore{}, Dedup: true}.AppendEncode(context.Background(), nil, &Payload{Blocks: blocks(code("rust", "", ""))})
	require.ErrorIs(t, err, errBroken)
	_, err = EncodeOptions{Limits: Limits{PayloadBytes: 20}}.AppendEncode(context.Background(), nil, &Payload{Blocks: blocks(code("rust", "", ""), code("rust", "", ""))})
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestFirstFault: an error is at the field at fault, and has only its own hint.
func TestFirstFault(t *testing.T) {
	for path, body := range map[string]Body{
		"/blocks/0/path":       &Diff{Path: "\xFF", Hunks: make([]DiffHunk, 1)},
		"/blocks/0/media_type": &Image{AltText: "\xFF"},
	} {
		var e *wire.Error
		_, err := Encode(&Payload{Blocks: blocks(body)})
		require.ErrorAs(t, err, &e)
		require.Equal(t, path, e.Path())
		require.Equal(t, path == "/blocks/0/path", strings.Contains(e.Hint, "Lenient"))
	}
}

// What is one of a few words need not be set: the plainest one is written.
func TestZeroWords(t *testing.T) {
	p := &Payload{Blocks: blocks(&Code{Path: "a"}, &Conversation{}, &ToolResult{}, &Document{Title: "t"}, &StructuredData{}, &Annotation{},
		&FileTree{Entries: []FileEntry{{Name: "f"}}}, &Image{Data: []byte("GIF89a")}, &Image{Data: []byte("RIFF\x00\x00\x00\x00WEBP")})}
	src, err := Encode(p)
	require.NoError(t, err)
	back, err := DecodeOptions{Strict: true}.Decode(context.Background(), src)
	require.NoError(t, err)
	var got []string
	for _, b := range back.Blocks {
		switch body := b.Body.(type) {
		case *Code:
			got = append(got, body.Lang)
		case *Conversation:
			got = append(got, body.Role)
		case *ToolResult:
			got = append(got, body.Status)
		case *Document:
			got = append(got, body.FormatHint)
		case *StructuredData:
			got = append(got, body.Format)
		case *Annotation:
			got = append(got, body.Kind)
		case *FileTree:
			got = append(got, body.Entries[0].Kind)
		case *Image:
			got = append(got, body.MediaType)
		}
	}
	require.Equal(t, []string{"", "user", "ok", "plain", "json", "tag", "file", "gif", "webp"}, got)
	again, _, err := FromManifest(p.Value(), nil, Limits{})
	require.NoError(t, err)
	require.Equal(t, back.Blocks[1:], again.Blocks[1:])
	for _, name := range []string{"User", "boss", "other(256)", "other(-1)", "other(9"} {
		_, err = EncodeOptions{Lenient: true}.AppendEncode(context.Background(), nil, &Payload{Blocks: blocks(&Conversation{Role: name})})
		requireCode(t, "invalid_enum_value", err)
		require.ErrorContains(t, err, "role")
	}
}

// A nil pointer is not a body, whatever it points to, for all that reads payloads.
func TestNilBodies(t *testing.T) {
	for _, body := range []Body{nil, (*Code)(nil), (*Conversation)(nil), (*FileTree)(nil), (*ToolResult)(nil), (*Document)(nil), (*StructuredData)(nil),
		(*Diff)(nil), (*Annotation)(nil), (*EmbeddingRef)(nil), (*Image)(nil), (*Extension)(nil), (*UnknownBody)(nil), (*Reference)(nil)} {
		p := &Payload{Blocks: blocks(code("rust", "a", ""), body)}
		for _, o := range []EncodeOptions{{}, {Dedup: true}, {CompressBlocks: true}} {
			_, err := o.AppendEncode(context.Background(), nil, p)
			requireCode(t, "no_body", err)
		}
		requireCode(t, "no_body", EncodeOptions{}.NewEncoder(context.Background(), io.Discard, Header{}).Write(Block{Body: body}))
		require.Equal(t, PriorityNormal, p.Priorities()[0])
		require.Contains(t, p.Value().String(), `,{"type":null}]`)
	}
}

func TestCompression(t *testing.T) {
	encode := func(o EncodeOptions, bodies ...Body) []byte {
		out, err := o.AppendEncode(context.Background(), nil, &Payload{Header: Header{Magic: magicBCP}, Blocks: blocks(bodies...)})
		require.NoError(t, err)
		return out
	}
	one := EncodeOptions{CompressBlocks: true}
	require.Len(t, encode(one, code("rust", "a", strings.Repeat("a", 244))), 271, "a body of 255 bytes stays plain")
	small := encode(one, code("rust", "a", strings.Repeat("a", 245)))
	require.Less(t, len(small), 60)
	require.Equal(t, byte(FlagCompressed), small[9])
	noise := HashOf(nil)
	var incompressible []byte
	for range 20 {
		noise = HashOf(noise[:])
		incompressible = append(incompressible, noise[:]...)
	}
	require.Zero(t, encode(one, code("rust", "a", string(incompressible)))[9])

	long := strings.Repeat("use std::io;\n", 100)
	whole := encode(EncodeOptions{CompressBlocks: true, CompressPayload: true}, code("rust", "a.rs", long), code("rust", "b.rs", long))
	require.Equal(t, byte(HeaderCompressed), whole[6])
	require.Less(t, len(whole), 100)
	p, err := Decode(whole)
	require.NoError(t, err)
	require.Equal(t, blocks(code("rust", "a.rs", long), code("rust", "b.rs", long)), p.Blocks, "no block is compressed by itself")
	require.Zero(t, encode(EncodeOptions{CompressPayload: true}, code("rust", "a", "x"))[6], "it would not shrink")
}

// The streaming encoder writes the bytes of AppendEncode, one block a Write.
func TestEncoder(t *testing.T) {
	for _, v := range plainVectors(t) {
		for _, o := range []EncodeOptions{{}, {CompressBlocks: true}, {CompressPayload: true}, {Dedup: true}} {
			want, err := o.AppendEncode(context.Background(), nil, &Payload{Blocks: v.blocks})
			require.NoError(t, err)
			var w countingWriter
			enc := o.NewEncoder(context.Background(), &w, Header{})
			for _, b := range v.blocks {
				require.NoError(t, enc.Write(b))
			}
			require.NoError(t, enc.Close())
			require.NoError(t, enc.Close())
			require.Equal(t, want, w.Bytes())
			if !o.CompressPayload {
				require.Equal(t, len(v.blocks)+1, w.calls)
			}
			require.Error(t, enc.Write(v.blocks[0]))
		}
	}
	enc := EncodeOptions{}.NewEncoder(context.Background(), new(faulty.Writer), Header{})
	require.ErrorIs(t, enc.Write(Block{Body: code("rust", "", "")}), faulty.ErrFull)
	require.ErrorIs(t, enc.Close(), faulty.ErrFull)
	requireCode(t, "empty_payload", EncodeOptions{}.NewEncoder(context.Background(), new(bytes.Buffer), Header{}).Close())
	require.Error(t, EncodeOptions{}.NewEncoder(context.Background(), new(bytes.Buffer), Header{Magic: "NOPE"}).Close())
	enc = EncodeOptions{}.NewEncoder(context.Background(), new(bytes.Buffer), Header{})
	requireCode(t, "no_body", enc.Write(Block{}))
	requireCode(t, "no_body", enc.Close())
}

// TestEncoderKeepsNothing: an Encoder keeps no part of a block that it has written.
func TestEncoderKeepsNothing(t *testing.T) {
	enc := EncodeOptions{}.NewEncoder(context.Background(), io.Discard, Header{})
	body := code("go", "a.go", "package a")
	left := weak.Make(body)
	require.NoError(t, enc.Write(Block{Body: body}))
	runtime.GC()
	require.True(t, left.Value() == nil)
	require.NoError(t, enc.Close())
}

type countingWriter struct {
	bytes.Buffer
	calls int
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.calls++
	return w.Buffer.Write(b)
}
