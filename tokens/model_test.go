package tokens_test

import (
	"bytes"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/tokens"
)

// TestForModel holds the names of models against another library's table, and against
// those that it does not know.
func TestForModel(t *testing.T) {
	known := map[string][]string{
		"o200k_base": {"gpt-5", "gpt-5-mini-2025-08-07", "gpt-5.6", "openai/gpt-4o-mini", "ft:gpt-4o:acme::1", "ft:gpt-4o:google.com::1", "ft:gpt-4o:acme:draft:1",
			"o3-pro", "GPT-4o", "openai.gpt-oss-120b-1:0", "openai:gpt-4.1", "accounts/fireworks/models/gpt-oss-20b", "gpt-oss:20b", "azure/gpt-4o"},
		"cl100k_base": {"gpt-35-turbo", "gpt-4-32k", "openai/gpt-4"},
		"claude-estimate": {"claude-3-haiku-20240307", "claude-3-5-sonnet-latest", "claude-3-5-sonnet-v2@20241022", "claude-3-7-sonnet@20250219",
			"anthropic/claude-3.7-sonnet:thinking", "claude-sonnet-4-20250514", "claude-4-sonnet-20250514", "claude-sonnet-4", "claude-opus-4-1@20250805",
			"claude-haiku-4-5-20251001", "anthropic/claude-sonnet-4.5", "anthropic.claude-3-5-sonnet-20241022-v2:0", "us.anthropic.claude-sonnet-4-20250514-v1:0",
			"us.anthropic/claude-sonnet-4", "us-gov.anthropic.claude-3-haiku-20240307-v1:0", "global.anthropic.claude-opus-4-6-v1", "bedrock/converse/eu.anthropic.claude-sonnet-4-6",
			"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0", "vertex_ai/claude-opus-4-5@20251101", "databricks-claude-3-7-sonnet"},
		"claude-4.7-estimate": {"claude-opus-4-7", "claude-opus-4-7-20260416", "claude-opus-4-7[1m]", "anthropic/claude-opus-4.7", "openrouter/anthropic/claude-opus-4.8:beta",
			"claude-opus-4-10", "claude-sonnet-5", "claude-fable-5", "claude-opus-5-20260701", "us.anthropic.claude-opus-4-7-v1:0", "anthropic.claude-opus-5-v1:0",
			"publishers/anthropic/models/claude-opus-4-7@default", "anthropic:claude-opus-5", "Claude-Opus-4-7", "~anthropic/claude-sonnet-latest", "claude"},
		"gemini-estimate": {"gemini-2.0-flash-001", "models/gemini-2.5-pro", "google/gemini-2.5-flash-preview-09-2025", "gemini/gemini-3-pro-preview", "gemini-3.1-flash-lite",
			"projects/p/locations/global/publishers/google/models/gemini-2.5-pro:generateContent", "google:gemini-2.5-pro", "gemini-flash-latest", "gemini"},
	}
	for model, encoding := range tiktoken.MODEL_TO_ENCODING {
		if encoding == tiktoken.MODEL_O200K_BASE || encoding == tiktoken.MODEL_CL100K_BASE {
			known[encoding] = append(known[encoding], model)
		}
	}
	for prefix, encoding := range tiktoken.MODEL_PREFIX_TO_ENCODING {
		known[encoding] = append(known[encoding], prefix+"2026")
	}
	require.Len(t, known, len(tokens.Names()))
	for name, models := range known {
		for _, model := range models {
			c, err := tokens.ForModel(model)
			require.NoError(t, err)
			require.Equal(t, name, c.Name(), model)
		}
	}
	for model, nearest := range map[string]string{
		"": "o200k_base", "gpt-3": "o200k_base", "o1x": "o200k_base", "gpt-40": "o200k_base", "text-davinci-003": "o200k_base", "deepseek-chat": "o200k_base",
		"qwen/qwen3-32b": "o200k_base", "/": "o200k_base", "mistral:7b": "o200k_base",
		"llama-3": "cl100k_base", "meta-llama/Llama-3.1-8B": "cl100k_base", "google/gemma-3-27b-it": "gemini-estimate",
		"gemini-pro": "gemini-estimate", "gemini-1.5-pro-002": "gemini-estimate", "gemini-embedding-001": "gemini-estimate", "gemini-": "gemini-estimate",
		"claude-2.1": "claude-estimate", "anthropic.claude-v2:1": "claude-estimate", "claude-instant-v1": "claude-estimate", "claude-preview": "claude-estimate", "claude:": "claude-estimate",
	} {
		_, err := tokens.ForModel(model)
		require.ErrorIs(t, err, tokens.ErrUnknownCounter, model)
		require.ErrorContains(t, err, "the nearest is "+nearest+";", model)
	}
}

// TestEstimates holds the estimates that have a name to what the package's documentation
// says of them.
func TestEstimates(t *testing.T) {
	text := bytes.Repeat([]byte("hello world, "), 1000)
	base, err := tokens.O200k{}.Count(text)
	require.NoError(t, err)
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^//\t(\S+-estimate) .* (\d\.\d+) × o200k_base$`).FindAllSubmatch(doc, -1)
	require.Len(t, rows, len(tokens.Names())-2)
	for _, row := range rows {
		c, err := tokens.Lookup(string(row[1]))
		require.NoError(t, err)
		factor, err := strconv.ParseFloat(string(row[2]), 64)
		require.NoError(t, err)
		n, err := c.Count(text)
		require.NoError(t, err)
		require.Equal(t, int(math.Round(factor*float64(base))), n, c.Name())
	}
}
