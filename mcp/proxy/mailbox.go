package proxy

import (
	"io"
	"sync"
)

// A mailbox holds messages until they are taken. Putting one never waits.
type mailbox struct {
	mu     sync.Mutex
	list   [][]byte
	closed bool
	ready  chan struct{} // has an element when there may be something new
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

// put adds a message. A closed mailbox takes none.
func (b *mailbox) put(message []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.list = append(b.list, message)
		b.wake()
	}
}

// close ends it once what it holds is taken.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.wake()
}

func (b *mailbox) wake() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take returns what is there, and whether more may come.
func (b *mailbox) take() (list [][]byte, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, b.list = b.list, nil
	return list, !b.closed
}

// A mailReader reads messages as lines. One goroutine reads.
type mailReader struct {
	box  *mailbox
	rest []byte
	list [][]byte
}

func (r *mailReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if len(r.list) > 0 {
			r.rest, r.list = append(oneLine(r.list[0]), '\n'), r.list[1:]
			continue
		}
		list, more := r.box.take()
		if len(list) == 0 && !more {
			return 0, io.EOF
		}
		if len(list) == 0 {
			<-r.box.ready
		}
		r.list = list
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
