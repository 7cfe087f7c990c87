package gcf

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// Tables over objects that share few members, and lines at deep indentation,
// can be far longer than the value is as JSON. Unless the caller sets
// Limits.OutputBytes, an encoder's limit is therefore in proportion to that.
const (
	// freeOutput is what every value may be encoded to.
	freeOutput = 8 << 20
	// outputFactor is by how much the encoding of a large value may exceed its
	// JSON.
	outputFactor = 8
)

// measure is a limit of output that depends on the value, which is looked at
// once the encoding has become long.
type measure struct {
	depends bool // unless it does, the limit is what it is
	pending bool // the value was not looked at yet
	value   wire.Value
	start   int // of what is limited in the buffer
}

// firstStep is where a buffer begins to be doubled when it is full. append would
// make it longer by a quarter, and leave a multiple of its length to the
// collector on the way to a long document.
const firstStep = 256 << 10

// limit sets the limit of what is written after the first n bytes of e's buffer
// for the value v, unless there is one that was set.
func (e *encoder) limit(l *wire.Limits, n int, v wire.Value) {
	if l.OutputBytes == 0 {
		e.measure, e.max = measure{depends: true, pending: true, value: v, start: n}, bound.Add(n, firstStep)
	}
}

// over reports whether the output is longer than it may be.
func (e *encoder) over() bool { return len(e.dst) > e.max && !e.extend() }

// extend makes room for more output, and reports whether there may be more.
func (e *encoder) extend() bool {
	if e.exceeds(len(e.dst)) {
		return false
	}
	e.dst = slices.Grow(e.dst, min(len(e.dst), e.max-len(e.dst)))
	return true
}

// exceeds reports whether an output of n bytes, which is more than max, is too
// long after all. It raises max, at last by what the value allows.
func (e *encoder) exceeds(n int) bool {
	m := &e.measure
	for m.pending && n > e.max {
		if free := bound.Add(m.start, freeOutput); e.max < free {
			e.max = min(bound.Times(e.max, 2), free)
			continue
		}
		m.pending = false
		size := jsonSize(m.value, e.depth+maxMeasuredDepth)
		e.max = min(bound.Add(e.max, bound.Times(size, outputFactor)), bound.Add(m.start, bound.OutputBytes))
	}
	return n > e.max
}

// maxMeasuredDepth is how much deeper than what is being written a value is
// measured.
const maxMeasuredDepth = 512

// reason explains a limit that was not set.
func (m *measure) reason() string {
	if !m.depends {
		return ""
	}
	return ", which unless it is set is 8 MiB and 8 times the value as JSON"
}

// jsonSize returns about how long v is as JSON without blanks and escapes, down
// to that depth.
func jsonSize(v wire.Value, depth int) int {
	if depth == 0 {
		return 0
	}
	var buf [32]byte
	switch v.Kind() {
	case wire.KindNull, wire.KindBool:
		return len("null")
	case wire.KindString:
		return len(v.Text()) + 2
	case wire.KindArray:
		size := 2
		for e := range v.Elements() {
			size += jsonSize(e, depth-1) + 1
		}
		return size
	case wire.KindObject:
		size := 2
		for key, e := range v.Members() {
			size += len(key) + jsonSize(e, depth-1) + 4
		}
		return size
	}
	return len(wire.Internal.AppendText(buf[:0], v)) + 2
}
