package wire

import (
	"io"
	"math"
	"reflect"
)

// A Memory is one that the documents of a test share, and no others.
type Memory struct{ memory }

// View is the function [View] in this memory.
func (m *Memory) View(c Codec, src []byte, f func(Value) error) error {
	return describe(c).View(c, &m.memory, src, f)
}

// ReadJSONGo is the direct path of JSON.
func ReadJSONGo(src []byte, v any) bool { return new(JSON).unmarshalGo(src, v) }

// A TypedEncoder is an [Encoder] of records of a type that is made at run time.
type TypedEncoder struct{ to recordEncoder }

// NewTypedEncoder is [NewEncoder] for records of type t.
func NewTypedEncoder(t reflect.Type, c Streamer, w io.Writer, columns ...string) *TypedEncoder {
	e := new(TypedEncoder)
	e.to.init(t, c, w, columns)
	return e
}

// Keys are the columns, nil if they are those of the first record.
func (e *TypedEncoder) Keys() *Keys { return e.to.keys }

// Close is [Encoder.Close].
func (e *TypedEncoder) Close() error { return e.to.close() }

// Encode writes the record that p points to, and reports whether that took no Value.
func (e *TypedEncoder) Encode(p reflect.Value) (direct bool, err error) {
	variable := p.Interface()
	if e.to.pointers {
		variable = p.Elem().Interface()
	}
	out := &watchedWriter{goRecordWriter: e.to.direct}
	if e.to.direct != nil {
		e.to.direct = out
	}
	err = e.to.encode(Options{}, p, variable)
	if e.to.direct == out {
		e.to.direct = out.goRecordWriter
	}
	if name := e.to.codec.Info().Name; out.done && (name == "jsonl" || name == "bcp") { // they have AppendMarshal decide
		_, out.done, _ = jsonDescription.Go.AppendGo(JSON{}, nil, variable)
	}
	return out.done, err
}

// A watchedWriter remembers whether it has written the last record.
type watchedWriter struct {
	goRecordWriter
	done bool
}

func (w *watchedWriter) WriteGo(v any) (done bool, err error) {
	w.done, err = w.goRecordWriter.WriteGo(v)
	return w.done, err
}

// DecodeTyped reads records as a [Decoder] does into what at points to, which is zero.
func DecodeTyped(c Streamer, r io.Reader, at reflect.Value, stored func(error) bool) {
	decodeRecords(c, r, Options{}, at, stored)
}

// StoreTyped is [ToGo] for a Value that c has decoded.
func StoreTyped(c Codec, v Value, at reflect.Value) error {
	var d toGo
	if err := d.begin(Options{}, originOf(c, math.MaxInt)); err != nil {
		return err
	}
	return d.store(d.plans.toPlan(at.Type().Elem(), false), v, at)
}
