package audit

import "slices"

// A record is a text that a tool returned.
type record struct {
	tool  string
	key   key   // of the text
	text  *text // nil for an image
	again int   // how many more requests carried it, as recount finds

	failed bool
	whole  bool // the tool returned nothing else
	repeat bool // an earlier result in the context was the same
	run    *run // nil where no earlier result has lines of it
}

// A run is a result with references to runs of lines.
type run struct{ references, tokens int }

// A thread is a conversation: its requests, and the results that each carries.
type thread struct {
	records []record
	turns   []turn // its requests
	next    turn   // the one that comes: its time and model, and what it will have
	from    int    // the first record that is still in the context
	waiting bool   // something was said since the last request
	last    string // id of the last answer
	used    int    // tokens of the requests, by the provider's count
	seen    map[key]bool

	// For what is asked for:
	name   string // of the file
	said   said
	ledger ledger

	// Of whole requests, each of which has all results before it:
	whole   bool
	nth     int   // the next result of the request
	earlier []int // records of the request before, in their order
}

// threadIn returns the thread of a name, a new one if there is none yet.
func (f *file) threadIn(threads map[string]*thread, name string) *thread {
	if threads[name] == nil {
		threads[name] = &thread{seen: make(map[key]bool), name: f.name, said: said{known: make(map[string]bool), told: make(map[string]bool)}}
	}
	return threads[name]
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
		t.send(nil)
	}
}

// send notes a request that carries results, and all records of the context.
func (t *thread) send(results []int) {
	t.next.results, t.next.from, t.next.to = results, t.from, len(t.records)
	t.turns = append(t.turns, t.next)
	t.next.input, t.next.output = 0, 0
}

// recount finds how many more requests carried each record.
func (t *thread) recount() {
	changes := make([]int, len(t.records)+1) // of the number of requests, to that of the record before
	for _, turn := range t.turns {
		changes[turn.from]++
		changes[turn.to]--
		for _, i := range turn.results {
			changes[i]++
			changes[i+1]--
		}
	}
	requests := 0
	for i := range t.records {
		requests += changes[i]
		t.records[i].again = max(0, requests-1)
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
	t.whole, t.nth = true, 0
	clear(t.seen)
	t.next.said, t.next.blocks = 0, 0
}

// sendAll ends such a line.
func (t *thread) sendAll() {
	t.whole = false
	t.lose()
	t.from = len(t.records)
	t.send(slices.Clone(t.earlier))
}

// lose notes that the results of the request before are gone from the next one on.
func (t *thread) lose() {
	if t.nth < len(t.earlier) {
		t.earlier, t.ledger = t.earlier[:t.nth], ledger{}
		t.next.context++
	}
}

// resent reports whether the request before had the next result, r, too.
func (t *thread) resent(r record) bool {
	if t.nth < len(t.earlier) {
		if e := t.records[t.earlier[t.nth]]; e.key == r.key && e.tool == r.tool {
			return true
		}
		t.lose()
	}
	return false
}

// add adds a result.
func (t *thread) add(r record) {
	r.repeat = t.seen[r.key] && r.text != nil
	t.seen[r.key] = true
	t.next.blocks++
	if t.resent(r) {
		t.nth++
		return
	}
	if t.whole {
		t.earlier = append(t.earlier, len(t.records))
		t.nth++
	}
	t.records = append(t.records, r)
}
