package memory

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// keeper is a codec that returns memory of its own where it has nothing to append to:
// right for who asks once, and no buffer for others.
type keeper struct {
	name string
	kept []byte
}

func (k keeper) Info() wire.Info { return wire.Info{Name: k.name} }

func (k keeper) Decode(src []byte) (wire.Value, error) { return wire.ParseJSON(src) }

func (k keeper) AppendEncode(dst []byte, _ wire.Value) ([]byte, error) {
	if len(dst) == 0 {
		return k.kept, nil
	}
	return append(dst, k.kept...), nil
}

// TestForeignMemory holds that what a codec returns from its own memory is never
// written to, nor shared by two results.
func TestForeignMemory(t *testing.T) {
	const constant = `{"a":1}`
	own := func(name string) keeper {
		return keeper{name: name, kept: append(make([]byte, 0, 1<<17), constant...)}
	}
	first, second := own("first"), own("second")
	registry, err := wire.NewRegistry(wire.JSON{}, first, second)
	require.NoError(t, err)
	unchanged := func() {
		t.Helper()
		for _, k := range []keeper{first, second} {
			require.Equal(t, constant, string(k.kept))
			require.Equal(t, strings.Repeat("\x00", 100), string(k.kept[len(constant):len(constant)+100]))
		}
	}
	var results []string
	var texts [][]byte
	for i := range 50 {
		text := fmt.Sprintf(`{"long":%q}`, strings.Repeat(string(rune('a'+i%26)), 20+100*i))
		got, err := registry.Convert([]byte(text), "json", "json")
		require.NoError(t, err)
		results, texts = append(results, text), append(texts, got)
		got, err = registry.Convert([]byte(text), "json", "first")
		require.NoError(t, err)
		require.Equal(t, constant, string(got))
		unchanged()
	}
	for i, text := range texts {
		require.Equal(t, results[i], string(text))
	}
	value, err := wire.ParseJSON([]byte(`{"a":1}`))
	require.NoError(t, err)
	for _, measure := range []wirekit.Precision{wirekit.PrecisionCounted, wirekit.PrecisionSampled, wirekit.PrecisionBytes} {
		chooser := wirekit.Chooser{Registry: registry, Formats: []string{"first", "second"}, Precision: measure}
		for range 3 {
			_, err = chooser.Choose(context.Background(), value)
			require.NoError(t, err)
			unchanged()
			_, err = wirekit.Choose(t.Context(), map[string]any{"other": strings.Repeat("text ", 3000)})
			require.NoError(t, err)
			unchanged()
		}
	}
	measured, err := wirekit.Chooser{Registry: registry, Formats: []string{"first", "second"}}.Compare(t.Context(), value)
	require.NoError(t, err)
	for _, m := range measured {
		m.MeasureSpeed(value)
	}
	unchanged()
}
