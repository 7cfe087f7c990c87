package gcf_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// repeated joins f(0) to f(n-1).
func repeated(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// hostileDocuments are documents of about n parts that a careless decoder is
// slow on, or recurses in, or allocates for.
func hostileDocuments(n int) map[string][]byte {
	numbered := func(format string) func(i int) string {
		return func(i int) string { return fmt.Sprintf(format, i) }
	}
	indented := func(line string) string {
		// The lines get longer, so there are fewer of them.
		return repeated(min(n, 3000), func(i int) string { return strings.Repeat("  ", i) + line })
	}
	fields := strings.TrimSuffix(repeated(n, numbered("f%d,")), ",")
	cells := func(cell string) string { return strings.TrimSuffix(strings.Repeat(cell+"|", n), "|") }
	docs := map[string]string{
		"keys":              repeated(n, numbered("k%d=1\n")),
		"sections":          repeated(n, numbered("## s%d\n")),
		"deep sections":     indented("## s\n"),
		"deep items":        "## a [1]\n" + indented("@0 [1]\n"),
		"brackets":          strings.Repeat("[", n),
		"bracket list":      "a[1]: " + strings.Repeat("[", n) + "\n",
		"count digits":      "## a [" + strings.Repeat("9", n) + "]{x}\n",
		"counts":            repeated(n, numbered("## a%d [999999999]{x}\n")),
		"empty tables":      repeated(n, numbered("## a%d [0]{x}\n")),
		"declarations":      repeated(n, numbered("## a%d [1]{x%[1]d,y}\n1|2\n")),
		"fields":            "## [1]{" + fields + "}\n" + cells("1") + "\n",
		"field twice":       "## [1]{" + fields + ",f0}\n" + cells("1") + "|1\n",
		"absent cells":      "## [1]{" + fields + "}\n" + cells("~") + "\n",
		"groups":            "## [1]{" + strings.ReplaceAll(repeated(n, numbered(`"g%d>x",`))+"}", ",}", "}") + "\n" + cells("1") + "\n",
		"one group":         "## [1]{" + strings.ReplaceAll(repeated(n, numbered(`"g>f%d",`))+"}", ",}", "}") + "\n" + cells("~") + "\n",
		"long path":         "## [1]{\"a" + strings.Repeat(">a", n) + "\"}\n1\n",
		"long path in rows": "## [?]{\"a" + strings.Repeat(">a", 400) + "\"}\n" + strings.Repeat("1\n", n),
		"attachments":       "## [1]{" + fields + "}\n@0 " + cells("^") + "\n" + repeated(n, numbered(".f%d {}\n")),
		"attachments back":  "## [1]{" + fields + "}\n@0 " + cells("^") + "\n" + repeated(n, func(i int) string { return fmt.Sprintf(".f%d {}\n", n-1-i) }),
		"missing one":       "## [1]{" + fields + "}\n@0 " + cells("^") + "\n" + repeated(n-1, numbered(".f%d {}\n")),
		"bodies":            "## [1]{" + fields + "}\n@0 " + cells("^{a,b}") + "\n" + strings.Repeat("1|2\n", n),
		"bodies missing":    "## [1]{" + fields + "}\n@0 " + cells("^{a,b}") + "\n1|2\n",
		"names with >":      "## [1]{x}\n@0 1\n" + repeated(n, numbered(".\"p>%d\" =1\n")),
		"attached groups":   "## [1]{\"g>x\"," + fields + "}\n@0 1|" + cells("^") + "\n" + repeated(n, numbered(".f%d {}\n")),
		"keyed rows":        fmt.Sprintf("## [%d:]{key,x}\n", n) + repeated(n, numbered("k%d|1\n")),
		"deferred":          repeated(n, numbered("## a%d [?]{x}\n")) + "##! summary counts=" + strings.TrimSuffix(strings.Repeat("0,", n), ",") + "\n",
		"quotes":            strings.Repeat(`"`, n) + "\n",
		"backslashes":       `a="` + strings.Repeat(`\\`, n) + "\"\n",
		"open string":       `a="` + strings.Repeat(`\n`, n),
		"digits":            "a=" + strings.Repeat("7", n) + "\n",
		"decimals":          "a=0." + strings.Repeat("7", n) + "\n",
		"exponent":          "a=1e" + strings.Repeat("9", n) + "\n",
		"zeros":             "a=0." + strings.Repeat("0", n) + "1\n",
		"comments":          strings.Repeat("# c\n", n),
		"blank lines":       strings.Repeat("\n", n),
		"blanks":            strings.Repeat(" ", n) + "\n",
		"bars":              "## [1]{x}\n" + strings.Repeat("|", n) + "\n",
		"schemas":           "## [1]{x}\n@0 ^{" + strings.Repeat(`"`, n) + "\n",
	}
	out := map[string][]byte{
		"header fields":     []byte("GCF profile=generic " + repeated(n, numbered("f%d=1 ")) + "\n"),
		"header words":      []byte("GCF " + strings.Repeat("x ", n)),
		"nothing but nulls": make([]byte, n),
		"carriage returns":  []byte(header + strings.Repeat("\r", n)),
	}
	for name, body := range docs {
		out[name] = []byte(header + body)
	}
	return out
}

// TestHostileDocuments decodes large hostile documents. Their time is bounded
// generously: quadratic work on them would take minutes.
func TestHostileDocuments(t *testing.T) {
	trials.OneGoroutine(t)
	for name, doc := range hostileDocuments(100_000) {
		t.Run(name, func(t *testing.T) {
			growth.Within(t, 5*time.Second, func() {
				v, err := gcf.Codec{}.Decode(doc)
				if err != nil {
					codectest.Error(t, err)
					require.True(t, v.Kind() == wire.KindNull)
				}
			})
		})
	}
}

// TestHostileResults holds which of the hostile documents are good ones.
func TestHostileResults(t *testing.T) {
	docs := hostileDocuments(2000)
	for name, code := range map[string]string{
		"keys": "", "sections": "", "deep sections": "too_deep", "deep items": "too_deep",
		"brackets": "invalid_line", "bracket list": "", "count digits": "invalid_count", "counts": "count_mismatch",
		"empty tables": "", "declarations": "", "fields": "", "field twice": "duplicate_field_name", "absent cells": "", "groups": "",
		"one group": "", "long path": "too_deep", "attachments": "", "attachments back": "", "missing one": "missing_attachment",
		"bodies": "", "bodies missing": "missing_attachment", "names with >": "", "attached groups": "", "keyed rows": "", "deferred": "",
		"open string": "unterminated_quote", "digits": "out_of_range", "decimals": "", "exponent": "out_of_range", "zeros": "out_of_range",
		"comments": "", "blank lines": "", "blanks": "", "bars": "row_width_mismatch", "header words": "malformed_header_field", "header fields": "",
		"backslashes": "", "carriage returns": "invalid_line", "long path in rows": "too_many_values",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gcf.Codec{}.Decode(docs[name])
			if code == "" {
				require.NoError(t, err)
				return
			}
			codectest.Refused(t, err, code, nil)
		})
	}
}

// TestHostileValues encodes values that a careless encoder is slow on or
// writes gigabytes for.
func TestHostileValues(t *testing.T) {
	trials.OneGoroutine(t)
	sparse := func(n int) string {
		return "[" + strings.TrimSuffix(repeated(n, func(i int) string { return fmt.Sprintf(`{"k%d":%d},`, i, i) }), ",") + "]"
	}
	nested := func(n int) string { return strings.Repeat(`[{"a":1,"b":`, n) + "0" + strings.Repeat("}]", n) }
	shapes := func(n int) string {
		// Every row has the same few keys in an order of its own.
		return "[" + strings.TrimSuffix(repeated(n, func(i int) string {
			return "{" + strings.TrimSuffix(repeated(6, func(j int) string { return fmt.Sprintf(`"k%d":[%d],`, (j*(i%5+1)+i)%7+7*j, i) }), ",") + "},"
		}), ",") + "]"
	}
	tests := []struct {
		name, json string
		code       string
	}{
		{"sparse rows", sparse(100_000), "output_too_long"},
		{"sparse keyed map", `{"x":{},` + strings.TrimPrefix(repeated(100_000, func(i int) string { return fmt.Sprintf(`,"m%d":{"k%d":1}`, i, i) }), ",") + "}", "output_too_long"},
		{"some sparse rows", sparse(2_000), ""},
		{"wide object", "{" + strings.TrimPrefix(repeated(100_000, func(i int) string { return fmt.Sprintf(`,"k%d":1`, i) }), ",") + "}", ""},
		{"wide row", "[{" + strings.TrimPrefix(repeated(100_000, func(i int) string { return fmt.Sprintf(`,"k%d":[1]`, i) }), ",") + "}]", ""},
		{"wide row of objects", "[{" + strings.TrimPrefix(repeated(100_000, func(i int) string { return fmt.Sprintf(`,"k%d":{"a":1}`, i) }), ",") + "}]", ""},
		{"labels", `{"a":{` + strings.TrimPrefix(repeated(2_000, func(i int) string { return fmt.Sprintf(`,"%skey":1`, strings.Repeat("_", i)) }), ",") + `},"b":{}}`, ""},
		{"many shapes", shapes(20_000), ""},
		{"deep tables", nested(250), ""},
		{"too deep tables", nested(257), "too_deep"},
		{"long string", `"` + strings.Repeat("a", 10<<20) + `"`, ""},
		{"long number", "0." + strings.Repeat("7", 1<<20), ""},
		{"brackets", `"` + strings.Repeat("[", 1<<20) + `"`, ""},
		{"bracket pairs", `"` + strings.Repeat("[]", 1<<20) + `"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := wire.JSON{Limits: wire.Limits{Depth: bound.MostDepth}}.Decode([]byte(tt.json))
			require.NoError(t, err)
			var doc []byte
			growth.Within(t, 5*time.Second, func() { doc, err = gcf.Codec{}.AppendEncode(nil, v) })
			if tt.code != "" {
				codectest.Refused(t, err, tt.code, wire.ErrLimit)
				return
			}
			require.NoError(t, err)
			var back wire.Value
			growth.Within(t, 5*time.Second, func() { back, err = gcf.Codec{}.Decode(doc) })
			require.NoError(t, err)
			require.True(t, wire.Equal(v, back))
		})
	}
}

// TestTruncation decodes every prefix of documents: it must not panic, and must
// not succeed where a count says that something is missing.
func TestTruncation(t *testing.T) {
	for _, tt := range encodeVectors {
		doc := []byte(header + tt.body)
		for i := range doc {
			_, _ = gcf.Codec{}.Decode(doc[:i])
		}
	}
	rows := parse(t, string(sample.Rows(20)))
	doc := codectest.Encoded(t, gcf.Codec{}, rows)
	for i := range len(doc) - len("true\n") {
		_, err := gcf.Codec{}.Decode(doc[:i])
		if i == len("GCF profile=generic") || i == len(header) {
			require.NoError(t, err, "the header alone is an empty object")
			continue
		}
		require.Error(t, err, "%q", doc[:i])
	}
}

// Objects that begin like a long one must not each cost what that did, be they
// next to each other or in each other.
func TestMisleadingPredictions(t *testing.T) {
	const long, short, deep = 50_000, 300, 200
	var b strings.Builder
	fmt.Fprintf(&b, header+"## [%d]\n@0 {}\n", 2+short)
	for i := range long {
		fmt.Fprintf(&b, "  k%d=1\n", i)
	}
	for i := range short {
		fmt.Fprintf(&b, "@%d {}\n", 1+i)
		for k := range 1 + i { // like the one before, and then like the first
			fmt.Fprintf(&b, "  k%d[1]: 1\n", k)
		}
	}
	nested := b.String() + fmt.Sprintf("@%d {}\n", 1+short)
	for i := range deep {
		nested += strings.Repeat("  ", 1+i) + "## k0\n"
	}
	decode := func(doc string) {
		growth.Bytes(t, uint64(40*len(doc)), func() {
			v := codectest.Decoded(t, gcf.Codec{}, doc)
			require.Equal(t, 2+short, v.Len())
		})
	}
	decode(b.String() + fmt.Sprintf("@%d =1\n", 1+short))
	decode(nested)
	// The long one last, so that it is what the first object of a chain is like.
	var chains strings.Builder
	fmt.Fprintf(&chains, header+"## [%d]\n", 2+short)
	for i := range 2 + short {
		fmt.Fprintf(&chains, "@%d {}\n", i)
		switch {
		case i == 0:
			for k := range long {
				fmt.Fprintf(&chains, "  k%d=1\n", k)
			}
		case i == 1:
			for level := range deep {
				chains.WriteString(strings.Repeat("  ", 1+level) + "## k0\n")
			}
		}
	}
	decode(chains.String())
}
