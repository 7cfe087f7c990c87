package conformance_test

import (
	"fmt"
	"strings"
)

// moreShapes are shapes that are looked at in the table only.
func moreShapes() []shape {
	comma := func(n int, unit string) string { return strings.TrimSuffix(repeat(n, unit), ",") }
	return []shape{
		{"a wide object before empty ones", func(n int) string {
			return "[{" + comma(n*4/5, `"k%d":1,`) + "}" + repeat(n/5, ",{}") + "]"
		}},
		{"a long key around objects", func(n int) string {
			inner := `{"` + strings.Repeat("x", n/6) + `":{` + comma(n/6, `"%d":{"a":1},`) + "}}"
			return "[" + inner + "," + inner + "," + inner + "]"
		}},
		{"deep arrays side by side", rows(strings.Repeat("[", 400) + strings.Repeat("]", 400) + ",")},
		{"deep objects side by side", rows(strings.Repeat(`{"a":`, 400) + "1" + strings.Repeat("}", 400) + ",")},
		{"rows that grow", func(n int) string {
			var b strings.Builder
			row := `{"k0":1`
			for i := 1; b.Len() < n; i++ {
				b.WriteString("," + row + "}")
				row += fmt.Sprintf(`,"k%d":1`, i)
			}
			return "[" + b.String()[1:] + "]"
		}},
		{"objects of objects with other keys", members(`"m%d":{"k%d":%d},`)},
		{"one long text", func(n int) string { return `["` + strings.Repeat("a", n) + `"]` }},
		{"line ends", func(n int) string { return `["` + repeat(n, `\n `) + `"]` }},
		{"quotation marks", func(n int) string { return `["` + repeat(n, `\"`) + `"]` }},
		{"backslashes", func(n int) string { return `["` + repeat(n, `\\`) + `"]` }},
		{"blanks", func(n int) string { return `["` + strings.Repeat(" ", n) + `"]` }},
		{"large exponents", rows("1e999999999,1e-999999,1e4000,")},
		{"texts that begin alike", func(n int) string {
			var b strings.Builder
			for i := 1; b.Len() < n; i++ {
				b.WriteString(`,"` + strings.Repeat("p/", i) + `"`)
			}
			return "[" + b.String()[1:] + "]"
		}},
		{"addresses", rows(`{"u":"https://example.org/a/%d","v":"https://example.org/b/%d"},`)},
		{"cells of other kinds", rows(`{"a":1},{"a":"x"},{"a":null},{"a":[1]},{"a":{"q":1}},{"a":true},`)},
		{"tables in cells", rows(`{"t":[{"z0":%d},{"z1":%d},{"z2":%d},{"z3":%d}]},`)},
		{"orders of members", rows(`{"a":1,"b":2,"c":3},{"c":1,"a":2,"b":3},{"b":1,"c":2,"a":3},`)},
		{"rows of one member", rows(`{"x":%d},`)},
	}
}

// ownTexts are texts of formats that no encoder writes.
func ownTexts() []line {
	own := func(format, name string, text func(n int) string) line {
		return line{name: format + ", " + name, own: format, text: text}
	}
	after := func(beginning, unit string) func(n int) string {
		return func(n int) string { return beginning + repeat(n, unit) }
	}
	counted := func(beginning, unit string) func(n int) string {
		return func(n int) string {
			return fmt.Sprintf(beginning, n/len(unit)) + strings.Repeat(unit, n/len(unit))
		}
	}
	// columns is a header of n/3 bytes and rows of a unit.
	columns := func(open, end, comma, unit string) func(n int) string {
		return func(n int) string {
			names := strings.TrimSuffix(repeat(n/3, "c%d"+comma), comma)
			return strings.ReplaceAll(open, "%d", fmt.Sprint(n/2/len(unit))) + names + end + strings.Repeat(unit, n/2/len(unit))
		}
	}
	nested := own("toon", "deep columns", func(n int) string {
		return fmt.Sprintf("[%d]{", n/5) + strings.Repeat("a{", 390) + "z" + strings.Repeat("}", 390) + "}:\n" + strings.Repeat("  1\n", n/5)
	})
	nested.n = 800
	return []line{
		own("gcx", "blank rows", counted("GCX1 tool=t fields=a rows=%d\n", "\n")),
		own("gcx", "short rows", columns("GCX1 tool=t rows=%d fields=", "\n", ",", "1\n")),
		own("gcx", "cells of objects", counted("GCX1 tool=t fields=a rows=%d\n", "[{}]\n")),
		own("gcx", "sections", after("", "GCX1 tool=t fields=a rows=1\n1\n\n")),
		own("gcx", "pairs in the header", after("GCX1 tool=t fields=a", " m%d=1")),
		nested,
		own("toon", "blank lines", after("a: 1\n", "\n")),
		own("toon", "short rows", columns("[%d]{", "}:\n", ",", "  1\n")),
		own("toon", "dotted keys", after("", strings.Repeat("a.", 60)+"k%d: 1\n")),
		own("toon", "an open text", after(`a: "`, `\"`)),
		own("toon", "tables", after("", "t%d[1]{a,b,c}:\n  1,2,3\n")),
		own("gcf", "empty rows", columns("GCF profile=generic\n## [%d]{", "}\n", ",", "\n")),
		own("gcf", "short rows", columns("GCF profile=generic\n## [%d]{", "}\n", ",", "1\n")),
		own("gcf", "paths", counted("GCF profile=generic\n## [%d]{\"a>a>a>a>a>a>a>a>a>a>a>a>a>a>a>z\"}\n", "1\n")),
		own("gcf", "doubles", after("GCF profile=generic\n", "k=1\n")),
		own("gcf", "attachments", after("GCF profile=generic\n## [?]{id,l}\n", "@%d 1|^\n.l [1]{z}\n    1\n")),
		own("glyph", "narrow rows", columns("@tab _ [", "]\n", " ", "|1|\n")),
		own("glyph", "open objects", after("", "{a=")),
		own("glyph", "an open text", after(`"`, `\"`)),
		own("csv", "short rows", columns("", "\n", ",", "1\n")),
		own("csv", "blank lines", after("a,b\n", "\n")),
		own("csv", "an open quotation mark", after("a,b\n\"", "x\n")),
		own("csv", "equal columns", after("", "a,")),
		own("yaml", "aliases of a long text", func(n int) string {
			return "- &a " + strings.Repeat("x", n/2) + "\n" + repeat(n/2, "- *a\n")
		}),
		own("yaml", "aliases of a list", func(n int) string {
			return "- &a [" + repeat(n/2, "1,") + "1]\n" + repeat(n/2, "- *a\n")
		}),
		own("yaml", "merges", func(n int) string {
			return "a: &a {" + strings.TrimSuffix(repeat(n/2, "k%d: 1, "), ", ") + "}\nb:\n" + repeat(n/2, "  - {<<: *a, z: 1}\n")
		}),
		own("yaml", "anchors", after("", "- &a%d x\n")),
		own("yaml", "open lists", after("", "[")),
		own("yaml", "lines of a text", after("a: x\n", "  y\n")),
		own("yaml", "comments", after("", "# c\n")),
		own("json", "open arrays", after("", "[")),
		own("json", "equal keys", func(n int) string { return "{" + repeat(n, `"k":1,`) + `"k":2}` }),
		own("json", "folded constants", func(n int) string {
			return `{"folded":"x","constants":{"[]":{` + strings.TrimSuffix(repeat(n/2, `"k%d":1,`), ",") + `}},"data":[` + repeat(n/2, "{},") + "{}]}"
		}),
		own("jsonl", "blank lines", after("", "\n")),
		own("cbor", "nested claims", after("", "\x9a\x00\x00\x00\x64")),
		own("cbor", "empty maps", after("\x9f", "\xa0")),
		own("cbor", "a long number", func(n int) string {
			return "\xc2\x5a" + string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) + strings.Repeat("\xfe", n)
		}),
		own("cbor", "empty chunks", after("\x7f", "\x60")),
		own("cbor", "decimal fractions", after("\x9f", "\xc4\x82\x3a\x40\x00\x00\x00\x01")),
		own("msgpack", "nested claims", after("", "\xdc\x00\x64")),
		own("msgpack", "empty maps", func(n int) string {
			return "\xdd" + string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) + strings.Repeat("\x80", n)
		}),
	}
}
