package bcp

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// What an encoder writes, a decoder with the same limits reads.
func TestEncodersKeepToTheDecodersLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: payloads of 100 MiB")
	}
	mebi := func(n int) []Block {
		same := Block{Body: &UnknownBody{Type: 0x42, Data: bytes.Repeat([]byte("0123456789abcdef"), 1<<16)}}
		list := make([]Block, n)
		for i := range list {
			list[i] = same
		}
		return list
	}
	large := func(n int, b byte) []Block {
		var list []Block
		for i := range n {
			data := bytes.Repeat([]byte{b + byte(i)}, defaultBlockBytes-100)
			list = append(list, Block{Body: &UnknownBody{Type: 0x42, Data: data}})
		}
		return list
	}
	many := func(n int) []Block {
		list := make([]Block, n)
		for i := range list {
			list[i].Body = &UnknownBody{Type: 0x42}
		}
		return list
	}
	tree := []Block{{Body: &FileTree{Entries: make([]FileEntry, 150_000)}}}
	for name, c := range map[string]struct {
		blocks []Block
		o      EncodeOptions
	}{
		"equal blocks":                       {mebi(100), EncodeOptions{Dedup: true}},
		"equal blocks, compressed":           {mebi(60), EncodeOptions{Dedup: true, CompressBlocks: true}},
		"equal blocks, compressed as one":    {mebi(60), EncodeOptions{Dedup: true, CompressPayload: true}},
		"large blocks":                       {large(5, 'a'), EncodeOptions{CompressBlocks: true}},
		"large blocks, compressed as one":    {large(3, 'a'), EncodeOptions{CompressPayload: true}},
		"many blocks":                        {many(100_000), EncodeOptions{CompressPayload: true}},
		"a tree":                             {tree, EncodeOptions{CompressBlocks: true}},
		"a tree, compressed as one":          {tree, EncodeOptions{CompressPayload: true}},
		"a tight limit":                      {mebi(20), EncodeOptions{Dedup: true, CompressBlocks: true, Limits: Limits{InflatedBytes: 5 << 20}}},
		"little kept":                        {append(mebi(3), large(1, 'a')...), EncodeOptions{Dedup: true, Limits: Limits{KeptBytes: 1 << 20}}},
		"nothing kept":                       {mebi(3), EncodeOptions{Dedup: true, Limits: Limits{KeptBytes: 1}}},
		"kept bodies beyond the first large": {append(append(large(2, 'a'), mebi(3)...), large(2, 'a')...), EncodeOptions{Dedup: true}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Payload{Header: Header{Magic: magicBCP}, Blocks: c.blocks}
			src, err := c.o.AppendEncode(context.Background(), nil, p)
			require.NoError(t, err)
			read := DecodeOptions{Limits: c.o.Limits}
			got, err := read.Decode(context.Background(), src)
			require.NoError(t, err)
			require.Len(t, got.Blocks, len(p.Blocks))
			for i := range got.Blocks {
				require.True(t, bytes.Equal(bodyOf(&p.Blocks[i]), bodyOf(&got.Blocks[i])))
			}
			_, err = decodeStream(read.NewDecoder(context.Background(), bytes.NewReader(src)))
			require.NoError(t, err)
			var stream bytes.Buffer
			e := c.o.NewEncoder(context.Background(), &stream, p.Header)
			for _, b := range p.Blocks {
				require.NoError(t, e.Write(b))
			}
			require.NoError(t, e.Close())
			require.True(t, bytes.Equal(src, stream.Bytes()))
		})
	}
	// A reference that was asked for is not written otherwise.
	p := &Payload{Blocks: mebi(1)}
	p.Blocks[0].Flags = FlagIsReference
	_, err := EncodeOptions{Store: NewMemoryStore(), Limits: Limits{InflatedBytes: 1 << 19}}.AppendEncode(context.Background(), nil, p)
	requireCode(t, "payload_too_large", err)
	require.Contains(t, err.Error(), "Limits.InflatedBytes")
}

// The encoder's account of what a decoder takes is the decoder's.
func TestMeters(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	word := func() string { return strings.Repeat("word ", r.IntN(200)) }
	for range 200 {
		var p Payload
		for range 1 + r.IntN(8) {
			var body Body
			switch r.IntN(5) {
			case 0:
				body = &Code{Lang: "go", Path: word(), Content: []byte(word())}
			case 1:
				body = &FileTree{Root: word(), Entries: []FileEntry{{Name: word(), Kind: "directory", Children: make([]FileEntry, r.IntN(40))}, {Name: word()}}}
			case 2:
				body = &Diff{Path: word(), Hunks: make([]DiffHunk, r.IntN(90))}
			case 3:
				body = &ToolResult{ToolName: word(), Status: "ok", Content: []byte(word()), SchemaHint: ptr(word())}
			case 4:
				body = &Image{MediaType: "png", AltText: word(), Data: []byte(word())}
			}
			b := Block{Body: body}
			if r.IntN(2) == 0 {
				b.Summary = ptr(word())
			}
			p.Blocks = append(p.Blocks, b)
			if r.IntN(3) == 0 {
				p.Blocks = append(p.Blocks, b)
			}
		}
		for _, o := range []EncodeOptions{{CompressBlocks: true}, {Dedup: true}, {Dedup: true, CompressBlocks: true}, {Dedup: true, CompressPayload: true}} {
			var w blockWriter
			w.init(context.Background(), &o, p.Header, false)
			var out []byte
			var err error
			for i := range p.Blocks {
				out, err = w.append(out, &p.Blocks[i])
				require.NoError(t, err)
			}
			out = appendEnd(out)
			out = w.finish(append(p.Header.append(nil), out...), 0, HeaderSize)
			var d Decoder
			d.init(context.Background(), &DecodeOptions{})
			d.in.buf = out
			_, err = d.Header()
			require.NoError(t, err)
			text := len(d.in.buf)
			for err == nil {
				_, err = d.Next()
			}
			require.Equal(t, io.EOF, err)
			if d.stored > 0 {
				require.Equal(t, text+w.inside, d.meter.used)
			} else {
				used := 0
				if d.meter != nil {
					used = d.meter.used
				}
				require.Equal(t, w.meter.used, used)
			}
		}
	}
}

// idleByteReader is stuck after data, but for single bytes.
type idleByteReader struct {
	io.Reader
	one *bytes.Reader
}

func (r idleByteReader) ReadByte() (byte, error) { return r.one.ReadByte() }

// A reader that gives nothing and no error does not hold a decoder for ever.
func TestIdleReaders(t *testing.T) {
	src := unhex(t, plainVectors(t)[7].hex)
	whole := wholly(make([]byte, 1000), deflate)
	for _, src := range [][]byte{src, whole} {
		for i := range src {
			_, err := decodeStream(DecodeOptions{}.NewDecoder(context.Background(), faulty.Stuck(src[:i])))
			require.ErrorIs(t, err, io.ErrNoProgress, "%d bytes", i)
			one := bytes.NewReader(src[:i])
			_, err = decodeStream(DecodeOptions{}.NewDecoder(context.Background(), idleByteReader{faulty.Stuck(src[:i]), one}))
			require.Error(t, err, "%d bytes", i)
		}
	}
	stalling := iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(src)))
	_, err := decodeStream(DecodeOptions{}.NewDecoder(context.Background(), stalling))
	require.ErrorIs(t, err, iotest.ErrTimeout)
}

func TestShortWriters(t *testing.T) {
	for _, o := range []EncodeOptions{{}, {CompressPayload: true}, {CompressBlocks: true}} {
		write := func(w io.Writer) error {
			e := o.NewEncoder(context.Background(), w, Header{})
			for _, text := range []string{"a", strings.Repeat("b", 1000)} {
				if err := e.Write(Block{Body: &UnknownBody{Type: 0x42, Data: []byte(text)}}); err != nil {
					return err
				}
			}
			return e.Close()
		}
		var all bytes.Buffer
		require.NoError(t, write(&all))
		for n := range all.Len() {
			require.ErrorIs(t, write(&faulty.Writer{Limit: n, Silent: true}), io.ErrShortWrite, "%d of %d bytes", n, all.Len())
		}
		require.NoError(t, write(&faulty.Writer{Limit: all.Len(), Silent: true}))
	}
	n, err := BlockFrame{Type: 0x42, Body: []byte("abc")}.WriteTo(&faulty.Writer{Limit: 2, Silent: true})
	require.ErrorIs(t, err, io.ErrShortWrite)
	require.EqualValues(t, 2, n)
	w, err := Codec{}.NewRecordWriter(&faulty.Writer{Limit: 20, Silent: true}, nil)
	require.NoError(t, err)
	require.NoError(t, w.Write(wire.String("a text that is longer than that")))
	require.ErrorIs(t, w.Flush(), io.ErrShortWrite)
	require.ErrorIs(t, w.Close(), io.ErrShortWrite)
}

func TestNilPayload(t *testing.T) {
	_, err := Encode(nil)
	requireCode(t, "empty_payload", err)
}

func TestEncodeTakesMemoryOnce(t *testing.T) {
	p := new(Payload)
	for range 100 {
		p.Blocks = append(p.Blocks, Block{Body: code("go", "a.go", strings.Repeat("x", 16<<10))})
	}
	growth.Bytes(t, 100*16<<10*5/2, func() { _, _ = Encode(p) }) // the race detector makes it twice
}
