package gcx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// wrappedTable has objects and the sections they become.
var wrappedTable = []struct{ name, json, payload string }{
	{"one list and scalars", `{"symbols":[{"id":"a","line":1},{"id":"b","line":2}],"total":2,"truncated":false,"etag":"ff"}`,
		"GCX1 tool=data.symbols fields=id,line rows=2 total=2 truncated=false etag=ff\na\t1\nb\t2\n"},
	{"scalars before the list", `{"total":2,"symbols":[{"id":"a"},{"id":"b"}],"next":null}`,
		"GCX1 tool=data.symbols total=2 fields=id rows=2 next=null\na\nb\n"},
	{"nodes and edges", `{"nodes":[{"id":"a"},{"id":"b"}],"edges":[],"total":2}`,
		"GCX1 tool=data.nodes fields=id rows=2 edges=[] total=2\na\nb\n"},
	{"two lists", `{"nodes":[{"id":"a"},{"id":"b"}],"n":1,"edges":[{"from":"a","to":"b"}],"m":2}`,
		"GCX1 tool=data.nodes fields=id rows=2 sections=2 n=1\na\nb\nGCX1 tool=data.edges fields=from,to rows=1 m=2\na\tb\n"},
	{"text unfit for a header", `{"task":"add a tool","symbols":[{"id":"a"},{"id":"b"}]}`,
		"GCX1 tool=data.task fields=value types=a sections=2\nadd a tool\nGCX1 tool=data.symbols fields=id rows=2\na\nb\n"},
	{"object beside a list", `{"meta":{"page":1,"next":null},"results":[{"id":1},{"id":2}]}`,
		"GCX1 tool=data.meta fields=page,next types=n sections=2\n1\t\nGCX1 tool=data.results fields=id rows=2\n1\n2\n"},
	{"keys of the header itself", `{"rows":1,"types":"a","sections":2,"tool":"x","fields":"y","l":[{"id":1},{"id":2}]}`,
		"GCX1 tool=data.rows fields=value types=a sections=6\n1\nGCX1 tool=data.types fields=value types=a\na\n" +
			"GCX1 tool=data.sections fields=value types=a\n2\nGCX1 tool=data.tool fields=value types=a\nx\n" +
			"GCX1 tool=data.fields fields=value types=a\ny\nGCX1 tool=data.l fields=id rows=2\n1\n2\n"},
	{"a string that looks like a number", `{"n":"1","l":[{"id":1},{"id":2}]}`,
		"GCX1 tool=data.n fields=value types=s sections=2\n1\nGCX1 tool=data.l fields=id rows=2\n1\n2\n"},
	{"keys with dots and spaces", `{"a.b":[{"id":1},{"id":2}],"c d":[1]}`,
		"GCX1 tool=data.a.b fields=id rows=2 sections=2\n1\n2\nGCX1 tool=data.c\\ d fields=value rows=1\n1\n"},
	{"empty key", `{"":[{"id":1},{"id":2}]}`, "GCX1 tool=data. fields=id rows=2\n1\n2\n"},
	{"lists of scalars beside", `{"a":[{"id":1},{"id":2}],"b":["x","y"]}`,
		"GCX1 tool=data.a fields=id rows=2 sections=2\n1\n2\nGCX1 tool=data.b fields=value rows=2\nx\ny\n"},
}

func TestWrapped(t *testing.T) {
	for _, test := range wrappedTable {
		t.Run(test.name, func(t *testing.T) {
			v := parse(t, test.json)
			got := codectest.Encoded(t, gcx.Codec{}, v)
			require.Equal(t, test.payload, string(got))
			back := codectest.Decoded(t, gcx.Codec{}, got)
			require.True(t, wire.Identical(v, back), "%s", back)
			single := codectest.Encoded(t, gcx.Codec{Single: true}, v)
			require.Len(t, headers(single), 1)
			explicit, err := gcx.Codec{Single: true}.AppendObject(nil, v)
			require.NoError(t, err)
			require.Equal(t, test.payload, string(explicit))
		})
	}
}

func TestToolWithDots(t *testing.T) {
	c := gcx.Codec{Tool: "analyze.dead_code"}
	list := parse(t, `[{"id":1},{"id":2}]`)
	got := codectest.Encoded(t, c, list)
	require.Equal(t, "GCX1 tool=analyze\\.dead_code fields=id rows=2\n1\n2\n", string(got))
	back := codectest.Decoded(t, gcx.Codec{}, got)
	require.True(t, wire.Identical(list, back))
}

// TestForeign reads payloads as other producers write them.
func TestForeign(t *testing.T) {
	for _, test := range []struct{ name, payload, json string }{
		{"rows and meta", "GCX1 tool=search_symbols fields=id,line total=5 truncated=false\nx\t1\n",
			`{"rows":[{"id":"x","line":1}],"total":5,"truncated":false}`},
		{"nodes and edges", "GCX1 tool=get_callers.nodes fields=id,line\na\t1\nGCX1 tool=get_callers.edges fields=from,to,confidence\na\tb\t1\n",
			`{"nodes":[{"id":"a","line":1}],"edges":[{"from":"a","to":"b","confidence":1}]}`},
		{"sections without a dot", "GCX1 tool=a fields=x\n1\nGCX1 tool=b fields=y\n2\n", `{"a":[{"x":1}],"b":[{"y":2}]}`},
		{"meta twice", "GCX1 tool=a.x fields=x total=1\n1\nGCX1 tool=a.y fields=y total=2\n2\n",
			`[{"tool":"a.x","meta":{"total":1},"rows":[{"x":1}]},{"tool":"a.y","meta":{"total":2},"rows":[{"y":2}]}]`},
		{"section twice", "GCX1 tool=a fields=x\nGCX1 tool=a fields=y\n", `[{"tool":"a","meta":{},"rows":[]},{"tool":"a","meta":{},"rows":[]}]`},
		{"one row", "GCX1 tool=a fields=x,y\n1\t[1]\n", `{"x":1,"y":[1]}`},
		{"rows", "GCX1 tool=a fields=x,y\n1\t[1]\n\t{\"k\":[}\n", `[{"x":1,"y":[1]},{"x":"","y":"{\"k\":[}"}]`},
		{"no row", "GCX1 tool=a fields=x\n", `[]`},
		{"blank row", "GCX1 tool=a fields=x\n\n", `{"x":""}`},
		{"blank value", "GCX1 tool=a fields=value\n\n", `""`},
		{"short row", "GCX1 tool=a fields=x,y,z\n1\n", `{"x":1,"y":"","z":""}`},
		{"quotation marks", "GCX1 tool=a fields=x,y\n\"1\"\tnull\n", `{"x":"\"1\"","y":"null"}`},
		{"space in JSON", "GCX1 tool=a fields=x,y\n[1, 2]\t{ \"a\" : \"\\\\u00e9\\\\n\" }\n", `{"x":[1,2],"y":{"a":"é\n"}}`},
		{"blank row behind a filled one", "GCX1 tool=a fields=x rows=2 types=m\n1\n\n", `[{"x":1},{}]`},
		{"rows in one column", "GCX1 tool=a fields=value rows=3 types=n\n1\n\nx\n", `[1,null,"x"]`},
		{"numbers that are none", "GCX1 tool=a fields=x,y,z,u\n01\t1.\t-\t1e\n", `{"x":"01","y":"1.","z":"-","u":"1e"}`},
		{"numbers with more behind", "GCX1 tool=a fields=x,y,z\n1 \t2\\n\t[3]x\n", `{"x":"1 ","y":"2\n","z":"[3]x"}`},
		{"numbers as spelled", "GCX1 tool=a fields=x,y,z,u\r\n-0\t1.50\t1E5\t1234567890123456789\r\n", `{"x":-0,"y":1.50,"z":1E5,"u":1234567890123456789}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := codectest.Decoded(t, gcx.Codec{}, test.payload)
			require.Equal(t, test.json, string(wire.AppendJSON(nil, got)))
		})
	}
	text := codectest.Decoded(t, gcx.Codec{AllStrings: true}, "GCX1 tool=a fields=x,y n=1\n1\t[1]\n")
	require.Equal(t, `{"rows":[{"x":"1","y":"[1]"}],"n":"1"}`, string(wire.AppendJSON(nil, text)))
}

// TestJSONInPlace compares JSON in cells that is parsed where it is with
// the same cells where an escape the encoder never writes prevents that.
func TestJSONInPlace(t *testing.T) {
	for _, json := range []string{
		`["a\n\\\"\/é漢\ud83d\ude00\u00e9"]`, `{"k\"\t":{"":[]},"k":"\\"}`, `[1,-2.5e3,true,false,null,{}]`, `["\ud83d"]`, `["\ud83dx"]`,
		`["\q"]`, `["\u12"]`, `["open`, `["open\`, `[1,`, `[1 2]`, `{"a" : 1 , "a":2}`, `{"a"}`, `{"a":1,}`, `[tru]`, `[[[`, `["x"]y`, `["\ude00\ud83d"]`,
	} {
		payload, err := gcx.Codec{}.AppendSections(nil, gcx.Section{Header: gcx.Header{Tool: "t", Fields: []string{"x"}}, Rows: [][]string{{json}}})
		require.NoError(t, err)
		inPlace := codectest.Decoded(t, gcx.Codec{}, payload)
		bracket := json[:1]
		copied := codectest.Decoded(t, gcx.Codec{}, strings.Replace(string(payload), "\n"+bracket, "\n\\"+bracket, 1))
		require.True(t, wire.Identical(copied, inPlace), "%s: %s in place, %s copied", json, inPlace, copied)
		if want, err := wire.ParseJSON([]byte(json)); err == nil {
			require.True(t, wire.Equal(want, inPlace.Index(0)), "%s: %s", json, inPlace)
		} else {
			require.Equal(t, json, inPlace.Index(0).Text())
		}
	}
}
