package conformance_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the columns of the matrix: every codec by its default, and
// in the configurations that change what is lost or refused. The label of a
// default is the codec's name.
var configurations = []struct {
	label string
	under func(wire.Limits) wire.Codec
}{
	{"json", func(l wire.Limits) wire.Codec { return wire.JSON{Limits: l} }},
	{"json indented", func(l wire.Limits) wire.Codec { return wire.JSON{Indent: "  ", RejectDuplicates: true, Limits: l} }},
	{"jsonl", func(l wire.Limits) wire.Codec { return wire.JSONLines{Limits: l} }},
	{"gcf", func(l wire.Limits) wire.Codec { return gcf.Codec{Limits: l} }},
	{"gcf 3.1", func(l wire.Limits) wire.Codec { return gcf.Codec{NoFlatten: true, NoKeyedMaps: true, Limits: l} }},
	{"gcf-graph", func(l wire.Limits) wire.Codec { return gcf.GraphCodec{Limits: l} }},
	{"gcx", func(l wire.Limits) wire.Codec { return gcx.Codec{Limits: l} }},
	{"gcx plain", func(l wire.Limits) wire.Codec { return gcx.Codec{Plain: true, Limits: l} }},
	{"glyph", func(l wire.Limits) wire.Codec { return glyph.Codec{Limits: l} }},
	{"glyph:canonical", func(l wire.Limits) wire.Codec { return glyph.Codec{Profile: glyph.Canonical, Limits: l} }},
	{"glyph:upstream", func(l wire.Limits) wire.Codec { return glyph.Codec{Profile: glyph.Upstream, Limits: l} }},
	{"glyph:exact", func(l wire.Limits) wire.Codec { return glyph.Codec{Profile: glyph.Exact, Limits: l} }},
	{"goon", func(l wire.Limits) wire.Codec { return goon.Codec{Limits: l} }},
	{"goon uncut", func(l wire.Limits) wire.Codec { return goon.Codec{Uncut: true, Limits: l} }},
	{"bcp", func(l wire.Limits) wire.Codec { return bcp.Codec{Limits: l} }},
	{"json+fold", eagerly(wire.JSON{})},
	{"gcf+fold", eagerly(gcf.Codec{})},
	{"gcx+fold", eagerly(gcx.Codec{})},
	{"bcp compressed", func(l wire.Limits) wire.Codec { return bcp.Codec{Magic: bcp.BCP, Compress: true, Limits: l} }},
}

// eagerly folds whatever saves a token.
func eagerly(inner wire.Limiter) func(wire.Limits) wire.Codec {
	return func(l wire.Limits) wire.Codec {
		return fold.Codec{Inner: inner, Options: fold.Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1}}.WithLimits(l)
	}
}

func entries() []conformance.Entry {
	var list []conformance.Entry
	for _, c := range configurations {
		list = append(list, conformance.Entry{Label: c.label, Codec: c.under(wire.Limits{})})
	}
	return list
}

// TestCodecs puts every configuration through the suite.
func TestCodecs(t *testing.T) {
	for _, c := range configurations {
		t.Run(c.label, func(t *testing.T) {
			t.Parallel()
			suite := conformance.Suite{Codec: c.under(wire.Limits{}), WithLimits: c.under, Documents: documents[c.label]}
			if c.label == "bcp compressed" {
				suite.WithLimits = nil // its limits count the bytes before compression
			}
			suite.Run(t)
		})
	}
}

// documents are in forms that the encoder does not write.
var documents = map[string][][]byte{
	"json": {
		[]byte(" {\"a\" : [ 1 , 2.50e+1 ] ,\r\n \"a\" : \"\\u00e9\\ud83d\\ude00\\/\" }\n"),
		[]byte("\ufeff[true , false , null]"),
	},
	"gcf": {
		[]byte("GCF profile=graph tool=t symbols=2 edges=1\n## targets\n@0 fn pkg.A 0.90 lsp\n## related\n@1 fn pkg.B 0.50 lsp\n## edges [1]\n@0<@1 calls\n"),
		[]byte("\ufeffGCF profile=generic\r\n# comment\r\n## rows [?]{id,name}\r\n1|a\r\n2|\"b\"\r\n##! summary counts=2\r\n"),
	},
	"gcf-graph": {
		[]byte("GCF profile=graph tool=t budget=100 symbols=1\n## targets\n@0 fn pkg.A 0.90 lsp\n"),
	},
	"gcx": {
		[]byte("GCX1 tool=find_usages fields=id,name total=2\n# two\n1\ta\n2\tb\n\nGCX1 tool=find_usages.edges fields=from,to\n1\t2\n"),
	},
	"glyph": {
		[]byte(`{"a": [1, 2.5, "x"], "b": {"c": null}}`),
		[]byte("@tab _ rows=2 cols=2 [a b]\n|1|x|\n|2|\"y z\"|\n@end"),
		[]byte("{a=∅ b=^id:1 c=b64\"AAAA\" d=2025-01-13T12:34:56Z}"),
	},
}

// TestEveryCodec holds the matrix to have every codec of the module.
func TestEveryCodec(t *testing.T) {
	labels := map[string]string{}
	for _, c := range configurations {
		require.Empty(t, labels[c.label])
		labels[c.label] = c.under(wire.Limits{}).Info().Name
	}
	for _, name := range wirekit.Names() {
		require.Equal(t, name, labels[name])
	}
}

// TestDetect holds Detect to do no harm: the format that it finds for a
// document reads the value that the document's own format reads, or refuses it.
// A document of JSON Lines with one line is JSON as well.
func TestDetect(t *testing.T) {
	for _, c := range wirekit.Codecs() {
		t.Run(c.Info().Name, func(t *testing.T) {
			documents, misread, verdicts := 0, 0, map[string]int{}
			for _, corpus := range conformance.Corpora() {
				for name, v := range corpus.Cases {
					src, err := c.AppendEncode(nil, v)
					if err != nil || v.Kind() < wire.KindArray || v.Len() == 0 {
						continue
					}
					documents++
					found, err := wirekit.Detect(src)
					if err != nil {
						verdicts["unknown"]++
						continue
					}
					verdict := reading(c, found, src)
					verdicts[verdict+" "+found.Info().Name]++
					if verdict != "misread by" {
						continue
					}
					if misread++; misread <= 5 {
						t.Errorf("%s, %s: detected as %s, which reads another value\n%.200q", corpus.Name, name, found.Info().Name, src)
					}
				}
			}
			t.Logf("%d documents: %v", documents, verdicts)
			require.Greater(t, verdicts["found to be "+c.Info().Name], documents/2)
		})
	}
}

// reading compares what two codecs read.
func reading(own, found wire.Codec, src []byte) string {
	if own.Info().Name == found.Info().Name {
		return "found to be"
	}
	v, err := own.Decode(src)
	if err != nil {
		return "unread by its own codec,"
	}
	w, err := found.Decode(src)
	if err != nil {
		return "refused by"
	}
	if _, lines := own.(wire.JSONLines); lines && v.Len() == 1 {
		v = v.Index(0)
	}
	if wire.Identical(v, w) {
		return "read alike by"
	}
	return "misread by"
}

// TestTextRules holds every text format to read a byte order mark at the
// start, and lines that end in CR LF.
func TestTextRules(t *testing.T) {
	tested := map[string]bool{"arrays": true, "tables": true, "sparse-tables": true, "nested-tables": true, "keyed-maps": true, "graphs": true, "monitoring": true}
	for _, c := range configurations {
		codec := c.under(wire.Limits{})
		if codec.Info().Binary {
			continue
		}
		t.Run(c.label, func(t *testing.T) {
			documents := 0
			for _, corpus := range conformance.Corpora() {
				if !tested[corpus.Name] {
					continue
				}
				for name, v := range corpus.Cases {
					src, err := codec.AppendEncode(nil, v)
					if err != nil || hasLineEnd(v) {
						continue
					}
					documents++
					want, err := codec.Decode(src)
					require.NoError(t, err)
					got, err := codec.Decode(append([]byte("\ufeff"), src...))
					require.NoError(t, err, "%s, %s, with a byte order mark: %.300q", corpus.Name, name, src)
					require.True(t, wire.Identical(want, got), "%s, %s, with a byte order mark: %.300q", corpus.Name, name, src)
					crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
					got, err = codec.Decode(crlf)
					require.NoError(t, err, "%s, %s: %.300q", corpus.Name, name, crlf)
					require.True(t, wire.Identical(want, got), "%s, %s: %.300q", corpus.Name, name, crlf)
				}
			}
			require.NotZero(t, documents)
		})
	}
}

// hasLineEnd reports whether a text in v has a line end of its own.
func hasLineEnd(v wire.Value) bool {
	if strings.ContainsAny(v.Text(), "\r\n") {
		return true
	}
	for i := range v.Len() {
		switch v.Kind() {
		case wire.KindObject:
			if strings.ContainsAny(v.Key(i), "\r\n") || hasLineEnd(v.Index(i)) {
				return true
			}
		case wire.KindArray:
			if hasLineEnd(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
