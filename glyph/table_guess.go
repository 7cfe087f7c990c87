package glyph

import "github.com/wirekit/wirekit/wire"

// Which form of a list is shorter is known when all lists within it are. To look at
// them before anything is written costs a walk over the value, so the form is
// guessed, and what the lists within would save is summed up while they are
// written. A list whose form turns out to be the longer one is written again, by a
// plan. Either way the text is that of the plan.

// guesses is the state of guessing for one document.
type guesses struct {
	saved  int // bytes by which the lists that are complete are shorter, or could be outside of a table
	open   int // lists under way that are no table because of a guess
	misses int
}

const (
	// maxOpen bounds how often a part of a text is written again.
	maxOpen = 3
	// maxGuessMisses is how many guesses of a document may fail before all lists are
	// planned.
	maxGuessMisses = 8
	// sampled is how many rows tell what the lists within the rows of a shape save
	// before any were written.
	sampled = 4
)

// shorter appends the list v, whose first element is an object, in the form that is
// shorter.
func (e *encoder) shorter(v wire.Value, depth int) {
	from, before := len(e.dst), e.guesses.saved
	if e.guesses.open < maxOpen && e.guesses.misses < maxGuessMisses {
		if e.guessed(v, depth) {
			return
		}
		e.dst, e.cell, e.err = e.dst[:from], false, nil
		e.guesses.saved = before
		e.guesses.misses++
	}
	p := &e.plan
	p.clear()
	p.left = e.maxLen - from
	saved := p.measure(e, v, depth)
	if p.left < 0 {
		e.tooLong()
		return
	}
	p.followed = true
	e.planned(v, depth)
	p.followed = false
	e.guesses.saved = before + saved
}

// planned appends a list as the plan says.
func (e *encoder) planned(v wire.Value, depth int) {
	if columns := e.plan.next(); columns != nil {
		e.table(v, columns, depth)
	} else {
		e.list(v, depth)
	}
}

// guessed appends a list in the form that is likely to be the shorter one, and
// reports whether it is and nothing has failed.
func (e *encoder) guessed(v wire.Value, depth int) bool {
	g, n, from := &e.guesses, v.Len(), len(e.dst)
	before := g.saved
	first := e.shapes.like(e.plan.guess, v.Index(0).Keys(), &e.settings)
	e.plan.guess = first
	saved := e.uniformSaved(first, n)
	expected := 0
	if saved > 0 {
		expected = e.expected(v, first, depth)
	}
	if saved > expected {
		uniform := e.uniformTable(v, first, depth)
		if !uniform && e.err == nil {
			e.dst, e.cell, g.saved = e.dst[:from], false, before
			saved = e.unionTable(v, depth, expected)
		}
		within := g.saved - before
		if e.err != nil || saved <= within {
			return false
		}
		e.shapes.list[first].note(n, within)
		g.saved = before + saved
		return true
	}
	g.open++
	uniform := e.list(v, depth)
	g.open--
	if e.err != nil {
		return false
	}
	within := g.saved - before
	e.shapes.list[first].note(n, within)
	if !uniform {
		_, saved = e.plan.table(e, v)
	}
	return saved <= within
}

// unionTable appends a list of objects with different keys as a table if that is
// likely to be shorter, and returns by how many bytes it is; 0 if it has appended
// nothing.
func (e *encoder) unionTable(v wire.Value, depth, expected int) int {
	columns, saved := e.plan.table(e, v)
	if saved <= expected {
		return 0
	}
	e.plan.columns = append(e.plan.columns[:0], columns...) // lists in cells have unions, too
	e.table(v, e.plan.columns, depth)
	return saved
}

// withinTable appends a list in a table's cell and counts what it could save
// elsewhere.
func (e *encoder) withinTable(v wire.Value, depth int) {
	before := e.guesses.saved
	var saved int
	if e.list(v, depth) {
		saved = e.uniformSaved(e.shapes.like(e.plan.guess, v.Index(0).Keys(), &e.settings), v.Len())
	} else {
		_, saved = e.plan.table(e, v)
	}
	e.guesses.saved = max(e.guesses.saved, before+saved)
}

// uniformSaved returns by how many bytes a table of n objects of the shape is
// shorter than a list of them, a number below one if there is none.
func (e *encoder) uniformSaved(id int32, n int) int {
	s := &e.shapes.list[id]
	columns := s.to - s.from
	if columns == 0 || columns > e.maxCols {
		return 0
	}
	list := n + len("[]") - 1 + n*(s.labels+len("{}")-1)
	return list - tableFrame - n*(columns+len("|\n")) - s.labels + columns
}

// expected returns what the lists within the objects of v, the first of which has
// the shape, are likely to save.
func (e *encoder) expected(v wire.Value, id int32, depth int) int {
	n := v.Len()
	if s := &e.shapes.list[id]; s.rows > 0 {
		return int(float64(s.within) / float64(s.rows) * float64(n))
	}
	p, saved, rows := &e.plan, 0, min(n, sampled)
	p.left = e.maxLen - len(e.dst)
	for i := range rows {
		if row := v.Index(i); row.Kind() == wire.KindObject {
			saved += p.children(e, row, depth+1)
		}
	}
	p.clear()
	return int(float64(saved) / float64(rows) * float64(n))
}

// note remembers what the lists within n objects of the shape have saved.
func (s *shape) note(n, within int) {
	s.rows += n
	s.within += within
}

// uniformTable appends v as a table of objects of the shape. It reports false if
// not all elements are, or an error occurred.
func (e *encoder) uniformTable(v wire.Value, id int32, depth int) bool {
	s := &e.shapes.list[id]
	columns, keys := e.shapes.slots[s.from:s.to], s.keys
	e.tableHead(columns, v.Len())
	e.cell = true
	for i := range v.Len() {
		row := v.Index(i)
		if row.Kind() != wire.KindObject {
			return false
		}
		if row.Keys() != keys {
			if keys = row.Keys(); !e.shapes.same(e.shapes.of(keys, &e.settings), id) {
				return false
			}
		}
		if e.row(row, id, columns, depth+1); e.err != nil {
			return false
		}
	}
	e.cell = false
	e.dst = append(e.dst, "@end"...)
	return true
}
