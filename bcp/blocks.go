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
	// Index is the opaque index trailer after END, if the header announces one.
	Index []byte
	// Trailing is what follows END otherwise; only with
	// [DecodeOptions.AllowTrailing]. It is not written.
	Trailing []byte
}

// A Block is one block with what its frame says about it.
type Block struct {
	Body Body
	// Summary is a short text that can stand for the block; nil if it has
	// none. An empty summary is not the same as none.
	Summary *string
	// Flags are the frame's flags. A decoder sets them as they were read. An
	// encoder takes FlagCompressed as "compress if that is smaller",
	// FlagIsReference as "write the hash", the reserved bits as they are, and
	// FlagHasSummary from Summary.
	Flags BlockFlags
}

// HasBody reports whether the block has a body; a nil pointer is none. Nothing
// writes or shows a block without one.
func (b *Block) HasBody() bool {
	if b.Body == nil {
		return false
	}
	body := reflect.ValueOf(b.Body)
	return body.Kind() != reflect.Pointer || !body.IsNil()
}

// A Body is the content of a block: one of [*Code], [*Conversation],
// [*FileTree], [*ToolResult], [*Document], [*StructuredData], [*Diff],
// [*Annotation], [*EmbeddingRef], [*Image], [*Extension], [*Unknown] and
// [*Reference].
//
// The field Extra that they have holds the fields that this package does not
// know, in the form in which they were read, so they are written again.
type Body interface {
	BlockType() BlockType

	// check says whether the body can be written.
	check(c *checker)
	// size returns the number of bytes that appendTo appends.
	size() int
	appendTo(dst []byte) []byte
}

// Code is a piece of source text. The document allows a line range without
// one of its ends.
type Code struct {
	Lang      Lang
	Path      string
	Content   []byte
	LineStart *uint32
	LineEnd   *uint32
	Extra     []byte
}

// Conversation is one turn of a conversation.
type Conversation struct {
	Role       Role
	Content    []byte
	ToolCallID *string
	Extra      []byte
}

// FileTree is a listing of directories.
type FileTree struct {
	Root    string
	Entries []FileEntry
	Extra   []byte
}

// A FileEntry is one file or directory.
type FileEntry struct {
	Name     string
	Kind     EntryKind
	Size     uint64 // bytes; 0 for directories
	Children []FileEntry
	Extra    []byte
}

// ToolResult is what a tool answered.
type ToolResult struct {
	ToolName   string
	Status     Status
	Content    []byte
	SchemaHint *string
	Extra      []byte
}

// Document is a text with a title.
type Document struct {
	Title      string
	Content    []byte
	FormatHint FormatHint
	Extra      []byte
}

// StructuredData is data in a format of their own.
type StructuredData struct {
	Format  DataFormat
	Schema  *string
	Content []byte
	Extra   []byte
}

// Diff is a change of one file.
type Diff struct {
	Path  string
	Hunks []DiffHunk
	Extra []byte
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
	Kind   AnnotationKind
	// Value is a Priority in one byte for AnnotationPriority, UTF-8 text for the
	// other kinds.
	Value []byte
	Extra []byte
}

// EmbeddingRef points to a vector that is stored elsewhere.
type EmbeddingRef struct {
	VectorID   []byte
	SourceHash []byte // BLAKE3 of the source: 32 bytes, which nobody checks
	Model      string
	Extra      []byte
}

// Image is an image or the URI of one.
type Image struct {
	MediaType MediaType
	AltText   string
	Data      []byte
	Extra     []byte
}

// Extension is a block that others define.
type Extension struct {
	Namespace string
	TypeName  string
	Content   []byte
	Extra     []byte
}

// Unknown is a block of a type that this package does not know. Data is its
// body without the summary.
type Unknown struct {
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

// BlockType returns BlockCode.
func (*Code) BlockType() BlockType { return BlockCode }

// BlockType returns BlockConversation.
func (*Conversation) BlockType() BlockType { return BlockConversation }

// BlockType returns BlockFileTree.
func (*FileTree) BlockType() BlockType { return BlockFileTree }

// BlockType returns BlockToolResult.
func (*ToolResult) BlockType() BlockType { return BlockToolResult }

// BlockType returns BlockDocument.
func (*Document) BlockType() BlockType { return BlockDocument }

// BlockType returns BlockStructuredData.
func (*StructuredData) BlockType() BlockType { return BlockStructuredData }

// BlockType returns BlockDiff.
func (*Diff) BlockType() BlockType { return BlockDiff }

// BlockType returns BlockAnnotation.
func (*Annotation) BlockType() BlockType { return BlockAnnotation }

// BlockType returns BlockEmbeddingRef.
func (*EmbeddingRef) BlockType() BlockType { return BlockEmbeddingRef }

// BlockType returns BlockImage.
func (*Image) BlockType() BlockType { return BlockImage }

// BlockType returns BlockExtension.
func (*Extension) BlockType() BlockType { return BlockExtension }

// BlockType returns Type.
func (b *Unknown) BlockType() BlockType { return b.Type }

// BlockType returns the type of the block that is missing.
func (b *Reference) BlockType() BlockType { return b.Type }

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
		if ok && a != nil && a.Kind == AnnotationPriority && len(a.Value) > 0 && priorities.has(a.Value[0]) && uint64(a.Target) < uint64(len(ranks)) {
			ranks[a.Target] = Priority(a.Value[0])
		}
	}
	return ranks
}

// A Builder puts a payload together block by block. Its methods return the
// Builder; an error waits for [Builder.Payload]. The zero Builder is ready.
type Builder struct {
	payload Payload
	target  int // index+1 of the last block that is no annotation
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
		b.Add(&Annotation{Target: uint32(b.target - 1), Kind: AnnotationPriority, Value: []byte{byte(p)}})
	}
	return b
}

// Tag adds an annotation with a label of the last block.
func (b *Builder) Tag(label string) *Builder {
	if b.last("Tag") != nil {
		b.Add(&Annotation{Target: uint32(b.target - 1), Kind: AnnotationTag, Value: []byte(label)})
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

// Payload returns what was built.
func (b *Builder) Payload() (*Payload, error) {
	if b.err != nil {
		return nil, b.err
	}
	p := b.payload
	return &p, nil
}
