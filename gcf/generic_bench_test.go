package gcf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

// The benchmarks set MB/s relative to the compact JSON of the same data, and
// run goccy/go-json on it beside GCF:
//
//	go test -bench . -benchmem ./gcf

func BenchmarkEncode(b *testing.B)  { codectest.Encode(b, gcf.Codec{}) }
func BenchmarkDecode(b *testing.B)  { codectest.Decode(b, gcf.Codec{}) }
func BenchmarkStructs(b *testing.B) { codectest.Structs(b, gcf.Codec{}) }

// BenchmarkHostile decodes and refuses documents of growing size: MB/s, here
// relative to the document itself, must not fall with the size.
func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for name, doc := range hostileDocuments(n) {
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), n), func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				for b.Loop() {
					_, _ = gcf.Codec{}.Decode(doc)
				}
			})
		}
	}
}
