package gotype_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// TestBoxes holds that what interfaces hold stays what it was while others follow,
// and after a collection.
func TestBoxes(t *testing.T) {
	var boxes gotype.Boxes
	var held, want []any
	for i := range 3000 {
		s, f := fmt.Sprint("text ", i), float64(i)/3
		held, want = append(held, boxes.String(s), boxes.Float(f)), append(want, s, f)
		if i == 1000 {
			boxes.Clear()
		}
		if i%997 == 0 {
			runtime.GC()
		}
	}
	require.Equal(t, want, held)
	s, ok := held[0].(string)
	require.True(t, ok)
	require.Equal(t, "text 0", s)
	growth.Allocs(t, 20, func() {
		var boxes gotype.Boxes
		for i := range 1000 {
			want[i] = boxes.Float(float64(i))
		}
	})
}
