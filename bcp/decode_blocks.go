package bcp

import "github.com/wirekit/wirekit/wire"

// decodeBody reads the fields of a body, and those that are not known; the summary is
// off already. Byte fields are parts of body.
func (rules rules) decodeBody(t BlockType, body []byte, from origin) (b Body, extra []byte, err error) {
	r := fieldReader{rules: rules, body: body, from: from}
	switch t {
	case BlockCode:
		b = r.code()
	case BlockConversation:
		b = r.conversation()
	case BlockFileTree:
		b = r.fileTree()
	case BlockToolResult:
		b = r.toolResult()
	case BlockDocument:
		b = r.document()
	case BlockStructuredData:
		b = r.structuredData()
	case BlockDiff:
		b = r.diff()
	case BlockAnnotation:
		b = r.annotation()
	case BlockEmbeddingRef:
		b = r.embeddingRef()
	case BlockImage:
		b = r.image()
	case BlockExtension:
		b = r.extension()
	default:
		return &UnknownBody{Type: t, Data: body}, nil, nil
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	return b, r.extra, nil
}

func (r *fieldReader) code() *Code {
	b := new(Code)
	for r.next(5) {
		switch r.id {
		case 1:
			// Every language is kept; more than a byte is not a language.
			b.Lang = langOf(uint8(r.number("lang", 0xFF)))
		case 2:
			b.Path = r.text("path")
		case 3:
			b.Content = r.bytes("content")
		case 4:
			b.LineStart = r.optionalUint32("line_start")
		case 5:
			b.LineEnd = r.optionalUint32("line_end")
		}
	}
	r.require("lang", "path", "content")
	return b
}

func (r *fieldReader) conversation() *Conversation {
	b := new(Conversation)
	for r.next(3) {
		switch r.id {
		case 1:
			b.Role = r.enum(&roles)
		case 2:
			b.Content = r.bytes("content")
		case 3:
			b.ToolCallID = r.optionalText("tool_call_id")
		}
	}
	r.require("role", "content")
	return b
}

func (r *fieldReader) fileTree() *FileTree {
	b := new(FileTree)
	r.repeated = 1 << 2
	for r.next(2) {
		switch r.id {
		case 1:
			b.Root = r.text("root_path")
		case 2:
			b.Entries = r.entry(b.Entries, "entries", 2, 1)
		}
	}
	r.require("root_path")
	return b
}

// entry reads one entry, which is field id of the list, and appends it to
// entries. depth is its level, 1 for those directly below the root.
func (r *fieldReader) entry(entries []FileEntry, list string, id uint64, depth int) []FileEntry {
	data, ok := r.nested("entry")
	if !ok {
		return nil
	}
	if depth > r.rules.treeDepth {
		r.fail(wire.CodeTooDeep, wire.ErrLimit, list, "entries nest deeper than %d, Limits.TreeDepth", r.rules.treeDepth)
		return nil
	}
	if entries == nil {
		n := countFields(r.body[r.start:], id)
		if r.charge(n*recordCharge, list); r.err != nil {
			return nil
		}
		entries = make([]FileEntry, 0, n)
	}
	sub := fieldReader{rules: r.rules, body: data, from: r.from.moved(r.at), repeated: 1 << 4}
	var e FileEntry
	for sub.next(4) {
		switch sub.id {
		case 1:
			e.Name = sub.text("name")
		case 2:
			e.Kind = sub.enum(&entryKinds)
		case 3:
			e.Size = sub.number("size", 1<<64-1)
		case 4:
			e.Children = sub.entry(e.Children, "children", 4, depth+1)
		}
	}
	if r.rules.strict {
		sub.require("name", "kind", "size") // every encoder writes the size
	} else {
		sub.require("name", "kind")
	}
	if sub.err != nil {
		r.err = wire.AtKey(wire.AtIndex(sub.err, len(entries)), list)
		return nil
	}
	e.Extra = sub.extra
	return append(entries, e)
}

func (r *fieldReader) toolResult() *ToolResult {
	b := new(ToolResult)
	for r.next(4) {
		switch r.id {
		case 1:
			b.ToolName = r.text("tool_name")
		case 2:
			b.Status = r.enum(&statuses)
		case 3:
			b.Content = r.bytes("content")
		case 4:
			b.SchemaHint = r.optionalText("schema_hint")
		}
	}
	r.require("tool_name", "status", "content")
	return b
}

func (r *fieldReader) document() *Document {
	b := new(Document)
	for r.next(3) {
		switch r.id {
		case 1:
			b.Title = r.text("title")
		case 2:
			b.Content = r.bytes("content")
		case 3:
			b.FormatHint = r.enum(&formatHints)
		}
	}
	r.require("title", "content", "format_hint")
	return b
}

func (r *fieldReader) structuredData() *StructuredData {
	b := new(StructuredData)
	for r.next(3) {
		switch r.id {
		case 1:
			b.Format = r.enum(&dataFormats)
		case 2:
			b.Schema = r.optionalText("schema")
		case 3:
			b.Content = r.bytes("content")
		}
	}
	r.require("format", "", "content")
	return b
}

func (r *fieldReader) diff() *Diff {
	b := new(Diff)
	r.repeated = 1 << 2
	for r.next(2) {
		switch r.id {
		case 1:
			b.Path = r.text("path")
		case 2:
			b.Hunks = r.hunk(b.Hunks)
		}
	}
	r.require("path")
	return b
}

func (r *fieldReader) hunk(hunks []DiffHunk) []DiffHunk {
	data, ok := r.nested("hunk")
	if !ok {
		return nil
	}
	if hunks == nil {
		n := countFields(r.body[r.start:], 2)
		if r.charge(n*recordCharge, "hunks"); r.err != nil {
			return nil
		}
		hunks = make([]DiffHunk, 0, n)
	}
	sub := fieldReader{rules: r.rules, body: data, from: r.from.moved(r.at)}
	var h DiffHunk
	for sub.next(3) {
		switch sub.id {
		case 1:
			h.OldStart = sub.uint32("old_start")
		case 2:
			h.NewStart = sub.uint32("new_start")
		case 3:
			h.Lines = sub.bytes("lines")
		}
	}
	sub.require("old_start", "new_start", "lines")
	if sub.err != nil {
		r.err = wire.AtKey(wire.AtIndex(sub.err, len(hunks)), "hunks")
		return nil
	}
	h.Extra = sub.extra
	return append(hunks, h)
}

func (r *fieldReader) annotation() *Annotation {
	b := new(Annotation)
	for r.next(3) {
		switch r.id {
		case 1:
			b.Target = r.uint32("target_block_id")
		case 2:
			b.Kind = r.enum(&annotationKinds)
		case 3:
			b.Value = r.bytes("value")
		}
	}
	r.require("target_block_id", "kind", "value")
	return b
}

func (r *fieldReader) embeddingRef() *EmbeddingRef {
	b := new(EmbeddingRef)
	for r.next(3) {
		switch r.id {
		case 1:
			b.VectorID = r.bytes("vector_id")
		case 2:
			b.SourceHash = r.bytes("source_hash")
		case 3:
			b.Model = r.text("model")
		}
	}
	r.require("vector_id", "source_hash", "model")
	return b
}

func (r *fieldReader) image() *Image {
	b := new(Image)
	for r.next(3) {
		switch r.id {
		case 1:
			b.MediaType = r.enum(&mediaTypes)
		case 2:
			b.AltText = r.text("alt_text")
		case 3:
			b.Data = r.bytes("data")
		}
	}
	r.require("media_type", "alt_text", "data")
	return b
}

func (r *fieldReader) extension() *Extension {
	b := new(Extension)
	for r.next(3) {
		switch r.id {
		case 1:
			b.Namespace = r.text("namespace")
		case 2:
			b.TypeName = r.text("type_name")
		case 3:
			b.Content = r.bytes("content")
		}
	}
	r.require("namespace", "type_name", "content")
	return b
}
