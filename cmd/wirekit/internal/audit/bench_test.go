package audit

import (
	"bytes"
	"testing"
)

// BenchmarkAudit reads 40 MB of transcripts, by default and with all that can be asked for.
func BenchmarkAudit(b *testing.B) {
	b.Run("default", func(b *testing.B) { benchmark(b, Options{}) })
	b.Run("all", func(b *testing.B) { benchmark(b, Options{Check: true, Lines: true, Rates: &Rates{}}) })
}

func benchmark(b *testing.B, o Options) {
	var files [][]byte
	size := 0
	for i := range 20 {
		files = append(files, transcript(uint64(i), 2<<20))
		size += len(files[i])
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		a := New(o)
		for _, file := range files {
			a.File("session.jsonl", bytes.NewReader(file))
		}
		if _, err := a.Report(); err != nil {
			b.Fatal(err)
		}
	}
}
