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
	SourceHash []byte // BLAKE3 of the source: 32 bytes, which is not checked
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
	name  string
	words *vocabulary // of a string that is one of a few words
}

// places are where the values of a body's fields are: *string, *[]byte, *uint32 and *uint64
// are always written, **string and **uint32 unless they are nil, *[]FileEntry and
// *[]DiffHunk once for each element.
type places [5]any

var (
	codeFields           = []field{{"lang", &langs}, {"path", nil}, {"content", nil}, {"line_start", nil}, {"line_end", nil}}
	conversationFields   = []field{{"role", &roles}, {"content", nil}, {"tool_call_id", nil}}
	fileTreeFields       = []field{{"root_path", nil}, {"entries", nil}}
	fileEntryFields      = []field{{"name", nil}, {"kind", &entryKinds}, {"size", nil}, {"children", nil}}
	toolResultFields     = []field{{"tool_name", nil}, {"status", &statuses}, {"content", nil}, {"schema_hint", nil}}
	documentFields       = []field{{"title", nil}, {"content", nil}, {"format_hint", &formatHints}}
	structuredDataFields = []field{{"format", &dataFormats}, {"schema", nil}, {"content", nil}}
	diffFields           = []field{{"path", nil}, {"hunks", nil}}
	diffHunkFields       = []field{{"old_start", nil}, {"new_start", nil}, {"lines", nil}}
	annotationFields     = []field{{"target_block_id", nil}, {"kind", &annotationKinds}, {"value", nil}}
	embeddingRefFields   = []field{{"vector_id", nil}, {"source_hash", nil}, {"model", nil}}
	imageFields          = []field{{"media_type", &mediaTypes}, {"alt_text", nil}, {"data", nil}}
	extensionFields      = []field{{"namespace", nil}, {"type_name", nil}, {"content", nil}}
)

// listFields lists the fields of a body, in the order of their ids, and notes where their
// values are. It calls no method of an interface, from which at would escape.
func listFields(b Body, at *places) []field {
	switch b := b.(type) {
	case *Code:
		at[0], at[1], at[2], at[3], at[4] = &b.Lang, &b.Path, &b.Content, &b.LineStart, &b.LineEnd
		return codeFields
	case *Conversation:
		at[0], at[1], at[2] = &b.Role, &b.Content, &b.ToolCallID
		return conversationFields
	case *FileTree:
		at[0], at[1] = &b.Root, &b.Entries
		return fileTreeFields
	case *ToolResult:
		at[0], at[1], at[2], at[3] = &b.ToolName, &b.Status, &b.Content, &b.SchemaHint
		return toolResultFields
	case *Document:
		at[0], at[1], at[2] = &b.Title, &b.Content, &b.FormatHint
		return documentFields
	case *StructuredData:
		at[0], at[1], at[2] = &b.Format, &b.Schema, &b.Content
		return structuredDataFields
	case *Diff:
		at[0], at[1] = &b.Path, &b.Hunks
		return diffFields
	case *Annotation:
		at[0], at[1], at[2] = &b.Target, &b.Kind, &b.Value
		return annotationFields
	case *EmbeddingRef:
		at[0], at[1], at[2] = &b.VectorID, &b.SourceHash, &b.Model
		return embeddingRefFields
	case *Image:
		at[0], at[1], at[2] = &b.MediaType, &b.AltText, &b.Data
		return imageFields
	case *Extension:
		at[0], at[1], at[2] = &b.Namespace, &b.TypeName, &b.Content
		return extensionFields
	}
	return nil
}

// element is listFields for the element i of a list of records, and returns its Extra too.
func element(list any, i int, at *places) ([]field, *[]byte) {
	switch list := list.(type) {
	case *[]FileEntry:
		e := &(*list)[i]
		at[0], at[1], at[2], at[3] = &e.Name, &e.Kind, &e.Size, &e.Children
		return fileEntryFields, &e.Extra
	case *[]DiffHunk:
		h := &(*list)[i]
		at[0], at[1], at[2] = &h.OldStart, &h.NewStart, &h.Lines
		return diffHunkFields, &h.Extra
	}
	return nil, nil
}

// length returns how many records are in what is at the place of a list of them.
func length(list any) int { return reflect.ValueOf(list).Elem().Len() }

// fieldsToWrite lists the fields of a body, the type of an image found from its data where
// it is not set.
func fieldsToWrite(b Body, at *places) []field {
	if image, ok := b.(*Image); ok && image.MediaType == "" {
		b = &Image{mediaTypeOf(image.Data), image.AltText, image.Data}
	}
	return listFields(b, at)
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
	return b.annotate("Priority", "priority", []byte{byte(p)})
}

// Tag adds an annotation with a label of the last block.
func (b *Builder) Tag(label string) *Builder { return b.annotate("Tag", "tag", []byte(label)) }

func (b *Builder) annotate(method, kind string, value []byte) *Builder {
	if b.last(method) != nil {
		b.Add(&Annotation{Target: uint32(b.target - 1), Kind: kind, Value: value})
	}
	return b
}

// Compress asks for the last block to be compressed if that makes it smaller.
func (b *Builder) Compress() *Builder { return b.flag("Compress", FlagCompressed) }

// Reference asks for the last block to be written as its hash; its content
// goes to the store of [EncodeOptions].
func (b *Builder) Reference() *Builder { return b.flag("Reference", FlagIsReference) }

func (b *Builder) flag(method string, flag BlockFlags) *Builder {
	if block := b.last(method); block != nil {
		block.Flags |= flag
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
