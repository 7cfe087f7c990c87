package wirekit

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
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A selection is one choice on its way. First every candidate is tried: on the
// value itself if that is short or if everything is to be measured, otherwise on a
// part of it. What came close to the best is then written and measured whole; the
// best of that is compared with JSON, decoded and compared with the value, until
// one has passed.
type selection struct {
	Chooser
	ctx     context.Context
	value   wire.Value
	counter tokens.Counter

	candidates []candidate // JSON and those of others
	json       *candidate
	others     []*candidate
	tried      wire.Value      // the value or a part of it
	parts      builder.Builder // of what is tried
	whole      bool            // tried is the value
	scale      float64         // how many times as long as what is tried the value is
	triedBytes int             // of what is tried as JSON
	text       []byte          // JSON's
	best       *candidate      // whose text is in bestText, if any
	bestText   []byte
	scratch    []byte
	seen       map[hashed]bool // texts of others

	usual              bool // the counter is one of package tokens
	counting, checking *job
	counted            int // tokens of JSON, once counting is done
	countErr           error
	checked            check // of checkedOf, once checking is done
	checkedOf          *candidate
}

// newSelection returns the selection of the candidates, which it copies.
func newSelection(ctx context.Context, c Chooser, v wire.Value, candidates []candidate) *selection {
	k := &selection{
		Chooser: c, ctx: ctx, value: v, counter: c.Counter,
		tried: v, whole: true, scale: 1,
		candidates: append([]candidate{newCandidate(wire.JSON{})}, candidates...),
		others:     make([]*candidate, len(candidates)), seen: make(map[hashed]bool),
	}
	if k.counter == nil {
		k.counter = tokens.Default()
	}
	switch k.counter.(type) {
	case tokens.O200k, tokens.Cl100k, tokens.Estimate, *tokens.Vocabulary:
		k.usual = true
	}
	k.json = &k.candidates[0]
	noLoss := measure.BeyondJSON // the losses that do not count
	if k.Exact {
		noLoss = variants.LossKinds
	}
	for i := range k.others {
		k.others[i] = &k.candidates[i+1]
		k.others[i].lossy = k.others[i].loss&^noLoss != 0
	}
	return k
}

func (k *selection) run() (Choice, error) {
	defer k.leave()
	best, err := k.search()
	k.tried = k.value
	k.parts.GiveBack(err)
	if errors.Is(err, context.DeadlineExceeded) && k.ctx.Err() != nil {
		for _, e := range k.others {
			if !e.out {
				e.Outcome = outcomeUntried
			}
		}
		best, err = k.json, nil
	}
	if err != nil {
		return Choice{}, err
	}
	text, err := k.textOf(best)
	if err != nil {
		best.refused(err)
		return Choice{}, failure(k.report().Candidates)
	}
	if best, text, err = k.simplest(best, text); err != nil {
		return Choice{}, err
	}
	best.Bytes, best.Outcome = len(text), outcomeChosen
	choice := Choice{Codec: best.codec, Encoded: bytes.Clone(text), Report: k.report()}
	k.leave()
	for _, b := range [...][]byte{k.text, k.bestText, k.scratch} {
		giveBack(b)
	}
	return choice, nil
}

// search returns the candidate to be chosen. If nothing carries the value that is
// JSON, which then refuses it.
func (k *selection) search() (*candidate, error) {
	if err := k.begin(); err != nil {
		return nil, err
	}
	for _, e := range k.others {
		if err := k.try(e); err != nil {
			return nil, err
		}
	}
	clear(k.seen) // from here on texts are whole
	for {
		e, err := k.leader()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return k.json, k.acceptJSON()
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

// begin writes the value as JSON, decides what is tried, and measures the line
// to beat on it.
func (k *selection) begin() error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	text, err := limited(k.json.codec, k.Limits).AppendEncode(borrow(), k.value)
	if err != nil {
		k.json.refused(err)
		return nil
	}
	k.text, k.json.Bytes = text, len(text)
	k.scratch = borrow()
	if k.Precision != PrecisionBytes && k.divide() {
		k.countInBackground()
		return k.estimate(k.json, k.scratch)
	}
	return k.count(k.json, text, noBound)
}

// divide decides whether a part of a long value is tried, which is then in scratch as
// JSON.
func (k *selection) divide() bool {
	if len(k.text) <= wholeTrial {
		return false
	}
	size := min(mostTrial, max(leastTrial, len(k.text)/trialPart))
	of := float64(size) / float64(len(k.text))
	tried, length := wire.Value{}, 0
	k.parts.Borrow(nil)
	for _, few := range [...]int{fewElements, 1} {
		tried = part(&k.parts, k.value, of, few)
		if length = len(k.asJSON(tried)); length <= max(2*size, len(k.text)/5) {
			break
		}
	}
	if length == 0 || float64(length) > mostPart*float64(len(k.text)) {
		return false
	}
	k.whole, k.tried, k.triedBytes = false, tried, length
	k.scale = float64(len(k.text)) / float64(length)
	return true
}

// asJSON returns a part in a buffer that the next call writes over.
func (k *selection) asJSON(v wire.Value) []byte {
	text, err := k.json.codec.AppendEncode(k.scratch[:0], v)
	if err != nil {
		return nil // not of a part of what was encoded before
	}
	k.scratch = text
	return text
}

// try encodes what is tried in one of the others and takes its measure.
func (k *selection) try(e *candidate) error {
	switch {
	case k.hopeless(e):
		e.Outcome, e.out = outcomeSkipped, true
		return nil
	case k.whole:
		return k.finish(e)
	case e.folded:
		return nil // what it saves shows in the whole only
	}
	if err := k.ctx.Err(); err != nil {
		return err
	}
	bound := k.bound(1 / k.scale)
	text, err := k.encode(e, k.tried, bound)
	switch {
	case bound > 0 && tooLong(err):
		e.out = true
		return nil
	case err != nil:
		return nil // the whole tells why, with its own paths
	case k.known(e, text):
		e.Outcome, e.out = outcomeDuplicate, true
		return nil
	case k.tooLong(e, len(text)):
		e.out = true
		return nil
	}
	return k.estimate(e, text)
}

// finish encodes the whole value in e and takes the measure of the text, which is kept if e
// is the best then.
func (k *selection) finish(e *candidate) error {
	text, err := k.write(e)
	if err != nil || e.out {
		return err
	}
	// The first one is likely to be chosen: it is decoded while its tokens are counted.
	first := !k.whole && k.best == nil && k.checking == nil && !e.lossy
	if first {
		k.checkInBackground(e, text)
	}
	if err := k.count(e, text, k.mostTokens(e)); err != nil {
		return err
	}
	better := !e.out && (k.best == nil || e.size < k.best.size)
	if better != first {
		k.checking.join() // of a text that is written over from here on
	}
	if better {
		k.best = e
		k.bestText, k.scratch = text, k.bestText
	}
	return nil
}

// write encodes the whole value in e, which is out if that fails, or cannot be the best.
func (k *selection) write(e *candidate) ([]byte, error) {
	if err := k.ctx.Err(); err != nil {
		return nil, err
	}
	bound := k.bound(1)
	if k.scratch == nil {
		k.scratch = borrow()
	}
	if cap(k.scratch) < len(k.text) {
		giveBack(k.scratch)
		k.scratch = make([]byte, 0, len(k.text)) // most texts are shorter
	}
	text, err := k.encode(e, k.value, bound)
	switch {
	case bound > 0 && tooLong(err):
		e.outgrown()
	case err != nil && k.ctx.Err() != nil:
		return nil, k.ctx.Err()
	case err != nil:
		e.refused(err)
	default:
		if e.Bytes = len(text); k.known(e, text) {
			e.Outcome, e.out = outcomeDuplicate, true
		} else if k.whole && k.tooLong(e, len(text)) {
			e.out = true
		}
	}
	return text, nil
}

// encode returns e's text of a value in a buffer that the next call writes over.
// A bound that is not 0 is the most bytes that are worth writing.
func (k *selection) encode(e *candidate, v wire.Value, bound int) ([]byte, error) {
	limits := k.Limits
	if bound > 0 {
		limits.OutputBytes = min(bound, limits.Resolved().OutputBytes)
	}
	codec := limited(e.codec, limits)
	if f, ok := codec.(fold.Codec); ok && f.Options.Counter != nil {
		f.Options.Counter = attentive{f.Options.Counter, k.ctx}
		codec = f
	}
	text, err := codec.AppendEncode(k.scratch[:0], v)
	if err != nil {
		return text, err
	}
	if err := k.misleads(e, v, text); err != nil {
		return nil, err
	}
	if !scan.SameStart(text, k.scratch) { // perhaps the codec's own
		text = append(k.scratch[:0], text...)
	}
	k.scratch = text
	return text, nil
}

// misleads returns an error for a text that its reader cannot take for the value.
func (k *selection) misleads(e *candidate, v wire.Value, text []byte) error {
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return errors.New("the text is empty")
	case e.format == "jsonl" && v.Len() == 1:
		return errors.New("a single record is JSON of another value")
	}
	return nil
}

// attentive is a counter that fails once the context has ended. Folding counts at
// every step of its search.
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

func limited(c wire.Codec, limits wire.Limits) wire.Codec {
	if limits == (wire.Limits{}) {
		return c
	}
	return wire.WithLimits(c, limits)
}

// minBound is a length below which texts are not given up.
const minBound = 256

// bound returns the most bytes that a text of so large a part of the value can
// have and still win: half as many again as the shortest whole one's that will
// not be found lossy, or a third where not everything is to be measured. Tokens of
// one format are not so much longer than those of another.
func (k *selection) bound(of float64) int {
	shortest := k.json.Bytes
	for _, e := range k.others {
		if e.Bytes > 0 && !e.lossy && (shortest == 0 || e.Bytes < shortest) {
			shortest = e.Bytes
		}
	}
	if shortest == 0 {
		return 0
	}
	if k.Precision == PrecisionBytes {
		return max(minBound, int(1.5*of*float64(shortest)))
	}
	return max(minBound, int(1.35*of*float64(shortest)))
}

// A hashed is a text in a format.
type hashed struct {
	format string
	text   uint64
}

// seed is that of all selections: what they remember of texts is theirs alone.
var seed = maphash.MakeSeed()

// known reports whether another configuration of the same format has given the
// same text, which then need not be measured again.
func (k *selection) known(e *candidate, text []byte) bool {
	if k.leadersOnly() {
		return false
	}
	sum := hashed{e.format, maphash.Bytes(seed, text)}
	known := k.seen[sum]
	k.seen[sum] = true
	return known
}

// mostBehind is up to where named candidates are counted.
const mostBehind = 1.4

// muchLess is the part of JSON's tokens that formats for people do not come down
// to: their texts are JSON's with other white space.
const muchLess = 0.9

// A format's leader may have farBehind times the tokens of the best for its siblings
// to be tried on a short text, of which one token is a good part.
const farBehind = 1.04

// leadersOnly reports whether one configuration of each format is tried.
func (k *selection) leadersOnly() bool {
	return k.Precision == PrecisionSampled && len(k.Formats) == 0 && len(k.text) > shortText
}

// hopeless reports whether no one asked for e, and it is a configuration that its
// format's leader is hardly ever longer than, or of a format that comes later; or a
// format for people where another has found much to save.
func (k *selection) hopeless(e *candidate) bool {
	if k.Precision == PrecisionBytes || len(k.Formats) > 0 {
		return false
	}
	if late[e.format] > 0 && (k.leadersOnly() || k.least() < muchLess*k.json.size) {
		return true
	}
	base := k.others[e.base]
	if base == e || base.Err != nil || base.Outcome == outcomeLossy {
		return false
	}
	if len(k.text) <= shortText {
		return base.size == 0 || base.size > farBehind*k.least()
	}
	return k.leadersOnly() || !followers[e.Name] || base.size == 0 || base.size > k.least()
}

// least returns the smallest size so far of what will not be found lossy, or
// infinity.
func (k *selection) least() float64 {
	least := math.Inf(1)
	if k.json.size > 0 {
		least = k.json.size
	}
	for _, e := range k.others {
		if e.size > 0 && !e.out && !e.lossy {
			least = min(least, e.size)
		}
	}
	return least
}

const noBound = math.MaxInt

// mostTokens returns the most tokens of e that are worth counting: a little more
// than the best has.
func (k *selection) mostTokens(e *candidate) int {
	by, least := 1.02, k.least()
	switch {
	case len(k.Formats) > 0 && k.whole:
		by = mostBehind // who asks for few wants to see them
	case !k.whole && k.best == nil:
		return noBound // all others are estimates
	case !k.whole:
		least = k.best.size
	}
	if least *= by; least < math.MaxInt32 {
		return int(least) + 1
	}
	return noBound
}

// count measures e's whole text. With more tokens than the bound e is out.
func (k *selection) count(e *candidate, text []byte, bound int) error {
	if k.Precision == PrecisionBytes {
		e.size, e.final = float64(len(text)), true
		return nil
	}
	n, err := k.tokensOf(text, bound)
	if err != nil {
		return err
	}
	if n > bound {
		e.outgrown()
		return nil
	}
	e.measured(n)
	return nil
}

// estimate measures e's text of the part that is tried.
func (k *selection) estimate(e *candidate, text []byte) error {
	n, err := k.tokensOf(text, noBound)
	if err != nil {
		return err
	}
	once := 0
	if head := headOf(e.format, text); head > 0 {
		if once, err = k.tokensOf(text[:head], noBound); err != nil {
			return err
		}
	}
	e.estimated(float64(n-once)*k.scale + float64(once))
	return nil
}

// tokensOf counts, up to a bound where the counter can.
func (k *selection) tokensOf(text []byte, bound int) (int, error) {
	if err := k.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := tokens.CountUpTo(k.counter, text, bound)
	if err != nil {
		return 0, k.uncounted(err)
	}
	return n, nil
}

func (k *selection) uncounted(err error) error {
	return fmt.Errorf("wirekit: counting tokens of %s: %w", k.counter.Name(), err)
}

// textOf returns e's text without a bound, in memory that stays.
func (k *selection) textOf(e *candidate) ([]byte, error) {
	switch {
	case e == k.best:
		return k.bestText, nil
	case e == k.json && k.text != nil:
		return k.text, nil
	}
	text, err := k.encode(e, k.value, 0)
	if err != nil {
		return nil, err
	}
	k.checking.join() // of a text that is written over from here on
	k.best, k.bestText, k.scratch = e, text, k.bestText
	return text, nil
}

// partialJSON is how much better JSON must seem on a part for it to be the
// answer: the header of a table weighs more there.
const partialJSON = 1.1

// contenders is how many candidates are written whole at most, unless they are
// found lossy.
var contenders = [...]int{PrecisionCounted: 2, PrecisionSampled: 1}

// near returns how many times the tokens of the best on a part another may have
// there to be written whole: the less, the more the part tells.
func (k *selection) near(best float64) float64 {
	return 1 + 0.4/math.Sqrt(best/k.scale)
}

// leader returns the smallest candidate that is still in, with the measure of its
// whole text; nil if there is none, or none that comes near JSON.
func (k *selection) leader() (*candidate, error) {
	in := k.in()
	if !k.whole {
		if err := k.finishNear(in); err != nil {
			return nil, err
		}
		in = k.in()
	}
	for _, e := range in {
		if e.final {
			return e, nil
		}
	}
	if len(in) > 0 && !k.whole && !k.behindJSON(in[0]) {
		return k.leader() // those finished are out
	}
	return nil, nil
}

// in returns the others that can still be chosen, the smallest first; those
// without a measure come before.
func (k *selection) in() []*candidate {
	var in []*candidate
	for _, e := range k.others {
		if !e.out {
			in = append(in, e)
		}
	}
	slices.SortStableFunc(in, smaller)
	return in
}

// finishNear finishes those of which nothing is known yet, and those that are near the
// smallest.
func (k *selection) finishNear(in []*candidate) error {
	finished, near := 0, 0.0 // how many were, and up to what size others are near the first
	for _, e := range in {
		estimate := e.size
		if estimate > 0 && !e.final {
			switch k.verdict(e, finished, near) {
			case endThere:
				return nil
			case passOver:
				continue
			}
		}
		if !e.final {
			if err := k.finish(e); err != nil {
				return err
			}
		}
		if estimate == 0 || e.out {
			continue
		}
		if finished++; finished == 1 {
			near = estimate * k.near(estimate)
		}
	}
	return nil
}

// A verdict says what becomes of an candidate of which a part is measured.
type verdict uint8

const (
	finishIt verdict = iota
	passOver
	endThere // those that follow are larger
)

// verdict returns that of e after so many were finished.
func (k *selection) verdict(e *candidate, finished int, near float64) verdict {
	most, surprised := contenders[k.Precision], k.surprised(e)
	switch {
	case k.behindJSON(e), finished > most:
		return endThere
	case !surprised && (finished == most || finished > 0 && e.size > near):
		return endThere
	case !surprised && k.best != nil && !k.best.out && k.best.format == e.format:
		return passOver // a part tells texts of one format apart
	case k.losesInPart(e):
		return passOver
	}
	return finishIt
}

// surprised reports whether the best of what was measured whole is so much larger
// than a part said that e may well be smaller.
func (k *selection) surprised(e *candidate) bool {
	return k.best != nil && e.size < k.best.size*surprise
}

const surprise = 0.96

// behindJSON reports whether the part says clearly that e saves too little.
func (k *selection) behindJSON(e *candidate) bool {
	return !k.json.out && e.size > k.json.size*(1-k.MinSaving)*partialJSON
}

// losesInPart decodes the part again in a format that declares losses. What is
// lost there is lost in the whole.
func (k *selection) losesInPart(e *candidate) bool {
	if !e.lossy || k.whole {
		return false
	}
	text, err := k.encode(e, k.tried, 0)
	if err != nil {
		return false
	}
	back, err := limited(e.codec, k.Limits).Decode(text)
	if err != nil {
		return false
	}
	loss, _ := wire.Difference(k.tried, back)
	if k.counts(loss) == 0 {
		return false
	}
	e.Outcome, e.Loss, e.out = outcomeLossy, loss, true
	return true
}

// counts returns those of the losses that a lossless text must not have.
func (k *selection) counts(loss wire.Loss) wire.Loss {
	if k.Exact {
		return loss
	}
	return loss &^ measure.BeyondJSON
}

// beatsJSON reports whether e, whose measure is final, saves enough against JSON.
func (k *selection) beatsJSON(e *candidate) (bool, error) {
	if k.json.out {
		return true, nil
	}
	if !k.json.final {
		// As many tokens as JSON may have without being beaten.
		bound := noBound
		if k.Precision == PrecisionSampled {
			bound = max(int(e.size), int(math.Ceil(e.size/(1-k.MinSaving)))-1)
		}
		if known, err := k.countedInBackground(); err != nil {
			return false, err
		} else if known {
			return k.enough(e), nil
		}
		n, err := k.tokensOf(k.text, bound)
		if err != nil {
			return false, err
		}
		if n > bound {
			k.json.estimated(max(float64(n), k.json.size))
			return true, nil
		}
		k.json.measured(n)
	}
	return k.enough(e), nil
}

// enough reports whether e is smaller than JSON by as much as is asked for.
func (k *selection) enough(e *candidate) bool {
	return e.size < k.json.size && e.size <= k.json.size*(1-k.MinSaving)
}

// acceptJSON measures JSON when it is the answer.
func (k *selection) acceptJSON() error {
	if k.json.out || k.json.final || k.Precision == PrecisionBytes {
		return nil
	}
	if known, err := k.countedInBackground(); known || err != nil {
		return err
	}
	return k.count(k.json, k.text, noBound)
}

// verify decodes e's text and compares. A candidate that does not pass is out.
func (k *selection) verify(e *candidate) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	text, err := k.textOf(e)
	if err != nil {
		e.refused(err)
		return nil
	}
	var c check
	if e == k.checkedOf && k.checking != nil {
		k.checking.join()
		c = k.checked
	} else {
		if e == k.best && cap(k.scratch) > leastBuffer {
			k.scratch = nil // room for what is decoded
		}
		c = k.check(e, text)
	}
	if c.err != nil {
		e.refused(c.err)
		return nil
	}
	e.Verified, e.Loss, e.LossPath = true, c.loss, c.path
	if k.counts(c.loss) != 0 {
		e.Outcome, e.out = outcomeLossy, true
	}
	return nil
}

// report lists the candidates by measure, the chosen one first.
func (k *selection) report() Report {
	r := Report{Precision: k.Precision}
	if k.Precision != PrecisionBytes {
		r.Counter = k.counter.Name()
	}
	all := append([]*candidate{k.json}, k.others...)
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), smaller(a, b))
	})
	r.Candidates = make([]Candidate, len(all))
	for i, e := range all {
		r.Candidates[i] = e.Candidate
		r.Candidates[i].Outcome = cmp.Or(e.Outcome, outcomeNotSmaller)
	}
	return r
}
