package choose

import "sync"

// Texts that are measured and not returned share their memory between choices.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, leastBuffer)
	return &b
}}

const (
	leastBuffer = 64 << 10 // enough for most answers, so that buffers need not grow one by one
	mostKept    = 4 << 20  // bounds the memory that waits
)

func borrow() []byte { return (*buffers.Get().(*[]byte))[:0] }

// giveBack takes back the memory of texts that no one looks at any more.
func (s *search) giveBack() {
	for _, b := range [...][]byte{s.text, s.bestText, s.scratch} {
		if cap(b) >= leastBuffer && cap(b) <= mostKept {
			buffers.Put(&b)
		}
	}
}
