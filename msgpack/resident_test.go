package msgpack_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/msgpack"
)

// hostile are documents that make much of few bytes.
func hostile(n int) map[string][]byte {
	list := func(item ...byte) []byte {
		count := uint32(n / len(item))
		return append(binary.BigEndian.AppendUint32([]byte{0xdd}, count), bytes.Repeat(item, int(count))...)
	}
	return map[string][]byte{
		"nils":        list(0xc0),
		"empty lists": list(0x90),
		"empty maps":  list(0x80),
		"members":     list(0x81, 0xa0, 0xc0),
		"bytes":       list(0xc4, 0x00),
		"strings":     list(0xa0),
		"nested":      bytes.Repeat([]byte{0x91}, n),
		"cut":         list(0xc0)[:n/2],
	}
}

func TestResidentMemory(t *testing.T) { codectest.Resident(t, msgpack.Codec{}, hostile) }
func TestTimeIsLinear(t *testing.T)   { codectest.Linear(t, msgpack.Codec{}, hostile) }
