package llm

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOverhead: an outcome takes no more of the memory than it is counted for. A map
// doubles when 7 of 8 slots are taken, so 7 of 16 are, at least. A slot has the key, the
// outcome with its size, and a byte of its own.
func TestOverhead(t *testing.T) {
	slot := reflect.TypeFor[key]().Size() + reflect.TypeFor[outcome]().Size() + reflect.TypeFor[int]().Size() + 1
	require.LessOrEqual(t, int(slot*16/7), overhead)
}
