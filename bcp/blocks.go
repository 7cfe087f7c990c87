package bcp

import (
	"reflect"

	"github.com/wirekit/wirekit/wire"
)

// A Payload is a whole context pack. The zero Payload is a new one with the
// document's magic.
type Payload struct {
	Header Header
	Blocks []Block
	// Trailing is what follows END: the opaque index trailer, if the header announces one,
	// which is written again; otherwise data that [DecodeOptions.AllowTrailing] accepts,
	// which are not.
	Trailing []byte
}

// A Block is one block with what its frame says about it.
type Block struct {
	Body Body
	// Summary is a short text that can represent the block; nil if it has
	// none. An empty summary is not the same as none.
	Summary *string
	// Flags are the frame's flags. A decoder sets them as they were read. An
	// encoder takes FlagCompressed as "compress if that is smaller",
	// FlagIsReference as "write the hash", the reserved bits as they are, and
	// FlagHasSummary from Summary.
	Flags BlockFlags
	// Extra holds the fields of the body that this package does not know, in the form in
	// which they were read, so that they are written again. So do FileEntry and DiffHunk.
	Extra []byte
}

// Type returns the type of the block; 0 if it has no body, as when that is a nil pointer.
// Nothing writes or shows a block without one.
func (b *Block) Type() BlockType {
	if !b.hasBody() {
		return 0
	}
	return b.Body.blockType()
}

func (b *Block) hasBody() bool {
	if b.Body == nil {
		return false
	}
	body := reflect.ValueOf(b.Body)
	return body.Kind() != reflect.Pointer || !body.IsNil()
}

// A Body is the content of a block: one of [*Code], [*Conversation],
// [*FileTree], [*ToolResult], [*Document], [*StructuredData], [*Diff],
// [*Annotation], [*EmbeddingRef], [*Image], [*Extension], [*UnknownBody] and
// [*Reference].
//
// What is one of a few words is one of those that the field lists or, for a number without a
// name that a lenient decoder met, of the form other(9).
//
// [Block.Type] is the type of the block that has the body.
type Body interface {
	blockType() BlockType
	// fields appends the fields of the body, in the order of their ids.
	fields([]field) []field
}

// Code is a piece of source text. The document allows a line range without
// one of its ends.
type Code struct {
	// Lang is rust, typescript, javascript, python, go, java, c, cpp, ruby, shell, sql, html,
	// css, json, yaml, toml or markdown; "" for any other.
	Lang      string
	Path      string
	Content   []byte
	LineStart *uint32
	LineEnd   *uint32
}

// Conversation is one turn of a conversation.
type Conversation struct {
	Role       string // system, user, assistant or tool; "" means user
	Content    []byte
	ToolCallID *string
}

// FileTree is a listing of directories.
type FileTree struct {
	Root    string
	Entries []FileEntry
}

// A FileEntry is one file or directory.
type FileEntry struct {
	Name     string
	Kind     string // file or directory; "" means file
	Size     uint64 // bytes; 0 for directories
	Children []FileEntry
	Extra    []byte
}

// ToolResult is what a tool answered.
type ToolResult struct {
	ToolName   string
	Status     string // ok, error or timeout; "" means ok
	Content    []byte
	SchemaHint *string
}

// Document is a text with a title.
type Document struct {
	Title      string
	Content    []byte
	FormatHint string // markdown, plain or html; "" means plain
}

// StructuredData is data in a format of their own.
type StructuredData struct {
	Format  string // json, yaml, toml or csv; "" means json
	Schema  *string
	Content []byte
}

// Diff is a change of one file.
type Diff struct {
	Path  string
	Hunks []DiffHunk
}

// A DiffHunk is a run of lines in the form of a unified diff.
type DiffHunk struct {
	OldStart uint32
	NewStart uint32
	Lines    []byte
	Extra    []byte
}

// Annotation says something about another block.
type Annotation struct {
	// Target is the index of the block it is about, counting all blocks of the
	// payload from 0, annotations too and END not.
	Target uint32
	Kind   string // priority, summary or tag; "" means tag
	// Value is a [Priority] in one byte for the kind priority, UTF-8 text for the
	// other kinds.
	Value []byte
}

// EmbeddingRef points to a vector that is stored elsewhere.
type EmbeddingRef struct {
	VectorID   []byte
	SourceHash []byte // BLAKE3 of the source: 32 bytes, which no one checks
	Model      string
}

// Image is an image or the URI of one.
type Image struct {
	MediaType string // png, jpeg, gif, svg or webp; "" is found from Data
	AltText   string
	Data      []byte
}

// Extension is a block that others define.
type Extension struct {
	Namespace string
	TypeName  string
	Content   []byte
}

// UnknownBody is a block of a type that this package does not know. Data is its
// body without the summary.
type UnknownBody struct {
	Type BlockType
	Data []byte
}

// Reference is a reference that was not resolved; only with
// [DecodeOptions.KeepReferences]. The summary, if the flags tell of one, is
// part of the missing content.
type Reference struct {
	Type BlockType
	Hash Hash
}

func (*Code) blockType() BlockType           { return BlockCode }
func (*Conversation) blockType() BlockType   { return BlockConversation }
func (*FileTree) blockType() BlockType       { return BlockFileTree }
func (*ToolResult) blockType() BlockType     { return BlockToolResult }
func (*Document) blockType() BlockType       { return BlockDocument }
func (*StructuredData) blockType() BlockType { return BlockStructuredData }
func (*Diff) blockType() BlockType           { return BlockDiff }
func (*Annotation) blockType() BlockType     { return BlockAnnotation }
func (*EmbeddingRef) blockType() BlockType   { return BlockEmbeddingRef }
func (*Image) blockType() BlockType          { return BlockImage }
func (*Extension) blockType() BlockType      { return BlockExtension }
func (b *UnknownBody) blockType() BlockType  { return b.Type }
func (b *Reference) blockType() BlockType    { return b.Type }

// A field is one of a body or of a record in it: the first has the id 1, the next 2.
type field struct {
	name string
	// at is where the value is: *string, *[]byte, *uint32 and *uint64 are always
	// written, **string and **uint32 unless they are nil, *[]FileEntry and *[]DiffHunk once
	// for each element.
	at    any
	words *vocabulary // of a string that is one of a few words
}

// mostFields is how many fields a body has at most.
const mostFields = 5

func (b *Code) fields(f []field) []field {
	return append(f, []field{{"lang", &b.Lang, &langs}, {"path", &b.Path, nil}, {"content", &b.Content, nil},
		{"line_start", &b.LineStart, nil}, {"line_end", &b.LineEnd, nil}}...)
}

func (b *Conversation) fields(f []field) []field {
	return append(f, []field{{"role", &b.Role, &roles}, {"content", &b.Content, nil}, {"tool_call_id", &b.ToolCallID, nil}}...)
}

func (b *FileTree) fields(f []field) []field {
	return append(f, []field{{"root_path", &b.Root, nil}, {"entries", &b.Entries, nil}}...)
}

func (e *FileEntry) fields(f []field) []field {
	return append(f, []field{{"name", &e.Name, nil}, {"kind", &e.Kind, &entryKinds}, {"size", &e.Size, nil}, {"children", &e.Children, nil}}...)
}

func (b *ToolResult) fields(f []field) []field {
	return append(f, []field{{"tool_name", &b.ToolName, nil}, {"status", &b.Status, &statuses}, {"content", &b.Content, nil},
		{"schema_hint", &b.SchemaHint, nil}}...)
}

func (b *Document) fields(f []field) []field {
	return append(f, []field{{"title", &b.Title, nil}, {"content", &b.Content, nil}, {"format_hint", &b.FormatHint, &formatHints}}...)
}

func (b *StructuredData) fields(f []field) []field {
	return append(f, []field{{"format", &b.Format, &dataFormats}, {"schema", &b.Schema, nil}, {"content", &b.Content, nil}}...)
}

func (b *Diff) fields(f []field) []field {
	return append(f, []field{{"path", &b.Path, nil}, {"hunks", &b.Hunks, nil}}...)
}

func (h *DiffHunk) fields(f []field) []field {
	return append(f, []field{{"old_start", &h.OldStart, nil}, {"new_start", &h.NewStart, nil}, {"lines", &h.Lines, nil}}...)
}

func (b *Annotation) fields(f []field) []field {
	return append(f, []field{{"target_block_id", &b.Target, nil}, {"kind", &b.Kind, &annotationKinds}, {"value", &b.Value, nil}}...)
}

func (b *EmbeddingRef) fields(f []field) []field {
	return append(f, []field{{"vector_id", &b.VectorID, nil}, {"source_hash", &b.SourceHash, nil}, {"model", &b.Model, nil}}...)
}

func (b *Image) fields(f []field) []field {
	return append(f, []field{{"media_type", &b.MediaType, &mediaTypes}, {"alt_text", &b.AltText, nil}, {"data", &b.Data, nil}}...)
}

func (b *Extension) fields(f []field) []field {
	return append(f, []field{{"namespace", &b.Namespace, nil}, {"type_name", &b.TypeName, nil}, {"content", &b.Content, nil}}...)
}

func (*UnknownBody) fields([]field) []field { return nil }
func (*Reference) fields([]field) []field   { return nil }

// fieldsToWrite lists the fields of a body, the type of an image found from its data where
// it is not set.
func fieldsToWrite(b Body, f []field) []field {
	if image, ok := b.(*Image); ok && image.MediaType == "" {
		b = &Image{mediaTypeOf(image.Data), image.AltText, image.Data}
	}
	return b.fields(f)
}

// Priorities returns the priority of every block of p by its index: that of
// the last priority annotation which names the block and holds a valid value,
// PriorityNormal without one. An annotation may precede its block.
func (p *Payload) Priorities() []Priority {
	ranks := make([]Priority, len(p.Blocks))
	for i := range ranks {
		ranks[i] = PriorityNormal
	}
	for _, b := range p.Blocks {
		a, ok := b.Body.(*Annotation)
		if ok && a != nil && a.Kind == "priority" && len(a.Value) > 0 && priorities.has(a.Value[0]) && uint64(a.Target) < uint64(len(ranks)) {
			ranks[a.Target] = Priority(a.Value[0])
		}
	}
	return ranks
}

// A Builder puts a payload together block by block. Its methods return the
// Builder; an error waits for [Builder.Build]. The zero Builder is ready.
//
// [Builder.Priority] and [Builder.Tag] say something about a block by adding an
// ANNOTATION block after it, which counts among the payload's blocks.
type Builder struct {
	payload Payload
	target  int // index+1 of the last block that is not an annotation
	err     error
}

// Add adds a block.
func (b *Builder) Add(body Body) *Builder {
	b.payload.Blocks = append(b.payload.Blocks, Block{Body: body})
	if _, ok := body.(*Annotation); !ok || b.target == 0 {
		b.target = len(b.payload.Blocks)
	}
	return b
}

// last returns the block that modifiers are about, nil without one. An
// annotation that follows a block does not take its place, so Summary after
// Priority means the same as before it.
func (b *Builder) last(method string) *Block {
	if b.target == 0 {
		if b.err == nil {
			b.err = failure("no_block_target", wire.ErrShape, "%s before a block was added", method)
		}
		return nil
	}
	return &b.payload.Blocks[b.target-1]
}

// Summary gives the last block a summary.
func (b *Builder) Summary(text string) *Builder {
	if block := b.last("Summary"); block != nil {
		block.Summary = &text
	}
	return b
}

// Priority adds an annotation with the priority of the last block.
func (b *Builder) Priority(p Priority) *Builder {
	if b.last("Priority") != nil {
		b.Add(&Annotation{Target: uint32(b.target - 1), Kind: "priority", Value: []byte{byte(p)}})
	}
	return b
}

// Tag adds an annotation with a label of the last block.
func (b *Builder) Tag(label string) *Builder {
	if b.last("Tag") != nil {
		b.Add(&Annotation{Target: uint32(b.target - 1), Kind: "tag", Value: []byte(label)})
	}
	return b
}

// Compress asks for the last block to be compressed if that makes it smaller.
func (b *Builder) Compress() *Builder {
	if block := b.last("Compress"); block != nil {
		block.Flags |= FlagCompressed
	}
	return b
}

// Reference asks for the last block to be written as its hash; its content
// goes to the store of [EncodeOptions].
func (b *Builder) Reference() *Builder {
	if block := b.last("Reference"); block != nil {
		block.Flags |= FlagIsReference
	}
	return b
}

// Build returns the payload, or the first error of the calls, such as a summary without
// a block. What bodies hold is checked when the payload is written.
func (b *Builder) Build() (*Payload, error) {
	if b.err != nil {
		return nil, b.err
	}
	p := b.payload
	return &p, nil
}
