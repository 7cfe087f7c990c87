package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

func scalars(l *caseList) {
	for _, text := range []string{`null`, `true`, `false`, `0`, `1`, `-1`, `1.5`, `""`, `"a"`, `"a b"`, `[]`, `{}`, `[[]]`, `[{}]`, `{"a":{}}`, `{"a":[]}`, `[null]`, `{"a":null}`} {
		l.everywhere(text, parse(text))
	}
}

// strings puts every string in every position, and all into one list and
// one table.
func (l *caseList) strings(texts []string) {
	for i, s := range texts {
		l.everywhere(fmt.Sprintf("%d %s", i, shortened(fmt.Sprintf("%+q", s))), wire.String(s))
	}
	at := func(i int) wire.Value { return wire.String(texts[i%len(texts)]) }
	l.add("all in one list", repeated(len(texts), at))
	l.add("all in one table", repeated(len(texts), func(i int) wire.Value {
		return record("n", i, "a", at(i), "b", at(i+1), "c", at(i+7))
	}))
}

func characters(l *caseList) {
	var texts []string
	for c := range rune(0x20) {
		texts = append(texts, string(c), "a"+string(c), string(c)+"b", "a"+string(c)+"b")
	}
	l.strings(append(texts, characterStrings...))
}

// sourceCode is a text such as a file tool answers with.
const sourceCode = "package main\n\nimport \"fmt\"\n\n// main greets: |a|b|, #tag, @end\nfunc main() {\n\tfor i := range 3 {\n\t\tfmt.Printf(\"%d\\t%q\\n\", i, `raw \"text\"`)\n\t}\n}\n"

func longText(l *caseList) {
	texts := map[string]string{
		"source code":                  sourceCode,
		"source code, CRLF":            strings.ReplaceAll(sourceCode, "\n", "\r\n"),
		"GCF document":                 "GCF profile=generic\n## rows [2]{id,name}\n1|a\n2|b\n",
		"GCX document":                 "GCX1 tool=find fields=id,name rows=2\n1\ta\n2\tb\n",
		"GLYPH document":               "@tab _ [id name]\n|1|a|\n|2|b|\n@end",
		"GOON document":                "nodes(2)\nUser 1 name=a\nUser 2 name=\"b c\"\n",
		"JSON document":                "{\n  \"rows\": [{\"id\": 1}, {\"id\": 2}]\n}\n",
		"YAML document":                "---\nrows:\n  - id: 1\n    name: |\n      a\n      b\n",
		"Markdown":                     "# Title\n\n| a | b |\n|---|---|\n| 1 | `x` |\n\n## Next\n- [ ] task\n",
		"64 bytes":                     strings.Repeat("abcdefgh", 8),
		"long with one escape":         strings.Repeat("a", 1000) + "\n" + strings.Repeat("b", 1000),
		"long with quotation marks":    strings.Repeat(`"a" `, 700),
		"long with bars":               strings.Repeat("|", 3000),
		"long with backslashes":        strings.Repeat(`\`, 3001),
		"long with line ends":          strings.Repeat("line\n", 800),
		"long with control":            strings.Repeat("\x01\x00", 900),
		"long beyond ASCII":            strings.Repeat("漢字😀é", 500),
		"200 characters":               strings.Repeat("x", 200),
		"201 characters":               strings.Repeat("x", 201),
		"1,000 characters":             strings.Repeat("é", 1000),
		"1,001 characters":             strings.Repeat("é", 1001),
		"100,000 characters":           strings.Repeat("0123456789", 10_000),
		"100,000 blanks":               strings.Repeat(" ", 100_000),
		"a number of 3,000 digits":     strings.Repeat("7", 3000),
		"a megabyte with line ends":    strings.Repeat("some words of a long text, and more of them\n", 1<<20/44),
		"brackets that open only":      strings.Repeat("[{(", 2000),
		"an excerpt of sample answers": string(sample.API(3)),
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		s := texts[name]
		if len(s) > 50_000 {
			l.add(name, record("text", s))
			continue
		}
		l.everywhere(name, wire.String(s))
	}
	for n := range 40 {
		l.add(fmt.Sprintf("escape after %d bytes", n), array(strings.Repeat("a", n)+"\n", strings.Repeat("a", n)+"é", strings.Repeat("é", n)+"|"))
	}
}

func invalidText(l *caseList) {
	for _, s := range []string{"\xff", "a\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "abc\xf0\x9f\x98", "\xfe\xff", "long text before it " + strings.Repeat("a", 100) + "\xff"} {
		name := shortened(fmt.Sprintf("%+q", s))
		l.everywhere(name, wire.String(s))
		for _, p := range keyPositions {
			l.add("key "+name+", "+p.name, p.put(s))
		}
	}
}

// The strings that mean something in some format. Corpora use each of them in
// every position; the generator combines them.

// wordStrings mean something else when they are written without quotation marks:
// the words and signs of each format, and texts that read as numbers.
var wordStrings = []string{
	// null, true and false in any format's spelling
	"null", "Null", "NULL", "nil", "none", "None", "undefined", "true", "false", "True", "FALSE", "t", "f", "T", "yes", "no", "on", "off",
	"nan", "NaN", "Inf", "-Inf", "inf", "Infinity", "-Infinity",
	// cells and references
	"_", "~", "^", "-", "--", "---", "∅", ".", "..", "...", "=", "|", ",", ":", ";", "@", "#", "*", "?", "!", "&", "%", "$", "'", "`", "<", ">", "/", "\\",
	"^a:b", "^{a,b}", "^{}", "^{a|b}", "^{", "x^{a}", "^^", "~~", "_ _", `^"x"`, "#0", "#1", "#12", "@0", "@1", "@12", "$ref", "&a", "*a",
	"$1", "$$1", "$1~2", "$12/a", "$a1", "_1", "__1", "_1~2", "_1a", "<<", "<a>b", "==a",
	`b64"AAAA"`, `b64""`, "2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05", "12:30:00",
	// reserved words
	"@tab", "@end", "@schema", "@keys", "@patch", "@pool", "@tab _ [a b]", "@tab _ rows=1 cols=1 [a]", "@end @end", "struct", "sum", "list", "map",
	"GCX", "GCX1", "GCX2", "GCX1 tool=x fields=a", "GCX12", "tool=", "fields=", "rows=", "types=", "truncated_by_budget=true",
	"GCF", "GCF profile=generic", "GCF profile=graph", "profile=generic", "##", "## x", "## x [2]", "## x [2]{a,b}", "## [0]", "##! summary counts=1", "@0 =1", "@0 {}",
	"# comment", "#x", "# ", "// c", "/* c */", "LCP", "LCP\x00", "BCP\x00", "key", "_key", "__key", "value", "type", "id", "nodes", "edges", "rows", "columns",
	// texts of numbers, and nearly
	"0", "-0", "1", "-1", "+1", "00", "01", "007", "-01", "1.", ".5", "-.5", "+.5", "1.0", "1.50", "1e5", "1E5", "1e+5", "1e-5", "1e", "e1", "1e400", "-1e-400",
	"0x1f", "0b1", "0o7", "1_000", "1,000", "1 000", "12345678901234567890", "9007199254740993", "-9223372036854775808", "9223372036854775808",
	"1.2.3", "1-2", "1a", "-x", "-1x", "1%", "½", "Ⅷ", "²", "१२", "1.٥", "٣",
	// texts of other documents
	"{}", "[]", "{", "}", "[", "]", "(", ")", `""`, `"`, `"a"`, `"a`, `a"`, `{"a":1}`, `[1,2]`, "[1 2]", "{a=1}", "{a=1 b=2}", "a=1", "=1", "=a", "a: b", "- a",
	"", " ", "  ", "a b", " a", "a ", "\ta", "a\t", "a  b",
}

// syntaxStrings hold the characters that end a cell, a line, a list or a
// string somewhere in the middle, and the beginnings of lines.
var syntaxStrings = []string{
	"a|b", "|a", "a|", "||", `a\|b`, `\|`, `a\\|b`, "a,b", ",a", "a,", ",,", "a;b", "a:b", "a: b", ":a", "a=b", "a==b", "a>b", "a>>b", ">a", "a>", "a.b", "a/b", "a~b", "a^b", "a_b", "a-b", "a#b", "a #b", "a # b", "a@b",
	"a{b", "a}b", "{a}", "a[b", "a]b", "[a]", "a(b)", "<a>", "a<b>c</b>", "&amp;", "&lt;", "a&b", "a?b", "a%b", "%20", "a+b", "a!b", "a$b", "${a}", "a'b", "'a'", "a`b", "`a`",
	`a"b`, `"a" "b"`, `a\b`, `\`, `\\`, `\\\`, `a\`, `\a`, `\n`, `\t`, `\r`, `\0`, `\u0041`, `\u00`, `\ud83d`, `\x41`, `\#`, `\"`, `\ `, `\,`, `\=`, `\GCX1`, `a\nb`, `C:\new\table`, `"\`, `\"a\"`,
	"x[1]", "x[1]:", "x[1]: a", "x[]:", "x[1] : a", "x[0]", "ERR[404]: not found", "x[1]{a}", "x[1]{a}:", "x{a,b}", "[3]: a,b,c", "[2]{a,b}:",
	"a\nb", "\na", "a\n", "\n", "\n\n", "a\n\nb", "a\r\nb", "a\r", "\ra", "\r", "\r\n", "a\rb", "\n\r", "a\tb", "\t", "\t\t", "\t\n", " \n ", "a\n b", "a\n  - b",
	"a\n@end", "a\n@end\nb", "a|\n@end\n|b", "a\n## b [1]", "a\n# b", "a\n##! summary", "a\nGCX1 tool=b fields=c\n1", "a\nb=c", "a\n@0 b|c", "a\n.b {}", "a\n\"b", "\n|a|b|\n", "\nGCF profile=generic\n", "\\\n", "\"\n\"", "a\\\nb",
	"GCX1 tool=a fields=b\nc", "GCF profile=generic\na=1", "@tab _ [a]\n|1|\n@end", "{\n  \"a\": 1\n}",
	"error: expected ';', found '}' --> src/main.rs:10:5", "func (s *Server) Handle(w http.ResponseWriter, r *http.Request) error", "SELECT a, b FROM t WHERE c = 'd' -- e", "https://example.com/a?b=c&d=e#f", "user@example.com", "^prefix:value", "^a", "^1", "~/x", "./x", "../x", "-v", "--flag=1", "key=value key2=\"v 2\"",
}

// characterStrings are the corners of Unicode. Control characters are added by
// the corpus, one by one.
var characterStrings = []string{
	"\u007f", "a\u007fb", "\u0080", "\u0085", "a\u0085b", "\u009f", "\u00a0", "a\u00a0", "\u00a0a", "\u00ad", "\u034f", "\u1680", "\u180e", "\u2000", "\u2003", "\u2007", "\u200b", "a\u200bb", "\u200c", "\u200d", "\u200e", "\u200f",
	"\u2028", "a\u2028b", "\u2029", "a\u2029b", "\u202a\u202e", "\u2060", "\u2066a\u2069", "\u3000", "a\u3000b", "\ufeff", "\ufeffa", "a\ufeff", "\ufffc", "\ufffd", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff",
	"é", "e\u0301", "\u0301", "\u0301a", "ñ", "n\u0303", "ﬁ", "Å", "Å", "ß", "İ", "ı", "ſ", "K", "ǆ", "Ω", "Ω", "﹟", "＃", "＠", "：", "｜", "，", "“a”", "‘a’", "«a»", "a…b", "–", "—", "−1",
	"漢字", "한국어", "日本語テキスト", "ไทย", "हिन्दी", "עברית", "العربية", "\u200fabc\u200f", "مرحبا 123 abc", "Привет", "Ελληνικά", "𝔘𝔫𝔦", "𐍈", "𠀀", "😀", "👩\u200d👩\u200d👧\u200d👦", "🇩🇪", "👍🏽", "❤️", "a😀b", "😀😀", "\U000e0001", "\ue000", "\U000f0000", "z̷̢͎a̷l̵g̶o̴",
	"\x00", "a\x00b", "\x00\x00", "\x1b[31mred\x1b[0m", "\a\b\f\v", "\x01\x02\x03", "\x1e\x1f", strings.Repeat("e\u0301", 20),
}

// keyStrings are keys that are not among the strings above.
var keyStrings = []string{
	"a b c", "a>b>c", "x.y.z", "a.b[0].c", "items[3]", "items[]", "a [1] b", "__proto__", "constructor", "toString", "hasOwnProperty", "length", "0", "1", "-1", "1.5", "$schema", "$id", "@type", "@context", "xml:lang", "data-id", "snake_case", "camelCase", "kebab-case", "SCREAMING", "folded", "legend", "constants", "templates", "data", "Ключ", "鍵", "مفتاح", "clé", "ke\u0301y", "kéy",
}
