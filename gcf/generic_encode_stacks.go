package gcf

import "sync"

// The stacks of encoders hold what belongs to the tables being written, innermost on top.
// What is below a pointer into one stays as it is when the stack moves to more memory.

// empty takes all elements off a stack and clears the used ones, so that it refers
// to nothing. It drops the stack if its capacity exceeds most.
func empty[T any](stack *[]T, used, most int) {
	if cap(*stack) > most {
		*stack = nil
		return
	}
	clear((*stack)[:min(used, cap(*stack))])
	*stack = (*stack)[:0]
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// giveBack makes the encoder free for another document, without what belongs to
// this one.
func (e *encoder) giveBack() {
	e.dst, e.measure, e.chained = nil, measure{}, 0
	e.close(&table{}) // what an error has left
	empty(&e.columns, e.used, 1<<10)
	empty(&e.shapes, e.used, 1<<10)
	empty(&e.indexes, e.used, 1<<14)
	e.used = 0
	encoders.Put(e)
}
