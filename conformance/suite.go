package conformance

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// Run holds c to the contract, with every corpus. It takes a second or two, and much
// longer with the race detector. With -short it tries one in eight of the corpora's values
// and fewer random values and damaged documents; with -short and the race detector it tries
// those values of the corpora only, and what goroutines share.
func Run(t *testing.T, c wire.Codec) {
	t.Helper()
	Suite{Codec: c}.Run(t)
}

// A Suite is a run with options. Only Codec must be set.
type Suite struct {
	Codec wire.Codec
	// WithLimits returns the codec under other limits. If it is set, the suite
	// tests that the codec honours lengths to the byte and depth to the level.
	WithLimits func(wire.Limits) wire.Codec
	// Corpora are used instead of [Corpora].
	Corpora []Corpus
	// Documents are further documents in the codec's format, such as ones that
	// AppendEncode does not write. They, and damaged copies of them, are decoded.
	Documents [][]byte
	// Values is the number of random values; the default is 1,000.
	Values int
	// Seed is that of the random values and of the damage.
	Seed uint64
}

// Run runs the suite as subtests of t.
func (s Suite) Run(t *testing.T) {
	if s.Corpora == nil {
		s.Corpora = Corpora()
	}
	s.Values = cmp.Or(s.Values, 1000)
	if testing.Short() {
		s.Values = min(s.Values, 200)
	}
	t.Run("info", s.describes)
	documents := s.corpora(t)
	t.Run("goroutines", func(t *testing.T) { s.goroutines(t, documents) })
	if testing.Short() && resident.RaceEnabled {
		return
	}
	t.Run("random-values", s.random)
	t.Run("damaged-documents", func(t *testing.T) { s.damaged(t, documents) })
	t.Run("hostile-documents", func(t *testing.T) { s.hostile(t, documents) })
	t.Run("deep-values", s.deepValues)
	if streamer, ok := s.Codec.(wire.Streamer); ok {
		t.Run("records", func(t *testing.T) { s.records(t, streamer) })
	}
	if s.WithLimits != nil {
		t.Run("limits", func(t *testing.T) { s.limits(t, documents) })
	}
}

// A reporter reports the first value that breaks each rule, as small as it
// gets, and counts the others.
type reporter struct {
	t    *testing.T
	seen map[string]int
}

func report(t *testing.T) *reporter {
	r := &reporter{t: t, seen: map[string]int{}}
	t.Cleanup(func() {
		for _, rule := range slices.Sorted(maps.Keys(r.seen)) {
			if n := r.seen[rule]; n > 1 {
				t.Logf("%s: %d failures, of which the first is shown", rule, n)
			}
		}
	})
	return r
}

// first counts err and reports whether it is the first of its rule.
func (r *reporter) first(err error) bool {
	rule := ruleOf(err)
	r.seen[rule]++
	return r.seen[rule] == 1
}

// value reports that v breaks a rule, by the smallest value that breaks it.
func (r *reporter) value(c wire.Codec, name string, v wire.Value, err error) {
	r.t.Helper()
	if !r.first(err) {
		return
	}
	small := Shrink(v, func(v wire.Value) bool {
		_, again := Check(c, v)
		return again != nil && ruleOf(again) == ruleOf(err)
	})
	_, why := Check(c, small)
	r.t.Errorf("%s: %v\nsmallest value: %s", name, why, text(small))
}

func (r *reporter) document(name string, err error) {
	r.t.Helper()
	if r.first(err) {
		r.t.Errorf("%s: %v", name, err)
	}
}

// describes checks what Info says.
func (s Suite) describes(t *testing.T) {
	info := s.Codec.Info()
	holds := func(is bool, format string, args ...any) {
		t.Helper()
		if !is {
			t.Errorf(format, args...)
		}
	}
	holds(reflect.DeepEqual(info, s.Codec.Info()), "two calls of Info differ")
	holds(info.Name != "" && info.Name == strings.ToLower(info.Name) && !strings.ContainsAny(info.Name, " \t\n/"), "Name %q must be a word in lower case", info.Name)
	holds(info.Title != "", "Title is empty")
	holds(strings.Contains(info.MediaType, "/"), "MediaType %q has no slash", info.MediaType)
	for _, suffix := range info.Extensions {
		holds(len(suffix) > 1 && suffix[0] == '.', "extension %q must begin with a dot", suffix)
	}
	holds(len(info.Extensions) > 0, "Extensions is empty")
	_, err := wire.NewRegistry(s.Codec)
	holds(err == nil, "%v", err)
	holds(strings.Contains(info.Loss.String(), "none") == (info.Loss == 0), "Loss %d has bits that package wire does not know", info.Loss)
}

// shortStep is how many values of a corpus one stands for with -short.
const shortStep = 8

// corpora checks every value of the corpora and returns documents made of them.
func (s Suite) corpora(t *testing.T) (documents [][]byte) {
	for _, corpus := range s.Corpora {
		t.Run(corpus.Name, func(t *testing.T) {
			r := report(t)
			n := 0
			for name, v := range corpus.Cases {
				if n++; testing.Short() && n%shortStep != 1 {
					continue
				}
				outcome, err := Check(s.Codec, v)
				if err != nil {
					r.value(s.Codec, name, v, err)
				}
				if outcome.Encoded != nil {
					documents = append(documents, outcome.Encoded)
				}
			}
		})
	}
	return documents
}

func (s Suite) random(t *testing.T) {
	r := report(t)
	g := NewGenerator(s.Seed)
	for i := range s.Values {
		g.Kinds = i%3 == 0
		v := g.Value()
		if _, err := Check(s.Codec, v); err != nil {
			r.value(s.Codec, fmt.Sprintf("seed %d, value %d", s.Seed, i), v, err)
		}
	}
}

// sampled returns n of the documents that are at most size bytes long.
func sampled(r *rand.Rand, documents [][]byte, n, size int) [][]byte {
	fitting := slices.DeleteFunc(slices.Clone(documents), func(d []byte) bool { return len(d) > size })
	r.Shuffle(len(fitting), func(i, j int) { fitting[i], fitting[j] = fitting[j], fitting[i] })
	return fitting[:min(n, len(fitting))]
}

// damaged decodes documents that are cut at every byte, or at some if they are
// long, and documents with random changes.
func (s Suite) damaged(t *testing.T, documents [][]byte) {
	random := source(s.Seed + 1)
	r := report(t)
	try := func(name string, src []byte) {
		if err := CheckBytes(s.Codec, src); err != nil {
			r.document(name, err)
		}
	}
	try("no document", nil)
	n := 700
	if testing.Short() {
		n = 150
	}
	chosen := append(sampled(random, documents, n, 400), sampled(random, documents, n/10, 20_000)...)
	chosen = append(chosen, s.Documents...)
	for i, d := range chosen {
		try("whole document", d)
		step := 1 + len(d)/400
		for end := random.IntN(step); end < len(d); end += step {
			try("cut document", d[:end:end])
		}
		for range 12 {
			try("damaged document", faulty.Damaged(random, d, chosen[(i*31+7)%len(chosen)], damageTokens))
		}
	}
	for range n {
		b := make([]byte, random.IntN(30))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		try("random bytes", b)
	}
}

// slow is how much processor time a hostile document may take before its growth is
// measured.
const slow = 150 * time.Millisecond

// hostile decodes long documents that repeat one thing. A document that takes
// long must take much less time and memory when it is an eighth as long.
func (s Suite) hostile(t *testing.T, documents [][]byte) {
	size := 60_000
	if testing.Short() {
		size = 10_000
	}
	var beginnings [][]byte
	for _, d := range sampled(source(s.Seed+2), documents, 16, 300) {
		beginnings = append(beginnings, d[:len(d)/2], d)
	}
	r := report(t)
	hostile(beginnings, func(name string, build func(int) []byte) {
		var err error
		decode := func(n int) func() {
			src := build(n)
			return func() { err = CheckBytes(s.Codec, src) }
		}
		if growth.Spent(decode(size)) > slow && err == nil {
			if steeper := growth.Steeper(size/8, decode); steeper != "" {
				err = broken("Decode must take linear time", "%s", steeper)
			}
		}
		if err != nil {
			r.document(name, err)
		}
	})
}

// An encoded is a value with its encoding.
type encoded struct {
	v        wire.Value
	encoding []byte
}

// encoded returns what the documents hold, as the codec writes it.
func (s Suite) encoded(documents [][]byte) (all []encoded) {
	for _, d := range documents {
		v, err := s.Codec.Decode(d)
		if err != nil {
			continue // reported elsewhere
		}
		if encoding, err := s.Codec.AppendEncode(nil, v); err == nil {
			all = append(all, encoded{v, encoding})
		}
	}
	return all
}

// goroutines encodes and decodes the same values in several goroutines that
// share the codec. Run with -race it finds shared state.
func (s Suite) goroutines(t *testing.T, documents [][]byte) {
	all := s.encoded(sampled(source(s.Seed+3), documents, 80, 5000))
	const workers = 4
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			fault := func(format string, args ...any) { t.Errorf("with other goroutines at work: "+format, args...) }
			defer func() {
				if p := recover(); p != nil {
					fault("panic: %v", p)
				}
			}()
			var dst []byte
			for i := range all {
				k := all[(i+w*len(all)/workers)%len(all)]
				var err error
				if dst, err = s.Codec.AppendEncode(dst[:0], k.v); err != nil || !bytes.Equal(dst, k.encoding) {
					fault("%s was encoded as %s, error %v", quoted(k.encoding), quoted(dst), err)
					return
				}
				if v, err := s.Codec.Decode(k.encoding); err != nil || !wire.Identical(v, k.v) && s.Codec.Info().Loss == 0 {
					fault("%s was decoded as %s, error %v", quoted(k.encoding), text(v), err)
					return
				}
			}
		})
	}
	group.Wait()
}

// limits checks the limits at the number where they bite; Values, which counts
// what a format makes of a document, near it.
func (s Suite) limits(t *testing.T, documents [][]byte) {
	r := report(t)
	for _, e := range s.encoded(sampled(source(s.Seed+4), documents, 60, 3000)) {
		n := len(e.encoding)
		if n < 4 {
			continue
		}
		l := limiter{e, r, s.WithLimits}
		l.encodes("OutputBytes", n, wire.Limits{OutputBytes: n}, true)
		l.encodes("OutputBytes", n-1, wire.Limits{OutputBytes: n - 1}, false)
		l.decodes("InputBytes", n, wire.Limits{InputBytes: n}, true)
		l.decodes("InputBytes", n-1, wire.Limits{InputBytes: n - 1}, false)
		l.values(s.Codec.Info())
	}
	for _, way := range nestings {
		v := wire.Int(1)
		for range 20 {
			v = way.put(v)
		}
		encoding, err := s.Codec.AppendEncode(nil, v)
		if err != nil {
			continue // a shape that the codec does not take
		}
		l := limiter{encoded{v, encoding}, r, s.WithLimits}
		l.values(s.Codec.Info())
		depth := depthOf(v)
		l.encodes("Depth", depth, wire.Limits{Depth: depth}, true)
		l.encodes("Depth", depth-1, wire.Limits{Depth: depth - 1}, false)
		l.decodes("Depth", depth, wire.Limits{Depth: depth}, true)
		l.decodes("Depth", depth-1, wire.Limits{Depth: depth - 1}, false)
	}
}

// A limiter tries one value and its encoding under limits.
type limiter struct {
	encoded
	r     *reporter
	under func(wire.Limits) wire.Codec
}

func (l limiter) encodes(field string, n int, limits wire.Limits, fine bool) {
	l.r.t.Helper()
	out, err := l.under(limits).AppendEncode([]byte("dst"), l.v)
	l.verdict("encoding", field, n, fine, err)
	if want := "dst"; err != nil && string(out) != want {
		l.r.document(field, broken("AppendEncode must return dst as given on error", "%s is %d, dst held %q, the result is %s\nerror: %v", field, n, want, quoted(out), err))
	}
}

func (l limiter) decodes(field string, n int, limits wire.Limits, fine bool) {
	l.r.t.Helper()
	_, err := l.under(limits).Decode(l.encoding)
	l.verdict("decoding", field, n, fine, err)
}

// values checks Limits.Values. What is a value of its own is for the format to
// say, within reason: rows and absent cells may count.
func (l limiter) values(info wire.Info) {
	l.r.t.Helper()
	if info.Loss&^variants.LossKinds != 0 {
		return // it may write fewer values, or more
	}
	count := builder.Count(l.v, math.MaxInt)
	l.decodes("Values", 2*count+2, wire.Limits{Values: 2*count + 2}, true)
	if count >= 20 {
		l.decodes("Values", count/4, wire.Limits{Values: count / 4}, false)
	}
}

func (l limiter) verdict(doing, field string, n int, fine bool, err error) {
	l.r.t.Helper()
	what := fmt.Sprintf("%s %d bytes, %d values, %d levels with %s: %d", doing, len(l.encoding), builder.Count(l.v, math.MaxInt), depthOf(l.v), field, n)
	e := (*wire.Error)(nil)
	switch {
	case fine && err != nil:
		l.r.document(what, broken(doing+" must not fail below Limits."+field, "%v\nencoding: %s", err, quoted(l.encoding)))
	case !fine && (!errors.As(err, &e) || !errors.Is(err, wire.ErrLimit)):
		l.r.document(what, broken(doing+" must honour Limits."+field, "want a *wire.Error that wraps ErrLimit, got %v\nencoding: %s", err, quoted(l.encoding)))
	}
}
