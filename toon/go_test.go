package toon_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

var goTexts = []string{"", " ", "a", "plain text", "null", "true", "false", "1", "-1", "+1", "1e5", "05", "-", "- a", "#", "# b", "a:b", ":", "a,b", ",", "[1]", "{a}", "\"", "\\", "\n", "\t", "\x00",
	"a ", " a", "é", "漢字", "\ufeff", "\ufeffx", "|", "a|b", "seven b", "eight by", "nine byte", "invalid \xff"}

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   toon.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, toon.Codec{}, v) },
		Unmarshal: toon.Unmarshal,
		Codec:     toon.Codec{},
		Types: func(seed uint64) randgo.Types {
			types := randgo.Simple(seed, goTexts[:len(goTexts)-1+int(seed%3)/2])
			types.Longer = int(seed % 4)
			return types
		},
		Pieces: append([]string{"\n", " ", "  ", "\"", ",", ":", "[", "]", "{", "}", "- ", "0", "01", "1.0", "null", "true", "[1]:", "[2]{a,b}:", "\\n", "\r\n", "F0: 1", "name0: 2"}, goTexts...),
	}
}

// TestGoRandom: what needs no Values on its way gives what Values give.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2500) }

// A level is much longer in memory than in a text.
type level[T any] struct {
	A                                  int `json:"a"`
	K                                  []T `json:"k"`
	B, C, D, E, F, G, H, I, J, L, M, N string
}

// TestGoClaims: arrays in arrays that declare more elements than there are take no
// more memory together than one of them may.
func TestGoClaims(t *testing.T) {
	type levels = []level[level[level[level[level[level[int]]]]]]
	const length, declared = 100_000, 25_000
	doc := fmt.Sprintf("[%d]:", declared)
	for depth := range 5 {
		doc += fmt.Sprintf("\n%s- k[%d]:", strings.Repeat("  ", 2*depth+1), declared)
	}
	doc += "\n" + strings.Repeat("  ", 11) + "- a: 1\n" + strings.Repeat("x", length)
	growth.Bytes(t, 80*uint64(len(doc)), func() {
		require.Error(t, toon.Unmarshal([]byte(doc), new(levels)))
	})
}

// TestGoConcurrent: an encoder that went back to the pool is another call's. The race
// detector sees who looks at it after that.
func TestGoConcurrent(t *testing.T) {
	type row struct {
		A int    `json:"a"`
		B string `json:"b"`
	}
	rows := []row{{1, "x"}, {2, "é"}}
	want, err := toon.Marshal(rows)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 500 {
				got, err := toon.Marshal(rows)
				assert.NoError(t, err)
				assert.Equal(t, string(want), string(got))
			}
		})
	}
	group.Wait()
}
