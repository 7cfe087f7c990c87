package bcp

import (
	"bytes"
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

var parse = codectest.JSON[string]

var valueVectors = []struct{ json, hex string }{
	{`null`, `424350000100000006000a0100010301046e756c6cff010000`},
	{`true`, `424350000100000006000a01000103010474727565ff010000`},
	{`0`, `424350000100000006000701000103010130ff010000`},
	{`""`, `42435000010000000600080100010301022222ff010000`},
	{`[]`, `42435000010000000600080100010301025b5dff010000`},
	{`{}`, `42435000010000000600080100010301027b7dff010000`},
	{`{"a":1}`, `424350000100000006000d0100010301077b2261223a317dff010000`},
	{`{"a":[1,2.5,null,true,"x"]}`, `424350000100000006002101000103011b7b2261223a5b312c322e352c6e756c6c2c747275652c2278225d7dff010000`},
}

func TestValueVectors(t *testing.T) {
	for _, c := range valueVectors {
		t.Run(c.json, func(t *testing.T) {
			for _, magic := range []string{magicLCP, magicBCP} {
				want := unhex(t, c.hex)
				copy(want, magic)
				codec := Codec{Magic: magic}
				got, err := codec.AppendEncode([]byte("before"), parse(t, c.json))
				require.NoError(t, err)
				require.Equal(t, "before", string(got[:6]))
				require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(got[6:]))
				v := codectest.Decoded(t, Codec{}, want)
				require.True(t, wire.Identical(parse(t, c.json), v))
				_, err = DecodeOptions{Strict: true}.Decode(context.Background(), want)
				require.NoError(t, err)
			}
		})
	}
}

// The cost on top of the JSON text.
func TestOverhead(t *testing.T) {
	for _, c := range []struct{ text, overhead int }{
		{3, 21}, {121, 21}, {122, 22}, {127, 22}, {128, 23}, {16376, 23}, {16377, 24}, {16383, 24}, {16384, 25}, {2_097_143, 25},
	} {
		v := wire.String(strings.Repeat("x", c.text-2))
		got := codectest.Encoded(t, Codec{}, v)
		require.Equal(t, c.text+c.overhead, len(got), c.text)
		back := codectest.Decoded(t, Codec{}, got)
		require.True(t, wire.Identical(v, back))
	}
	// The largest text that fits in a block.
	most := wire.String(strings.Repeat("x", 16_777_205))
	codectest.Encoded(t, Codec{}, most)
	more := wire.String(strings.Repeat("x", 16_777_206))
	dst := []byte("kept")
	got, err := Codec{}.AppendEncode(dst, more)
	requireCode(t, "block_too_large", err)
	require.Equal(t, dst, got)
	got = codectest.Encoded(t, Codec{BlockBytes: -1}, more)
	_, err = Codec{}.Decode(got)
	requireCode(t, "block_too_large", err)
	codectest.Decoded(t, Codec{BlockBytes: -1}, got)
}

func TestCodecRoundTrips(t *testing.T) {
	texts := []string{`1e400`, `-0`, `18446744073709551615`, `0.10`, "\"\u2028<>&\"", `{"b":1,"a":{"":[]}}`,
		`{"magic":"LCP","version":"1.0","flags":0,"blocks":[]}`}
	for _, d := range sample.Documents() {
		texts = append(texts, string(d.JSON))
	}
	for _, codec := range []Codec{{}, {Compress: true}, {Magic: magicBCP}} {
		for _, text := range texts {
			v := parse(t, text)
			src := codectest.Encoded(t, codec, v)
			require.True(t, codec.Sniff(src))
			_, err := DecodeOptions{Strict: true}.Decode(context.Background(), src)
			require.NoError(t, err)
			got := codectest.Decoded(t, Codec{}, src)
			require.True(t, wire.Identical(v, got))
			if codec.Compress && len(text) > 1000 {
				require.Less(t, len(src), len(text)/2)
			}
		}
	}
	// The value keeps nothing of the payload.
	src := codectest.Encoded(t, Codec{}, parse(t, `{"key":["text",12.50]}`))
	v := codectest.Decoded(t, Codec{}, src)
	clear(src)
	require.Equal(t, `{"key":["text",12.50]}`, v.String())
}

func TestCodecFaults(t *testing.T) {
	_, err := Codec{}.AppendEncode(nil, wire.String("\xFF"))
	require.ErrorIs(t, err, wire.ErrUTF8)
	requireCode(t, "invalid_utf8", err)
	_, err = Codec{Magic: "GIF8"}.AppendEncode(nil, wire.Null())
	requireCode(t, "invalid_option", err)
	_, err = Codec{Limits: wire.Limits{OutputBytes: 10}}.AppendEncode(nil, parse(t, `["0123456789",[]]`))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = Codec{Limits: wire.Limits{Depth: 2}}.AppendEncode(nil, parse(t, `[[[]]]`))
	require.ErrorIs(t, err, wire.ErrLimit)

	tree := appendEnd(BlockFrame{Type: BlockFileTree, Body: nested(20)}.append(Header{}.append(nil)))
	_, err = Codec{Limits: wire.Limits{Depth: 43}}.Decode(tree)
	require.NoError(t, err)
	_, err = Codec{Limits: wire.Limits{Depth: 42}}.Decode(tree)
	requireCode(t, "too_deep", err)

	deep := codectest.Encoded(t, Codec{}, parse(t, `[[[]]]`))
	_, err = Codec{Limits: wire.Limits{Depth: 2}}.Decode(deep)
	require.ErrorIs(t, err, wire.ErrLimit)
	requireCode(t, "too_deep", err)
	_, err = Codec{Limits: wire.Limits{InputBytes: 10}}.Decode(deep)
	require.ErrorIs(t, err, wire.ErrLimit)
	for i := range deep[:len(deep)-2] {
		v, err := Codec{}.Decode(deep[:i])
		require.ErrorIs(t, err, wire.ErrTruncated)
		require.True(t, v.Kind() == wire.KindNull)
	}
}

// Payloads that are not values decode to their view.
func TestViews(t *testing.T) {
	for _, c := range []struct{ name, hex, want string }{
		{"no JSON", `0600080100010301022228`, `{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"structured_data","format":"json","content":"\"("}]}`},
		{"two JSON texts", `06000a010001030104312032 20`, `{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"structured_data","format":"json","content":"1 2 "}]}`},
		{"with a summary", `060109017301000103010130`, `{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"structured_data","format":"json","content":"0","summary":"s"}]}`},
		{"two values", `06000701000103010130 06000701000103010131`,
			`{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"structured_data","format":"json","content":"0"},{"type":"structured_data","format":"json","content":"1"}]}`},
		{"CSV", `06000F010004020103736368030103612C62`,
			`{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"structured_data","format":"csv","schema":"sch","content":"a,b"}]}`},
		{"binary", `4200 02 FFFE`, `{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"unknown","type_id":66,"body_base64":"//4="}]}`},
		{"priority", `08000A01000002000103010102`, `{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"annotation","target_block_id":0,"kind":"priority","value":"high"}]}`},
		{"odd priority", `08000A01000002000103010141`, `{"magic":"BCP","version":"1.0","flags":0,"blocks":[{"type":"annotation","target_block_id":0,"kind":"priority","value_base64":"QQ=="}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := unhex(t, head+c.hex+e)
			v := codectest.Decoded(t, Codec{}, src)
			require.Equal(t, c.want, v.String())
			requireViewRoundTrip(t, src, v)
		})
	}
	for _, c := range plainVectors(t) {
		src := unhex(t, c.hex)
		p, err := Decode(src)
		require.NoError(t, err)
		v := p.Value()
		again := parse(t, string(wire.AppendJSON(nil, v)))
		require.True(t, wire.Identical(v, again))
		requireViewRoundTrip(t, src, again)
	}
}

func requireViewRoundTrip(t testing.TB, src []byte, v wire.Value) {
	p, o, err := FromManifest(v, nil, Limits{})
	require.NoError(t, err)
	again, err := o.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	require.Equal(t, hex.EncodeToString(src), hex.EncodeToString(again))
}

func TestRecords(t *testing.T) {
	for _, codec := range []Codec{{}, {Compress: true}, {Magic: magicBCP}} {
		for _, n := range []int{0, 1, 1000} {
			var w bytes.Buffer
			rw, err := codec.NewRecordWriter(&w, nil)
			require.NoError(t, err)
			for i := range n {
				require.NoError(t, rw.Write(parse(t, `{"id":`+strings.Repeat("1", i%9+1)+`,"text":"`+strings.Repeat("text ", i)+`"}`)))
			}
			require.NoError(t, rw.Close())
			for _, r := range []iterReader{{"bytes", bytes.NewReader(w.Bytes())}, {"one byte", iotest.OneByteReader(bytes.NewReader(w.Bytes()))}} {
				i := 0
				for v, err := range codec.Records(r.r) {
					require.NoError(t, err, r.name)
					text, _ := v.Get("text")
					require.Equal(t, 5*i, text.Len())
					i++
				}
				require.Equal(t, n, i)
			}
		}
	}
	rw, err := Codec{}.NewRecordWriter(new(faulty.Writer), nil)
	require.NoError(t, err)
	require.NoError(t, rw.Write(wire.Null()))
	require.ErrorIs(t, rw.Flush(), faulty.ErrFull)
	require.ErrorIs(t, rw.Write(wire.Null()), faulty.ErrFull)
	require.ErrorIs(t, rw.Close(), faulty.ErrFull)
	rw, err = Codec{}.NewRecordWriter(new(bytes.Buffer), nil)
	require.NoError(t, err)
	require.ErrorIs(t, rw.Write(wire.String("\xFF")), wire.ErrUTF8)
	require.NoError(t, rw.Write(wire.Null()))
	require.NoError(t, rw.Close())
	require.Error(t, rw.Write(wire.Null()), "after Close")
	_, err = Codec{Magic: "no"}.NewRecordWriter(new(bytes.Buffer), nil)
	require.Error(t, err)

	seen := 0
	for _, err := range (Codec{}).Records(bytes.NewReader(unhex(t, head+`06000701000103010130`+`020008010002020102 6869`+e))) {
		if seen++; seen == 2 {
			requireCode(t, "not_a_record", err)
			break
		}
		require.NoError(t, err)
	}
	require.Equal(t, 2, seen)
	for range (Codec{}).Records(bytes.NewReader(unhex(t, head+`06000701000103010130`+e))) {
		break // leaving early is fine
	}
}

type iterReader struct {
	name string
	r    interface{ Read([]byte) (int, error) }
}

func TestMarshal(t *testing.T) {
	type point struct {
		X int    `json:"x"`
		N string `json:"n"`
	}
	src, err := Marshal([]point{{1, "a"}, {2, "b"}})
	require.NoError(t, err)
	require.Contains(t, string(src), `[{"x":1,"n":"a"},{"x":2,"n":"b"}]`)
	var got []point
	require.NoError(t, Unmarshal(src, &got))
	require.Equal(t, []point{{1, "a"}, {2, "b"}}, got)
	require.ErrorIs(t, Unmarshal(src[:9], &got), wire.ErrTruncated)
	info := Codec{}.Info()
	require.Equal(t, "bcp", info.Name)
	require.True(t, info.Binary)
	require.False(t, Codec{}.Sniff([]byte("LCP")))
	require.False(t, Codec{}.Sniff([]byte("LCP1.0")))
}

// A payload is marshalled as what it is, not as a block that describes it.
func TestMarshalPayload(t *testing.T) {
	p := &Payload{Blocks: blocks(code("go", "a.go", "package a"), conversation("user", strings.Repeat("Why? ", 100)))}
	want, err := Encode(p)
	require.NoError(t, err)
	for _, v := range []any{p, *p} {
		got, err := Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	var back Payload
	require.NoError(t, Unmarshal(want, &back))
	require.Equal(t, p.Blocks, back.Blocks)
	small, err := wire.Internal.AppendMarshal([]byte("x"), Codec{Magic: "BCP", Compress: true}, p)
	require.NoError(t, err)
	require.Equal(t, "xBCP", string(small[:4]))
	require.Less(t, len(small), len(want)/2)
	_, err = Marshal((*Payload)(nil))
	require.NoError(t, err, "null, as any nil pointer")
	got, err := wire.Internal.AppendMarshal([]byte("kept"), Codec{}, &Payload{})
	requireCode(t, "empty_payload", err)
	require.Equal(t, "kept", string(got))
	requireCode(t, "unexpected_end", Unmarshal([]byte("LCP"), &back))
	_, err = DecodeOptions{Strict: true, Lenient: true}.Decode(context.Background(), want)
	requireCode(t, "invalid_option", err)
}

func TestVariants(t *testing.T) {
	names := []string{}
	for _, v := range describe.Of(Codec{}).Variants {
		require.Equal(t, "bcp", v.Info().Name)
		names = append(names, v.Info().Variant)
		require.Equal(t, v.Info().Variant, wire.WithLimits(v, wire.Limits{Depth: 9}).Info().Variant)
	}
	require.Equal(t, []string{"zstd", "bcp", "bcp-zstd"}, names)
	for variant, c := range map[string]Codec{"": {Magic: magicLCP, BlockBytes: 1}, "zstd": {Magic: magicLCP, Compress: true, Limits: wire.Limits{Values: 1}},
		"custom": {Store: NewMemoryStore()}} {
		require.Equal(t, variant, c.Info().Variant)
	}
}

// What compresses too well for a reader is written plainly.
func TestCompressedValuesAreRead(t *testing.T) {
	many := "[" + strings.Repeat("1,", valuesFloor+1000) + "1]"
	for name, text := range map[string]string{
		"many values": many,
		"long text":   `"` + strings.Repeat("a", 16_000_000) + `"`,
		"rows":        "[" + strings.ReplaceAll(strings.TrimSpace(string(rowsText(20_000))), "\n", ",") + "]",
	} {
		t.Run(name, func(t *testing.T) {
			v := parse(t, text)
			src := codectest.Encoded(t, Codec{Compress: true}, v)
			require.Equal(t, name != "many values", len(src) < len(text)/2)
			got := codectest.Decoded(t, Codec{}, src)
			require.True(t, wire.Identical(v, got))

			var stream bytes.Buffer
			w, err := Codec{Compress: true}.NewRecordWriter(&stream, nil)
			require.NoError(t, err)
			for range 3 {
				require.NoError(t, w.Write(v))
			}
			require.NoError(t, w.Close())
			n := 0
			for got, err := range (Codec{}).Records(&stream) {
				require.NoError(t, err)
				if n++; n == 3 {
					require.True(t, wire.Identical(v, got))
				}
			}
			require.Equal(t, 3, n)
		})
	}
	body := appendBytes(appendNumber(nil, 1, 1), 3, many)
	src := appendEnd(BlockFrame{Type: BlockStructuredData, Flags: FlagCompressed, Body: deflate(body)}.append(Header{}.append(nil)))
	_, err := Codec{}.Decode(src)
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = Codec{Limits: wire.Limits{Values: -1}}.Decode(src)
	require.NoError(t, err)
	for _, err := range (Codec{}).Records(bytes.NewReader(src)) {
		require.ErrorIs(t, err, wire.ErrLimit)
	}
}
