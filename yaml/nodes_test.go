package yaml

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/resident"
	"github.com/wirekit/wirekit/wire"
)

// dense are texts that hold as many nodes as a text may, each of another kind.
var dense = []struct{ name, before, unit string }{
	{"nulls", "", "-\n"},
	{"nulls and blanks", "", "- \n"},
	{"nulls in a list", "a:\n", "-\n"},
	{"keys", "", "? a\n"},
	{"numbers", "", "- 1\n"},
	{"flow", "? ", "[1],"},
	{"digits", "a: [", "1,"},
	{"keys without values", "a: {", "bb,"},
	{"long keys without values", "a: {", "bbb,"},
	{"members", "", "a: 1\n"},
	{"quoted", "- [", `"",`},
	{"nested", "", "- - 1\n"},
	{"lists", "a: [", "[],"},
}

// TestMemoryOfNodes: the densest texts that are read keep to the rule of
// memory, also where the text is wrong in the end.
func TestMemoryOfNodes(t *testing.T) {
	var cases []resident.Case
	for _, d := range dense {
		cases = append(cases, resident.Case{
			Name: d.name,
			Input: func() []byte {
				n := 1_000_000 / len(d.unit)
				for mostNodes([]byte(d.before+strings.Repeat(d.unit, n))) > freeNodes {
					n = n * 99 / 100
				}
				return []byte(d.before + strings.Repeat(d.unit, n))
			},
			Call: func(src []byte) { _, _ = Codec{}.Decode(src) },
		})
	}
	resident.Check(t, cases...)
}

func TestTooManyNodes(t *testing.T) {
	src := []byte(strings.Repeat("-\n", 400_000))
	_, err := Codec{}.Decode(src)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "Limits.Values")
	v, err := Codec{Limits: wire.Limits{Values: wire.DefaultValues}}.Decode(src)
	require.NoError(t, err)
	require.Equal(t, 400_000, v.Len())
	for _, err := range (Codec{}).Records(strings.NewReader("--- 1\n---\n" + string(src))) {
		if err != nil {
			require.ErrorIs(t, err, wire.ErrLimit)
			return
		}
	}
	t.Error("a stream has no limit")
}

// TestJSONIsYAML: a JSON text is read as JSON, whatever its nodes, and a text
// that only begins like one as YAML.
func TestJSONIsYAML(t *testing.T) {
	v, err := Codec{}.Decode([]byte("[" + strings.Repeat("1,", 500_000) + "1]"))
	require.NoError(t, err)
	require.Equal(t, 500_001, v.Len())
	for text, want := range map[string]string{
		`{"a":"\ud83d\ude00\/","b":[1.50,-0]}`: `{"a":"😀/","b":[1.50,-0]}`,
		`{"a":1,} # YAML`:                      `{"a":1}`,
		"[a, b]":                               `["a","b"]`,
		`[1]: 2`:                               "",
		`{"a":1,"a":2}`:                        "",
	} {
		v, err := Codec{}.Decode([]byte(text))
		if want == "" {
			require.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, string(wire.AppendJSON(nil, v)))
	}
}
