package wirekit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A contest is one choice on its way. First every candidate is tried: on the
// value itself if that is short or if everything is to be measured, otherwise on a
// part of it. What came close to the best is then written and measured whole; the
// best of that is compared with JSON, decoded and compared with the value, until
// one has passed.
type contest struct {
	Chooser
	ctx     context.Context
	value   wire.Value
	counter tokens.Counter

	json                    *entrant
	others                  []*entrant
	tried                   wire.Value // the value or a part of it
	whole                   bool       // tried is the value
	scale                   float64    // how many times as long as what is tried the value is
	second                  wire.Value // a larger part, for those that lead on the first
	triedBytes, secondBytes int        // of the parts as JSON
	shape                   shape
	text                    []byte   // JSON's
	lead                    *entrant // whose text is in leading, if any
	leading                 []byte
	scratch                 []byte
	seen                    map[uint64]bool // texts of others, by format and hash
}

func newContest(ctx context.Context, c Chooser, v wire.Value, entrants []entrant) *contest {
	json := newEntrant(wire.JSON{})
	k := &contest{
		Chooser: c, ctx: ctx, value: v, counter: c.Counter, json: &json,
		tried: v, whole: true, scale: 1,
		others: make([]*entrant, len(entrants)), seen: make(map[uint64]bool, len(entrants)),
	}
	if k.counter == nil {
		k.counter = tokens.Default()
	}
	if b, ok := k.counter.(tokens.Batcher); ok {
		k.counter = b.Batch()
	}
	for i := range entrants {
		entrants[i].lossy = entrants[i].loss&^k.noLoss() != 0
		k.others[i] = &entrants[i]
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

func (k *contest) run() (Choice, error) {
	best, err := k.best()
	if errors.Is(err, context.DeadlineExceeded) && k.ctx.Err() != nil {
		k.stop()
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
	best.Bytes, best.Outcome = len(text), OutcomeChosen
	if best != k.json {
		giveBack(k.text)
	}
	giveBack(k.scratch)
	text = clipped(text)
	if r, ok := k.counter.(interface{ Release() }); ok {
		defer r.Release() // the report asks for its name
	}
	return Choice{Codec: best.codec, Encoded: text, Tokens: best.Tokens, Report: k.report()}, nil
}

// stop ends a contest that has no time left.
func (k *contest) stop() {
	for _, e := range k.others {
		if !e.out {
			e.Outcome = OutcomeUntried
		}
	}
}

// best returns the entrant to be chosen. If nothing carries the value that is
// JSON, which then refuses it.
func (k *contest) best() (*entrant, error) {
	if err := k.begin(); err != nil {
		return nil, err
	}
	for _, e := range k.others {
		if err := k.try(e); err != nil {
			return nil, err
		}
	}
	if err := k.refine(); err != nil {
		return nil, err
	}
	clear(k.seen) // from here on texts are whole
	for {
		e, err := k.leader()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return k.json, k.settleJSON()
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
func (k *contest) begin() error {
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
	if k.Measure == MeasureCounted || k.Measure == MeasureSampled {
		if tried := k.divide(); !k.whole {
			return k.estimate(k.json, tried)
		}
	}
	return k.count(k.json, text, noBound)
}

// divide decides on two parts of a long value, and returns the smaller one as
// JSON.
func (k *contest) divide() []byte {
	if len(k.text) <= mostWhole {
		return nil
	}
	size := trialSize(len(k.text))
	of := float64(size) / float64(len(k.text))
	large, length := wire.Value{}, 0
	for _, few := range [...]int{fewElements, 1} {
		large = part(k.value, of, few)
		if length = len(k.asJSON(large)); length <= max(size+size/2, len(k.text)/4) {
			break
		}
	}
	if length == 0 || length > len(k.text)/3 {
		return nil
	}
	k.whole, k.tried, k.second, k.secondBytes = false, large, large, length
	text := k.asJSON(part(large, smallPart, fewElements))
	if float64(len(text)) > tooAlike*float64(length) {
		text = k.asJSON(large)
	} else {
		k.tried = part(large, smallPart, fewElements)
	}
	k.triedBytes = len(text)
	k.scale = float64(len(k.text)) / float64(len(text))
	return text
}

// asJSON returns a part in a buffer that the next call writes over.
func (k *contest) asJSON(v wire.Value) []byte {
	text, err := k.json.codec.AppendEncode(k.scratch[:0], v)
	if err != nil {
		return nil // not of a part of what was encoded before
	}
	k.scratch = text
	return text
}

// try encodes what is tried in one of the others and takes its measure.
func (k *contest) try(e *entrant) error {
	switch {
	case k.whole:
		return k.finish(e)
	case e.folded:
		return nil // what it saves shows in the whole only
	case k.hopeless(e):
		e.Outcome, e.out = OutcomeSkipped, true
		return nil
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
		e.Outcome, e.out = OutcomeSame, true
		return nil
	}
	return k.estimate(e, text)
}

// refine tries those that lead on the larger part too. What a text has once, such
// as the header of a table, weighs less in the whole than in a part; two parts tell
// how much.
func (k *contest) refine() error {
	if k.whole || k.triedBytes == k.secondBytes {
		return nil
	}
	most := k.least() * refinedFrom
	small := k.json.size / k.scale
	large, err := k.tokensOf(k.asJSON(k.second), noBound)
	if err != nil {
		return err
	}
	json, all := float64(large), float64(len(k.text))/float64(k.secondBytes)
	k.json.estimated(json, all)
	refined := 0
	for _, e := range k.in() {
		if e.size == 0 {
			continue
		}
		if refined++; refined > mostRefined || e.size > most {
			e.out = true
			continue
		}
		text, err := k.encode(e, k.second, 0)
		if err != nil {
			continue
		}
		n, err := k.tokensOf(text, noBound)
		if err != nil {
			return err
		}
		before, tokens := e.size/k.scale, float64(n)
		each := (tokens - before) / max(1, json-small) // for a token of JSON
		once := min(max(0, tokens-each*json), mostOnce*tokens)
		e.estimated(once+(tokens-once)*all, 1)
	}
	return nil
}

// finish encodes the value and takes its measure, and its text if it leads.
func (k *contest) finish(e *entrant) error {
	if k.hopeless(e) {
		e.Outcome, e.out = OutcomeSkipped, true
		return nil
	}
	if err := k.ctx.Err(); err != nil {
		return err
	}
	bound := k.bound(1)
	if cap(k.scratch) < len(k.text) {
		k.scratch = make([]byte, 0, len(k.text)) // most texts are shorter
	}
	text, err := k.encode(e, k.value, bound)
	switch {
	case bound > 0 && tooLong(err):
		e.out, e.size, e.Tokens = true, 0, -1
		return nil
	case err != nil:
		e.refused(err)
		return nil
	}
	e.Bytes = len(text)
	if k.known(e, text) {
		e.Outcome, e.out = OutcomeSame, true
		return nil
	}
	if err := k.count(e, text, k.mostTokens(e)); err != nil {
		return err
	}
	if !e.out && (k.lead == nil || e.size < k.lead.size) {
		k.lead = e
		k.leading, k.scratch = text, k.leading
	}
	return nil
}

// encode returns e's text of a value in a buffer that the next call writes over.
// A bound that is not 0 is the most bytes that are worth writing.
func (k *contest) encode(e *entrant, v wire.Value, bound int) ([]byte, error) {
	limits := k.Limits
	if bound > 0 {
		limits.OutputBytes = min(bound, limits.Resolved().OutputBytes)
	}
	text, err := limited(e.codec, limits).AppendEncode(k.scratch[:0], v)
	if err == nil {
		k.scratch = text
	}
	return text, err
}

func limited(c wire.Codec, limits wire.Limits) wire.Codec {
	if l, ok := c.(wire.Limiter); ok && limits != (wire.Limits{}) {
		return l.WithLimits(limits)
	}
	return c
}

// minBound is a length below which texts are not given up.
const minBound = 256

// bound returns the most bytes that a text of so large a part of the value can
// have and still win: half as many again as the shortest whole one's that will
// not be found lossy, or a third where not everything is to be measured. Tokens of
// one format are not so much longer than those of another.
func (k *contest) bound(of float64) int {
	shortest := k.json.Bytes
	for _, e := range k.others {
		if e.Bytes > 0 && !e.lossy && (shortest == 0 || e.Bytes < shortest) {
			shortest = e.Bytes
		}
	}
	if shortest == 0 {
		return 0
	}
	if k.Measure == MeasureExact || k.Measure == MeasureBytes {
		return max(minBound, shortest+shortest/2)
	}
	return max(minBound, int(1.35*of*float64(shortest)))
}

// seed is that of all contests: what they remember of texts is theirs alone.
var seed = maphash.MakeSeed()

// known reports whether another configuration of the same format has given the
// same text, which then need not be measured again.
func (k *contest) known(e *entrant, text []byte) bool {
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(e.format)
	_, _ = h.Write(text)
	sum := h.Sum64()
	known := k.seen[sum]
	k.seen[sum] = true
	return known
}

// A format's default may have farBehind times the tokens of the best for its
// variants to be tried, or as many times as stand here: these variants save more
// than others.
const farBehind = 1.08

var farther = map[string]float64{"reorder": 2, "dense": 2, "commas": mostBehind}

// mostBehind is up to where the defaults of formats are counted.
const mostBehind = 1.4

// regular reports whether what is tried has no rows that differ in their members.
func (k *contest) regular() bool {
	if k.shape == unknownShape {
		k.shape = irregular
		if isRegular(k.tried) {
			k.shape = regular
		}
	}
	return k.shape == regular
}

// muchLess is the part of JSON's tokens that formats for people do not come down
// to: their texts are JSON's with other white space.
const muchLess = 0.9

// hopeless reports whether e is a variant that nobody asked for, of a format
// whose default is far behind, or for rows that there are none of; or a format for
// people where another has found much to save.
func (k *contest) hopeless(e *entrant) bool {
	if k.Measure == MeasureExact || k.Measure == MeasureBytes || len(k.Candidates) > 0 {
		return false
	}
	if late[e.format] > 0 && k.least() < muchLess*k.json.size {
		return true
	}
	if e.variant == "" {
		return false
	}
	base := k.others[e.base]
	if base == e || base.Err != nil {
		return false
	}
	if (e.variant == "reorder" || e.variant == "dense") && k.regular() {
		return true
	}
	far := max(farBehind, farther[e.variant])
	if base.out && base.size == 0 {
		return far <= mostBehind
	}
	return base.size > far*k.least()
}

// least returns the smallest size so far of what will not be found lossy, or
// infinity.
func (k *contest) least() float64 {
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
// than the best has, or what its variants are still tried with.
func (k *contest) mostTokens(e *entrant) int {
	by := 1.02
	if k.others[e.base] == e {
		by = mostBehind
	}
	if least := k.least() * by; least < math.MaxInt32 {
		return int(least) + 1
	}
	return noBound
}

// count measures e's whole text. With more tokens than the bound e is out.
func (k *contest) count(e *entrant, text []byte, bound int) error {
	if k.Measure == MeasureBytes {
		e.size, e.final = float64(len(text)), true
		return nil
	}
	n, err := k.tokensOf(text, bound)
	if err != nil {
		return err
	}
	if n > bound {
		e.out, e.size, e.Tokens = true, 0, -1
		return nil
	}
	e.measured(n)
	return nil
}

// estimate measures e's text of the part that is tried.
func (k *contest) estimate(e *entrant, text []byte) error {
	n, err := k.tokensOf(text, noBound)
	if err != nil {
		return err
	}
	e.estimated(float64(n), k.scale)
	return nil
}

// tokensOf counts, up to a bound where the counter can.
func (k *contest) tokensOf(text []byte, bound int) (int, error) {
	if err := k.ctx.Err(); err != nil {
		return 0, err
	}
	var n int
	var err error
	if c, ok := k.counter.(tokens.Bounded); ok {
		n, err = c.CountUpTo(text, bound)
	} else {
		n, err = k.counter.Count(text)
	}
	if err != nil {
		return 0, fmt.Errorf("wirekit: counting tokens of %s: %w", k.counter.Name(), err)
	}
	return n, nil
}

// textOf returns e's text without a bound, in memory that stays.
func (k *contest) textOf(e *entrant) ([]byte, error) {
	switch {
	case e == k.lead:
		return k.leading, nil
	case e == k.json && k.text != nil:
		return k.text, nil
	}
	text, err := k.encode(e, k.value, 0)
	if err != nil {
		return nil, err
	}
	k.lead, k.leading, k.scratch = e, text, k.leading
	return text, nil
}

// partialJSON is how much better JSON must seem on a part for it to be the
// answer: the header of a table weighs more there.
const partialJSON = 1.05

// contenders returns how many candidates are written whole at most, unless they
// are found lossy. The part of a long value tells more.
func (k *contest) contenders() int {
	switch {
	case k.Measure == MeasureSampled:
		return 1
	}
	return 2
}

// near returns how many times the tokens of the best on a part another may have
// there to be written whole: the less, the more the part tells.
func (k *contest) near(best float64) float64 {
	return 1 + 1.2/math.Sqrt(best*float64(k.secondBytes)/float64(len(k.text)))
}

// leader returns the smallest entrant that is still in, with the measure of its
// whole text; nil if there is none, or none that comes near JSON.
func (k *contest) leader() (*entrant, error) {
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
func (k *contest) in() []*entrant {
	var in []*entrant
	for _, e := range k.others {
		if !e.out {
			in = append(in, e)
		}
	}
	slices.SortStableFunc(in, smaller)
	return in
}

// finishNear measures those of which nothing is known yet, and those that are
// near the smallest.
func (k *contest) finishNear(in []*entrant) error {
	most, near, finished := k.contenders(), 0.0, 0
	for _, e := range in {
		estimate := e.size
		switch {
		case e.final:
		case e.size == 0:
			if err := k.finish(e); err != nil {
				return err
			}
			continue
		case k.behindJSON(e):
			return nil
		case finished >= most && (finished > most || !k.surprised(e)):
			return nil
		case finished > 0 && e.size > near && !k.surprised(e):
			return nil
		case k.lead != nil && !k.lead.out && k.lead.format == e.format && !k.surprised(e):
			continue // a part tells texts of one format apart
		case k.losesInPart(e):
			continue
		default:
			if err := k.finish(e); err != nil {
				return err
			}
		}
		if e.out {
			continue
		}
		if finished++; finished == 1 {
			near = estimate * k.near(estimate)
		}
	}
	return nil
}

// surprised reports whether the best of what was measured whole is so much larger
// than a part said that e may well be smaller.
func (k *contest) surprised(e *entrant) bool {
	return k.lead != nil && e.size < k.lead.size*surprise
}

const surprise = 0.98

// behindJSON reports whether the part says clearly that e saves too little.
func (k *contest) behindJSON(e *entrant) bool {
	return !k.json.out && e.size > k.json.size*(1-k.MinSaving)*partialJSON
}

// losesInPart decodes the part again in a format that declares losses. What is
// lost there is lost in the whole.
func (k *contest) losesInPart(e *entrant) bool {
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
	e.Outcome, e.Loss, e.out = OutcomeLossy, loss, true
	return true
}

// counts returns those of the losses that a lossless text must not have.
func (k *contest) counts(loss wire.Loss) wire.Loss {
	if k.Identical {
		return loss
	}
	return loss &^ wire.LossBeyondJSON
}

// beatsJSON reports whether e, whose measure is final, saves enough against JSON.
func (k *contest) beatsJSON(e *entrant) (bool, error) {
	if k.json.out {
		return true, nil
	}
	if !k.json.final {
		// As many tokens as JSON may have without being beaten.
		bound := noBound
		if k.Measure == MeasureSampled {
			bound = max(int(e.size), int(math.Ceil(e.size/(1-k.MinSaving)))-1)
		}
		n, err := k.tokensOf(k.text, bound)
		if err != nil {
			return false, err
		}
		if n > bound {
			k.json.estimated(max(float64(n), k.json.size), 1)
			return true, nil
		}
		k.json.measured(n)
	}
	return e.size < k.json.size && e.size <= k.json.size*(1-k.MinSaving), nil
}

// settleJSON measures JSON when it is the answer.
func (k *contest) settleJSON() error {
	if k.json.out || k.json.final || k.Measure != MeasureCounted {
		return nil
	}
	return k.count(k.json, k.text, noBound)
}

// verify decodes e's text and compares. An entrant that does not pass is out.
func (k *contest) verify(e *entrant) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	text, err := k.textOf(e)
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
	if k.counts(e.Loss) == 0 {
		return
	}
	if !k.Identical {
		e.Loss, e.LossPath = wire.DifferenceBeyond(wire.LossBeyondJSON, k.value, back)
	}
	e.Outcome, e.out = OutcomeLossy, true
}

// report lists the entrants by measure, the chosen one first.
func (k *contest) report() Report {
	r := Report{Measure: k.Measure}
	if k.Measure != MeasureBytes {
		r.Counter = k.counter.Name()
	}
	all := append([]*entrant{k.json}, k.others...)
	slices.SortStableFunc(all, func(a, b *entrant) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), smaller(a, b))
	})
	r.Candidates = make([]Candidate, len(all))
	for i, e := range all {
		r.Candidates[i] = e.Candidate
	}
	return r
}
