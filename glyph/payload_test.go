package glyph_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func TestSchemaID(t *testing.T) {
	for want, keys := range map[string][]string{
		"jka43dvv": {"role", "content", "tool_calls"},
		"4oymiquy": {},
		"zklycewk": {"a"},
		"lgzhdlq3": {"a", "b"},
		"hf6fofv7": {"b", "a"},
		"36dtt6rv": {"action", "query", "confidence", "sources"},
	} {
		require.Equal(t, want, glyph.NewSchemaContext(keys).ID())
	}
	require.Equal(t, "S1", glyph.NewSchemaContextWithID("S 1\n", nil).ID())
}

// TestPayloads is one conversation with one registry.
func TestPayloads(t *testing.T) {
	registry := glyph.NewSchemaRegistry()
	for _, c := range []struct{ text, json, active string }{
		{`{"#0"=y}`, `{"#0":"y"}`, ""},
		{"@schema#abc123 @keys=[action query confidence sources]\n{#0=search #1=\"weather NYC\" #2=0.95 #3=[web news]}",
			`{"action":"search","query":"weather NYC","confidence":0.95,"sources":["web","news"]}`, "abc123"},
		{"@schema#abc123\n{#0=x}", `{"action":"x"}`, "abc123"},
		{`{#0=y}`, `{"action":"y"}`, "abc123"},
		{`{"#9"=y #00=z}`, `{"#9":"y","action":"z"}`, "abc123"},
		{"@schema.clear\n{action=search query=\"weather NYC\"}", `{"action":"search","query":"weather NYC"}`, ""},
		{`{"#0"=y}`, `{"#0":"y"}`, ""},
		{"@schema#S2 keys=[a b c]", `null`, "S2"},
		{`{#0=1 #1={#0=2} #2=[{#0=3}] x=4}`, `{"a":1,"b":{"a":2},"c":[{"a":3}],"x":4}`, "S2"},
		{"@tab _ [#0 #1]\n|1|{#2=2}|\n@end", `[{"a":1,"b":{"c":2}}]`, "S2"},
		{`@schema.clear`, `null`, ""},
		{`{"#0"=y}`, `{"#0":"y"}`, ""},
		{"@schema#abc123 {#1=x}", `{"query":"x"}`, "abc123"},
		{"@schema#abc123 @keys=[other]\n{#0=x}", `{"other":"x"}`, "abc123"},
		{"@schema#abc123\n{#0=x}", `{"other":"x"}`, "abc123"},
		{"@schema#q @keys=[\"a b\" \"c]d\" \"q\\\"x\" \"t\" \"#0\"]\n{#0=1 #1=2 #2=3 #3=4 #4=5}", `{"a b":1,"c]d":2,"q\"x":3,"t":4,"#0":5}`, "q"},
		{"@schema#q2 @keys=[\"#0\" \"#1\"]\n{#0=1}", `{"#0":1}`, "q2"},
	} {
		v, ctx, err := glyph.ParseLoosePayload(c.text, registry)
		require.NoError(t, err, c.text)
		require.True(t, wire.Identical(parseJSON(t, c.json), v), "%s: %v", c.text, v)
		if c.active == "" {
			require.Nil(t, ctx, c.text)
		} else {
			require.Equal(t, c.active, ctx.ID(), c.text)
		}
		require.Same(t, ctx, registry.Active())
	}

	// What fails leaves no trace.
	before := registry.Active()
	for _, bad := range []string{"@schema#nope\n{#0=1}", "@schema#new @keys=[a]\n{", "@schema.clear\n{", "@schema.clearx", "{#9=1}", "@schema.clear {#0=1}", "@schema#new @keys=[a] {#1=1}"} {
		_, ctx, err := glyph.ParseLoosePayload(bad, registry)
		require.Error(t, err, bad)
		require.Nil(t, ctx)
		require.Same(t, before, registry.Active())
		require.Nil(t, registry.Lookup("new"))
	}
	_, _, err := glyph.ParseLoosePayload("@schema#abc123\n{#0=x}", nil)
	requireError(t, err, "schema_not_found", wire.ErrShape)
}

func TestSchemaHeaders(t *testing.T) {
	v := parseJSON(t, `{"action":"s","query":"q"}`)
	base := glyph.DefaultLooseCanonOpts()
	for _, c := range []struct {
		name string
		set  func(*glyph.LooseCanonOpts)
		want string
	}{
		{"none", func(o *glyph.LooseCanonOpts) {}, `{action=s query=q}`},
		{"reference", func(o *glyph.LooseCanonOpts) { o.SchemaRef = "abc123" }, "@schema#abc123\n{action=s query=q}"},
		{"inline", func(o *glyph.LooseCanonOpts) {
			o.SchemaRef, o.KeyDict, o.UseCompactKeys = "abc123", []string{"action", "query"}, true
		}, "@schema#abc123 @keys=[action query]\n{#0=s #1=q}"},
		{"derived id", func(o *glyph.LooseCanonOpts) { o.KeyDict, o.UseCompactKeys = []string{"a"}, true },
			"@schema#zklycewk @keys=[a]\n{action=s query=q}"},
		{"long keys", func(o *glyph.LooseCanonOpts) { o.KeyDict = []string{"query"} }, "@schema#" + glyph.NewSchemaContext([]string{"query"}).ID() +
			" @keys=[query]\n{action=s query=q}"},
	} {
		opts := base
		c.set(&opts)
		require.Equal(t, c.want, glyph.CanonicalizeLooseWithSchema(v, opts), c.name)
		_, body, found := strings.Cut(c.want, "\n")
		if !found {
			body = c.want
		}
		require.Equal(t, body, glyph.CanonicalizeLooseWithOpts(v, opts), c.name)
	}
}

// TestCompact is what the command's --compact does.
func TestCompact(t *testing.T) {
	for json, want := range map[string]string{
		`{"query":"test","action":"search"}`:                            "@schema#%s @keys=[action query]\n{#0=search #1=test}",
		`[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]`: "@schema#%s @keys=[id name]\n@tab _ [#0 #1]\n|1|a|\n|2|b|\n|3|c|\n@end",
		`{"b":[{"a b":1}],"Z":{"b":2}}`:                                 "@schema#%s @keys=[\"a b\" Z b]\n{#1={#2=2} #2=[{#0=1}]}",
		`{}`:                                                            "{}", // a schema without keys would say nothing
		`[5]`:                                                           "[5]",
	} {
		v := parseJSON(t, json)
		schema := glyph.NewSchemaContext(glyph.KeyDict(v))
		text := codectest.Encoded(t, glyph.Codec{Profile: glyph.ProfileCanonical, Schema: schema}, v)
		if strings.Contains(want, "%s") {
			want = fmt.Sprintf(want, schema.ID())
		}
		require.Equal(t, want, string(text))
		back := codectest.Decoded(t, glyph.Codec{}, text)
		require.True(t, wire.Equal(v, back))
	}
}

func TestRegistryBounds(t *testing.T) {
	registry := glyph.NewSchemaRegistry()
	for i := range 1000 {
		registry.Register(glyph.NewSchemaContextWithID(fmt.Sprint("S", i), []string{"a"}))
		registry.Lookup("S0")
	}
	require.Equal(t, 64, registry.Len())
	require.NotNil(t, registry.Lookup("S0"), "used last")
	require.Nil(t, registry.Lookup("S900"))
	require.NotNil(t, registry.Lookup("S999"))
	huge := strings.Repeat("x", 1<<20)
	for i := range 10 {
		registry.Register(glyph.NewSchemaContextWithID(fmt.Sprint("H", i), []string{huge}))
	}
	require.Less(t, registry.Len(), 4)
}

func TestRegistryConcurrency(t *testing.T) {
	registry := glyph.NewSchemaRegistry()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				text := fmt.Sprintf("@schema#g%d-%d @keys=[a b]\n{#0=%d #1={#0=2}}", g, i%20, i)
				v, ctx, err := glyph.ParseLoosePayload(text, registry)
				if err != nil || ctx == nil || v.Len() != 2 {
					t.Errorf("%v %v", v, err)
				}
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, registry.Len(), 64)
}
