package set

import (
	"sync"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// defaultFullEvery is Session.FullEvery where it is 0 (section 10a.8).
const defaultFullEvery = 15

// A Message is what a [Session] sends.
type Message struct {
	Outcome string // "full", "delta" or "unchanged" (section 10a.4)
	Encoded []byte
	Root    string // the pack root that the consumer has after it
}

// A Session is the producer's side of one conversation about one keyed set: it answers
// with a full payload, a delta or "unchanged", whichever fits what the consumer has. A
// set of another schema, name or form (Keyed, Doubles) than the one before is sent in
// full. It holds the last set that was sent. The zero Session is one in which nothing
// was sent. It is safe for concurrent use; messages must reach the consumer in the order
// of the calls.
type Session struct {
	// FullEvery sends a full payload although a delta would do, so that a model need
	// not reconstruct a long chain (section 10a.8): each message after the first whose
	// number is a multiple of it. 0 means 15, or never if FullBySize is set; a negative
	// number never.
	FullEvery int
	// FullBySize sends a full payload once the deltas since the last one would be as
	// long as it.
	FullBySize bool

	mu    sync.Mutex
	held  *keyedRows
	name  string // of the set that is held
	keyed bool   // it is a keyed map
	root  string // of held
	turn  int    // messages after the first
	since int    // bytes of deltas since the last full payload
}

// due reports whether the message with that number is full by its number.
func (s *Session) due(turn int) bool {
	every := s.FullEvery
	if every == 0 && !s.FullBySize {
		every = defaultFullEvery
	}
	return every > 0 && turn%every == 0
}

// Next returns the message for a consumer that has everything that was sent. On
// error the session is as it was.
func (s *Session) Next(set *Set) (Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.respond(s.root, set)
}

// Respond returns the message for a consumer that says it has the set with that
// root; an empty or unknown root makes it full. On error the session is as it
// was.
func (s *Session) Respond(root string, set *Set) (Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.respond(root, set)
}

func (s *Session) respond(has string, set *Set) (Message, error) {
	rows, err := newKeyedRows(set)
	if err != nil {
		return Message{}, err
	}
	root := rows.packRoot()
	if s.held == nil {
		return s.full(set, rows, root, 0)
	}
	turn := s.turn + 1
	known := (has == root || has == s.root) && rows.schema.same(&s.held.schema) &&
		rows.double == s.held.double && set.Name == s.name && set.Keyed == s.keyed
	if !known || s.due(turn) {
		return s.full(set, rows, root, turn)
	}
	p := Message{Root: root}
	if has == root {
		p.Outcome = "unchanged"
		p.Encoded, err = EncodeUnchanged(set, root)
	} else {
		p.Outcome = "delta"
		d := s.held.diff(rows)
		d.BaseRoot, d.NewRoot = s.root, root
		p.Encoded, err = EncodeDelta(d)
	}
	if err != nil {
		return Message{}, err
	}
	if s.FullBySize {
		full, err := rows.full(set.Tool, set.Name, set.Keyed, root)
		if err != nil {
			return Message{}, err
		}
		if s.since+len(p.Encoded) >= len(full) {
			return s.full(set, rows, root, turn)
		}
	}
	s.held, s.root, s.turn = rows, root, turn
	s.since += len(p.Encoded)
	return p, nil
}

// full returns the full payload, the message with that number, and holds its set.
func (s *Session) full(set *Set, rows *keyedRows, root string, turn int) (Message, error) {
	text, err := rows.full(set.Tool, set.Name, set.Keyed, root)
	if err != nil {
		return Message{}, err
	}
	s.held, s.name, s.keyed, s.root, s.turn, s.since = rows, set.Name, set.Keyed, root, turn, 0
	return Message{Outcome: "full", Encoded: text, Root: root}, nil
}

// A Receiver is the consumer's side of a conversation about one keyed set:
// it takes full payloads, deltas and unchanged answers and holds the set that
// results. The zero Receiver holds nothing. It is safe for concurrent use.
type Receiver struct {
	mu   sync.Mutex
	set  *Set
	rows *keyedRows
	root string
}

// Receive reads the next payload and returns the set that the consumer has now,
// which must not be changed.
// On error nothing changed, and the consumer should ask for a full payload by
// sending no root.
func (r *Receiver) Receive(src []byte) (*Set, error) {
	var d decoder
	h := d.start(src)
	if d.Err != nil {
		return nil, d.Err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case h.Is("unchanged"):
		_, root, _ := d.Unchanged(&h, lex.ProfileGeneric, "count")
		if d.Err != nil {
			return nil, d.Err
		}
		if r.set == nil || root != r.root {
			return nil, lex.Fault("base_mismatch", wire.ErrChecksum, "", "the unchanged answer is about a set that the consumer does not have", "ask for a full payload")
		}
		return r.set, nil
	case h.Is("delta"):
		delta, err := DecodeDelta(src)
		if err != nil {
			return nil, err
		}
		if r.set == nil {
			return nil, lex.Fault("base_mismatch", wire.ErrChecksum, "", "a delta without a set that it could apply to", "ask for a full payload")
		}
		set, rows, err := r.rows.apply(r.set, delta)
		if err != nil {
			return nil, err
		}
		r.set, r.rows, r.root = set, rows, delta.NewRoot
		return set, nil
	}
	set, rows, err := decode(src)
	if err != nil {
		return nil, err
	}
	r.set, r.rows, r.root = set, rows, rows.packRoot()
	return set, nil
}

// Root returns the pack root of the set that the consumer has, to be sent to the
// producer; empty if it has none.
func (r *Receiver) Root() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.root
}
