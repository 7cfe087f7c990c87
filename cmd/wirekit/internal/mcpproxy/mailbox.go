package mcpproxy

import (
	"context"
	"io"
	"slices"
	"sync"
)

// A mailbox holds messages until they are taken. Putting one never waits.
type mailbox struct {
	most  int  // bytes that are held, but for a single message
	drops bool // a full mailbox drops its oldest messages; one that does not refuses new ones

	mu     sync.Mutex
	list   [][]byte
	size   int // bytes of list
	closed bool
	ready  chan struct{} // has an element when there may be something new
}

// overhead is what a message takes beside its bytes, roughly.
const overhead = 64

func newMailbox(most int, drops bool) *mailbox {
	return &mailbox{most: most, drops: drops, ready: make(chan struct{}, 1)}
}

// put adds a message, if the mailbox is not closed. It returns false for one that is refused.
func (b *mailbox) put(message []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.drops && b.size > 0 && b.size+len(message)+overhead > b.most {
		return false
	}
	if !b.closed {
		b.insert(len(b.list), message)
	}
	for b.drops && b.size > b.most && len(b.list) > 1 {
		b.remove()
	}
	return true
}

// putBack adds a message that was taken but has not arrived, before the others.
func (b *mailbox) putBack(message []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.insert(0, message)
}

func (b *mailbox) insert(at int, message []byte) {
	b.list = slices.Insert(b.list, at, message)
	b.size += len(message) + overhead
	b.wake()
}

func (b *mailbox) remove() []byte {
	message := b.list[0]
	b.list[0] = nil
	if b.list = b.list[1:]; len(b.list) == 0 {
		b.list = nil
	}
	b.size -= len(message) + overhead
	return message
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

// take returns the oldest message, nil if there is none, and whether more are
// there or may come.
func (b *mailbox) take() (message []byte, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.list) > 0 {
		message = b.remove()
	}
	return message, !b.closed || len(b.list) > 0
}

// next is take once a message is there or none can come any more. Once ctx has ended it
// takes nothing.
func (b *mailbox) next(ctx context.Context) (message []byte, more bool) {
	for ctx.Err() == nil {
		if message, more = b.take(); message != nil || !more {
			return message, more
		}
		select {
		case <-b.ready:
		case <-ctx.Done():
		}
	}
	return nil, true
}

// A mailReader reads messages as lines. One goroutine reads.
type mailReader struct {
	box  *mailbox
	rest []byte
}

func (r *mailReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		message, _ := r.box.next(context.Background())
		if message == nil {
			return 0, io.EOF
		}
		r.rest = append(oneLine(message), '\n')
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
