package wirekit_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func count(t *testing.T, text []byte) int {
	n, err := tokens.Default().Count(text)
	require.NoError(t, err)
	return n
}

// requireSound holds what every choice of a value must keep.
func requireSound(t *testing.T, c wirekit.Chooser, v wire.Value, best wirekit.Choice) {
	t.Helper()
	json := wire.AppendJSON(nil, v)
	if c.Precision == wirekit.PrecisionBytes {
		require.LessOrEqual(t, len(best.Encoded), len(json))
	} else {
		n := count(t, best.Encoded)
		require.LessOrEqual(t, n, count(t, json), "%s as %s\n%s", json[:min(200, len(json))], best.Name(), best.Report)
		if !best.Report.Candidates[0].Estimated && best.Tokens() >= 0 {
			require.Equal(t, n, best.Tokens())
		}
	}
	back, err := best.Codec.Decode(best.Encoded)
	require.NoError(t, err)
	require.True(t, wire.Internal.EqualAsJSON(v, back), "%s as %s", json, best.Name())
	if c.Exact && best.Name() != "json" {
		require.True(t, wire.Identical(v, back))
	}
	first := best.Report.Candidates[0]
	require.Equal(t, best.Name(), first.Name)
	require.Equal(t, "chosen", first.Outcome)
	require.Equal(t, len(best.Encoded), first.Bytes)
	require.Contains(t, best.Report.String(), "json: ")
	for _, other := range best.Report.Candidates[1:] {
		require.NotEqual(t, "chosen", other.Outcome)
		if other.Outcome == "refused" {
			require.Error(t, other.Err)
		}
		if !first.Estimated && !other.Estimated && first.Tokens >= 0 && other.Tokens >= 0 && c.MinSaving == 0 && other.Outcome == "not-smaller" {
			require.LessOrEqual(t, first.Tokens, other.Tokens)
		}
	}
}

var measures = []wirekit.Precision{wirekit.PrecisionCounted, wirekit.PrecisionSampled, wirekit.PrecisionBytes}

func choosers() []wirekit.Chooser {
	var all []wirekit.Chooser
	for _, measure := range measures {
		for _, identical := range []bool{false, true} {
			all = append(all, wirekit.Chooser{Precision: measure, Exact: identical})
		}
	}
	return append(all, wirekit.Chooser{MinSaving: 0.1})
}

// mixed returns a long document whose parts differ, and whose text so differs
// from window to window.
func mixed(seed uint64, parts int) wire.Value {
	r := rand.New(rand.NewPCG(seed, 7))
	g := conformance.NewGenerator(seed)
	var all []wire.Value
	for range parts {
		switch r.IntN(4) {
		case 0:
			for range 40 {
				all = append(all, g.Value())
			}
		case 1:
			v, _ := wire.ParseJSON(sample.Rows(1 + r.IntN(60)))
			all = append(all, v)
		case 2:
			v, _ := wire.ParseJSON(sample.Orders(1 + r.IntN(10)))
			all = append(all, v)
		default:
			all = append(all, wire.String(strings.Repeat("a sentence of a text; ", r.IntN(100))))
		}
	}
	return wire.Array(all...)
}

func TestChooseNeverGrows(t *testing.T) {
	var values []wire.Value
	for _, text := range []string{`null`, `1`, `"x"`, `{}`, `[]`, `{"a":1}`, `[1.0,1e3]`, `[12345678901234567890]`, `{"b":1,"a":2}`,
		`[{"a":1},{"b":2},{"c":3}]`, `[{"a":1,"b":2},{"a":1,"b":2},{"a":3}]`, string(sample.Rows(20)), string(sample.Rows(900)), string(sample.Orders(60)), string(sample.API(20))} {
		v, err := wire.ParseJSON([]byte(text))
		require.NoError(t, err)
		values = append(values, v)
	}
	for _, kinds := range []bool{false, true} {
		g := conformance.NewGenerator(11)
		g.Kinds = kinds
		for range trials.Of(300) {
			values = append(values, g.Value())
		}
	}
	for seed := range uint64(12) {
		values = append(values, mixed(seed, 12))
	}
	for _, c := range choosers() {
		for _, v := range values {
			best, err := c.Choose(t.Context(), v)
			require.NoError(t, err)
			requireSound(t, c, v, best)
		}
	}
}

// TestChooseFindsTheSmallest compares with measuring everything.
func TestChooseFindsTheSmallest(t *testing.T) {
	trials.OneGoroutine(t)
	for name, v := range documents(t) {
		least, smallest := 0, ""
		every, err := wirekit.Chooser{Formats: fullNames()}.Compare(t.Context(), v)
		require.NoError(t, err)
		for _, r := range every {
			declared := r.Codec.Info().Loss&^measure.BeyondJSON == 0 && r.Codec.Info().Name != "csv" // which only a name tells
			if len(r.Encoded) == 0 || r.Codec.Info().Name == "jsonl" && v.Len() == 1 {
				continue // see TestTextIsNeverEmpty
			}
			if r.Err == nil && r.Lossless && declared && r.Tokens >= 0 && (smallest == "" || r.Tokens < least) {
				least, smallest = r.Tokens, r.Name()
			}
		}
		counted, err := wirekit.Choose(t.Context(), v)
		require.NoError(t, err)
		// A variant that the choice has not looked at may take a little less.
		require.LessOrEqual(t, counted.Tokens(), least+max(4, least*3/100), "%s: %s instead of %s\n%s", name, counted.Name(), smallest, counted.Report)
		sampled, err := wirekit.Chooser{Precision: wirekit.PrecisionSampled}.Choose(t.Context(), v)
		require.NoError(t, err)
		require.LessOrEqual(t, count(t, sampled.Encoded), least+least*7/100, name)
	}
}

// TestSampledFigures: a sampled choice has an exact figure of its answer, an estimate of
// JSON, and looks at no more formats than it must, unless they are named.
func TestSampledFigures(t *testing.T) {
	rows := json.RawMessage(sample.Rows(300))
	best, err := wirekit.Chooser{Precision: wirekit.PrecisionSampled}.Choose(t.Context(), rows)
	require.NoError(t, err)
	require.Equal(t, count(t, best.Encoded), best.Tokens())
	require.False(t, best.Report.Candidates[0].Estimated)
	require.Regexp(t, `(?m)^json: not-smaller, about \d+ tokens`, best.Report.String())
	for _, name := range []string{"yaml", "jsonl", "gcf:dense", "gcx:single"} {
		require.Contains(t, best.Report.String(), "\n"+name+": skipped\n")
	}
	best, err = wirekit.Chooser{Precision: wirekit.PrecisionSampled, Formats: []string{"yaml", "jsonl", "gcx:reorder"}}.Choose(t.Context(), rows)
	require.NoError(t, err)
	require.NotContains(t, best.Report.String(), "skipped")
	best, err = wirekit.Chooser{Precision: wirekit.PrecisionSampled}.Choose(t.Context(), json.RawMessage(sample.Rows(10)))
	require.NoError(t, err)
	require.Equal(t, "gcx", best.Name(), "of short texts the siblings of the best are tried: %s", best.Report)
}

// documents are real kinds of answers, short and long.
func documents(t *testing.T) map[string]wire.Value {
	values := make(map[string]wire.Value)
	for name, text := range map[string][]byte{
		"rows": sample.Rows(700), "orders": sample.Orders(80), "api": sample.API(60), "few rows": sample.Rows(10), "few orders": sample.Orders(6),
	} {
		v, err := wire.ParseJSON(text)
		require.NoError(t, err)
		values[name] = v
	}
	for _, corpus := range conformance.Corpora() {
		if corpus.Name == "answers" {
			var all []wire.Value
			for name, v := range corpus.Cases {
				values[corpus.Name+", "+name] = v
				all = append(all, v)
			}
			values[corpus.Name] = wire.Array(all...)
		}
	}
	return values
}

// TestNoChoice: the Choice of an error has no name.
func TestNoChoice(t *testing.T) {
	c, err := wirekit.Choose(t.Context(), json.RawMessage("no JSON"))
	require.Error(t, err)
	require.Empty(t, c.Name())
}

func TestChooseTakesValuesGoAndJSON(t *testing.T) {
	type issue struct {
		ID       int       `json:"id"`
		Created  time.Time `json:"created"`
		Assignee string    `json:"assignee,omitempty"`
		Raw      []byte    `json:"raw"`
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	issues := []issue{{1, at, "ann", []byte("x")}, {2, at, "", []byte("y")}, {3, at, "bob", nil}}
	value, err := wire.FromGo(issues)
	require.NoError(t, err)
	text := json.RawMessage(wire.AppendJSON(nil, value))
	want, err := wirekit.Choose(t.Context(), value)
	require.NoError(t, err)
	requireSound(t, wirekit.Chooser{}, value, want)
	for _, v := range []any{issues, &issues} {
		best, err := wirekit.Choose(t.Context(), v)
		require.NoError(t, err)
		require.Equal(t, string(want.Encoded), string(best.Encoded))
	}
	// JSON text has strings in place of times and bytes.
	best, err := wirekit.Choose(t.Context(), text)
	require.NoError(t, err)
	requireSound(t, wirekit.Chooser{}, value, best)
	_, err = wirekit.Choose(t.Context(), json.RawMessage("{"))
	require.ErrorIs(t, err, wire.ErrTruncated)
	_, err = wirekit.Choose(t.Context(), make(chan int))
	require.ErrorIs(t, err, wire.ErrShape)
}

// TestJSONAloneLosesNothing: what JSON loses too is not a loss, so kinds never
// keep a value from being sent.
func TestJSONAloneLosesNothing(t *testing.T) {
	at := wire.Time(time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 7200)))
	for _, v := range []wire.Value{at, wire.Bytes([]byte("hello")), wire.Array(at, wire.Bytes(nil), wire.String("k: v"))} {
		for _, identical := range []bool{false, true} {
			c := wirekit.Chooser{Exact: identical}
			best, err := c.Choose(t.Context(), v)
			require.NoError(t, err)
			requireSound(t, c, v, best)
		}
	}
}

// TestTextTakesGoValues: what a Go value means is what encoding/json makes of it.
func TestTextTakesGoValues(t *testing.T) {
	type raw struct {
		J json.RawMessage
		B []byte
		S string
	}
	for _, v := range []any{
		`{"a":1}`, "", []byte("hello"), []byte(`{"a":1}`), []byte{}, json.RawMessage(` {"a": 1.0} `), json.RawMessage(nil), json.Number("1.50"),
		raw{json.RawMessage(`[1]`), []byte("x"), `[1]`}, &raw{J: json.RawMessage("null")}, []any{json.RawMessage(`"s"`), []byte(`{}`), `{}`},
	} {
		want, err := json.Marshal(v)
		require.NoError(t, err)
		best, err := wirekit.Choose(t.Context(), v, "json")
		require.NoError(t, err)
		require.Equal(t, string(want), string(best.Encoded), "%T %s", v, v)
	}
	for _, v := range []json.RawMessage{{}, json.RawMessage("hello"), json.RawMessage(`{"a":1`), json.RawMessage("1 2")} {
		_, _, err := wirekit.Text(v)
		require.ErrorAs(t, err, new(*wire.Error), "%s", v)
		_, _, err = wirekit.TextJSON(v)
		require.ErrorAs(t, err, new(*wire.Error), "%s", v)
	}
	text, _, err := wirekit.TextJSON(sample.Rows(20))
	require.NoError(t, err)
	same, _, err := wirekit.Text(json.RawMessage(sample.Rows(20)))
	require.NoError(t, err)
	require.Equal(t, text, same)
	quoted, report, err := wirekit.Text(string(sample.Rows(20)))
	require.NoError(t, err)
	require.Equal(t, "json", report.Candidates[0].Name)
	var back string
	require.NoError(t, json.Unmarshal([]byte(quoted), &back))
	require.Equal(t, string(sample.Rows(20)), back, "a string is a string, whatever it holds")
}

func TestText(t *testing.T) {
	text, report, err := wirekit.TextJSON(sample.Rows(20))
	require.NoError(t, err)
	require.NotEqual(t, "json", report.Candidates[0].Name)
	require.Greater(t, report.Saving(), 0.2)
	require.Equal(t, count(t, []byte(text)), report.Candidates[0].Tokens)
	require.Equal(t, "o200k_base", report.Counter)

	text, report, err = wirekit.Text(12345)
	require.NoError(t, err)
	require.Equal(t, "12345", text, "nothing makes a number shorter")
	require.Equal(t, "json", report.Candidates[0].Name)
	require.Zero(t, report.Saving())

	_, _, err = wirekit.Text(func() {})
	require.Error(t, err)
}

// TestMinSaving: the threshold decides between JSON and the same other text.
func TestMinSaving(t *testing.T) {
	rows := json.RawMessage(sample.Rows(400))
	best, err := wirekit.Choose(t.Context(), rows)
	require.NoError(t, err)
	saving := best.Report.Saving()
	require.Greater(t, saving, 0.1)
	for _, measure := range measures[:2] {
		for _, c := range []struct {
			least float64
			json  bool
		}{{saving - 0.001, false}, {saving + 0.001, true}, {0.99, true}} {
			got, err := wirekit.Chooser{MinSaving: c.least, Precision: measure}.Choose(t.Context(), rows)
			require.NoError(t, err)
			require.Equal(t, c.json, got.Name() == "json", "%v, %v", measure, c.least)
		}
	}
	for _, wrong := range []float64{-0.1, 1, 5} {
		_, err := wirekit.Chooser{MinSaving: wrong}.Choose(t.Context(), rows)
		require.ErrorContains(t, err, "MinSaving")
	}
}

func TestCandidates(t *testing.T) {
	rows := json.RawMessage(sample.Rows(20))
	best, err := wirekit.Choose(t.Context(), rows, "gcf", "json", "gcf")
	require.NoError(t, err)
	require.Equal(t, "gcf", best.Name())
	require.Len(t, best.Report.Candidates, 2)

	best, err = wirekit.Choose(t.Context(), rows, "json")
	require.NoError(t, err)
	require.Equal(t, "json", best.Name())
	require.Equal(t, count(t, rows), best.Tokens())

	for _, name := range []string{"yaml2", "gcf:nonsense", ""} {
		_, err = wirekit.Choose(t.Context(), rows, "gcf", name)
		require.ErrorIs(t, err, wire.ErrUnknownFormat, name)
	}
	_, err = wirekit.Choose(t.Context(), rows, "bcp")
	require.ErrorContains(t, err, "binary")

	_, err = wirekit.Chooser{Precision: 9}.Choose(t.Context(), rows)
	require.ErrorContains(t, err, "Precision(9)")
	for _, m := range measures {
		var got wirekit.Precision
		require.NoError(t, got.UnmarshalText([]byte(m.String())))
		require.Equal(t, m, got)
	}
	require.ErrorContains(t, new(wirekit.Precision).UnmarshalText([]byte("rough")), "sampled")
}

// TestDeclaredLossesAreTriedWhenAsked: goon takes part by name only, and is
// then found out.
func TestDeclaredLossesAreTriedWhenAsked(t *testing.T) {
	best, err := wirekit.Choose(t.Context(), json.RawMessage(read(t, "examples/data/query.json")))
	require.NoError(t, err)
	require.NotContains(t, best.Report.String(), "goon")
	best, err = wirekit.Choose(t.Context(), json.RawMessage(read(t, "examples/data/query.json")), "goon", "gcx")
	require.NoError(t, err)
	require.Equal(t, "gcx", best.Name())
	require.Contains(t, best.Report.String(), "goon: lossy, ")
	require.Contains(t, best.Report.String(), "content")
}

// TestOrderMayBeLost: variants that give up the order of members take part, and
// are the answer only where order does not count.
func TestOrderMayBeLost(t *testing.T) {
	var rows []string
	for i := range 40 {
		if i%8 == 3 {
			rows = append(rows, fmt.Sprintf(`{"name":"user %d","id":%d,"city":"Lagos"}`, i, i))
			continue
		}
		rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"user %d","city":"Lagos"}`, i, i))
	}
	list := json.RawMessage("[" + strings.Join(rows, ",") + "]")
	best, err := wirekit.Choose(t.Context(), list)
	require.NoError(t, err)
	require.Equal(t, "gcx:reorder", best.Name(), "%s", best.Report)
	best, err = wirekit.Choose(t.Context(), list, "gcf", "gcf:reorder-nested", "gcx", "gcx:reorder")
	require.NoError(t, err)
	require.Equal(t, "gcx:reorder", best.Name(), "%s", best.Report)
	best, err = wirekit.Chooser{Exact: true, Formats: []string{"gcx:reorder", "csv"}}.Choose(t.Context(), list)
	require.NoError(t, err)
	require.Contains(t, best.Report.String(), "gcx:reorder: lossy, ")
	v, err := wire.ParseJSON(list)
	require.NoError(t, err)
	back, err := best.Codec.Decode(best.Encoded)
	require.NoError(t, err)
	require.True(t, wire.Identical(v, back))
}

// TestFoldedCandidates: a folded text takes part when it is named, and is
// unfolded to be compared.
func TestFoldedCandidates(t *testing.T) {
	pulls := json.RawMessage(read(t, "examples/data/pulls.json"))
	plain, err := wirekit.Choose(t.Context(), pulls, "gcf")
	require.NoError(t, err)
	folded, err := wirekit.Choose(t.Context(), pulls, "gcf", "gcf+fold")
	require.NoError(t, err)
	require.Equal(t, "gcf+fold", folded.Name())
	require.Less(t, folded.Tokens(), plain.Tokens())
	require.True(t, folded.Report.Candidates[0].Verified)

	asked, err := wirekit.Chooser{Fold: true, Formats: []string{"gcf"}}.Choose(t.Context(), pulls)
	require.NoError(t, err)
	require.Equal(t, string(folded.Encoded), string(asked.Encoded))
	all, err := wirekit.Chooser{Fold: true}.Choose(t.Context(), pulls)
	require.NoError(t, err)
	require.LessOrEqual(t, all.Tokens(), asked.Tokens())
	var names []string
	for _, c := range all.Report.Candidates {
		names = append(names, c.Name)
	}
	require.Contains(t, names, "json+fold")
	require.Contains(t, names, "glyph+fold")
	require.NotContains(t, names, "glyph:commas+fold")
}

// liar is a codec whose encoding cannot be read back as the value.
type liar struct{ wire.JSON }

func (liar) Info() wire.Info { return wire.Info{Name: "liar"} }
func (liar) AppendEncode(dst []byte, _ wire.Value) ([]byte, error) {
	return append(dst, '0'), nil
}
func (l liar) WithLimits(wire.Limits) wire.Codec { return l }
func (liar) Variants() []wire.Codec              { return nil }

// forgetful is a codec that cannot read what it writes.
type forgetful struct{ liar }

func (forgetful) Info() wire.Info                   { return wire.Info{Name: "forgetful"} }
func (forgetful) Decode([]byte) (wire.Value, error) { return wire.Value{}, errors.New("forgotten") }
func (f forgetful) WithLimits(wire.Limits) wire.Codec {
	return f
}

// TestChooseBelievesNobody: a codec that claims to be lossless is compared.
func TestChooseBelievesNobody(t *testing.T) {
	v := wire.String("a longer text that takes some tokens")
	registry, err := wire.NewRegistry(liar{}, forgetful{})
	require.NoError(t, err)
	best, err := wirekit.Chooser{Registry: registry}.Choose(t.Context(), v)
	require.NoError(t, err)
	require.Equal(t, "json", best.Name())
	require.Contains(t, best.Report.String(), "liar: lossy, 1 tokens, 1 bytes, lost content")
	require.Contains(t, best.Report.String(), "forgetful: refused, 1 tokens, 1 bytes: forgotten")
	results, err := wirekit.Chooser{Registry: registry, Formats: []string{"liar"}}.Compare(t.Context(), v)
	require.NoError(t, err)
	require.False(t, results[0].Lossless)
	require.Equal(t, wire.LossContent, results[0].Loss)

	// Nothing is left where JSON refuses the value too: the error says why.
	bad := wire.Array(wire.Int(1), wire.String("\xff"))
	_, err = wirekit.Chooser{Registry: registry}.Choose(t.Context(), bad)
	require.ErrorIs(t, err, wire.ErrUTF8)
	require.ErrorContains(t, err, "json: ")
	require.ErrorContains(t, err, "liar: lossy")
	require.ErrorContains(t, err, "forgotten")
	_, err = wirekit.Choose(t.Context(), bad)
	require.ErrorContains(t, err, "(at /1)")
	for _, name := range []string{"json", "gcf", "gcx", "jsonl"} {
		require.ErrorContains(t, err, name+": ")
	}
}

// brief is a codec that is very short and says what it costs.
type brief struct{ liar }

func (brief) Info() wire.Info                     { return wire.Info{Name: "brief", Loss: wire.LossContent} }
func (b brief) WithLimits(wire.Limits) wire.Codec { return b }

// TestLossyCandidatesSetNoBound: what a candidate saves by losing content does
// not make the others too long.
func TestLossyCandidatesSetNoBound(t *testing.T) {
	registry, err := wire.NewRegistry(brief{}, gcf.Codec{})
	require.NoError(t, err)
	for _, measure := range measures {
		best, err := wirekit.Chooser{Registry: registry, Formats: []string{"brief", "gcf"}, Precision: measure}.Choose(t.Context(), json.RawMessage(sample.Rows(400)))
		require.NoError(t, err)
		require.Equal(t, "gcf", best.Name())
		require.Contains(t, best.Report.String(), "brief: lossy")
	}
}

// TestContext: a deadline ends the search with JSON, a cancellation with an
// error, at whatever step they come.
func TestContext(t *testing.T) {
	rows := json.RawMessage(sample.Rows(400))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := wirekit.Choose(canceled, rows)
	require.ErrorIs(t, err, context.Canceled)
	past, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	best, err := wirekit.Choose(past, rows)
	require.NoError(t, err)
	require.Equal(t, string(rows), string(best.Encoded))
	require.Contains(t, best.Report.String(), "gcf: untried")

	for steps := range 60 {
		ctx := &ending{Context: t.Context(), steps: steps, err: context.Canceled}
		if _, err := wirekit.Choose(ctx, rows); ctx.steps < 0 {
			require.ErrorIs(t, err, context.Canceled)
		} else {
			require.NoError(t, err)
		}
		ctx = &ending{Context: t.Context(), steps: steps, err: context.DeadlineExceeded}
		best, err := wirekit.Choose(ctx, rows)
		require.NoError(t, err)
		require.Equal(t, ctx.steps < 0, best.Name() == "json", "%d steps", steps)
	}
}

// TestContextOfFolding: the search for what can be folded looks at the context as well,
// and ends when that does.
func TestContextOfFolding(t *testing.T) {
	rows := json.RawMessage(sample.Rows(400))
	chooser := wirekit.Chooser{Fold: true, Formats: []string{"gcf"}}
	ctx := &ending{Context: t.Context(), steps: math.MaxInt}
	_, err := chooser.Choose(ctx, rows)
	require.NoError(t, err)
	looks := math.MaxInt - ctx.steps
	require.Greater(t, looks, 100)
	for steps := 0; steps < looks-10; steps += looks / 20 {
		ctx := &ending{Context: t.Context(), steps: steps, err: context.Canceled}
		_, err := chooser.Choose(ctx, rows)
		require.ErrorIs(t, err, context.Canceled)
		require.Greater(t, ctx.steps, -10)
	}
}

// ending is a context that is done after some looks at it.
type ending struct {
	context.Context
	steps int
	err   error
}

func (e *ending) Err() error {
	if e.steps--; e.steps < 0 {
		return e.err
	}
	return nil
}

func TestFailingCounter(t *testing.T) {
	broken := errors.New("cannot count")
	for _, measure := range measures[:2] {
		for _, rows := range []json.RawMessage{sample.Rows(3), sample.Rows(400)} {
			_, err := wirekit.Chooser{Counter: failing{broken}, Precision: measure}.Choose(t.Context(), rows)
			require.ErrorIs(t, err, broken)
			require.ErrorContains(t, err, "failing")
		}
	}
	best, err := wirekit.Chooser{Counter: failing{broken}, Precision: wirekit.PrecisionBytes}.Choose(t.Context(), json.RawMessage(sample.Rows(3)))
	require.NoError(t, err)
	require.Equal(t, -1, best.Tokens())
	require.Empty(t, best.Report.Counter)
	require.Positive(t, best.Report.Saving())
}

// TestChooseLimits: a value beyond the limits is refused by all, with reasons;
// a candidate that grows far beyond the shortest is given up.
func TestChooseLimits(t *testing.T) {
	v, err := wire.ParseJSON([]byte(strings.Repeat("[", 50) + strings.Repeat("]", 50)))
	require.NoError(t, err)
	_, err = wirekit.Chooser{Limits: wire.Limits{Depth: 10}}.Choose(t.Context(), v)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "json: ")
	require.ErrorContains(t, err, "gcf: ")

	var rows []wire.Value
	for i := range 200 {
		o, err := wire.Object(wire.Member{Key: fmt.Sprintf("key %d", i), Value: wire.Int(int64(i))})
		require.NoError(t, err)
		rows = append(rows, o)
	}
	best, err := wirekit.Choose(t.Context(), wire.Array(rows...))
	require.NoError(t, err)
	for _, c := range best.Report.Candidates {
		require.LessOrEqual(t, c.Bytes, max(4096, best.Report.Candidates[0].Bytes*2), c)
	}
}

// FuzzChoose: whatever is chosen of a JSON text is sound.
func FuzzChoose(f *testing.F) {
	for _, text := range []string{`{"a":[{"b":1,"c":null},{"b":2}]}`, `[[1,2],[3]]`, `"x"`, string(sample.Rows(30)), string(sample.Orders(8))} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := wire.ParseJSON(text)
		if err != nil {
			return
		}
		for _, c := range []wirekit.Chooser{{}, {Precision: wirekit.PrecisionSampled, MinSaving: 0.05}} {
			best, err := c.Choose(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			requireSound(t, c, v, best)
		}
	})
}

// fullNames returns the names of all codecs and variants.
func fullNames() (names []string) {
	for _, c := range describe.All(wirekit.Registry()) {
		names = append(names, c.Info().FullName())
	}
	return names
}

// TestTextString: data is what TextJSON makes of it; other texts come back byte for byte.
func TestTextString(t *testing.T) {
	log := strings.Repeat("2026-01-09 12:05:00 server/handler.go:112: request served\n", 40)
	for _, c := range []struct {
		text, name string
		folded     *lines.Options
	}{
		{"", "text", nil},
		{"Done: 3 files.", "text", nil},
		{log, "text", nil},
		{log, "lines", &lines.Options{}},
		{log, "lines", &lines.Options{Counter: tokens.Cl100k{}}},
		{log, "text", &lines.Options{MaxBytes: 100}},
		{"Done: 3 files.", "text", &lines.Options{}},
		{"\"a string\"", "text", &lines.Options{}},
		{"12", "text", nil},
		{"{\"a\":1,\"a\":2}", "text", nil},
		{"[1,2", "text", nil},
	} {
		text, report, err := wirekit.TextString(c.text, c.folded)
		require.NoError(t, err)
		first := report.Candidates[0]
		require.Equal(t, []any{c.name, "chosen", len(text)}, []any{first.Name, first.Outcome, first.Bytes}, "%q", c.text)
		if c.name == "text" {
			require.Equal(t, c.text, text)
			require.Zero(t, report.Saving())
			continue
		}
		back, err := lines.Decode([]byte(text))
		require.NoError(t, err)
		require.Equal(t, c.text, string(back))
		require.Greater(t, report.Saving(), 0.5)
		require.Equal(t, cmp.Or[lines.Counter](c.folded.Counter, tokens.Default()).(tokens.Counter).Name(), report.Counter)
	}
	rows := "[" + strings.Repeat(`{"id":1,"name":"a"},`, 20) + `{"id":1,"name":"a"}]`
	want, _, err := wirekit.TextJSON([]byte(rows))
	require.NoError(t, err)
	got, report, err := wirekit.TextString(rows, &lines.Options{})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, "gcx", report.Candidates[0].Name[:3])
}
