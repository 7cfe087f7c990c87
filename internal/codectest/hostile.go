package codectest

import (
	"testing"

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
