package conformance_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// TestOutputLimit: an encoder stops soon after its limit, wherever a value holds one
// long text again and again, which takes no memory of its own there.
func TestOutputLimit(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, which allocates, too")
	}
	const (
		limit = 128 << 10
		long  = 16 << 10
		times = 2000
		most  = 8 << 20
	)
	for _, c := range describe.All(wirekit.Registry()) {
		if testing.Short() && c.Info().Variant != "" {
			continue // it runs the code of its default
		}
		c := wire.WithLimits(c, wire.Limits{OutputBytes: limit})
		check := func(what, name string, write func() error) {
			t.Helper()
			var err error
			n := growth.Allocated(func() { err = write() })
			if n > most || err == nil && !strings.Contains(name, "long keys") {
				t.Errorf("%s, %s of %s: %d bytes allocated for a limit of %d; %v", c.Info().FullName(), what, name, n, limit, err)
			}
		}
		for name, v := range repeated(wire.String(strings.Repeat("x", long)), times) {
			check("Encode", name, func() error { _, err := c.AppendEncode(nil, v); return err })
			if s, ok := c.(wire.Streamer); ok && c.Info().Variant == "" {
				check("Write", name, func() error {
					w, err := s.NewRecordWriter(io.Discard, nil)
					if err == nil {
						err = w.Write(v)
					}
					return err
				})
			}
		}
		for name, v := range repeated(wire.String(strings.Repeat("\n\"|", long/3)), times) {
			check("Encode", "quoted "+name, func() error { _, err := c.AppendEncode(nil, v); return err })
		}
	}
}

// repeated returns values that hold v so many times.
func repeated(v wire.Value, times int) map[string]wire.Value {
	values := make([]wire.Value, times)
	names := make([]string, times)
	for i := range values {
		values[i], names[i] = v, fmt.Sprintf("k%d", i)
	}
	each := func(with func(wire.Value) wire.Value) wire.Value {
		out := make([]wire.Value, times)
		for i := range out {
			out[i] = with(v)
		}
		return wire.Array(out...)
	}
	object := func(keys *wire.Keys, values ...wire.Value) wire.Value { return wire.ObjectOf(keys, values...) }
	key := func(names ...string) *wire.Keys {
		keys, err := wire.NewKeys(names...)
		if err != nil {
			panic(err)
		}
		return keys
	}
	one, two, all := key("a"), key("a", "b"), key(names...)
	array, wide := wire.Array(values...), object(all, values...)
	return map[string]wire.Value{
		"array":               array,
		"array in an array":   wire.Array(wire.Array(array)),
		"object":              wide,
		"object in an object": object(one, object(one, wide)),
		"array in an object":  object(one, object(two, wire.Int(1), array)),
		"array in rows":       wire.Array(object(two, wire.Int(1), array), object(two, wire.Int(2), wire.Array())),
		"row":                 wire.Array(wide),
		"rows":                each(func(v wire.Value) wire.Value { return object(one, v) }),
		"rows of two":         each(func(v wire.Value) wire.Value { return object(two, wire.Int(1), v) }),
		"rows of objects":     each(func(v wire.Value) wire.Value { return object(one, object(one, v)) }),
		"rows of arrays":      each(func(v wire.Value) wire.Value { return object(one, wire.Array(v)) }),
		"arrays":              each(func(v wire.Value) wire.Value { return wire.Array(v) }),
		"mixed":               each(func(v wire.Value) wire.Value { return wire.Array(wire.Int(1), object(one, v)) }),
		"object in rows":      wire.Array(object(two, wire.Int(1), wide), object(two, wire.Int(2), wide)),
		"wide rows":           wire.Array(wide, wide),
		"map":                 object(two, wide, wide),
		"deep":                deepen(array, one, 40),
		"deep object":         deepen(wide, one, 40),
		"long keys":           each(func(v wire.Value) wire.Value { return object(key(v.Text()), wire.Int(1)) }),
		"long keys of texts":  each(func(v wire.Value) wire.Value { return object(key(v.Text(), "b"), wire.Int(1), wire.Array()) }),
	}
}

func deepen(v wire.Value, keys *wire.Keys, levels int) wire.Value {
	for range levels {
		v = wire.ObjectOf(keys, wire.Array(v))
	}
	return v
}
