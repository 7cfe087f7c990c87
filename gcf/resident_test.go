package gcf_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

const megabyte = 1 << 20

// filled repeats part(0), part(1) … up to about n bytes.
func filled(n int, part func(i int) string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		s := part(i)
		if b.Len()+len(s) > n {
			return b.String()
		}
		b.WriteString(s)
	}
}

func same(s string) func(int) string { return func(int) string { return s } }

func numbered(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// amplifyingValues are JSON texts of about n bytes of which a careless encoder
// makes far more.
var amplifyingValues = map[string]func(n int) string{
	"sparse rows":    func(n int) string { return "[" + trimmed(filled(n, numbered(`{"k%d":0},`))) + "]" },
	"sparse objects": func(n int) string { return "[" + trimmed(filled(n, numbered(`{"k%d":{"x":0}},`))) + "]" },
	"sparse keyed map": func(n int) string {
		return `{"x":{}` + filled(n, func(i int) string { return fmt.Sprintf(`,"m%d":{"k%d":1}`, i, i) }) + "}"
	},
	"sparse flat column": func(n int) string {
		return `[{"a":{` + trimmed(filled(n/2, numbered(`"k%d":0,`))) + "}}" + filled(n/2, same(`,{"b":0}`)) + "]"
	},
	"long path": func(n int) string {
		return `[{"` + strings.Repeat("x", n/2) + `":{` + trimmed(filled(n/2, numbered(`"%d":0,`))) + "}}]"
	},
	"long path of control characters": func(n int) string {
		return `[{"` + strings.Repeat(`\u0001`, n/12) + `":{` + trimmed(filled(n/2, numbered(`"%d":0,`))) + "}}]"
	},
	"long path in many rows": func(n int) string {
		row := `{"` + strings.Repeat("x", n/30) + `":{` + trimmed(filled(n/40, numbered(`"%d":0,`))) + "}}"
		return "[" + trimmed(filled(n, same(row+","))) + "]"
	},
	"deep brackets":    func(n int) string { return deep(500, trimmed(filled(n, same("[[]],")))) },
	"deep scalars":     func(n int) string { return deep(500, trimmed(filled(n, same(`0,{},`)))) },
	"deep wide object": func(n int) string { return deep(500, "{"+trimmed(filled(n, numbered(`"k%d":1,`)))+"}") },
	"deep wide row": func(n int) string {
		return deep(500, `{"b":[0],`+trimmed(filled(n, numbered(`"k%d":{"x":1,"y":2,"z":3},`)))+"}")
	},
	"deep lists in row": func(n int) string { return deep(500, "{"+trimmed(filled(n, numbered(`"k%d":[0],`)))+"}") },
	"deep names with >": func(n int) string { return deep(500, `{"b":0,`+trimmed(filled(n, numbered(`">%d":0,`)))+"}") },
	"deep shared rows": func(n int) string {
		return deep(240, `{"a":[{"b":0}]},{"a":[`+trimmed(filled(n, same(`{"b":0},`)))+"]}")
	},
	"list":        func(n int) string { return "[" + trimmed(filled(n, same("0,"))) + "]" },
	"list of one": func(n int) string { return "[" + trimmed(filled(n, same("[0],"))) + "]" },
	"narrow rows": func(n int) string { return "[" + trimmed(filled(n, same(`{"a":1},`))) + "]" },
	"chains":      func(n int) string { return "[" + trimmed(filled(n, same(`{"a":{"a":{"a":{"a":{"a":1}}}}},`))) + "]" },
	"wide object": func(n int) string { return "{" + trimmed(filled(n, numbered(`"%d":1,`))) + "}" },
	"escapes":     func(n int) string { return `"` + filled(n, same(`\u0001`)) + `"` },
	"own orders": func(n int) string {
		return "[" + trimmed(filled(n, func(i int) string { return fmt.Sprintf(`{"k%d":1,"b":0},{"b":2,"k%d":3},`, i, i) })) + "]"
	},
	"two orders": func(n int) string {
		return "[" + trimmed(filled(n, same(`{"p":{"x":1,"y":{"z":2}}},{"p":{"y":{"z":3},"x":4}},`))) + "]"
	},
	"own shapes": func(n int) string {
		return "[" + trimmed(filled(n, func(i int) string { return fmt.Sprintf(`{"a":1,"k%d":0},`, i%97) })) + "]"
	},
}

func trimmed(s string) string { return strings.TrimSuffix(s, ",") }

func deep(levels int, inner string) string {
	return strings.Repeat("[", levels) + inner + strings.Repeat("]", levels)
}

// manyShapes reports whether the objects of an amplifying value have many key
// lists, or one is long.
func manyShapes(name string) bool {
	first, _, _ := strings.Cut(name, " ")
	return first == "sparse" || first == "own" || first == "two" || first == "wide"
}

// TestResidentEncode: what an encoder takes is in proportion to the value.
func TestResidentEncode(t *testing.T) {
	encode := func(c wire.Codec) func([]byte) {
		return func(src []byte) {
			if v, err := wire.ParseJSON(src); err == nil {
				_, _ = c.AppendEncode(nil, v)
			} else {
				panic(err)
			}
		}
	}
	var cases []resident.Case
	for name, make := range amplifyingValues {
		input := func() []byte { return []byte(make(megabyte)) }
		cases = append(cases, resident.Case{Name: name, Input: input, Call: encode(gcf.Codec{})})
		if manyShapes(name) {
			cases = append(cases, resident.Case{Name: name + " reordered", Input: input, Call: encode(gcf.Codec{ReorderNested: true})},
				resident.Case{Name: name + " dense", Input: input, Call: encode(gcf.Codec{Dense: true})})
		}
		if strings.HasPrefix(name, "deep") || strings.HasPrefix(name, "sparse") {
			cases = append(cases, resident.Case{Name: name + " without path columns", Input: input, Call: encode(v31)})
			short := func() []byte { return []byte(make(megabyte / 16)) }
			cases = append(cases, resident.Case{Name: "short " + name, Input: short, Call: encode(gcf.Codec{})})
		}
	}
	resident.Check(t, cases...)
}

// amplifyingDocuments are documents of about n bytes of which a careless
// decoder makes far more.
var amplifyingDocuments = map[string]func(n int) string{
	"path columns": func(n int) string {
		return header + `## [?]{"a` + strings.Repeat(">a", 15) + "\"}\n" + filled(n, same("1\n"))
	},
	"deep path columns": func(n int) string {
		return header + `## [?]{"a` + strings.Repeat(">a", 400) + "\"}\n" + filled(n, same("1\n"))
	},
	"wide deep path columns": func(n int) string {
		return header + `## [?]{` + trimmed(filled(n/2, func(i int) string { return fmt.Sprintf(`"a%d%s",`, i, strings.Repeat(">a", 400)) })) + "}\n" +
			filled(n/2, same(strings.Repeat("|", n/2/808-1)+"\n"))
	},
	"partial path columns": func(n int) string {
		return header + `## [?]{"a>b>c>d","a>b>e>f"}` + "\n" + filled(n, same("1|~\n"))
	},
	"narrow rows":    func(n int) string { return header + "## [?]{a}\n" + filled(n, same("\"\"\n")) },
	"one-byte rows":  func(n int) string { return header + "## [?]{a}\n" + filled(n, same("1\n")) },
	"absent cells":   func(n int) string { return header + "## [?]{a,b}\n" + filled(n, same("~|~\n")) },
	"keyed rows":     func(n int) string { return header + "## [?:]{key,a}\n" + filled(n, numbered("%d|1\n")) },
	"list":           func(n int) string { return header + "a[?]: " + trimmed(filled(n, same("1,"))) + "\n" },
	"members":        func(n int) string { return header + filled(n, numbered("k%d=1\n")) },
	"empty sections": func(n int) string { return header + filled(n, numbered("## k%d\n")) },
	"empty items":    func(n int) string { return header + "## [?]\n" + filled(n, numbered("@%d {}\n")) },
	"empty arrays":   func(n int) string { return header + "## [?]\n" + filled(n, numbered("@%d [0]\n")) },
	"attachments": func(n int) string {
		return header + "## [?]{a}\n" + filled(n, func(i int) string { return fmt.Sprintf("@%d ^\n.a {}\n", i) })
	},
	"bodies": func(n int) string {
		return header + "## [?]{a}\n@0 ^{x}\n1\n" + filled(n, func(i int) string { return fmt.Sprintf("@%d ^\n1\n", i+1) })
	},
	"deferred counts":  func(n int) string { return header + filled(n, numbered("a%d[?]:\n")) },
	"deferred tables":  func(n int) string { return header + filled(n, numbered("## a%d [?]{a}\n")) },
	"own declarations": func(n int) string { return header + filled(n, numbered("## a%[1]d [0]{x%[1]d,y%[1]d}\n")) },
	"inline schemas": func(n int) string {
		return header + "## [?]{a}\n" + filled(n, func(i int) string { return fmt.Sprintf("@%d ^{a%d,b}\n1|2\n", i, i) })
	},
	"fields":        func(n int) string { return header + "## [?]{" + trimmed(filled(n, numbered("f%d,"))) + "}\n" },
	"path fields":   func(n int) string { return header + "## [?]{" + trimmed(filled(n, numbered(`"a>%d",`))) + "}\n" },
	"header fields": func(n int) string { return "GCF profile=generic" + filled(n, numbered(" k%d=1")) + "\n" },
	"names with >":  func(n int) string { return header + "## [?]{a}\n@0 1\n" + filled(n, numbered(".\">%d\" =1\n")) },
	"escapes":       func(n int) string { return header + filled(n, numbered("k%d=\"\\n\"\n")) },
	"partial rows":  partialRows,
	"graph of symbols": func(n int) string {
		return "GCF profile=graph\n## targets\n" + filled(n, numbered("@%[1]d a %[1]d 0.00 c\n"))
	},
	"graph of edges": func(n int) string {
		return "GCF profile=graph\n## targets\n@0 a b 0.00 c\n## edges [?]\n" + filled(n, same("@0<@0 a\n"))
	},
	"graph of odd ids": func(n int) string {
		return "GCF profile=graph\n## targets\n" + filled(n, func(i int) string { return fmt.Sprintf("@%d a %d 0.00 c\n", 7*i+3, i) })
	},
	"graph of distance": func(n int) string { return "GCF profile=graph\n" + filled(n, numbered("## distance_%d\n")) },
}

// partialRows are rows of which each lacks other fields.
func partialRows(n int) string {
	const width = 60
	var b strings.Builder
	b.WriteString(header + "## [?]{" + trimmed(repeated(width, numbered("f%d,"))) + "}\n")
	for i := uint64(1); b.Len() < n; i++ {
		bits := i * 0x9E3779B97F4A7C15
		for c := range width {
			if c > 0 {
				b.WriteByte('|')
			}
			b.WriteByte("~1"[bits>>c&1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestResidentDecode: what a decoder takes is in proportion to the document.
func TestResidentDecode(t *testing.T) {
	var cases []resident.Case
	for name, make := range amplifyingDocuments {
		input := func() []byte { return []byte(make(megabyte)) }
		cases = append(cases,
			resident.Case{Name: name, Input: input, Call: func(src []byte) { _, _ = gcf.Codec{}.Decode(src) }},
			resident.Case{Name: name + " streamed", Input: input, Call: func(src []byte) { readAll(src) }})
	}
	resident.Check(t, cases...)
}

// amplifyingSets are full payloads and deltas of keyed sets.
var amplifyingSets = map[string]func(n int) string{
	"narrow rows": func(n int) string {
		return "GCF profile=generic pack_root=x key=id\n## rows [" + strconv.Itoa(n/10) + "]{@id,a}\n" + repeated(n/10, numbered("%d|1\n"))
	},
	"a long field name": func(n int) string {
		return "GCF profile=generic pack_root=x key=id\n## rows [" + strconv.Itoa(n/20) + "]{@id,\"" + strings.Repeat("-", n/2) + "\"}\n" +
			repeated(n/20, numbered("%d|1\n"))
	},
	"a delta with a long field name": func(n int) string {
		return "GCF profile=generic delta=true base_root=x new_root=y key=id\n## added [" + strconv.Itoa(n/20) + "]{@id,\"" + strings.Repeat("-", n/2) + "\"}\n" +
			repeated(n/20, numbered("%d|1\n"))
	},
	"removed symbols": func(n int) string {
		return "GCF profile=graph delta=true base_root=a new_root=b\n## removed\n" + filled(n, numbered("f %d\n"))
	},
	"added symbols": func(n int) string {
		return "GCF profile=graph delta=true base_root=a new_root=b\n## added\n" + filled(n, numbered("@%[1]d f %[1]d 0.50 x 0\n"))
	},
	"symbols of a session": func(n int) string {
		return "GCF profile=graph session=true\n## targets\n" + filled(n, numbered("@%[1]d a %[1]d 0.00 c\n"))
	},
}

// readSets reads a document as sets, deltas and sessions are.
func readSets(doc []byte) {
	_, _ = set.Decode(doc)
	_, _ = gcf.DecodeDelta(doc)
	_, _ = set.DecodeDelta(doc)
	_, _ = new(set.Receiver).Receive(doc)
	_, _ = new(gcf.SessionDecoder).Decode(doc)
}

// TestResidentSets: what sets and deltas take is in proportion to the document.
func TestResidentSets(t *testing.T) {
	var cases []resident.Case
	for name, make := range amplifyingSets {
		cases = append(cases, resident.Case{Name: name, Input: func() []byte { return []byte(make(megabyte)) }, Call: readSets})
	}
	resident.Check(t, cases...)
}

// TestLongFieldNames: a set whose records would be far longer than its document
// is refused, others are not.
func TestLongFieldNames(t *testing.T) {
	_, err := set.Decode([]byte(amplifyingSets["a long field name"](megabyte)))
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "set_too_large")
	_, err = set.Decode([]byte(amplifyingSets["narrow rows"](megabyte)))
	require.NoError(t, err, "a root of another algorithm is not compared")
}

// readAll reads a document of either profile as a stream.
func readAll(src []byte) {
	if bytes.HasPrefix(src, []byte("GCF profile=graph")) {
		for range (gcf.GraphCodec{}).Items(bytes.NewReader(src)) {
		}
		return
	}
	for range (gcf.Codec{}).Records(bytes.NewReader(src)) {
	}
}
