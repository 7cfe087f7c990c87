package wire

import (
	"io"
	"iter"
	"math"
	"reflect"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// An Encoder writes Go values as the records of a stream, in any format that
// has records, holding one at a time:
//
//	enc := wire.NewEncoder[Order](gcf.Codec{}, w)
//	for order := range orders {
//		err = enc.Encode(order)
//		…
//	}
//	err = enc.Close()
//
// It gathers some text before it writes; Flush writes at once. A value that cannot
// be written is an error about that value alone: those before it are written,
// nothing of it is, and others can follow. After an error of the writer below it
// writes nothing more. It keeps the last record until the next one or Close. It is not
// safe for concurrent use.
type Encoder[T any] struct {
	// Options say how records become Values.
	Options Options

	to     recordEncoder
	record T // the last one
}

// NewEncoder returns an Encoder of records to w. Formats with a header need to
// know the members that records have: the columns, if they are given, in their
// order; otherwise the fields of T if that is a struct or a pointer to one, and
// those of the first record for all other types. Where records are the rows of a
// table, one that is not an object, such as a nil pointer, is an error; the other
// formats write null for that.
func NewEncoder[T any](c Streamer, w io.Writer, columns ...string) *Encoder[T] {
	e := new(Encoder[T])
	e.to.init(reflect.TypeFor[T](), c, w, columns)
	return e
}

// Encode writes one record, which is v as [FromGo] sees it.
func (e *Encoder[T]) Encode(v T) error {
	e.record = v
	variable := any(&e.record)
	if e.to.pointers {
		variable = v
	}
	return e.to.encode(e.Options, reflect.ValueOf(&e.record), variable)
}

// Flush writes the records that were gathered, so that readers can have them. A
// format that begins with the number of its records, TOON, has nothing to write
// before Close.
func (e *Encoder[T]) Flush() error { return e.to.flush() }

// Close writes what the format wants at the end and flushes; without a record it
// writes what the format has for none. CSV and Markdown have nothing for none where
// neither T nor columns name the members: that is an error. It does not close the
// writer below.
func (e *Encoder[T]) Close() error {
	var none T
	e.record = none // which refers to memory of the caller
	return e.to.close()
}

// A recordEncoder is an [Encoder] of records whose type is a value.
type recordEncoder struct {
	codec      Streamer
	w          io.Writer
	typ        reflect.Type // of the records
	keys       *Keys
	out        RecordWriter
	direct     goRecordWriter // out, if that is one
	pointers   bool           // records are
	plan       *fromPlan
	conversion fromGo
	n          int   // records written
	err        error // of NewEncoder
}

func (e *recordEncoder) init(t reflect.Type, c Streamer, w io.Writer, columns []string) {
	e.codec, e.w, e.typ, e.pointers = c, w, t, t.Kind() == reflect.Pointer
	if len(columns) > 0 {
		e.keys, e.err = NewKeys(columns...)
	} else {
		e.keys = fieldKeys(t)
	}
}

// encode writes the record that p points to. variable is p, or the record if that is a
// pointer.
func (e *recordEncoder) encode(o Options, p reflect.Value, variable any) error {
	if e.err != nil {
		return e.err
	}
	if e.direct != nil && o == (Options{}) {
		if done, err := e.direct.WriteGo(variable); done {
			return e.count(err)
		}
	}
	c := &e.conversion
	c.begin(o)
	if e.plan == nil || e.plan.in != c.plans {
		e.plan = c.plans.fromPlan(e.typ, addressable)
	}
	if err := e.plan.convert(c, p.UnsafePointer(), &c.result); err != nil {
		c.recycle()
		if failed := e.flush(); failed != nil {
			return failed
		}
		return AtIndex(err, e.n)
	}
	var err error
	if e.out == nil {
		err = e.begin(c.result)
	}
	if err == nil {
		err = e.out.Write(c.result)
	}
	c.overwrite()
	return e.count(err)
}

// count counts a record that is written, unless there was an error.
func (e *recordEncoder) count(err error) error {
	if err == nil {
		e.n++
	}
	return err
}

// begin makes the writer of records like the first one.
func (e *recordEncoder) begin(first Value) (err error) {
	keys := e.keys
	if keys == nil && first.Kind() == KindObject {
		keys = first.Keys()
		trial, err := e.codec.NewRecordWriter(io.Discard, keys)
		if err == nil {
			err = trial.Write(first)
		}
		if err != nil {
			return err // and the columns are those of a later record
		}
	}
	e.out, err = e.codec.NewRecordWriter(e.w, keys)
	if describe(e.codec) != &foreign {
		e.direct, _ = e.out.(goRecordWriter)
	}
	return err
}

func (e *recordEncoder) flush() error {
	if e.out == nil {
		return e.err
	}
	return e.out.Flush()
}

func (e *recordEncoder) close() error {
	e.conversion = fromGo{} // which refers to memory of the caller
	if e.err == nil && e.out == nil {
		e.out, e.err = e.codec.NewRecordWriter(e.w, e.keys)
	}
	if e.err != nil {
		return e.err
	}
	return e.out.Close()
}

// fieldKeys returns the members that structs of a type have if no optional one is
// left out; nil for all other types.
func fieldKeys(t reflect.Type) *Keys {
	plan := common.fromPlan(t, addressable)
	for plan.typ.Op == gotype.Pointer && plan.method() == gotype.NoMethod {
		plan = common.fromPlan(plan.typ.T.Elem(), addressable)
	}
	if plan.typ.Op != gotype.Struct || plan.method() != gotype.NoMethod {
		return nil
	}
	s := plan.structure()
	if s.rest != nil {
		return nil
	}
	return structKeys(s.typ, 1<<len(s.optional)-1, s.fields)
}

// A Decoder reads the records of a stream as Go values, in any format that has
// records, holding one at a time:
//
//	for order, err := range wire.NewDecoder[Order](gcf.Codec{}, r).All() {
//		…
//	}
type Decoder[T any] struct {
	// Options say how records become Go values.
	Options Options

	codec Streamer
	r     io.Reader
}

// NewDecoder returns a Decoder of the records of r.
func NewDecoder[T any](c Streamer, r io.Reader) *Decoder[T] { return &Decoder[T]{codec: c, r: r} }

// All reads records until the end of the reader or an error of reading, which is the
// last pair. Each record is stored as [ToGo] does in a T of its own. An error of that, an
// [*Error] with Format "wire", is about this record alone: a loop that goes on gets the
// next one. With an error comes the zero T. The small pieces of memory that ToGo mentions
// may be shared by several records. The path in an error begins with the record's
// position, counted from 0. All can be called once.
func (d *Decoder[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var record, none T
		decodeRecords(d.codec, d.r, d.Options, reflect.ValueOf(&record), func(err error) bool {
			if err != nil {
				return yield(none, err)
			}
			more := yield(record, nil)
			record = none
			return more
		})
	}
}

// decodeRecords stores each record in what at points to, which is zero then, and calls
// stored, with an error for one that does not go there. An error of reading is the last call.
func decodeRecords(c Streamer, r io.Reader, o Options, at reflect.Value, stored func(error) bool) {
	n := 0
	var conversion toGo
	d := describe(c)
	from := originOf(c, math.MaxInt)
	from.reused = d.Views != nil
	invalid := conversion.begin(o, from)
	plan := conversion.plans.toPlan(at.Type().Elem(), false)
	to := new(inplace.Record)
	if o == (Options{}) {
		to.V = at.Interface()
	}
	records, place := recordsOf(c, r, d, to)
	for v, err := range records {
		ended := err != nil || invalid != nil
		if err == nil && !to.Stored {
			if err = invalid; err == nil {
				err = conversion.store(plan, v, at)
			}
			if err != nil {
				err = AtIndex(place(err), n)
			}
		}
		if !stored(err) || ended {
			return
		}
		if err != nil {
			at.Elem().SetZero()
		}
		to.Stored = false
		n++
	}
}

// recordsOf returns the records, in memory that is reused if the codec can do that, and what
// gives an error of storing the last one its position, where the format has a line for each.
func recordsOf(codec Streamer, r io.Reader, d *description, to *inplace.Record) (iter.Seq2[Value, error], func(error) error) {
	switch {
	case d == &jsonDescription:
		s := codec.(JSON).viewStream(to, r)
		return s.run, s.locate
	case d.Views == nil:
		return codec.Records(r), func(err error) error { return err }
	case d.Lines == nil:
		return d.Views.ViewRecords(codec, to, r), func(err error) error { return err }
	}
	in := lineio.NewReader(r, limitsOf(codec).Resolved().LineBytes)
	return d.Lines.ViewLines(codec, to, in), func(err error) error {
		if e, ok := locate(JSON{}, in.Line(), err).(*Error); ok && e.Line > 0 {
			return Internal.Shift(e, in.Offset(), in.Number()-1, 0)
		}
		return err
	}
}
