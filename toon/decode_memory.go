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
// share.
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
}

// forget ends the time of what the parser has learned.
func (p *parser) forget() {
	if p.learned != nil {
		p.learned.reset()
		lessons.Put(p.learned)
		p.learned = nil
	}
}

// headings is memory for the field lists of a document.
type headings struct {
	lists  slab[fieldList]
	fields slab[field]
	open   []field // of the lists that are not complete
}

const (
	// maxLists and maxFields bound an idle one.
	maxLists  = 256
	maxFields = 1 << 10
)

// idleHeadings are empty.
var idleHeadings = sync.Pool{New: func() any { return new(headings) }}

// openLists returns how many fields are open. Only a parser that is done one day takes
// memory that others had.
func (p *parser) openLists() int {
	switch {
	case p.headings != nil:
	case p.entire:
		p.headings = idleHeadings.Get().(*headings)
	default:
		p.headings = new(headings)
	}
	return len(p.headings.open)
}

// completeList makes the list of the open fields from mark on. Those of a stream outlive
// the part of it that they are in, so they have memory of their own.
func (p *parser) completeList(list fieldList, mark int) *fieldList {
	h := p.headings
	open := h.open[mark:]
	var made *fieldList
	if p.entire {
		made = &h.lists.take(1, maxLists)[0]
		list.fields = h.fields.take(len(open), maxFields)
	} else {
		made = new(fieldList)
		list.fields = make([]field, len(open))
	}
	copy(list.fields, open)
	*made = list
	clear(open)
	h.open = h.open[:mark]
	return made
}

// reset ends the time of all lists.
func (h *headings) reset() {
	clear(h.open)
	if h.open = h.open[:0]; cap(h.open) > maxFields {
		h.open = nil
	}
	h.lists.reset(maxLists)
	h.fields.reset(maxFields)
}

// done ends the time of what the parser of a whole document has made beside Values.
func (p *parser) done() {
	p.forget()
	if p.headings != nil {
		p.headings.reset()
		idleHeadings.Put(p.headings)
		p.headings = nil
	}
}
