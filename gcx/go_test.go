package gcx_test

import (
	"testing"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/randgo"
)

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   gcx.Marshal,
		Append:    gcx.AppendMarshal,
		Unmarshal: gcx.Unmarshal,
		Codec:     gcx.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, nasty) },
		Pieces:    append([]string{"\t", "\n", "null", " ", "\"", ",", "0", "1", "-1", "1e5", "true", "[", "]", "{", "}", ":", "=", "#", "\r", "a", "{}", "[]", "\\", "types=", "rows=1"}, nasty...),
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses
// what that refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 2500) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way
// through Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 1500) }
