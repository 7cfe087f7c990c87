package toon

import "sync"

// What a parser learns about a document is forgotten when that is read, and its
// memory is used for the next one. Only key lists stay what they are, and they are
// the Values'.

// A slab is memory for many things of a kind.
type slab[T any] struct {
	chunk []T // len is what is taken
	taken int // of all chunks
}

// take returns room for n things. Where there is none, it begins a larger chunk, of up
// to most things.
func (s *slab[T]) take(n, most int) []T {
	const least = 16
	from := len(s.chunk)
	if n > cap(s.chunk)-from {
		s.chunk, from = make([]T, 0, max(n, min(2*cap(s.chunk), most), least)), 0
	}
	s.taken += n
	s.chunk = s.chunk[:from+n]
	return s.chunk[from : from+n : from+n]
}

// untake gives back the last n things taken.
func (s *slab[T]) untake(n int) {
	s.taken -= n
	s.chunk = s.chunk[:len(s.chunk)-n]
}

// reset forgets all things, and leaves a chunk of more than most to the collector.
func (s *slab[T]) reset(most int) {
	clear(s.chunk)
	s.chunk, s.taken = s.chunk[:0], 0
	if cap(s.chunk) > most {
		s.chunk = nil
	}
}

// lessons are idle, and know nothing.
var lessons = sync.Pool{New: func() any { return new(learned) }}

// shared returns what the parser has learned, for the sites that objects and items
// share and for field lists.
func (p *parser) shared() *learned {
	if p.learned == nil {
		p.learned = lessons.Get().(*learned)
	}
	return p.learned
}

// reset forgets the document.
func (l *learned) reset() {
	clear(l.objects[:])
	clear(l.items[:])
	l.layouts.reset(maxLayouts)
	l.sites.reset(maxSites)
	l.labels.reset(maxLabels)
	clear(l.known[:])
	clear(l.open)
	if l.open = l.open[:0]; cap(l.open) > maxFields {
		l.open = nil
	}
	l.lists.reset(maxLists)
	l.fields.reset(maxFields)
}

// forget ends the time of what the parser has learned.
func (p *parser) forget() {
	if p.learned != nil {
		p.learned.reset()
		lessons.Put(p.learned)
		p.learned = nil
	}
}

// maxLists and maxFields bound the field lists of idle memory.
const (
	maxLists  = 256
	maxFields = 1 << 10
)

// completeList makes the list of the open fields from mark on.
func (l *learned) completeList(list fieldList, mark int) *fieldList {
	open := l.open[mark:]
	made := &l.lists.take(1, maxLists)[0]
	list.fields = l.fields.take(len(open), maxFields)
	copy(list.fields, open)
	*made = list
	clear(open)
	l.open = l.open[:mark]
	return made
}
