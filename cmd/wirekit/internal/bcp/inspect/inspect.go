// Package inspect says in words what is in a BCP payload: block by block, in
// numbers, and whether it is sound. It writes what the command's verbs inspect,
// stats and validate print.
//
// # What a program calls
//
//   - Blocks one by one: [Options.Inspect]. Numbers: [Count]. Whether it is sound:
//     [Validate]. What they return has a text, and is what the command prints with --json.
package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/wire"
)

// Options say what [Options.Inspect] reports about a payload.
type Options struct {
	// ShowBody adds the first 80 characters of the content.
	ShowBody bool
	// ShowHex adds a dump of the body, as it is encoded plainly.
	ShowHex bool
	// Block restricts the report to the block with that index; nil means all.
	// An index that no block has is an error.
	Block  *int
	Decode bcp.DecodeOptions
}

// previewLength is the number of characters that ShowBody gives.
const previewLength = 80

// A Report describes a payload.
type Report struct {
	Format  string        `json:"format"` // such as "LCP v1.0"
	Flags   uint8         `json:"flags"`
	Blocks  int           `json:"blocks"`
	Details []BlockReport `json:"details"` // of the blocks that Options.Block selects
	// End is the offset of the END sentinel: in the inflated payload if
	// Inflated, else in the payload.
	End      int  `json:"end"`
	Inflated bool `json:"inflated,omitempty"`
}

// A BlockReport describes a block. References that cannot be resolved
// are reported as such.
type BlockReport struct {
	Index  int    `json:"index"`
	Type   string `json:"type"`
	Offset int    `json:"offset"` // of the frame, as Report.End
	Bytes  int    `json:"bytes"`  // of the content, 0 if it has none
	// Entries counts those of a file tree.
	Entries int `json:"entries,omitzero"`
	// Fields are those that name the content, such as lang and path of code.
	Fields wire.Value `json:"fields"`
	// Reference: the block is stored as a hash. Unresolved: there is nothing
	// that has it.
	Reference  bool `json:"reference,omitempty"`
	Unresolved bool `json:"unresolved,omitempty"`
	// Zstd is the length of the compressed body, 0 if it is stored plainly.
	Zstd    int     `json:"zstd,omitempty"`
	Summary *string `json:"summary,omitempty"`
	// Body is the beginning of the content in quotes, with Options.ShowBody.
	Body string `json:"body,omitempty"`
	// Hex is the body as it is encoded plainly, with Options.ShowHex.
	Hex string `json:"hex,omitempty"`

	title string // Fields as the text shows them
}

// Inspect reads a payload block by block.
func (o Options) Inspect(src []byte) (*Report, error) {
	o.Decode.KeepReferences = true
	d := o.Decode.NewDecoder(context.Background(), bytes.NewReader(src))
	r := &Report{Details: []BlockReport{}}
	for b, err := range d.Blocks() {
		if err != nil {
			return nil, err
		}
		if o.Block == nil || *o.Block == r.Blocks {
			offset, size := d.Frame()
			r.Details = append(r.Details, o.block(r.Blocks, &b, offset, size))
		}
		r.Blocks++
	}
	h, err := d.Header()
	if err != nil {
		return nil, err
	}
	if o.Block != nil && (*o.Block < 0 || *o.Block >= r.Blocks) {
		return nil, &wire.Error{Format: "bcp", Code: "no_such_block", Kind: wire.ErrRange, Message: fmt.Sprintf("no block %d among %s", *o.Block, cli.Plural(r.Blocks, "block"))}
	}
	r.Format, r.Flags = version(h), uint8(h.Flags)
	r.End, _ = d.Frame()
	r.Inflated = h.Flags.IsCompressed()
	return r, nil
}

// String returns the header, one line for each block, and where END is. Text from
// the payload is quoted, so that it cannot control a terminal.
func (r *Report) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Header: %s, flags=0x%02X, %s\n", r.Format, r.Flags, cli.Plural(r.Blocks, "block"))
	for i := range r.Details {
		r.Details[i].write(&out)
	}
	where := ""
	if r.Inflated {
		where = " of the inflated payload"
	}
	fmt.Fprintf(&out, "---\nEND sentinel at offset %d%s\n", r.End, where)
	return out.String()
}

func version(h bcp.Header) string {
	return fmt.Sprintf("%s v%d.%d", h.Magic, h.VersionMajor, h.VersionMinor)
}

func (o Options) block(i int, b *bcp.Block, offset, size int) BlockReport {
	attributes, content := describe(b.Body)
	r := BlockReport{Index: i, Type: b.Type().String(), Offset: offset, Bytes: len(content), Reference: b.Flags&bcp.FlagIsReference != 0}
	if b.Summary != nil {
		summary := strings.ToValidUTF8(*b.Summary, "\uFFFD")
		r.Summary = &summary
	}
	switch body := b.Body.(type) {
	case *bcp.UnknownBody:
		r.Type = "UNKNOWN"
	case *bcp.FileTree:
		r.Entries = len(body.Entries)
	case *bcp.Reference:
		r.Unresolved = true
	}
	var fields []wire.Member
	for _, a := range attributes {
		value := wire.String(strings.ToValidUTF8(a.text, "\uFFFD")) // JSON has no bytes
		if body, ok := b.Body.(*bcp.Annotation); ok && a.name == "target" {
			value = wire.Uint(uint64(body.Target))
		}
		fields = append(fields, wire.Member{Key: a.name, Value: value})
		r.title += a.show(a.name, a.text)
	}
	r.Fields, _ = wire.Object(fields...) // the names differ
	if b.Flags&bcp.FlagCompressed != 0 && !r.Reference {
		r.Zstd = size
	}
	if o.ShowBody && content != nil {
		r.Body = preview(content)
	}
	if o.ShowHex {
		r.Hex = hex.EncodeToString(plainBody(b))
	}
	return r
}

func (r *BlockReport) write(w *strings.Builder) {
	size, stored := fmt.Sprintf("%d bytes", r.Bytes), ""
	switch {
	case r.Unresolved:
		size = "unresolved"
	case r.Type == bcp.BlockFileTree.String():
		size = fmt.Sprintf("%d entries", r.Entries)
	}
	switch {
	case r.Reference:
		stored = " by reference"
	case r.Zstd > 0:
		stored = fmt.Sprintf(" in %d bytes of zstd", r.Zstd)
	}
	fmt.Fprintf(w, "Block %d: %s%s (%s)%s\n", r.Index, r.Type, r.title, size, stored)
	if r.Summary != nil {
		fmt.Fprintf(w, "         Summary: %q\n", *r.Summary)
	}
	if r.Body != "" {
		fmt.Fprintf(w, "         Body:    %s\n", r.Body)
	}
	if r.Hex != "" {
		body, _ := hex.DecodeString(r.Hex)
		fmt.Fprintln(w, "         Hex dump:")
		dump(w, body)
	}
}

// An attribute is a field that names what is in a block.
type attribute struct {
	name, text string
	show       func(name, text string) string
}

func bare(name, text string) string { return " " + name + "=" + text }

func quoted(name, text string) string { return fmt.Sprintf(" %s=%q", name, text) }

// bracketed quotes a text that is not a plain word.
func bracketed(_, text string) string {
	if q := fmt.Sprintf("%q", text); q[1:len(q)-1] != text {
		text = q
	}
	return " [" + text + "]"
}

// describe returns what the line of a block says, and its content, nil if it
// has none of its own.
func describe(body bcp.Body) (says []attribute, content []byte) {
	switch b := body.(type) {
	case *bcp.Code:
		return []attribute{{"lang", cmp.Or(b.Lang, "unknown"), bracketed}, {"path", b.Path, quoted}}, b.Content
	case *bcp.Conversation:
		return []attribute{{"role", b.Role, bracketed}}, b.Content
	case *bcp.FileTree:
		return []attribute{{"root", b.Root, quoted}}, nil
	case *bcp.ToolResult:
		return []attribute{{"tool_name", b.ToolName, bracketed}, {"status", b.Status, bare}}, b.Content
	case *bcp.Document:
		return []attribute{{"title", b.Title, quoted}}, b.Content
	case *bcp.StructuredData:
		return []attribute{{"format", b.Format, bare}}, b.Content
	case *bcp.Diff:
		content = []byte{}
		for _, h := range b.Hunks {
			content = append(content, h.Lines...)
		}
		return []attribute{{"path", b.Path, quoted}}, content
	case *bcp.Annotation:
		value := string(b.Value)
		if b.Kind == "priority" && value != "" {
			value = bcp.Priority(value[0]).String()
		}
		return []attribute{{"target", strconv.FormatUint(uint64(b.Target), 10), bare}, {"kind", b.Kind, bare}, {"value", value, quoted}}, b.Value
	case *bcp.EmbeddingRef:
		return []attribute{{"model", b.Model, quoted}}, b.SourceHash
	case *bcp.Image:
		return []attribute{{"media_type", b.MediaType, bracketed}, {"alt", b.AltText, quoted}}, b.Data
	case *bcp.Extension:
		return []attribute{{"namespace", b.Namespace, quoted}, {"type", b.TypeName, quoted}}, b.Content
	case *bcp.UnknownBody:
		return []attribute{{"type_id", fmt.Sprintf("0x%02X", uint8(b.Type)), bracketed}}, b.Data
	case *bcp.Reference:
		return []attribute{{"hash", b.Hash.String(), bare}}, nil
	}
	return nil, nil
}

// preview returns the first characters of content, quoted.
func preview(content []byte) string {
	if !utf8.Valid(content) {
		return fmt.Sprintf("[%d bytes that are not text]", len(content))
	}
	if utf8.RuneCount(content) > previewLength {
		return fmt.Sprintf("%.*q…", previewLength, content)
	}
	return fmt.Sprintf("%q", content)
}

// plainBody returns the body of a block as it is encoded without compression.
func plainBody(b *bcp.Block) []byte {
	plain := bcp.Block{Body: b.Body, Summary: b.Summary, Extra: b.Extra}
	p, err := bcp.EncodeOptions{Lenient: true, Limits: bcp.Limits{BlockBytes: -1, PayloadBytes: -1}}.
		AppendEncode(context.Background(), nil, &bcp.Payload{Blocks: []bcp.Block{plain}})
	if err != nil {
		return nil
	}
	f, _, _ := bcp.ReadFrame(p[bcp.HeaderSize:]) // without a body if that fails
	return f.Body
}

// dump writes rows of an offset, 16 bytes and their characters.
func dump(w *strings.Builder, b []byte) {
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

// Soundness is whether a payload is sound.
type Soundness struct {
	Document string `json:"document"`
	Sound    bool   `json:"sound"`
	Blocks   int    `json:"blocks"`
	Error    string `json:"error,omitempty"`

	version string
}

// Validate reports whether src is a sound payload, and returns the error if it is not.
// document is what it is called. With [bcp.DecodeOptions.Strict] it must be in canonical
// form.
func Validate(document string, src []byte, o bcp.DecodeOptions) (*Soundness, error) {
	p, err := o.Decode(context.Background(), src)
	if err != nil {
		return &Soundness{Document: document, Error: err.Error()}, err
	}
	return &Soundness{Document: document, Sound: true, Blocks: len(p.Blocks), version: version(p.Header)}, nil
}

func (s *Soundness) String() string {
	if !s.Sound {
		return fmt.Sprintf("✗ Error: %s\n", s.Error)
	}
	return fmt.Sprintf("✓ Header: valid (%s)\n✓ Blocks: %s parsed successfully\n✓ Sentinel: END block present\n"+
		"✓ Integrity: all block bodies parse without error\n", s.version, cli.Plural(s.Blocks, "block"))
}
