package wire

import (
	"io"
	"iter"
	"slices"
	"strings"
)

// A Codec writes values in one format and reads them back. Implementations are
// plain structs: the zero value is the documented default, the fields are
// options, and the methods are safe for concurrent use.
//
// A codec may have more methods. With these a registry can detect its format, and
// [WithLimits] can set its limits:
//
//	// Sniff reports whether src, a document or its beginning, is in the codec's
//	// format. It is cheap and may be wrong about malformed input.
//	Sniff(src []byte) bool
//	// WithLimits returns the codec with other limits.
//	WithLimits(Limits) Codec
//
// A codec that has records is a [Streamer].
//
// The Format of its errors is the Name of its Info, also where the fault was found by
// [Object], [Number] or another codec: it sets the Format of that [*Error]. Those of Decode
// have a position, which [ErrorAt] gives them; a [Builder] says of a key given twice where it
// is read. A codec that writes text refuses strings and keys that are not UTF-8 with
// [ErrUTF8].
type Codec interface {
	// Info describes the codec as it is configured.
	Info() Info
	// AppendEncode appends v's encoding to dst. On error it returns dst as it
	// was given. It keeps nothing of v, whose memory may be reused, see
	// [View]; what it has to keep it clones.
	AppendEncode(dst []byte, v Value) ([]byte, error)
	// Decode reads one whole document. On error the value is null. The value
	// shares no memory with src.
	Decode(src []byte) (Value, error)
}

// Info describes a codec.
type Info struct {
	Name       string   // as in a registry, in lower case: "gcf"
	Variant    string   // the configuration's name; "" for the default, "custom" for one without a name
	Suffix     string   // of the full name, by the codecs that this one is wrapped in: "+fold"
	Title      string   // the format's full name
	Prompt     string   // a sentence that tells a model how to read it; "" if it is binary
	MediaType  string   // registered or customary media type
	Extensions []string // of file names, with the dot, the usual one first; not to be changed
	Document   string   // the document implemented
	Version    string   // the document's version
	Binary     bool     // false: the encoding is UTF-8 text
	Accepts    string   // which values can be encoded; "" for all
	Loss       Loss     // every way in which Decode(AppendEncode(v)) may differ from v
}

// FullName returns the name of the format and of the configuration, as
// [Registry.Lookup] takes it: "glyph", "glyph:canonical", "gcf+fold".
func (i Info) FullName() string {
	if i.Variant == "" {
		return i.Name + i.Suffix
	}
	return i.Name + ":" + i.Variant + i.Suffix
}

// customVariant is the Variant of a configuration that no lookup finds.
const customVariant = "custom"

// Loss is the set of ways in which a value that was encoded and decoded again
// may differ from the original. Members that a codec could not carry at all are
// errors, not losses.
type Loss uint16

// The losses.
const (
	LossOrder      Loss = 1 << iota // the order of an object's members
	LossNumberText                  // a number's spelling, with its value kept: 1.0, 1e3, -0
	LossPrecision                   // digits of a number beyond float64's
	LossMissing                     // a member that is absent comes back as null, or the reverse
	LossBytes                       // bytes come back as a base64 string
	LossTime                        // a time comes back as a string
	LossTag                         // a format's own kind of scalar comes back as a plain string
	LossContent                     // content is left out or cut, by the format's design
)

var lossNames = [...]string{
	"member order", "number spelling", "number precision", "absent and null members",
	"bytes as text", "time as text", "scalar tags", "content",
}

// MarshalText returns what String does.
func (l Loss) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText takes what String returns.
func (l *Loss) UnmarshalText(text []byte) error {
	var losses Loss
	for name := range strings.SplitSeq(string(text), ", ") {
		i := slices.Index(lossNames[:], name)
		if i < 0 && string(text) != "none" {
			return goError(codeInvalidString, ErrType, "unknown loss %.40q", name)
		}
		if i >= 0 {
			losses |= 1 << i
		}
	}
	*l = losses
	return nil
}

// String lists the losses, "none" for the empty set.
func (l Loss) String() string {
	var names []string
	for i, name := range lossNames {
		if l&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// WithLimits returns c with other limits, whatever its type is: that is the field Limits
// for all codecs of this module. A codec of another module without a method WithLimits, see
// [Codec], is returned as it is.
func WithLimits(c Codec, l Limits) Codec {
	if with := describe(c).WithLimits; with != nil {
		return with(c, l)
	}
	if limiter, ok := c.(interface{ WithLimits(Limits) Codec }); ok {
		return limiter.WithLimits(l)
	}
	return withField(c, "Limits", l)
}

// A Streamer is a codec that writes and reads records, the elements of one
// array, holding one at a time.
type Streamer interface {
	Codec
	// NewRecordWriter returns a writer of records. keys are the members that
	// every record has, in order; formats without a header accept nil and take
	// records of any shape.
	NewRecordWriter(w io.Writer, keys *Keys) (RecordWriter, error)
	// Records reads records until the end of r or the first error, which is
	// the last pair.
	Records(r io.Reader) iter.Seq2[Value, error]
}

// A RecordWriter writes one record after the other. It is not safe for
// concurrent use.
//
// It gathers some text before it writes, and only ever writes whole records. A
// record that cannot be written is an error about that record alone: nothing of it
// is written, and others can follow. After an error of the writer below nothing
// more is written.
type RecordWriter interface {
	// Write writes a record. It keeps nothing of it but its keys. Before it returns
	// an error about the record, whose path begins with the record's index, it flushes
	// those that precede it.
	Write(record Value) error
	// Flush writes what was gathered, so that readers can have it. A format that
	// begins with the number of its records, TOON, has nothing to write before Close.
	Flush() error
	// Written returns how many records the writer below has taken whole.
	Written() int
	// Close writes what the format wants at the end and flushes. It does not
	// close the writer below.
	Close() error
}
