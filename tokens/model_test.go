package tokens_test

import (
	"testing"

	"github.com/pkoukk/tiktoken-go"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/tokens"
)

// TestForModel holds the names of models against another library's table, and against
// those that it does not know.
func TestForModel(t *testing.T) {
	known := map[string]string{
		"gpt-5": "o200k_base", "gpt-5-mini-2025-08-07": "o200k_base", "openai/gpt-4o-mini": "o200k_base", "ft:gpt-4o:acme::1": "o200k_base",
		"o3-pro": "o200k_base", "gpt-35-turbo": "cl100k_base", "gpt-4-32k": "cl100k_base", "claude-opus-4-7": "claude-estimate",
		"us.anthropic/claude-sonnet-4": "claude-estimate",
	}
	for model, encoding := range tiktoken.MODEL_TO_ENCODING {
		if encoding == tiktoken.MODEL_O200K_BASE || encoding == tiktoken.MODEL_CL100K_BASE {
			known[model] = encoding
		}
	}
	for prefix, encoding := range tiktoken.MODEL_PREFIX_TO_ENCODING {
		known[prefix+"2026"] = encoding
	}
	require.Greater(t, len(known), 15)
	for model, name := range known {
		c, err := tokens.ForModel(model)
		require.NoError(t, err)
		require.Equal(t, name, c.Name(), model)
	}
	for _, model := range []string{"", "gpt-3", "llama-3", "o1x", "gpt-40", "text-davinci-003"} {
		_, err := tokens.ForModel(model)
		require.ErrorIs(t, err, tokens.ErrUnknownCounter, model)
	}
}
