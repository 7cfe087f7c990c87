package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// TestStepsOfFolding: by default a text that is folded in all formats has at most 278 KB.
func TestStepsOfFolding(t *testing.T) {
	folded := rewrite.Folded(rewrite.DefaultFormats())
	require.Less(t, rewrite.Steps(folded, 278_000), rewrite.DefaultMaxSteps)
	require.Greater(t, rewrite.Steps(folded, 279_000), rewrite.DefaultMaxSteps)
}

// TestFoldingThatTakesTooMuch: what may not be folded is rewritten without folding, in
// one of the formats that were to be folded.
func TestFoldingThatTakesTooMuch(t *testing.T) {
	v, err := wire.ParseJSON(sample.Rows(200))
	require.NoError(t, err)
	size := len(wire.AppendJSON(nil, v))
	for _, formats := range [][]string{rewrite.DefaultFormats(), {"gcx"}, {"glyph"}} {
		plan := rewrite.Plan{Formats: rewrite.Folded(formats), MaxSteps: rewrite.Steps(formats, size)}.WithDefaults()
		text, err := plan.Value(v, size, 1<<20, 0)
		require.NoError(t, err)
		require.Contains(t, formats, text.Format)
		plan.MaxSteps--
		_, err = plan.Value(v, size, 1<<20, 0)
		require.Equal(t, rewrite.TooLarge, err)
	}
}
