package gcf_test

import (
	"testing"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/randgo"
)

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   gcf.Marshal,
		Append:    gcf.AppendMarshal,
		Unmarshal: gcf.Unmarshal,
		Codec:     gcf.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, cells) },
		Pieces:    append([]string{"|", "\n", "-", "~", "^", " ", "  ", "\"", ",", "0", "1", "-1", "1e5", "true", "@0 ", "[2]", "{", "}", ".", "=", "## ", "#", "\r", "a", "[0]\n", "~|", "-|", "^|"}, cells...),
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses
// what that refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way
// through Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }
