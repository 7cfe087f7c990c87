package llm

import (
	"reflect"
	"strconv"
	"strings"
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

// TestMemoryOfTexts: what is remembered takes no more than Memory, with what the texts have
// room for.
func TestMemoryOfTexts(t *testing.T) {
	const n = 40
	r := Rewriter{Memory: 200 << 10}
	r.ready.Do(r.prepare)
	held := 0
	for i := range n {
		raw := []byte(`[` + strings.Repeat(`{"a\"b":"\\\\\\","n":`+strconv.Itoa(i)+`},`, 250) + `{}]`)
		_, err := r.outcome(key{byte(i)}, &r.plans[0], raw)
		require.NoError(t, err)
	}
	for i := range n { // the last ones first, which are not moved by being asked for
		o, ok := r.known.Get(key{byte(n - 1 - i)})
		if !ok || held > r.Memory/2 {
			break
		}
		require.NotNil(t, o.quoted)
		held += cap(o.quoted)
	}
	require.LessOrEqual(t, held, r.Memory/2)
}
