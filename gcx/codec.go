package gcx

import (
	"bytes"
	"cmp"
	"io"
	"reflect"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/arrange"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// name is the format's name in registries and errors.
const name = "gcx"

// defaultTool is what a [Codec] without a Tool calls its sections.
const defaultTool = "data"

// The codes of the document's protocol errors, which package envelope makes.
const (
	ErrCodeUnknownRepo     = "unknown_repo"      // a name is not in the active workspace
	ErrCodeMissingRepoList = "missing_repo_list" // scope fan-out without repo
	ErrCodeMissingRepo     = "missing_repo"      // scope repo without repo
	ErrCodeRepoNotAllowed  = "repo_not_allowed"  // scope workspace with repo
	ErrCodeWrongRepoShape  = "wrong_repo_shape"  // repo has the wrong type for the scope
)

// Codec writes any value as a GCX1 payload and reads it back. The zero value
// is lossless for JSON's data model; see the package comment for what it adds
// to the document's generic fallback.
type Codec struct {
	// Tool is the name in the headers, "data" if empty.
	Tool string
	// Plain writes the document's generic fallback and nothing else: columns
	// sorted by name, null and missing cells empty, CR stripped.
	Plain bool
	// Single keeps AppendEncode from giving the lists of an object sections of
	// their own. Plain never does: the two together are an error.
	Single bool
	// Reorder makes a table of objects whatever the order of their members, the
	// fullest columns first, so that empty cells are together at the end of lines,
	// and takes records whose members are not in the order of the fields. They come
	// back in one order, that of the columns, and in nothing else changed. Plain
	// sorts the columns: the two together are an error.
	Reorder bool
	// Interop refuses, with an error that wraps wire.ErrShape, what the
	// reference decoders would reject, lose or read differently: names with
	// spaces, a CR in a row, lines of 4 MiB.
	Interop bool
	// AllStrings makes Decode take every cell of a column without a type as the
	// string it is, instead of reading numbers, booleans, arrays and objects.
	AllStrings bool
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
		Prompt:     "GCX1: a header line has fields=a,b; each line after it is a record with the values of the fields between tabs.",
		MediaType:  "text/x-gcx",
		Extensions: []string{".gcx"},
		Document:   "GCX1, Gortex Compact Wire Format, draft v1",
		Version:    "1",
		Loss:       variants.LossKinds,
	}
	if c.Plain {
		info.Loss |= wire.LossOrder | wire.LossMissing | wire.LossContent
		info.Accepts = "values of which no table has two keys that differ in carriage returns only"
	}
	if c.Reorder {
		info.Loss |= wire.LossOrder
	}
	if c.AllStrings {
		info.Loss |= wire.LossContent
	}
	if c.Interop {
		info.Accepts = "values whose top-level keys have no space, comma, backslash or control character"
	}
	return info
}

// Sniff reports whether src begins as a payload of the format, of whatever version: only
// a decoder that gets a later one can report that. A server can ask before it parses its
// own answer as JSON.
func (c Codec) Sniff(src []byte) bool {
	src = scan.TrimBOM(src)
	if src = src[contentStart(src):]; !bytes.HasPrefix(src, []byte(tagName)) {
		return false
	}
	i := scan.Digits(src, len(tagName))
	return i > len(tagName) && i < len(src) && src[i] == ' '
}

func (c Codec) tool() string {
	return cmp.Or(c.Tool, defaultTool)
}

// AppendEncode appends v as a payload.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if !c.Reorder {
		return c.appendOrdered(dst, v)
	}
	var arranged builder.Builder
	text, err := c.appendOrdered(dst, arrange.FilledFirst(&arranged, v))
	arranged.GiveBack(err)
	return text, err
}

// appendOrdered is AppendEncode for a value whose members have their order.
func (c Codec) appendOrdered(dst []byte, v wire.Value) ([]byte, error) {
	if err := c.check(); err != nil {
		return dst, err
	}
	e := encoders.Get().(*valueEncoder).begin(&c, dst)
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

// check refuses options that contradict each other.
func (c *Codec) check() error {
	switch {
	case c.Plain && c.Single:
		return variants.Invalid(name, "Single", "set with Plain", "one of the two")
	case c.Plain && c.Reorder:
		return variants.Invalid(name, "Reorder", "set with Plain", "one of the two")
	}
	return nil
}

// Decode reads a payload as a value; see the package comment.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	d := decoders.Get().(*valueDecoder)
	d.b.Borrow(inplace.Owned{})
	v, err := d.decode(&c, src)
	d.b.GiveBack(nil)
	d.release()
	return v, err
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: variants.Codecs(configurations),
	BuildsGo: true,
	View:     describe.View(Codec.view),
	Go:       new(goWays),
	Untyped:  true,
	Views:    streams{},
	Columns:  inplace.FixedColumns,
	Parts:    streams{},
})

// streams are what a codec does with streams.
type streams struct{}

func (streams) Split(c wire.Codec, r io.Reader) records.Parts {
	return records.Split(splitter{c.(Codec)}, r)
}

// goWays are the direct ways between Go values and text.
type goWays struct{}

func (*goWays) AppendGo(codec wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	c := codec.(Codec)
	if out, done = c.appendGo(dst, v); done {
		return out, true, nil
	}
	sections, isList := v.([]Section)
	if list, ok := v.(*[]Section); ok && list != nil {
		sections, isList = *list, true
	}
	if isList {
		out, err = c.AppendSections(dst, sections...)
		return out, true, err
	}
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct || !isModel(t) {
		return dst, false, nil
	}
	out, err = c.AppendResult(dst, v)
	return out, true, err
}

func (*goWays) StoreGo(codec wire.Codec, src []byte, v any) (done bool, err error) {
	c := codec.(Codec)
	if c.unmarshalGo(src, v) {
		return true, nil
	}
	if sections, ok := v.(*[]Section); ok && sections != nil {
		decoded, err := c.DecodeSections(src)
		if err == nil {
			*sections = decoded
		}
		return true, err
	}
	if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Pointer && isModel(t.Elem()) {
		return true, c.DecodeResult(src, v)
	}
	return false, nil
}

// view decodes into memory that is reused.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	d := decoders.Get().(*valueDecoder)
	err := d.b.View(to, func() (wire.Value, error) { return d.decode(&c, src) }, f)
	d.release()
	return err
}

// Marshal encodes a Go value with the zero [Codec]: a tool's result, which embeds
// [Extras], in its layout, a slice of [Section] as these sections, and any other as
// [wire.Marshal] does.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src with the zero [Codec] into what v points to, as Marshal writes
// it.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }

// isModel reports whether Go values of a type are sections or a result, and not a value.
func isModel(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t == reflect.TypeFor[[]Section]()
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type == extrasType {
			return true
		}
	}
	return false
}

// shape returns the error for something the format cannot write.
func shape(code, message string) *wire.Error {
	return &wire.Error{Format: name, Code: code, Kind: wire.ErrShape, Message: message}
}

// miscount returns the error for a number that is not the one declared; missing says that
// the end may be what is missing.
func miscount(code string, missing bool, message string) *wire.Error {
	e := &wire.Error{Format: name, Code: code, Kind: wire.ErrChecksum, Message: message}
	if missing {
		e.Kind = wire.ErrTruncated
	}
	return e
}

// renamed makes an error of package wire one of this format.
func renamed(err error) error {
	if e, ok := err.(*wire.Error); ok {
		e.Format = name
	}
	return err
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
		Message: "a text that is not valid UTF-8, after " + string(text[max(0, n-min(n, 20)):n])}
}
