package gcf

import (
	"math"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// The defaults of a session's limits.
const (
	defaultSessionSymbols = 100_000
	defaultSessionBytes   = 64 << 20
	defaultSessionIdle    = time.Hour
	defaultSessionAge     = 24 * time.Hour
)

// A Session is what a producer remembers of one conversation (section 9): which
// symbols it has sent, by which ids. [EncodeWithSession] sends a symbol that is
// known as a reference of 28 bytes and more, which is shorter than most declarations.
// The zero Session is a new conversation.
//
// One Session belongs to one conversation with one consumer, which reads every
// payload, in order, with one [SessionDecoder]. A symbol whose score or
// provenance changed is declared again under its id, so nothing is lost.
//
// References have no number and no checksum: a consumer that misses a payload, without
// the producer calling [Session.Undelivered], resolves later ones to what it had before,
// and cannot notice, unless each graph has its [PackRoot], which [SessionDecoder]
// compares. A producer whose consumer asks for a full payload calls [Session.Reset] and
// sends the graph by [Encode].
//
// A session's memory is bounded. At a limit the payload is written in full and
// without session=true, which ends the session for both sides; the next payload
// begins a new one. For the limits, 0 means the default and a negative number
// none. They must not be changed while the session is used.
//
// A Session is safe for concurrent use; payloads must reach the consumer in the
// order in which they were encoded.
type Session struct {
	MaxSymbols int           // symbols remembered
	MaxBytes   int           // bytes of their names, kinds and provenances
	MaxIdle    time.Duration // since the last payload
	MaxAge     time.Duration // since the first payload

	mu      sync.Mutex
	store   symbolStore
	sent    []bool  // by id: whether the consumer has the declaration
	last    []int32 // ids that the last payload declared
	ended   bool    // the last payload ended the session
	full    bool    // that payload may not have arrived: the next one is full, too
	started time.Time
	used    time.Time
	now     func() time.Time // time.Now if nil
}

// symbolStore holds the symbols of a session in memory of its own.
type symbolStore struct {
	symbols []Symbol
	index   symbolIndex
	bytes   int
}

// keep returns a copy of s, or the last word if it is that.
func (st *symbolStore) keep(s, last string) string {
	if s == last {
		return last
	}
	st.bytes += len(s)
	return strings.Clone(s)
}

// add stores a symbol under the next number. It reports false if one of that kind and name
// was there.
func (st *symbolStore) add(s *Symbol) bool {
	var last Symbol // whose kind and provenance are mostly those of the next
	if n := len(st.symbols); n > 0 {
		last = st.symbols[n-1]
	}
	st.symbols = append(st.symbols, Symbol{
		QualifiedName: st.keep(s.QualifiedName, ""),
		Kind:          st.keep(longKind(s.Kind), last.Kind),
		Score:         roundScore(s.Score),
		Provenance:    st.keep(s.Provenance, last.Provenance),
	})
	return st.index.add(st.symbols)
}

// update takes over what can change of a symbol.
func (st *symbolStore) update(i int, s *Symbol) {
	known := &st.symbols[i]
	known.Score = roundScore(s.Score)
	known.Provenance = st.keep(s.Provenance, known.Provenance)
}

// find returns the number of a symbol, or noSymbol.
func (st *symbolStore) find(s *Symbol) int {
	return st.index.find(st.symbols, s.Kind, s.QualifiedName)
}

// cost is an upper bound of what add and update count as bytes.
func (s *Symbol) cost() int { return len(s.QualifiedName) + len(longKind(s.Kind)) + len(s.Provenance) }

// limitOr returns a limit of a session as a number to compare with.
func limitOr[T int | time.Duration](limit, byDefault, unlimited T) T {
	switch {
	case limit == 0:
		return byDefault
	case limit < 0:
		return unlimited
	}
	return limit
}

func symbolsLimit(n int) int { return limitOr(n, defaultSessionSymbols, math.MaxInt) }
func bytesLimit(n int) int   { return limitOr(n, defaultSessionBytes, math.MaxInt) }

// EncodeWithSession returns g in the graph profile, with references for the
// symbols that were sent before in the session, and remembers those that are
// new. On error the session is as it was.
func EncodeWithSession(g *Graph, s *Session) ([]byte, error) {
	return GraphCodec{}.AppendWithSession(nil, g, s)
}

// AppendWithSession is [EncodeWithSession] with the codec's options, appending
// to dst.
func (c GraphCodec) AppendWithSession(dst []byte, g *Graph, s *Session) ([]byte, error) {
	switch {
	case g == nil:
		return dst, lex.MissingArgument("graph")
	case s == nil:
		return dst, lex.MissingArgument("session")
	case c.Omitted != nil:
		g = c.carried(g)
	}
	e := sessionEncoder{
		graphEncoder: graphEncoder{dst: dst, max: bound.Add(len(dst), c.Limits.Resolved().OutputBytes)},
		session:      s,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.ids = make([]int32, len(g.Symbols))
	e.refs = make([]bool, len(g.Symbols))
	if err := e.prepare(g); err != nil {
		return dst, err
	}
	if err := e.write(); err != nil {
		return dst, err
	}
	return e.dst, nil
}

// Undelivered takes back that the consumer has what the last payload declared:
// these symbols will be declared again, under the same ids (section 9.4), and if the
// payload ended the session, the next one ends it again. The producer calls it when it
// cannot be sure that the payload arrived.
func (s *Session) Undelivered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.last {
		s.sent[id] = false
	}
	s.last = s.last[:0]
	s.full = s.ended
}

// Reset forgets everything, as if the session were new. The consumer must reset
// its decoder too, or be sent a payload by [Encode] first.
func (s *Session) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reset()
}

func (s *Session) reset() {
	s.store = symbolStore{}
	s.sent, s.last, s.ended, s.full = nil, nil, false, false
	s.started, s.used = time.Time{}, time.Time{}
}

// expired reports whether a session that was used is too old, and notes the use.
func (s *Session) expired() bool {
	now := time.Now
	if s.now != nil {
		now = s.now
	}
	at := now()
	fresh := s.started.IsZero()
	if fresh {
		s.started, s.used = at, at
	}
	old := at.Sub(s.used) > limitOr(s.MaxIdle, defaultSessionIdle, math.MaxInt64) ||
		at.Sub(s.started) > limitOr(s.MaxAge, defaultSessionAge, math.MaxInt64)
	s.used = at
	return old
}

// sessionEncoder writes one payload of a session.
type sessionEncoder struct {
	graphEncoder
	session *Session
	fresh   []int32 // positions of the symbols that get the next ids, in that order
}

func (e *sessionEncoder) write() error {
	fits := e.assign()
	if e.session.expired() || !fits || e.session.full {
		e.refs = nil
		if err := e.document(); err != nil {
			return err
		}
		e.session.reset()
		e.session.ended = true
		return nil
	}
	e.header(true)
	if err := e.body(); err != nil {
		return err
	}
	e.commit()
	return nil
}

// assign gives every symbol its id. It reports false if the session would get too large.
func (e *sessionEncoder) assign() (fits bool) {
	s := e.session
	bytes, next := s.store.bytes, len(s.store.symbols)
	expected := 0 // often the symbols of one payload are those of an earlier one
	e.order = outputOrder(e.graph.Symbols)
	for i := range e.graph.Symbols {
		at := e.at(i)
		symbol := &e.graph.Symbols[at]
		id := expected
		if id >= len(s.store.symbols) || s.store.symbols[id].QualifiedName != symbol.QualifiedName || s.store.symbols[id].Kind != symbol.Kind {
			id = s.store.find(symbol)
		}
		if expected = id + 1; id >= 0 {
			e.ids[at] = int32(id)
			known := &s.store.symbols[id]
			if known.Provenance != symbol.Provenance {
				bytes += len(symbol.Provenance)
			} else {
				e.refs[at] = s.sent[id] && known.Score == roundScore(symbol.Score)
			}
			continue
		}
		e.ids[at] = int32(next)
		e.fresh = append(e.fresh, int32(at))
		next++
		bytes += symbol.cost()
	}
	return next <= min(symbolsLimit(s.MaxSymbols), maxGraphItems) && bytes <= bytesLimit(s.MaxBytes)
}

// commit remembers what the payload declared.
func (e *sessionEncoder) commit() {
	s := e.session
	s.last, s.ended = s.last[:0], false
	for at, id := range e.ids {
		if int(id) < len(s.sent) && !e.refs[at] { // it is declared again
			s.store.update(int(id), &e.graph.Symbols[at])
			s.sent[id] = true
			s.last = append(s.last, id)
		}
	}
	for _, at := range e.fresh {
		s.last = append(s.last, int32(len(s.store.symbols)))
		s.store.add(&e.graph.Symbols[at])
		s.sent = append(s.sent, true)
	}
}

// A SessionDecoder reads the payloads of one session (section 9), in their
// order, and resolves their references. It remembers every symbol declared so
// far, within limits. The zero SessionDecoder is a new session.
//
// A payload without session=true is read too; it ends the session, as a
// producer's [Session] does when it writes one. A payload whose header has a root of
// gcf-pack-root-v1 must be the graph that [PackRoot] has it of: a consumer that missed a
// payload notices by it. It is safe for concurrent use.
type SessionDecoder struct {
	MaxSymbols int  // symbols remembered; as in Session
	MaxBytes   int  // bytes of their names, kinds and provenances; as in Session
	Strict     bool // refuses payloads that may be cut, as in GraphCodec
	Warn       func(*wire.Error)
	Limits     wire.Limits

	mu    sync.Mutex
	store symbolStore
	byID  map[int]int32 // numbers in the store
}

// Decode reads the next payload. On error the session is as it was, and the
// consumer should ask for a full payload (section 9.4), which is one by [Encode].
func (s *SessionDecoder) Decode(src []byte) (*Graph, error) {
	d := graphDecoder{Ending: lex.Ending{Strict: s.Strict, Warn: s.Warn}}
	h := d.readHeader(src, s.Limits.Resolved())
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.Is("session") {
		d.session = &sessionReply{decoder: s, bytes: s.store.bytes}
	}
	d.document()
	d.checkRoot(&h)
	if d.Err != nil {
		return nil, d.Err
	}
	if d.session == nil {
		s.reset()
	} else {
		d.session.commit(&d.graph)
	}
	return &d.graph, nil
}

// Reset forgets everything, as if the session were new.
func (s *SessionDecoder) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reset()
}

func (s *SessionDecoder) reset() { s.store, s.byID = symbolStore{}, nil }

// sessionReply is what one payload adds to a session.
type sessionReply struct {
	decoder  *SessionDecoder
	declared []declaration
	fresh    int // declarations of new symbols
	bytes    int // what the store will count
}

// declaration is a declared symbol: its id and its position in the payload.
type declaration struct {
	id, at int
}

// resolve returns the symbol that an earlier payload declared under the id.
func (r *sessionReply) resolve(id int) (Symbol, bool) {
	at, ok := r.decoder.byID[id]
	if !ok {
		return Symbol{}, false
	}
	return r.decoder.store.symbols[at], true
}

// declare checks the declaration of s, the payload's last symbol: an id stays
// with its symbol, and a symbol with its id (section 9.2).
func (r *sessionReply) declare(d *graphDecoder, id int, s *Symbol) {
	store := &r.decoder.store
	number := store.find(s)
	bound, taken := r.decoder.byID[id]
	if taken && int(bound) != number || !taken && number >= 0 {
		d.Refuse(d.Lines.Start, wire.Error{Code: "session_id_conflict", Kind: wire.ErrDuplicateKey,
			Message: "the session has bound the id to another symbol, or the symbol to another id",
			Hint:    "ask for a full payload"})
	}
	if !taken {
		r.fresh++
	}
	r.bytes += s.cost()
	if len(store.symbols)+r.fresh > symbolsLimit(r.decoder.MaxSymbols) ||
		r.bytes > bytesLimit(r.decoder.MaxBytes) {
		d.Refuse(d.Lines.Start, wire.Error{Code: "session_too_large", Kind: wire.ErrLimit,
			Message: "the session has more symbols, or longer ones, than the decoder remembers",
			Hint:    "raise MaxSymbols or MaxBytes, or ask for a full payload"})
	}
	r.declared = append(r.declared, declaration{id: id, at: len(d.graph.Symbols) - 1})
}

// commit stores what the payload declared.
func (r *sessionReply) commit(g *Graph) {
	s := r.decoder
	if s.byID == nil {
		s.byID = make(map[int]int32)
	}
	for _, decl := range r.declared {
		if at, ok := s.byID[decl.id]; ok {
			s.store.update(int(at), &g.Symbols[decl.at])
			continue
		}
		s.byID[decl.id] = int32(len(s.store.symbols))
		s.store.add(&g.Symbols[decl.at])
	}
}
