package audit

// A record is a text that a tool returned.
type record struct {
	tool  string
	text  *text // nil for an image
	again int   // how many more requests carried it
	first int   // the request that carried it first, counted from 1; 0 for none

	failed bool
	whole  bool // the tool returned nothing else
	repeat bool // an earlier result in the context was the same
	sent   bool // again is known
}

// A thread is a conversation: its requests, and the results that each carries.
type thread struct {
	records  []record
	from     int // the first record that is still in the context
	fresh    int // the first that no request has carried
	requests int
	waiting  bool   // something was said since the last request
	last     string // id of the last answer
	used     int    // tokens of the requests, by the provider's count
	seen     map[key]bool

	// Of whole requests, each of which has all results before it:
	whole   bool
	nth     int   // the next result of the request
	earlier []int // records of the request before, in their order
	keys    []key
}

// threadIn returns the thread of a name, a new one if there is none yet.
func threadIn(threads map[string]*thread, name string) *thread {
	if threads[name] == nil {
		threads[name] = &thread{seen: make(map[key]bool)}
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
	if t.whole {
		return
	}
	t.requests++
	for i := t.fresh; i < len(t.records); i++ {
		t.records[i].first = t.requests
	}
	t.fresh = len(t.records)
}

// forget ends the context: a summary has taken its place.
func (t *thread) forget() {
	for i := t.from; i < len(t.records); i++ {
		if r := &t.records[i]; r.first > 0 && !r.sent {
			r.again = t.requests - r.first
			r.sent = true
		}
	}
	t.from, t.fresh = len(t.records), len(t.records)
	clear(t.seen)
}

// begin begins a line that is a whole request.
func (t *thread) begin() {
	t.whole, t.nth = true, 0
	clear(t.seen)
}

// sendAll ends such a line.
func (t *thread) sendAll() {
	t.whole = false
	t.requests++
	t.earlier, t.keys = t.earlier[:t.nth], t.keys[:t.nth]
	t.from, t.fresh = len(t.records), len(t.records)
}

// add adds a result.
func (t *thread) add(r record, k key) {
	r.repeat = t.seen[k] && r.text != nil
	t.seen[k] = true
	if !t.whole {
		t.records = append(t.records, r)
		return
	}
	if t.nth < len(t.keys) && t.keys[t.nth] == k && t.records[t.earlier[t.nth]].tool == r.tool {
		t.records[t.earlier[t.nth]].again++
	} else {
		r.sent = true
		t.earlier = append(t.earlier[:t.nth], len(t.records))
		t.keys = append(t.keys[:t.nth], k)
		t.records = append(t.records, r)
	}
	t.nth++
}
