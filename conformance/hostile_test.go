package conformance_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// A shape is JSON text of about n bytes that is made to be expensive: for
// encoders by its value, for decoders by what the encoders make of it.
type shape struct {
	name string
	text func(n int) string
}

// repeat returns the unit as often as fits, numbered by %d where it has one.
func repeat(n int, unit string) string {
	if !strings.Contains(unit, "%") {
		return strings.Repeat(unit, n/len(unit))
	}
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.ReplaceAll(unit, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// list is an array of repeated units, which end with a comma.
func list(unit string) func(n int) string {
	return func(n int) string { return "[" + repeat(n, unit) + "0]" }
}

// rows is list without another last element.
func rows(unit string) func(n int) string {
	return func(n int) string { return "[" + strings.TrimSuffix(repeat(n, unit), ",") + "]" }
}

// members is an object of repeated members.
func members(unit string) func(n int) string {
	return func(n int) string { return "{" + strings.TrimSuffix(repeat(n, unit), ",") + "}" }
}

// inside is an inner text at a depth, in arrays or in objects.
func inside(depth int, open, end string, inner func(n int) string) func(n int) string {
	return func(n int) string {
		return strings.Repeat(open, depth) + inner(n) + strings.Repeat(end, depth)
	}
}

func shapes() []shape {
	wide := func(n int, last string) string {
		return "[{" + strings.TrimSuffix(repeat(n/2, `"c%d":%d,`), ",") + "}," + strings.TrimSuffix(repeat(n/2, last), ",") + "]"
	}
	return []shape{
		{"deep arrays", inside(500, "[", "]", list("[[]],"))},
		{"deep scalars", inside(500, "[", "]", list("1,"))},
		{"deep objects", inside(500, `{"a":`, "}", members(`"%d":{},`))},
		{"deep texts", inside(250, `{"a":[`, "]}", list(`"x\n\n\ny",`))},
		{"arrays in arrays", list("[[],[[]]],")},
		{"empty objects", rows("{},")},
		{"empty arrays", rows("[],")},
		{"empty texts", rows(`"",`)},
		{"nulls", rows("null,")},
		{"disjoint rows", rows(`{"c%d":%d},`)},
		{"sparse rows", rows(`{"id":1,"c%d":0,"x":""},`)},
		{"pairs of rows", rows(`{"c%d":1},{"c%d":2},`)},
		{"a wide row and empty ones", func(n int) string { return wide(n, "{},") }},
		{"a wide row and narrow ones", func(n int) string { return wide(n, `{"c0":0},`) }},
		{"a wide row and nulls", func(n int) string { return wide(n, "null,") }},
		{"one row", func(n int) string { return "[" + members(`"c%d":0,`)(n) + "]" }},
		{"rows of one empty cell", rows(`{"a":""},`)},
		{"rows of one null", rows(`{"a":null},`)},
		{"rows with a long key", func(n int) string { return rows(`{"` + strings.Repeat("k", n/20) + `":1},`)(n) }},
		{"a long key around leaves", func(n int) string {
			return `[{"` + strings.Repeat("x", n/2) + `":` + members(`"%d":0,`)(n/2) + "}]"
		}},
		{"rows of deep objects", rows(strings.Repeat(`{"a":`, 16) + "1" + strings.Repeat("}", 16) + ",")},
		{"rows of deep empty objects", rows(strings.Repeat(`{"a":`, 16) + "{}" + strings.Repeat("}", 16) + ",")},
		{"rows of rows", rows(`{"n":%d,"r":[{"a":1,"b":2},{"a":3}]},`)},
		{"rows of other rows", rows(`{"n":%d,"r":[{"a%d":1},{"b%d":3}]},`)},
		{"keyed maps", members(`"k%d":{"a":1,"b":2},`)},
		{"keyed maps of disjoint objects", members(`"k%d":{"a%d":1},`)},
		{"equal texts", rows(`"the same text, which is long enough to be worth a reference",`)},
		{"equal blocks", rows(`{"content":"the same text, which is long enough to be worth a reference"},`)},
		{"escapes", func(n int) string { return `["` + repeat(n, `\u0000`) + `","` + repeat(n, `\n`)[:n/2] + `"]` }},
		{"texts to quote", rows(`"true","- ","|\\\"",`)},
		{"a long number", func(n int) string { return "[" + strings.Repeat("9", n/2) + "e" + strings.Repeat("9", n/2) + "]" }},
		{"numbers", rows("1e400,-0.0,12345678901234567890,")},
		{"a graph", func(n int) string {
			return `{"nodes":` + rows(`{"type":"T","id":"%d"},`)(n/2) + `,"edges":` + rows(`{"from":"T","from_id":"0","to":"T","to_id":"%d","type":"E"},`)(n/2) + "}"
		}},
		{"symbols", func(n int) string {
			return `{"symbols":` + rows(`{"qualifiedName":"p.F%d","kind":"function","score":0.5,"provenance":"lsp","distance":%d},`)(n/2) +
				`,"edges":` + rows(`{"source":"p.F%d","target":"p.F0","edgeType":"calls"},`)(n/2) + "}"
		}},
	}
}

// texts are what decoders get beside the encoders' own: one thing over and
// over, after the beginning of a document of each format.
var texts = struct {
	beginnings []beginning
	units      []string
}{
	beginnings: []beginning{{"", ""}, {"[", "json jsonl yaml glyph"}, {"{", "json jsonl yaml glyph"}, {`[{"a":`, "json jsonl yaml glyph"},
		{"GCF profile=generic\n", "gcf"}, {"GCF profile=generic\n## [?]{a}\n", "gcf"}, {"GCF profile=generic\n## [?]{\"a>a>a>a>a>a>a>a>a>a>a>a>a>a>a>a\"}\n", "gcf"},
		{"GCF profile=graph tool=t symbols=1\n## targets\n", "gcf gcf-graph"}, {"GCX1 tool=t fields=a\n", "gcx"}, {"GCX1 tool=t fields=a,b,c rows=* types=mmm\n", "gcx"},
		{"@tab _ [a]\n", "glyph"}, {"@schema#abc @keys=[k]\n", "glyph"}, {"@header\nquery_type:traversal\n@nodes\n", "goon"},
		{"class A: a\n\n", "tron"}, {"class A: a,b,c,d,e,f\n\n[", "tron"}, {"class A: ", "tron"}, {"LCP\x00", "bcp"}, {"a:\n", "toon yaml md"}, {"a,b\n", "csv"}, {"| a |\n|---|\n", "md"}, {"## 1\n- a: ", "md"},
		{"\x9f\x7f", "cbor"}, {"\xdd\x00\x0f\x42\x40", "msgpack"}},
	units: []string{"[", "[[]],", "{},", `{"a":`, `"",`, "a\n", "\n", "1\n", "-\n", "|||\n", "~\n", "\t\t\n", "a=1 ", "{a=1}", "  a\n", "@0 1|^\n", "## a\n", "## [1]{a}\n1\n", "#0 ", "- ", "- - ", "a:\n ", "[1]:\n", "\x00", "\xff", "#\n", "T(1):\n", "A(", "A(1),", "A(b=", "a,", "1,]"},
}

// A beginning is of the documents of some formats, or of all.
type beginning struct{ text, formats string }

func (b beginning) of(c wire.Codec) bool {
	return b.formats == "" || slices.Contains(strings.Fields(b.formats), c.Info().Name)
}

// TestTextsOfEveryCodec: every format has a beginning of its own, and what has one is a
// format.
func TestTextsOfEveryCodec(t *testing.T) {
	begun := map[string]bool{}
	for _, b := range texts.beginnings {
		for _, name := range strings.Fields(b.formats) {
			begun[name] = true
		}
	}
	require.ElementsMatch(t, describe.Names(wirekit.Registry()), slices.Collect(maps.Keys(begun)))
}

// everyCodec returns every codec of the module with its variants.
func everyCodec() []wire.Codec { return describe.All(wirekit.Registry()) }

// TestMemoryOfShapes: parsing a megabyte of JSON and encoding it in any format
// keeps to the rule of memory, also where the format wants far more bytes than
// JSON, and so does decoding that again. Variants, which keep what their defaults keep,
// and every second format are only measured where time does not count (WIREKIT_TABLE, see
// TestHostileTable).
func TestMemoryOfShapes(t *testing.T) {
	t.Parallel() // what is measured is in processes of their own
	const size = 1_000_000
	var cases []resident.Case
	for k, s := range shapes() {
		cases = append(cases, resident.Case{
			Name:  s.name,
			Input: func() []byte { return []byte(s.text(size)) },
			Call: func(src []byte) {
				codecs := wirekit.Registry().Codecs()
				if os.Getenv(longTable) != "" {
					codecs = everyCodec()
				}
				for i, c := range codecs {
					if os.Getenv(longTable) != "" || (i+k)%2 == 0 {
						carry(c, src)
						forget()
					}
				}
			},
		})
	}
	resident.Check(t, cases...)
}

func carry(c wire.Codec, src []byte) {
	v, err := wire.ParseJSON(src)
	if err != nil {
		panic(err)
	}
	out, err := c.AppendEncode(nil, v)
	v = wire.Value{}
	forget()
	if err != nil || len(out) > len(src) {
		return // what is longer has an allowance of its own
	}
	_, _ = c.Decode(out)
}

// TestMemoryOfTexts: no text of a megabyte makes any decoder break the rule. Every second
// text, and what other formats make of a format's beginning, which most of them refuse at
// once, are only read where time does not count.
func TestMemoryOfTexts(t *testing.T) {
	t.Parallel() // what is measured is in processes of their own
	const size = 1_000_000
	var cases []resident.Case
	for k, beginning := range texts.beginnings {
		cases = append(cases, resident.Case{
			Name:  fmt.Sprintf("after %.40q", beginning.text),
			Input: func() []byte { return make([]byte, size) },
			Call: func(src []byte) {
				for i, unit := range texts.units {
					if os.Getenv(longTable) == "" && (i+k)%2 > 0 {
						continue
					}
					fill(src, beginning.text, unit)
					for _, c := range wirekit.Registry().Codecs() {
						if beginning.of(c) || os.Getenv(longTable) != "" && c.Info().Name != "csv" { // to which it is a header
							read(c, src)
						}
					}
				}
			},
		})
	}
	resident.Check(t, cases...)
}

// forget gives back what the last call took, with what pools keep of it.
func forget() {
	runtime.GC()
	debug.FreeOSMemory()
}

// read decodes src, as a whole and by records.
func read(c wire.Codec, src []byte) {
	_, _ = c.Decode(src)
	forgetMuch()
	if s, ok := c.(wire.Streamer); ok {
		for range s.Records(bytes.NewReader(src)) {
		}
		forgetMuch()
	}
}

// forgetMuch is forget where there is much to forget: each call counts alone,
// and most of them leave next to nothing.
func forgetMuch() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(sample); sample[0].Value.Uint64() > 8<<20 {
		forget()
	}
}

// fill fills src with units after the beginning.
func fill(src []byte, beginning, unit string) {
	n := copy(src, beginning)
	for n < len(src) {
		n += copy(src[n:], unit)
	}
}

// TestTimeOfShapes: encoding and decoding take linear time.
func TestTimeOfShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for _, s := range shapes() {
		for _, c := range everyCodec() {
			t.Run(s.name+"/"+c.Info().FullName(), func(t *testing.T) {
				growth.Linear(t, 10_000, func(n int) func() {
					v, err := wire.ParseJSON([]byte(s.text(n)))
					if err != nil {
						t.Fatal(err)
					}
					out, err := c.AppendEncode(nil, v)
					if err != nil || len(out) > 4*n {
						out = nil // a document of its own size
					}
					return func() {
						_, _ = c.AppendEncode(nil, v)
						_, _ = c.Decode(out)
					}
				})
			})
		}
	}
}

// TestTimeOfTexts: decoding takes linear time, whatever the text.
func TestTimeOfTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for _, beginning := range texts.beginnings {
		for _, unit := range texts.units {
			t.Run(fmt.Sprintf("%.30q and %.20q", beginning.text, unit), func(t *testing.T) {
				// All at once, which is faster: one that is quadratic shows.
				growth.Linear(t, 5_000, func(n int) func() {
					src := make([]byte, n)
					fill(src, beginning.text, unit)
					return func() {
						for _, c := range wirekit.Registry().Codecs() {
							_, _ = c.Decode(src)
						}
					}
				})
			})
		}
	}
}
