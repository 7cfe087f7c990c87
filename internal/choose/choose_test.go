package choose_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

var measures = []wirekit.Precision{wirekit.PrecisionCounted, wirekit.PrecisionSampled, wirekit.PrecisionBytes}

func valueOf(t *testing.T, text []byte) wire.Value {
	v, err := wire.ParseJSON(text)
	require.NoError(t, err)
	return v
}

func count(t *testing.T, text []byte) int {
	n, err := tokens.O200k{}.Count(text)
	require.NoError(t, err)
	return n
}

// TestNotAboveDefaults holds that a choice that estimates takes at most 0.3 % more tokens
// than the best of the default configurations, all measured whole.
func TestNotAboveDefaults(t *testing.T) {
	values := map[string]wire.Value{"rows": valueOf(t, sample.Rows(3000)), "orders": valueOf(t, sample.Orders(700)), "api": valueOf(t, sample.API(400))}
	for _, p := range payload.All() {
		values[p.Kind] = p.Value
	}
	for name, v := range values {
		best, err := wirekit.Choose(t.Context(), v)
		require.NoError(t, err)
		every, err := wirekit.Compare(t.Context(), v, "json", "gcf", "gcx", "glyph", "toon", "tron", "yaml", "jsonl")
		require.NoError(t, err)
		for _, m := range every {
			if m.Err == nil && m.Lossless && (m.Name() != "jsonl" || v.Len() != 1) {
				require.LessOrEqual(t, float64(count(t, best.Encoded)), 1.003*float64(m.Tokens), "%s: %s instead of %s\n%s", name, best.Name(), m.Name(), best.Report)
			}
		}
	}
}

// TestTies: of texts with as many tokens JSON is the answer, and of configurations the
// default.
func TestTies(t *testing.T) {
	for _, text := range []string{`1`, `"x"`, `[]`, `[1]`, `{"a":1}`, `[{"id":1}]`, `["a","b"]`} {
		v := valueOf(t, []byte(text))
		for _, measure := range measures[:2] {
			best, err := wirekit.Chooser{Precision: measure}.Choose(t.Context(), v)
			require.NoError(t, err)
			if best.Name() != "json" {
				require.Less(t, count(t, best.Encoded), count(t, []byte(text)), best.Report)
			}
		}
	}
	for _, p := range payload.All() {
		best, err := wirekit.Choose(t.Context(), p.Value)
		require.NoError(t, err)
		if info := best.Codec.Info(); info.Variant != "" {
			plain, err := wirekit.Compare(t.Context(), p.Value, info.Name)
			require.NoError(t, err)
			require.True(t, plain[0].Err != nil || !plain[0].Lossless || plain[0].Tokens > count(t, best.Encoded), "%s: %s", p.Kind, best.Report)
		}
	}
}

// TestTextIsTested: what the one call gives a model is in no format that none was tested on.
func TestTextIsTested(t *testing.T) {
	chosen := 0
	for _, p := range payload.All() {
		best, err := wirekit.Choose(t.Context(), p.Value)
		require.NoError(t, err)
		_, report, err := wirekit.Text(p.Value)
		require.NoError(t, err)
		for _, c := range report.Candidates {
			require.NotContains(t, c.Name, "tron")
		}
		if best.Name() == "tron" {
			chosen++
		}
	}
	require.Positive(t, chosen)
}
