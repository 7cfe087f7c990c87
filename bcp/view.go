package bcp

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// Value returns the payload as a value: an object with magic, version, flags
// and blocks, each block an object with its type and its fields in the words of
// the manifests (see [FromManifest]), which turns it into the same payload
// again. Content that is not UTF-8 has a key that ends in _base64; a block without
// a body has the type null, which a manifest refuses.
func (p *Payload) Value() wire.Value {
	var v viewer
	o := v.b.Object()
	v.text(&o, "magic", cmp.Or(p.Header.Magic, magicLCP))
	major, minor := p.Header.version()
	v.text(&o, "version", fmt.Sprintf("%d.%d", major, minor))
	v.number(&o, "flags", uint64(p.Header.Flags))
	if p.needsLenient() {
		v.put(&o, "lenient", wire.Bool(true))
	}
	v.b.Key(&o, "blocks")
	mark := v.b.Mark()
	for i := range p.Blocks {
		v.b.Push(v.block(&p.Blocks[i]))
	}
	v.b.Put(&o, v.b.Array(mark))
	if len(p.Trailing) > 0 && p.Header.Flags.HasIndex() {
		v.base64(&o, "index", p.Trailing)
	}
	return v.b.EndObject(&o)
}

// needsLenient reports whether only EncodeOptions.Lenient can write the payload.
func (p *Payload) needsLenient() bool {
	c := checker{treeDepth: bound.MostDepth}
	for i := range p.Blocks {
		if p.Blocks[i].hasBody() {
			p.Blocks[i].Body.check(&c)
		}
		c.optionalText("summary", p.Blocks[i].Summary)
	}
	return errors.Is(c.err, wire.ErrUTF8) || errors.Is(c.err, wire.ErrRange)
}

// A viewer makes values of blocks. All text is copied.
type viewer struct{ b builder.Builder }

func (v *viewer) put(o *wire.ObjectBuilder, key string, value wire.Value) {
	v.b.Key(o, key)
	v.b.Put(o, value)
}

func (v *viewer) number(o *wire.ObjectBuilder, key string, n uint64) { v.put(o, key, wire.Uint(n)) }

func (v *viewer) text(o *wire.ObjectBuilder, key, s string) { v.content(o, key, []byte(s)) }

func (v *viewer) optional(o *wire.ObjectBuilder, key string, s *string) {
	if s != nil {
		v.text(o, key, *s)
	}
}

func (v *viewer) base64(o *wire.ObjectBuilder, key string, b []byte) {
	v.put(o, key+"_base64", wire.String(base64.StdEncoding.EncodeToString(b)))
}

func (v *viewer) content(o *wire.ObjectBuilder, key string, b []byte) {
	if !scan.IsUTF8(b) {
		v.base64(o, key, b)
		return
	}
	v.put(o, key, wire.String(v.b.Text(b)))
}

func (v *viewer) extra(o *wire.ObjectBuilder, extra []byte) {
	if len(extra) > 0 {
		v.base64(o, "extra_fields", extra)
	}
}

func (v *viewer) block(b *Block) wire.Value {
	o := v.b.Object()
	if b.hasBody() {
		v.body(&o, b.Body)
		v.extra(&o, b.Extra)
	} else {
		v.put(&o, "type", wire.Null())
	}
	v.optional(&o, "summary", b.Summary)
	if b.Flags.isCompressed() {
		v.put(&o, "compress", wire.Bool(true))
	}
	if _, ok := b.Body.(*Reference); !ok && b.Flags.isReference() {
		v.put(&o, "reference", wire.Bool(true))
	}
	// FlagHasSummary of an unresolved reference speaks of content elsewhere.
	rest := b.Flags & flagsReserved
	if _, ok := b.Body.(*Reference); ok {
		rest |= b.Flags & FlagHasSummary
	}
	if rest != 0 {
		v.number(&o, "block_flags", uint64(rest))
	}
	return v.b.EndObject(&o)
}

func (v *viewer) body(o *wire.ObjectBuilder, body Body) {
	switch b := body.(type) {
	case *UnknownBody:
		v.text(o, "type", "unknown")
		v.number(o, "type_id", uint64(b.Type))
		v.content(o, "body", b.Data)
		return
	case *Reference:
		v.text(o, "type", "reference")
		v.number(o, "type_id", uint64(b.Type))
		v.text(o, "hash", b.Hash.String())
		return
	}
	v.text(o, "type", strings.ToLower(blockNames[body.blockType()]))
	switch b := body.(type) {
	case *Code:
		v.text(o, "lang", cmp.Or(b.Lang, "unknown"))
		v.text(o, "path", b.Path)
		v.content(o, "content", b.Content)
		if b.LineStart != nil {
			v.number(o, "line_start", uint64(*b.LineStart))
		}
		if b.LineEnd != nil {
			v.number(o, "line_end", uint64(*b.LineEnd))
		}
	case *Conversation:
		v.text(o, "role", cmp.Or(b.Role, roles.zero))
		v.content(o, "content", b.Content)
		v.optional(o, "tool_call_id", b.ToolCallID)
	case *FileTree:
		v.text(o, "root", b.Root)
		v.entries(o, "entries", b.Entries)
	case *ToolResult:
		v.text(o, "tool_name", b.ToolName)
		v.text(o, "status", cmp.Or(b.Status, statuses.zero))
		v.content(o, "content", b.Content)
		v.optional(o, "schema_hint", b.SchemaHint)
	case *Document:
		v.text(o, "title", b.Title)
		v.content(o, "content", b.Content)
		v.text(o, "format_hint", cmp.Or(b.FormatHint, formatHints.zero))
	case *StructuredData:
		v.text(o, "format", cmp.Or(b.Format, dataFormats.zero))
		v.optional(o, "schema", b.Schema)
		v.content(o, "content", b.Content)
	case *Diff:
		v.text(o, "path", b.Path)
		v.hunks(o, b.Hunks)
	case *Annotation:
		v.annotation(o, b)
	case *EmbeddingRef:
		v.content(o, "vector_id", b.VectorID)
		v.text(o, "source_hash", hex.EncodeToString(b.SourceHash))
		v.text(o, "model", b.Model)
	case *Image:
		v.text(o, "media_type", b.mediaType())
		v.text(o, "alt_text", b.AltText)
		v.content(o, "data", b.Data)
	case *Extension:
		v.text(o, "namespace", b.Namespace)
		v.text(o, "type_name", b.TypeName)
		v.content(o, "content", b.Content)
	}
}

func (v *viewer) entries(o *wire.ObjectBuilder, key string, entries []FileEntry) {
	v.b.Key(o, key)
	mark := v.b.Mark()
	for i := range entries {
		e := &entries[i]
		entry := v.b.Object()
		v.text(&entry, "name", e.Name)
		v.text(&entry, "kind", cmp.Or(e.Kind, entryKinds.zero))
		v.number(&entry, "size", e.Size)
		if e.Children != nil {
			v.entries(&entry, "children", e.Children)
		}
		v.extra(&entry, e.Extra)
		v.b.Push(v.b.EndObject(&entry))
	}
	v.b.Put(o, v.b.Array(mark))
}

func (v *viewer) hunks(o *wire.ObjectBuilder, hunks []DiffHunk) {
	v.b.Key(o, "hunks")
	mark := v.b.Mark()
	for i := range hunks {
		h := &hunks[i]
		hunk := v.b.Object()
		v.number(&hunk, "old_start", uint64(h.OldStart))
		v.number(&hunk, "new_start", uint64(h.NewStart))
		v.content(&hunk, "lines", h.Lines)
		v.extra(&hunk, h.Extra)
		v.b.Push(v.b.EndObject(&hunk))
	}
	v.b.Put(o, v.b.Array(mark))
}

// annotation shows the value of a priority by its name. Every other value of
// that kind is shown as base64, so that a name always means the one byte.
func (v *viewer) annotation(o *wire.ObjectBuilder, a *Annotation) {
	v.number(o, "target_block_id", uint64(a.Target))
	v.text(o, "kind", cmp.Or(a.Kind, annotationKinds.zero))
	switch {
	case a.Kind != "priority":
		v.content(o, "value", a.Value)
	case len(a.Value) == 1 && priorities.has(a.Value[0]):
		v.text(o, "value", Priority(a.Value[0]).String())
	default:
		v.base64(o, "value", a.Value)
	}
}
