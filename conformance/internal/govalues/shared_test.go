package govalues

import (
	"testing"
	"time"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// TestSharedValues: a value that holds another one twice, which holds one twice, and
// so on, is little in memory and endless as a text. Every codec comes to its limit
// without a look at all of it.
func TestSharedValues(t *testing.T) {
	around := map[string]func(v wire.Value) wire.Value{
		"arrays":  func(v wire.Value) wire.Value { return wire.Array(v, v) },
		"objects": func(v wire.Value) wire.Value { return wire.ObjectOf(codectest.Keys(t, "a", "b"), v, v) },
		"rows": func(v wire.Value) wire.Value {
			row := wire.ObjectOf(codectest.Keys(t, "a", "s"), v, wire.String("x y"))
			return wire.Array(row, row, row)
		},
	}
	codecs := describe.All(wirekit.Registry())
	if testing.Short() {
		codecs = wirekit.Registry().Codecs()
	}
	for name, put := range around {
		v := wire.Int(1)
		for range 36 {
			v = put(v)
		}
		for _, c := range codecs {
			t.Run(name+"/"+c.Info().FullName(), func(t *testing.T) {
				limited := wire.WithLimits(c, wire.Limits{OutputBytes: 1 << 16})
				growth.Within(t, 10*time.Second, func() {
					if _, err := limited.AppendEncode(nil, v); err == nil {
						t.Error("it is written")
					}
				})
			})
		}
	}
}
