//go:build interop

package interop

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// The reasons why the package and ours may differ. Both lie in JavaScript.
const (
	beyondDouble = "a number beyond a double: JSON.parse makes it infinite, which is encoded as null; decoded, it is a string"
	indexKeys    = "keys that look like array indices come first in JavaScript's objects"
)

var toonDelimiters = []struct {
	text  string
	codec byte
}{{",", ','}, {"\t", '\t'}, {"|", '|'}}

// toonValues returns the corpora and 20,000 random values.
func toonValues() []wire.Value {
	var values []wire.Value
	add := func(v wire.Value) {
		// What the scripts are given is JSON; very long documents prove nothing more.
		text, err := wire.JSON{}.AppendEncode(nil, v)
		if err != nil || len(text) > 1<<20 {
			return
		}
		if v, err = wire.ParseJSON(text); err == nil {
			values = append(values, v)
		}
	}
	for _, corpus := range conformance.Corpora() {
		for _, v := range corpus.Cases {
			add(v)
		}
	}
	g := conformance.NewGenerator(11)
	for range 20_000 {
		add(g.Value())
	}
	return values
}

// TestInteropTOON exchanges values with the published package: it reads what we
// write, we read what it writes, and where JavaScript can hold the value the
// bytes are the same.
func TestInteropTOON(t *testing.T) {
	values := toonValues()
	var requests []wire.Value
	var texts []string
	for i, v := range values {
		d := toonDelimiters[i%3]
		text := codectest.Encoded(t, toon.Codec{Delimiter: d.codec}, v)
		texts = append(texts, string(text))
		requests = append(requests,
			toonRequest(t, "decode", string(text), wire.Member{Key: "strict", Value: wire.Bool(true)}),
			toonRequest(t, "encode", string(wire.AppendJSON(nil, v)), wire.Member{Key: "delimiter", Value: wire.String(d.text)}))
	}
	answers := exchange(t, "toon.mjs", "@toon-format/toon", requests)
	known := map[string]int{}
	sameBytes := 0
	for i, v := range values {
		if anyNumber(v, func(f float64) bool { return math.IsInf(f, 0) }) {
			known[beyondDouble]++
			continue
		}
		want := inJavaScript(v)
		theirs := ok(t, v, answers[2*i])
		got := codectest.JSON(t, theirs)
		require.True(t, wire.Equal(want, got), "they read another value\nvalue %.300v\nours %.300q\nread %.300v", v, texts[i], got)

		encoded := ok(t, v, answers[2*i+1])
		got = codectest.Decoded(t, toon.Codec{}, encoded)
		require.True(t, wire.Equal(want, got), "we read another value\nvalue %.300v\ntheirs %.300q\nread %.300v", v, encoded, got)

		if anyKey(v, isIndex) {
			known[indexKeys]++
			continue
		}
		ours := codectest.Encoded(t, toon.Codec{Delimiter: toonDelimiters[i%3].codec}, want)
		require.Equal(t, encoded, string(ours), "the bytes differ: %.300v", v)
		sameBytes++
	}
	t.Logf("%d values agree in both directions, %d of them with the same bytes", len(values)-known[beyondDouble], sameBytes)
	for reason, n := range known {
		t.Logf("not compared, %d values: %s", n, reason)
	}
}

func toonRequest(t *testing.T, verb, text string, option wire.Member) wire.Value {
	t.Helper()
	v, err := wire.Object(wire.Member{Key: verb, Value: wire.String(text)}, option)
	require.NoError(t, err)
	return v
}

func ok(t *testing.T, v wire.Value, answer wire.Value) string {
	t.Helper()
	text, ok := answer.Get("ok")
	require.True(t, ok, "%v: %.300v", answer, v)
	return text.Text()
}

// isIndex reports whether JavaScript takes a key for an array's index.
func isIndex(key string) bool {
	return key != "" && strings.Trim(key, "0123456789") == "" && (key == "0" || key[0] != '0')
}

// toonPieces are what documents for the decoders are made of.
var toonPieces = []string{
	"a", "b", "key", `"q k"`, ": ", ":", "[1]", "[2]", "[0]", "[3|]", "[2\t]", "[2:]", "[1:|]", "[02]", "[x]", "[]", "{a}", "{a,b}", "{a|b}",
	"{a{b,c},d}", "{a,a}", "{}", "\n", "\n", "\n", "\n  ", "\n    ", "\n      ", "\n - ", "\n  - ", "\n    - ", "- ", "-", " ", "  ", "\t", ",", "|",
	"1", "2", "05", "-1", "1.50", "true", "null", "x", `"s"`, `"`, `\`, `\n`, `\u0041`, `"\u00e9"`, "#", "# c", "\r", "\u00a0", "é", "{", "}", "[", "]",
	"a: 1\n", "b[2]: 1,2\n", "c[1]{x}:\n  1\n", "d[2]:\n  - 1\n  - k: v\n", "e[2:]{x,y}:\n  p: 1,2\n  q: 3,4\n", "f:\n  g: 1\n",
}

// TestInteropTOONDocuments gives both decoders documents that mostly are wrong:
// both must refuse them, or read the same, strictly and leniently.
func TestInteropTOONDocuments(t *testing.T) {
	const n = 40_000
	r := rand.New(rand.NewPCG(5, 6))
	g := conformance.NewGenerator(12)
	var texts []string
	var requests []wire.Value
	for i := range n {
		var text string
		if i%4 == 3 {
			text = wounded(r, g)
		} else {
			for range 1 + r.IntN(12) {
				text += toonPieces[r.IntN(len(toonPieces))]
			}
		}
		texts = append(texts, text)
		for _, strict := range []bool{true, false} {
			requests = append(requests, toonRequest(t, "decode", text, wire.Member{Key: "strict", Value: wire.Bool(strict)}))
		}
	}
	answers := exchange(t, "toon.mjs", "@toon-format/toon", requests)
	read := 0
	for i, text := range texts {
		for j, codec := range []toon.Codec{{}, {Lenient: true}} {
			v, err := codec.Decode([]byte(text))
			if err == nil && anyNumber(v, func(f float64) bool { return math.IsInf(f, 0) }) {
				continue
			}
			theirs, fine := answers[2*i+j].Get("ok")
			require.Equal(t, fine, err == nil, "lenient %v: %q\nours %v, %v\ntheirs %v", codec.Lenient, text, v, err, answers[2*i+j])
			if !fine {
				continue
			}
			read++
			want := codectest.JSON(t, theirs.Text())
			require.True(t, wire.Equal(want, inJavaScript(v)), "lenient %v: %q\nours %v\ntheirs %v", codec.Lenient, text, v, want)
		}
	}
	t.Logf("%d documents, read alike in %d of %d cases, refused by both in the others", n, read, 2*n)
}

// wounded returns a document of a random value with a few bytes changed.
func wounded(r *rand.Rand, g *conformance.Generator) string {
	for {
		text, err := toon.Codec{Delimiter: toonDelimiters[r.IntN(3)].codec}.AppendEncode(nil, g.Value())
		if err != nil || len(text) == 0 || len(text) > 300 {
			continue
		}
		s := string(text)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(s) + 1)
			piece := toonPieces[r.IntN(len(toonPieces))]
			s = s[:i] + piece + s[min(len(s), i+r.IntN(3)):]
		}
		return strings.ToValidUTF8(s, "")
	}
}
