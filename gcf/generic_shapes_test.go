package gcf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestManyShapes: rows of more key lists than a table remembers, of which some come again.
func TestManyShapes(t *testing.T) {
	for others := 28; others < 40; others++ {
		var text strings.Builder
		for i := range others {
			fmt.Fprintf(&text, `{"a":%d,"k%d":1},`, i, i)
		}
		few, many := `{"x":7}`, `{"p":1,"q":2,"r":3,"s":4,"t":5}`
		v := codectest.JSON(t, "["+text.String()+strings.Join([]string{few, many, many, many, few}, ",")+"]")
		back := codectest.Decoded(t, gcf.Codec{}, codectest.Encoded(t, gcf.Codec{}, v))
		require.True(t, wire.Identical(v, back), "after %d others: %s", others, back)
	}
}
