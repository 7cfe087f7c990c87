package codectest

import (
	"runtime"
	"testing"
	"time"

	"github.com/wirekit/wirekit/internal/growth"
	"github.com/wirekit/wirekit/internal/resident"
	"github.com/wirekit/wirekit/wire"
)

// Resident holds the memory of decoding hostile documents of a megabyte to what
// [resident.Check] allows. documents makes them, by name, about n bytes long.
func Resident(t *testing.T, c wire.Codec, documents func(n int) map[string][]byte) {
	var cases []resident.Case
	for name := range documents(100) {
		cases = append(cases, resident.Case{Name: name, Input: func() []byte { return documents(1_000_000)[name] },
			Call: func(src []byte) { _, _ = c.Decode(src) }})
	}
	resident.Check(t, cases...)
}

// Linear holds the time of decoding hostile documents to be in proportion to their
// length.
func Linear(t *testing.T, c wire.Codec, documents func(n int) map[string][]byte) {
	for name := range documents(100) {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 8<<10, func(n int) func() {
				src := documents(n)[name]
				return func() { _, _ = c.Decode(src) }
			})
		})
	}
}

// Bounded holds that a hostile document is read or refused at once, with memory of at
// most 300 times its length, and that an error is short. What was read it writes by
// the codec write and returns the text, nil where the document was refused.
func Bounded(t *testing.T, read, write wire.Codec, document []byte) []byte {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	v, err := read.Decode(document)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if took > 5*time.Second {
		t.Fatalf("%v for %d bytes", took, len(document))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(300*len(document)+1<<20) {
		t.Fatalf("%d bytes of memory for %d bytes", took, len(document))
	}
	if err != nil {
		if n := len(err.Error()); n > 2000 {
			t.Fatalf("an error of %d bytes", n)
		}
		return nil
	}
	text, err := write.AppendEncode(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
