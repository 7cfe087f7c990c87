package gcx_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// plainTable has the document's generic fallback, byte for byte, wherever the
// reference reads its own output back, and what takes the place of the rest.
var plainTable = []struct{ name, json, payload string }{
	{"scalars", `["a","b","c"]`, "fields=value rows=3\na\nb\nc\n"},
	{"empty array", `[]`, "fields=value rows=0\n"},
	{"number", `42`, "fields=value\n42\n"},
	{"union of keys", `[{"id":"1","kind":"func"},{"kind":"method","id":"2","line":42}]`, "fields=id,kind,line rows=2\n1\tfunc\t\n2\tmethod\t42\n"},
	{"nested", `{"tags":["a","b"],"id":"x","meta":{"k":"v"}}`, "fields=id,meta,tags\nx\t{\"k\":\"v\"}\t[\"a\",\"b\"]\n"},
	{"nested members sorted", `{"a":{"z":1,"b":{"y":2,"x":3}},"b":[{"d":1,"c":2}]}`, "fields=a,b\n{\"b\":{\"x\":3,\"y\":2},\"z\":1}\t[{\"c\":2,\"d\":1}]\n"},
	{"number spellings", `[1.0,1e2,-0,12345678901234567890]`, "fields=value rows=4\n1.0\n1e2\n-0\n12345678901234567890\n"},
	{"null and missing", `[{"a":null,"b":2},{"b":3},{"a":"","b":4}]`, "fields=a,b rows=3\n\t2\n\t3\n\t4\n"},
	{"every scalar", `[1,"1",true,"true",null,"null","",[1],"[1]",{"k":1}]`, "fields=value rows=10\n1\n1\ntrue\ntrue\n\nnull\n\n[1]\n[1]\n{\"k\":1}\n"},
	{"arrays", `[[1,2],[3]]`, "fields=value rows=2\n[1,2]\n[3]\n"},
	{"empty row", `[{"a":1},{}]`, "fields=a rows=2\n1\n\n"},
	{"null", `null`, "fields=value\n\n"},
	{"carriage returns", `{"a":"x\ty\nz\\w\r\nq","b":"\r"}`, "fields=a,b\nx\\ty\\nz\\\\w\\nq\t\n"},
	{"no HTML escapes", `{"a":{"h":"<b>&\u2028"}}`, "fields=a\n{\"h\":\"<b>&\u2028\"}\n"},
	{"guarded", `[{"color":"#fff","n":1}]`, "fields=color,n rows=1\n\\#fff\t1\n"},
	{"object without members", `{}`, "fields=value\n{}\n"},
	{"array of it", `[{}]`, "fields=value rows=1\n{}\n"},
	{"wrapper", `{"l":[{"a":1},{"a":2}]}`, "fields=l\n[{\"a\":1},{\"a\":2}]\n"},
}

func TestPlain(t *testing.T) {
	c := gcx.Codec{Tool: "t", Plain: true}
	for _, test := range plainTable {
		t.Run(test.name, func(t *testing.T) {
			v := parse(t, test.json)
			got := codectest.Encoded(t, c, v)
			require.Equal(t, "GCX1 tool=t "+test.payload, string(got))
			back := codectest.Decoded(t, c, got)
			loss, at := wire.Difference(v, back)
			require.Zero(t, loss&^c.Info().Loss, "%s at %s", loss, at)
			if v.Kind() == wire.KindArray {
				require.Equal(t, v.Len(), back.Len(), "blank lines are rows where rows= says so")
			}
		})
	}
}

// TestPlainNames: the document strips carriage returns from names, too.
func TestPlainNames(t *testing.T) {
	c := gcx.Codec{Tool: "t\r", Plain: true}
	got := codectest.Encoded(t, c, parse(t, `{"a\rb":1,"c":2}`))
	require.Equal(t, "GCX1 tool=t fields=ab,c\n1\t2\n", string(got))
	_, err := c.AppendEncode(nil, parse(t, `[{"a\r":1},{"a":2}]`))
	requireError(t, err, "duplicate_field_name", wire.ErrDuplicateKey)
	_, err = c.AppendObject(nil, parse(t, `{"l\r":[1],"l":[2]}`))
	requireError(t, err, "duplicate_field_name", wire.ErrDuplicateKey)
	got, err = c.AppendObject(nil, parse(t, `{"l\r":[1],"m":[2]}`))
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=t.l fields=value rows=1\n1\nGCX1 tool=t.m fields=value rows=1\n2\n", string(got))
}

func TestPlainWrapped(t *testing.T) {
	for _, test := range []struct{ name, json, payload string }{
		{"one list", `{"symbols":[{"b":1,"a":2},{"b":3}],"total":2,"etag":"ff"}`, "GCX1 tool=t fields=a,b etag=ff rows=2 total=2\n2\t1\n\t3\n"},
		{"two lists", `{"nodes":[{"id":"a"}],"edges":[],"total":1}`, "GCX1 tool=t.nodes fields=id rows=1 total=1\na\nGCX1 tool=t.edges fields=value rows=0\n"},
		{"the rest", `{"task":"add a tool","l":[1,2],"o":{"x":1}}`, "GCX1 tool=t fields=value rows=2\n1\n2\nGCX1 tool=t.meta fields=o,task\n{\"x\":1}\tadd a tool\n"},
		{"no list", `{"a":1}`, "GCX1 tool=t fields=a\n1\n"},
	} {
		got, err := gcx.Codec{Tool: "t", Plain: true}.AppendObject(nil, parse(t, test.json))
		require.NoError(t, err)
		require.Equal(t, test.payload, string(got), test.name)
	}
}

func TestInterop(t *testing.T) {
	c := gcx.Codec{Interop: true}
	for _, text := range []string{`{"a b":1}`, `{"a,b":1,"c":2}`, `[{"a\\b":1},{"a\\b":2}]`, `{"x y":[{"a":1},{"a":2}]}`} {
		for _, c := range []gcx.Codec{c, {Interop: true, Plain: true}} {
			if c.Plain && text[2] == 'x' {
				continue // one row, whose field has the space
			}
			_, err := c.AppendEncode(nil, parse(t, text))
			requireError(t, err, "not_interoperable", wire.ErrShape)
		}
	}
	_, err := gcx.Codec{Interop: true, Tool: "a b"}.AppendEncode(nil, wire.Null())
	requireError(t, err, "not_interoperable", wire.ErrShape)
	_, err = gcx.Codec{Interop: true, Plain: true}.AppendEncode(nil, wire.Null())
	requireError(t, err, "not_interoperable", wire.ErrShape)
	for _, test := range losslessTable {
		payload, err := c.AppendEncode(nil, parse(t, test.json))
		if err != nil {
			continue
		}
		back := codectest.Decoded(t, c, payload)
		require.True(t, wire.Identical(parse(t, test.json), back), test.name)
	}
}

func TestVariants(t *testing.T) {
	registry, err := wire.NewRegistry(gcx.Codec{})
	require.NoError(t, err)
	for name, want := range map[string]gcx.Codec{"gcx": {}, "gcx:plain": {Plain: true}, "gcx:interop": {Interop: true},
		"gcx:single": {Single: true}, "gcx:reorder": {Reorder: true}, "gcx:all-strings": {AllStrings: true}, "gcx:lenient": {Lenient: true}} {
		c, err := registry.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, want, c)
		require.Equal(t, name, c.Info().FullName())
		want.Limits.Depth = 7
		require.Equal(t, name, want.Info().FullName(), "limits make no variant")
	}
	require.Len(t, describe.All(registry), 7)
	require.Equal(t, variants.Custom, gcx.Codec{Plain: true, Interop: true}.Info().Variant)
	require.Equal(t, variants.Custom, gcx.Codec{Tool: "t"}.Info().Variant)
	require.Empty(t, gcx.Codec{Tool: "data"}.Info().Variant)
}

func TestInfo(t *testing.T) {
	require.Equal(t, variants.LossKinds, gcx.Codec{}.Info().Loss)
	require.Equal(t, "gcx", gcx.Codec{}.Info().Name)
	for text, want := range map[string]bool{
		"GCX1 tool=t fields=a\n": true, "\uFEFFGCX1 x": true, "# c\n\nGCX1 tool=": true, "\r\nGCX1 t": true,
		"": false, "GCX1": false, "GCX12 tool=t": false, "GCX2 tool=t": false, "{}": false, "GCX1tool=t": false, "# c": false, " GCX1 tool": false,
	} {
		later := text == "GCX12 tool=t" || text == "GCX2 tool=t"
		require.Equal(t, want || later, gcx.Codec{}.Sniff([]byte(text)), "%q", text)
	}
	registry, err := wire.NewRegistry(wire.JSON{}, gcx.Codec{})
	require.NoError(t, err)
	c, err := registry.Detect([]byte("GCX2 tool=t fields=a\n1\n"))
	require.NoError(t, err)
	_, err = c.Decode([]byte("GCX2 tool=t fields=a\n1\n"))
	requireError(t, err, "unsupported_version", wire.ErrVersion)
}

// TestPlainNestedOrders: objects of more key lists than are remembered nest, and each
// goes on in its order after what it holds.
func TestPlainNestedOrders(t *testing.T) {
	inner := `{"k\n":1}`
	for i := range 60 {
		inner = fmt.Sprintf(`{"z%d":%d,"a\"%d":%s,"m":[{"y%d":1,"b":2}]}`, i, i, i, inner, i%7)
	}
	text := fmt.Sprintf(`[{"id":1,"v":%s},{"id":2,"v":[%s]}]`, inner, inner)
	payload := codectest.Encoded(t, gcx.Codec{Plain: true}, codectest.JSON(t, text))
	again := codectest.Decoded(t, gcx.Codec{}, payload)
	require.JSONEq(t, text, again.String())
}

// TestPlainSingle: options of which one contradicts the other are an error at the first call.
func TestPlainSingle(t *testing.T) {
	c := gcx.Codec{Plain: true, Single: true}
	_, err := c.AppendEncode(nil, wire.Array())
	codectest.Refused(t, err, wire.CodeInvalidOption, wire.ErrRange)
	_, err = c.Marshal([]struct{ A int }{{1}})
	codectest.Refused(t, err, wire.CodeInvalidOption, wire.ErrRange)
	_, err = c.NewRecordWriter(io.Discard, nil)
	codectest.Refused(t, err, wire.CodeInvalidOption, wire.ErrRange)
}
