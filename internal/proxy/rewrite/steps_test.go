package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
)

// TestStepsOfFolding: by default a text that is folded in all formats has at most 1.1 MB.
func TestStepsOfFolding(t *testing.T) {
	folded := rewrite.Folded(rewrite.DefaultFormats())
	require.Less(t, rewrite.Steps(folded, 1_100_000), rewrite.DefaultMaxSteps)
	require.Greater(t, rewrite.Steps(folded, 1_110_000), rewrite.DefaultMaxSteps)
}
