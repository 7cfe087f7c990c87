package cbor_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// vectors are items in preferred serialization with the values that they are:
// those of appendix A of RFC 8949 that the model has, and some beside them.
var vectors = []struct{ hex, json string }{
	{"00", "0"}, {"01", "1"}, {"0a", "10"}, {"17", "23"}, {"1818", "24"}, {"1819", "25"}, {"1864", "100"}, {"1903e8", "1000"},
	{"1a000f4240", "1000000"}, {"1b000000e8d4a51000", "1000000000000"}, {"1bffffffffffffffff", "18446744073709551615"},
	{"c249010000000000000000", "18446744073709551616"}, {"3bffffffffffffffff", "-18446744073709551616"},
	{"c349010000000000000000", "-18446744073709551617"}, {"20", "-1"}, {"29", "-10"}, {"3863", "-100"}, {"3903e7", "-1000"},
	{"f98000", "-0.0"}, {"fb3ff199999999999a", "1.1"}, {"f93e00", "1.5"}, {"f90001", "5.960464477539063e-8"},
	{"f90400", "0.00006103515625"}, {"f903ff", "0.00006097555160522461"}, {"fbc010666666666666", "-4.1"}, {"fb7e37e43c8800759c", "1e300"},
	{"f4", "false"}, {"f5", "true"}, {"f6", "null"},
	{"60", `""`}, {"6161", `"a"`}, {"6449455446", `"IETF"`}, {"62225c", `"\"\\"`}, {"62c3bc", `"ü"`}, {"63e6b0b4", `"水"`}, {"64f0908591", `"\ud800\udd51"`},
	{"80", "[]"}, {"83010203", "[1,2,3]"}, {"8301820203820405", "[1,[2,3],[4,5]]"},
	{"98190102030405060708090a0b0c0d0e0f101112131415161718181819", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]"},
	{"a0", "{}"}, {"a26161016162820203", `{"a":1,"b":[2,3]}`}, {"826161a161626163", `["a",{"b":"c"}]`},
	{"a2616201616101", `{"b":1,"a":1}`},
	{"c48221196ab3", "273.15000000000000000000000000000"}, // a decimal fraction where no float is the number
	{"c482190190" + "01", "1e400"}, {"c482321b0de0b6b3a7640001", "0.1000000000000000001"},
}

func TestVectors(t *testing.T) {
	for _, c := range vectors {
		v := codectest.JSON(t, c.json)
		item, err := hex.DecodeString(c.hex)
		require.NoError(t, err)
		back := codectest.Decoded(t, cbor.Codec{}, item)
		require.True(t, wire.Equal(v, back), "%s: %s, not %s", c.hex, back, v)
		if c.hex == "c48221196ab3" {
			continue // not the preferred form of that number
		}
		out := codectest.Encoded(t, cbor.Codec{}, v)
		require.Equal(t, c.hex, hex.EncodeToString(out), c.json)
	}
}

// TestRead: forms that are read and not written.
func TestRead(t *testing.T) {
	for in, want := range map[string]string{
		"9fff": "[]", "9f018202039f0405ffff": "[1,[2,3],[4,5]]", "83018202039f0405ff": "[1,[2,3],[4,5]]",
		"bf61610161629f0203ffff": `{"a":1,"b":[2,3]}`, "7f657374726561646d696e67ff": `"streaming"`, "7fff": `""`,
		"1800": "0", "1900ff": "255", "fb0000000000000000": "0", "f90000": "0", "fa47c35000": "100000", "d9d9f783010203": "[1,2,3]",
		"c24101": "1", "c240": "0", "c4820020": "-1", "c48220c24101": "0.1",
	} {
		item, err := hex.DecodeString(in)
		require.NoError(t, err)
		v := codectest.Decoded(t, cbor.Codec{}, item)
		w := codectest.JSON(t, want)
		require.True(t, wire.Equal(w, v), "%s: %s, not %s", in, v, want)
		for n := range item { // no prefix is whole
			_, err := cbor.Codec{}.Decode(item[:n])
			require.ErrorIs(t, err, wire.ErrTruncated, "%s, %d bytes", in, n)
		}
	}
}

func TestKinds(t *testing.T) {
	at := time.Date(2013, 3, 21, 20, 4, 0, 120_000_000, time.FixedZone("", 3600))
	for item, want := range map[string]wire.Value{
		"4401020304": wire.Bytes([]byte{1, 2, 3, 4}), "5f42010243030405ff": wire.Bytes([]byte{1, 2, 3, 4, 5}), "40": wire.Bytes(nil),
		"c0" + "781c" + hex.EncodeToString([]byte("2013-03-21T20:04:00.12+01:00")): wire.Time(at),
		"c11a514b67b0":         wire.Time(time.Date(2013, 3, 21, 20, 4, 0, 0, time.UTC)),
		"c1fb41d452d9ec200000": wire.Time(time.Date(2013, 3, 21, 20, 4, 0, 500_000_000, time.UTC)),
		"c120":                 wire.Time(time.Unix(-1, 0).UTC()),
	} {
		src, err := hex.DecodeString(item)
		require.NoError(t, err)
		v := codectest.Decoded(t, cbor.Codec{}, src)
		require.True(t, wire.Identical(want, v), "%s: %s, not %s", item, v, want)
		out := codectest.Encoded(t, cbor.Codec{}, want)
		back := codectest.Decoded(t, cbor.Codec{}, out)
		require.True(t, wire.Identical(want, back))
	}
	late := codectest.Encoded(t, cbor.Codec{}, wire.Time(time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)))
	require.Equal(t, "\x7512000-01-01T00:00:00Z", string(late))
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]struct {
		code string
		kind error
	}{
		"": {"unexpected_end", wire.ErrTruncated}, "18": {"unexpected_end", wire.ErrTruncated}, "9b00000000ffffffff": {"unexpected_end", wire.ErrTruncated},
		"bbffffffffffffffff": {"unexpected_end", wire.ErrTruncated}, "5bffffffffffffffff00": {"unexpected_end", wire.ErrTruncated},
		"1c": {"invalid_head", wire.ErrSyntax}, "1f": {"invalid_head", wire.ErrSyntax}, "df": {"invalid_head", wire.ErrSyntax}, "ff": {"unexpected_stop", wire.ErrSyntax},
		"0000": {"trailing_data", wire.ErrSyntax}, "f7": {"unsupported_simple", wire.ErrShape}, "f0": {"unsupported_simple", wire.ErrShape}, "f8ff": {"unsupported_simple", wire.ErrShape},
		"f97e00": {"not_finite", wire.ErrRange}, "f97c00": {"not_finite", wire.ErrRange}, "fa7f800000": {"not_finite", wire.ErrRange}, "fbfff0000000000000": {"not_finite", wire.ErrRange},
		"a10102": {"key_not_text", wire.ErrShape}, "a2616101616102": {"duplicate_key", wire.ErrDuplicateKey}, "82a2616101616202a2616101616102": {"duplicate_key", wire.ErrDuplicateKey}, "61ff": {"invalid_utf8", wire.ErrUTF8},
		"7f61c361bcff": {"invalid_utf8", wire.ErrUTF8}, "7f4161ff": {"invalid_chunk", wire.ErrSyntax}, "5f5fffff": {"invalid_chunk", wire.ErrSyntax},
		"bf6161ff": {"unexpected_stop", wire.ErrSyntax}, "d82000": {"invalid_tag_content", wire.ErrSyntax}, "d8186161": {"invalid_tag_content", wire.ErrSyntax}, "d8254100": {"unsupported_tag", wire.ErrShape}, "da0001000000": {"unsupported_tag", wire.ErrShape}, "c001": {"invalid_tag_content", wire.ErrSyntax},
		"c06161": {"invalid_tag_content", wire.ErrSyntax}, "c16161": {"invalid_tag_content", wire.ErrSyntax}, "c11b0000003bff000000": {"invalid_tag_content", wire.ErrSyntax},
		"c1f97e00": {"not_finite", wire.ErrRange}, "c201": {"invalid_tag_content", wire.ErrSyntax}, "c48101": {"invalid_tag_content", wire.ErrSyntax},
		"c482c2490100000000000000000a": {"invalid_tag_content", wire.ErrSyntax}, "c482016161": {"invalid_tag_content", wire.ErrSyntax},
	} {
		src, err := hex.DecodeString(in)
		require.NoError(t, err)
		_, err = cbor.Codec{}.Decode(src)
		e := codectest.Refused(t, err, want.code, want.kind)
		require.LessOrEqual(t, e.Offset, len(src))
		require.ErrorContains(t, err, fmt.Sprintf("(at byte %d)", e.Offset))
	}
	long := strings.Repeat("9", 20_000)
	for _, text := range []string{long, "1e99999999999999999999", "0." + long} {
		v, err := wire.Number(text)
		require.NoError(t, err)
		_, err = cbor.Codec{}.AppendEncode(nil, v)
		require.ErrorIs(t, err, wire.ErrRange, text[:10])
	}
	_, err := cbor.Codec{}.Decode(append([]byte{0xc2, 0x59, 0x10, 0x01}, bytes.Repeat([]byte{1}, 4097)...))
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = cbor.Codec{}.AppendEncode(nil, wire.Array(wire.String("\xff")))
	require.ErrorIs(t, err, wire.ErrUTF8)
	require.ErrorContains(t, err, "/0")
}

// TestLent: what is lent, and what an empty interface gets, is what Decode returns.
func TestLent(t *testing.T) {
	var docs [][]byte
	for _, c := range vectors {
		item, err := hex.DecodeString(c.hex)
		require.NoError(t, err)
		docs = append(docs, item)
	}
	for _, c := range []string{
		"7f657374726561646d696e67ff", "5f42010243030405ff", "bf61619f7f6161ffffa0a0ff", "bf616101616102ff", "9f9f01ff7f6161", "5f4161", "9f01bf6161",
		"c482200a", "c4823b7fffffffffffffff1bffffffffffffffff", "c48201" + "3bffffffffffffffff", "c48220c249010000000000000000", "c482c2410101",
		"c0" + "781c" + hex.EncodeToString([]byte("2013-03-21T20:04:00.12+01:00")),
	} {
		item, err := hex.DecodeString(c)
		require.NoError(t, err)
		docs = append(docs, item)
	}
	for _, n := range []int{300, 60_000} { // within a part, and beyond
		for _, document := range hostile(n) {
			docs = append(docs, document)
		}
	}
	for _, src := range docs {
		for range 2 {
			codectest.SameLent(t, cbor.Codec{}, src)
		}
		codectest.SameAny(t, cbor.Codec{}, src)
	}
	var maps []any
	require.NoError(t, cbor.Unmarshal([]byte{0x82, 0xa0, 0xa0}, &maps))
	maps[0].(map[string]any)["a"] = 1
	require.Empty(t, maps[1])
}

// TestRows: objects like the one before and unlike it, with keys in any form of head.
func TestRows(t *testing.T) {
	for in, want := range map[string]string{
		"84a2616101616202a2616103616204a2616205616106a161617f" + "60" + "ff":                                `[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6},{"a":""}]`,
		"83a2616101616202a278016103" + "616204a261610578016206":                                             `[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]`,
		"83a26161a1616101616202a26161a1616103616204a26161a1616205616206":                                    `[{"a":{"a":1},"b":2},{"a":{"a":3},"b":4},{"a":{"b":5},"b":6}]`,
		"83a2616101616202a2616103626262" + "04" + "a2616105616206":                                          `[{"a":1,"b":2},{"a":3,"bb":4},{"a":5,"b":6}]`,
		"82a1" + "7818" + strings.Repeat("61", 24) + "01" + "a1" + "7818" + strings.Repeat("61", 24) + "02": `[{"` + strings.Repeat("a", 24) + `":1},{"` + strings.Repeat("a", 24) + `":2}]`,
	} {
		src, err := hex.DecodeString(in)
		require.NoError(t, err)
		v := codectest.Decoded(t, cbor.Codec{}, src)
		w := codectest.JSON(t, want)
		require.True(t, wire.Identical(w, v), "%s: %s, not %s", in, v, want)
		codectest.SameLent(t, cbor.Codec{}, src)
		codectest.SameAny(t, cbor.Codec{}, src)
		for n := range src {
			_, err := cbor.Codec{}.Decode(src[:n])
			require.ErrorIs(t, err, wire.ErrTruncated, "%s, %d bytes", in, n)
		}
	}
}

// TestDecimalFractions: numbers that no float64 is, with mantissas of few digits and of
// many.
func TestDecimalFractions(t *testing.T) {
	for text, want := range map[string]string{
		"0.10000000000000001": "c482301b002386f26fc10001", "-12.300000000000001": "c4822e3b002bb2c8eabcc000",
		"123456789012345.678901": "c48225c24906b14e9f812f366c35", "999999999999999999e400": "c4821901901b0de0b6b3a763ffff",
		"9999999999999999999e400": "c4821901901b8ac7230489e7ffff", "-99999999999999999999e400": "c482190190c349056bc75e2d630ffffe",
		"1.50e400": "c48219018f0f", "-1e-400": "c48239018f20",
	} {
		v, err := wire.Number(text)
		require.NoError(t, err)
		item := codectest.Encoded(t, cbor.Codec{}, v)
		require.Equal(t, want, hex.EncodeToString(item), text)
		back := codectest.Decoded(t, cbor.Codec{}, item)
		require.True(t, wire.Equal(v, back), "%s: %s", text, back)
	}
	least := codectest.Decoded(t, cbor.Codec{}, "\xc4\x82\x01\x3b\xff\xff\xff\xff\xff\xff\xff\xff")
	require.Equal(t, "-18446744073709551616e1", least.Text())
}

func FuzzDecode(f *testing.F) {
	for _, c := range vectors {
		item, err := hex.DecodeString(c.hex)
		require.NoError(f, err)
		f.Add(item)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		codectest.SameLent(t, cbor.Codec{}, src)
		codectest.SameAny(t, cbor.Codec{}, src)
		v, err := cbor.Codec{}.Decode(src)
		if err != nil {
			return
		}
		out := codectest.Encoded(t, cbor.Codec{}, v)
		back := codectest.Decoded(t, cbor.Codec{}, out)
		require.True(t, wire.Equal(v, back))
		again := codectest.Encoded(t, cbor.Codec{}, back)
		require.Equal(t, out, again)
	})
}

func ExampleMarshal() {
	data, err := cbor.Marshal(map[string]any{"id": int64(12345678901), "raw": []byte("hi")})
	if err != nil {
		panic(err)
	}
	v, err := cbor.Codec{}.Decode(data)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(data), v)
	// Output: 20 {"id":12345678901,"raw":"aGk="}
}

// TestTagContent: of tags that say what a text or bytes are for the content is read, in every
// place and way, and Warn is told; without Warn the value is the same.
func TestTagContent(t *testing.T) {
	contents := map[uint64]string{ // JSON's form of what they are around, and the item
		21: `"AQI=" 420102`, 22: `["AQI=",1] 8242010201`, 23: `{"a":"AQI="} a16161420102`, 24: `"gwECAw==" 4483010203`,
		32: `"a:b" 63613a62`, 33: `"AQI" 63415149`, 34: `"AQI=" 644151493d`, 35: `"a*" 62612a`, 36: `"x" 7f6178ff`,
	}
	for tag, content := range contents {
		want, item, _ := strings.Cut(content, " ")
		tagged := "d8" + hex.EncodeToString([]byte{byte(tag)}) + item
		for _, place := range []struct {
			want, in string
			tags     int
		}{
			{"%s", "%s", 1}, {"[%s,%[1]s]", "82%s%[1]s", 2}, {"[[%s]]", "9f81%sff", 1}, {`{"k":%s}`, "a1616b%s", 1}, {"[%s]", "81d815%s", 2},
			{`[{"k":%s},{"k":%[1]s}]`, "82a1616b%sa1616b%[1]s", 2},
		} {
			want, in := fmt.Sprintf(place.want, want), fmt.Sprintf(place.in, tagged)
			src, err := hex.DecodeString(in)
			require.NoError(t, err)
			told := 0
			c := cbor.Codec{Warn: func(w *wire.Error) {
				require.Equal(t, "unsupported_tag", w.Code)
				require.ErrorContains(t, w, "(at byte ")
				told++
			}}
			once := func(got string) {
				require.Equal(t, want, got, in)
				require.Equal(t, place.tags, told, in)
				told = 0
			}
			once(string(wire.AppendJSON(nil, codectest.Decoded(t, c, src))))
			var held any
			require.NoError(t, c.Unmarshal(src, &held))
			text, err := json.Marshal(held)
			require.NoError(t, err)
			once(string(text))
			for v, err := range c.Records(bytes.NewReader(src)) {
				require.NoError(t, err)
				once(string(wire.AppendJSON(nil, v)))
			}
			codectest.Decoded(t, cbor.Codec{}, src)
			for n := range src {
				_, err := c.Decode(src[:n])
				require.ErrorIs(t, err, wire.ErrTruncated)
				require.Zero(t, told, "nothing is told of a document that is refused")
			}
		}
	}
	type row struct {
		URI  string `json:"uri"`
		Data []byte `json:"data"`
	}
	src, err := hex.DecodeString("82" + "a263757269d82063613a626464617461d818420102" + "a263757269d82063633a646464617461420102")
	require.NoError(t, err)
	told, rows := 0, []row(nil)
	require.NoError(t, cbor.Codec{Warn: func(*wire.Error) { told++ }}.Unmarshal(src, &rows))
	require.Equal(t, []row{{"a:b", []byte{1, 2}}, {"c:d", []byte{1, 2}}}, rows)
	require.Equal(t, 3, told)

	// Tags around tags are as deep as arrays in arrays, and many tags make few warnings.
	_, err = cbor.Codec{}.Decode(append(bytes.Repeat([]byte{0xd5}, 1<<20), 0x40))
	require.ErrorIs(t, err, wire.ErrLimit)
	told = 0
	many := append([]byte{0x9f}, append(bytes.Repeat([]byte{0xd5, 0x40}, 1000), 0xff)...)
	_, err = cbor.Codec{Warn: func(*wire.Error) { told++ }}.Decode(many)
	require.NoError(t, err)
	require.Equal(t, 64, told)
}
