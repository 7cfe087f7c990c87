package gcf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestOutputInProportion: a value is not encoded to far more than its JSON,
// unless the caller says how much it may be.
func TestOutputInProportion(t *testing.T) {
	trials.OneGoroutine(t)
	for _, name := range []string{"sparse rows", "sparse keyed map", "deep brackets", "deep scalars"} {
		t.Run(name, func(t *testing.T) {
			v := parse(t, amplifyingValues[name](50_000))
			_, err := gcf.Codec{}.AppendEncode(nil, v)
			e := codectest.Error(t, err)
			require.ErrorIs(t, err, wire.ErrLimit)
			require.Equal(t, "output_too_long", e.Code)
			require.Contains(t, e.Message, "8 times")
			require.Contains(t, e.Hint, "Limits.OutputBytes")

			raised := gcf.Codec{Limits: wire.Limits{OutputBytes: 1 << 30}}
			doc, err := raised.AppendEncode(nil, v)
			require.NoError(t, err)
			require.Greater(t, len(doc), 8<<20)
			back := codectest.Decoded(t, gcf.Codec{}, doc)
			require.True(t, wire.Equal(v, back))
		})
	}
}

// TestLongOutput: what is long as JSON may be long as GCF.
func TestLongOutput(t *testing.T) {
	trials.OneGoroutine(t)
	text := strings.Repeat("a", 30<<20)
	for _, v := range []wire.Value{wire.String(text), wire.Array(wire.String(text)), parse(t, `[{"a":"`+text+`","b":[1]}]`)} {
		doc, err := gcf.EncodeGeneric(v)
		require.NoError(t, err)
		back, err := gcf.Codec{Limits: wire.Limits{LineBytes: -1}}.Decode(doc)
		require.NoError(t, err)
		require.True(t, wire.Equal(v, back))
	}
	digits := "0." + strings.Repeat("7", 20<<20)
	doc, err := gcf.EncodeGeneric(parse(t, "["+digits+"]"))
	require.NoError(t, err)
	require.Equal(t, header+"## [1]: "+digits+"\n", string(doc))
}

// TestPathNamesThatCost: an object does not become path columns where their
// names take far more than its attachments would.
func TestPathNamesThatCost(t *testing.T) {
	for _, tt := range []struct {
		name, json string
		flat       bool
	}{
		{"short names", `[{"id":1,"pos":{"x":1,"y":2}}]`, true},
		{"a long name, few rows", `[{"a_rather_long_name_of_a_member":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}}]`, false},
		{"a long name, many rows", "[" + trimmed(strings.Repeat(`{"a_rather_long_name_of_a_member":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}},`, 10)) + "]", true},
		{"a long path", `[{"a_rather_long_name_of_a_member":{"and_another":{"c":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0}}}}]`, false},
		{"absent in many rows", `[{"a":{"b":1,"c":2,"d":3,"e":4}}` + strings.Repeat(`,{"z":1}`, 60) + "]", false},
		{"the name alone is the document", amplifyingValues["long path"](200_000), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.json)
			doc, err := gcf.EncodeGeneric(v)
			require.NoError(t, err)
			require.Equal(t, tt.flat, strings.Contains(string(doc), ">"), "%.500s", doc)
			back, err := gcf.DecodeGeneric(doc)
			require.NoError(t, err)
			require.True(t, wire.Equal(v, back))
			require.Less(t, len(doc), 3*len(tt.json)+100)
		})
	}
}

// TestChainsOfPathColumns: what is encoded is decoded at default limits, however
// many objects its path columns make.
func TestChainsOfPathColumns(t *testing.T) {
	chain := strings.Repeat(`{"a":`, 15) + "1" + strings.Repeat("}", 15)
	v := parse(t, "["+trimmed(strings.Repeat(chain+",", 20_000))+"]")
	doc, err := gcf.EncodeGeneric(v)
	require.NoError(t, err)
	back, err := gcf.DecodeGeneric(doc)
	require.NoError(t, err)
	require.True(t, wire.Equal(v, back))

	doc, err = gcf.EncodeGeneric(parse(t, "["+trimmed(strings.Repeat(`{"a":{"a":{"a":1}}},`, 1000))+"]"))
	require.NoError(t, err)
	require.Contains(t, string(doc), `"a>a>a"`, "a few are no danger")
}

// TestGroupsAreValues: the objects that path columns make count as values.
func TestGroupsAreValues(t *testing.T) {
	doc := []byte(header + "## [2]{\"a>b>c\",d}\n1|2\n3|4\n")
	// Two rows with two cells, and two groups in each.
	const values = 2 * (1 + 2 + 2)
	for _, limit := range []int{values + 2, values - 1} {
		_, err := gcf.Codec{Limits: wire.Limits{Values: limit}}.Decode(doc)
		if limit > values {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, wire.ErrLimit)
		require.ErrorContains(t, err, "raise Limits.Values")
	}
	long := []byte(amplifyingDocuments["path columns"](megabyte))
	_, err := gcf.Codec{}.Decode(long)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "raise Limits.Values")
	v, err := gcf.Codec{Limits: wire.Limits{Values: 20 << 20}}.Decode(long[:200_000])
	require.NoError(t, err)
	require.Greater(t, v.Len(), 90_000)
}
