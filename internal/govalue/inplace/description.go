package inplace

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A Description is what a codec of this module can do beside the methods that all codecs
// have. Its method Internal returns it; package wire, and what is above it, asks for nothing
// else. What is nil or false the codec cannot do. Functions take the codec, which has the
// described type, and are safe for concurrent use. The type parameters are those of package
// wire, see internal/codec/describe.
type Description[Codec, Value, Limits any] struct {
	// Variants are the documented configurations beside the default, whatever the codec's
	// own is. The Info of each has the codec's Name and a Variant of its own. Limits make no
	// variant.
	Variants []Codec
	// WithLimits returns the codec with other limits. A codec that has them in its field
	// Limits, as nearly all have, needs none.
	WithLimits func(c Codec, l Limits) Codec
	// Wrap returns c, as it is configured, around inner: the codec does to values what needs
	// no text of its own. A registry gives it no name but a suffix to all names: with the
	// wrapper fold it finds "gcf+fold". Its Info has the Suffix that lookups take.
	Wrap func(c, inner Codec) Codec

	// View decodes src into memory that is reused and calls f with the value, which is valid
	// until f returns. The Builder borrows what it is to decode into.
	View func(c Codec, to Target, src []byte, f func(Value) error) error
	// BuildsGo: what an empty interface gets can be made while View reads. Its Builder turns
	// each array and object into a Go value as soon as that is complete, and the slots of the
	// children are free for the next one. There is never a Value of the whole document, which
	// the collector would have to look through. View passes the target on to Builders and asks
	// the arrays and objects that these make for nothing but their keys, by KeysOf.
	BuildsGo bool
	// Go has the direct ways between Go values and text; nil for none.
	Go GoWays[Codec]
	// Untyped: the text has numbers and bools by their spelling only, so that strings take
	// them. Cells: numbers and bools take strings that spell them, too, since other programs
	// quote what they like.
	Untyped, Cells bool
	// Refusal returns why the beginning of a text that begins as the format does is refused,
	// else nil.
	Refusal func(src []byte) error
	// Comment returns the line of the first comment of a text, which its value has not; 0 if
	// there is none.
	Comment func(src []byte) int
	// Locate finds values in texts; nil for codecs that leave it to View.
	Locate Locator[Codec]

	// Columns says what the keys are to the records that NewRecordWriter is given.
	Columns Columns
	// Views reads records that are valid until the loop goes on; nil for codecs that cannot.
	Views RecordViews[Codec, Value]
	// Lines reads records that are JSON on a line each; nil for other formats.
	Lines LineViews[Codec, Value]
	// Cut returns the length of the first record of a text, with what is before it, and
	// whether something ends it there, so that what follows does not matter. It goes with
	// formats in which each record can be read alone.
	Cut func(c Codec, text []byte) (n int, ended bool)
	// Parts cuts streams; nil for codecs that cannot.
	Parts Splitter[Codec, Value]
}

// Locator, LineViews, RecordViews and Splitter are interfaces for the reason that GoWays is
// one.
type (
	LineViews[Codec, Value any] interface {
		// ViewLines is what ViewRecords does, of lines, so that what does not go into its Go
		// variable is found in its line.
		ViewLines(c Codec, to Target, in *lineio.Reader) iter.Seq2[Value, error]
	}
	Locator[Codec any] interface {
		// Locate returns where the value at a path begins in src, or its key does; -1 if that
		// is not known.
		Locate(c Codec, src []byte, path []string, key bool) int
	}
	RecordViews[Codec, Value any] interface {
		// ViewRecords is Records in the memory of View.
		ViewRecords(c Codec, to Target, r io.Reader) iter.Seq2[Value, error]
	}
	Splitter[Codec, Value any] interface {
		// Split cuts a stream between records without decoding them, so that several
		// goroutines can read it.
		Split(c Codec, r io.Reader) lineio.Split[Value]
	}
)

// GoWays are the direct ways between Go values and text. They are methods, which programs
// that call neither do not link.
type GoWays[Codec any] interface {
	// AppendGo appends the text of a Go value; done is false for what it leaves to the Value.
	AppendGo(c Codec, dst []byte, v any) (out []byte, done bool, err error)
	// StoreGo stores what src says in what v points to; done is false, and nothing is stored,
	// for what it leaves to the Value.
	StoreGo(c Codec, src []byte, v any) (done bool, err error)
}

// Columns are the members that the header of a stream names.
type Columns uint8

// The kinds of columns.
const (
	NoColumns    Columns = iota // there is no header, and keys are not used
	FirstColumns                // those of the first records; others are written in another form
	FixedColumns                // those of all records; one that has another member is refused
)

// A Sealed description is what the method Internal of a codec returns.
type Sealed[Codec, Value, Limits any] struct {
	codec gotype.TypeWord
	d     *Description[Codec, Value, Limits]
}

// Seal makes d the description of codecs of type C. A codec that embeds that type, and may
// have methods of its own in place of others, is not one.
func Seal[C, Codec, Value, Limits any](d Description[Codec, Value, Limits]) *Sealed[Codec, Value, Limits] {
	return &Sealed[Codec, Value, Limits]{gotype.WordFor[C](), &d}
}

// Of returns the description, nil if it is not that of c.
func (s *Sealed[Codec, Value, Limits]) Of(t Token, c any) *Description[Codec, Value, Limits] {
	t.Check()
	if word, _ := gotype.Held(c); word != s.codec {
		return nil
	}
	return s.d
}
