package wirekit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// misleading returns long arrays of which one element in so many is a row, and the
// others have members of their own: whatever elements a part has, some array has
// others.
func misleading(every int) wire.Value {
	elements := make([]wire.Value, 1200)
	for i := range elements {
		text := fmt.Sprintf(`{"id":%d,"name":"user %d","active":true,"city":"Lagos"}`, i, i)
		if i%every != every/2 {
			text = fmt.Sprintf(`{"k%d":%d,"|\t%d":["x|",{"%d":"\"%d\""}]}`, i, i, i%7, i, i)
		}
		elements[i], _ = wire.ParseJSON([]byte(text))
	}
	return wire.Array(elements...)
}

// TestPartsDoNotMislead: what a part says is never the last word. The answer has
// not more tokens than JSON, and saves as much as was asked for.
func TestPartsDoNotMislead(t *testing.T) {
	for every := 1; every <= 61; every += 5 {
		v := misleading(every)
		json := count(t, wire.AppendJSON(nil, v))
		for _, c := range []wirekit.Chooser{{}, {Precision: wirekit.PrecisionSampled}, {Precision: wirekit.PrecisionSampled, MinSaving: 0.3}, {Precision: wirekit.PrecisionSampled, Exact: true}} {
			best, err := c.Choose(t.Context(), v)
			require.NoError(t, err)
			requireSound(t, c, v, best)
			if best.Name() != "json" {
				require.LessOrEqual(t, float64(count(t, best.Encoded)), float64(json)*(1-c.MinSaving), "%d: %s", every, best.Report)
			}
		}
	}
}

// TestLongValuesOfEveryShape: a part is found of every kind of value.
func TestLongValuesOfEveryShape(t *testing.T) {
	long := strings.Repeat("a text without an end ", 4000)
	var members []string
	for i := range 900 {
		members = append(members, fmt.Sprintf(`"svc-%d":{"port":%d,"tags":["a","b"]}`, i, i))
	}
	deep := strings.Repeat(`{"a":[1,2,`, 150) + `"` + long + `"` + strings.Repeat(`]}`, 150)
	for name, text := range map[string]string{
		"text": `"` + long + `"`, "object of texts": `{"a":"` + long + `","b":"` + long + `é"}`, "map": "{" + strings.Join(members, ",") + "}",
		"deep": deep, "numbers": "[" + strings.Repeat("12345.678,", 4000) + "1]", "nested arrays": "[" + strings.Repeat("[[1,2],[3,4]],", 3000) + "[]]",
		"nulls": "[" + strings.Repeat("null,", 9000) + "null]", "empty": "[" + strings.Repeat("{},[],", 4000) + "{}]",
	} {
		v, err := wire.ParseJSON([]byte(text))
		require.NoError(t, err, name)
		for _, measure := range measures {
			best, err := wirekit.Chooser{Precision: measure}.Choose(t.Context(), v)
			require.NoError(t, err, name)
			requireSound(t, wirekit.Chooser{Precision: measure}, v, best)
		}
	}
}

// TestOnlyJSONCarries: candidates that refuse the value are named with their
// reasons, and JSON is the answer.
func TestOnlyJSONCarries(t *testing.T) {
	for _, text := range []string{`{"a":[[1],[2,{"b":null}]]}`, `{"rows":` + string(sample.Rows(300)) + `}`} {
		for _, measure := range measures {
			best, err := wirekit.Chooser{Formats: []string{"csv", "jsonl", "gcf-graph"}, Precision: measure}.Choose(t.Context(), json.RawMessage(text))
			require.NoError(t, err)
			require.Equal(t, "json", best.Name())
			require.Zero(t, best.Report.Saving())
			for _, c := range best.Report.Candidates[1:] {
				require.Equal(t, "refused", c.Outcome, "%v: %s", measure, c)
				require.Error(t, c.Err)
			}
		}
	}
}

// TestOutputLimit: where JSON is too long for the limits, what fits is the answer;
// where nothing fits, each says so.
func TestOutputLimit(t *testing.T) {
	v, err := wire.ParseJSON(sample.Rows(500)) // 53 KB, as a table 27 KB
	require.NoError(t, err)
	for _, measure := range measures {
		best, err := wirekit.Chooser{Precision: measure, Limits: wire.Limits{OutputBytes: 30_000}}.Choose(t.Context(), v)
		require.NoError(t, err)
		require.LessOrEqual(t, len(best.Encoded), 30_000)
		require.Contains(t, best.Report.String(), "json: refused: json: output_too_long")
		_, err = wirekit.Chooser{Precision: measure, Limits: wire.Limits{OutputBytes: 20_000}}.Choose(t.Context(), v)
		require.ErrorIs(t, err, wire.ErrLimit)
		for _, name := range []string{"json", "gcf", "gcx", "glyph", "toon"} {
			require.ErrorContains(t, err, name+": ")
		}
	}
}

// failingAt is a counter whose n-th count fails.
type failingAt struct {
	tokens.Counter
	left *int
	err  error
}

func (f failingAt) Count(text []byte) (int, error) {
	if *f.left--; *f.left < 0 {
		return 0, f.err
	}
	return f.Counter.Count(text)
}

// TestCounterThatFailsLater: whichever count fails, the choice does.
func TestCounterThatFailsLater(t *testing.T) {
	broken := errors.New("cannot count")
	for _, measure := range measures[:2] {
		for _, rows := range []json.RawMessage{sample.Rows(10), sample.Rows(300)} {
			for n := range 40 {
				left := n
				best, err := wirekit.Chooser{Counter: failingAt{tokens.O200k{}, &left, broken}, Precision: measure}.Choose(t.Context(), rows)
				if left >= 0 {
					require.NoError(t, err)
					require.NotEmpty(t, best.Encoded)
					break
				}
				require.ErrorIs(t, err, broken, "%v, count %d", measure, n)
				require.Empty(t, best.Encoded)
			}
		}
	}
}

// TestChoicesDoNotShareMemory: what was returned stays as it is when the next
// choices are made, here and in other goroutines, and also where the first that was
// decoded was lossy.
func TestChoicesDoNotShareMemory(t *testing.T) {
	registry, err := wire.NewRegistry(brief{}, gcf.Codec{})
	require.NoError(t, err)
	choosers := []wirekit.Chooser{{}, {Precision: wirekit.PrecisionSampled}, {Registry: registry, Formats: []string{"brief", "gcf"}}}
	choose := func() {
		var kept [][]byte
		var copies []string
		for i := range 6 {
			for _, v := range []json.RawMessage{sample.Rows(50 + i), sample.Rows(250 + i), sample.Orders(5 + i), fmt.Appendf(nil, `[[%d,2],[3]]`, i)} {
				for _, c := range choosers {
					best, err := c.Choose(t.Context(), v)
					if !assert.NoError(t, err) {
						return
					}
					kept = append(kept, best.Encoded)
					copies = append(copies, string(best.Encoded))
				}
			}
		}
		for i, k := range kept {
			if !assert.Equal(t, copies[i], string(k)) {
				return
			}
		}
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(choose)
	}
	all.Wait()
}

// variedLiar is a liar with a variant that lies too.
type variedLiar struct {
	liar
	variant string
}

func (v variedLiar) Info() wire.Info { return wire.Info{Name: "varied", Variant: v.variant} }
func (variedLiar) Internal() any {
	return describe.Type[variedLiar](describe.Codec{Variants: []wire.Codec{variedLiar{variant: "more"}}})
}
func (v variedLiar) WithLimits(wire.Limits) wire.Codec { return v }
func (v variedLiar) AppendEncode(dst []byte, _ wire.Value) ([]byte, error) {
	return append(dst, "0 "+v.variant...), nil
}

// TestLiesAboutLongValues: codecs that claim to lose nothing and do are found out
// one after the other, and the choice ends.
func TestLiesAboutLongValues(t *testing.T) {
	registry, err := wire.NewRegistry(variedLiar{}, forgetful{}, liar{})
	require.NoError(t, err)
	for _, measure := range measures {
		for _, candidates := range [][]string{nil, {"varied:more", "varied", "forgetful"}} {
			best, err := wirekit.Chooser{Registry: registry, Formats: candidates, Precision: measure}.Choose(t.Context(), json.RawMessage(sample.Rows(300)))
			require.NoError(t, err)
			require.Equal(t, "json", best.Name())
			require.Regexp(t, `: (lossy|refused), 1 (tokens|bytes)`, best.Report.String())
		}
	}
}
