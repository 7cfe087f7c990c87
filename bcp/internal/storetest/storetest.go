// Package storetest is a test kit: what every store of content that BCP references
// name does, whatever it keeps it in.
package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/bcp"
)

// Body is content that Run leaves in the store; its hash begins with f4.
const Body = "fn shared() -> u32 { 42 }"

// Run puts [Body] and empty content into an empty store and gets them again.
func Run(t *testing.T, s bcp.Store) {
	t.Helper()
	want := bcp.HashOf([]byte(Body))
	_, err := s.Get(t.Context(), want)
	require.ErrorIs(t, err, bcp.ErrNotFound)
	has, err := s.Has(t.Context(), want)
	require.NoError(t, err)
	require.False(t, has)
	for range 2 {
		h, err := s.Put(t.Context(), []byte(Body))
		require.NoError(t, err)
		require.Equal(t, want, h)
	}
	got, err := s.Get(t.Context(), want)
	require.NoError(t, err)
	require.Equal(t, Body, string(got))
	has, err = s.Has(t.Context(), want)
	require.NoError(t, err)
	require.True(t, has)

	empty, err := s.Put(t.Context(), nil)
	require.NoError(t, err)
	got, err = s.Get(t.Context(), empty)
	require.NoError(t, err)
	require.Empty(t, got)
}
