package gcx_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func BenchmarkEncode(b *testing.B)  { codectest.Encode(b, gcx.Codec{}, gcx.Codec{Plain: true}) }
func BenchmarkDecode(b *testing.B)  { codectest.Decode(b, gcx.Codec{}) }
func BenchmarkStructs(b *testing.B) { codectest.Structs(b, gcx.Codec{}) }

// BenchmarkGrowth decodes and encodes what is meant to be slow, in sizes that
// grow by ten: MB/s must not fall with them.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		fields := make([]string, n)
		var distinct []wire.Value
		for i := range fields {
			fields[i] = strconv.Itoa(i)
			distinct = append(distinct, object(fields[i], wire.Int(1)))
		}
		keys := strings.Join(fields, ",")
		for name, payload := range map[string]string{
			"short-rows":   "GCX1 tool=t types=m fields=" + keys + "\n" + strings.Repeat("x\n", n),
			"blank-lines":  "GCX1 tool=t fields=a rows=999999999\n" + strings.Repeat("\n1\n", n),
			"brackets":     "GCX1 tool=t fields=a\n" + strings.Repeat(strings.Repeat("[", 100)+"\n", n/50),
			"meta":         "GCX1 tool=t fields=a " + strings.ReplaceAll(keys, ",", "=v ") + "=v\n",
			"sections":     strings.Repeat("GCX1 tool=t.x fields=a k=v\n", n),
			"backslashes":  "GCX1 tool=t fields=a\n" + strings.Repeat("\\", 20*n) + "\n",
			"fields-wide":  "GCX1 tool=t fields=" + keys + "\n" + strings.Repeat("\t", n-1) + "\n",
			"escaped-cell": "GCX1 tool=t fields=a\n" + strings.Repeat("\\n", 10*n) + "\n",
		} {
			b.Run(name+"/"+strconv.Itoa(n), func(b *testing.B) {
				b.SetBytes(int64(len(payload)))
				for b.Loop() {
					gcx.Codec{}.Decode([]byte(payload))
				}
			})
		}
		b.Run("encode-distinct-keys/"+strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(len(keys)))
			for b.Loop() {
				if _, err := (gcx.Codec{}).AppendEncode(nil, wire.Array(distinct...)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
