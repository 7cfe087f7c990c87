package lines_test

import (
	"bytes"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/lines"
)

// FuzzEncode: every text comes back, as Decode and as the decoder written from the
// document read it, whatever it is repeated by.
func FuzzEncode(f *testing.F) {
	for _, text := range goldenTexts(f) {
		f.Add(text, uint8(1), byte('\n'))
	}
	for _, c := range decoded {
		f.Add([]byte(c.text), uint8(9), byte('\n'))
		f.Add([]byte(c.want), uint8(40), byte(' '))
	}
	f.Fuzz(func(t *testing.T, text []byte, times uint8, between byte) {
		if len(text) > 1<<14 {
			return
		}
		text = bytes.Repeat(append(text, between), int(times))
		encode(t, text, lines.Options{MinSaving: -1})
		encode(t, text, lines.Options{MinSaving: -1, NoLegend: true, Normalize: lines.Normalization{Escapes: true, Progress: true, TrailingBlanks: true}})
	})
}

// FuzzDecode: no text makes a decoder panic, errors have a place, and what is read is
// what the document says.
func FuzzDecode(f *testing.F) {
	for _, c := range decoded {
		f.Add([]byte(c.text))
	}
	for _, c := range refused {
		f.Add([]byte(c.text))
	}
	for _, text := range goldenTexts(f) {
		out, _ := lines.Encode(text, lines.Options{MinSaving: -1})
		f.Add(out)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := lines.Decode(text)
		codectest.Placed(t, err, text)
		if err != nil {
			if got != nil {
				t.Fatal("a result beside an error")
			}
			return
		}
		if len(got) > 1<<20 {
			return
		}
		want, err := decodeByDocument(text)
		if err != nil || !bytes.Equal(want, got) {
			t.Fatalf("%q is %q, and by the document %q, %v", text, got, want, err)
		}
	})
}
