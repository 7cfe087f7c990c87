package audit

import "slices"

// A record is what a tool returned. A context is a path of records, so that a request has all of
// what it carries in its last one.
type record struct {
	tool   string
	text   *text
	before int // the record before it in its context, 0 for none
	next   int // and the one after it in the last whole request, 0 for none
	again  int // how many more requests carried it, as recount finds

	failed bool
	whole  bool // the tool returned nothing else
	repeat bool // an earlier result in the context was the same
	run    *run // nil where no earlier result has lines of it
}

// A run is a result with references to runs of lines.
type run struct{ references, tokens int }

// A thread is a conversation: its requests, and the results that each carries.
type thread struct {
	records []record // the first is none: what is before those of every context
	turns   []turn   // its requests
	next    turn     // the one that comes: its time and model, and what it will have
	from    int      // how many records are not in the context any more
	waiting bool     // something was said since the last request
	last    string   // id of the last answer
	used    int      // tokens of the requests, by the provider's count
	seen    map[key]bool

	// For what is asked for:
	name   string // of the file
	said   said
	ledger ledger

	whole bool // the line is a request, which has all results before it
}

// answer notes an answer, and reports whether it is the first sign of a request. Parts of
// one answer have the same id, or come without anything said between them.
func (t *thread) answer(id string) bool {
	if id != "" && id == t.last || id == "" && !t.waiting {
		return false
	}
	t.last = id
	t.request()
	return true
}

// request notes a request: it carries all results of the context.
func (t *thread) request() {
	t.waiting = false
	if !t.whole {
		t.send()
	}
}

// send notes a request that carries the context.
func (t *thread) send() {
	t.turns = append(t.turns, t.next)
	t.next.input, t.next.output = 0, 0
}

// recount finds how many more requests carried each record. What the first one has means nothing.
func (t *thread) recount() {
	for _, turn := range t.turns {
		t.records[turn.last].again++
	}
	for i, r := range slices.Backward(t.records) {
		t.records[r.before].again += r.again
		t.records[i].again = max(0, r.again-1)
	}
}

// count notes what a provider has counted of the last request, or of the one that a line is.
func (t *thread) count(input, output int) {
	last := &t.next
	if n := len(t.turns); n > 0 && !t.whole {
		last = &t.turns[n-1]
	}
	last.input, last.output = max(last.input, input), max(last.output, output)
}

// forget ends the context: a summary has taken its place.
func (t *thread) forget() {
	t.from = len(t.records)
	clear(t.seen)
	clear(t.said.told)
	t.ledger = ledger{}
	t.next = turn{at: t.next.at, model: t.next.model, context: t.next.context + 1}
}

// begin begins a line that is a whole request.
func (t *thread) begin() {
	t.whole = true
	clear(t.seen)
	t.next.last, t.next.said, t.next.blocks = 0, 0, 0
}

// sendAll ends such a line.
func (t *thread) sendAll() {
	t.whole = false
	t.lose()
	t.send()
	t.from, t.next.last = len(t.records), 0
}

// lose notes that the results that came next in the request before are gone.
func (t *thread) lose() {
	if last := &t.records[t.next.last]; last.next > 0 {
		last.next, t.ledger = 0, ledger{}
		t.next.context++
	}
}

// add adds a result, and reports whether the request before did not have it.
func (t *thread) add(r record) bool {
	t.seen[r.text.key] = true
	t.next.blocks++
	r.before = t.next.last
	if t.whole {
		next := t.records[r.before].next
		if e := t.records[next]; next > 0 && e.text.key == r.text.key && e.tool == r.tool {
			t.next.last = next
			return false
		}
		t.lose()
		t.records[r.before].next = len(t.records)
	}
	t.next.last = len(t.records)
	t.records = append(t.records, r)
	return true
}
