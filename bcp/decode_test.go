package bcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// decodeBoth decodes src from memory and from readers of three kinds, checks
// that all agree, and returns what they say.
func decodeBoth(t testing.TB, o DecodeOptions, src []byte) (*Payload, error) {
	t.Helper()
	p, err := o.Decode(context.Background(), src)
	for name, r := range map[string]io.Reader{
		"bytes.Reader": bytes.NewReader(src),
		"one byte":     iotest.OneByteReader(bytes.NewReader(src)),
		"halves":       iotest.HalfReader(iotest.DataErrReader(bytes.NewReader(src))),
	} {
		q, streamed := decodeStream(o.NewDecoder(context.Background(), r))
		if err != nil {
			require.Error(t, streamed, name)
			require.Equal(t, err.Error(), streamed.Error(), name)
			require.Equal(t, code2(err), code2(streamed), name)
			continue
		}
		require.NoError(t, streamed, name)
		require.Equal(t, p.Header, q.Header, name)
		require.Equal(t, p.Blocks, q.Blocks, name)
		require.True(t, bytes.Equal(p.Trailing, q.Trailing), name)
	}
	return p, err
}

func decodeStream(d *Decoder) (*Payload, error) {
	h, err := d.Header()
	if err != nil {
		return nil, err
	}
	p := &Payload{Header: h}
	for b, err := range d.Blocks() {
		if err != nil {
			_, again := d.Next()
			if again != err {
				return nil, errors.New("the second error differs")
			}
			return nil, err
		}
		p.Blocks = append(p.Blocks, b)
	}
	p.Trailing = d.in.all(d.limits.PayloadBytes)
	return p, d.in.err
}

func code2(err error) string {
	var e *wire.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// The tables 10.3, 10.4 and 10.5 of what must be refused: by default and in
// strict mode, or in strict mode only. What is accepted in both is among the
// plain vectors.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		hex    string
		code   string // by default; "" means accepted
		strict string // in strict mode, if it differs
	}{
		{"10.3-1 header only", ``, "missing_end_sentinel", ""},
		{"10.3-2 no blocks", e, "", ""},
		{"10.3-3 bare END", `FF01`, "", "unexpected_end"},
		{"10.3-4 half END", `FF0100`, "unexpected_end", ""},
		{"10.3-5 END with flags", `FF010700`, "", "reserved_flags"},
		{"10.3-6 END with a length", `FF010005`, "end_not_empty", ""},
		{"10.3-7 END with a body", `FF01000568656C6C6F`, "end_not_empty", ""},
		{"10.3-8 END in three bytes", `FF81000000`, "", "varint_not_minimal"},
		{"10.3-9 a raw FF", `FF0000`, "unexpected_end", ""},
		{"10.3-10 data after END", e + `DEADBEEF`, "trailing_data", ""},
		{"10.3-13 type 511", `FF030000`, "invalid_block_type", ""},
		{"10.3-13 type 257", `810200` + e, "invalid_block_type", ""},
		{"10.3-16 no END and no body", `0100640100`, "unexpected_end", ""},
		{"10.3-17 length 2^64-1", `0100FFFFFFFFFFFFFFFFFF01`, "block_too_large", ""},
		{"10.3-18 length 2^32-1", `0100FFFFFFFF0F`, "block_too_large", ""},
		{"length 16 MiB", `010080808008`, "unexpected_end", ""},
		{"10.3-19 ten 80", strings.Repeat("80", 10), "unexpected_end", ""},
		{"10.3-19 eleven 80", strings.Repeat("80", 11), "varint_too_long", ""},
		{"10.3-20 type of 65 bits", `FFFFFFFFFFFFFFFFFF020000`, "varint_overflow", ""},
		{"10.3-20 lang of 65 bits", `0100120100FFFFFFFFFFFFFFFFFF02020100030100` + e, "varint_overflow", ""},
		{"10.3-21 reserved block flags", `01F809010001020100030100` + e, "", "reserved_flags"},
		{"10.3-22 long length", `0100898000010001020100030100` + e, "", "varint_not_minimal"},
		{"10.3-23 two payloads", e + head + e, "trailing_data", ""},
		{"10.4-2 any order", `010009030100020100010001` + e, "", "field_order"},
		{"10.4-3 twice", `01000F010001020101610201016203010178` + e, "", "duplicate_field"},
		{"10.4-5 wire type 3", `01000E0100010201016103010178630305` + e, "unknown_field_wire_type", ""},
		{"10.4-6 lang as bytes", `01000C010105 0201016103010178` + e, "wire_type_mismatch", ""},
		{"lang as bytes", `01000B010101 010201016103010178` + e, "wire_type_mismatch", ""},
		{"10.4-7 path as varint", `01000A01000102000003010178` + e, "wire_type_mismatch", ""},
		{"10.4-8 path as nested", `01000B0100010202016103020178` + e, "", "wire_type_mismatch"},
		{"10.4-9 empty body", `010000` + e, "missing_required_field", ""},
		{"10.4-10 no content", `010006010001020100` + e, "missing_required_field", ""},
		{"10.4-12 lang 257", `01000A01008102020100030100` + e, "integer_overflow", ""},
		{"10.4-13 role 0", `020008010000020102 6869` + e, "invalid_enum_value", ""},
		{"10.4-13 role 5", `0200080100050201026869` + e, "invalid_enum_value", ""},
		{"10.4-15 role 257", `02000901008102020102 6869` + e, "invalid_enum_value", ""},
		{"10.4-14 status 0", `04000A010101740200000301 00` + e, "invalid_enum_value", ""},
		{"10.4-14 format hint 4", `0500090101000201000300 04` + e, "invalid_enum_value", ""},
		{"10.4-14 data format 5", `060006010005030100` + e, "invalid_enum_value", ""},
		{"10.4-14 annotation kind 4", `08000A01000002000403010178` + e, "invalid_enum_value", ""},
		{"10.4-14 media type 6", `0A0009010006020100030100` + e, "invalid_enum_value", ""},
		{"10.4-26 entry kind 2", `0300110101012F02020A01010166020002030000` + e, "invalid_enum_value", ""},
		{"10.4-18 line 2^32+1", `0100120100010201016103010178040081808080 10` + e, "integer_overflow", ""},
		{"10.4-19 path FF", `01000B010001020101FF03010178` + e, "invalid_utf8", ""},
		{"10.4-21 field beyond the body", `01000701000102010961` + e, "unexpected_end", ""},
		{"10.4-22 field of 2^64-1", `01000F0100010201FFFFFFFFFFFFFFFFFF01` + e, "unexpected_end", ""},
		{"10.4-24 hunk without old_start", `07000701010170020200` + e, "missing_required_field", ""},
		{"10.4-25 hunk without lines", `07000D01010170020206010001020001` + e, "missing_required_field", ""},
		{"10.4-27 no size", `03000E0101012F02020701010166020000` + e, "", "missing_required_field"},
		{"10.4-28 no kind", `03000B0101012F02020401010166` + e, "missing_required_field", ""},
		{"10.4-33 target 2^32", `08000E0100808080801002000303010178` + e, "integer_overflow", ""},
		{"10.5-3 no summary", `010100` + e, "unexpected_end", ""},
		{"10.5-4 summary beyond the body", `01010C7F6869010001020100030100` + e, "unexpected_end", ""},
		{"10.5-5 summary of 2^64-1", `010113FFFFFFFFFFFFFFFFFF01010001020100030100` + e, "unexpected_end", ""},
		{"10.5-6 summary FF", `01010C02FF69010001020100030100` + e, "invalid_utf8", ""},
		{"10.5-8 summary of an unknown block", `4201037F6869` + e, "unexpected_end", ""},
		{"10.5-13 nothing compressed", `010200` + e, "decompress_failed", ""},
		{"10.5-14 not zstd", `01020568656C6C6F` + e, "decompress_failed", ""},
		{"10.5-22 reference", `01042043a46f0158afda81e59de599d569e088d4cf85620b2b17e28abb40301a6b0f9e` + e, "missing_content_store", ""},
		{"10.5-25 reference of 31 bytes", `01041F` + strings.Repeat("00", 31) + e, "invalid_reference", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := unhex(t, head+c.hex)
			_, err := decodeBoth(t, DecodeOptions{}, src)
			requireCode(t, c.code, err)
			_, strict := decodeBoth(t, DecodeOptions{Strict: true}, src)
			if c.code == "" {
				requireCode(t, c.strict, strict)
			} else {
				require.Error(t, strict)
			}
		})
	}
}

func requireCode(t testing.TB, code string, err error) {
	t.Helper()
	if code == "" {
		require.NoError(t, err)
		return
	}
	e := codectest.Refused(t, err, code, nil)
	require.Equal(t, "bcp", e.Format)
	require.NotNil(t, e.Kind)
}

func TestAcceptedForms(t *testing.T) {
	for _, c := range []struct {
		name string
		hex  string
		want []Block
	}{
		{"any order", `010009030100020100010001`, blocks(code("rust", "", ""))},
		{"last one wins", `01000F010001020101610201016203010178`, blocks(code("rust", "b", "x"))},
		{"path as nested", `01000B0100010202016103020178`, blocks(code("rust", "a", "x"))},
		{"reserved flags", `01F809010001020100030100`, []Block{{Body: code("rust", "", ""), Flags: 0xF8}}},
		{"no size", `03000E0101012F02020701010166020000`, blocks(&FileTree{Root: "/", Entries: []FileEntry{{Name: "f", Kind: "file"}}})},
		{"10.5-9 compressed", `01021428B52FFD00585900000100010201016103010178`, []Block{{Body: code("rust", "a", "x"), Flags: FlagCompressed}}},
		{"10.5-10 compressed summary", `01031728B52FFD00587100000268690100010201016103010178`,
			[]Block{{Body: code("rust", "a", "x"), Summary: ptr("hi"), Flags: 3}}},
		{"10.5-11 checksum", `01021828B52FFD0458590000010001020101610301017801B962A6`, []Block{{Body: code("rust", "a", "x"), Flags: FlagCompressed}}},
		{"10.5-12 unknown compressed", `42020E28B52FFD005829000068656C6C6F`, []Block{{Body: &UnknownBody{Type: 0x42, Data: []byte("hello")}, Flags: FlagCompressed}}},
		{"compressed_blocks", `01023a28b52ffd00588d0100840201000102010a7372632f6269672e727303019003666e20706c616365686f6c6465722829207b7d0a0100c83b7596 01`,
			[]Block{{Body: code("rust", "src/big.rs", strings.Repeat("fn placeholder() {}\n", 20)), Flags: FlagCompressed}}},
		{"threshold", `01021c28b52ffd00589d000060010001020101610301f501610100710a2401`,
			[]Block{{Body: code("rust", "a", strings.Repeat("a", 245)), Flags: FlagCompressed}}},
		{"file with children", `03001B0101012F020214010101660200000300000402070101 0162020000`,
			blocks(&FileTree{Root: "/", Entries: []FileEntry{{Name: "f", Kind: "file", Children: []FileEntry{{Name: "b", Kind: "file"}}}}})},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := decodeBoth(t, DecodeOptions{}, unhex(t, head+c.hex+e))
			require.NoError(t, err)
			require.Equal(t, c.want, p.Blocks)
		})
	}
}

func TestCompressedPayload(t *testing.T) {
	one := blocks(code("rust", "a", "x"))
	long := strings.Repeat("use std::io;\n", 100)
	for _, c := range []struct {
		name string
		hex  string
		code string
		want []Block
	}{
		{"10.5-15", `424350000100010028B52FFD005891000001000B0100010201016103010178FF010000`, "", one},
		{"10.5-16 no inner END", `424350000100010028B52FFD005871000001000B0100010201016103010178`, "missing_end_sentinel", nil},
		{"10.5-17 data after the inner END", `424350000100010028B52FFD0058A1000001000B0100010201016103010178FF0100002121`, "trailing_data", nil},
		{"10.5-18 data after the zstd frame", `424350000100010028B52FFD005891000001000B0100010201016103010178FF01000021212121`, "decompress_failed", nil},
		{"10.5-19 two zstd frames", `424350000100010028B52FFD005871000001000B010001020101610301017828B52FFD0058210000FF010000`, "", one},
		{"10.5-20 nothing", `4243500001000100`, "decompress_failed", nil},
		{"reference vector", `424350000100010028b52ffd005895010034020100a20a010001020104612e72730301940a757365207374643a3a696f3b62ff010000030018812f2965185810fcd309`, "",
			blocks(code("rust", "a.rs", long), code("rust", "b.rs", long))},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := unhex(t, c.hex)
			p, err := decodeBoth(t, DecodeOptions{}, src)
			requireCode(t, c.code, err)
			if c.code != "" {
				return
			}
			require.True(t, p.Header.Flags.IsCompressed())
			require.Equal(t, c.want, p.Blocks)
			again, err := Encode(p)
			require.NoError(t, err)
			back, err := Decode(again)
			require.NoError(t, err)
			require.Equal(t, c.want, back.Blocks)
			for i := range src {
				_, err := decodeBoth(t, DecodeOptions{}, src[:i])
				require.Error(t, err)
			}
		})
	}
}

func TestTrailer(t *testing.T) {
	src := unhex(t, head+`010009010001020100030100`+e+"DEADBEEF")
	p, err := decodeBoth(t, DecodeOptions{AllowTrailing: true}, src)
	require.NoError(t, err)
	require.Equal(t, unhex(t, "DEADBEEF"), p.Trailing)
	_, err = decodeBoth(t, DecodeOptions{}, src)
	requireCode(t, "trailing_data", err)

	src[6] = byte(HeaderHasIndex)
	p, err = decodeBoth(t, DecodeOptions{}, src)
	require.NoError(t, err)
	require.Equal(t, unhex(t, "DEADBEEF"), p.Trailing)
	again, err := Encode(p)
	require.NoError(t, err)
	require.Equal(t, src, again)

	src[6] = 0xFC
	_, err = decodeBoth(t, DecodeOptions{AllowTrailing: true}, src)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Strict: true}, src)
	requireCode(t, "reserved_flags", err)
}

// A Decoder on a reader of bytes reads nothing beyond END.
func TestDecoderStopsAtEnd(t *testing.T) {
	one := unhex(t, head+`010009010001020100030100`+e)
	r := bytes.NewReader(append(bytes.Clone(one), one...))
	for range 2 {
		d := DecodeOptions{AllowTrailing: true}.NewDecoder(context.Background(), r)
		n := 0
		for _, err := range d.Blocks() {
			require.NoError(t, err)
			requireFrame(t, d, 8, 9)
			n++
		}
		require.Equal(t, 1, n)
		requireFrame(t, d, 20, 0)
	}
	require.Zero(t, r.Len())
}

func requireFrame(t *testing.T, d *Decoder, offset, size int) {
	t.Helper()
	gotOffset, gotSize := d.Frame()
	require.Equal(t, [2]int{offset, size}, [2]int{gotOffset, gotSize})
}

func TestReferences(t *testing.T) {
	const hash = "43a46f0158afda81e59de599d569e088d4cf85620b2b17e28abb40301a6b0f9e"
	body := unhex(t, `0100010201076d61696e2e727303010c666e206d61696e2829207b7d`)
	reference := frames(t, `010420`+hash+" E")
	store := NewMemoryStore()

	_, err := decodeBoth(t, DecodeOptions{Store: store}, reference)
	requireCode(t, "unresolved_reference", err)
	require.ErrorContains(t, err, hash)
	_, err = decodeBoth(t, DecodeOptions{}, reference)
	requireCode(t, "missing_content_store", err)

	kept, err := decodeBoth(t, DecodeOptions{KeepReferences: true}, reference)
	require.NoError(t, err)
	require.Equal(t, &Reference{Type: BlockCode, Hash: Hash(unhex(t, hash))}, kept.Blocks[0].Body)
	again, err := Encode(kept)
	require.NoError(t, err)
	require.Equal(t, reference, again)

	h, err := store.Put(context.Background(), body)
	require.NoError(t, err)
	require.Equal(t, hash, h.String())
	p, err := decodeBoth(t, DecodeOptions{Store: store}, reference)
	require.NoError(t, err)
	require.Equal(t, []Block{{Body: code("rust", "main.rs", "fn main() {}"), Flags: FlagIsReference}}, p.Blocks)
	again, err = EncodeOptions{Store: NewMemoryStore()}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	require.Equal(t, reference, again)
	_, err = Encode(p)
	requireCode(t, "missing_content_store", err)

	_, err = decodeBoth(t, DecodeOptions{Store: lyingStore{}}, reference)
	require.ErrorIs(t, err, wire.ErrChecksum)
	_, err = decodeBoth(t, DecodeOptions{Store: brokenStore{}}, reference)
	require.ErrorIs(t, err, errBroken)

	// With a summary, which the hash covers.
	sum := &Payload{Header: Header{Magic: magicBCP}, Blocks: []Block{{Body: code("rust", "main.rs", "fn main() {}"), Summary: ptr("s"), Flags: FlagIsReference}}}
	got, err := EncodeOptions{Store: store}.AppendEncode(context.Background(), nil, sum)
	require.NoError(t, err)
	require.Equal(t, frames(t, `0105201d2e190bcb76c506eb08b485c1dbb3a22e7fb56833a4f69b608bc6939abade54 E`), got)
	p, err = decodeBoth(t, DecodeOptions{Store: store}, got)
	require.NoError(t, err)
	require.Equal(t, "s", *p.Blocks[0].Summary)

	// The same block twice.
	twice := &Payload{Header: Header{Magic: magicBCP}, Blocks: blocks(code("rust", "main.rs", "fn main() {}"), code("rust", "main.rs", "fn main() {}"))}
	dedup := frames(t, `01001c0100010201076d61696e2e727303010c666e206d61696e2829207b7d010420`+hash+" E")
	for _, s := range []Store{nil, NewMemoryStore()} {
		got, err = EncodeOptions{Dedup: true, Store: s}.AppendEncode(context.Background(), nil, twice)
		require.NoError(t, err)
		require.Equal(t, dedup, got)
	}
	p, err = decodeBoth(t, DecodeOptions{}, dedup)
	require.NoError(t, err)
	require.Equal(t, p.Blocks[0].Body, p.Blocks[1].Body)
	again, err = Encode(p)
	require.NoError(t, err)
	require.Equal(t, dedup, again)
	_, err = decodeBoth(t, DecodeOptions{NoBackReferences: true}, dedup)
	requireCode(t, "missing_content_store", err)
}

type lyingStore struct{}

func (lyingStore) Get(context.Context, Hash) ([]byte, error) { return []byte("something else"), nil }
func (lyingStore) Put(context.Context, []byte) (Hash, error) { return Hash{}, nil }
func (lyingStore) Has(context.Context, Hash) (bool, error)   { return true, nil }

// heard notes whether the context of a call arrives at the store.
type heard struct {
	Store
	calls int
}

type contextKey struct{}

func (h *heard) Get(ctx context.Context, hash Hash) ([]byte, error) {
	h.hear(ctx)
	return h.Store.Get(ctx, hash)
}

func (h *heard) Put(ctx context.Context, body []byte) (Hash, error) {
	h.hear(ctx)
	return h.Store.Put(ctx, body)
}

func (h *heard) hear(ctx context.Context) {
	if ctx.Value(contextKey{}) == "mine" {
		h.calls++
	}
}

func TestStoresGetTheContext(t *testing.T) {
	ctx := context.WithValue(t.Context(), contextKey{}, "mine")
	s := &heard{Store: NewMemoryStore()}
	block := Block{Body: code("go", "a.go", "package a"), Flags: FlagIsReference}
	src, err := EncodeOptions{Store: s}.AppendEncode(ctx, nil, &Payload{Blocks: []Block{block}})
	require.NoError(t, err)
	var w bytes.Buffer
	enc := EncodeOptions{Store: s}.NewEncoder(ctx, &w, Header{})
	require.NoError(t, enc.Write(block))
	require.NoError(t, enc.Close())
	_, err = DecodeOptions{Store: s}.Decode(ctx, src)
	require.NoError(t, err)
	_, err = DecodeOptions{Store: s}.NewDecoder(ctx, &w).Next()
	require.NoError(t, err)
	require.Equal(t, 4, s.calls)
}

type brokenStore struct{}

func (brokenStore) Get(context.Context, Hash) ([]byte, error) { return nil, errBroken }
func (brokenStore) Put(context.Context, []byte) (Hash, error) { return Hash{}, errBroken }
func (brokenStore) Has(context.Context, Hash) (bool, error)   { return false, errBroken }

// Many references to one large block must not multiply it without bound.
func TestReferencesAreCounted(t *testing.T) {
	p := &Payload{Blocks: blocks(&UnknownBody{Type: 0x42, Data: make([]byte, 1000)})}
	for range 20 {
		p.Blocks = append(p.Blocks, p.Blocks[0])
	}
	src, err := EncodeOptions{Dedup: true}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{InflatedBytes: 20_000}}, src)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{InflatedBytes: 19_999}}, src)
	requireCode(t, "payload_too_large", err)
}

func TestTruncation(t *testing.T) {
	for _, v := range plainVectors(t) {
		src := unhex(t, v.hex)
		for i := range src {
			_, err := decodeBoth(t, DecodeOptions{}, src[:i])
			// The bare END that the document describes is a payload.
			if i == len(src)-2 {
				require.NoError(t, err)
				_, err = decodeBoth(t, DecodeOptions{Strict: true}, src[:i])
			}
			require.ErrorIs(t, err, wire.ErrTruncated, "%s at %d", v.name, i)
		}
	}
}

func TestErrorPosition(t *testing.T) {
	src := unhex(t, head+`0000 01 61`+`0300110101012F02020A01010166020002030000`+e)
	_, err := Decode(src)
	e := codectest.Error(t, err)
	require.Equal(t, "/blocks/1/entries/0/kind", e.Path())
	require.Equal(t, 26, e.Offset)
	require.Contains(t, err.Error(), "at byte 26")

	_, err = Decode(unhex(t, head+`01021428B52FFD00585900000100010201016203010178`))
	requireCode(t, "missing_end_sentinel", err)
}

func TestLenient(t *testing.T) {
	src := unhex(t, head+`01000B010001020101FF03010178`+`0200080100070201026869`+`01010C02FF69010001020100030100`+e)
	_, err := decodeBoth(t, DecodeOptions{}, src)
	require.ErrorIs(t, err, wire.ErrUTF8)
	p, err := decodeBoth(t, DecodeOptions{Lenient: true}, src)
	require.NoError(t, err)
	require.Equal(t, "\xFF", p.Blocks[0].Body.(*Code).Path)
	require.Equal(t, "other(7)", p.Blocks[1].Body.(*Conversation).Role)
	_, err = Encode(p)
	require.ErrorIs(t, err, wire.ErrUTF8)
	again, err := EncodeOptions{Lenient: true}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	require.Equal(t, src, again)

	v := p.Value()
	back, _, err := FromManifest(v, nil, Limits{})
	require.NoError(t, err)
	again, err = EncodeOptions{Lenient: true}.AppendEncode(context.Background(), nil, back)
	require.NoError(t, err)
	require.Equal(t, src, again)
}

func TestMagicOption(t *testing.T) {
	src := frames(t, " E")
	_, err := decodeBoth(t, DecodeOptions{Magic: magicBCP}, src)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Magic: magicLCP}, src)
	requireCode(t, "invalid_magic", err)
}

// nested returns the body of a tree of n directories.
func nested(n int) []byte {
	entry := appendNumber(appendNumber(appendBytes(nil, 1, "d"), 2, 1), 3, 0)
	all := entry
	for range n - 1 {
		all = append(append(bytes.Clone(entry), 4, 2), append(binary.AppendUvarint(nil, uint64(len(all))), all...)...)
	}
	body := appendBytes(nil, 1, "/")
	return append(binary.AppendUvarint(append(body, 2, 2), uint64(len(all))), all...)
}

func TestDeepTrees(t *testing.T) {
	trials.OneGoroutine(t)
	payload := func(n int) []byte {
		src := Header{Magic: magicBCP}.append(nil)
		return appendEnd(BlockFrame{Type: BlockFileTree, Body: nested(n)}.append(src))
	}
	p, err := decodeBoth(t, DecodeOptions{}, payload(200))
	require.NoError(t, err)
	again, err := Encode(p)
	require.NoError(t, err)
	require.Equal(t, payload(200), again)
	_, err = decodeBoth(t, DecodeOptions{}, payload(defaultTreeDepth))
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{}, payload(defaultTreeDepth+1))
	requireCode(t, "too_deep", err)
	_, err = decodeBoth(t, DecodeOptions{}, payload(20_000))
	requireCode(t, "too_deep", err)

	// A tree that contains itself ends at the same limit.
	loop := make([]FileEntry, 1)
	loop[0] = FileEntry{Name: "d", Kind: "directory", Children: loop}
	_, err = Encode(&Payload{Blocks: blocks(&FileTree{Entries: loop})})
	requireCode(t, "too_deep", err)
}

func TestHostileLengthsAllocateLittle(t *testing.T) {
	for _, body := range []string{`0100FFFFFFFFFFFFFFFFFF01`, `0100FFFFFFFF0F`, `010080808008`, `010080808008` + strings.Repeat("00", 1000)} {
		src := unhex(t, head+body)
		growth.Bytes(t, 16<<10, func() { _, _ = Decode(src) })
		growth.Bytes(t, 64<<10+16<<10, func() { _, _ = decodeStream(DecodeOptions{}.NewDecoder(context.Background(), bytes.NewReader(src))) })
	}
}

func zeros(n int) []byte { return deflate(make([]byte, n)) }

func TestBombs(t *testing.T) {
	block := func(stored []byte) []byte {
		return appendEnd(BlockFrame{Type: 0x42, Flags: FlagCompressed, Body: stored}.append(Header{Magic: magicBCP}.append(nil)))
	}
	zeros(1) // make the coders
	_, err := decodeBoth(t, DecodeOptions{}, block(zeros(16<<20)))
	require.NoError(t, err)
	for name, stored := range map[string][]byte{
		"one byte too many": zeros(16<<20 + 1),
		"64 MiB":            zeros(64 << 20),
		"in frames":         bytes.Repeat(zeros(8<<20), 3),
		"no content size":   unsized(t, 64<<20),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeBoth(t, DecodeOptions{}, block(stored))
			requireCode(t, "decompression_bomb", err)
			require.ErrorIs(t, err, wire.ErrLimit)
			// The steps of growing and the library's last one, which fails, and what
			// the library allocates elsewhere on some processors.
			growth.Bytes(t, 5*defaultBlockBytes, func() { _, _ = Decode(block(stored)) })
		})
	}
	growth.Bytes(t, 64<<20+8<<20, func() { _, _ = Decode(block(zeros(64 << 20))) })

	whole := append(Header{Magic: magicBCP, Flags: HeaderCompressed}.append(nil), zeros(1<<20)...)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{InflatedBytes: 1<<20 - 1}}, whole)
	requireCode(t, "decompression_bomb", err)

	// A frame that declares 8 MiB and holds ten bytes.
	liar := unhex(t, `28B52FFDA000008000 510000 00112233445566778899`)
	_, err = Decode(block(liar))
	requireCode(t, "decompress_failed", err)
	growth.Bytes(t, 1<<20, func() { _, _ = Decode(block(liar)) })

	// Without a size, growing in steps finds the content as well.
	p, err := Decode(block(unsized(t, 5<<20)))
	require.NoError(t, err)
	require.Len(t, p.Blocks[0].Body.(*UnknownBody).Data, 5<<20)
}

func TestBlockLimits(t *testing.T) {
	fits := &Payload{Blocks: blocks(code("rust", "a", strings.Repeat("x", 16_777_203)))}
	src, err := Encode(fits)
	require.NoError(t, err)
	_, err = Decode(src)
	require.NoError(t, err)
	big := &Payload{Blocks: blocks(code("rust", "a", strings.Repeat("x", 16_777_204)))}
	_, err = Encode(big)
	requireCode(t, "block_too_large", err)
	require.Contains(t, err.Error(), "16777217")
	src, err = EncodeOptions{Limits: Limits{BlockBytes: -1}}.AppendEncode(context.Background(), nil, big)
	require.NoError(t, err)
	_, err = Decode(src)
	requireCode(t, "block_too_large", err)
	_, err = DecodeOptions{Limits: Limits{BlockBytes: -1}}.Decode(context.Background(), src)
	require.NoError(t, err)

	three := frames(t, `420000420000420000 E`)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{Blocks: 3}}, three)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{Blocks: 2}}, three)
	requireCode(t, "too_many_blocks", err)
}

func TestReaderFailures(t *testing.T) {
	src := unhex(t, plainVectors(t)[7].hex)
	for i := range src {
		r := io.MultiReader(bytes.NewReader(src[:i]), iotest.ErrReader(errBroken))
		_, err := decodeStream(DecodeOptions{}.NewDecoder(context.Background(), r))
		require.ErrorIs(t, err, errBroken)
	}
}
