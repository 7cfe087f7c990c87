package bcp

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// FromManifest makes a payload of a manifest, and the options of encoding it
// that the manifest asks for. A manifest is an object with the array blocks;
// compress_payload, compress_blocks and auto_dedup may be true, and so may
// lenient, which asks for [EncodeOptions.Lenient]; a description is not looked at. It may
// also be what [Payload.Value] returns.
//
// Each block is an object with a type and, in the words of the reference's
// command line and of its test suite:
//
//	code             lang?, path, content, line_start?, line_end?
//	conversation     role, content, tool_call_id?
//	file_tree        root, entries? [{name, kind, size?, children?}]
//	tool_result      tool_name or name, status?, content, schema_hint?
//	document         title, content, format_hint? or format?
//	structured_data  format, content, schema?
//	diff             path, hunks? [{old_start, new_start, lines}], or content
//	annotation       target_block_id, kind, value
//	embedding_ref    vector_id, source_hash (hexadecimal), model
//	image            media_type, alt_text, data
//	extension        namespace, type_name, content
//	unknown          type_id, body
//	reference        type_id, hash
//
// and all of them summary?, priority?, compress? and reference?. Content can
// be given as content_base64 or content_file instead. A priority becomes an
// annotation directly after its block, and counts as a block where target_block_id
// does. Names are case-insensitive; a language without a name in the format is
// "", one that is not given that of the path's suffix ([LangOfPath]).
// Other members are errors.
//
// Files has the content files, such as [os.DirFS] of the manifest's folder; nil refuses
// them. Limits bound their size and the nesting of file entries.
func FromManifest(manifest wire.Value, files fs.FS, limits Limits) (*Payload, EncodeOptions, error) {
	m := manifestReader{files: files, limits: limits.resolved()}
	p, options := m.payload(manifest)
	if m.err != nil {
		return nil, EncodeOptions{}, m.err
	}
	return p, options, nil
}

// A manifestReader reads one manifest. After the first fault it reads on
// without effect.
type manifestReader struct {
	files  fs.FS // nil without content files
	limits Limits
	err    error
}

func (m *manifestReader) fail(key, format string, args ...any) {
	if m.err == nil {
		m.err = failure("invalid_manifest", wire.ErrShape, format, args...)
		if key != "" {
			wire.AtKey(m.err, key)
		}
	}
}

func (m *manifestReader) payload(v wire.Value) (*Payload, EncodeOptions) {
	var o EncodeOptions
	blocks, ok := v.Get("blocks")
	if v.Kind() != wire.KindObject || !ok || blocks.Kind() != wire.KindArray {
		m.fail("", "a manifest is an object with an array of blocks")
		return nil, o
	}
	f := m.fields(v)
	p := &Payload{Header: Header{Flags: HeaderFlags(f.optionalNumber("flags", 0xFF))}}
	p.Header.Magic = f.textOr("magic", "")
	if m := p.Header.Magic; m != "" && m != magicLCP && m != magicBCP {
		f.m.fail("magic", "magic %q is neither %q nor %q", m, magicLCP, magicBCP)
	}
	if version := f.textOr("version", ""); version != "" {
		p.Header.VersionMajor = versionMajor
		if _, err := fmt.Sscanf(version, "1.%d", &p.Header.VersionMinor); err != nil {
			m.fail("version", "version %q is not of the form 1.n", version)
		}
	}
	p.Trailing = f.base64("index_base64")
	o.CompressPayload = f.bool("compress_payload")
	o.CompressBlocks = f.bool("compress_blocks")
	o.Dedup = f.bool("auto_dedup")
	o.Lenient = f.bool("lenient")
	f.ask("blocks", "description")
	if f.onlyAsked(); m.err != nil {
		return nil, o
	}
	for i := range blocks.Len() {
		if m.block(p, blocks.Index(i)); m.err != nil {
			wire.AtKey(wire.AtIndex(m.err, i), "blocks")
			return nil, o
		}
	}
	return p, o
}

func (m *manifestReader) block(p *Payload, v wire.Value) {
	if v.Kind() != wire.KindObject {
		m.fail("", "a block is an object, not %s", v.Kind())
		return
	}
	f := m.fields(v)
	b := Block{Extra: f.base64("extra_fields_base64"), Body: f.body()}
	f.ask("summary", "summary_base64")
	if _, ok := v.Get("summary"); ok {
		b.Summary = f.optional("summary")
	} else if _, ok := v.Get("summary_base64"); ok {
		s := string(f.base64("summary_base64"))
		b.Summary = &s
	}
	b.Flags = BlockFlags(f.optionalNumber("block_flags", 0xFF))
	if b.Summary != nil {
		b.Flags |= FlagHasSummary
	}
	if f.bool("compress") {
		b.Flags |= FlagCompressed
	}
	if _, isReference := b.Body.(*Reference); isReference || f.bool("reference") {
		b.Flags |= FlagIsReference
	}
	target := len(p.Blocks)
	p.Blocks = append(p.Blocks, b)
	name := f.textOr("priority", "")
	f.onlyAsked()
	if name != "" {
		rank := f.numberOf(&priorities, "priority", name)
		p.Blocks = append(p.Blocks, Block{Body: &Annotation{Target: uint32(target), Kind: "priority", Value: []byte{rank}}})
	}
}

// fieldsOf reads the members of one object of a manifest.
type fieldsOf struct {
	m     *manifestReader
	v     wire.Value
	asked []string // the members that were looked for
}

func (m *manifestReader) fields(v wire.Value) *fieldsOf {
	return &fieldsOf{m: m, v: v, asked: make([]string, 0, 16)}
}

func (f *fieldsOf) ask(keys ...string) { f.asked = append(f.asked, keys...) }

// onlyAsked refuses members that nothing looked for: a name that is misspelt
// must not pass for content that is not there.
func (f *fieldsOf) onlyAsked() {
	if f.m.err != nil {
		return
	}
	for key := range f.v.Members() {
		if !slices.Contains(f.asked, key) {
			f.m.fail(key, "the member %q has no meaning here", key)
			return
		}
	}
}

func (f *fieldsOf) body() Body {
	switch t := strings.ToLower(f.text("type")); t {
	case "code":
		path := f.text("path")
		lang := LangOfPath(path)
		if name := f.textOr("lang", ""); name != "" {
			lang = parseLang(name)
		}
		return &Code{Lang: lang, Path: path, Content: f.content("content"),
			LineStart: f.line("line_start"), LineEnd: f.line("line_end")}
	case "conversation":
		return &Conversation{Role: f.enum(&roles, "role"), Content: f.content("content"), ToolCallID: f.optional("tool_call_id")}
	case "file_tree":
		return &FileTree{Root: f.text("root", "root_path"), Entries: f.entries("entries", 1)}
	case "tool_result":
		status := f.textOr("status", "ok")
		return &ToolResult{ToolName: f.text("tool_name", "name"), Status: f.enumOf(&statuses, "status", status),
			Content: f.content("content"), SchemaHint: f.optional("schema_hint")}
	case "document":
		hint := f.textOr("format_hint", f.textOr("format", "markdown"))
		return &Document{Title: f.text("title"), Content: f.content("content"), FormatHint: f.enumOf(&formatHints, "format_hint", hint)}
	case "structured_data":
		format := f.enum(&dataFormats, "format")
		return &StructuredData{Format: format, Schema: f.optional("schema"), Content: f.data(format)}
	case "diff":
		return &Diff{Path: f.text("path"), Hunks: f.hunks()}
	case "annotation":
		a := &Annotation{Target: uint32(f.number("target_block_id", 1<<32-1)), Kind: f.enum(&annotationKinds, "kind")}
		if a.Kind == "priority" && f.has("value") {
			a.Value = []byte{f.numberOf(&priorities, "value", f.text("value"))}
		} else {
			a.Value = f.content("value")
		}
		return a
	case "embedding_ref":
		return &EmbeddingRef{VectorID: f.content("vector_id"), SourceHash: f.hex("source_hash"), Model: f.text("model")}
	case "image":
		return &Image{MediaType: f.enum(&mediaTypes, "media_type"), AltText: f.text("alt_text"), Data: f.content("data")}
	case "extension":
		return &Extension{Namespace: f.text("namespace"), TypeName: f.text("type_name"), Content: f.content("content")}
	case "unknown":
		return &UnknownBody{Type: BlockType(f.number("type_id", 0xFF)), Data: f.content("body")}
	case "reference":
		h, err := ParseHash(f.text("hash"))
		if err != nil {
			f.m.fail("hash", "a reference needs its hash in hexadecimal digits")
		}
		return &Reference{Type: BlockType(f.number("type_id", 0xFF)), Hash: h}
	default:
		f.m.fail("type", "no type of block is called %q", t)
		return nil
	}
}

func (f *fieldsOf) get(keys ...string) (string, wire.Value, bool) {
	f.ask(keys...)
	for _, key := range keys {
		if v, ok := f.v.Get(key); ok && v.Kind() != wire.KindNull {
			return key, v, true
		}
	}
	return keys[0], wire.Value{}, false
}

// text returns a string that must be there, under one of the keys or, where it
// is not UTF-8, under the first one with _base64.
func (f *fieldsOf) text(keys ...string) string {
	key, v, ok := f.get(keys...)
	if ok {
		return f.textOf(key, v)
	}
	if coded := key + "_base64"; f.has(coded) {
		return string(f.base64(coded))
	}
	f.m.fail(key, "%s is missing", key)
	return ""
}

func (f *fieldsOf) has(key string) bool {
	_, _, ok := f.get(key)
	return ok
}

func (f *fieldsOf) textOf(key string, v wire.Value) string {
	if v.Kind() != wire.KindString {
		f.m.fail(key, "%s is not a string", key)
		return ""
	}
	return v.Text()
}

func (f *fieldsOf) textOr(key, byDefault string) string {
	if _, v, ok := f.get(key); ok {
		return f.textOf(key, v)
	}
	return byDefault
}

func (f *fieldsOf) optional(key string) *string {
	if !f.has(key) && !f.has(key+"_base64") {
		return nil
	}
	s := f.text(key)
	return &s
}

func (f *fieldsOf) bool(key string) bool {
	_, v, ok := f.get(key)
	if ok && v.Kind() != wire.KindBool {
		f.m.fail(key, "%s is neither true nor false", key)
	}
	return v.Bool()
}

func (f *fieldsOf) number(key string, most uint64) uint64 {
	_, v, ok := f.get(key)
	n, exact := v.Uint64()
	if !ok || !exact || n > most {
		f.m.fail(key, "%s is not a whole number from 0 to %d", key, most)
		return 0
	}
	return n
}

// optionalNumber is number, 0 if there is none.
func (f *fieldsOf) optionalNumber(key string, most uint64) uint64 {
	if !f.has(key) {
		return 0
	}
	return f.number(key, most)
}

func (f *fieldsOf) line(key string) *uint32 {
	if !f.has(key) {
		return nil
	}
	n := uint32(f.number(key, 1<<32-1))
	return &n
}

func (f *fieldsOf) enum(w *vocabulary, key string) string { return f.enumOf(w, key, f.text(key)) }

func (f *fieldsOf) enumOf(w *vocabulary, key, name string) string {
	return w.name(f.numberOf(w, key, name))
}

func (f *fieldsOf) numberOf(w *vocabulary, key, name string) uint8 {
	v, ok := w.value(name)
	if !ok {
		f.m.fail(key, "%s %q is none of %s", w.what, name, strings.Join(w.names, ", "))
	}
	return v
}

func (f *fieldsOf) base64(key string) []byte {
	_, v, ok := f.get(key)
	if !ok {
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(f.textOf(key, v))
	if err != nil {
		f.m.fail(key, "%s: %v", key, err)
	}
	return b
}

func (f *fieldsOf) hex(key string) []byte {
	b, err := hex.DecodeString(f.text(key))
	if err != nil {
		f.m.fail(key, "%s is not hexadecimal", key)
	}
	return b
}

// content returns bytes that are given as text, as base64 or as a file.
func (f *fieldsOf) content(key string) []byte {
	if _, v, ok := f.get(key); ok {
		return []byte(f.textOf(key, v))
	}
	if coded := key + "_base64"; f.has(coded) {
		return f.base64(coded)
	}
	if file := key + "_file"; f.has(file) {
		return f.file(file, f.text(file))
	}
	f.m.fail(key, "%s is missing", key)
	return nil
}

func (f *fieldsOf) file(key, name string) []byte {
	if f.m.err != nil {
		return nil
	}
	if f.m.files == nil {
		e := failure("invalid_manifest", wire.ErrShape, "content files cannot be read here")
		f.m.err = wire.AtKey(hinted(e, "they are looked for beside a manifest that is a file"), key)
		return nil
	}
	r, err := f.m.files.Open(path.Clean(name))
	if err != nil {
		f.m.err = wire.AtKey(ioFailure(err), key)
		return nil
	}
	defer r.Close()
	limit := f.m.limits.BlockBytes
	b, err := io.ReadAll(io.LimitReader(r, int64(limit)))
	f.m.err = wire.AtKey(ioFailure(err), key)
	if err == nil && len(b) == limit {
		f.m.err = wire.AtKey(raise(failure("block_too_large", wire.ErrLimit, "file %q has %d bytes or more", name, limit), "BlockBytes"), key)
	}
	return b
}

// data is content that may also be a value itself, if the format is JSON.
func (f *fieldsOf) data(format string) []byte {
	_, v, ok := f.get("content")
	if !ok || v.Kind() == wire.KindString || format != "json" {
		return f.content("content")
	}
	return wire.AppendJSON(nil, v)
}

// listOf reads the elements of an array of objects with read, nil if there is none. depth is
// that of entries.
func listOf[T any](f *fieldsOf, key string, depth int, read func(*fieldsOf) T) []T {
	_, v, ok := f.get(key)
	switch {
	case !ok:
		return nil
	case v.Kind() != wire.KindArray:
		f.m.fail(key, "%s is not an array", key)
	case depth > f.m.limits.TreeDepth:
		f.m.fail(key, "entries nest deeper than %d", f.m.limits.TreeDepth)
	}
	if f.m.err != nil {
		return nil
	}
	list := make([]T, 0, v.Len())
	for i := 0; i < v.Len() && f.m.err == nil; i++ {
		if e := f.m.fields(v.Index(i)); e.v.Kind() == wire.KindObject {
			list = append(list, read(e))
			e.onlyAsked()
		} else {
			f.m.fail("", "an element of %s is %s, not an object", key, e.v.Kind())
		}
		wire.AtKey(wire.AtIndex(f.m.err, i), key)
	}
	return list
}

func (f *fieldsOf) entries(key string, depth int) []FileEntry {
	return listOf(f, key, depth, func(e *fieldsOf) FileEntry {
		return FileEntry{Name: e.text("name"), Kind: e.enum(&entryKinds, "kind"), Size: e.optionalNumber("size", 1<<64-1),
			Children: e.entries("children", depth+1), Extra: e.base64("extra_fields_base64")}
	})
}

// hunks reads the hunks of a diff; a diff given as text is one hunk from line
// 1 on.
func (f *fieldsOf) hunks() []DiffHunk {
	if !f.has("hunks") && (f.has("content") || f.has("content_file") || f.has("content_base64")) {
		return []DiffHunk{{OldStart: 1, NewStart: 1, Lines: f.content("content")}}
	}
	return listOf(f, "hunks", 0, func(h *fieldsOf) DiffHunk {
		return DiffHunk{OldStart: uint32(h.number("old_start", 1<<32-1)), NewStart: uint32(h.number("new_start", 1<<32-1)),
			Lines: h.content("lines"), Extra: h.base64("extra_fields_base64")}
	})
}
