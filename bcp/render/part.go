package render

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// A part is a block described for all modes: how its element, its heading and
// its line are called, and what its content is.
type part struct {
	what string // in placeholders: "tool-result"
	name string // in placeholders: the path, the title …

	tag   string // element
	attrs []attr

	heading string // Markdown, without the #s; "" if there is none
	level   string // "##" or "###"
	fenced  bool
	info    string // after the fence

	line string // minimal, without the dashes

	content []byte
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
func describe(body bcp.Body, plain bool) (part, error) {
	switch b := body.(type) {
	case *bcp.Code:
		lang := codeLang(b.Lang)
		return part{what: "code", name: b.Path, tag: "code", attrs: []attr{{"lang", lang}, {"path", b.Path}},
			heading: b.Path, level: "##", fenced: true, info: lang,
			line: b.Path + " [" + lang + "]"}.with(b.Content, plain)
	case *bcp.Conversation:
		role := b.Role.String()
		return part{what: "conversation", name: role + " turn", tag: "turn", attrs: []attr{{"role", role}},
			heading: upperFirst(role), line: role, form: formTurn}.with(b.Content, plain)
	case *bcp.FileTree:
		return part{what: "file-tree", name: "tree: " + b.Root, tag: "tree", attrs: []attr{{"root", b.Root}},
			heading: "File Tree: " + b.Root, level: "###", fenced: true,
			line: "tree: " + b.Root, form: formLines, content: appendTree(nil, b.Entries, 0, plain)}, nil
	case *bcp.ToolResult:
		status := b.Status.String()
		return part{what: "tool-result", name: b.ToolName, tag: "tool", attrs: []attr{{"name", b.ToolName}, {"status", status}},
			heading: "Tool: " + b.ToolName + " (" + status + ")", level: "###",
			line: b.ToolName + " [" + status + "]"}.with(b.Content, plain)
	case *bcp.Document:
		hint := b.FormatHint.String()
		return part{what: "document", name: b.Title, tag: "doc", attrs: []attr{{"title", b.Title}, {"format", hint}},
			heading: "Document: " + b.Title + " [" + hint + "]", level: "###", info: hint,
			line: b.Title}.with(b.Content, plain)
	case *bcp.StructuredData:
		format := b.Format.String()
		return part{what: "data", name: format + " data", tag: "data", attrs: []attr{{"format", format}},
			fenced: true, info: format, line: "data [" + format + "]"}.with(b.Content, plain)
	case *bcp.Diff:
		return part{what: "diff", name: b.Path, tag: "diff", attrs: []attr{{"path", b.Path}},
			heading: "Diff: " + b.Path, level: "###", fenced: true, info: "diff",
			line: "diff: " + b.Path, form: formLines}.withHunks(b.Hunks, plain), nil
	case *bcp.EmbeddingRef:
		return part{what: "block", name: "embedding: " + b.Model, tag: "embed-ref", attrs: []attr{{"model", b.Model}},
			heading: "Embedding ref: model=" + b.Model, line: "embed-ref: " + b.Model, form: formEmpty}, nil
	case *bcp.Image:
		media := b.MediaType.String()
		return part{what: "image", name: b.AltText, tag: "image", attrs: []attr{{"type", media}, {"alt", b.AltText}},
			heading: "Image (" + media + "): " + b.AltText, level: "###",
			line: "image [" + media + "]: " + b.AltText, form: formImage, content: imageText(b.Data, plain)}, nil
	case *bcp.Extension:
		name := b.Namespace + "/" + b.TypeName
		return part{what: "extension", name: name, tag: "ext", attrs: []attr{{"ns", b.Namespace}, {"type", b.TypeName}},
			heading: "Extension: " + name, level: "###", line: "ext: " + name}.with(b.Content, plain)
	case *bcp.Unknown:
		return unknown(b.Type).withAny(b.Data, plain), nil
	case *bcp.Reference:
		return unknown(b.Type).withAny([]byte("[unresolved reference "+b.Hash.String()+"]"), plain), nil
	}
	return part{}, failure("no_renderer", wire.ErrShape, "a %s block cannot be shown", body.BlockType())
}

// maxURI is the longest URI that is shown. Longer ones are data.
const maxURI = 2048

// imageText stands for an image: its URI if the data are one, else their size.
func imageText(data []byte, plain bool) []byte {
	printable := !bytes.ContainsFunc(data, func(r rune) bool { return r <= ' ' || r >= 0x7F })
	if !plain && printable && len(data) <= maxURI && bytes.Contains(data, []byte("://")) {
		return data
	}
	return fmt.Appendf(nil, "[binary image data: %d bytes]", len(data))
}

func unknown(t bcp.BlockType) part {
	id := fmt.Sprintf("0x%02X", uint8(t))
	return part{what: "block", name: "unknown " + id, heading: "unknown block type " + id, line: "unknown " + id, form: formComment}
}

func codeLang(l bcp.Lang) string {
	if l < bcp.LangRust || l > bcp.LangMarkdown {
		return "text"
	}
	return l.String()
}

func upperFirst(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// with sets the content. Content that is not UTF-8 is shown by its size; the
// reference refuses it.
func (p part) with(content []byte, plain bool) (part, error) {
	if plain && !utf8.Valid(content) {
		return part{}, wire.AtKey(failure("invalid_utf8", wire.ErrUTF8, "the content is not UTF-8"), "content")
	}
	return p.withAny(content, plain), nil
}

// withAny is with for blocks whose content the reference repairs.
func (p part) withAny(content []byte, plain bool) part {
	switch {
	case utf8.Valid(content):
		p.content = content
	case plain:
		p.content = []byte(string([]rune(string(content))))
	default:
		p.content = fmt.Appendf(nil, "[binary content: %d bytes]", len(content))
	}
	return p
}

// withHunks sets the content to the lines of the hunks. A hunk without a final
// line break gets one; the reference runs it into what follows.
func (p part) withHunks(hunks []bcp.DiffHunk, plain bool) part {
	var lines []byte
	for _, h := range hunks {
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

// maxTree bounds the nesting of entries that is shown; decoders bound it
// lower.
const maxTree = wire.MaxDepth

// appendTree lists the entries, two spaces to a level. Entries below a file,
// which a payload can hold, are not shown.
func appendTree(dst []byte, entries []bcp.FileEntry, depth int, plain bool) []byte {
	for i := range entries {
		e := &entries[i]
		for range depth {
			dst = append(dst, "  "...)
		}
		name := e.Name
		if !plain {
			name = oneLine(name)
		}
		dst = append(dst, name...)
		if e.Kind != bcp.EntryDirectory {
			dst = append(dst, " ("...)
			dst = strconv.AppendUint(dst, e.Size, 10)
			dst = append(dst, " bytes)\n"...)
			continue
		}
		dst = append(dst, "/\n"...)
		if depth < maxTree {
			dst = appendTree(dst, e.Children, depth+1, plain)
		}
	}
	return dst
}
