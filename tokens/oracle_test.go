package tokens

import (
	"sync"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/require"
)

// The patterns as published with the vocabularies.
const (
	contractions  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
	patternCl100k = contractions + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternO200k  = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` + contractions + `?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*` + contractions + `?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
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
	var all []oracle
	for _, o := range []struct {
		counter  Counter
		encoding *encoding
		pattern  string
	}{
		{O200k{}, &o200kBase, patternO200k},
		{Cl100k{}, &cl100kBase, patternCl100k},
	} {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(o.encoding.file)
		if err != nil {
			return nil, err
		}
		special := map[string]int{tiktoken.ENDOFTEXT: len(ranks) + 1}
		core, err := tiktoken.NewCoreBPE(ranks, special, o.pattern)
		if err != nil {
			return nil, err
		}
		description := &tiktoken.Encoding{Name: o.counter.Name(), PatStr: o.pattern, MergeableRanks: ranks, SpecialTokens: special}
		all = append(all, oracle{
			counter:  o.counter,
			encoding: o.encoding,
			ranks:    ranks,
			pattern:  regexp2.MustCompile(o.pattern, regexp2.None),
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

// split splits a valid text with the splitter.
func (o oracle) split(text string) []string {
	var pieces []string
	b := []byte(text)
	for i := 0; i < len(b); {
		end := o.encoding.split(characterClasses(), b, i)
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
	want := len(o.library.EncodeOrdinary(text))
	require.Equal(t, want, got, "tokens of %q", text)
	require.Equal(t, want, len(o.library.Encode(text, nil, nil)), "the library's two ways to encode %q", text)
}
