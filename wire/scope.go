package wire

import (
	"bytes"
	"io"
	"iter"
	"sync"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// View calls f with the value that c decodes from src. The value and everything in it,
// its keys and texts too, are valid until f returns: codecs of this module reuse their
// memory. What f wants to keep it clones. So a value that only passes through leaves no
// garbage. View returns the error of the decoder, without calling f, or what f returns.
// It is safe for concurrent use.
//
// An [Error] that f returns is changed: what may be text of the value is copied. So f
// returns one of its own, not a variable that other goroutines have too.
//
// About 1 MiB is kept for each processor. What a document needs beyond that is the
// collector's when it is done; until that has run twice, another large document gets it.
// In a program that is built with the tag wirekitdebug, or with the race detector, memory
// is not reused, and using a value after f has returned panics.
func View(c Codec, src []byte, f func(Value) error) error {
	if d := describe(c); d.View != nil {
		return d.View(c, nil, src, f)
	}
	v, err := c.Decode(src)
	if err != nil {
		return err
	}
	return f(v)
}

// ViewRecords is the Records of s for records that are valid until the loop goes on: a
// codec of this module reuses their memory, as that of the value of [View]. What is to
// stay longer is cloned.
func ViewRecords(s Streamer, r io.Reader) iter.Seq2[Value, error] {
	if d := describe(s); d.Views != nil {
		return d.Views.ViewRecords(s, nil, r)
	}
	return s.Records(r)
}

// Convert decodes src from one format and encodes it in another, both by name.
// An empty from means the format that [Registry.Detect] finds. What the codecs
// may lose on the way is in their Info; an error leaves nothing half done.
func (r *Registry) Convert(src []byte, from, to string) ([]byte, error) {
	target, err := r.Lookup(to)
	if err != nil {
		return nil, err
	}
	var source Codec
	if from == "" {
		source, err = r.Detect(src)
	} else {
		source, err = r.Lookup(from)
	}
	if err != nil {
		return nil, err
	}
	c := newConversion(target, len(src))
	return c.result(View(source, src, c.encode))
}

// A conversion is what an encoder needs while it uses a value. An idle one
// has a buffer for results whose length is not known before.
type conversion struct {
	target Codec
	dst    []byte
	buffer *output // that dst begins in
	kept   output
	last   int               // the length of the last result
	encode func(Value) error // append, bound once
}

// An output is a buffer for results. Only what begins in it is kept: what a codec returns
// from elsewhere may be its own.
type output struct {
	text []byte
	need int // what the last result took, if it did not fit
}

// room returns the empty buffer, in which the last result would have fitted.
func (o *output) room() []byte {
	if o.need > cap(o.text) {
		o.text = gotype.Room(o.need)
	}
	return o.text[:0]
}

// outputs are those of large results.
var outputs sync.Pool

var converters = sync.Pool{New: func() any {
	c := new(conversion)
	c.encode = c.append
	return c
}}

const (
	// maxKeptOutput bounds an idle buffer.
	maxKeptOutput = 1 << 18
	// maxCopied is the length up to which a result is copied out of its buffer.
	maxCopied = 1 << 24
	// maxGuess bounds what a wrong guess of a length can cost.
	maxGuess = 4 << 20
)

// append encodes the value. The result is copied as long as the value is there:
// an allocation may begin a collection, which leaves what is in use.
func (c *conversion) append(v Value) (err error) {
	if c.dst, err = c.target.AppendEncode(c.dst, v); err == nil {
		c.copy()
	}
	return err
}

// newConversion returns an idle conversion for a document of about that size, 0 for one that
// may be as long as the last.
func newConversion(target Codec, size int) *conversion {
	c := converters.Get().(*conversion)
	if c.buffer = &c.kept; size == 0 {
		size = min(c.last, maxGuess)
	}
	if size > maxKeptOutput/mostLarge {
		c.buffer = largeOutput(size, c.buffer)
	}
	c.dst, c.target = c.buffer.room(), target
	return c
}

// result makes the conversion idle and returns what it came to: a result of exactly its
// length, unless it is so long that another copy would cost more than it saves.
func (c *conversion) result(err error) ([]byte, error) {
	out := c.dst
	if c.buffer != &c.kept && cap(c.buffer.text)+c.buffer.need > 0 {
		outputs.Put(c.buffer)
	}
	c.dst, c.target, c.buffer, c.last = nil, nil, nil, len(out)
	converters.Put(c)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// copy replaces the result, which lies in the buffer, by a copy.
func (c *conversion) copy() {
	out := c.dst
	if len(out) > maxCopied {
		c.buffer = new(output) // the other is given away
		return
	}
	if c.buffer == &c.kept && len(out) > maxKeptOutput {
		c.buffer = new(output)
	}
	if !scan.SameStart(out, c.buffer.text) {
		c.buffer.need = min(cap(out), 2*len(out)+64) // encoders may need more than they leave
	}
	c.dst = bytes.Clone(out)
}

// largeOutput returns a buffer for the result of a text of that length: one that a
// large result left, a new one, or kept if that may do.
func largeOutput(size int, kept *output) *output {
	if large, ok := outputs.Get().(*output); ok {
		if max(cap(large.text), large.need) <= mostLarge*size {
			return large
		}
		outputs.Put(large)
	}
	if size <= maxKeptOutput {
		return kept
	}
	return &output{text: make([]byte, 0, size)}
}
