package tiktoken_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/tokens/tiktoken"
)

// TestCounts: each vocabulary is the one that was asked for.
func TestCounts(t *testing.T) {
	for encoding, want := range map[string]int{"p50k_base": 6, "p50k_edit": 6, "r50k_base": 8} {
		c, err := tiktoken.Counter(encoding)
		require.NoError(t, err)
		require.Equal(t, encoding, c.Name())
		require.True(t, c.Exact())
		n, err := c.Count([]byte("if x:\n    y")) // of the blanks p50k has three as one token, r50k only single ones
		require.NoError(t, err)
		require.Equal(t, want, n, encoding)
	}
	_, err := tiktoken.Counter("nosuch")
	require.ErrorIs(t, err, tokens.ErrUnknownCounter)
	require.ErrorContains(t, err, "nosuch")
}

// TestAsTokens: where package tokens has the vocabulary, both count the same, also of what is
// not UTF-8 or looks like a special token; several goroutines may count.
func TestAsTokens(t *testing.T) {
	texts := []string{"", "Hello, world", "a\xffb\xf0\x9f", "<|endoftext|> naïve 東京 ✓\r\n\t 12345", strings.Repeat(`{"id":1,"name":"x"},`, 500)}
	for _, own := range []tokens.Counter{tokens.O200k{}, tokens.Cl100k{}} {
		c, err := tiktoken.Counter(own.Name())
		require.NoError(t, err)
		var all sync.WaitGroup
		for _, text := range texts {
			all.Go(func() {
				want, err := own.Count([]byte(text))
				if err != nil {
					t.Error(err)
				}
				if n, err := c.Count([]byte(text)); n != want || err != nil {
					t.Errorf("%s: %q: %d, want %d (%v)", own.Name(), text, n, want, err)
				}
			})
		}
		all.Wait()
	}
}
