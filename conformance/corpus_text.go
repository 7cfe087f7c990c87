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
	for document := range slices.Chunk(textsOf("documents"), 2) {
		texts[document[0]] = document[1]
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
			l.add("key "+name+", "+p.name, p.putKey(s))
		}
	}
}

// The strings that mean something in some format. Corpora use each of them in
// every position; the generator combines them.
var (
	wordStrings, syntaxStrings = textsOf("words"), textsOf("syntax")
	characterStrings           = textsOf("characters")
	keyStrings                 = textsOf("other-keys")
)

// textsOf returns strings of corpora.txt.
func textsOf(name string) (texts []string) {
	for _, text := range listed(name) {
		texts = append(texts, parse(text).Text())
	}
	return texts
}
