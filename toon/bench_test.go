package toon_test

import (
	"testing"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

func BenchmarkEncode(b *testing.B)  { codectest.Encode(b, toon.Codec{}) }
func BenchmarkDecode(b *testing.B)  { codectest.Decode(b, toon.Codec{}) }
func BenchmarkStructs(b *testing.B) { codectest.Structs(b, toon.Codec{}) }

// BenchmarkHostile shows that time grows with the input and no faster.
func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for _, c := range hostileDocuments(n) {
			codec := toon.Codec{Limits: wire.Limits{Depth: bound.MostDepth}}
			codectest.Measure(b, c.name, len(c.text), func() error { _, _ = codec.Decode([]byte(c.text)); return nil })
		}
	}
}
