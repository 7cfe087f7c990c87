package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDidYouMean: near words are named, others are not.
func TestDidYouMean(t *testing.T) {
	known := []string{"convert", "compare", "check", "gcf", "gcx", "--to"}
	for word, want := range map[string]string{
		"conver": `; did you mean "convert"?`, "covnert": `; did you mean "convert"?`, "GCF": `; did you mean "gcf"?`,
		"gcff": `; did you mean "gcf"?`, "gc": `; did you mean "gcf" or "gcx"?`, "frobnicate": "", "x": "", "--too": `; did you mean "--to"?`,
	} {
		require.Equal(t, want, didYouMean(word, known), word)
	}
}
