package gcf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// TestDepthOfKnownColumns reads tables that are too deep for a limit before and after their
// columns are known: the error does not depend on that.
func TestDepthOfKnownColumns(t *testing.T) {
	for levels := range 6 {
		for depth := 1; depth < 9; depth++ {
			limited := gcf.Codec{Limits: wire.Limits{Depth: depth}}
			doc := fmt.Appendf(nil, "GCF profile=generic\n## [2]{id,\"b%d%d%s\"}\n1|x\n2|y\n", levels, depth, strings.Repeat(">a", levels))
			unmarshal := func(c gcf.Codec) error {
				var v any
				return c.Unmarshal(doc, &v)
			}
			first := unmarshal(limited)
			for range 3 {
				require.NoError(t, unmarshal(gcf.Codec{}))
				require.Equal(t, fmt.Sprint(first), fmt.Sprint(unmarshal(limited)), "depth %d, %d levels", depth, levels)
				_, err := limited.Decode(doc)
				require.Equal(t, fmt.Sprint(first), fmt.Sprint(err), "depth %d, %d levels", depth, levels)
			}
		}
	}
}
