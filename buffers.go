package wirekit

import (
	"bytes"
	"sync"
)

// Texts that are measured and not returned share their memory between choices.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// mostKept bounds the memory that waits.
const mostKept = 4 << 20

func borrow() []byte { return (*buffers.Get().(*[]byte))[:0] }

// giveBack takes memory that nobody looks at any more.
func giveBack(b []byte) {
	if cap(b) > 0 && cap(b) <= mostKept {
		buffers.Put(&b)
	}
}

// clipped returns a text that is given away, in memory that is not much longer.
func clipped(text []byte) []byte {
	if cap(text) < 2*len(text)+64 {
		return text
	}
	clone := bytes.Clone(text)
	giveBack(text)
	return clone
}
