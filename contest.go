package wirekit

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A contest is one choice on its way. First every candidate is encoded and
// measured, long texts by a sample; only the text that leads is kept. Then the
// leader is measured to the end, compared with JSON, decoded and compared with
// the value, until one has passed.
type contest struct {
	Chooser
	ctx     context.Context
	value   wire.Value
	counter tokens.Counter

	json    *entrant
	others  []*entrant
	lead    *entrant // whose text is in leading, if any
	leading []byte
	scratch []byte
	seen    map[uint64]bool // texts of others, by format and hash
	seed    maphash.Seed
}

// An entrant is a candidate with its measure so far.
type entrant struct {
	Candidate
	codec    wire.Codec
	format   string
	variant  string
	lossy    bool // declares losses that the Chooser counts
	size     size
	complete bool // size is that of the whole text
	out      bool // it cannot be chosen any more
}

func newContest(ctx context.Context, c Chooser, v wire.Value, codecs []wire.Codec) *contest {
	k := &contest{Chooser: c, ctx: ctx, value: v, counter: c.Counter, seen: make(map[uint64]bool), seed: maphash.MakeSeed()}
	if k.counter == nil {
		k.counter = tokens.Default()
	}
	if b, ok := k.counter.(tokens.Batcher); ok {
		k.counter = b.Batch()
	}
	k.json = newEntrant(wire.JSON{})
	for _, codec := range codecs {
		e := newEntrant(codec)
		e.lossy = codec.Info().Loss&^k.noLoss() != 0
		k.others = append(k.others, e)
	}
	return k
}

// noLoss returns the losses that do not count.
func (k *contest) noLoss() wire.Loss {
	if k.Identical {
		return wire.LossKinds
	}
	return wire.LossBeyondJSON
}

func newEntrant(codec wire.Codec) *entrant {
	info := codec.Info()
	return &entrant{Candidate: Candidate{Name: info.FullName(), Tokens: -1}, codec: codec, format: info.Name + info.Suffix, variant: info.Variant}
}

func (k *contest) run() (Choice, error) {
	best, err := k.best()
	if errors.Is(err, context.DeadlineExceeded) && k.ctx.Err() != nil {
		k.stop()
		best, err = k.json, nil
	}
	if err != nil {
		return Choice{}, err
	}
	text, err := k.text(best)
	if err != nil {
		best.refused(err)
		return Choice{}, failure(k.report().Candidates)
	}
	best.Bytes, best.Outcome = len(text), Chosen
	return Choice{Codec: best.codec, Encoded: text, Tokens: best.Tokens, Report: k.report()}, nil
}

// stop ends a contest that has no time left.
func (k *contest) stop() {
	for _, e := range k.others {
		if !e.out {
			e.Outcome = Untried
		}
	}
}

// best returns the entrant to be chosen. If nothing carries the value that is
// JSON, which then refuses it.
func (k *contest) best() (*entrant, error) {
	if err := k.measureJSON(); err != nil {
		return nil, err
	}
	for _, e := range k.order() {
		if err := k.measure(e); err != nil {
			return nil, err
		}
	}
	for {
		e, err := k.leader()
		if err != nil || e == nil {
			return k.json, err
		}
		if beats, err := k.beatsJSON(e); err != nil || !beats {
			return k.json, err
		}
		if err := k.verify(e); err != nil {
			return nil, err
		}
		if !e.out {
			return e, nil
		}
	}
}

// order returns the others in the order in which they are measured: defaults
// before variants, so that what is short is known early.
func (k *contest) order() []*entrant {
	return slices.SortedStableFunc(slices.Values(k.others), func(a, b *entrant) int {
		return cmp.Compare(min(1, len(a.variant)), min(1, len(b.variant)))
	})
}

// encode returns e's text in a buffer that the next call writes over. A bound
// that is not 0 is the most bytes that are worth writing.
func (k *contest) encode(e *entrant, bound int) ([]byte, error) {
	limits := k.Limits
	if bound > 0 {
		limits.OutputBytes = min(bound, limits.Resolved().OutputBytes)
	}
	text, err := limited(e.codec, limits).AppendEncode(k.scratch[:0], k.value)
	if err == nil {
		k.scratch = text
	}
	return text, err
}

func limited(c wire.Codec, limits wire.Limits) wire.Codec {
	if l, ok := c.(wire.Limiter); ok {
		return l.WithLimits(limits)
	}
	return c
}

// measureJSON measures the line to beat: in full, unless a sample may do.
func (k *contest) measureJSON() error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	text, err := k.encode(k.json, 0)
	if err != nil {
		k.json.refused(err)
		return nil
	}
	k.leading = make([]byte, 0, len(text)) // the second buffer, see measure
	return k.take(k.json, text, k.Measure == Exact)
}

// refused notes why e cannot carry the value.
func (e *entrant) refused(err error) { e.Outcome, e.Err, e.out = Refused, err, true }

// minBound is a length below which texts are not given up.
const minBound = 4096

// measure encodes one of the others and takes its measure, and its text if it
// leads.
func (k *contest) measure(e *entrant) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	bound := k.bound()
	text, err := k.encode(e, bound)
	switch {
	case bound > 0 && tooLong(err):
		e.out = true
		return nil
	case err != nil:
		e.refused(err)
		return nil
	case k.known(e, text):
		e.Bytes, e.Outcome, e.out = len(text), Same, true
		return nil
	}
	if err := k.take(e, text, false); err != nil {
		return err
	}
	if k.lead == nil || e.size.total() < k.lead.size.total() {
		k.lead = e
		k.leading, k.scratch = text, k.leading
	}
	return nil
}

// tooLong reports whether err is that of a text beyond Limits.OutputBytes, for
// which all codecs have one code.
func tooLong(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Kind == wire.ErrLimit && e.Code == "output_too_long"
}

// known reports whether another configuration of the same format has given the
// same text, which then need not be measured again.
func (k *contest) known(e *entrant, text []byte) bool {
	var h maphash.Hash
	h.SetSeed(k.seed)
	_, _ = h.WriteString(e.format)
	_, _ = h.Write(text)
	sum := h.Sum64()
	known := k.seen[sum]
	k.seen[sum] = true
	return known
}

// bound returns the most bytes that a text can have and still win: half as many
// again as the shortest one's that will not be found lossy. Tokens of one format
// are not so much longer than those of another.
func (k *contest) bound() int {
	shortest := k.json.Bytes
	for _, e := range k.others {
		if e.Bytes > 0 && !e.lossy && (shortest == 0 || e.Bytes < shortest) {
			shortest = e.Bytes
		}
	}
	if shortest == 0 {
		return 0
	}
	return max(minBound, shortest+shortest/2)
}

// take measures e's text, in full if whole or if it is short.
func (k *contest) take(e *entrant, text []byte, whole bool) error {
	e.Bytes = len(text)
	if k.Measure == Bytes {
		e.size, e.complete = size{whole: float64(len(text))}, true
		return nil
	}
	if err := k.ctx.Err(); err != nil {
		return err
	}
	if whole || len(text) <= sampledBytes {
		return k.count(e, text)
	}
	s, err := sample(k.counter, text)
	if err != nil {
		return err
	}
	e.size = s
	e.Tokens, e.Estimated = int(s.total()+0.5), true
	return nil
}

// count measures e's text in full. The windows of a sample stay, to compare it
// with other samples.
func (k *contest) count(e *entrant, text []byte) error {
	n, err := countTokens(k.counter, text)
	if err != nil {
		return err
	}
	e.size.whole, e.complete = float64(n), true
	e.Tokens, e.Estimated = n, false
	return nil
}

// finish makes e's measure that of its whole text.
func (k *contest) finish(e *entrant) error {
	if e.complete {
		return nil
	}
	if err := k.ctx.Err(); err != nil {
		return err
	}
	text, err := k.text(e)
	if err != nil {
		return err // of a codec that does not do the same twice
	}
	return k.count(e, text)
}

// text returns e's text without a bound.
func (k *contest) text(e *entrant) ([]byte, error) {
	if e == k.lead {
		return k.leading, nil
	}
	return k.encode(e, 0)
}

// leader returns the smallest entrant that is still in, nil if there is none.
// When measures are exact it was counted in full, and so was every other that
// a sample does not put clearly behind it.
func (k *contest) leader() (*entrant, error) {
	var in []*entrant
	for _, e := range k.others {
		if !e.out {
			in = append(in, e)
		}
	}
	if len(in) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(in, smaller)
	if k.Measure != Exact {
		return in[0], nil
	}
	best := in[0]
	for _, e := range in {
		if e != best && e.size.clearlyAbove(best.size, 0.05, 3) {
			continue
		}
		if err := k.finish(e); err != nil {
			return nil, err
		}
		if smaller(e, best) < 0 {
			best = e
		}
	}
	return best, nil
}

func smaller(a, b *entrant) int { return cmp.Compare(a.size.total(), b.size.total()) }

// beatsJSON reports whether e saves enough against JSON. Samples are trusted
// only where they tell the two apart.
func (k *contest) beatsJSON(e *entrant) (bool, error) {
	if k.json.out {
		return true, nil
	}
	if !k.json.complete || !e.complete {
		limit := k.json.size.scaled(1 - k.MinSaving)
		switch {
		case limit.clearlyAbove(e.size, 0.02, 3):
			return true, nil
		case e.size.clearlyAbove(limit, 0.02, 3):
			return false, nil
		}
		if err := k.finish(k.json); err != nil {
			return false, err
		}
		if err := k.finish(e); err != nil {
			return false, err
		}
	}
	json := k.json.size.total()
	return e.size.total() < json && e.size.total() <= json*(1-k.MinSaving), nil
}

// verify decodes e's text and compares. An entrant that does not pass is out.
func (k *contest) verify(e *entrant) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	text, err := k.text(e)
	if err != nil {
		e.refused(err)
		return nil
	}
	if e == k.lead {
		k.scratch = nil // room for what is decoded
	}
	err = wire.With(limited(e.codec, k.Limits), text, func(back wire.Value) error {
		k.compare(e, back)
		return nil
	})
	if err != nil {
		e.refused(err)
	}
	return nil
}

// compare notes what e has lost of the value, which makes it out of the contest.
func (k *contest) compare(e *entrant, back wire.Value) {
	e.Verified = true
	e.Loss, e.LossPath = wire.Difference(k.value, back)
	switch {
	case k.Identical && e.Loss != 0:
	case e.Loss&^wire.LossBeyondJSON != 0:
		e.Loss, e.LossPath = wire.DifferenceBeyond(wire.LossBeyondJSON, k.value, back)
	default:
		return
	}
	e.Outcome, e.out = Lossy, true
}

// report lists the entrants by measure, the chosen one first.
func (k *contest) report() Report {
	r := Report{Measure: k.Measure}
	if k.Measure != Bytes {
		r.Counter = k.counter.Name()
	}
	all := append([]*entrant{k.json}, k.others...)
	slices.SortStableFunc(all, func(a, b *entrant) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), smaller(a, b))
	})
	for _, e := range all {
		r.Candidates = append(r.Candidates, e.Candidate)
	}
	return r
}

// rank puts the chosen candidate first and those without a measure last.
func (e *entrant) rank() int {
	switch {
	case e.Outcome == Chosen:
		return 0
	case e.size.total() > 0:
		return 1
	}
	return 2
}
