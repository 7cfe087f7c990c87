package bcp

import (
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

const lenientHint = "ModeLenient (--lenient) writes it as it is"

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

func (c *checker) enum(w *vocabulary, v uint8) {
	if !c.lenient && !w.has(v) {
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

func (b *Code) check(c *checker) {
	c.text("path", b.Path)
	c.extra(b.Extra)
}

func (b *Code) size() int {
	n := sizeNumber(uint64(b.Lang)) + sizeBytes(len(b.Path)) + sizeBytes(len(b.Content)) + len(b.Extra)
	return n + sizeOptional(b.LineStart) + sizeOptional(b.LineEnd)
}

func (b *Code) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendNumber(dst, 1, uint64(b.Lang))
	dst = appendBytes(dst, 2, b.Path)
	dst = appendBytes(dst, 3, b.Content)
	dst = appendOptional(dst, 4, b.LineStart)
	dst = appendOptional(dst, 5, b.LineEnd)
	return append(dst, rest...)
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
	c.enum(&roles, uint8(b.Role))
	c.optionalText("tool_call_id", b.ToolCallID)
	c.extra(b.Extra)
}

func (b *Conversation) size() int {
	return sizeNumber(uint64(b.Role)) + sizeBytes(len(b.Content)) + sizeOptionalText(b.ToolCallID) + len(b.Extra)
}

func (b *Conversation) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendNumber(dst, 1, uint64(b.Role))
	dst = appendBytes(dst, 2, b.Content)
	dst = appendOptionalText(dst, 3, b.ToolCallID)
	return append(dst, rest...)
}

func (b *FileTree) check(c *checker) {
	c.text("root_path", b.Root)
	c.entries("entries", b.Entries, 1)
	c.extra(b.Extra)
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
		c.enum(&entryKinds, uint8(e.Kind))
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
		n := sizeBytes(len(e.Name)) + sizeNumber(uint64(e.Kind)) + sizeNumber(e.Size) + len(e.Extra)
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
		dst = AppendVarint(append(dst, id, byte(WireNested)), uint64(sizes[0]))
		var rest []byte
		dst, rest = appendLeading(dst, e.Extra)
		dst = appendBytes(dst, 1, e.Name)
		dst = appendNumber(dst, 2, uint64(e.Kind))
		dst = appendNumber(dst, 3, e.Size)
		dst, sizes = appendEntries(dst, 4, e.Children, sizes[1:])
		dst = append(dst, rest...)
	}
	return dst, sizes
}

func (b *FileTree) size() int {
	entries, _ := entrySizes(b.Entries, nil)
	return sizeBytes(len(b.Root)) + entries + len(b.Extra)
}

func (b *FileTree) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendBytes(dst, 1, b.Root)
	_, sizes := entrySizes(b.Entries, nil)
	dst, _ = appendEntries(dst, 2, b.Entries, sizes)
	return append(dst, rest...)
}

func (b *ToolResult) check(c *checker) {
	c.text("tool_name", b.ToolName)
	c.enum(&statuses, uint8(b.Status))
	c.optionalText("schema_hint", b.SchemaHint)
	c.extra(b.Extra)
}

func (b *ToolResult) size() int {
	return sizeBytes(len(b.ToolName)) + sizeNumber(uint64(b.Status)) + sizeBytes(len(b.Content)) +
		sizeOptionalText(b.SchemaHint) + len(b.Extra)
}

func (b *ToolResult) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendBytes(dst, 1, b.ToolName)
	dst = appendNumber(dst, 2, uint64(b.Status))
	dst = appendBytes(dst, 3, b.Content)
	dst = appendOptionalText(dst, 4, b.SchemaHint)
	return append(dst, rest...)
}

func (b *Document) check(c *checker) {
	c.text("title", b.Title)
	c.enum(&formatHints, uint8(b.FormatHint))
	c.extra(b.Extra)
}

func (b *Document) size() int {
	return sizeBytes(len(b.Title)) + sizeBytes(len(b.Content)) + sizeNumber(uint64(b.FormatHint)) + len(b.Extra)
}

func (b *Document) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendBytes(dst, 1, b.Title)
	dst = appendBytes(dst, 2, b.Content)
	dst = appendNumber(dst, 3, uint64(b.FormatHint))
	return append(dst, rest...)
}

func (b *StructuredData) check(c *checker) {
	c.enum(&dataFormats, uint8(b.Format))
	c.optionalText("schema", b.Schema)
	c.extra(b.Extra)
}

func (b *StructuredData) size() int {
	return sizeNumber(uint64(b.Format)) + sizeOptionalText(b.Schema) + sizeBytes(len(b.Content)) + len(b.Extra)
}

func (b *StructuredData) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendNumber(dst, 1, uint64(b.Format))
	dst = appendOptionalText(dst, 2, b.Schema)
	dst = appendBytes(dst, 3, b.Content)
	return append(dst, rest...)
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
	c.extra(b.Extra)
}

func (h *DiffHunk) size() int {
	return sizeNumber(uint64(h.OldStart)) + sizeNumber(uint64(h.NewStart)) + sizeBytes(len(h.Lines)) + len(h.Extra)
}

func (b *Diff) size() int {
	n := sizeBytes(len(b.Path)) + len(b.Extra)
	for i := range b.Hunks {
		n += sizeBytes(b.Hunks[i].size())
	}
	return n
}

func (b *Diff) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendBytes(dst, 1, b.Path)
	for i := range b.Hunks {
		h := &b.Hunks[i]
		dst = h.appendTo(AppendVarint(append(dst, 2, byte(WireNested)), uint64(h.size())))
	}
	return append(dst, rest...)
}

func (h *DiffHunk) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, h.Extra)
	dst = appendNumber(dst, 1, uint64(h.OldStart))
	dst = appendNumber(dst, 2, uint64(h.NewStart))
	dst = appendBytes(dst, 3, h.Lines)
	return append(dst, rest...)
}

func (b *Annotation) check(c *checker) {
	c.enum(&annotationKinds, uint8(b.Kind))
	c.extra(b.Extra)
}

func (b *Annotation) size() int {
	return sizeNumber(uint64(b.Target)) + sizeNumber(uint64(b.Kind)) + sizeBytes(len(b.Value)) + len(b.Extra)
}

func (b *Annotation) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendNumber(dst, 1, uint64(b.Target))
	dst = appendNumber(dst, 2, uint64(b.Kind))
	dst = appendBytes(dst, 3, b.Value)
	return append(dst, rest...)
}

func (b *EmbeddingRef) check(c *checker) {
	c.text("model", b.Model)
	c.extra(b.Extra)
}

func (b *EmbeddingRef) size() int {
	return sizeBytes(len(b.VectorID)) + sizeBytes(len(b.SourceHash)) + sizeBytes(len(b.Model)) + len(b.Extra)
}

func (b *EmbeddingRef) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendBytes(dst, 1, b.VectorID)
	dst = appendBytes(dst, 2, b.SourceHash)
	dst = appendBytes(dst, 3, b.Model)
	return append(dst, rest...)
}

func (b *Image) check(c *checker) {
	c.enum(&mediaTypes, uint8(b.MediaType))
	c.text("alt_text", b.AltText)
	c.extra(b.Extra)
}

func (b *Image) size() int {
	return sizeNumber(uint64(b.MediaType)) + sizeBytes(len(b.AltText)) + sizeBytes(len(b.Data)) + len(b.Extra)
}

func (b *Image) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendNumber(dst, 1, uint64(b.MediaType))
	dst = appendBytes(dst, 2, b.AltText)
	dst = appendBytes(dst, 3, b.Data)
	return append(dst, rest...)
}

func (b *Extension) check(c *checker) {
	c.text("namespace", b.Namespace)
	c.text("type_name", b.TypeName)
	c.extra(b.Extra)
}

func (b *Extension) size() int {
	return sizeBytes(len(b.Namespace)) + sizeBytes(len(b.TypeName)) + sizeBytes(len(b.Content)) + len(b.Extra)
}

func (b *Extension) appendTo(dst []byte) []byte {
	dst, rest := appendLeading(dst, b.Extra)
	dst = appendBytes(dst, 1, b.Namespace)
	dst = appendBytes(dst, 2, b.TypeName)
	dst = appendBytes(dst, 3, b.Content)
	return append(dst, rest...)
}

func (b *Unknown) check(c *checker) {
	if b.Type >= BlockCode && b.Type <= BlockImage || b.Type >= BlockExtension {
		c.fail("type", "invalid_block_type", wire.ErrShape, "block type %s is not an unknown one", b.Type)
	}
}
func (b *Unknown) size() int                  { return len(b.Data) }
func (b *Unknown) appendTo(dst []byte) []byte { return append(dst, b.Data...) }

func (b *Reference) check(c *checker) {
	if b.Type == BlockEnd {
		c.fail("type", "invalid_block_type", wire.ErrShape, "END cannot be a reference")
	}
}
func (b *Reference) size() int                  { return len(b.Hash) }
func (b *Reference) appendTo(dst []byte) []byte { return append(dst, b.Hash[:]...) }
