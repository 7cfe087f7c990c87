package streams

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/wire"
)

// sequences are texts of several items, by format, with what they are. Those of CBOR are
// RFC 8949's examples (appendix A), one after the other as in RFC 8742.
var sequences = []struct {
	codec       wire.Streamer
	hex         string
	records     string // as a JSON array
	path, fault string // of the error after them
}{
	{cbor.Codec{}, "", `[]`, "", ""},
	{cbor.Codec{}, "00 1864 20 f4 f6 60", `[0,100,-1,false,null,""]`, "", ""},
	{cbor.Codec{}, "83010203 a2616101616202 6449455446", `[[1,2,3],{"a":1,"b":2},"IETF"]`, "", ""},
	{cbor.Codec{}, "9f018202039f0405ffff bf61610161629f0203ffff 01", `[[1,[2,3],[4,5]],{"a":1,"b":[2,3]},1]`, "", ""},
	{cbor.Codec{}, "7f657374726561646d696e67ff 9fff 80", `["streaming",[],[]]`, "", ""},
	{cbor.Codec{}, "1b000000e8d4a51000 fb3ff199999999999a c249010000000000000000", `[1000000000000,1.1,18446744073709551616]`, "", ""},
	{cbor.Codec{}, "d9d9f701 02", `[1,2]`, "", ""},
	{cbor.Codec{}, "01 830102", `[1]`, "/1", "unexpected_end"},
	{cbor.Codec{}, "01 9f01", `[1]`, "/1/1", "unexpected_end"},
	{cbor.Codec{}, "01 1b0000", `[1]`, "/1", "unexpected_end"},
	{cbor.Codec{}, "01 ff 02", `[1]`, "/1", "unexpected_stop"},
	{cbor.Codec{}, "01 1c 02", `[1]`, "/1", "invalid_head"},
	{cbor.Codec{}, "01 02 62c328 03", `[1,2]`, "/2", "invalid_utf8"},
	{msgpack.Codec{}, "", `[]`, "", ""},
	{msgpack.Codec{}, "01 ff c0 c3 a161 cd0100 93010203 82a16101a16202 d90161", `[1,-1,null,true,"a",256,[1,2,3],{"a":1,"b":2},"a"]`, "", ""},
	{msgpack.Codec{}, "dc0001a0 de0001a17801 cb3ff199999999999a d3ffffffffffffffff", `[[""],{"x":1},1.1,-1]`, "", ""},
	{msgpack.Codec{}, "01 9201", `[1]`, "/1", "unexpected_end"},
	{msgpack.Codec{}, "01 db000000", `[1]`, "/1", "unexpected_end"},
	{msgpack.Codec{}, "01 c1 02", `[1]`, "/1", "invalid_type"},
}

func TestSequences(t *testing.T) {
	for _, test := range sequences {
		src, err := hex.DecodeString(strings.ReplaceAll(test.hex, " ", ""))
		require.NoError(t, err)
		want := codectest.JSON(t, test.records)
		for _, r := range []io.Reader{bytes.NewReader(src), iotest.OneByteReader(bytes.NewReader(src)), iotest.DataErrReader(bytes.NewReader(src))} {
			var got []wire.Value
			var failed error
			for v, err := range test.codec.Records(r) {
				if failed = err; err == nil {
					got = append(got, v)
				}
			}
			require.True(t, wire.Internal.EqualAsJSON(want, wire.Array(got...)), "%s: %v", test.hex, got)
			if test.fault == "" {
				require.NoError(t, failed, test.hex)
				continue
			}
			e := codectest.Refused(t, failed, test.fault, nil)
			require.Equal(t, test.path, e.Path(), test.hex)
			require.GreaterOrEqual(t, e.Offset, 1, test.hex)
		}
		var out bytes.Buffer
		w, err := test.codec.NewRecordWriter(&out, nil)
		require.NoError(t, err)
		for v := range want.Elements() {
			require.NoError(t, w.Write(v))
		}
		require.NoError(t, w.Close())
		var back []wire.Value
		for v, err := range test.codec.Records(&out) {
			require.NoError(t, err)
			back = append(back, v)
		}
		require.True(t, wire.Internal.EqualAsJSON(want, wire.Array(back...)))
	}
}

// TestSequenceLimits: limits are for one item each, and no more than that is read of one.
func TestSequenceLimits(t *testing.T) {
	for name, s := range map[string]struct {
		codec wire.Streamer
		long  string
	}{
		"cbor":    {cbor.Codec{Limits: wire.Limits{InputBytes: 100}}, "\x5a\x10\x00\x00\x00"},
		"msgpack": {msgpack.Codec{Limits: wire.Limits{InputBytes: 100}}, "\xc6\x10\x00\x00\x00"},
	} {
		n := 0
		for _, err := range s.codec.Records(strings.NewReader(strings.Repeat("\x01", 1000))) {
			require.NoError(t, err, name)
			n++
		}
		require.Equal(t, 1000, n, name)
		r := &bytesRead{r: io.MultiReader(strings.NewReader("\x01"+s.long), zeros{})}
		_, err := codectest.Collect(t, s.codec.Records(r))
		e := codectest.Refused(t, err, wire.CodeInputTooLong, wire.ErrLimit)
		require.Equal(t, "/1", e.Path(), name)
		require.LessOrEqual(t, r.n, 256<<10, name)
	}
}

// zeros reads as zeros without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type bytesRead struct {
	r io.Reader
	n int
}

func (c *bytesRead) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// TestSequenceLengths: lengths that a 32-bit number cannot hold are those of an item that is
// cut, also where more items follow.
func TestSequenceLengths(t *testing.T) {
	for name, text := range map[string]string{
		"cbor":    "\x83\x01\x5a\x7f\xff\xff\xff\x01\x02",
		"msgpack": "\x93\x01\xc6\x7f\xff\xff\xff\x01\x02",
	} {
		c, err := wirekit.Lookup(name)
		require.NoError(t, err)
		for _, text := range []string{text, strings.Replace(text, "\x7f", "\xff", 1)} {
			records := 0
			for _, err := range c.(wire.Streamer).Records(strings.NewReader(text)) {
				require.ErrorIs(t, err, wire.ErrTruncated, name)
				records++
			}
			require.Equal(t, 1, records, name)
		}
	}
}

// TestSequenceArrives: an item is there as soon as its last byte is.
func TestSequenceArrives(t *testing.T) {
	for _, c := range []wire.Streamer{cbor.Codec{}, msgpack.Codec{}} {
		r, w := io.Pipe()
		got := make(chan wire.Value)
		go func() {
			for v := range c.Records(r) {
				got <- v
			}
			close(got)
		}()
		item, err := c.AppendEncode(nil, wire.Array(wire.String(strings.Repeat("x", 5000)), wire.Int(1)))
		require.NoError(t, err)
		for range 3 {
			for _, part := range [][]byte{item[:4500], item[4500:]} {
				_, err := w.Write(part)
				require.NoError(t, err)
			}
			select {
			case v := <-got:
				require.Equal(t, 2, v.Len())
			case <-time.After(time.Minute):
				t.Fatal("the item does not arrive")
			}
		}
		require.NoError(t, w.Close())
	}
}
