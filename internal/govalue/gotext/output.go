package gotext

import (
	"bytes"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// Outputs makes the texts of Go values. It remembers how long those of long lists
// were, by format and type, so that the next one is written into memory that it can
// keep. All others are written into a buffer that stays, and copied.
type Outputs struct{ lengths sync.Map } // longLists to *atomic.Int64, of an element, in 16ths of a byte

type longLists struct {
	format any
	typ    reflect.Type
}

const (
	// longList is the number of elements from which a list is a long one.
	longList = 64
	// maxBuffer bounds the buffers that are kept.
	maxBuffer = 1 << 20
	// maxOutput bounds what a wrong guess can cost.
	maxOutput = 4 << 20
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 1<<10); return &b }}

// Write returns the text of v in a format, which is any pointer, that f appends to an
// empty slice; false if f reports that.
func (o *Outputs) Write(format, v any, f func(dst []byte) ([]byte, bool)) ([]byte, bool) {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice && r.Len() >= longList && r.Type().Elem().Kind() == reflect.Struct {
		return o.writeList(format, r, f)
	}
	buffer := buffers.Get().(*[]byte)
	out, ok := f((*buffer)[:0])
	var text []byte
	if ok {
		text = make([]byte, len(out))
		copy(text, out)
	}
	if n := cap(out); n > cap(*buffer) && n <= maxBuffer {
		*buffer = out
	}
	buffers.Put(buffer)
	return text, ok
}

func (o *Outputs) writeList(format any, r reflect.Value, f func(dst []byte) ([]byte, bool)) ([]byte, bool) {
	const unit, begin = 16, 64 // bytes besides those of the elements
	lists := longLists{format, r.Type()}
	known, ok := o.lengths.Load(lists)
	if !ok {
		known, _ = o.lengths.LoadOrStore(lists, new(atomic.Int64))
	}
	length := known.(*atomic.Int64)
	guess := length.Load()*int64(r.Len())/unit + begin
	out, ok := f(gotype.Room(int(min(guess+guess/32, maxOutput))))
	if !ok {
		return nil, false
	}
	length.Store(int64(len(out))*unit/int64(r.Len()) + 1)
	if unused := cap(out) - len(out); unused > len(out)/8 {
		return bytes.Clone(out), true
	}
	return out[:len(out):len(out)], true // what is after it is not cleared
}
