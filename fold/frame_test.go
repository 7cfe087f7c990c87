package fold

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/payload"
	"github.com/wirekit/wirekit/internal/trials"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// framed are rows with a member that begins and ends alike, which every third lacks.
func framed(n int, format string) wire.Value {
	var rows []wire.Value
	for i := range n {
		row := []wire.Member{{Key: "n", Value: wire.Int(int64(i))}}
		if i%3 > 0 {
			row = append(row, wire.Member{Key: "block", Value: wire.String(fmt.Sprintf(format, 7_001*i))})
		}
		rows = append(rows, object(row))
	}
	return wire.Array(rows...)
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name, format, template string // no template: no frame
		n                      int
	}{
		{"both ends", "Receiving block blk_%d from the upstream", "Receiving block blk_<block> from the upstream", 30},
		{"a beginning", "https://git.example.com/toolsmiths/%d", "https://git.example.com/toolsmiths/<block>", 30},
		{"an end", "%d of the blocks of the upstream server", "<block> of the blocks of the upstream server", 30},
		{"characters of templates", "=<<a> of the upstream server <%d", "==<<<<a> of the upstream server <<<block>", 0},
		{"within a word", "%dupstreamserverofblocks", "", 30},
		{"few", "Receiving block blk_%d from the upstream", "", 6},
		{"short", "#%d", "", 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.n == 0 {
				// No delimiter ends it: what is written is read.
				f := template{source: "block", prefix: "=<<a> of the upstream server <"}
				require.Equal(t, c.template, f.String())
				return
			}
			for _, inner := range []wire.Codec{wire.JSON{}, gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}} {
				for _, ordered := range []bool{false, true} {
					o := Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1, KeepOrder: ordered}
					v := framed(c.n, c.format)
					folded, r := roundTripsIn(t, inner, v, o)
					require.Equal(t, c.template != "", r.Frames == 1, r)
					if r.Frames == 0 {
						continue
					}
					w, err := parseWrapper(folded)
					require.NoError(t, err)
					require.Equal(t, c.template, w.templates[0].template.String())
					require.Contains(t, w.note(), "around the x that is shown")
					back, err := Codec{Inner: inner}.Decode(encodedBy(t, Codec{Inner: inner, Options: o}, v))
					require.NoError(t, err)
					require.True(t, wire.Equal(v, back))
				}
			}
		})
	}
}

func encodedBy(t *testing.T, c Codec, v wire.Value) []byte {
	text, err := c.AppendEncode(nil, v)
	require.NoError(t, err)
	return text
}

// TestFramesApplyFirst: what follows from a framed member follows from all of it.
func TestFramesApplyFirst(t *testing.T) {
	const folded = `{"folded":"","constants":{"[]":{"c":1}},"templates":{"[]":{"url":"https://x/<id>","id":"blk_<id>"}},"data":[{"id":"7"},{"id":8,"b":[]},{}]}`
	_, err := Unfold(parse(t, folded), wire.Limits{})
	require.ErrorContains(t, err, "source_is_missing")
	got, err := Unfold(parse(t, folded[:len(folded)-len(`,{}]}`)]+`]}`), wire.Limits{})
	require.NoError(t, err)
	require.True(t, wire.Identical(parse(t, `[{"id":"blk_7","c":1,"url":"https://x/blk_7"},{"id":"blk_8","b":[],"c":1,"url":"https://x/blk_8"}]`), got), got)
}

// TestFramesNeverCost: a value takes no more tokens than without frames.
func TestFramesNeverCost(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it counts every payload's tokens in many forms")
	}
	fewer := 0
	for _, p := range payload.All() {
		for _, inner := range []wire.Codec{wire.JSON{}, glyph.Codec{}} {
			o := Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1}
			count := counting{counter: o.Counter}
			style := styleOf(inner.Info())
			text, err := inner.AppendEncode(nil, p.Value)
			require.NoError(t, err)
			r := Report{Before: count.text(text)}
			with := folding{o, inner}.search(p.Value, style, &count, r)
			c := columns{style: style, count: &count}
			r.Members = c.find(p.Value)
			without := folding{o, inner}.unframed(p.Value, &c, r)
			require.LessOrEqual(t, with.After, without.After, p.Kind)
			if with.After < without.After {
				fewer++
			}
		}
	}
	require.Greater(t, fewer, 40)
}

// TestConstantOfEmptyName: a constant of the member "" has no template, whose source
// would be of that name.
func TestConstantOfEmptyName(t *testing.T) {
	v, err := wire.ParseJSON([]byte(`{"folded":"","constants":{"[]":{"":7}},"data":[{"a":1},{"a":2}]}`))
	require.NoError(t, err)
	got, err := Unfold(v, wire.Limits{})
	require.NoError(t, err)
	require.Equal(t, `[{"a":1,"":7},{"a":2,"":7}]`, got.String())
}

// TestFramesSave: with frames no answer takes more tokens than without, in any format, and
// some take much fewer. The log has each kind of answer in the format that is best for it,
// beside what package lines makes of its elements as JSON Lines.
func TestFramesSave(t *testing.T) {
	trials.OneGoroutine(t)
	large := 0
	for _, p := range payload.All() {
		without, with := math.MaxInt, math.MaxInt
		for _, inner := range []wire.Codec{wire.JSON{}, gcf.Codec{}, gcx.Codec{}, toon.Codec{}, glyph.Codec{}} {
			o := folding{Options{Counter: tokens.O200k{}}, inner}
			style, count := styleOf(inner.Info()), &counting{counter: o.Counter}
			text, err := inner.AppendEncode(nil, p.Value)
			if err != nil {
				continue
			}
			r := Report{Before: count.text(text)}
			c := columns{style: style, count: count}
			plain := r
			plain.Members = c.find(p.Value)
			unframed, framed := o.unframed(p.Value, &c, plain), o.search(p.Value, style, count, r)
			require.LessOrEqual(t, framed.After, unframed.After, "%s in %s", p.Kind, inner.Info().Name)
			without, with = min(without, r.Before, unframed.After), min(with, r.Before, framed.After)
		}
		records := p.JSON
		if p.Value.Kind() == wire.KindArray {
			records = nil
			for e := range p.Value.Elements() {
				records = append(wire.AppendJSON(records, e), '\n')
			}
		}
		_, said := lines.Encode(records, lines.Options{Counter: tokens.O200k{}, MaxBytes: -1})
		saved := 100 * float64(without-with) / float64(without)
		if saved >= 10 {
			large++
		}
		t.Logf("%-32s %6d %6d  -%.1f %%  lines %d", p.Kind, without, with, saved, said.After)
	}
	require.GreaterOrEqual(t, large, 5)
}
