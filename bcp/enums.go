package bcp

import (
	"path"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// Lang is the language of a CODE block. Values without a name are kept.
type Lang uint8

// The languages.
const (
	LangRust       Lang = 0x01
	LangTypeScript Lang = 0x02
	LangJavaScript Lang = 0x03
	LangPython     Lang = 0x04
	LangGo         Lang = 0x05
	LangJava       Lang = 0x06
	LangC          Lang = 0x07
	LangCPP        Lang = 0x08
	LangRuby       Lang = 0x09
	LangShell      Lang = 0x0A
	LangSQL        Lang = 0x0B
	LangHTML       Lang = 0x0C
	LangCSS        Lang = 0x0D
	LangJSON       Lang = 0x0E
	LangYAML       Lang = 0x0F
	LangTOML       Lang = 0x10
	LangMarkdown   Lang = 0x11
	LangUnknown    Lang = 0xFF
)

// Role is who speaks in a CONVERSATION block.
type Role uint8

// The roles.
const (
	RoleSystem    Role = 1
	RoleUser      Role = 2
	RoleAssistant Role = 3
	RoleTool      Role = 4
)

// Status is the outcome of a TOOL_RESULT block.
type Status uint8

// The outcomes.
const (
	StatusOK      Status = 1
	StatusError   Status = 2
	StatusTimeout Status = 3
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

// FormatHint says how the text of a DOCUMENT block is written.
type FormatHint uint8

// The format hints.
const (
	HintMarkdown FormatHint = 1
	HintPlain    FormatHint = 2
	HintHTML     FormatHint = 3
)

// DataFormat is the format of a STRUCTURED_DATA block.
type DataFormat uint8

// The data formats.
const (
	DataJSON DataFormat = 1
	DataYAML DataFormat = 2
	DataTOML DataFormat = 3
	DataCSV  DataFormat = 4
)

// AnnotationKind says what an ANNOTATION block's value is.
type AnnotationKind uint8

// The kinds of annotation: a Priority in one byte, or UTF-8 text.
const (
	AnnotationPriority AnnotationKind = 1
	AnnotationSummary  AnnotationKind = 2
	AnnotationTag      AnnotationKind = 3
)

// MediaType is the type of an IMAGE block.
type MediaType uint8

// The media types.
const (
	MediaPNG  MediaType = 1
	MediaJPEG MediaType = 2
	MediaGIF  MediaType = 3
	MediaSVG  MediaType = 4
	MediaWebP MediaType = 5
)

// EntryKind says whether an entry of a FILE_TREE block is a file.
type EntryKind uint8

// The kinds of entry.
const (
	EntryFile      EntryKind = 0
	EntryDirectory EntryKind = 1
)

// A vocabulary is the names of an enumeration: those that are written, from
// the value first on, and further ones that are read.
type vocabulary struct {
	what    string
	first   uint8
	names   []string
	aliases string // "alias=name alias=name"
}

var (
	langs = vocabulary{"lang", 1, []string{"rust", "typescript", "javascript", "python", "go", "java", "c", "cpp", "ruby",
		"shell", "sql", "html", "css", "json", "yaml", "toml", "markdown"},
		"ts=typescript js=javascript py=python c++=cpp rb=ruby sh=shell bash=shell yml=yaml md=markdown"}
	roles           = vocabulary{"role", 1, []string{"system", "user", "assistant", "tool"}, ""}
	statuses        = vocabulary{"status", 1, []string{"ok", "error", "timeout"}, "err=error"}
	priorities      = vocabulary{"priority", 1, []string{"critical", "high", "normal", "low", "background"}, ""}
	formatHints     = vocabulary{"format_hint", 1, []string{"markdown", "plain", "html"}, "md=markdown text=plain txt=plain"}
	dataFormats     = vocabulary{"format", 1, []string{"json", "yaml", "toml", "csv"}, "yml=yaml"}
	annotationKinds = vocabulary{"kind", 1, []string{"priority", "summary", "tag"}, ""}
	mediaTypes      = vocabulary{"media_type", 1, []string{"png", "jpeg", "gif", "svg", "webp"}, "jpg=jpeg"}
	entryKinds      = vocabulary{"kind", 0, []string{"file", "directory"}, "dir=directory"}
)

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

// value returns the value with a name, in any case, or of the form other(9).
func (w *vocabulary) value(name string) (uint8, bool) {
	name = strings.ToLower(name)
	for pair := range strings.FieldsSeq(w.aliases) {
		if alias, full, _ := strings.Cut(pair, "="); alias == name {
			name = full
		}
	}
	for i, n := range w.names {
		if n == name {
			return w.first + uint8(i), true
		}
	}
	if digits, ok := strings.CutPrefix(name, "other("); ok {
		if digits, ok = strings.CutSuffix(digits, ")"); ok {
			n, err := strconv.ParseUint(digits, 10, 8)
			return uint8(n), err == nil
		}
	}
	return 0, false
}

func (w *vocabulary) parse(name string) (uint8, error) {
	v, ok := w.value(name)
	if !ok {
		return 0, failure("invalid_enum_value", wire.ErrShape, "%s %q is none of %s", w.what, name, strings.Join(w.names, ", "))
	}
	return v, nil
}

// String returns the language's name in lower case, "unknown" for
// [LangUnknown], "other(66)" for a value without a name.
func (l Lang) String() string {
	if l == LangUnknown {
		return "unknown"
	}
	return langs.name(uint8(l))
}

// String returns the role's name.
func (r Role) String() string { return roles.name(uint8(r)) }

// String returns the status's name.
func (s Status) String() string { return statuses.name(uint8(s)) }

// String returns the priority's name.
func (p Priority) String() string { return priorities.name(uint8(p)) }

// String returns the hint's name.
func (f FormatHint) String() string { return formatHints.name(uint8(f)) }

// String returns the format's name.
func (f DataFormat) String() string { return dataFormats.name(uint8(f)) }

// String returns the kind's name.
func (k AnnotationKind) String() string { return annotationKinds.name(uint8(k)) }

// String returns the media type's name.
func (m MediaType) String() string { return mediaTypes.name(uint8(m)) }

// String returns the kind's name.
func (k EntryKind) String() string { return entryKinds.name(uint8(k)) }

// parseLang returns the language with a name or a customary short name (ts,
// js, py, c++, rb, sh, bash, yml, md), in any case. A name that the format
// does not know is [LangUnknown], as the reference has it.
func parseLang(name string) Lang {
	if v, ok := langs.value(name); ok {
		return Lang(v)
	}
	return LangUnknown
}

// suffixes are those of files in the format's languages.
var suffixes = map[string]Lang{
	".rs": LangRust, ".ts": LangTypeScript, ".tsx": LangTypeScript, ".mts": LangTypeScript, ".js": LangJavaScript, ".jsx": LangJavaScript,
	".mjs": LangJavaScript, ".cjs": LangJavaScript, ".py": LangPython, ".pyi": LangPython, ".go": LangGo, ".java": LangJava, ".c": LangC, ".h": LangC,
	".cpp": LangCPP, ".cc": LangCPP, ".cxx": LangCPP, ".hpp": LangCPP, ".hh": LangCPP, ".rb": LangRuby, ".sh": LangShell, ".bash": LangShell,
	".zsh": LangShell, ".sql": LangSQL, ".html": LangHTML, ".htm": LangHTML, ".css": LangCSS, ".json": LangJSON, ".yaml": LangYAML, ".yml": LangYAML,
	".toml": LangTOML, ".md": LangMarkdown, ".markdown": LangMarkdown,
}

// LangOfPath returns the language that the suffix of a path tells, in any
// case, LangUnknown if it tells none of the format.
func LangOfPath(name string) Lang {
	if lang, ok := suffixes[strings.ToLower(path.Ext(name))]; ok {
		return lang
	}
	return LangUnknown
}

// ParsePriority returns the priority with a name.
func ParsePriority(name string) (Priority, error) {
	v, err := priorities.parse(name)
	return Priority(v), err
}

// ParseBlockType returns the block type with a name as the reference's command
// line takes it: "tool_result" or "toolresult", in any case.
func ParseBlockType(name string) (BlockType, error) {
	plain := strings.ReplaceAll(name, "_", "")
	for t, n := range blockNames {
		if t != BlockEnd && strings.EqualFold(strings.ReplaceAll(n, "_", ""), plain) {
			return t, nil
		}
	}
	return 0, failure("invalid_block_type", wire.ErrShape, "no block type is called %q", name)
}
