package yaml

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/resident"
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
	{"line ends of YAML 1.1", "a: ", "\u0085"},
	{"names beyond ASCII", "a: ", "&é "},
	{"pairs of surrogates", "a: \"", `\ud83d\ude00`},
	{"names with colons", "", "- &a: 1\n"},
	{"documents", "", "---\n"},
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

// TestMemoryOfCopies: what aliases and merges copy keeps to the rule of memory.
func TestMemoryOfCopies(t *testing.T) {
	numbered := func(n int, unit string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(unit, "%d", strconv.Itoa(i)))
		}
		return b.String()
	}
	levels := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		of := "*a" + strconv.Itoa(i-1)
		levels += "a" + strconv.Itoa(i) + ": &a" + strconv.Itoa(i) + " [" + of + strings.Repeat(","+of, 8) + "]\n"
	}
	var cases []resident.Case
	for name, text := range map[string]string{
		"nine of nine of nine": levels,
		"merges":               "a: &a {" + numbered(2000, "k%d: 1,") + "}\n" + numbered(2000, "b%d: {<<: *a}\n"),
		"small merges":         "a: &a {x: 1}\n" + numbered(40_000, "b%d: {<<: *a}\n"),
		"merges of many":       "a: &a {x: 1}\nb:\n  <<: [" + strings.Repeat("*a,", 250_000) + "]\n",
		"lists":                "a: &a [" + strings.Repeat("[],", 90_000) + "]\nb: [*a,*a,*a]\n",
	} {
		cases = append(cases, resident.Case{
			Name:  name,
			Input: func() []byte { return []byte(text) },
			Call:  func(src []byte) { _, _ = Codec{}.Decode(src) },
		})
	}
	resident.Check(t, cases...)
}

func TestTooManyCopies(t *testing.T) {
	text := "a: &a [" + strings.Repeat("1,", 1000) + "1]\nb: [" + strings.Repeat("*a,", 400) + "*a]\n"
	_, err := Codec{}.Decode([]byte(text))
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "Limits.Values")
	require.ErrorContains(t, err, "/b/")
	v, err := Codec{Limits: wire.Limits{Values: bound.Values}}.Decode([]byte(text))
	require.NoError(t, err)
	b, _ := v.Get("b")
	require.Equal(t, 401, b.Len())
}

// TestTooMuchCopiedText: strings and keys that aliases copy are bounded in bytes, which
// may be very many for each.
func TestTooMuchCopiedText(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for name, text := range map[string]string{
		"strings": "- &a " + long + "\n" + strings.Repeat("- *a\n", 100),
		"keys":    "- &a " + long + "\n" + strings.Repeat("- {*a : 1}\n", 100),
		"objects": "- &a {? " + long + " : 1}\n" + strings.Repeat("- *a\n", 100),
		"merges":  "- &a {k: " + long + "}\n" + strings.Repeat("- {<<: *a, b: 1}\n", 100),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Codec{}.Decode([]byte(text))
			require.ErrorIs(t, err, wire.ErrLimit)
			require.ErrorContains(t, err, "Limits.OutputBytes")
			v, err := Codec{Limits: wire.Limits{OutputBytes: 16 << 20}}.Decode([]byte(text))
			require.NoError(t, err)
			require.Equal(t, 101, v.Len())
			for _, err := range (Codec{}).Records(strings.NewReader(text)) {
				require.ErrorIs(t, err, wire.ErrLimit)
				break
			}
		})
	}
	_, err := Codec{Limits: wire.Limits{OutputBytes: 1}}.Decode([]byte("- &a long\n- *a\n"))
	require.NoError(t, err, "a low limit on what is written is none on what is read")
}

func TestTooManyNodes(t *testing.T) {
	src := []byte(strings.Repeat("-\n", 400_000))
	_, err := Codec{}.Decode(src)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "Limits.Values")
	v, err := Codec{Limits: wire.Limits{Values: bound.Values}}.Decode(src)
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
	v := codectest.Decoded(t, Codec{}, "["+strings.Repeat("1,", 500_000)+"1]")
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
