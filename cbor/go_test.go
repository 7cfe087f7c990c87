package cbor_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

func goWays() randgo.Ways {
	texts := []string{"", "a", "id", "\n", "\xff", "é", "longer than what fits in one byte of a head"}
	return randgo.Ways{
		Marshal:   cbor.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, cbor.Codec{}, v) },
		Unmarshal: cbor.Unmarshal,
		Codec:     cbor.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, texts) },
		Pieces:    append([]string{"\x00", "\x01", "\x80", "\x81", "\xa0", "\xa1", "\xc0", "\xc3", "\xd9", "\xf6", "\xf9", "\xfb", "\x18"}, texts...),
		Respell:   func(r *rand.Rand, doc []byte) []byte { out, _ := respelled(r, doc); return out },
	}
}

// respelled returns the first item of a document in another form, and what is after it:
// longer heads, floats for integers, no declared lengths, members in another order.
func respelled(r *rand.Rand, doc []byte) (out, rest []byte) {
	major, info := doc[0]&0xe0, doc[0]&0x1f
	n, size := uint64(info), 0
	if info >= 24 {
		size = 1 << (info - 24)
		n = 0
	}
	for _, b := range doc[1 : 1+size] {
		n = n<<8 | uint64(b)
	}
	rest = doc[1+size:]
	if major == 0xe0 {
		return slices.Clone(doc[:1+size]), rest
	}
	if major == 0 && n < 1<<53 && r.IntN(8) == 0 {
		return binary.BigEndian.AppendUint64([]byte{0xfb}, math.Float64bits(float64(n))), rest
	}
	out = slices.Clone(doc[:1+size])
	if r.IntN(6) == 0 {
		out = binary.BigEndian.AppendUint64([]byte{major | 27}, n)
	}
	var children [][]byte
	switch major {
	case 0x40, 0x60:
		return append(out, rest[:n]...), rest[n:]
	case 0x80, 0xa0, 0xc0:
		each := 1
		if major == 0xa0 {
			each = 2
		} else if major == 0xc0 {
			n = 1
		}
		for range n {
			var child []byte
			for range each {
				part, after := respelled(r, rest)
				child, rest = append(child, part...), after
			}
			children = append(children, child)
		}
		if major == 0xa0 && r.IntN(6) == 0 {
			r.Shuffle(len(children), func(i, j int) { children[i], children[j] = children[j], children[i] })
		}
		if major != 0xc0 && r.IntN(8) == 0 {
			out, children = []byte{major | 31}, append(children, []byte{0xff})
		}
	}
	return append(out, slices.Concat(children...)...), rest
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses what that
// refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way through
// Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }

// TestGoTooManyValues: there are as many values as FromGo takes, and no more.
func TestGoTooManyValues(t *testing.T) {
	_, err := cbor.Marshal(make([]struct{}, bound.Values+1))
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestGoWholes: a number that a Go type cannot hold is refused.
func TestGoWholes(t *testing.T) { goWays().CompareWholes(t) }

// TestGoDeclaredLength: a length that a document declares makes no more memory than the
// document is long for, whatever the Go type.
func TestGoDeclaredLength(t *testing.T) {
	const length = 1 << 17
	type eight struct{ A, B, C, D, E, F, G, H string }
	type wide struct{ A, B, C, D, E, F, G, H eight }
	doc := append(binary.BigEndian.AppendUint32([]byte{0x9a}, length), bytes.Repeat([]byte{0xff}, length)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Error(t, cbor.Unmarshal(doc, new([]wide)))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(70*length))
}

// TestGoLimits: no limit is passed.
func TestGoLimits(t *testing.T) {
	for _, l := range []wire.Limits{{Values: 12}, {Depth: 2}, {InputBytes: 60}} {
		w, c := goWays(), cbor.Codec{Limits: l}
		w.Codec, w.Unmarshal = c, c.Unmarshal
		w.CompareMutated(t, 1000)
	}
}
