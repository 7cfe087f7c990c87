package gcf

import (
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// Outcome says which of the three answers a payload is (section 10a.4).
type Outcome uint8

// The outcomes.
const (
	OutcomeFull Outcome = iota
	OutcomeDelta
	OutcomeUnchanged
)

// String returns the outcome's name.
func (o Outcome) String() string {
	switch o {
	case OutcomeDelta:
		return "delta"
	case OutcomeUnchanged:
		return "unchanged"
	}
	return "full"
}

// DefaultReAnchorTurns is how often a [SetSession] sends a full payload
// (section 10a.8).
const DefaultReAnchorTurns = 15

// A ReAnchor is the policy of when to send a full payload although a delta would
// do, so that a model need not reconstruct a long chain (section 10a.8).
type ReAnchor struct {
	// Turns makes every payload full whose number, counted from the session's
	// start, is a multiple of it. 0 means DefaultReAnchorTurns, or never if Size
	// is set; a negative number never.
	Turns int
	// Size makes a payload full once the deltas since the last full one would
	// be as long as it.
	Size bool
}

// due reports whether the payload with that number is full by its number.
func (r ReAnchor) due(turn int) bool {
	turns := r.Turns
	if turns == 0 && !r.Size {
		turns = DefaultReAnchorTurns
	}
	return turns > 0 && turn%turns == 0
}

// A Payload is what a [SetSession] sends.
type Payload struct {
	Outcome Outcome
	Wire    []byte
	Root    string // the pack root that the consumer has after it
}

// A SetSession is the producer's side of one conversation about one keyed set:
// it answers with a full payload, a delta or "unchanged", whichever fits what
// the consumer has. A set of another schema, name or form (Keyed, Doubles) than the one
// before is sent in full. It holds the last set that was sent. It is safe for
// concurrent use; payloads must reach the consumer in the order of the calls.
type SetSession struct {
	policy ReAnchor

	mu    sync.Mutex
	held  *keyedRows
	name  string // of the set that is held
	keyed bool   // it is a keyed map
	root  string // of held
	turn  int    // payloads after the first
	since int    // bytes of deltas since the last full payload
}

// NewSetSession begins a session with the set's full payload.
func NewSetSession(set *Set, policy ReAnchor) (*SetSession, Payload, error) {
	s := &SetSession{policy: policy}
	rows, err := newKeyedRows(set)
	if err != nil {
		return nil, Payload{}, err
	}
	p, err := s.full(set, rows, rows.packRoot())
	if err != nil {
		return nil, Payload{}, err
	}
	return s, p, nil
}

// Next returns the payload for a consumer that has everything that was sent. On
// error the session is as it was.
func (s *SetSession) Next(set *Set) (Payload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.respond(s.root, set)
}

// Respond returns the payload for a consumer that says it has the set with that
// root; an empty or unknown root makes it full. On error the session is as it
// was.
func (s *SetSession) Respond(root string, set *Set) (Payload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.respond(root, set)
}

func (s *SetSession) respond(has string, set *Set) (Payload, error) {
	rows, err := newKeyedRows(set)
	if err != nil {
		return Payload{}, err
	}
	root := rows.packRoot()
	turn := s.turn + 1
	known := (has == root || has == s.root) && rows.schema.same(&s.held.schema) &&
		rows.double == s.held.double && set.Name == s.name && set.Keyed == s.keyed
	if !known || s.policy.due(turn) {
		return s.anchor(set, rows, root, turn)
	}
	p := Payload{Root: root}
	if has == root {
		p.Outcome = OutcomeUnchanged
		p.Wire, err = EncodeUnchanged(&Unchanged{Generic: true, Tool: set.Tool, PackRoot: root, Count: len(rows.rows)})
	} else {
		p.Outcome = OutcomeDelta
		d := s.held.diff(rows)
		d.BaseRoot, d.NewRoot = s.root, root
		p.Wire, err = EncodeSetDelta(d)
	}
	if err != nil {
		return Payload{}, err
	}
	if s.policy.Size {
		full, err := rows.full(set.Tool, set.Name, set.Keyed, root)
		if err != nil {
			return Payload{}, err
		}
		if s.since+len(p.Wire) >= len(full) {
			return s.anchor(set, rows, root, turn)
		}
	}
	s.held, s.root, s.turn = rows, root, turn
	s.since += len(p.Wire)
	return p, nil
}

// anchor is full for a later payload.
func (s *SetSession) anchor(set *Set, rows *keyedRows, root string, turn int) (Payload, error) {
	p, err := s.full(set, rows, root)
	if err == nil {
		s.turn = turn
	}
	return p, err
}

// full returns the full payload and holds its set.
func (s *SetSession) full(set *Set, rows *keyedRows, root string) (Payload, error) {
	wire, err := rows.full(set.Tool, set.Name, set.Keyed, root)
	if err != nil {
		return Payload{}, err
	}
	s.held, s.name, s.keyed, s.root, s.since = rows, set.Name, set.Keyed, root, 0
	return Payload{Outcome: OutcomeFull, Wire: wire, Root: root}, nil
}

// A SetReceiver is the consumer's side of a conversation about one keyed set:
// it takes full payloads, deltas and unchanged answers and holds the set that
// results. The zero SetReceiver holds nothing. It is safe for concurrent use.
type SetReceiver struct {
	mu   sync.Mutex
	set  *Set
	rows *keyedRows
	root string
}

// Receive reads the next payload and returns the set that the consumer has now,
// which must not be changed.
// On error nothing changed, and the consumer should ask for a full payload by
// sending no root.
func (r *SetReceiver) Receive(src []byte) (*Set, error) {
	var d setDecoder
	h, err := d.start(src)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case h.is("unchanged"):
		u, err := d.unchanged(&h)
		if err != nil {
			return nil, err
		}
		if r.set == nil || u.PackRoot != r.root {
			return nil, setError("base_mismatch", wire.ErrChecksum, "the unchanged answer is about a set that the consumer does not have", "ask for a full payload")
		}
		return r.set, nil
	case h.is("delta"):
		delta, err := DecodeSetDelta(src)
		if err != nil {
			return nil, err
		}
		if r.set == nil {
			return nil, setError("base_mismatch", wire.ErrChecksum, "a delta without a set that it could apply to", "ask for a full payload")
		}
		set, rows, err := r.rows.apply(r.set, delta)
		if err != nil {
			return nil, err
		}
		r.hold(set, rows, delta.NewRoot)
		return set, nil
	}
	set, rows, err := decodeSet(src)
	if err != nil {
		return nil, err
	}
	r.hold(set, rows, rows.packRoot())
	return set, nil
}

func (r *SetReceiver) hold(set *Set, rows *keyedRows, root string) {
	r.set, r.rows, r.root = set, rows, root
}

// Root returns the pack root of the set that the consumer has, to be sent to the
// producer; empty if it has none.
func (r *SetReceiver) Root() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.root
}
