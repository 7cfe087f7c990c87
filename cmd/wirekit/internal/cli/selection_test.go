package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// TestPointerToken: a key is escaped without memory of its own where there is nothing to
// escape: a document may have a million.
func TestPointerToken(t *testing.T) {
	require.Equal(t, "a~1~0b", PointerToken("a/~b"))
	growth.Allocs(t, 0, func() { PointerToken("a key") })
}
