package msgpack_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/wire"
)

func goWays() randgo.Ways {
	texts := []string{"", "a", "id", "\n", "\xff", "é", "longer than what fits in one byte of a head"}
	return randgo.Ways{
		Marshal:   msgpack.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, msgpack.Codec{}, v) },
		Unmarshal: msgpack.Unmarshal,
		Codec:     msgpack.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, texts) },
		Pieces:    append([]string{"\x00", "\x01", "\x80", "\x81", "\xa0", "\xa1", "\xc0", "\xc3", "\xd9", "\xf6", "\xf9", "\xfb", "\x18"}, texts...),
		Respell:   func(r *rand.Rand, doc []byte) []byte { out, _ := respelled(r, doc); return out },
	}
}

// respelled returns the first value of a document in another form, and what is after it:
// longer heads, signed integers, floats for integers, members in another order.
func respelled(r *rand.Rand, doc []byte) (out, rest []byte) {
	b := doc[0]
	arguments := []int{0xc4: 1, 2, 4, 1, 2, 4, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 1, 1, 1, 1, 1, 2, 4, 2, 4, 2, 4, 0xff: 0}
	size := 1 + arguments[b]
	n := uint64(0)
	for _, c := range doc[1:size] {
		n = n<<8 | uint64(c)
	}
	out, rest = slices.Clone(doc[:size]), doc[size:]
	children, each, long := uint64(0), 1, r.IntN(6) == 0
	switch {
	case b < 0x80 && long:
		return binary.BigEndian.AppendUint64([]byte{0xd3}, uint64(b)), rest
	case b < 0x80 && r.IntN(6) == 0:
		return binary.BigEndian.AppendUint32([]byte{0xca}, math.Float32bits(float32(b))), rest
	case b >= 0x80 && b < 0x90:
		children, each = uint64(b&0x0f), 2
	case b >= 0x90 && b < 0xa0:
		children = uint64(b & 0x0f)
	case b == 0xdc || b == 0xdd:
		children = n
	case b == 0xde || b == 0xdf:
		children, each = n, 2
	case b >= 0xa0 && b < 0xc0:
		if n = uint64(b & 0x1f); long {
			out = binary.BigEndian.AppendUint32([]byte{0xdb}, uint32(n))
		}
		return append(out, rest[:n]...), rest[n:]
	case b >= 0xc7 && b <= 0xc9:
		return append(out, rest[:n+1]...), rest[n+1:]
	case b >= 0xd4 && b <= 0xd8:
		n = 1 << (b - 0xd4)
		return append(out, rest[:n]...), rest[n:]
	case b >= 0xc4 && b <= 0xc6 || b >= 0xd9 && b <= 0xdb:
		return append(out, rest[:n]...), rest[n:]
	default:
		return out, rest
	}
	if long {
		out = binary.BigEndian.AppendUint32([]byte{0xdd + 2*byte(each-1)}, uint32(children))
	}
	var parts [][]byte
	for range children {
		var child []byte
		for range each {
			part, after := respelled(r, rest)
			child, rest = append(child, part...), after
		}
		parts = append(parts, child)
	}
	if each == 2 && r.IntN(6) == 0 {
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	return append(out, slices.Concat(parts...)...), rest
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses what that
// refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way through
// Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }

// TestGoWholes: a number that a Go type cannot hold is refused.
func TestGoWholes(t *testing.T) { goWays().CompareWholes(t) }

// TestGoDeclaredLength: a length that a document declares makes no more memory than the
// document is long for, whatever the Go type.
func TestGoDeclaredLength(t *testing.T) {
	const length = 1 << 17
	type eight struct{ A, B, C, D, E, F, G, H string }
	type wide struct{ A, B, C, D, E, F, G, H eight }
	doc := append(binary.BigEndian.AppendUint32([]byte{0xdd}, length), bytes.Repeat([]byte{0xc1}, length)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Error(t, msgpack.Unmarshal(doc, new([]wide)))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(70*length))
}

// TestGoLimits: no limit is passed.
func TestGoLimits(t *testing.T) {
	for _, l := range []wire.Limits{{Values: 12}, {Depth: 2}, {InputBytes: 60}} {
		w, c := goWays(), msgpack.Codec{Limits: l}
		w.Codec, w.Unmarshal = c, c.Unmarshal
		w.CompareMutated(t, 1000)
	}
}
