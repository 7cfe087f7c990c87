package cbor_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// hostile are documents that make much of few bytes.
func hostile(n int) map[string][]byte {
	wrap := func(head []byte, item []byte) []byte {
		return append(append(head, bytes.Repeat(item, n/len(item))...), 0xff)
	}
	numbers := append([]byte{0xc2, 0x59, 0x10, 0x00}, bytes.Repeat([]byte{0xfe}, 4096)...)
	return map[string][]byte{
		"nulls":       wrap([]byte{0x9f}, []byte{0xf6}),
		"empty lists": wrap([]byte{0x9f}, []byte{0x80}),
		"empty maps":  wrap([]byte{0x9f}, []byte{0xa0}),
		"members":     wrap([]byte{0x9f}, []byte{0xa1, 0x60, 0xf6}),
		"bytes":       wrap([]byte{0x9f}, []byte{0x40}),
		"chunks":      wrap([]byte{0x7f}, []byte{0x60}),
		"bignums":     wrap([]byte{0x9f}, numbers),
		"small":       wrap([]byte{0x9f}, []byte{0xc2, 0x40}),
		"counted":     append([]byte{0x9a, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, bytes.Repeat([]byte{0x60}, n)...),
		"claims":      bytes.Repeat([]byte{0x9a, 0, byte(n >> 17), byte(n >> 9), byte(n >> 1)}, n/5),
		"nested":      bytes.Repeat([]byte{0x81}, n),
		"open":        bytes.Repeat([]byte{0x9f}, n),
	}
}

func TestResidentMemory(t *testing.T) { codectest.Resident(t, cbor.Codec{}, hostile) }
func TestTimeIsLinear(t *testing.T)   { codectest.Linear(t, cbor.Codec{}, hostile) }

// TestLongArrays: an array without a declared length is the same as one with it,
// however long.
func TestLongArrays(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 4095, 4096, 4097, 3*4096 - 1, 3 * 4096, 20_000} {
		var content []byte
		for i := range n {
			content = append(content, 0x19, byte(i>>8), byte(i))
		}
		counted := codectest.Decoded(t, cbor.Codec{}, append([]byte{0x82, 0x00, 0x9a, 0, byte(n >> 16), byte(n >> 8), byte(n)}, content...))
		open := codectest.Decoded(t, cbor.Codec{}, append(append([]byte{0x82, 0x00, 0x9f}, content...), 0xff))
		require.Equal(t, n, open.Index(1).Len())
		require.True(t, wire.Identical(counted, open), n)
	}
}
