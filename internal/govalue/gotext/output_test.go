package gotext_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// TestOutputs writes texts of a list whose lengths differ much from the one before:
// nothing but the text can be reached.
func TestOutputs(t *testing.T) {
	var outputs gotext.Outputs
	list := make([]struct{ A int }, 100)
	for _, n := range []int{5000, 5000, 4900, 100, 100, 99, 0, 20000, 20000, 19999} {
		want := bytes.Repeat([]byte("x"), n)
		for _, v := range []any{list, list[:1]} {
			got, ok := outputs.Write(&outputs, v, func(dst []byte) ([]byte, bool) {
				out := append(append(dst, want...), "more"...)
				return out[:len(out)-len("more")], true
			})
			require.True(t, ok)
			require.Equal(t, want, got)
			require.Equal(t, want, got[:cap(got)][:n])
			for _, c := range got[n:cap(got)] {
				require.Zero(t, c, "what is behind the text is cleared")
			}
		}
	}
	_, ok := outputs.Write(&outputs, list, func(dst []byte) ([]byte, bool) { return append(dst, "lost"...), false })
	require.False(t, ok)
}
