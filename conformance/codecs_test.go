package conformance_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the columns of the matrix, by full name: every codec by its
// default, and the variants that change what is lost or refused.
var configurations = []string{
	"json", "json:pretty", "jsonl",
	"gcf", "gcf:3.1", "gcf:reorder-nested", "gcf:strict", "gcf-graph",
	"gcx", "gcx:plain", "gcx:reorder",
	"glyph", "glyph:canonical", "glyph:upstream", "glyph:exact", "glyph:commas",
	"goon", "goon:no-truncate",
	"toon", "toon:tab", "toon:exact", "toon:lenient",
	"tron",
	"bcp", "bcp:zstd",
	"csv", "csv:all-strings", "md", "md:kv", "yaml", "yaml:multi-document",
	"cbor", "msgpack",
	"json+fold", "gcf+fold", "gcx+fold", "glyph+fold", "toon+fold", "tron+fold",
}

// under returns the configuration of that name with limits. What folds, folds
// whatever saves a token.
func under(name string, l wire.Limits) wire.Codec { return counted(name, l, tokens.O200k{}) }

func counted(name string, l wire.Limits, counter tokens.Counter) wire.Codec {
	inner, folds := strings.CutSuffix(name, "+fold")
	codec, err := wirekit.Lookup(inner)
	if err != nil {
		panic(err)
	}
	if folds {
		codec = fold.Codec{Inner: codec, Options: fold.Options{Counter: counter, MinSaving: -1, MinTokens: -1}}
	}
	return wire.WithLimits(codec, l)
}

func entries() []conformance.Entry {
	var list []conformance.Entry
	for _, name := range configurations {
		list = append(list, conformance.Entry{Label: name, Codec: under(name, wire.Limits{})})
	}
	return list
}

// TestCodecs puts every configuration through the suite.
func TestCodecs(t *testing.T) {
	for _, name := range configurations {
		t.Run(name, func(t *testing.T) {
			skipVariants(t, name)
			t.Parallel()
			var counter tokens.Counter // tokens take long to count
			if name == "json+fold" {
				counter = tokens.O200k{}
			}
			suite := conformance.Suite{
				Codec:      counted(name, wire.Limits{}, counter),
				WithLimits: func(l wire.Limits) wire.Codec { return counted(name, l, counter) },
				Documents:  documents[name],
			}
			if name == "bcp:zstd" {
				suite.WithLimits = nil // its limits count the bytes before compression
			}
			suite.Run(t)
		})
	}
}

func skipVariants(t *testing.T, name string) {
	if testing.Short() && strings.ContainsAny(name, ":+") {
		t.Skip("runs without -short: a variant runs the code of its default, a folded format that of its own and of fold")
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
	"toon": {
		[]byte("# a note\r\nfoo-bar : x\r\nt[2|]{ a |b{c|\"d e\"}}:\r\n\r\n  1|2|\"3\"\r\n  4||6\r\n"),
		[]byte("\ufeff[3]:\n  -   k: []\n    l:\n      m[0]:\n  - []\n  - \"\\u00e9\""),
		[]byte("[2:\t]{x\ty}:\n  a.b: 1\t2\n  : x\t\"\"\n"),
	},
	"md": {
		[]byte("a | b\n:-- | ---:\n1 | x\n"),
		[]byte("\n|a|\r\n|-|\r\n|\"x\\|y\"|\n\n"),
		[]byte("## 1\n- a: [1,{\"b\":2}]\n- c: x\n"),
	},
	"tron": {
		[]byte("# by hand\r\nclass A:\r\n  x # first\r\n  \"a b\",\r\nclass B(A): y;\r\n[A(1,[2,],), # two\r\nB(3,\"y\"=4,\"a b\"={},),];\r\n"),
		[]byte("class Node: v,next\n\nNode(1,Node(2,Node(3,null)))"),
		[]byte("class A: a\n\"b\"\n\n{\"a\":A(1,2),\"b\":[A(true,\"x\"),A(b=1,a=2)]}"),
	},
	"toon:lenient": {
		[]byte("a:\n      b: 1\n\ta[3]: 1,2\n\nb[1]{x,x}:\n\t1,2\n\n\t3,4\nb: 2"),
	},
}

// TestEveryCodec holds the matrix to have every codec of the module.
func TestEveryCodec(t *testing.T) {
	require.Subset(t, configurations, describe.Names(wirekit.Registry()))
	for _, name := range configurations {
		require.Equal(t, name, under(name, wire.Limits{}).Info().FullName())
	}
}

// TestDetect holds Detect to do no harm: the format that it finds for a
// document reads the value that the document's own format reads, or refuses it.
// A document of JSON Lines with one line is JSON as well.
func TestDetect(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range wirekit.Registry().Codecs() {
		if _, ok := c.(interface{ Sniff(src []byte) bool }); !ok {
			continue // never detected
		}
		t.Run(c.Info().Name, func(t *testing.T) {
			n, documents, misread, verdicts := 0, 0, 0, map[string]int{}
			for _, corpus := range conformance.Corpora() {
				for name, v := range corpus.Cases {
					if n++; testing.Short() && n%3 != 0 {
						continue
					}
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
			found := verdicts["found to be "+c.Info().Name]
			if c.Info().Name == "tron" { // which is JSON where no class pays
				found += verdicts["read alike by json"]
			}
			require.Greater(t, found, documents/2)
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
	if _, lines := own.(jsonl.Codec); lines && v.Len() == 1 {
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
	trials.OneGoroutine(t)
	tested := map[string]bool{"arrays": true, "tables": true, "sparse-tables": true, "nested-tables": true, "keyed-maps": true, "graphs": true, "answers": true}
	for _, name := range configurations {
		codec := under(name, wire.Limits{})
		if codec.Info().Binary {
			continue
		}
		t.Run(name, func(t *testing.T) {
			skipVariants(t, name)
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
					want := codectest.Decoded(t, codec, src)
					got := codectest.Decoded(t, codec, append([]byte("\ufeff"), src...))
					require.True(t, wire.Identical(want, got), "%s, %s, with a byte order mark: %.300q", corpus.Name, name, src)
					crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
					got = codectest.Decoded(t, codec, crlf)
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
			if strings.ContainsAny(v.Keys().At(i), "\r\n") || hasLineEnd(v.Index(i)) {
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
