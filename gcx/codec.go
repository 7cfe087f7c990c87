package gcx

import (
	"bytes"
	"cmp"

	"github.com/wirekit/wirekit/internal/arrange"
	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/inplace"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// name is the format's name in registries and errors.
const name = "gcx"

// DefaultTool is what a [Codec] without a Tool calls its sections.
const DefaultTool = "data"

// Codec writes any value as a GCX1 payload and reads it back. The zero value
// is lossless for JSON's data model; see the package comment for what it adds
// to the document's generic fallback.
type Codec struct {
	// Tool is the name in the headers, [DefaultTool] if empty.
	Tool string
	// Plain writes the document's generic fallback and nothing else: columns
	// sorted by name, null and missing cells empty, CR stripped.
	Plain bool
	// Single keeps AppendEncode from giving the lists of an object sections of
	// their own. It means nothing with Plain, which never does.
	Single bool
	// Reorder makes a table of objects whatever the order of their members, and
	// takes records whose members are not in the order of the fields. They come
	// back in one order, that of the columns, and in nothing else changed. It
	// means nothing with Plain, which sorts the columns.
	Reorder bool
	// Arrange puts the members of the rows of lists in the order of how many rows
	// have something in them, so that empty cells stand together at the end of
	// lines, and reorders as Reorder does. They come back in that order. Streams
	// and Plain take no notice of it.
	Arrange bool
	// Interop refuses, with an error that wraps wire.ErrShape, what the
	// reference decoders would reject, lose or read differently: names with
	// spaces, a CR in a row, lines of 4 MiB.
	Interop bool
	// Text makes Decode take every cell of a column without a type as the
	// string it is, instead of reading numbers, booleans, arrays and objects.
	Text bool
	// Lenient makes decoding accept payloads whose rows= does not match their
	// rows, whose last line is incomplete, or whose headers name a key twice.
	Lenient bool
	Limits  wire.Limits
}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	info := wire.Info{
		Name:       name,
		Variant:    c.variant(),
		Title:      "GCX1, Gortex Compact Wire Format",
		MediaType:  "text/x-gcx",
		Extensions: []string{".gcx"},
		Document:   "GCX1, Gortex Compact Wire Format, draft v1",
		Version:    "1",
		Loss:       wire.LossKinds,
	}
	if c.Plain {
		info.Loss |= wire.LossOrder | wire.LossMissing | wire.LossContent
		info.Accepts = "values of which no table has two keys that differ in carriage returns only"
	}
	if c.Reorder || c.Arrange {
		info.Loss |= wire.LossOrder
	}
	if c.Text {
		info.Loss |= wire.LossContent
	}
	if c.Interop {
		info.Accepts = "values whose top-level keys have no space, comma, backslash or control character"
	}
	return info
}

// WithLimits returns the codec with other limits.
func (c Codec) WithLimits(l wire.Limits) wire.Codec { c.Limits = l; return c }

// Sniff reports whether src begins as a payload of the format, of whatever
// version: only a decoder that gets a later one can say so.
func (c Codec) Sniff(src []byte) bool {
	src = firstLine(src)
	if !bytes.HasPrefix(src, []byte(tagName)) {
		return false
	}
	i := scan.Digits(src, len(tagName))
	return i > len(tagName) && i < len(src) && src[i] == ' '
}

// IsGCX reports whether src, a payload or its beginning, is GCX1: whether its
// first line that is neither blank nor a comment begins a section of version 1.
// A server can ask before it parses its own answer as JSON.
func IsGCX(src []byte) bool { return bytes.HasPrefix(firstLine(src), []byte(tag+" ")) }

// firstLine returns src from its first line on that is neither blank nor a
// comment.
func firstLine(src []byte) []byte {
	src = scan.TrimBOM(src)
	for len(src) > 0 && (src[0] == '#' || src[0] == '\n' || src[0] == '\r') {
		end := bytes.IndexByte(src, '\n')
		if end < 0 {
			return nil
		}
		src = src[end+1:]
	}
	return src
}

func (c Codec) tool() string {
	return cmp.Or(c.Tool, DefaultTool)
}

// AppendEncode appends v as a payload.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if !c.Arrange || c.Plain {
		return c.appendOrdered(dst, v)
	}
	var arranged builder.Builder
	c.Reorder = true
	text, err := c.appendOrdered(dst, arrange.FilledFirst(&arranged, v))
	arranged.GiveBack(err)
	return text, err
}

// appendOrdered is AppendEncode for a value whose members have their order.
func (c Codec) appendOrdered(dst []byte, v wire.Value) ([]byte, error) {
	e := borrowEncoder(c, dst)
	defer e.giveBack()
	switch {
	case c.Plain:
		e.plain(v)
	case !c.Single && worthWrapping(v):
		e.wrapped(v)
	default:
		e.section(e.baseToken(), v, sectionExtras{})
	}
	return e.finish(v)
}

// Decode reads a payload as the value it stands for; see the package comment.
func (c Codec) Decode(src []byte) (wire.Value, error) { return decodeValue(c, src) }

// Internal is for package wire.
func (Codec) Internal() any { return internals{} }

// internals are what package wire calls beside the methods of Codec, see internal/inplace.
type internals struct{ inplace.Of[Codec] }

// BuildsGo makes package wire ask View for Go values too.
func (internals) BuildsGo() {}

// View decodes into memory that is reused.
func (internals) View(c wire.Codec, m *wire.Memory, src []byte, f func(wire.Value) error) error {
	return c.(Codec).view(m, src, f)
}

// view calls f with what Decode returns, in memory that is reused.
func (c Codec) view(m *wire.Memory, src []byte, f func(wire.Value) error) error {
	return withValue(c, m, src, f)
}

// Marshal encodes a Go value with the zero [Codec].
func Marshal(v any) ([]byte, error) { return marshal(&defaultCodec, v) }

// AppendMarshal is Marshal for a payload that is appended to dst. On error it
// returns dst as it was given.
func AppendMarshal(dst []byte, v any) ([]byte, error) { return Codec{}.AppendMarshal(dst, v) }

// Unmarshal decodes src with the zero [Codec] into what v points to.
func Unmarshal(src []byte, v any) error { return unmarshal(&defaultCodec, src, v) }

var (
	defaultCodec  Codec
	defaultLimits = wire.Limits{}.Resolved()
)

// limited reports whether the codec has limits of its own.
func (c *Codec) limited() bool {
	l := &c.Limits
	return l.Depth|l.InputBytes|l.OutputBytes|l.Values|l.LineBytes != 0
}

// Marshal encodes a Go value as [wire.Marshal] does, with the same bytes.
// Structs and slices of structs
// take a shorter way.
func (c Codec) Marshal(v any) ([]byte, error) { return marshal(&c, v) }

// marshal is Codec.Marshal for a codec that is not copied.
func marshal(c *Codec, v any) ([]byte, error) {
	if out, ok := goOutputs.Write(v, func(dst []byte) ([]byte, bool) { return c.appendGo(dst, v) }); ok {
		return out, nil
	}
	return gowire.Marshal(*c, v)
}

// AppendMarshal is Marshal for a payload that is appended to dst. On error it
// returns dst as it was given.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if out, ok := c.appendGo(dst, v); ok {
		return out, nil
	}
	return gowire.AppendMarshal(dst, c, v)
}

// Unmarshal decodes src into what v points to as [wire.Unmarshal] does. Structs
// and slices of structs take a shorter way.
func (c Codec) Unmarshal(src []byte, v any) error { return unmarshal(&c, src, v) }

func unmarshal(c *Codec, src []byte, v any) error {
	if c.unmarshalGo(src, v) {
		return nil
	}
	return wire.Unmarshal(*c, src, v)
}

// shape returns the error for something the format cannot write.
func shape(code, message string) *wire.Error {
	return &wire.Error{Format: name, Code: code, Kind: wire.ErrShape, Message: message}
}

// foreign returns the error of Codec.Interop.
func foreign(what string) *wire.Error {
	return shape("not_interoperable", "the reference decoders cannot read "+what+" back")
}

func outputTooLong() *wire.Error {
	return &wire.Error{Format: name, Code: wire.CodeOutputTooLong, Kind: wire.ErrLimit,
		Message: "the payload gets longer than the limit", Hint: "raise Limits.OutputBytes"}
}

// checkText returns the error for text that is not UTF-8.
func checkText(text []byte) error {
	if scan.IsUTF8(text) {
		return nil
	}
	n := scan.ValidUTF8(text)
	return &wire.Error{Format: name, Code: wire.CodeInvalidUTF8, Kind: wire.ErrUTF8,
		Message: "a text that is not valid UTF-8, behind " + string(text[max(0, n-min(n, 20)):n])}
}
