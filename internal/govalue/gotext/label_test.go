package gotext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// TestLabel writes labels of all lengths at all depths into memory with and without
// room, and finds them again.
func TestLabel(t *testing.T) {
	for n := range 40 {
		text := strings.Repeat(",key", 10)[:n]
		label := gotext.NewLabel(text)
		for _, room := range []int{0, 15, 16, 31, 32, 33, 200} {
			dst := append(make([]byte, 0, 1+room), '>')
			require.Equal(t, ">"+text, string(label.Append(dst)))
			line := "\n" + strings.Repeat(" ", 24)
			for before := range line {
				require.Equal(t, ">"+line[:before]+text, string(label.AppendLine(dst, before)))
			}
		}
		if n == 0 {
			continue
		}
		for _, behind := range []string{"", "x", strings.Repeat("x", 20)} {
			require.True(t, label.At("."+text+behind, 1))
			require.True(t, label.At(".{"+text[1:]+behind, 1), "the first byte may be another")
			for i := 1; i < n; i++ {
				require.False(t, label.At("."+text[:i]+"?"+text[i+1:]+behind, 1))
			}
			require.False(t, label.At("."+text[:n-1], 1) && n > 1)
		}
	}
}
