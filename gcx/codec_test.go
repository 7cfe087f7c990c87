package gcx_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

var parse = codectest.JSON[string]

// losslessTable has the JSON values of every case that the reference loses, and
// the payload that carries them.
var losslessTable = []struct{ name, json, payload string }{
	{"number", `{"a":1}`, "fields=a\n1\n"},
	{"string that looks like a number", `{"a":"1"}`, "fields=a types=s\n1\n"},
	{"bool", `{"a":true}`, "fields=a\ntrue\n"},
	{"string that looks like a bool", `{"a":"true"}`, "fields=a types=s\ntrue\n"},
	{"null", `{"a":null}`, "fields=a types=n\nnull\n"},
	{"empty string", `{"a":""}`, "fields=a types=m\n\"\"\n"},
	{"string that looks like null", `{"a":"null"}`, "fields=a\nnull\n"},
	{"array", `{"a":[1]}`, "fields=a\n[1]\n"},
	{"string that looks like an array", `{"a":"[1]"}`, "fields=a types=s\n[1]\n"},
	{"object", `{"a":{}}`, "fields=a\n{}\n"},
	{"string that looks like an object", `{"a":"{}"}`, "fields=a types=s\n{}\n"},
	{"empty strings", `{"a":"","b":""}`, "fields=a,b\n\t\n"},
	{"nulls", `{"a":null,"b":null}`, "fields=a,b types=n\n\t\n"},
	{"null, missing, empty", `[{"a":null,"b":2},{"b":3},{"a":"","b":4}]`, "fields=a,b rows=3 types=m\nnull\t2\n\t3\n\"\"\t4\n"},
	{"empty object", `{}`, "fields=value\n{}\n"},
	{"array of an empty object", `[{}]`, "fields=value rows=1\n{}\n"},
	{"empty array", `[]`, "fields=value rows=0\n"},
	{"empty row", `[{"a":1},{}]`, "fields=value rows=2\n{\"a\":1}\n{}\n"},
	{"empty cells in one column", `[{"a":""},{"a":"x"},{"a":""}]`, "fields=a rows=3 types=m\n\"\"\nx\n\"\"\n"},
	{"every scalar", `[1,"1",true,"true",null,"null","",[1],"[1]",{"k":1}]`,
		"fields=value rows=10 types=m\n1\n\"1\"\ntrue\n\"true\"\nnull\n\"null\"\n\"\"\n[1]\n\"[1]\"\n{\"k\":1}\n"},
	{"mixed elements", `[1,{"a":1}]`, "fields=value rows=2\n1\n{\"a\":1}\n"},
	{"arrays of arrays", `[[1,2],[3]]`, "fields=value rows=2\n[1,2]\n[3]\n"},
	{"top-level empty string", `""`, "fields=value types=m\n\"\"\n"},
	{"top-level null", `null`, "fields=value types=n\nnull\n"},
	{"top-level number", `1`, "fields=value\n1\n"},
	{"array of a number", `[1]`, "fields=value rows=1\n1\n"},
	{"array of an object", `[{"a":1}]`, "fields=a rows=1\n1\n"},
	{"number spellings", `[1.0,1e2,-0,1e400,12345678901234567890]`, "fields=value rows=5\n1.0\n1e2\n-0\n1e400\n12345678901234567890\n"},
	{"escapes", `{"a":"x\ty\nz\\w"}`, "fields=a\nx\\ty\\nz\\\\w\n"},
	{"carriage returns", `{"a":"x\r\ny","b":1}`, "fields=a,b types=m\n\"x\\\\r\\\\ny\"\t1\n"},
	{"carriage return alone", `{"a":"\r"}`, "fields=a types=m\n\"\\\\r\"\n"},
	{"comment sign first", `{"a":"#c"}`, "fields=a\n\\#c\n"},
	{"header first", `[{"a":"GCX1 tool=x fields=y"}]`, "fields=a rows=1\n\\GCX1 tool=x fields=y\n"},
	{"key with a space", `{"a b":1}`, "fields=a\\ b\n1\n"},
	{"key with a comma", `{"a,b":1}`, "fields=a\\,b\n1\n"},
	{"key with a backslash", `{"a\\b":1}`, "fields=a\\\\b\n1\n"},
	{"key with an equals sign", `{"a=b":1}`, "fields=a=b\n1\n"},
	{"key with a tab and a line feed", `{"a\t\nb":1}`, "fields=a\\t\\nb\n1\n"},
	{"empty key", `{"":1}`, "fields=value\n{\"\":1}\n"},
	{"empty key among others", `{"a":1,"":2}`, "fields=a,\n1\t2\n"},
	{"key value", `{"value":1}`, "fields=value\n{\"value\":1}\n"},
	{"rows of key value", `[{"value":1},{"value":2}]`, "fields=value rows=2\n{\"value\":1}\n{\"value\":2}\n"},
	{"HTML in a nested string", `{"a":{"h":"<b>&"}}`, "fields=a\n{\"h\":\"<b>&\"}\n"},
	{"escapes in a nested string", `{"a":{"h":"\"\\\n"}}`, "fields=a\n{\"h\":\"\\\\\"\\\\\\\\\\\\n\"}\n"},
	{"member order of rows", `[{"a":1,"b":2},{"b":3,"a":4}]`, "fields=value rows=2\n{\"a\":1,\"b\":2}\n{\"b\":3,\"a\":4}\n"},
	{"members in the middle", `[{"a":1,"c":2},{"a":3,"b":4,"c":5}]`, "fields=a,b,c rows=2 types=m\n1\t\t2\n3\t4\t5\n"},
	{"optional strings of digits", `[{"a":1,"z":"007"},{"a":2,"z":"12"},{"a":3}]`, "fields=a,z rows=3 types=aM\n1\t007\n2\t12\n3\t\n"},
	{"strings of digits or null", `[{"a":1,"z":"7"},{"a":2,"z":null}]`, "fields=a,z rows=2 types=aN\n1\t7\n2\t\n"},
	{"numbers or null", `[{"a":1,"z":7},{"a":2,"z":null}]`, "fields=a,z rows=2 types=n\n1\t7\n2\t\n"},
}

func TestLossless(t *testing.T) {
	for _, test := range losslessTable {
		t.Run(test.name, func(t *testing.T) {
			v := parse(t, test.json)
			got := codectest.Encoded(t, gcx.Codec{Tool: "t"}, v)
			require.Equal(t, "GCX1 tool=t "+test.payload, string(got))
			back := codectest.Decoded(t, gcx.Codec{}, got)
			require.True(t, wire.Identical(v, back), "%s", back)
		})
	}
}

func TestSamples(t *testing.T) {
	for _, d := range sample.Documents() {
		v := parse(t, string(d.JSON))
		got := codectest.Encoded(t, gcx.Codec{}, v)
		back := codectest.Decoded(t, gcx.Codec{}, got)
		loss, at := wire.Difference(v, back)
		require.Zero(t, loss, "%s: %s %s", d.Name, loss, at)
		t.Log(d.Name, len(d.JSON), len(got))
	}
}

// TestEncodeAllocations holds that encoding into a buffer with room allocates
// nothing, tables with missing members and wrappers included.
func TestEncodeAllocations(t *testing.T) {
	for _, d := range sample.Documents() {
		v := parse(t, string(d.JSON))
		buf := codectest.Encoded(t, gcx.Codec{}, v)
		growth.Allocs(t, 0, func() { buf, _ = gcx.Codec{}.AppendEncode(buf[:0], v) })
	}
}

func object(key string, v wire.Value) wire.Value {
	o, err := wire.Object(wire.Member{Key: key, Value: v})
	if err != nil {
		panic(err)
	}
	return o
}
