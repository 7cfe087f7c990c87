package goon

import (
	"bytes"
	"cmp"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

const name = "goon"

// version is the goon_version that is written by default: the version that the
// document specifies.
const version = "1.0.0"

// Codec is the codec of GOON. It accepts responses in their JSON form, and
// nothing else; see [FromValue] for the form, [ParseJSON] for the envelope and
// [FromList] for lists of other objects.
type Codec struct {
	// Version is the goon_version to write. "" means 1.0.0. A
	// response that has a version of its own keeps it.
	Version string
	// Expand names properties and columns whose texts are never truncated.
	Expand []string
	// NoTruncate writes every text whole.
	NoTruncate bool
	// Strict refuses what the document forbids and the servers that write GOON
	// are known to do: to count repeated edges in the header, to leave out the
	// section @paths or @rows where there are none, to write a date and time
	// with a blank in it bare. By default these are warnings.
	Strict bool
	// Lenient accepts texts that a model has rewritten as well: wrong or missing
	// counts, missing or unknown sections, no final line feed, blank lines,
	// blanks at the ends of lines, bare values that ought to be quoted. Warn is told of
	// everything that other decoding refuses.
	// Decoding with Strict as well is an error.
	Lenient bool
	// Warn, if not nil, is called with the first 64 faults that were overlooked in
	// a text, once the text has been read, of blanks at the ends of lines with the first 32.
	Warn   func(*wire.Error)
	Limits wire.Limits
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: variants.Codecs(configurations),
	Go:       new(goWays),
})

// goWays are the direct ways between Go values and text.
type goWays struct{}

func (*goWays) AppendGo(codec wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	c := codec.(Codec)
	if r, ok := v.(Response); ok {
		v = &r
	}
	if r, ok := v.(*Response); ok && r != nil {
		out, err = c.AppendResponse(dst, r)
		return out, true, err
	}
	out, done = c.appendGo(dst, v)
	return out, done, nil
}

func (*goWays) StoreGo(c wire.Codec, src []byte, v any) (done bool, err error) {
	r, ok := v.(*Response)
	if !ok || r == nil {
		return false, nil
	}
	decoded, err := c.(Codec).DecodeResponse(src)
	if err == nil {
		*r = *decoded
	}
	return true, err
}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	return wire.Info{
		Name:       name,
		Variant:    c.variant(),
		Title:      "GOON (Graph Object Output Notation)",
		Prompt:     "GOON: @nodes lists nodes by type, an id and name=value pairs a line; @edges or @paths connect them as type:id; name_len=N says that a text was cut.",
		MediaType:  "text/x-goon",
		Extensions: []string{".goon"},
		Document:   "GKG ADR 012: GOON Format",
		Version:    version,
		Accepts:    "graph query responses: an object with query_type, nodes and edges",
		Loss: wire.LossOrder | wire.LossNumberText | wire.LossPrecision | wire.LossMissing |
			variants.LossKinds | wire.LossContent,
	}
}

// Sniff reports whether src, a document or its beginning, is GOON: whether its first
// line is @header. A client that expects JSON can ask before it trips over the @.
func (c Codec) Sniff(src []byte) bool {
	rest, ok := bytes.CutPrefix(scan.TrimBOM(src), []byte(headerMark))
	return ok && (len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r')
}

// AppendEncode appends the GOON text of a response in its JSON form. An error
// for any other value wraps wire.ErrShape and has the path of what does not
// fit.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if _, ok := enveloped(v); ok {
		return dst, misfit("the response is inside of an envelope", "encode the value of its member result")
	}
	r, err := fromValue(v)
	if err != nil {
		return dst, err
	}
	return c.AppendResponse(dst, r)
}

// AppendResponse appends the GOON text of r. On error it returns dst as it
// was given. It does not modify r. A string that is not valid UTF-8 is an error
// if it is written; what is cut off or not shown is not looked at.
func (c Codec) AppendResponse(dst []byte, r *Response) ([]byte, error) {
	e := newEncoder(c, dst)
	if err := e.response(r, arrange(r), nil); err != nil {
		return dst, err
	}
	return e.dst, nil
}

// Decode reads one GOON text into the response's JSON form. That has no place
// for the breadcrumb of a cut text if the node has a property of the same name
// as well, or for header lines that the document does not know;
// DecodeResponse keeps both.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	r, err := c.DecodeResponse(src)
	if err != nil {
		return wire.Value{}, err
	}
	if r.Version == c.writtenVersion() {
		r.Version = "" // the codec writes it again anyway
	}
	w := writer{untouched: true}
	return w.response(r), nil
}

// DecodeResponse reads one GOON text.
func (c Codec) DecodeResponse(src []byte) (*Response, error) { return decode(c, src) }

func (c Codec) writtenVersion() string { return cmp.Or(c.Version, version) }
