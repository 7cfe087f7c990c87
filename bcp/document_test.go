package bcp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// The tests that the document names for its modules varint (14), header (8)
// and block_frame (8), in Go's spelling: encode_varint is EncodeVarint,
// LcpHeader::read_from is ReadHeader, BlockFrame::read_from is ReadFrame,
// block_type::CODE is BlockCode, WireError::UnexpectedEof is wire.CodeUnexpectedEnd with the
// Offset of the error.

// requireFault checks the code, the kind and the offset of an error, which are what the
// document's variants hold.
func requireFault(t *testing.T, err error, code string, kind error, offset int) {
	t.Helper()
	e := codectest.Refused(t, err, code, kind)
	require.Equal(t, kind, e.Kind)
	require.Equal(t, offset, e.Offset)
}

func TestVarint(t *testing.T) {
	for _, c := range []struct {
		value uint64
		hex   string
	}{
		{0, "00"}, {1, "01"}, {127, "7f"}, {128, "8001"}, {300, "ac02"}, {16383, "ff7f"}, {16384, "808001"},
		{255, "ff01"}, {256, "8002"}, {math.MaxUint32, "ffffffff0f"}, {math.MaxUint64, "ffffffffffffffffff01"},
	} {
		want := unhex(t, c.hex)
		var buf [maxVarintLen]byte
		n := EncodeVarint(c.value, buf[:])
		require.Equal(t, want, buf[:n])
		require.Equal(t, append([]byte{9}, want...), binary.AppendUvarint([]byte{9}, c.value))
		require.Equal(t, len(want), sizeVarint(c.value))

		got, n, err := DecodeVarint(append(want, 0xFF, 0xFF)) // trailing bytes are left alone
		require.NoError(t, err)
		require.Equal(t, c.value, got)
		require.Equal(t, len(want), n)
		for i := range want {
			_, _, err := DecodeVarint(want[:i])
			requireFault(t, err, wire.CodeUnexpectedEnd, wire.ErrTruncated, i)
		}
	}
	for i := range 64 {
		require.Equal(t, len(binary.AppendUvarint(nil, 1<<i)), sizeVarint(1<<i))
	}
}

func TestVarintFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []byte
		code string
		kind error
		at   int
	}{
		{"empty", nil, wire.CodeUnexpectedEnd, wire.ErrTruncated, 0},
		{"only a continuation byte", []byte{0x80}, wire.CodeUnexpectedEnd, wire.ErrTruncated, 1},
		{"ten continuation bytes", bytes.Repeat([]byte{0x80}, 10), wire.CodeUnexpectedEnd, wire.ErrTruncated, 10},
		{"eleven continuation bytes", bytes.Repeat([]byte{0x80}, 11), CodeVarintTooLong, wire.ErrSyntax, 0},
		{"65 bits", append(bytes.Repeat([]byte{0xFF}, 9), 2), "varint_overflow", wire.ErrRange, 0},
		{"70 bits", append(bytes.Repeat([]byte{0xFF}, 9), 0x7F), "varint_overflow", wire.ErrRange, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, n, err := DecodeVarint(c.in)
			requireFault(t, err, c.code, c.kind, c.at)
			require.Zero(t, n)
		})
	}
	v, n, err := DecodeVarint([]byte{0x89, 0x80, 0x00})
	require.NoError(t, err)
	require.Equal(t, uint64(9), v)
	require.Equal(t, 3, n)
}

func TestHeader(t *testing.T) {
	for _, flags := range []HeaderFlags{0, HeaderCompressed | HeaderHasIndex, 0xFC} {
		h := NewHeader(flags)
		var buf [HeaderSize]byte
		require.NoError(t, h.WriteTo(buf[:]))
		require.Equal(t, "LCP\x00", string(buf[:4]))
		got, err := ReadHeader(buf[:])
		require.NoError(t, err)
		require.Equal(t, h, got)
		require.Equal(t, flags&1 != 0, got.Flags.IsCompressed())
		require.Equal(t, flags&2 != 0, got.Flags.HasIndex())
	}
	require.Equal(t, []byte("LCP\x00\x01\x00\x00\x00"), Header{}.append(nil))
	requireFault(t, NewHeader(0).WriteTo(make([]byte, 7)), wire.CodeUnexpectedEnd, wire.ErrTruncated, 7)
	requireCode(t, "invalid_magic", Header{Magic: "LCP\x00"}.WriteTo(make([]byte, 8)))

	for _, c := range []struct {
		name string
		in   string
		code string
		kind error
		at   int
		says string
	}{
		{"short", "LCP\x00", wire.CodeUnexpectedEnd, wire.ErrTruncated, 4, "byte 4"},
		{"magic", "NOPE\x01\x00\x00\x00", CodeInvalidMagic, wire.ErrUnknownFormat, 0, "4E 4F 50 45"},
		{"magic before version", "NOPE\x02\x00\x00\x00", CodeInvalidMagic, wire.ErrUnknownFormat, 0, "4E 4F 50 45"},
		{"version", "LCP\x00\x02\x00\x00\x00", CodeUnsupportedVersion, wire.ErrVersion, 4, "2.0"},
		{"version before reserved byte", "LCP\x00\x02\x03\x00\xFF", CodeUnsupportedVersion, wire.ErrVersion, 4, "2.3"},
		{"reserved byte", "BCP\x00\x01\x00\x00\xFF", CodeReservedNonZero, wire.ErrSyntax, 7, "0xFF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadHeader([]byte(c.in))
			requireFault(t, err, c.code, c.kind, c.at)
			require.ErrorContains(t, err, c.says)
		})
	}
	h, err := ReadHeader([]byte("BCP\x00\x01\x09\x00\x00"))
	require.NoError(t, err)
	require.Equal(t, Header{Magic: magicBCP, VersionMajor: 1, VersionMinor: 9}, h)
}

func TestFrame(t *testing.T) {
	for _, f := range []BlockFrame{
		{Type: BlockCode, Body: []byte("fn main() {}")},
		{Type: BlockToolResult, Flags: 3, Body: []byte{0xDE, 0xAD, 0xBE, 0xEF}},
		{Type: BlockAnnotation, Body: []byte{}},
		{Type: BlockDocument, Body: bytes.Repeat([]byte{0xAB}, 10_000)},
		{Type: BlockConversation, Body: []byte{1}}, {Type: BlockFileTree, Body: []byte{1}}, {Type: BlockStructuredData, Body: []byte{1}},
		{Type: BlockDiff, Body: []byte{1}}, {Type: BlockEmbeddingRef, Body: []byte{1}}, {Type: BlockImage, Body: []byte{1}},
		{Type: BlockExtension, Body: []byte{1}},
	} {
		t.Run(f.Type.String(), func(t *testing.T) {
			var w bytes.Buffer
			n, err := f.WriteTo(&w)
			require.NoError(t, err)
			require.EqualValues(t, f.size(), n)
			require.Equal(t, f.append(nil), w.Bytes())
			in := append(w.Bytes(), 0x01, 0x00)
			got, used, err := ReadFrame(in)
			require.NoError(t, err)
			require.Equal(t, f, got)
			require.Equal(t, f.size(), used)
			for i := range min(f.size(), 100) {
				_, _, err := ReadFrame(in[:i])
				require.ErrorIs(t, err, wire.ErrTruncated)
			}
		})
	}
	end, n, err := ReadFrame([]byte{0xFF, 0x01})
	require.NoError(t, err)
	require.Equal(t, BlockFrame{Type: BlockEnd}, end)
	require.Equal(t, 2, n)
	_, _, err = ReadFrame([]byte{0xFF, 0x03, 0, 0})
	requireFault(t, err, "invalid_block_type", wire.ErrSyntax, 0)
	_, err = BlockFrame{}.WriteTo(new(faulty.Writer))
	require.ErrorIs(t, err, faulty.ErrFull)
}

var errBroken = errors.New("broken")

func TestPrimitivesDoNotAllocate(t *testing.T) {
	frame := BlockFrame{Type: BlockExtension, Flags: 1, Body: make([]byte, 300)}.append(nil)
	dst := make([]byte, 0, 1024)
	var h Header
	growth.Allocs(t, 0, func() {
		dst = binary.AppendUvarint(dst[:0], math.MaxUint64)
		if _, _, err := DecodeVarint(dst); err != nil {
			t.Fatal(err)
		}
		f, _, err := ReadFrame(frame)
		if err != nil {
			t.Fatal(err)
		}
		dst = appendEnd(f.append(dst[:0]))
		dst = NewHeader(0).append(dst[:0])
		if h, err = ReadHeader(dst); err != nil {
			t.Fatal(err)
		}
	})
	require.Equal(t, NewHeader(0), h)
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{{"Rust", "rust"}, {"ts", "typescript"}, {"C++", "cpp"}, {"bash", "shell"}, {"brainfuck", ""}, {"other(66)", "other(66)"}} {
		require.Equal(t, c.want, parseLang(c.in))
	}
	for _, v := range []uint8{0, 17, 66, 254} {
		got, ok := langs.number(langOf(v))
		require.True(t, ok)
		require.Equal(t, v, got)
	}
	unset, ok := langs.number("")
	require.True(t, ok)
	require.Equal(t, uint8(unknownLang), unset)
	var p Priority
	require.NoError(t, p.UnmarshalText([]byte("HIGH")))
	require.Equal(t, PriorityHigh, p)
	for _, name := range []string{"urgent", "", "other(9)"} {
		require.ErrorIs(t, p.UnmarshalText([]byte(name)), wire.ErrShape)
	}
	_, err := Priority(9).MarshalText()
	require.ErrorIs(t, err, wire.ErrRange)
	for name, want := range map[string]BlockType{"tool_result": BlockToolResult, "toolresult": BlockToolResult, "Tool_Result": BlockToolResult, "0x42": 0x42} {
		var got BlockType
		require.NoError(t, got.UnmarshalText([]byte(name)))
		require.Equal(t, want, got)
		text, err := got.MarshalText()
		require.NoError(t, err)
		require.NoError(t, got.UnmarshalText(text))
		require.Equal(t, want, got)
	}
	require.Error(t, new(BlockType).UnmarshalText([]byte("poem")))
	require.Equal(t, "0x42", BlockType(0x42).String())
	require.Equal(t, "EXTENSION", BlockExtension.String())
}

func TestHash(t *testing.T) {
	require.Equal(t, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262", HashOf(nil).String())
	h := HashOf([]byte("fn shared() -> u32 { 42 }"))
	require.Equal(t, "f47d9fe8512023499e6e476eac730b605a21ef84b5ecda4ec9836030439d3344", h.String())
	back, err := ParseHash(h.String())
	require.NoError(t, err)
	require.Equal(t, h, back)
	for _, bad := range []string{"", "f47d", h.String()[1:] + "x"} {
		_, err := ParseHash(bad)
		require.ErrorIs(t, err, wire.ErrSyntax)
	}
}
