package tokens

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

type benchmarkText struct {
	name string
	text []byte
}

// benchmarkTexts are generated with a fixed seed; each has about 200 kB.
func benchmarkTexts() []benchmarkText {
	random := rand.New(rand.NewPCG(7, 8))
	words := strings.Fields("the value model keeps order and exact numbers while each codec writes rows sections headers for language models " +
		"Request Response timeout connection error handler user account invoice payment Berlin London customer shipping status pending")
	word := func() string { return words[random.IntN(len(words))] }
	var rows, prose, table bytes.Buffer
	rows.WriteByte('[')
	for i := 0; rows.Len() < 200_000; i++ {
		fmt.Fprintf(&rows, `{"id":%d,"name":"%s %s","price":%.2f,"email":"%s%d@example.com","active":%t},`,
			i, word(), word(), random.Float64()*1000, word(), i, i%3 == 0)
		fmt.Fprintf(&table, "%d|%s %s|%.2f|%s%d@example.com|%t\n", i, word(), word(), random.Float64()*1000, word(), i, i%3 == 0)
	}
	for prose.Len() < 200_000 {
		fmt.Fprintf(&prose, "%s %s, %s %s. ", word(), word(), word(), word())
	}
	return []benchmarkText{
		{"rows", rows.Bytes()},
		{"table", table.Bytes()},
		{"prose", prose.Bytes()},
		{"distinct words", randomOf("etaoin shrdlu cmfwyp")(200_000)},
		{"Chinese", randomOf("的一是不了人我在有他这中大来上，。国个到说们为子和你")(200_000)},
		{"short", []byte(`{"id":17,"name":"Ada Lovelace","tags":["x","y"]}`)},
	}
}

func BenchmarkCount(b *testing.B) {
	all, err := oracles()
	if err != nil {
		b.Fatal(err)
	}
	for _, o := range all {
		for _, test := range benchmarkTexts() {
			b.Run(o.counter.Name()+"/"+test.name, func(b *testing.B) {
				b.SetBytes(int64(len(test.text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := o.counter.Count(test.text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLibrary counts the same texts by encoding them with tiktoken-go.
func BenchmarkLibrary(b *testing.B) {
	all, err := oracles()
	if err != nil {
		b.Fatal(err)
	}
	for _, o := range all {
		for _, test := range benchmarkTexts() {
			text := string(test.text)
			b.Run(o.counter.Name()+"/"+test.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if len(o.library.EncodeOrdinary(text)) == 0 {
						b.Fatal("no tokens")
					}
				}
			})
		}
	}
}

// BenchmarkHostile grows: what is linear keeps its MB/s.
func BenchmarkHostile(b *testing.B) {
	for _, test := range hostile {
		for _, size := range []int{1 << 14, 1 << 17, 1 << 20} {
			text := test.make(size)
			b.Run(fmt.Sprintf("%s/%d", test.name, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := (O200k{}).Count(text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMerge merges pieces that are no tokens.
func BenchmarkMerge(b *testing.B) {
	v, err := o200kBase.load()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{8, 16, 32, 48, 200} {
		piece := randomOf("etaoinshrdlu")(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var p parts
			for b.Loop() {
				p.merge(v, piece)
			}
		})
	}
}

// BenchmarkLoad is the cost of the first use.
func BenchmarkLoad(b *testing.B) {
	for _, e := range []*encoding{&o200kBase, &cl100kBase} {
		b.Run(fmt.Sprint(len(e.data)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseBinary(e.data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
