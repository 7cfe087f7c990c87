package fold

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// logged are rows as a server logs them: the same phrases among other words.
func logged(r *rand.Rand, n int, pieces ...string) wire.Value {
	statements := []string{
		"duration: %d ms  statement: UPDATE accounts SET balance = balance + %d WHERE id = 7;",
		"duration: %d ms  statement: SELECT balance FROM accounts WHERE id = %d;",
		"disconnection: session time: %d:%d user=postgres database=postgres host=[local]",
	}
	var rows []wire.Value
	for i := range n {
		text := fmt.Sprintf(statements[r.IntN(len(statements))], r.IntN(900), r.IntN(9000))
		for len(pieces) > 0 && r.IntN(3) == 0 {
			at := r.IntN(len(text))
			text = text[:at] + pieces[r.IntN(len(pieces))] + text[at:]
		}
		rows = append(rows, builder.Object(wire.Member{Key: "n", Value: wire.Int(int64(7 * i))}, wire.Member{Key: "message", Value: wire.String(strings.ToValidUTF8(text, "é"))}))
	}
	return wire.Array(rows...)
}

// legendIn returns the legend of a value that is folded in a format, and holds that it
// comes back.
func legendIn(t testing.TB, inner wire.Codec, v wire.Value, o Options) Legend {
	folded, _ := roundTripsIn(t, inner, v, o)
	codec := Codec{Inner: inner, Options: o}
	text, err := codec.AppendEncode(nil, v)
	require.NoError(t, err)
	back, err := codec.Decode(text)
	require.NoError(t, err)
	require.True(t, wire.Equal(v, back))
	if !IsFolded(folded) {
		return Legend{}
	}
	l, err := ParseLegend(folded)
	require.NoError(t, err)
	return l
}

var inners = []wire.Codec{wire.JSON{}, gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}}

// TestPhrases: what repeats in the middle of strings is in a legend.
func TestPhrases(t *testing.T) {
	v := logged(rand.New(rand.NewPCG(1, 2)), 60)
	for _, inner := range inners {
		for _, name := range []string{"", "q"} {
			o := Options{Counter: tokens.O200k{}, RefPrefix: name}
			l := legendIn(t, inner, v, o)
			require.True(t, l.notation.anywhere())
			sigil := styleOf(inner.Info()).sigil
			require.Equal(t, notation{sigil + sigil, name}, l.notation)
			require.Contains(t, l.texts, "user=postgres database=postgres host=[local]")
			folded, r, err := Fold(inner, v, o)
			require.NoError(t, err)
			note, _ := folded.Get(memberFolded)
			require.Contains(t, note.Text(), sigil+sigil+name+"n in a text stands for legend entry n.")
			require.Equal(t, []int{60, len(l.texts)}, []int{r.References, r.Entries})
			o.MaxEntries = 2
			require.Equal(t, 2, len(legendIn(t, inner, v, o).texts))
			o.NoLegend = true
			require.Zero(t, len(legendIn(t, inner, v, o).texts))
		}
	}
}

// TestPhrasesNeedAMark: with all marks taken there are no references in the middle of
// strings, nor where the strings are too long to be searched.
func TestPhrasesNeedAMark(t *testing.T) {
	taken := ""
	for i, mark := range "$" + marks + "_" {
		v := logged(rand.New(rand.NewPCG(1, 2)), 60)
		l := legendIn(t, wire.JSON{}, wire.Array(v, wire.String(taken)), Options{Counter: tokens.O200k{}})
		require.Equal(t, i < 1+len(marks), l.notation.anywhere(), taken)
		if i < 1+len(marks) {
			require.NotContains(t, taken, l.notation.reference(1))
		}
		taken += fmt.Sprintf(" %[1]c%[1]c1", mark)
	}
	v := logged(rand.New(rand.NewPCG(1, 2)), 60)
	l := legendIn(t, wire.JSON{}, wire.Array(v, wire.String(strings.Repeat("x", maxSearched))), eager)
	require.False(t, l.notation.anywhere())
}

// phrasesComeBack reports whether a value of one seed has references anywhere.
func phrasesComeBack(t testing.TB, seed uint64) bool {
	r := rand.New(rand.NewPCG(seed, 7))
	v := logged(r, 20+r.IntN(60), "$", "$$", "$$q", "1", "~", "$1", "_", "__", "\n", "$$1", "<message>", "é")
	o := eager
	o.RefPrefix = []string{"", "q"}[r.IntN(2)]
	return legendIn(t, inners[seed%5], v, o).notation.anywhere()
}

// TestPhrasesComeBack: also where texts have what looks like a part of a reference.
func TestPhrasesComeBack(t *testing.T) {
	found := 0
	for seed := range uint64(60) {
		if phrasesComeBack(t, seed) {
			found++
		}
	}
	require.Greater(t, found, 30)
}

func FuzzPhrases(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { phrasesComeBack(t, seed) })
}
