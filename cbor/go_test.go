package cbor_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/randgo"
	"github.com/wirekit/wirekit/wire"
)

func goWays() randgo.Ways {
	texts := []string{"", "a", "id", "\n", "\xff", "é", "longer than what fits in one byte of a head"}
	return randgo.Ways{
		Marshal:   cbor.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, cbor.Codec{}, v) },
		Unmarshal: cbor.Unmarshal,
		Codec:     cbor.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, texts) },
		Pieces:    append([]string{"\x00", "\x01", "\x80", "\x81", "\xa0", "\xa1", "\xc0", "\xc3", "\xd9", "\xf6", "\xf9", "\xfb", "\x18"}, texts...),
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses what that
// refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way through
// Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }

// TestGoTooManyValues: there are as many values as FromGo takes, and no more.
func TestGoTooManyValues(t *testing.T) {
	_, err := cbor.Marshal(make([]struct{}, bound.Values+1))
	require.ErrorIs(t, err, wire.ErrLimit)
}
