package bcp

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// BlockType says what a block is. Types without a name are kept as [UnknownBody].
type BlockType uint8

// The block types.
const (
	BlockCode           BlockType = 0x01
	BlockConversation   BlockType = 0x02
	BlockFileTree       BlockType = 0x03
	BlockToolResult     BlockType = 0x04
	BlockDocument       BlockType = 0x05
	BlockStructuredData BlockType = 0x06
	BlockDiff           BlockType = 0x07
	BlockAnnotation     BlockType = 0x08
	BlockEmbeddingRef   BlockType = 0x09
	BlockImage          BlockType = 0x0A
	BlockExtension      BlockType = 0xFE
	BlockEnd            BlockType = 0xFF
)

// kinds are the types that have a name, as the document spells it, and what makes an empty
// body of each. The names in manifests are the same in lower case.
var kinds = [256]struct {
	name string
	new  func() Body
}{
	BlockCode:           {"CODE", func() Body { return new(Code) }},
	BlockConversation:   {"CONVERSATION", func() Body { return new(Conversation) }},
	BlockFileTree:       {"FILE_TREE", func() Body { return new(FileTree) }},
	BlockToolResult:     {"TOOL_RESULT", func() Body { return new(ToolResult) }},
	BlockDocument:       {"DOCUMENT", func() Body { return new(Document) }},
	BlockStructuredData: {"STRUCTURED_DATA", func() Body { return new(StructuredData) }},
	BlockDiff:           {"DIFF", func() Body { return new(Diff) }},
	BlockAnnotation:     {"ANNOTATION", func() Body { return new(Annotation) }},
	BlockEmbeddingRef:   {"EMBEDDING_REF", func() Body { return new(EmbeddingRef) }},
	BlockImage:          {"IMAGE", func() Body { return new(Image) }},
	BlockExtension:      {"EXTENSION", func() Body { return new(Extension) }},
	BlockEnd:            {"END", nil},
}

// String returns the type's name as the document spells it, "0x42" for a type
// without one.
func (t BlockType) String() string {
	if name := kinds[t].name; name != "" {
		return name
	}
	return fmt.Sprintf("0x%02X", uint8(t))
}

// MarshalText returns what String does.
func (t BlockType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a name as String returns it or as the reference's command line takes
// it, "tool_result" or "toolresult", in any case. Other names than those of the types and of
// numbers such as 0x42 are errors.
func (t *BlockType) UnmarshalText(text []byte) error {
	plain := strings.ReplaceAll(string(text), "_", "")
	for known, k := range kinds {
		if k.name != "" && strings.EqualFold(strings.ReplaceAll(k.name, "_", ""), plain) {
			*t = BlockType(known)
			return nil
		}
	}
	if n, err := strconv.ParseUint(plain, 0, 8); err == nil && strings.HasPrefix(plain, "0x") {
		*t = BlockType(n)
		return nil
	}
	return failure("invalid_block_type", wire.ErrShape, "no block type is called %q", text)
}

// BlockFlags is the bit field of a frame. Bits without a name are reserved;
// they are kept as they are read.
type BlockFlags uint8

const (
	// FlagHasSummary: the body starts with a length and a summary.
	FlagHasSummary BlockFlags = 1 << 0
	// FlagCompressed: the body is zstd data.
	FlagCompressed BlockFlags = 1 << 1
	// FlagIsReference: the body is the BLAKE3 hash of the real one.
	FlagIsReference BlockFlags = 1 << 2

	flagsReserved = ^(FlagHasSummary | FlagCompressed | FlagIsReference)
)

// isCompressed reports whether the body is zstd data.
func (f BlockFlags) isCompressed() bool { return f&FlagCompressed != 0 }

// isReference reports whether the body is a hash.
func (f BlockFlags) isReference() bool { return f&FlagIsReference != 0 }

// BlockFrame is the envelope of one block: its type, its flags and its body as
// it is stored.
type BlockFrame struct {
	Type  BlockType
	Flags BlockFlags
	Body  []byte
}

// size returns the number of bytes of the frame on the wire.
func (f BlockFrame) size() int {
	return sizeVarint(uint64(f.Type)) + 1 + sizeVarint(uint64(len(f.Body))) + len(f.Body)
}

// append appends the frame: type, flags, length and body.
func (f BlockFrame) append(dst []byte) []byte {
	return append(appendFrameHead(dst, f.Type, f.Flags, len(f.Body)), f.Body...)
}

func appendFrameHead(dst []byte, t BlockType, flags BlockFlags, size int) []byte {
	dst = binary.AppendUvarint(dst, uint64(t))
	dst = append(dst, byte(flags))
	return binary.AppendUvarint(dst, uint64(size))
}

// WriteTo writes the frame to w and returns the number of bytes written.
func (f BlockFrame) WriteTo(w io.Writer) (int64, error) {
	n, err := writeAll(w, f.append(make([]byte, 0, f.size())))
	return int64(n), err
}

// writeAll writes b to w. A writer that takes less without an error breaks its
// contract; nothing may get lost by that.
func writeAll(w io.Writer, b []byte) (int, error) {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return n, ioFailure(err)
}

// appendEnd appends the END block: an empty frame of four bytes, which is what
// every reader of the format understands.
func appendEnd(dst []byte) []byte {
	return BlockFrame{Type: BlockEnd}.append(dst)
}

// ReadFrame reads the frame that buf starts with and returns it with its
// length. The body is a part of buf, not a copy. For END it returns a frame of
// that type as soon as it has read the type, as the document says: n is the
// length of the type alone.
func ReadFrame(buf []byte) (f BlockFrame, n int, err error) {
	raw, n, err := DecodeVarint(buf)
	switch {
	case err != nil:
		return f, 0, err
	case raw > uint64(BlockEnd):
		return f, 0, invalidBlockType(0, raw)
	case raw == uint64(BlockEnd):
		return BlockFrame{Type: BlockEnd}, n, nil
	case n == len(buf):
		return f, 0, unexpectedEOF(n)
	}
	flags := BlockFlags(buf[n])
	n++
	size, m := binary.Uvarint(buf[n:])
	if m <= 0 {
		return f, 0, varintFault(m, len(buf)-n, n)
	}
	n += m
	if size > uint64(len(buf)-n) {
		return f, 0, unexpectedEOF(len(buf))
	}
	end := n + int(size)
	return BlockFrame{Type: BlockType(raw), Flags: flags, Body: buf[n:end:end]}, end, nil
}

func invalidBlockType(offset int, raw uint64) error {
	return fault(offset, "invalid_block_type", wire.ErrSyntax, "block type %d is above 255", raw)
}
