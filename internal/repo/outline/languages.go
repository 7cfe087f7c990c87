package outline

import (
	"regexp"
	"strings"
)

// A language says how texts are written, as far as an outline needs it.
type language struct {
	line    []string // what begins a comment to the end of the line
	block   bool     // /* */
	nests   bool     // block comments nest
	quotes  string   // characters that begin and end a string
	spans   bool     // strings hold line ends
	char    bool     // ' holds one character, or begins a lifetime or label
	triple  bool     // """ holds lines
	regexp  bool     // / may begin a regular expression
	raw     byte     // what begins a raw string before its quote: 'r' Rust, 'R' C++, '@' C#
	hashes  bool     // lines with # are for a preprocessor
	newline bool     // the end of a line may end a declaration

	containers map[string]bool // words of heads whose blocks hold declarations
	functions  map[string]bool // words of heads that declare without parentheses, too
	values     map[string]bool // words of heads that declare a value
	bare       bool            // a name and parentheses make a function

	head *regexp.Regexp // what begins a line that declares: blanks, and the name
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range words {
		m[w] = true
	}
	return m
}

var (
	c = &language{line: []string{"//"}, block: true, quotes: `"'`, raw: 'R', hashes: true,
		containers: set("struct", "union", "enum", "class", "namespace", "extern"), functions: set("using"), bare: true}
	java = &language{line: []string{"//"}, block: true, quotes: `"'`, triple: true,
		containers: set("class", "interface", "enum", "record", "@interface"), bare: true}
	csharp = &language{line: []string{"//"}, block: true, quotes: `"'`, raw: '@', triple: true, hashes: true,
		containers: set("class", "interface", "enum", "record", "struct", "namespace"), functions: set("delegate"), bare: true}
	script = &language{line: []string{"//"}, block: true, quotes: "\"'`", regexp: true, newline: true,
		containers: set("class", "interface", "enum", "namespace", "module"), functions: set("function", "type"), values: set("const", "let", "var"), bare: true}
	rust = &language{line: []string{"//"}, block: true, nests: true, quotes: `"`, spans: true, char: true, raw: 'r',
		containers: set("struct", "enum", "trait", "impl", "mod", "union", "extern"), functions: set("fn", "type", "macro_rules!"), values: set("const", "static")}
	kotlin = &language{line: []string{"//"}, block: true, nests: true, quotes: `"'`, triple: true, newline: true,
		containers: set("class", "interface", "object"), functions: set("fun", "typealias"), values: set("val", "var")}
	swift = &language{line: []string{"//"}, block: true, nests: true, quotes: `"`, triple: true, newline: true,
		containers: set("class", "struct", "enum", "protocol", "extension", "actor"), functions: set("func", "init", "typealias", "subscript", "associatedtype", "macro", "operator"), values: set("var", "let")}
	scala = &language{line: []string{"//"}, block: true, nests: true, quotes: `"`, char: true, triple: true, newline: true,
		containers: set("class", "trait", "object", "enum"), functions: set("def", "type"), values: set("val")}
	dart = &language{line: []string{"//"}, block: true, quotes: `"'`, triple: true,
		containers: set("class", "mixin", "extension", "enum"), functions: set("typedef"), bare: true}
	php = &language{line: []string{"//", "#"}, block: true, quotes: "\"'`",
		containers: set("class", "interface", "trait", "enum", "namespace"), functions: set("function", "fn")}
	proto = &language{line: []string{"//"}, block: true, quotes: `"'`,
		containers: set("message", "service", "enum", "oneof"), functions: set("rpc")}
	python = &language{line: []string{"#"}, quotes: `"'`, triple: true}
	ruby   = lines(`class|module|def`)
	lua    = lines(`function|local function`)
	elixir = lines(`defmodule|defprotocol|defimpl|def|defp|defmacro`)
	perl   = lines(`package|sub`)
	shell  = &language{head: regexp.MustCompile(
		`^([ \t]*)(?:(?:function +)?([\w[:^ascii:]][\w[:^ascii:].:-]*) *\( *\)|function +([\w[:^ascii:]][\w[:^ascii:].:-]*) *(?:\{|$))`)}
)

var languages = map[string]*language{
	".c": c, ".h": c, ".cc": c, ".cpp": c, ".cxx": c, ".hpp": c, ".hh": c, ".hxx": c, ".m": c,
	".java": java, ".cs": csharp,
	".js": script, ".jsx": script, ".mjs": script, ".cjs": script, ".ts": script, ".tsx": script, ".mts": script, ".cts": script,
	".rs": rust, ".kt": kotlin, ".kts": kotlin, ".swift": swift, ".scala": scala, ".dart": dart, ".php": php, ".proto": proto,
	".py": python, ".pyi": python,
	".rb": ruby, ".lua": lua, ".ex": elixir, ".exs": elixir, ".pl": perl, ".pm": perl, ".sh": shell, ".bash": shell, ".zsh": shell,
}

// IsC reports whether files with a suffix are of C or of the languages that grew from it.
func IsC(ext string) bool { return languages[strings.ToLower(ext)] == c }

// lines is a language whose declarations begin lines with one of some words, before a name
// that may say what it is a member of, or an operator of Ruby.
func lines(words string) *language {
	return &language{head: regexp.MustCompile(
		`^([ \t]*)(?:` + words + `) +(?:[\w$[:^ascii:].:]*[.:])?([\w$[:^ascii:]][\w$[:^ascii:]?!=]*|[^ (]+)`)}
}
