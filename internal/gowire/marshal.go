package gowire

import (
	"bytes"
	"sync"

	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/wire"
)

// buffers are for encodings that are copied once their length is known.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const (
	// minBuffer and maxBuffer bound the buffers that are kept.
	minBuffer = 1 << 12
	maxBuffer = 1 << 20
)

// Marshal is wire.Marshal for a codec that keeps nothing of the Value that it
// encodes, as those of this module do.
func Marshal(c wire.Codec, v any) (encoded []byte, err error) {
	buffer := buffers.Get().(*[]byte)
	err = wire.Internal.ViewGo(v, func(value wire.Value) (err error) {
		if *buffer == nil { // it would grow in many steps
			*buffer = gotype.Room(max(minBuffer, min(builder.SizeHint(value), maxBuffer)))
		}
		*buffer, err = c.AppendEncode((*buffer)[:0], value)
		return err
	})
	if err == nil {
		encoded = bytes.Clone(*buffer)
	}
	if cap(*buffer) <= maxBuffer {
		buffers.Put(buffer)
	}
	return encoded, err
}

// Unmarshal is wire.Unmarshal for what a codec's own Unmarshal leaves to Values.
func Unmarshal(c wire.Codec, src []byte, v any) error { return wire.Internal.Unmarshal(c, src, v) }
