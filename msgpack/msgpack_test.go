package msgpack_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/wire"
)

// vectors are values in their shortest form.
var vectors = []struct{ hex, json string }{
	{"c0", "null"}, {"c2", "false"}, {"c3", "true"}, {"00", "0"}, {"7f", "127"}, {"cc80", "128"}, {"ccff", "255"}, {"cd0100", "256"},
	{"cdffff", "65535"}, {"ce00010000", "65536"}, {"ceffffffff", "4294967295"}, {"cf0000000100000000", "4294967296"},
	{"cfffffffffffffffff", "18446744073709551615"}, {"ff", "-1"}, {"e0", "-32"}, {"d0df", "-33"}, {"d080", "-128"}, {"d1ff7f", "-129"},
	{"d18000", "-32768"}, {"d2ffff7fff", "-32769"}, {"d280000000", "-2147483648"}, {"d3ffffffff7fffffff", "-2147483649"},
	{"d38000000000000000", "-9223372036854775808"}, {"ca3fc00000", "1.5"}, {"cb3ff199999999999a", "1.1"}, {"ca80000000", "-0.0"}, {"cb7e37e43c8800759c", "1e300"},
	{"a0", `""`}, {"a161", `"a"`}, {"a3e6b0b4", `"水"`}, {"bf" + strings.Repeat("61", 31), `"` + strings.Repeat("a", 31) + `"`},
	{"d920" + strings.Repeat("61", 32), `"` + strings.Repeat("a", 32) + `"`}, {"da0100" + strings.Repeat("61", 256), `"` + strings.Repeat("a", 256) + `"`},
	{"db00010000" + strings.Repeat("61", 65536), `"` + strings.Repeat("a", 65536) + `"`},
	{"90", "[]"}, {"93010203", "[1,2,3]"}, {"dc0010" + strings.Repeat("c0", 16), "[" + strings.Repeat("null,", 15) + "null]"},
	{"dd00010000" + strings.Repeat("c0", 65536), "[" + strings.Repeat("null,", 65535) + "null]"},
	{"80", "{}"}, {"82a16201a16101", `{"b":1,"a":1}`}, {"81a7" + hex.EncodeToString([]byte("compact")) + "c3", `{"compact":true}`},
}

func TestVectors(t *testing.T) {
	for _, c := range vectors {
		name := c.json[:min(40, len(c.json))]
		v := codectest.JSON(t, c.json)
		src, err := hex.DecodeString(c.hex)
		require.NoError(t, err)
		out := codectest.Encoded(t, msgpack.Codec{}, v)
		require.True(t, string(src) == string(out), "%s: %.80x", name, out)
		back := codectest.Decoded(t, msgpack.Codec{}, src)
		require.True(t, wire.Equal(v, back), name)
		for n := range min(len(src), 100) { // no prefix is whole
			_, err := msgpack.Codec{}.Decode(src[:n])
			require.ErrorIs(t, err, wire.ErrTruncated, "%s, %d bytes", name, n)
		}
	}
	object := []string{}
	for i := range 16 {
		object = append(object, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	v := codectest.JSON(t, "{"+strings.Join(object, ",")+"}")
	out := codectest.Encoded(t, msgpack.Codec{}, v)
	require.Equal(t, "de0010a26b3000", hex.EncodeToString(out[:7]))
	back := codectest.Decoded(t, msgpack.Codec{}, out)
	require.True(t, wire.Identical(v, back))
}

func TestKinds(t *testing.T) {
	for src, want := range map[string]wire.Value{
		"c403010203":                          wire.Bytes([]byte{1, 2, 3}),
		"c400":                                wire.Bytes(nil),
		"d6ff" + "00000001":                   wire.Time(time.Unix(1, 0).UTC()),
		"d7ff" + "0000000400000001":           wire.Time(time.Unix(1, 1).UTC()),
		"d7ff" + "0000000100000000":           wire.Time(time.Unix(1<<32, 0).UTC()),
		"c70cff00000001ffffffffffffffff":      wire.Time(time.Unix(-1, 1).UTC()),
		"c70cff" + "000000000000003a00f7c2ff": wire.Time(time.Unix(0x3a00f7c2ff, 0).UTC()),
	} {
		item, err := hex.DecodeString(src)
		require.NoError(t, err)
		v := codectest.Decoded(t, msgpack.Codec{}, item)
		require.True(t, wire.Identical(want, v), "%s: %s", src, v)
		out := codectest.Encoded(t, msgpack.Codec{}, want)
		require.Equal(t, src, hex.EncodeToString(out))
	}
	for _, n := range []int{255, 256, 65536} {
		v := wire.Bytes(make([]byte, n))
		out := codectest.Encoded(t, msgpack.Codec{}, v)
		back := codectest.Decoded(t, msgpack.Codec{}, out)
		require.True(t, wire.Equal(v, back))
	}
	// A timestamp has no offset: such a time is a text.
	at := wire.Time(time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)))
	out := codectest.Encoded(t, msgpack.Codec{}, at)
	back := codectest.Decoded(t, msgpack.Codec{}, out)
	require.Equal(t, "2026-01-02T03:04:05.000000006+01:00", back.Text())
	require.True(t, wire.Internal.EqualAsJSON(at, back))
}

func TestRefused(t *testing.T) {
	for src, want := range map[string]struct {
		code string
		kind error
	}{
		"": {"unexpected_end", wire.ErrTruncated}, "ddffffffff00": {"unexpected_end", wire.ErrTruncated}, "dfffffffff00": {"unexpected_end", wire.ErrTruncated},
		"c6ffffffff00": {"unexpected_end", wire.ErrTruncated}, "c1": {"invalid_type", wire.ErrSyntax}, "0000": {"trailing_data", wire.ErrSyntax},
		"810101": {"key_not_text", wire.ErrShape}, "82a16101a16102": {"duplicate_key", wire.ErrDuplicateKey}, "9282a16101a1620282a16101a16102": {"duplicate_key", wire.ErrDuplicateKey}, "a1ff": {"invalid_utf8", wire.ErrUTF8},
		"ca7fc00000": {"not_finite", wire.ErrRange}, "cbfff0000000000000": {"not_finite", wire.ErrRange}, "d40100": {"unsupported_extension", wire.ErrShape},
		"d4ff00": {"invalid_timestamp", wire.ErrSyntax}, "d7ffffffffffffffffff": {"invalid_timestamp", wire.ErrSyntax},
		"c70cff000000007fffffffffffffff": {"time_out_of_range", wire.ErrRange}, "c70cff000000008000000000000000": {"time_out_of_range", wire.ErrRange},
	} {
		item, err := hex.DecodeString(src)
		require.NoError(t, err)
		_, err = msgpack.Codec{}.Decode(item)
		e := codectest.Refused(t, err, want.code, want.kind)
		require.LessOrEqual(t, e.Offset, len(item))
		require.ErrorContains(t, err, fmt.Sprintf("(at byte %d)", e.Offset))
	}
	for _, number := range []string{"18446744073709551616", "-9223372036854775809", "1e400", "0.1000000000000000001"} {
		v, err := wire.Number(number)
		require.NoError(t, err)
		_, err = msgpack.Codec{}.AppendEncode(nil, wire.Array(v))
		require.ErrorIs(t, err, wire.ErrRange, number)
		require.ErrorContains(t, err, "use cbor")
	}
}

// TestRows: objects like the one before and unlike it.
func TestRows(t *testing.T) {
	src, err := hex.DecodeString("9582a16101a1620282a16103a1620482a16205a1610682d90161" + "07a1620881a16109")
	require.NoError(t, err)
	v := codectest.Decoded(t, msgpack.Codec{}, src)
	w := codectest.JSON(t, `[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6},{"a":7,"b":8},{"a":9}]`)
	require.True(t, wire.Identical(w, v), v)
	codectest.SameLent(t, msgpack.Codec{}, src)
	codectest.SameAny(t, msgpack.Codec{}, src)
}

// TestLent: what is lent, and what an empty interface gets, is what Decode returns.
func TestLent(t *testing.T) {
	var docs [][]byte
	for _, c := range vectors {
		src, err := hex.DecodeString(c.hex)
		require.NoError(t, err)
		docs = append(docs, src)
	}
	for _, c := range []string{"82a16180a16280", "82a16101a16102", "9281a16180", "c403010203", "d6ff00000001", "9281a1ff00"} {
		src, err := hex.DecodeString(c)
		require.NoError(t, err)
		docs = append(docs, src)
	}
	for _, document := range hostile(20_000) {
		docs = append(docs, document)
	}
	for _, src := range docs {
		for range 2 {
			codectest.SameLent(t, msgpack.Codec{}, src)
		}
		codectest.SameAny(t, msgpack.Codec{}, src)
	}
	var maps []any
	require.NoError(t, msgpack.Unmarshal([]byte{0x92, 0x80, 0x80}, &maps))
	maps[0].(map[string]any)["a"] = 1
	require.Empty(t, maps[1])
}

func FuzzDecode(f *testing.F) {
	for _, c := range vectors {
		item, err := hex.DecodeString(c.hex)
		require.NoError(f, err)
		if len(item) < 1000 {
			f.Add(item)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		codectest.SameLent(t, msgpack.Codec{}, src)
		codectest.SameAny(t, msgpack.Codec{}, src)
		v, err := msgpack.Codec{}.Decode(src)
		if err != nil {
			return
		}
		out := codectest.Encoded(t, msgpack.Codec{}, v)
		require.LessOrEqual(t, len(out), 2*len(src)) // a float that is whole becomes an integer
		back := codectest.Decoded(t, msgpack.Codec{}, out)
		require.True(t, wire.Identical(v, back) || wire.Equal(v, back))
	})
}

func ExampleMarshal() {
	data, err := msgpack.Marshal(map[string]any{"id": int64(12345678901), "raw": []byte("hi")})
	if err != nil {
		panic(err)
	}
	v, err := msgpack.Codec{}.Decode(data)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(data), v)
	// Output: 21 {"id":12345678901,"raw":"aGk="}
}
