package tokens

import (
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/pkoukk/tiktoken-go-loader/assets"
	"github.com/stretchr/testify/require"
)

// An oracle does what an encoding does with the library's code alone.
type oracle struct {
	counter  Counter
	encoding *encoding
	ranks    map[string]int
	pattern  *regexp2.Regexp
	library  *tiktoken.Tiktoken
}

var oracles = sync.OnceValues(func() ([]oracle, error) {
	// The third vocabulary is loaded as a program's own: the tokens of one
	// model with the pattern of another.
	ranks, err := assets.Assets.Open("cl100k_base.tiktoken")
	if err != nil {
		return nil, err
	}
	defer ranks.Close()
	loaded, err := Load("loaded", ranks, PatternQwen)
	if err != nil {
		return nil, err
	}
	var all []oracle
	for _, o := range []struct {
		counter  Counter
		encoding *encoding
		file     string
		pattern  Pattern
	}{
		{O200k{}, &o200kBase, "o200k_base.tiktoken", PatternO200k},
		{Cl100k{}, &cl100kBase, "cl100k_base.tiktoken", PatternCl100k},
		{loaded, &loaded.encoding, "cl100k_base.tiktoken", PatternQwen},
	} {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(o.file)
		if err != nil {
			return nil, err
		}
		pattern := string(o.pattern)
		special := map[string]int{tiktoken.ENDOFTEXT: len(ranks) + 1}
		core, err := tiktoken.NewCoreBPE(ranks, special, pattern)
		if err != nil {
			return nil, err
		}
		description := &tiktoken.Encoding{Name: o.counter.Name(), PatStr: pattern, MergeableRanks: ranks, SpecialTokens: special}
		all = append(all, oracle{
			counter:  o.counter,
			encoding: o.encoding,
			ranks:    ranks,
			pattern:  regexp2.MustCompile(pattern, regexp2.None),
			library:  tiktoken.NewTiktoken(core, description, map[string]any{tiktoken.ENDOFTEXT: true}),
		})
	}
	return all, nil
})

// forEachOracle runs a subtest per vocabulary.
func forEachOracle(t *testing.T, f func(t *testing.T, o oracle)) {
	t.Helper()
	all, err := oracles()
	require.NoError(t, err)
	for _, o := range all {
		t.Run(o.counter.Name(), func(t *testing.T) { f(t, o) })
	}
}

// pieces splits a text with the pattern itself.
func (o oracle) pieces(t testing.TB, text string) []string {
	t.Helper()
	var pieces []string
	m, err := o.pattern.FindStringMatch(text)
	for ; m != nil; m, err = o.pattern.FindNextMatch(m) {
		require.NoError(t, err)
		pieces = append(pieces, m.String())
	}
	require.NoError(t, err)
	return pieces
}

// split splits a valid text as the counter does.
func (o oracle) split(text string) []string {
	var pieces []string
	b := []byte(text)
	for i := 0; i < len(b); {
		end := o.encoding.split(o.encoding.classes(), b, i)
		pieces = append(pieces, string(b[i:end]))
		i = end
	}
	return pieces
}

// requireEqual compares a text's pieces and count with the library's.
func (o oracle) requireEqual(t testing.TB, text string) {
	t.Helper()
	valid := string([]rune(text))
	require.Equal(t, o.pieces(t, valid), o.split(valid), "pieces of %q", text)
	got, err := o.counter.Count([]byte(text))
	require.NoError(t, err)
	ids := o.library.EncodeOrdinary(text)
	want := len(ids)
	require.Equal(t, want, got, "tokens of %q", text)
	o.requireEnds(t, text, ids)
	o.requireBounds(t, text, want)
	require.Equal(t, want, len(o.library.Encode(text, nil, nil)), "the library's two ways to encode %q", text)
}

// requireEnds compares the ends of a text's tokens with the lengths of the
// library's, and those of a text that is not UTF-8 with its valid form's.
func (o oracle) requireEnds(t testing.TB, text string, ids []int) {
	t.Helper()
	valid := string([]rune(text))
	want := []int{-1}
	end := 0
	for _, id := range ids {
		end += len(o.library.Decode([]int{id}))
		want = append(want, end)
	}
	ends, err := AppendEnds([]int{-1}, o.counter, []byte(valid))
	require.NoError(t, err)
	require.Equal(t, want, ends, "ends of the tokens of %q", valid)
	original := []int{0}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		for i := range utf8.RuneLen(r) {
			original = append(original, at+min(i+1, size))
		}
		at += size
	}
	for i, end := range want[1:] {
		want[i+1] = original[end]
	}
	ends, err = AppendEnds([]int{-1}, o.counter, []byte(text))
	require.NoError(t, err)
	require.Equal(t, want, ends, "ends of the tokens of %q", text)
}

// requireBounds holds that counting stops at bounds, and only there.
func (o oracle) requireBounds(t testing.TB, text string, want int) {
	t.Helper()
	for _, bound := range []int{0, want / 2, want - 1, want, want + 1} {
		n, err := CountUpTo(o.counter, []byte(text), bound)
		require.NoError(t, err)
		if want <= bound {
			require.Equal(t, want, n)
		} else {
			require.Greater(t, n, max(bound, -1))
			require.LessOrEqual(t, n, want)
		}
	}
}
