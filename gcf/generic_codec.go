package gcf

import (
	"bytes"
	"io"
	"sync"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/arrange"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// Codec is GCF's generic profile as a [wire.Codec]. The zero value writes the
// canonical form of version 3.5.3 and reads every form from 3.0 on. It is safe
// for concurrent use.
//
// With NoFlatten and NoKeyedMaps set, the output is what an encoder of version
// 3.1 writes (numbers and the quotation marks around text like "[1]:" follow
// 3.5.3), which readers older than 3.2 need.
type Codec struct {
	// NoFlatten writes the nested objects of a table's rows as attachments
	// instead of path columns (section 7.4.6). Models of moderate ability read
	// that form more reliably; it is longer.
	NoFlatten bool
	// NoKeyedMaps writes an object of objects as sections instead of one table
	// (section 7.2a).
	NoKeyedMaps bool
	// ReorderNested writes the nested objects of a table's rows as path columns
	// where they have the same members in different orders, too, which the
	// specification bars (section 7.4.6.1). They come back in the order of the
	// columns, as the rows do.
	ReorderNested bool
	// Reorder puts the members of all objects in an order in which rows begin with a
	// letter, where that takes fewer tokens, and does what ReorderNested does. They
	// come back in that order. Streams keep the order of the members of records.
	Reorder bool
	// Dense writes a table only where it is well filled: a keyed table if at
	// least 70 % of its cells have a member, a table of an array if at least
	// 50 % have. Else the objects are sections and items, which the
	// specification has for other objects and arrays (sections 7.2 and 7.6).
	Dense bool
	// NoTrailer leaves out the summary at the end of what NewRecordWriter and
	// [GenericStreamEncoder] write. The reference implementations count lines
	// instead of records there and refuse the trailer of streams with nested
	// records; without it they read them. A reader then cannot tell whether the
	// end was cut off.
	NoTrailer bool
	// Strict refuses documents with deferred counts and without the summary that
	// gives them. The specification wants a reader to accept them (section 8.6);
	// they may be cut.
	Strict bool
	// Warn, if set, is told of each document that is accepted although Strict
	// would refuse it. It must be safe for concurrent use if the codec is used
	// so.
	Warn   func(*wire.Error)
	Limits wire.Limits
}

var _ wire.Codec = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	return wire.Info{
		Name:       lex.FormatName,
		Variant:    c.variant(),
		Title:      "Graph Compact Format, generic profile",
		Prompt:     "GCF: \"## key [N]{a,b}\" heads N records, of which each line has the values of the fields a and b between bars; key=value is a member, - is null, ~ is absent, and ^ is given in the indented lines that follow.",
		MediaType:  "application/vnd.gcf+text",
		Extensions: []string{".gcf"},
		Document:   "GCF Specification",
		Version:    "3.5.3",
		Accepts:    "any value; integers within int64, decimals within a double",
		Loss:       wire.LossOrder | wire.LossNumberText | variants.LossKinds,
	}
}

// ending returns what the codec makes of a document that may be cut.
func (c Codec) ending() lex.Ending { return lex.Ending{Strict: c.Strict, Warn: c.Warn} }

// Sniff reports whether src begins with a GCF header, of either profile.
func (c Codec) Sniff(src []byte) bool {
	line, _, _ := bytes.Cut(scan.TrimBOM(src), []byte{'\n'})
	rest, ok := bytes.CutPrefix(line, []byte("GCF "))
	return ok && (bytes.HasPrefix(rest, []byte("profile=")) || bytes.Contains(rest, []byte(" profile=")))
}

// AppendEncode appends v's encoding in the generic profile.
//
// It refuses integers outside int64 and decimals outside the range of a double
// with an error that wraps [wire.ErrRange]: the format has no form for them.
// Tables over rows that share few members, and deep nesting, can make it far
// longer than the value. Unless Limits.OutputBytes is set, it may take 8 MiB and
// 8 times what the value takes as JSON; tables that are certain to exceed that
// are refused before they are written.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if !c.Reorder {
		return c.appendOrdered(dst, v)
	}
	var arranged builder.Builder
	c.ReorderNested = true
	text, err := c.appendOrdered(dst, arrange.WordFirst(&arranged, v, c.Limits.Resolved().Depth))
	arranged.GiveBack(err)
	return text, err
}

// appendOrdered is AppendEncode for a value whose members have their order.
func (c Codec) appendOrdered(dst []byte, v wire.Value) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.dst = dst
	e.reset(c, len(dst), c.Limits.Resolved())
	e.limit(&c.Limits, len(dst), v)
	e.text(lex.GenericHeader)
	err := e.within(e.root(v))
	text := e.dst
	e.giveBack()
	if err == nil && !scan.IsUTF8(text[len(dst):]) {
		err = wire.Internal.InvalidUTF8(v, lex.FormatName)
	}
	if err != nil {
		return dst, err
	}
	return text, nil
}

// Decode reads one document of either profile; a graph becomes the value that
// [GraphCodec] describes. The value's strings point into one copy of src. Objects
// that path columns make count as values; unless Limits.Values is set, there may
// be 65,536 and one for every two bytes.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	return new(decoder).document(c, src)
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: variants.Codecs(configurations),
	BuildsGo: true,
	View:     describe.View(Codec.view),
	Go:       new(goWays),
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

func (*goWays) AppendGo(c wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	if doc, ok, err := marshalModel(v); ok {
		return append(dst, doc...), true, err
	}
	if variants.IsZero[Codec](c) {
		out, done = appendGo(dst, v)
	}
	return out, done, nil
}

func (*goWays) StoreGo(c wire.Codec, src []byte, v any) (bool, error) {
	if ok, err := unmarshalModel(src, v); ok {
		return true, err
	}
	return variants.IsZero[Codec](c) && unmarshalGo(src, v), nil
}

// view calls f with what Decode returns, in memory that is reused.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	d := decoders.Get().(*decoder)
	d.lent = true
	err := d.View(to, func() (wire.Value, error) { return d.document(c, src) }, f)
	d.idle()
	decoders.Put(d)
	return err
}

// decoders are idle, with the declarations that they read last.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// document reads a document of either profile.
func (d *decoder) document(c Codec, src []byte) (wire.Value, error) {
	d.Ending = c.ending()
	h, err := d.begin(src, c.Limits)
	if err != nil {
		return wire.Value{}, err
	}
	if h.Profile == lex.ProfileGraph {
		return decodeGraphValue(src, c.Limits.Resolved(), c.ending())
	}
	return d.generic(h)
}

// EncodeGeneric returns v's encoding in the generic profile: the canonical form
// of version 3.5.3, as Codec{} writes it.
func EncodeGeneric(v wire.Value) ([]byte, error) { return Codec{}.AppendEncode(nil, v) }

// DecodeGeneric reads one document of the generic profile. Unlike
// [Codec.Decode] it refuses the graph profile.
func DecodeGeneric(src []byte) (wire.Value, error) {
	var d decoder
	h, err := d.begin(src, wire.Limits{})
	if err != nil {
		return wire.Value{}, err
	}
	if h.Profile != lex.ProfileGeneric {
		return wire.Value{}, d.Fail(0, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the document is not in the generic profile", Hint: "use Decode"})
	}
	return d.generic(h)
}

// Marshal encodes a Go value in the generic profile, as [wire.FromGo] sees it.
// Structs and slices of structs that hold strings, numbers, times, and structs,
// slices and maps of those take a shorter way, with the same bytes. A [Graph], a
// [Delta] and an [Unchanged] get their own documents, as Encode and its siblings
// write them.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes a document into what v points to, as [wire.ToGo] does. Zero
// structs and nil slices of structs take a shorter way where Marshal does.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured; the shorter way is that
// of the zero Codec.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
