package bcp

import (
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// A checker finds what keeps a body from being written: text that is not
// UTF-8, values of enumerations without meaning, trees that are too deep,
// unknown fields that are not whole fields. The first fault wins.
type checker struct {
	lenient   bool
	treeDepth int
	copied    int // what a decoder takes beyond the body, see Limits.InflatedBytes
	err       error
}

func (c *checker) fail(field, code string, kind error, format string, args ...any) {
	if c.err == nil {
		c.err = failure(code, kind, format, args...)
		if field != "" {
			wire.AtKey(c.err, field)
		}
	}
}

const lenientHint = "EncodeOptions.Lenient writes it as it is"

func (c *checker) hint(text string) {
	if e, ok := c.err.(*wire.Error); ok && e.Hint == "" {
		e.Hint = text
	}
}

func (c *checker) text(field, s string) {
	c.copied += len(s)
	if !c.lenient && !utf8.ValidString(s) {
		c.fail(field, wire.CodeInvalidUTF8, wire.ErrUTF8, "field %s is not UTF-8", field)
		c.hint(lenientHint)
	}
}

func (c *checker) optionalText(field string, s *string) {
	if s != nil {
		c.text(field, *s)
	}
}

func (c *checker) enum(w *vocabulary, name string) {
	switch v, ok := w.number(name); {
	case !ok:
		c.fail(w.what, "invalid_enum_value", wire.ErrRange, "%s has the value %q; known are %s", w.what, name, strings.Join(w.names, ", "))
	case !c.lenient && !w.has(v):
		c.fail(w.what, "invalid_enum_value", wire.ErrRange, "%s has the value %d, which has no meaning", w.what, v)
		c.hint(lenientHint)
	}
}

func (c *checker) extra(extra []byte) {
	for len(extra) > 0 && c.err == nil {
		n := skipField(extra)
		if n <= 0 {
			c.fail("extra", "invalid_extra", wire.ErrShape, "the unknown fields do not end with a whole field")
			return
		}
		extra = extra[n:]
	}
}

// extraOf checks the unknown fields of a block. Bodies without fields have none.
func (c *checker) extraOf(b *Block) {
	switch b.Body.(type) {
	case *UnknownBody, *Reference:
		if len(b.Extra) > 0 {
			c.fail("extra", "invalid_extra", wire.ErrShape, "a body that is not made of fields has no unknown ones")
		}
	default:
		c.extra(b.Extra)
	}
}

func (b *Code) check(c *checker) {
	c.text("path", b.Path)
	if _, ok := langs.number(b.Lang); !ok {
		c.enum(&langs, b.Lang)
	}
}

func (b *Code) size() int {
	n := sizeNumber(langs.code(b.Lang)) + sizeBytes(len(b.Path)) + sizeBytes(len(b.Content))
	return n + sizeOptional(b.LineStart) + sizeOptional(b.LineEnd)
}

func (b *Code) appendTo(dst []byte) []byte {
	dst = appendNumber(dst, 1, langs.code(b.Lang))
	dst = appendBytes(dst, 2, b.Path)
	dst = appendBytes(dst, 3, b.Content)
	dst = appendOptional(dst, 4, b.LineStart)
	dst = appendOptional(dst, 5, b.LineEnd)
	return dst
}

func sizeOptional(v *uint32) int {
	if v == nil {
		return 0
	}
	return sizeNumber(uint64(*v))
}

func appendOptional(dst []byte, id byte, v *uint32) []byte {
	if v == nil {
		return dst
	}
	return appendNumber(dst, id, uint64(*v))
}

func sizeOptionalText(s *string) int {
	if s == nil {
		return 0
	}
	return sizeBytes(len(*s))
}

func appendOptionalText(dst []byte, id byte, s *string) []byte {
	if s == nil {
		return dst
	}
	return appendBytes(dst, id, *s)
}

func (b *Conversation) check(c *checker) {
	c.enum(&roles, b.Role)
	c.optionalText("tool_call_id", b.ToolCallID)
}

func (b *Conversation) size() int {
	return sizeNumber(roles.code(b.Role)) + sizeBytes(len(b.Content)) + sizeOptionalText(b.ToolCallID)
}

func (b *Conversation) appendTo(dst []byte) []byte {
	dst = appendNumber(dst, 1, roles.code(b.Role))
	dst = appendBytes(dst, 2, b.Content)
	dst = appendOptionalText(dst, 3, b.ToolCallID)
	return dst
}

func (b *FileTree) check(c *checker) {
	c.text("root_path", b.Root)
	c.entries("entries", b.Entries, 1)
}

func (c *checker) entries(list string, entries []FileEntry, depth int) {
	if len(entries) > 0 && depth > c.treeDepth {
		c.fail(list, wire.CodeTooDeep, wire.ErrLimit, "entries nest deeper than %d, Limits.TreeDepth", c.treeDepth)
	}
	c.copied += recordCharge * len(entries)
	for i := range entries {
		if c.err != nil {
			return
		}
		e := &entries[i]
		c.text("name", e.Name)
		c.enum(&entryKinds, e.Kind)
		c.extra(e.Extra)
		c.entries("children", e.Children, depth+1)
		if c.err != nil {
			wire.AtKey(wire.AtIndex(c.err, i), list)
		}
	}
}

// A nested list needs its length first. entrySizes computes every entry's
// length once, from the leaves up, and notes them in the order in which
// appendEntries wants them; computing each when it is written would take
// quadratic time in deep trees.
func entrySizes(entries []FileEntry, sizes []int) (total int, all []int) {
	for i := range entries {
		e := &entries[i]
		slot := len(sizes)
		sizes = append(sizes, 0)
		n := sizeBytes(len(e.Name)) + sizeNumber(entryKinds.code(e.Kind)) + sizeNumber(e.Size) + len(e.Extra)
		children, rest := entrySizes(e.Children, sizes)
		sizes = rest
		sizes[slot] = n + children
		total += sizeBytes(n + children)
	}
	return total, sizes
}

func appendEntries(dst []byte, id byte, entries []FileEntry, sizes []int) ([]byte, []int) {
	for i := range entries {
		e := &entries[i]
		dst = appendVarint(append(dst, id, byte(wireNested)), uint64(sizes[0]))
		var rest []byte
		dst, rest = appendLeading(dst, e.Extra)
		dst = appendBytes(dst, 1, e.Name)
		dst = appendNumber(dst, 2, entryKinds.code(e.Kind))
		dst = appendNumber(dst, 3, e.Size)
		dst, sizes = appendEntries(dst, 4, e.Children, sizes[1:])
		dst = append(dst, rest...)
	}
	return dst, sizes
}

func (b *FileTree) size() int {
	entries, _ := entrySizes(b.Entries, nil)
	return sizeBytes(len(b.Root)) + entries
}

func (b *FileTree) appendTo(dst []byte) []byte {
	dst = appendBytes(dst, 1, b.Root)
	_, sizes := entrySizes(b.Entries, nil)
	dst, _ = appendEntries(dst, 2, b.Entries, sizes)
	return dst
}

func (b *ToolResult) check(c *checker) {
	c.text("tool_name", b.ToolName)
	c.enum(&statuses, b.Status)
	c.optionalText("schema_hint", b.SchemaHint)
}

func (b *ToolResult) size() int {
	return sizeBytes(len(b.ToolName)) + sizeNumber(statuses.code(b.Status)) + sizeBytes(len(b.Content)) +
		sizeOptionalText(b.SchemaHint)
}

func (b *ToolResult) appendTo(dst []byte) []byte {
	dst = appendBytes(dst, 1, b.ToolName)
	dst = appendNumber(dst, 2, statuses.code(b.Status))
	dst = appendBytes(dst, 3, b.Content)
	dst = appendOptionalText(dst, 4, b.SchemaHint)
	return dst
}

func (b *Document) check(c *checker) {
	c.text("title", b.Title)
	c.enum(&formatHints, b.FormatHint)
}

func (b *Document) size() int {
	return sizeBytes(len(b.Title)) + sizeBytes(len(b.Content)) + sizeNumber(formatHints.code(b.FormatHint))
}

func (b *Document) appendTo(dst []byte) []byte {
	dst = appendBytes(dst, 1, b.Title)
	dst = appendBytes(dst, 2, b.Content)
	dst = appendNumber(dst, 3, formatHints.code(b.FormatHint))
	return dst
}

func (b *StructuredData) check(c *checker) {
	c.enum(&dataFormats, b.Format)
	c.optionalText("schema", b.Schema)
}

func (b *StructuredData) size() int {
	return sizeNumber(dataFormats.code(b.Format)) + sizeOptionalText(b.Schema) + sizeBytes(len(b.Content))
}

func (b *StructuredData) appendTo(dst []byte) []byte {
	dst = appendNumber(dst, 1, dataFormats.code(b.Format))
	dst = appendOptionalText(dst, 2, b.Schema)
	dst = appendBytes(dst, 3, b.Content)
	return dst
}

func (b *Diff) check(c *checker) {
	c.text("path", b.Path)
	c.copied += recordCharge * len(b.Hunks)
	for i := range b.Hunks {
		if c.extra(b.Hunks[i].Extra); c.err != nil {
			wire.AtKey(wire.AtIndex(c.err, i), "hunks")
			return
		}
	}
}

func (h *DiffHunk) size() int {
	return sizeNumber(uint64(h.OldStart)) + sizeNumber(uint64(h.NewStart)) + sizeBytes(len(h.Lines)) + len(h.Extra)
}

func (b *Diff) size() int {
	n := sizeBytes(len(b.Path))
	for i := range b.Hunks {
		n += sizeBytes(b.Hunks[i].size())
	}
	return n
}

func (b *Diff) appendTo(dst []byte) []byte {
	dst = appendBytes(dst, 1, b.Path)
	for i := range b.Hunks {
		h := &b.Hunks[i]
		dst = h.appendTo(appendVarint(append(dst, 2, byte(wireNested)), uint64(h.size())))
	}
	return dst
}

func (h *DiffHunk) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, h.Extra)
	dst = appendNumber(dst, 1, uint64(h.OldStart))
	dst = appendNumber(dst, 2, uint64(h.NewStart))
	dst = appendBytes(dst, 3, h.Lines)
	return append(dst, rest...)
}

func (b *Annotation) check(c *checker) {
	c.enum(&annotationKinds, b.Kind)
}

func (b *Annotation) size() int {
	return sizeNumber(uint64(b.Target)) + sizeNumber(annotationKinds.code(b.Kind)) + sizeBytes(len(b.Value))
}

func (b *Annotation) appendTo(dst []byte) []byte {
	dst = appendNumber(dst, 1, uint64(b.Target))
	dst = appendNumber(dst, 2, annotationKinds.code(b.Kind))
	dst = appendBytes(dst, 3, b.Value)
	return dst
}

func (b *EmbeddingRef) check(c *checker) {
	c.text("model", b.Model)
}

func (b *EmbeddingRef) size() int {
	return sizeBytes(len(b.VectorID)) + sizeBytes(len(b.SourceHash)) + sizeBytes(len(b.Model))
}

func (b *EmbeddingRef) appendTo(dst []byte) []byte {
	dst = appendBytes(dst, 1, b.VectorID)
	dst = appendBytes(dst, 2, b.SourceHash)
	dst = appendBytes(dst, 3, b.Model)
	return dst
}

// mediaType returns the type, found from the data where it is not set.
func (b *Image) mediaType() string {
	if b.MediaType == "" {
		return mediaTypeOf(b.Data)
	}
	return b.MediaType
}

func (b *Image) check(c *checker) {
	c.enum(&mediaTypes, b.mediaType())
	c.text("alt_text", b.AltText)
}

func (b *Image) size() int {
	return sizeNumber(mediaTypes.code(b.mediaType())) + sizeBytes(len(b.AltText)) + sizeBytes(len(b.Data))
}

func (b *Image) appendTo(dst []byte) []byte {
	dst = appendNumber(dst, 1, mediaTypes.code(b.mediaType()))
	dst = appendBytes(dst, 2, b.AltText)
	dst = appendBytes(dst, 3, b.Data)
	return dst
}

func (b *Extension) check(c *checker) {
	c.text("namespace", b.Namespace)
	c.text("type_name", b.TypeName)
}

func (b *Extension) size() int {
	return sizeBytes(len(b.Namespace)) + sizeBytes(len(b.TypeName)) + sizeBytes(len(b.Content))
}

func (b *Extension) appendTo(dst []byte) []byte {
	dst = appendBytes(dst, 1, b.Namespace)
	dst = appendBytes(dst, 2, b.TypeName)
	dst = appendBytes(dst, 3, b.Content)
	return dst
}

func (b *UnknownBody) check(c *checker) {
	if b.Type >= BlockCode && b.Type <= BlockImage || b.Type >= BlockExtension {
		c.fail("type", "invalid_block_type", wire.ErrShape, "block type %s is not an unknown one", b.Type)
	}
}
func (b *UnknownBody) size() int                  { return len(b.Data) }
func (b *UnknownBody) appendTo(dst []byte) []byte { return append(dst, b.Data...) }

func (b *Reference) check(c *checker) {
	if b.Type == BlockEnd {
		c.fail("type", "invalid_block_type", wire.ErrShape, "END cannot be a reference")
	}
}
func (b *Reference) size() int                  { return len(b.Hash) }
func (b *Reference) appendTo(dst []byte) []byte { return append(dst, b.Hash[:]...) }
