package choose

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A Measure is what is compared.
type Measure uint8

const (
	Counted Measure = iota // tokens; of texts that may be the smallest, all of them
	Sampled                // tokens; one configuration of each format, one text counted whole
	Bytes                  // lengths
)

// Options are those of a search.
type Options struct {
	Counter   tokens.Counter
	MinSaving float64 // the part of JSON's measure that another text must save
	Exact     bool    // a changed order, kind or spelling of numbers is a loss
	Measure   Measure
	Named     bool // every candidate is asked for, and measured
	Limits    wire.Limits
}

// A Result is what was chosen. Codec is nil if nothing carries the value.
type Result struct {
	Codec      wire.Codec
	Text       []byte
	Candidates []Candidate // by their measure, the chosen one first
}

// A search is one choice on its way.
type search struct {
	Options
	ctx   context.Context
	value wire.Value

	allowed wire.Loss // the losses that a candidate may declare
	ignored wire.Loss // those of them that do not count
	entries []entry   // JSON and those of the set
	json    *entry
	others  []entry

	text     []byte // JSON's
	best     *entry // whose text is in bestText
	bestText []byte
	scratch  []byte
}

// Choose returns the best text of v among JSON's and those of the set.
func (o Options) Choose(ctx context.Context, v wire.Value, set Set) (Result, error) {
	s := &search{Options: o, ctx: ctx, value: v, allowed: variants.LossKinds, entries: append([]entry{newEntry(wire.JSON{})}, set...)}
	s.json, s.others = &s.entries[0], s.entries[1:]
	if !s.Exact {
		s.allowed, s.ignored = measure.BeyondJSON, measure.BeyondJSON
	}
	defer s.giveBack()
	best, err := s.run()
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		for i := range s.others {
			if e := &s.others[i]; !e.out {
				e.Outcome = Untried
			}
		}
		best, err = s.json, nil
	}
	if err != nil {
		return Result{}, err
	}
	text, err := s.textOf(best)
	if err != nil {
		best.refuse(err)
		return Result{Candidates: s.report()}, nil
	}
	best.Bytes, best.Outcome = len(text), Chosen
	return Result{Codec: best.codec, Text: bytes.Clone(text), Candidates: s.report()}, nil
}

// run returns the candidate to be chosen. If nothing carries the value that is JSON,
// which then refuses it.
func (s *search) run() (*entry, error) {
	if err := s.begin(); err != nil {
		return nil, err
	}
	for i := range s.others {
		e := &s.others[i]
		if !s.worthTrying(e) {
			e.Outcome, e.out = Skipped, true
		} else if err := s.try(e); err != nil {
			return nil, err
		}
	}
	for {
		e, err := s.smallest()
		if err != nil {
			return nil, err
		}
		if beats, err := s.beatsJSON(e); err != nil || !beats {
			return s.json, err
		}
		if err := s.verify(e); err != nil {
			return nil, err
		}
		if !e.out {
			return e, nil
		}
	}
}

// begin writes the value as JSON, whose measure others have to beat.
func (s *search) begin() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	s.scratch, s.bestText = borrow(), borrow()
	text, err := Limited(s.json.codec, s.Limits).AppendEncode(borrow(), s.value)
	if err != nil {
		s.json.refuse(err)
		return nil
	}
	s.text, s.json.Bytes = text, len(text)
	return s.size(s.json, text)
}

// shortText is the length of JSON up to which the configurations of every format that is
// near the best are looked at: one token is a good part of such a text.
const shortText = 2 << 10

// muchLess is the part of JSON's measure that formats for people do not come down to.
const muchLess = 0.9

// near is how many times the measure of the best a format's leader may have for its
// siblings to be tried on a short text.
const near = 1.04

// worthTrying reports whether e is asked for, or is its format's leader, or may be smaller
// than a leader that is the best so far.
func (s *search) worthTrying(e *entry) bool {
	if s.Named || s.Measure == Bytes {
		return true
	}
	least := s.least()
	leader := s.leader(e.format)
	switch short := len(s.text) <= shortText; {
	case late[e.format] > 0 && (least < muchLess*s.json.size || s.Measure == Sampled && !short):
		return false
	case leader == e || leader.Err != nil || leader.Outcome == Lossy:
		return true
	case leader.size == 0:
		return false
	case short:
		return leader.size <= near*least
	default:
		return s.Measure == Counted && followers[e.Name] && leader.size <= least
	}
}

// leader returns the first candidate of a format.
func (s *search) leader(format string) *entry {
	return &s.others[slices.IndexFunc(s.others, func(e entry) bool { return e.format == format })]
}

// least returns the smallest measure so far, or infinity.
func (s *search) least() float64 {
	least := math.Inf(1)
	for i := range s.entries {
		if e := &s.entries[i]; e.size > 0 && !e.out {
			least = min(least, e.size)
		}
	}
	return least
}

// try encodes the value in e and takes the measure of the text. What declares losses that
// count is decoded at once, so that it bounds no other if it has any.
func (s *search) try(e *entry) error {
	text, err := s.encode(e)
	if err != nil || e.out {
		return err
	}
	if e.sum = maphash.Bytes(seed, text); s.known(e) {
		return nil
	}
	if e.loss&^s.allowed != 0 {
		if s.check(e, text); e.out {
			return nil
		}
	}
	return s.size(e, text)
}

// seed is that of all searches: what they remember of texts is theirs alone.
var seed = maphash.MakeSeed()

// known reports whether another configuration of the format has given the same text. It is
// the simpler of the two that stays.
func (s *search) known(e *entry) bool {
	for i := range s.others {
		o := &s.others[i]
		if o == e || o.sum != e.sum || o.out || o.format != e.format || o.Bytes != e.Bytes {
			continue
		}
		if e.variant != "" {
			e.Outcome, e.out = Duplicate, true
			return true
		}
		e.size, e.final, e.Tokens, e.Estimated = o.size, o.final, o.Tokens, o.Estimated
		o.Outcome, o.out = Duplicate, true
		if s.best == o {
			s.best = e
		}
		return true
	}
	return false
}

// keep makes e the best, whose text is the one that was encoded last.
func (s *search) keep(e *entry) {
	s.best, s.bestText, s.scratch = e, s.scratch, s.bestText
}

// wholeText is the length of texts up to which all tokens are counted.
const wholeText = 8 << 10

// size takes the measure of e's text, by pieces if that is long.
func (s *search) size(e *entry, text []byte) error {
	switch {
	case s.Measure == Bytes:
		e.size, e.final = float64(len(text)), true
	case len(text) > wholeText:
		n, err := s.estimate(text)
		if err != nil {
			return err
		}
		e.estimated(n)
	default:
		if err := s.count(e, text, noBound); err != nil {
			return err
		}
	}
	if e != s.json && (s.best == nil || s.best.out || s.smaller(e, s.best)) {
		s.keep(e)
	}
	return nil
}

// smaller reports whether a is the better of two whose measures are final.
func (s *search) smaller(a, b *entry) bool {
	return a.size < b.size || a.size == b.size && a.variant == "" && b.variant != "" && a.format == b.format
}

// A long text is estimated by pieces, spread evenly: one for so many bytes of the text.
const (
	pieceLen  = 512
	leastOf   = 8
	mostOf    = 64
	perPieces = 8 << 10
)

// estimate counts pieces of a text.
func (s *search) estimate(text []byte) (float64, error) {
	total, pieces := 0, min(mostOf, max(leastOf, len(text)/perPieces))
	for i := range pieces {
		from := (2*i+1)*len(text)/(2*pieces) - pieceLen/2
		n, err := s.tokens(text[from:from+pieceLen], noBound)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return float64(total) * float64(len(text)) / float64(pieces*pieceLen), nil
}

const noBound = math.MaxInt

// count measures the whole of e's text. With more tokens than the bound e is out.
func (s *search) count(e *entry, text []byte, bound int) error {
	n, err := s.tokens(text, bound)
	if err != nil {
		return err
	}
	if n > bound {
		e.outgrow()
		return nil
	}
	e.counted(n)
	return nil
}

// tokens counts, up to a bound where the counter can.
func (s *search) tokens(text []byte, bound int) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := tokens.CountUpTo(s.Counter, text, bound)
	if err != nil {
		return 0, fmt.Errorf("wirekit: counting tokens of %s: %w", s.Counter.Name(), err)
	}
	return n, nil
}

// An estimate may be so much too high or too low; the text of an entry that comes this
// near the best is counted whole. See TestSlack.
const slack = 0.03

// mostCounted is how many texts are counted whole, unless they are found lossy.
const mostCounted = 4

// smallest returns the candidate with the fewest tokens, all of which are counted; nil if
// there is none.
func (s *search) smallest() (*entry, error) {
	for counted := 0; ; counted++ {
		var least *entry
		hoped := func(e *entry) float64 {
			if e.final || s.Measure == Sampled || counted >= mostCounted {
				return e.size
			}
			return e.size * (1 - slack)
		}
		for i := range s.others {
			e := &s.others[i]
			if e.out || e.size == 0 || counted >= mostCounted && !e.final {
				continue
			}
			if least == nil || hoped(e) < hoped(least) || e.final && least.final && s.smaller(e, least) {
				least = e
			}
		}
		if least == nil || least.final {
			return least, nil
		}
		if err := s.countWhole(least); err != nil {
			return nil, err
		}
	}
}

// countWhole counts the tokens of e, up to those of the best.
func (s *search) countWhole(e *entry) error {
	text := s.bestText
	if e != s.best {
		var err error
		if text, err = s.encode(e); err != nil || e.out {
			return err
		}
	}
	bound := noBound
	if s.best != e && s.best != nil && s.best.final && !s.best.out {
		bound = int(s.best.size * near)
	}
	if err := s.count(e, text, bound); err != nil || e.out {
		return err
	}
	if e != s.best && (s.best == nil || s.best.out || !s.best.final || s.smaller(e, s.best)) {
		s.keep(e)
	}
	return nil
}

// beatsJSON reports whether e saves as much against JSON as is asked for. JSON's tokens
// are counted, or as many of them as show that.
func (s *search) beatsJSON(e *entry) (bool, error) {
	switch {
	case s.json.out:
		return e != nil, nil
	case !s.json.final:
		bound := noBound
		if e != nil && s.Measure == Sampled {
			bound = max(int(e.size), int(math.Ceil(e.size/(1-s.MinSaving)))-1)
		}
		n, err := s.tokens(s.text, bound)
		if err != nil {
			return false, err
		}
		if n > bound {
			s.json.estimated(max(float64(n), s.json.size))
			return true, nil
		}
		s.json.counted(n)
	}
	return e != nil && e.size < s.json.size && e.size <= s.json.size*(1-s.MinSaving), nil
}

// verify decodes e's text and compares. A candidate that does not pass is out.
func (s *search) verify(e *entry) error {
	if e.Verified {
		return nil
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	text, err := s.textOf(e)
	if err != nil {
		e.refuse(err)
		return nil
	}
	s.check(e, text)
	return nil
}

// check decodes a text of e and compares.
func (s *search) check(e *entry, text []byte) {
	err := wire.View(Limited(e.codec, s.Limits), text, func(back wire.Value) error {
		if e.Loss, e.LossPath = wire.Difference(s.value, back); e.Loss&^s.ignored != 0 && !s.Exact {
			e.Loss, e.LossPath = wire.Internal.DifferenceBeyond(measure.BeyondJSON, s.value, back)
		}
		return nil
	})
	if err != nil {
		e.refuse(err)
		return
	}
	e.Verified = true
	if e.Loss&^s.ignored != 0 {
		e.Outcome, e.out = Lossy, true
	}
}

// textOf returns e's text.
func (s *search) textOf(e *entry) ([]byte, error) {
	switch {
	case e == s.best:
		return s.bestText, nil
	case e == s.json && s.text != nil:
		return s.text, nil
	}
	text, err := s.write(e, 0)
	if err != nil {
		return nil, err
	}
	s.keep(e)
	return text, nil
}

// encode writes the value in e into memory that the next call writes over. An e that
// cannot carry it, or whose text is far longer than the shortest, is out.
func (s *search) encode(e *entry) ([]byte, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	bound := s.bound()
	text, err := s.write(e, bound)
	switch {
	case bound > 0 && tooLong(err):
		e.outgrow()
	case err != nil && s.ctx.Err() != nil:
		return nil, s.ctx.Err()
	case err != nil:
		e.refuse(err)
	default:
		e.Bytes = len(text)
	}
	return text, nil
}

// minBound is a length below which texts are not given up.
const minBound = 256

// bound returns the most bytes that a text can have and still win: a quarter more than the
// shortest, or half as much again where lengths decide. Tokens of one format are not so
// much longer than those of another.
func (s *search) bound() int {
	shortest := s.json.Bytes
	for i := range s.others {
		if e := &s.others[i]; e.Bytes > 0 && !e.out && (shortest == 0 || e.Bytes < shortest) {
			shortest = e.Bytes
		}
	}
	switch {
	case shortest == 0:
		return 0
	case s.Measure == Bytes:
		return max(minBound, shortest+shortest/2)
	}
	return max(minBound, shortest+shortest/4)
}

// write writes the value in e. A bound that is not 0 is the most bytes of it.
func (s *search) write(e *entry, bound int) ([]byte, error) {
	limits := s.Limits
	if bound > 0 {
		limits.OutputBytes = min(bound, limits.Resolved().OutputBytes)
	}
	codec := Limited(e.codec, limits)
	if f, ok := codec.(fold.Codec); ok && f.Options.Counter != nil {
		f.Options.Counter = attentive{f.Options.Counter, s.ctx}
		codec = f
	}
	text, err := codec.AppendEncode(s.scratch[:0], s.value)
	if err != nil {
		return nil, err
	}
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, errors.New("the text is empty")
	case e.format == "jsonl" && s.value.Len() == 1:
		return nil, errors.New("a single record is JSON of another value")
	case !scan.SameStart(text, s.scratch): // perhaps the codec's own
		text = append(s.scratch[:0], text...)
	}
	s.scratch = text
	return text, nil
}

// attentive is a counter that fails once the context has ended. Folding counts at every
// step of its search.
type attentive struct {
	tokens.Counter
	ctx context.Context
}

func (a attentive) Count(text []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.Counter.Count(text)
}

// Limited returns the codec with limits, if there are any.
func Limited(c wire.Codec, limits wire.Limits) wire.Codec {
	if limits == (wire.Limits{}) {
		return c
	}
	return wire.WithLimits(c, limits)
}

// tooLong reports whether err is that of a text beyond Limits.OutputBytes, for which all
// codecs have one code.
func tooLong(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Kind == wire.ErrLimit && e.Code == wire.CodeOutputTooLong
}

// report lists the candidates by measure, the chosen one first.
func (s *search) report() []Candidate {
	sorted := make([]*entry, len(s.entries))
	for i := range sorted {
		sorted[i] = &s.entries[i]
	}
	slices.SortStableFunc(sorted, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.size, b.size))
	})
	list := make([]Candidate, len(sorted))
	for i, e := range sorted {
		list[i] = e.Candidate
		list[i].Outcome = cmp.Or(e.Outcome, NotSmaller)
	}
	return list
}
