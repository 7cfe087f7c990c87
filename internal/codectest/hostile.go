package codectest

import (
	"testing"
	"time"

	"github.com/wirekit/wirekit/internal/growth"
	"github.com/wirekit/wirekit/internal/resident"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

// Resident holds the memory of decoding hostile documents of a megabyte, given and lent,
// to what [resident.Check] allows. documents makes them, by name, about n bytes long.
func Resident(t *testing.T, c wire.Codec, documents func(n int) map[string][]byte) {
	var cases []resident.Case
	for name := range documents(100) {
		cases = append(cases, resident.Case{Name: name, Input: func() []byte { return documents(1_000_000)[name] },
			Call: func(src []byte) { _, _ = c.Decode(src) }})
		cases = append(cases, resident.Case{Name: name + ", lent", Input: cases[len(cases)-1].Input,
			Call: func(src []byte) { _ = wire.View(c, src, func(wire.Value) error { return nil }) }})
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
	var v wire.Value
	var err error
	growth.Within(t, 5*time.Second, func() {
		growth.Bytes(t, uint64(300*len(document)+1<<20), func() { v, err = read.Decode(document) })
	})
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

// NoGarbage holds that c encodes rows into a buffer that is long enough without an
// allocation.
func NoGarbage(t *testing.T, c wire.Codec) {
	t.Helper()
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, under which pools forget at random")
	}
	rows := JSON(t, sample.Rows(100))
	text := Encoded(t, c, rows)
	growth.Allocs(t, 0, func() { text, _ = c.AppendEncode(text[:0], rows) })
}
