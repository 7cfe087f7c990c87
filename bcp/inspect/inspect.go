// Package inspect says in words what is in a BCP payload: block by block, in
// numbers, and whether it is sound. It writes what the command's verbs inspect,
// stats and validate print.
//
// # What a program calls
//
//   - Blocks one by one: [Options.Write]. Numbers: [StatsOptions.Stats] and
//     [Stats.Write]. Whether it is sound: [Validate].
package inspect

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// Options say what [Options.Write] prints of a payload.
type Options struct {
	// ShowBody adds the first 80 characters of the content.
	ShowBody bool
	// ShowHex adds a dump of the body, as it is encoded plainly.
	ShowHex bool
	// Block restricts the output to the block with that index; nil means all.
	// An index that no block has is an error.
	Block  *int
	Decode bcp.DecodeOptions
}

// previewLength is the number of characters that ShowBody prints.
const previewLength = 80

// Write prints the header, one line for each block, and where END is.
// References that cannot be resolved are shown as such. Text from the payload
// is quoted, so that it cannot control a terminal.
func (o Options) Write(w io.Writer, src []byte) error {
	o.Decode.KeepReferences = true
	var out strings.Builder
	d := o.Decode.NewDecoder(bytes.NewReader(src))
	count := 0
	for b, err := range d.Blocks() {
		if err != nil {
			return err
		}
		if o.Block == nil || *o.Block == count {
			o.block(&out, count, &b, d.Frame())
		}
		count++
	}
	h, err := d.Header()
	if err != nil {
		return err
	}
	plural := "s"
	if count == 1 {
		plural = ""
	}
	if o.Block != nil && (*o.Block < 0 || *o.Block >= count) {
		return &wire.Error{Format: "bcp", Code: "no_such_block", Kind: wire.ErrRange, Message: fmt.Sprintf("no block %d among %d block%s", *o.Block, count, plural)}
	}
	where := ""
	if h.Flags.IsCompressed() {
		where = " of the inflated payload"
	}
	_, err = fmt.Fprintf(w, "Header: %s, flags=0x%02X, %d block%s\n%s---\nEND sentinel at offset %d%s\n",
		version(h), uint8(h.Flags), count, plural, out.String(), d.Frame().Offset, where)
	return err
}

func version(h bcp.Header) string {
	return fmt.Sprintf("%s v%d.%d", h.Magic.Name(), h.VersionMajor, h.VersionMinor)
}

func (o Options) block(w io.Writer, i int, b *bcp.Block, f bcp.FrameInfo) {
	detail, content := describe(b.Body)
	name := f.Type.String()
	if _, ok := b.Body.(*bcp.Unknown); ok {
		name = "UNKNOWN"
	}
	fmt.Fprintf(w, "Block %d: %s%s (%s)%s\n", i, name, detail, size(b.Body, content), stored(f))
	if b.Summary != nil {
		fmt.Fprintf(w, "         Summary: %q\n", *b.Summary)
	}
	if o.ShowBody && content != nil {
		fmt.Fprintf(w, "         Body:    %s\n", preview(content))
	}
	if o.ShowHex {
		fmt.Fprintln(w, "         Hex dump:")
		dump(w, plainBody(b))
	}
}

func stored(f bcp.FrameInfo) string {
	switch {
	case f.Flags.IsReference():
		return " by reference"
	case f.Flags.IsCompressed():
		return fmt.Sprintf(" in %d bytes of zstd", f.Size)
	}
	return ""
}

// describe returns what the line of a block says, and its content, nil if it
// has none of its own.
func describe(body bcp.Body) (detail string, content []byte) {
	switch b := body.(type) {
	case *bcp.Code:
		return fmt.Sprintf(" [%s] path=%q", b.Lang, b.Path), b.Content
	case *bcp.Conversation:
		return fmt.Sprintf(" [%s]", b.Role), b.Content
	case *bcp.FileTree:
		return fmt.Sprintf(" root=%q", b.Root), nil
	case *bcp.ToolResult:
		return fmt.Sprintf(" [%s] status=%s", quoteIfOdd(b.ToolName), b.Status), b.Content
	case *bcp.Document:
		return fmt.Sprintf(" title=%q", b.Title), b.Content
	case *bcp.StructuredData:
		return fmt.Sprintf(" format=%s", b.Format), b.Content
	case *bcp.Diff:
		lines := []byte{}
		for _, h := range b.Hunks {
			lines = append(lines, h.Lines...)
		}
		return fmt.Sprintf(" path=%q", b.Path), lines
	case *bcp.Annotation:
		value := string(b.Value)
		if b.Kind == bcp.AnnotationPriority && len(b.Value) > 0 {
			value = bcp.Priority(b.Value[0]).String()
		}
		return fmt.Sprintf(" target=%d kind=%s value=%q", b.Target, b.Kind, value), b.Value
	case *bcp.EmbeddingRef:
		return fmt.Sprintf(" model=%q", b.Model), b.SourceHash
	case *bcp.Image:
		return fmt.Sprintf(" [%s] alt=%q", b.MediaType, b.AltText), b.Data
	case *bcp.Extension:
		return fmt.Sprintf(" namespace=%q type=%q", b.Namespace, b.TypeName), b.Content
	case *bcp.Unknown:
		return fmt.Sprintf(" [0x%02X]", uint8(b.Type)), b.Data
	case *bcp.Reference:
		return " hash=" + b.Hash.String(), nil
	}
	return "", nil
}

// size tells how much a block holds.
func size(body bcp.Body, content []byte) string {
	switch b := body.(type) {
	case *bcp.FileTree:
		return fmt.Sprintf("%d entries", len(b.Entries))
	case *bcp.Reference:
		return "unresolved"
	}
	return fmt.Sprintf("%d bytes", len(content))
}

// quoteIfOdd quotes a name that is not a plain word.
func quoteIfOdd(s string) string {
	if q := fmt.Sprintf("%q", s); q[1:len(q)-1] != s {
		return q
	}
	return s
}

// preview returns the first characters of content, quoted.
func preview(content []byte) string {
	if !utf8.Valid(content) {
		return fmt.Sprintf("[%d bytes that are not text]", len(content))
	}
	text := string(content)
	n := 0
	for i := range text {
		if n++; n > previewLength {
			return fmt.Sprintf("%q…", text[:i])
		}
	}
	return fmt.Sprintf("%q", text)
}

// plainBody returns the body of a block as it is encoded without compression.
func plainBody(b *bcp.Block) []byte {
	plain := bcp.Block{Body: b.Body, Summary: b.Summary}
	p, err := bcp.EncodeOptions{Mode: bcp.ModeLenient, Limits: bcp.Limits{BlockBytes: -1, PayloadBytes: -1}}.
		AppendEncode(nil, &bcp.Payload{Blocks: []bcp.Block{plain}})
	if err != nil {
		return nil
	}
	f, _, err := bcp.ReadFrame(p[bcp.HeaderSize:])
	if err != nil {
		return nil
	}
	return f.Body
}

// dump writes rows of an offset, 16 bytes and their characters.
func dump(w io.Writer, b []byte) {
	for at := 0; at < len(b); at += 16 {
		row := b[at:min(at+16, len(b))]
		text := make([]byte, len(row))
		for i, c := range row {
			text[i] = '.'
			if c > ' ' && c < 0x7F {
				text[i] = c
			}
		}
		fmt.Fprintf(w, "           %04x  %-48s %s\n", at, fmt.Sprintf("% x", row), text)
	}
}
