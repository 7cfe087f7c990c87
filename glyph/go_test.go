package glyph_test

import (
	"testing"

	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/randgo"
)

var goTexts = []string{"", " ", "a", "word", "plain text", "_", "t", "f", "true", "null", "nil", "none", "b64", "1", "-1", "2025-01-31", "2025-01-31T00:00:00Z",
	"a|b", "|", "quote \" and \\", "\n", "\t", "\x00", "ünïcode", "漢字", "ña|b", "∅", "^id", "@tab", "a/b.c-d", "-a", "é", "9a", "{", "]", "seven b", "invalid \xff"}

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   glyph.Marshal,
		Append:    glyph.AppendMarshal,
		Unmarshal: glyph.Unmarshal,
		Codec:     glyph.Codec{},
		Types: func(seed uint64) randgo.Types {
			types := randgo.Simple(seed, goTexts[:len(goTexts)-1+int(seed%3)/2])
			types.Longer = int(seed%4) * 2 // tables have three rows at least
			return types
		},
		Pieces: append([]string{"|", "\n", " ", "  ", "\t", "\"", ",", ":", "=", "0", "01", "1.0", "-0", "1e5", "1E400", "123456789012345678901", "_", "t", "f", "[", "]", "{", "}", "[]", "{}",
			"@tab", "@end", "@tab _ [a]\n", "\\", "\\|", "\\n", `\u00e9`, `\ud800`, "b64\"\"", "^x", "#1", " F0=1", " name0=_", "F1=", "\xff", "\x00", "\r\n"}, goTexts...),
	}
}

// TestGoRandom: what needs no Values on its way gives what Values give.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }
