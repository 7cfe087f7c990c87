package fold

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/trials"
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
		rows = append(rows, builder.Object(row...))
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
		{"a unit", "the request to the server took: %dms", "the request to the server took: <block>ms", 30},
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

// tested are rows as go test prints them: output has the name of the test, which the rows
// after one another share.
func tested(r *rand.Rand, n int, pieces ...string) wire.Value {
	var rows []wire.Value
	name := "TestDecodeNumbers"
	for i := range n {
		row := []wire.Member{{Key: "time", Value: wire.String(fmt.Sprintf("2026-11-22T00:04:11.%06dZ", 7_001*i))}}
		if r.IntN(3) == 0 {
			name = fmt.Sprintf("TestDecode/%s_%d", []string{"string", "number", "a_name", "=<test"}[r.IntN(4)], i)
		}
		output := []string{"=== RUN   ", "--- PASS: "}[i%2] + name
		for len(pieces) > 0 && r.IntN(n) == 0 {
			output += pieces[r.IntN(len(pieces))] + output[r.IntN(9):]
		}
		if r.IntN(8) > 0 {
			row = append(row, wire.Member{Key: "test", Value: wire.String(name)})
		} else if len(pieces) > 0 && r.IntN(n) == 0 {
			row = append(row, wire.Member{Key: "test", Value: wire.String(pieces[r.IntN(len(pieces))])})
		}
		if len(pieces) == 0 || r.IntN(4) > 0 {
			row = append(row, wire.Member{Key: "output", Value: wire.String(output)})
		}
		rows = append(rows, builder.Object(row...))
	}
	return wire.Array(rows...)
}

// TestInner: a name for a text of another member, and = for that of the object before.
func TestInner(t *testing.T) {
	v := tested(rand.New(rand.NewPCG(1, 2)), 60)
	for _, inner := range []wire.Codec{wire.JSON{}, gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}} {
		for _, ordered := range []bool{false, true} {
			codec := Codec{Inner: inner, Options: Options{Counter: tokens.O200k{}, KeepOrder: ordered}}
			folded, _ := roundTripsIn(t, inner, v, codec.Options)
			w, err := parseWrapper(folded)
			require.NoError(t, err)
			var shown []string
			for _, r := range w.templates {
				shown = append(shown, r.template.String())
			}
			require.Equal(t, []string{"2026-11-22T00:04:11.<time>Z", "<test<=>>", "<output<test>>"}, shown)
			require.Contains(t, w.note(), "In <x<y>>, <y> is the object's own y. In <x<=>>, = is the x of the object before.")
			back, err := codec.Decode(encodedBy(t, codec, v))
			require.NoError(t, err)
			require.True(t, wire.Equal(v, back))
		}
	}
}

// innerRoundTrip returns how many frames with names and with = one value has.
func innerRoundTrip(t testing.TB, seed uint64) (names, repeats int) {
	r := rand.New(rand.NewPCG(seed, 7))
	v := tested(r, 20+r.IntN(60), "<test>", "<", ">", "=", " (0.00s)", "TestDecode", " <output>", "$1", "")
	inner := append(inners, glyph.Codec{Profile: glyph.ProfileExact})[seed%6] // the last sorts the templates
	folded, _ := roundTripsIn(t, inner, v, eager)
	codec := Codec{Inner: inner, Options: eager}
	back, err := codec.Decode(encodedBy(t, codec, v))
	require.NoError(t, err)
	require.True(t, wire.Equal(v, back))
	if !IsFolded(folded) {
		return 0, 0
	}
	w, err := parseWrapper(folded)
	require.NoError(t, err)
	for _, rule := range w.templates {
		if rule.template.inner != nil {
			names++
		}
		if rule.template.again {
			repeats++
		}
	}
	return names, repeats
}

// TestInnerComesBack: also where texts have what looks like a name, or are =.
func TestInnerComesBack(t *testing.T) {
	names, repeats := 0, 0
	for seed := range uint64(150) {
		n, r := innerRoundTrip(t, seed)
		names, repeats = names+n, repeats+r
	}
	t.Log(names, repeats)
	require.Greater(t, names, 20)
	require.Greater(t, repeats, 20)
}

func FuzzInner(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { innerRoundTrip(t, seed) })
}

func encodedBy(t testing.TB, c Codec, v wire.Value) []byte {
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

// TestFramesInAnyOrder: a frame that names a member waits for that member's own.
func TestFramesInAnyOrder(t *testing.T) {
	for _, templates := range []string{`"b":"<b<a>>","a":"x<a>"`, `"a":"x<a>","b":"<b<a>>"`} {
		for _, data := range []string{`{"a":"1","b":"<a>2"}`, `{"b":"<a>2","a":"1"}`} {
			got, err := Unfold(parse(t, `{"folded":"","templates":{"":{`+templates+`}},"data":`+data+`}`), wire.Limits{})
			require.NoError(t, err)
			require.True(t, wire.Equal(parse(t, `{"a":"x1","b":"x12"}`), got), got)
		}
	}
}

// unframed is what a search without frames finds.
func unframed(o folding, v wire.Value, r Report) result {
	c := columns{style: o.style, count: o.count}
	r.Members = c.find(v)
	best, w := result{Report: Report{After: math.MaxInt}}, ruled{wrapper{data: v}, r}
	if r.Members > 0 {
		c.templates = slices.DeleteFunc(c.templates, func(t rule) bool { return t.isFrame() })
		w.wrapper = wrapper{constants: c.constants, templates: c.templates, data: c.cut(v)}
		best = o.attempt(w)
	}
	return o.withTexts(best, w)
}

// TestFramesNeverCost: a value takes no more tokens than without frames.
func TestFramesNeverCost(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it counts every payload's tokens in many forms")
	}
	fewer := 0
	for _, p := range payload.All() {
		for _, inner := range []wire.Codec{wire.JSON{}, glyph.Codec{}} {
			o := newFolding(Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1}, inner)
			text, err := inner.AppendEncode(nil, p.Value)
			require.NoError(t, err)
			r := Report{Before: o.count.Text(text)}
			with, without := o.search(p.Value, r), unframed(o, p.Value, r)
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
			o := newFolding(Options{Counter: tokens.O200k{}}, inner)
			text, err := inner.AppendEncode(nil, p.Value)
			if err != nil {
				continue
			}
			r := Report{Before: o.count.Text(text)}
			unframed, framed := unframed(o, p.Value, r), o.search(p.Value, r)
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
