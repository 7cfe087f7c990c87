package bcp

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// Priority ranks blocks for a token budget, in an ANNOTATION block.
type Priority uint8

// The priorities. A block without one counts as normal.
const (
	PriorityCritical   Priority = 1
	PriorityHigh       Priority = 2
	PriorityNormal     Priority = 3
	PriorityLow        Priority = 4
	PriorityBackground Priority = 5
)

// A vocabulary is the names of an enumeration: those that are written, from
// the value first on, and further ones that are read.
type vocabulary struct {
	what    string
	first   uint8
	names   []string
	aliases string // "alias=name alias=name"
	zero    string // what "" means; "" for nothing
}

var (
	langs = vocabulary{"lang", 1, []string{"rust", "typescript", "javascript", "python", "go", "java", "c", "cpp", "ruby",
		"shell", "sql", "html", "css", "json", "yaml", "toml", "markdown"},
		"ts=typescript js=javascript py=python c++=cpp rb=ruby sh=shell bash=shell yml=yaml md=markdown unknown=other(255)", "other(255)"}
	roles           = vocabulary{"role", 1, []string{"system", "user", "assistant", "tool"}, "", "user"}
	statuses        = vocabulary{"status", 1, []string{"ok", "error", "timeout"}, "err=error", "ok"}
	priorities      = vocabulary{"priority", 1, []string{"critical", "high", "normal", "low", "background"}, "", ""}
	formatHints     = vocabulary{"format_hint", 1, []string{"markdown", "plain", "html"}, "md=markdown text=plain txt=plain", "plain"}
	dataFormats     = vocabulary{"format", 1, []string{"json", "yaml", "toml", "csv"}, "yml=yaml", "json"}
	annotationKinds = vocabulary{"kind", 1, []string{"priority", "summary", "tag"}, "", "tag"}
	mediaTypes      = vocabulary{"media_type", 1, []string{"png", "jpeg", "gif", "svg", "webp"}, "jpg=jpeg", ""}
	entryKinds      = vocabulary{"kind", 0, []string{"file", "directory"}, "dir=directory", "file"}
)

// jsonFormat is the value of json among dataFormats.
const jsonFormat = 1

// has reports whether v has a name.
func (w *vocabulary) has(v uint8) bool {
	return int(v)-int(w.first) >= 0 && int(v)-int(w.first) < len(w.names)
}

// name returns the name of v, "other(9)" for a value without one.
func (w *vocabulary) name(v uint8) string {
	if !w.has(v) {
		return "other(" + strconv.Itoa(int(v)) + ")"
	}
	return w.names[v-w.first]
}

// number returns the value of a name as a field has it.
func (w *vocabulary) number(name string) (uint8, bool) {
	name = cmp.Or(name, w.zero)
	if i := slices.Index(w.names, name); i >= 0 {
		return w.first + uint8(i), true
	}
	return other(name)
}

// other returns the value of a name of the form other(9).
func other(name string) (uint8, bool) {
	digits := strings.TrimSuffix(strings.TrimPrefix(name, "other("), ")")
	n, err := strconv.ParseUint(digits, 10, 8)
	return uint8(n), err == nil && name == "other("+digits+")"
}

// value returns the value with a name as manifests have it, in any case.
func (w *vocabulary) value(name string) (uint8, bool) {
	name = strings.ToLower(name)
	for pair := range strings.FieldsSeq(w.aliases) {
		if alias, full, _ := strings.Cut(pair, "="); alias == name {
			name = full
		}
	}
	if name == "" {
		return 0, false
	}
	return w.number(name)
}

// String returns the priority's name.
func (p Priority) String() string { return priorities.name(uint8(p)) }

// MarshalText returns the priority's name. A value without one is an error.
func (p Priority) MarshalText() ([]byte, error) {
	if !priorities.has(uint8(p)) {
		return nil, failure("invalid_enum_value", wire.ErrRange, "priority has the value %d, which has no meaning", p)
	}
	return []byte(p.String()), nil
}

// UnmarshalText reads a priority's name, in any case.
func (p *Priority) UnmarshalText(text []byte) error {
	v, ok := priorities.value(string(text))
	if !ok || !priorities.has(v) {
		return failure("invalid_enum_value", wire.ErrShape, "priority %q is none of %s", text, strings.Join(priorities.names, ", "))
	}
	*p = Priority(v)
	return nil
}

// parseLang returns the language with a name or a customary short name (ts,
// js, py, c++, rb, sh, bash, yml, md), in any case. A name that the format
// does not know is "", as the reference has it.
func parseLang(name string) string {
	if v, ok := langs.value(name); ok {
		return langOf(v)
	}
	return ""
}

// unknownLang is the value of code in any other language.
const unknownLang = 0xFF

// langOf returns the name of a language, "" for unknownLang.
func langOf(v uint8) string {
	if v == unknownLang {
		return ""
	}
	return langs.name(v)
}

// mediaTypeOf returns the type of an image by its first bytes, "" for an unknown one.
func mediaTypeOf(data []byte) string {
	for _, m := range [...]struct{ prefix, name string }{{"\x89PNG", "png"}, {"\xff\xd8\xff", "jpeg"}, {"GIF8", "gif"}, {"<svg", "svg"}, {"<?xml", "svg"}} {
		if bytes.HasPrefix(data, []byte(m.prefix)) {
			return m.name
		}
	}
	if len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP" {
		return "webp"
	}
	return ""
}

// suffixes are those of files in the format's languages.
var suffixes = map[string]string{
	".rs": "rust", ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".js": "javascript", ".jsx": "javascript",
	".mjs": "javascript", ".cjs": "javascript", ".py": "python", ".pyi": "python", ".go": "go", ".java": "java", ".c": "c", ".h": "c",
	".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp", ".rb": "ruby", ".sh": "shell", ".bash": "shell",
	".zsh": "shell", ".sql": "sql", ".html": "html", ".htm": "html", ".css": "css", ".json": "json", ".yaml": "yaml", ".yml": "yaml",
	".toml": "toml", ".md": "markdown", ".markdown": "markdown",
}

// LangOfPath returns the language that the suffix of a path implies, in any
// case, "" if it implies none of the format.
func LangOfPath(name string) string {
	return suffixes[strings.ToLower(path.Ext(name))]
}
