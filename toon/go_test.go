package toon_test

import (
	"testing"

	"github.com/wirekit/wirekit/internal/randgo"
	"github.com/wirekit/wirekit/toon"
)

var goTexts = []string{"", " ", "a", "plain text", "null", "true", "false", "1", "-1", "+1", "1e5", "05", "-", "- a", "#", "# b", "a:b", ":", "a,b", ",", "[1]", "{a}", "\"", "\\", "\n", "\t", "\x00",
	"a ", " a", "é", "漢字", "\ufeff", "\ufeffx", "|", "a|b", "seven b", "eight by", "nine byte", "invalid \xff"}

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   toon.Marshal,
		Append:    toon.AppendMarshal,
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
