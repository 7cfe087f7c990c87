package wirekit

import "sync"

// Texts that are measured and not returned share their memory between choices.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, leastBuffer)
	return &b
}}

// leastBuffer is room for most answers, so that buffers need not grow one by one.
const leastBuffer = 64 << 10

// mostKept bounds the memory that waits.
const mostKept = 4 << 20

func borrow() []byte { return (*buffers.Get().(*[]byte))[:0] }

// giveBack takes memory that no one looks at any more.
func giveBack(b []byte) {
	if cap(b) >= leastBuffer && cap(b) <= mostKept {
		buffers.Put(&b)
	}
}
