package goon_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
)

// TestLenientTells: of a text that lenient decoding reads and other decoding refuses, Warn is
// told something, whatever was done to the text.
func TestLenientTells(t *testing.T) {
	rnd := rand.New(rand.NewPCG(48, 1))
	pieces := []string{" ", "  ", "\t", "\r", "\n", "\n\n", " \n", "\n ", "\x00", "\x01", "\x7f", "\u0085", "\u00a0", "\u2028", "\"", "\\", "\\u", "=", ":", "(", "):", ",", "@", "--",
		"1", "0", "-", "x", "true", "null", "has_more:true", "next_cursor:a", "rows:1", "query_type:", "2026-01-02 03:04:05", "a=1", "@rows", "@edges\n", "@header\n", "depth=1", "\ufeff"}
	read := map[string]int{}
	for range 60_000 {
		text := []byte(documents[rnd.IntN(len(documents))].goon)
		for range 1 + rnd.IntN(2) {
			if rnd.IntN(2) == 0 {
				text = slices.Insert(text, lineEdge(rnd, text), []byte(pieces[rnd.IntN(len(pieces))])...)
			} else {
				text = faulty.Damaged(rnd, text, text, pieces)
			}
		}
		doc, err := decodeNoted(goon.Codec{Lenient: true}, text)
		if err != nil {
			continue
		}
		for name, c := range map[string]goon.Codec{"default": {}, "strict": {Strict: true}} {
			if _, err := c.DecodeResponse(text); err != nil {
				read[name]++
				require.NotEmpty(t, doc.Warnings, "%s: %v\n%q", name, err, text)
			}
		}
	}
	require.Greater(t, min(read["default"], read["strict"]), 5000)
}

// lineEdge returns the beginning or the end of a line of the text.
func lineEdge(rnd *rand.Rand, text []byte) int {
	at := rnd.IntN(len(text) + 1)
	for at < len(text) && text[at] != '\n' {
		at++
	}
	return min(at+rnd.IntN(2), len(text))
}
