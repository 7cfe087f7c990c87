package formats

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
)

// TestVariantSentences: every variant has a sentence, and no sentence is for none.
func TestVariantSentences(t *testing.T) {
	sentences := variantSentences()
	for _, f := range formatList() {
		_, ok := sentences[f.Name]
		require.Equal(t, f.Variant != "", ok)
		delete(sentences, f.Name)
		if base, _ := wirekit.Lookup(f.Name); base.Info().Variant != "" {
			require.NotEmpty(t, f.Variant, f.Name)
		}
	}
	require.Empty(t, sentences)
}
