package tokens

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// alphabet is what cuts and pieces depend on: letters of both cases, marks, digits of
// several scripts, symbols, contractions, white space of every kind, slashes.
var alphabet = []string{"a", "B", "é", "ß", "世", "\u0301", "ǅ", "ʰ", "0", "7", "٣", "½", "'", "'s", "'LL", "{", "\"", "/", "//", ":", ",", "|",
	" ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\u00a0", "\u2028", "🙂", "\x7f", "\x00", "\xff", "\xe4\xb8"}

func randomText(random *rand.Rand, n int) []byte {
	var b []byte
	for len(b) < n {
		b = append(b, alphabet[random.IntN(len(alphabet))]...)
	}
	return b
}

// TestPieceBegins: at every place where a text may be cut, both parts have the pieces
// of the whole.
func TestPieceBegins(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	c := characterClasses()
	cuts := 0
	for range 8000 {
		text := randomText(random, 1+random.IntN(40))
		for _, p := range []pattern{patternO200k, patternCl100k, patternQwen} {
			ends := func(text []byte) (all []int) {
				if !utf8.Valid(text) {
					text = replaceInvalid(text)
				}
				for i := 0; i < len(text); {
					i = p.split(c, text, i)
					all = append(all, i)
				}
				return all
			}
			whole := ends(text)
			for i := 1; i < len(text); i++ {
				if !pieceBegins(text, i) {
					continue
				}
				cuts++
				left := ends(text[:i])
				middle := left[len(left)-1] // i, in the text made valid
				right := ends(text[i:])
				for j := range right {
					right[j] += middle
				}
				require.Equal(t, whole, slices.Concat(left, right), "%q | %q", text[:i], text[i:])
			}
		}
	}
	require.Greater(t, cuts, 10_000)
}

// TestCountParts: long texts have the counts that one processor gives them.
func TestCountParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	random := rand.New(rand.NewPCG(5, 6))
	rows := strings.Repeat(`{"id":1048,"name":"some name","score":0.25,"text":"It's a line of words"},`, parallelFrom/60)
	for name, text := range map[string][]byte{
		"lines":    []byte(strings.ReplaceAll(rows, "},", "}\n")),
		"one line": []byte(rows),
		"random":   randomText(random, 2*parallelFrom),
		"no place": []byte(strings.Repeat("words and words ", parallelFrom/8)),
		"one word": []byte(strings.Repeat("a", parallelFrom+7)),
	} {
		for _, e := range []*encoding{&o200kBase, &cl100kBase} {
			want, err := e.countAlone(text, noBound)
			require.NoError(t, err)
			got, err := e.count(text, noBound)
			require.NoError(t, err)
			require.Equal(t, want, got, name)
			require.Equal(t, name != "no place" && name != "one word", len(cutParts(text)) > 1, name)
		}
	}
	parts := cutParts([]byte(rows))
	require.Equal(t, rows, string(slices.Concat(parts...)))
	for _, part := range parts[:len(parts)-1] {
		require.Less(t, len(part), partLen+200)
	}
}

// BenchmarkCountParts counts a text of four megabytes on one processor and on all.
func BenchmarkCountParts(b *testing.B) {
	text := []byte(strings.Repeat(`{"id":1048,"name":"some name","score":0.25,"text":"It's a line of other words"}`+"\n", 50_000))
	for _, e := range []struct {
		name  string
		count func([]byte) (int, error)
	}{
		{"one", func(text []byte) (int, error) { return o200kBase.countAlone(text, noBound) }},
		{"all", func(text []byte) (int, error) { return o200kBase.count(text, noBound) }},
	} {
		b.Run(e.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := e.count(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
