package fold

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// eager folds whatever saves a token.
var eager = Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1}

// roundTrips holds that v comes back, and returns what it was folded to.
func roundTrips(t testing.TB, v wire.Value, o Options) (wire.Value, Report) {
	t.Helper()
	return roundTripsIn(t, wire.JSON{}, v, o)
}

func roundTripsIn(t testing.TB, c wire.Codec, v wire.Value, o Options) (wire.Value, Report) {
	t.Helper()
	folded, r, err := Fold(c, v, o)
	require.NoError(t, err)
	back, err := Unfold(folded, wire.Limits{})
	require.NoError(t, err, "%s", wire.AppendJSON(nil, folded))
	if r.Constants+r.Templates == 0 || o.KeepOrder {
		require.True(t, wire.Identical(v, back), "%.2000s\nwas folded to %.4000s", wire.AppendJSON(nil, v), wire.AppendJSON(nil, folded))
	} else {
		require.True(t, wire.Equal(v, back), "%.2000s\nwas folded to %.4000s", wire.AppendJSON(nil, v), wire.AppendJSON(nil, folded))
	}
	require.Equal(t, r.Folded, r.Reason == "")
	if r.Folded {
		require.True(t, IsFolded(folded))
		require.Less(t, r.After, r.Before)
	} else {
		require.Equal(t, r.Before, r.After)
	}
	return folded, r
}

// events is a document with something for everything: constants, templates, a
// copy, prefixes and times.
func events(n int) []byte {
	var out bytes.Buffer
	out.WriteString(`{"items":[`)
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		login := fmt.Sprintf("user%c%d", 'a'+i%7, i*37%101)
		fmt.Fprintf(&out, `{"id":%d,"id_str":"%d","type":"PushEvent","public":true,"created_at":"2026-01-%02dT12:%02d:00Z","updated_at":"2026-01-%02dT12:%02d:00Z",`,
			1000+i*13, 1000+i*13, 1+i%28, i%60, 1+i%28, i%60)
		fmt.Fprintf(&out, `"actor":{"login":%q,"url":"https://api.example.com/users/%s","site_admin":false},"repo":"https://api.example.com/repos/organisation/project-%d"}`,
			login, login, i%5)
	}
	out.WriteString(`]}`)
	return out.Bytes()
}

func TestFold(t *testing.T) {
	v := parse(t, string(events(40)))
	folded, r := roundTrips(t, v, eager)
	require.True(t, r.Folded)
	require.Equal(t, 3, r.Constants, "type, public, site_admin")
	require.Equal(t, 3, r.Templates, "id_str, updated_at, url")
	require.Equal(t, 40*6, r.Members)
	require.Equal(t, 2, r.Frames, "created_at, repo")
	require.Less(t, float64(r.After), 0.5*float64(r.Before))
	legend, err := ParseLegend(folded)
	require.NoError(t, err)
	require.Equal(t, r.Entries, len(legend.texts))
	again, second := roundTrips(t, v, eager)
	require.True(t, wire.Identical(folded, again), "the result is a function of the value")
	require.Equal(t, r, second)

	identical := eager
	identical.KeepOrder = true
	_, r = roundTrips(t, v, identical)
	require.Equal(t, 6, r.Constants+r.Templates)
	back, err := Unfold(folded, wire.Limits{})
	require.NoError(t, err)
	require.False(t, wire.Identical(v, back), "without positions the order changes")

	_, r = roundTrips(t, v, Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1, NoColumns: true})
	require.Zero(t, r.Constants+r.Templates)
	require.NotZero(t, r.References)
	_, r = roundTrips(t, v, Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1, NoLegend: true})
	require.Zero(t, r.Entries+r.References)

	times := eager
	times.NoColumns = true // what frames leave has neither times nor much that repeats
	times.BasicTimes = true
	folded, _ = roundTrips(t, v, times)
	member, ok := folded.Get("times")
	require.True(t, ok)
	require.Equal(t, "basic", member.Text())

	named := eager
	named.NoColumns = true
	named.RefPrefix = "q"
	folded, _ = roundTrips(t, v, named)
	legend, err = ParseLegend(folded)
	require.NoError(t, err)
	ref := legend.notation.reference(1)
	require.Equal(t, "$q1", ref)
	_, _, err = Fold(nil, v, Options{RefPrefix: "A1"})
	require.ErrorIs(t, err, wire.ErrRange)

	few := eager
	few.NoColumns = true
	few.MaxEntries = 2
	_, r = roundTrips(t, v, few)
	require.LessOrEqual(t, r.Entries, 2)
}

// TestThresholds holds that a value is folded only if that saves enough, and
// that what is not folded is the value itself.
func TestThresholds(t *testing.T) {
	small := parse(t, string(events(6)))
	folded, r := roundTrips(t, small, Options{Counter: tokens.O200k{}, MinSaving: 0.99})
	require.False(t, r.Folded)
	require.True(t, wire.Identical(small, folded))
	require.Contains(t, r.Reason, "99 %")
	tiny := parse(t, `{"a":[1,2]}`)
	folded, r = roundTrips(t, tiny, Options{})
	require.True(t, wire.Identical(tiny, folded))
	require.Contains(t, r.Reason, "too few")
	_, r = roundTrips(t, tiny, eager)
	require.Contains(t, r.Reason, "nothing repeats")
	large := parse(t, string(events(40)))
	_, r = roundTrips(t, large, Options{Counter: tokens.O200k{}})
	require.True(t, r.Folded)
	_, r = roundTrips(t, large, Options{}) // with the estimate
	require.True(t, r.Folded)
	items, ok := large.Get("items")
	require.True(t, ok)
	_, r = roundTripsIn(t, jsonl.Codec{}, items, Options{Counter: tokens.O200k{}})
	require.Contains(t, r.Reason, "refuses", "JSON Lines have no place for a wrapper")
}

// TestNoLongerInBytes holds that a text of fewer tokens and more bytes is not
// taken: limits are of bytes.
func TestNoLongerInBytes(t *testing.T) {
	v := parse(t, `[{"a":"b c","b":"b c"},{"a":"b c","b":"b c"},{"a":"b c","b":"b c"},{"a":"b c","b":"b c"}]`)
	_, r := roundTrips(t, v, eager)
	require.Contains(t, r.Reason, "bytes instead of")
	length := len(wire.AppendJSON(nil, v))
	codec := wire.WithLimits(Codec{Options: eager}, wire.Limits{OutputBytes: length - 1})
	_, err := codec.AppendEncode(nil, v)
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestLooksFolded holds that values that look like wrappers or references come
// back.
func TestLooksFolded(t *testing.T) {
	for _, c := range append(unfolding, struct{ name, folded, want string }{"", `{"folded":"x","data":{"folded":"y","data":["$1","$$1"]}}`, ""}) {
		v := parse(t, c.folded)
		for _, o := range []Options{{}, eager} {
			roundTrips(t, v, o)
		}
	}
	for _, c := range malformed {
		roundTrips(t, parse(t, c.folded), Options{})
	}
	// Strings that look like references, beside ones that become them.
	texts := make([]wire.Value, 0, 60)
	for i := range 20 {
		texts = append(texts, wire.String("https://example.com/a/long/path/"+fmt.Sprint(i)), wire.String(fmt.Sprintf("$%d", i)), wire.String(fmt.Sprintf("$$%d~", i)))
	}
	_, r := roundTrips(t, wire.Array(texts...), eager)
	require.True(t, r.Folded)
}

type failing struct {
	tokens.O200k
	after int
}

func (f *failing) Count([]byte) (int, error) {
	if f.after--; f.after < 0 {
		return 0, errors.New("the counter fails")
	}
	return 1000, nil
}

func TestErrors(t *testing.T) {
	v := parse(t, string(events(20)))
	for after := range 50 {
		got, _, err := Fold(nil, v, Options{Counter: &failing{after: after}, MinTokens: -1})
		require.ErrorContains(t, err, "the counter fails", after)
		require.True(t, got.Kind() == wire.KindNull)
	}
	_, _, err := Fold(nil, wire.String("\xff"), Options{})
	require.ErrorIs(t, err, wire.ErrUTF8)
	out, err := Codec{}.AppendEncode([]byte("x"), wire.String("\xff"))
	require.ErrorIs(t, err, wire.ErrUTF8)
	require.Equal(t, "x", string(out))
}

// loving makes values of few strings that look like references and paths.
func loving(r *rand.Rand, depth int) wire.Value {
	pieces := []string{"$", "$1", "$$1", "_", "_1", "~", "1", "9", "<", ">", "=", "<<", "folded", "data", "https://example.com/", "/path/to/", "a", "b.c", "", "é", "2026-01-09T12:05:00Z", "20260109T120500Z"}
	text := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	if depth > 3 || r.IntN(3) == 0 {
		switch r.IntN(6) {
		case 0:
			return wire.Int(int64(r.IntN(20)))
		case 1:
			return wire.Bool(r.IntN(2) == 0)
		case 2:
			n, _ := wire.Number([]string{"1.0", "-0", "1e3", "12345678901234567890", "0.10"}[r.IntN(5)])
			return n
		}
		return wire.String(text())
	}
	if r.IntN(2) == 0 {
		elems := make([]wire.Value, r.IntN(12))
		for i := range elems {
			elems[i] = loving(r, depth+1)
		}
		return wire.Array(elems...)
	}
	// Rows with members that follow from each other.
	keys := []string{text(), "id", "url", "<", "=x", "type"}
	rows := make([]wire.Value, 4+r.IntN(8))
	constant := loving(r, depth+2)
	prefix, suffix := text(), text()
	for i := range rows {
		id := text()
		if r.IntN(4) == 0 {
			id = fmt.Sprint(r.IntN(50))
		}
		members := map[string]wire.Value{keys[0]: loving(r, depth+1), "id": wire.String(id), "url": wire.String(prefix + id + suffix), "<": wire.String(id), "=x": wire.String("=" + id), "type": constant}
		var list []wire.Member
		for _, k := range keys {
			if v, ok := members[k]; ok && r.IntN(30) != 0 {
				list = append(list, wire.Member{Key: k, Value: v})
				delete(members, k)
			}
		}
		rows[i], _ = wire.Object(list...)
	}
	return wire.Array(rows...)
}

// TestRandomValues folds and unfolds random values, a thousand of them or, if
// WIREKIT_SOAK is set, a million.
func TestRandomValues(t *testing.T) {
	n, seed := 1000, uint64(1)
	if testing.Short() {
		n = 200
	}
	if os.Getenv("WIREKIT_SOAK") != "" {
		n, seed = 1_000_000, uint64(time.Now().UnixNano())
	}
	var group sync.WaitGroup
	var folded atomic.Int64
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < n && !t.Failed(); i += workers {
				if randomRoundTrip(t, i, seed) {
					folded.Add(1)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d values from seed %d, %d of them folded", n, seed, folded.Load())
	require.Greater(t, folded.Load(), int64(n/20))
}

// randomRoundTrip tries value i of a seed, as a value and through a codec, and
// reports whether it was folded.
func randomRoundTrip(t *testing.T, i int, seed uint64) bool {
	// Mostly small ones: depth 0 takes as long as twenty others.
	depth := 1 + i%3
	if i%50 == 0 {
		depth = 0
	}
	v := loving(rand.New(rand.NewPCG(seed, uint64(i))), depth)
	defer func() {
		if t.Failed() {
			t.Logf("value %d of seed %d", i, seed)
		}
	}()
	o := eager
	o.KeepOrder = i%2 == 0
	o.BasicTimes = i%3 == 0
	o.NoLegend = i%7 == 0
	if i%5 == 0 {
		o.Counter = nil
	}
	_, report := roundTrips(t, v, o)
	inner := []wire.Codec{wire.JSON{}, gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}}[i%5]
	codec := Codec{Inner: inner, Options: o}
	text, err := codec.AppendEncode(nil, v)
	if err != nil {
		// What the inner codec cannot carry it cannot carry unfolded either.
		_, plain := inner.AppendEncode(nil, v)
		require.Error(t, plain, "%v", err)
		return report.Folded
	}
	back := codectest.Decoded(t, codec, text)
	require.True(t, wire.Internal.EqualAsJSON(v, back), "%s", text)
	return report.Folded
}

// TestSearchIsBounded holds that texts that begin alike in many lengths do not
// take their square.
func TestSearchIsBounded(t *testing.T) {
	var counted int
	counter := counterFunc(func(text []byte) (int, error) { counted += len(text); return (len(text) + 3) / 4, nil })
	for _, n := range []int{500, 2000} {
		counted = 0
		texts := make([]wire.Value, n)
		for i := range texts {
			texts[i] = wire.String(strings.Repeat("ab/", i+1))
		}
		_, _, err := Fold(nil, wire.Array(texts...), Options{Counter: counter, MinTokens: -1, MinSaving: -1})
		require.NoError(t, err)
		total := 3 * n * (n + 1) / 2
		require.Less(t, counted, 40*total+1<<20)
	}
}

type counterFunc func([]byte) (int, error)

func (counterFunc) Name() string { return "own" }

func (counterFunc) Exact() bool { return true }

func (f counterFunc) Count(text []byte) (int, error) { return f(text) }
