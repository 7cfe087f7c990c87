package audit

import (
	"bytes"
	"testing"
)

// BenchmarkAudit reads 20 MB of transcripts.
func BenchmarkAudit(b *testing.B) {
	var files [][]byte
	size := 0
	for i := range 10 {
		files = append(files, transcript(uint64(i), 2<<20))
		size += len(files[i])
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		a := New(Options{})
		for _, file := range files {
			a.File("session.jsonl", bytes.NewReader(file))
		}
		if _, err := a.Report(); err != nil {
			b.Fatal(err)
		}
	}
}
