package glyph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// The tests in this file are the Go snippets of the document, section by
// section, with what the document says they give.

func TestDocumentBridge(t *testing.T) {
	jsonBytes := []byte(`{"b":1,"a":[2.5,null,"x"]}`)

	gv, err := glyph.FromJSONLoose(jsonBytes)
	require.NoError(t, err)

	out, err := glyph.ToJSONLoose(gv)
	require.NoError(t, err)
	require.Equal(t, string(jsonBytes), string(out))

	opts := glyph.BridgeOpts{Extended: true}
	out, err = opts.ToJSON(glyph.ID("m", "1"))
	require.NoError(t, err)
	require.Equal(t, `{"$glyph":"id","value":"^m:1"}`, string(out))
}

// TestDocumentCLI is what the command prints for the document's examples.
func TestDocumentCLI(t *testing.T) {
	v := codectest.Decoded(t, glyph.Codec{}, "{\"b\":1,\"a\":2}\n")
	require.Equal(t, `{a=2 b=1}`, glyph.CanonicalizeLoose(v))

	v = codectest.Decoded(t, glyph.Codec{}, `{"value":null}`)
	require.Equal(t, `{value=_}`, glyph.CanonicalizeLoose(v))
}

func TestDocumentCanonicalization(t *testing.T) {
	value, err := glyph.FromJSONLoose([]byte(`[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]`))
	require.NoError(t, err)

	canonical := glyph.CanonicalizeLoose(value)
	require.Equal(t, "@tab _ [id name]\n|1|a|\n|2|b|\n|3|c|\n@end", canonical)

	const list = "[{id=1 name=a} {id=2 name=b} {id=3 name=c}]"
	canonical = glyph.CanonicalizeLooseNoTabular(value)
	require.Equal(t, list, canonical)

	opts := glyph.DefaultLooseCanonOpts()
	opts.AutoTabular = false
	opts.MinRows = 5
	canonical = glyph.CanonicalizeLooseWithOpts(value, opts)
	require.Equal(t, list, canonical)
	opts.AutoTabular = true
	require.Equal(t, list, glyph.CanonicalizeLooseWithOpts(value, opts))
}

// TestDocumentOptions is the table "Options Reference".
func TestDocumentOptions(t *testing.T) {
	require.Equal(t, glyph.LooseCanonOpts{AutoTabular: true, MinRows: 3, MaxCols: 20, AllowMissing: true, NullStyle: glyph.NullUnderscore},
		glyph.DefaultLooseCanonOpts())
	opts := glyph.DefaultLooseCanonOpts()
	opts.AllowMissing = false
	opts.NullStyle = glyph.NullSymbol
	require.Equal(t, "[{id=1 name=a} {id=2} {id=∅}]",
		glyph.CanonicalizeLooseWithOpts(parseJSON(t, `[{"id":1,"name":"a"},{"id":2},{"id":null}]`), opts))
}

func TestDocumentParsing(t *testing.T) {
	input := "@tab _ [id name]\n|1|a|\n|2|_|\n|3|{x=[1.5 t]}|\n@end"

	result, err := glyph.ParseTabularLoose(input)
	require.NoError(t, err)
	require.Equal(t, []map[string]any{
		{"id": int64(1), "name": "a"},
		{"id": int64(2), "name": nil},
		{"id": int64(3), "name": map[string]any{"x": []any{1.5, true}}},
	}, result)

	_, err = glyph.ParseTabularLoose("[1 2]")
	require.Error(t, err)
	_, err = glyph.ParseTabularLoose("@tab _ [a]\n|1|\n")
	require.Error(t, err)
}

// TestDocumentResync is the header with counts: it detects truncation.
func TestDocumentResync(t *testing.T) {
	header := "@tab _ rows=120 cols=6 [id name score status created updated]\n"
	row := "|1|Alice|0.95|active|2025-01-01|2025-06-15|\n"
	rows, err := glyph.ParseTabularLoose("@tab _ rows=1 cols=6 [id name score status created updated]\n" + row + "@end")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"id": int64(1), "name": "Alice", "score": 0.95, "status": "active",
		"created": "2025-01-01", "updated": "2025-06-15"}, rows[0])
	_, err = glyph.ParseTabularLoose(header + row + "@end")
	require.ErrorIs(t, err, wire.ErrChecksum)
	_, err = glyph.ParseTabularLoose(header + row + "...\n@end")
	require.ErrorIs(t, err, wire.ErrSyntax)
}

func TestDocumentSchemaContext(t *testing.T) {
	value, err := glyph.FromJSONLoose([]byte(`{"role":"user","content":"Hello"}`))
	require.NoError(t, err)

	schema := glyph.NewSchemaContext([]string{"role", "content", "tool_calls"})

	opts := glyph.SchemaLooseCanonOpts(schema)
	output := glyph.CanonicalizeLooseWithSchema(value, opts)
	require.Equal(t, "@schema#jka43dvv @keys=[role content tool_calls]\n{#0=user #1=Hello}", output)

	// The document quotes "Hello" here, which its own rule does not.
	input := "@schema#jka43dvv @keys=[role content tool_calls]\n{#0=user #1=\"Hello\"}"
	registry := glyph.NewSchemaRegistry()
	parsed, ctx, err := glyph.ParseLoosePayload(input, registry)
	require.NoError(t, err)
	require.True(t, wire.Equal(value, parsed))
	require.Equal(t, "jka43dvv", ctx.ID())
	require.Equal(t, []string{"role", "content", "tool_calls"}, ctx.Keys())
}

func TestDocumentPatch(t *testing.T) {
	target := "m:123"
	baseState := parseJSON(t, `{"score":1,"events":[]}`)

	patch := glyph.NewPatchBuilder(target).
		WithBaseValue(baseState).
		Set("score", glyph.Int(5)).
		Build()
	require.Equal(t, "@patch @keys=wire @target=m:123 @base=5f55e871dff893ea @exact=5f55e871dff893ea\n= score 5\n@end", patch.String())

	patch = glyph.NewPatchBuilder(target).
		WithBaseFingerprint("1a2b3c4d5e6f7890").
		Set("score", glyph.Int(5)).
		Build()
	require.Equal(t, "@patch @keys=wire @target=m:123 @base=1a2b3c4d5e6f7890\n= score 5\n@end", patch.String())
}
