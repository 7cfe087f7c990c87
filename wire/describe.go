package wire

import (
	"cmp"
	"io"
	"iter"
	"reflect"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// A description is what a codec of this module can do.
type description = inplace.Description[Codec, Value, Limits]

// jsonDescription is that of [JSON].
var jsonDescription = description{
	Variants: []Codec{JSON{Indent: prettyIndent}, JSON{RejectDuplicates: true}},
	View: func(c Codec, to inplace.Target, src []byte, f func(Value) error) error {
		return c.(JSON).view(to, src, f)
	},
	Go:    jsonGo{},
	Views: jsonViews{},
}

// jsonViews reads the elements of an array in memory that is reused.
type jsonViews struct{}

func (jsonViews) ViewRecords(c Codec, to inplace.Target, r io.Reader) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) { c.(JSON).viewStream(to, r).run(yield) }
}

// jsonGo are JSON's direct ways between Go values and text.
type jsonGo struct{}

func (jsonGo) AppendGo(c Codec, dst []byte, v any) (out []byte, done bool, err error) {
	if j := c.(JSON); j.marshalsStraight(v) {
		out, done = appendGo(dst, v)
	}
	return out, done, nil
}

func (jsonGo) StoreGo(c Codec, src []byte, v any) (done bool, err error) {
	j := c.(JSON)
	return j.unmarshalGo(src, v), nil
}

// foreign is the description of the codecs of other modules, which can do nothing more.
var foreign description

// describe returns the description of c.
func describe(c any) *description {
	switch c := c.(type) {
	case JSON:
		return &jsonDescription
	case interface{ Internal() any }:
		if s, ok := c.Internal().(*inplace.Sealed[Codec, Value, Limits]); ok {
			return cmp.Or(s.Of(inplace.Ours(), c), &foreign)
		}
	}
	return &foreign
}

// A forkingWriter is a RecordWriter for which several goroutines can make the text of
// records, run by run.
type forkingWriter interface {
	RecordWriter
	// Fork returns an appender of records as they are in this writer's stream.
	Fork() lineio.Appender[Value]
	// Join writes text, which a fork made of the next records. They end at ends in it.
	Join(text []byte, ends []int) error
}

// A goRecordWriter is a RecordWriter with a direct way from Go values to records.
type goRecordWriter interface {
	// WriteGo is Write for the Value of v, a pointer, where that has such a way; done is
	// false for all else.
	WriteGo(v any) (done bool, err error)
}

// withField returns c, a codec of this module, with another value in its field of that name.
// One that has none of the value's type, or is of another module, is returned as it is.
func withField[T any](c Codec, name string, value T) Codec {
	if describe(c) == &foreign {
		return c
	}
	if _, ok := fieldOf[T](reflect.ValueOf(c), name); !ok {
		return c
	}
	changed := reflect.New(reflect.TypeOf(c)).Elem()
	changed.Set(reflect.ValueOf(c))
	changed.FieldByName(name).Set(reflect.ValueOf(&value).Elem())
	return changed.Interface().(Codec)
}
