//go:build !js

package wire

import (
	"sync/atomic"
	"weak"
)

// sparing says that a spare holds something.
const sparing = true

// A spare holds memory that is too large to keep as if nobody did: the collector
// takes it, as it takes what a large document left ever since. Until then the next
// large document gets it, so that one after the other leave little. A spare is safe
// for concurrent use.
type spare[T any] [32]atomic.Pointer[weak.Pointer[T]]

// take returns memory that is still there, nil if none is.
func (s *spare[T]) take() *T {
	for i := range s {
		if s[i].Load() == nil {
			continue
		}
		if left := s[i].Swap(nil); left != nil {
			if memory := left.Value(); memory != nil {
				return memory
			}
		}
	}
	return nil
}

// leave takes memory that nobody uses any more. If there is much already, some of
// it is forgotten.
func (s *spare[T]) leave(memory *T) {
	left := weak.Make(memory)
	for i := range s {
		if s[i].CompareAndSwap(nil, &left) {
			return
		}
	}
	s[0].Store(&left)
}
