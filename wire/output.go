package wire

import (
	"bytes"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// goResults makes the texts of Go values. It remembers how long those of long lists
// were, by format and type, so that the next one is written into memory that it can
// keep. All others are written into a buffer that stays, and copied.
type goResults struct {
	lengths gotype.Memo[longLists, *atomic.Int64] // of an element, in 16ths of a byte
}

type longLists struct {
	format *description
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

// resultsOfGo are those of [Marshal].
var resultsOfGo goResults

// write returns the text of v in the format that d describes; done is false for what that
// leaves to the Value.
func (o *goResults) write(d *description, c Codec, v any) (text []byte, done bool, err error) {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice && r.Len() >= longList && r.Type().Elem().Kind() == reflect.Struct {
		return o.writeList(d, c, r, v)
	}
	buffer := buffers.Get().(*[]byte)
	out, done, err := d.Go.AppendGo(c, (*buffer)[:0], v)
	if done && err == nil {
		text = make([]byte, len(out))
		copy(text, out)
	}
	if n := cap(out); n > cap(*buffer) && n <= maxBuffer {
		*buffer = out
	}
	buffers.Put(buffer)
	return text, done, err
}

func (o *goResults) writeList(d *description, c Codec, r reflect.Value, v any) (text []byte, done bool, err error) {
	const unit, begin = 16, 64 // bytes besides those of the elements
	length := o.lengths.Of(longLists{d, r.Type()}, func(longLists) *atomic.Int64 { return new(atomic.Int64) })
	guess := length.Load()*int64(r.Len())/unit + begin
	out, done, err := d.Go.AppendGo(c, gotype.Room(int(min(guess+guess/32, maxOutput))), v)
	if !done || err != nil {
		return nil, done, err
	}
	length.Store(int64(len(out))*unit/int64(r.Len()) + 1)
	if unused := cap(out) - len(out); unused > len(out)/8 {
		return bytes.Clone(out), true, nil
	}
	return out[:len(out):len(out)], true, nil // what is after it is not cleared
}
