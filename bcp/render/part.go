package render

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
)

// A part is a block described for all modes: how its element, its heading and
// its line are called, and what its content is.
type part struct {
	what string // in placeholders: "tool-result"
	name string // in placeholders: the path, the title …

	tag   string // element
	attrs []attr

	heading string // Markdown, without the #s
	bare    bool   // there is no heading
	level   string // "##" or "###"; "" for the latter
	fenced  bool
	info    string // after the fence

	line string // minimal, without the dashes
	mark string // after heading and line

	content []byte
	entries []bcp.FileEntry // of a tree, which are listed when they are wanted
	invalid bool            // the content is not UTF-8 and the reference refuses to show it
	form    form
}

type attr struct{ name, value string }

// form is how content is laid out.
type form uint8

const (
	formBlock   form = iota // on lines of its own
	formLines               // whole lines already, each with its line break
	formTurn                // a turn of a conversation: on the line of its role
	formImage               // an image: in XML on the line of its element
	formEmpty               // no content at all
	formComment             // an unknown block: a comment and the content
)

// describe describes a body. With plain it gives what the reference shows.
func describe(body bcp.Body, plain bool) part {
	switch b := body.(type) {
	case *bcp.Code:
		lang := codeLang(b, plain)
		p := part{what: "code", name: b.Path, tag: "code", attrs: []attr{{"lang", lang}, {"path", b.Path}},
			heading: b.Path, level: "##", fenced: true, info: lang, line: b.Path + " [" + lang + "]"}
		if lines := lineRange(b); lines != "" && !plain {
			p.attrs = append(p.attrs, attr{"lines", lines})
			p.heading += ":" + lines
			p.line = b.Path + ":" + lines + " [" + lang + "]"
		}
		if p.heading == "" && !plain {
			p.heading = "(no path)"
		}
		return p.with(b.Content, plain)
	case *bcp.Conversation:
		role := cmp.Or(b.Role, "user")
		return part{what: "conversation", name: role + " turn", tag: "turn", attrs: []attr{{"role", role}},
			heading: upperFirst(role), line: role, form: formTurn}.with(b.Content, plain)
	case *bcp.FileTree:
		return part{what: "file-tree", name: "tree: " + b.Root, tag: "tree", attrs: []attr{{"root", b.Root}},
			heading: "File Tree: " + b.Root, level: "###", fenced: true,
			line: "tree: " + b.Root, form: formLines, entries: b.Entries}
	case *bcp.ToolResult:
		status := cmp.Or(b.Status, "ok")
		return part{what: "tool-result", name: b.ToolName, tag: "tool", attrs: []attr{{"name", b.ToolName}, {"status", status}},
			heading: "Tool: " + b.ToolName + " (" + status + ")", level: "###",
			line: b.ToolName + " [" + status + "]"}.with(b.Content, plain)
	case *bcp.Document:
		hint := cmp.Or(b.FormatHint, "plain")
		return part{what: "document", name: b.Title, tag: "doc", attrs: []attr{{"title", b.Title}, {"format", hint}},
			heading: "Document: " + b.Title + " [" + hint + "]", level: "###", info: hint,
			line: b.Title}.with(b.Content, plain)
	case *bcp.StructuredData:
		format := cmp.Or(b.Format, "json")
		return part{what: "data", name: format + " data", tag: "data", attrs: []attr{{"format", format}},
			bare: true, fenced: true, info: format, line: "data [" + format + "]"}.with(b.Content, plain)
	case *bcp.Diff:
		return part{what: "diff", name: b.Path, tag: "diff", attrs: []attr{{"path", b.Path}},
			heading: "Diff: " + b.Path, level: "###", fenced: true, info: "diff",
			line: "diff: " + b.Path, form: formLines}.withHunks(b.Hunks, plain)
	case *bcp.EmbeddingRef:
		return part{what: "block", name: "embedding: " + b.Model, tag: "embed-ref", attrs: []attr{{"model", b.Model}},
			heading: "Embedding ref: model=" + b.Model, line: "embed-ref: " + b.Model, form: formEmpty}
	case *bcp.Image:
		media := cmp.Or(b.MediaType, "image")
		return part{what: "image", name: b.AltText, tag: "image", attrs: []attr{{"type", media}, {"alt", b.AltText}},
			heading: "Image (" + media + "): " + b.AltText, level: "###",
			line: "image [" + media + "]: " + b.AltText, form: formImage, content: imageText(b.Data, plain)}
	case *bcp.Extension:
		name := b.Namespace + "/" + b.TypeName
		return part{what: "extension", name: name, tag: "ext", attrs: []attr{{"ns", b.Namespace}, {"type", b.TypeName}},
			heading: "Extension: " + name, level: "###", line: "ext: " + name}.with(b.Content, plain)
	case *bcp.UnknownBody:
		return unknown(b.Type).withAny(b.Data, plain)
	case *bcp.Reference:
		return unknown(b.Type).withAny([]byte("[unresolved reference "+b.Hash.String()+"]"), plain)
	}
	return unknown((&bcp.Block{Body: body}).Type())
}

// maxURI is the longest URI that is shown. Longer ones are data.
const maxURI = 2048

// imageText represents an image: its URI if the data are one, else their size.
func imageText(data []byte, plain bool) []byte {
	printable := !bytes.ContainsFunc(data, func(r rune) bool { return r <= ' ' || r >= 0x7F })
	if !plain && printable && len(data) <= maxURI && bytes.Contains(data, []byte("://")) {
		return data
	}
	return fmt.Appendf(nil, "[binary image data: %d bytes]", len(data))
}

func unknown(t bcp.BlockType) part {
	id := fmt.Sprintf("0x%02X", uint8(t))
	name := "unknown " + id
	return part{what: "block", name: name, heading: "unknown block type " + id, line: name, form: formComment}
}

// codeLang returns the name of a language. Where the block has none with a
// name, the reference calls it text; the path's suffix may tell more.
func codeLang(b *bcp.Code, plain bool) string {
	lang := b.Lang
	if !plain {
		lang = cmp.Or(lang, bcp.LangOfPath(b.Path), moreLanguages[strings.ToLower(path.Ext(b.Path))])
	}
	if lang == "" || strings.HasPrefix(lang, "other(") {
		return "text"
	}
	return lang
}

// moreLanguages are those that the format has no value for, by suffix, as the
// fences of Markdown call them.
var moreLanguages = map[string]string{
	".kt": "kotlin", ".kts": "kotlin", ".swift": "swift", ".php": "php", ".cs": "csharp", ".scala": "scala", ".dart": "dart", ".lua": "lua",
	".pl": "perl", ".pm": "perl", ".r": "r", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang", ".hs": "haskell", ".ml": "ocaml", ".clj": "clojure",
	".zig": "zig", ".nim": "nim", ".jl": "julia", ".groovy": "groovy", ".m": "objectivec", ".fs": "fsharp", ".vb": "vb", ".ps1": "powershell",
	".proto": "protobuf", ".graphql": "graphql", ".tf": "hcl", ".vue": "vue", ".svelte": "svelte", ".scss": "scss", ".less": "less", ".xml": "xml",
	".ini": "ini", ".diff": "diff", ".patch": "diff", ".cmake": "cmake", ".tex": "latex", ".sol": "solidity", ".asm": "asm",
}

func upperFirst(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// lineRange returns the lines of a piece of code, "" if it does not say.
func lineRange(b *bcp.Code) string {
	switch {
	case b.LineStart == nil && b.LineEnd == nil:
		return ""
	case b.LineEnd == nil:
		return fmt.Sprintf("%d-", *b.LineStart)
	case b.LineStart == nil:
		return fmt.Sprintf("-%d", *b.LineEnd)
	}
	return fmt.Sprintf("%d-%d", *b.LineStart, *b.LineEnd)
}

// with sets the content. Content that is not UTF-8 is shown by its size; the
// reference refuses to show it.
func (p part) with(content []byte, plain bool) part {
	if plain && !utf8.Valid(content) {
		p.content, p.invalid = content, true
		return p
	}
	return p.withAny(content, plain)
}

// withAny is with for blocks whose content the reference repairs.
func (p part) withAny(content []byte, plain bool) part {
	switch {
	case utf8.Valid(content):
		p.content = content
	case plain:
		p.content = repaired(content)
	default:
		p.content = fmt.Appendf(nil, "[binary content: %d bytes]", len(content))
	}
	return p
}

// repaired returns b with U+FFFD for each sequence that is the beginning of a
// character but not a whole one, and for each other byte that is not UTF-8.
func repaired(b []byte) []byte {
	var out []byte
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = partial(b)
		}
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	return out
}

// partial returns the length of the beginning of a character that b starts
// with, 1 if there is none.
func partial(b []byte) int {
	for n := min(len(b), utf8.UTFMax-1); n > 1; n-- {
		// With the right rest it would be a character.
		if !utf8.FullRune(b[:n]) {
			return n
		}
	}
	return 1
}

// withHunks sets the content to the lines of the hunks. A hunk without a final
// line break gets one; the reference runs it into what follows.
func (p part) withHunks(hunks []bcp.DiffHunk, plain bool) part {
	var lines []byte
	for i := range hunks {
		h := &hunks[i]
		if !plain {
			lines = appendRange(lines, h)
		}
		lines = append(lines, h.Lines...)
		if n := len(lines); n > 0 && lines[n-1] != '\n' && !plain {
			lines = append(lines, '\n')
		}
	}
	p = p.withAny(lines, plain)
	if n := len(p.content); n > 0 && p.content[n-1] != '\n' && !plain {
		p.content = append(p.content, '\n')
	}
	return p
}

// appendRange appends the line in front of a hunk that says where it is,
// unless the hunk brings it or has no line.
func appendRange(dst []byte, h *bcp.DiffHunk) []byte {
	if bytes.HasPrefix(h.Lines, []byte("@@")) || h.OldStart == 0 && h.NewStart == 0 {
		return dst
	}
	before, after := 0, 0
	for line := range bytes.Lines(h.Lines) {
		if line[0] != '+' && line[0] != '\\' {
			before++
		}
		if line[0] != '-' && line[0] != '\\' {
			after++
		}
	}
	return fmt.Appendf(dst, "@@ -%d,%d +%d,%d @@\n", h.OldStart, before, h.NewStart, after)
}

// contentLength returns about how much text a body is shown by.
func contentLength(body bcp.Body) int {
	switch b := body.(type) {
	case *bcp.Code:
		return len(b.Path) + len(b.Content)
	case *bcp.Conversation:
		return len(b.Content)
	case *bcp.ToolResult:
		return len(b.Content)
	case *bcp.Document:
		return len(b.Content)
	case *bcp.StructuredData:
		return len(b.Content)
	case *bcp.Diff:
		n := len(b.Path)
		for i := range b.Hunks {
			n += len(b.Hunks[i].Lines)
		}
		return n
	case *bcp.Extension:
		return len(b.Content)
	case *bcp.UnknownBody:
		return len(b.Data)
	}
	return 0
}
