package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
)

// doubtful is JSON whose reader has doubts.
type doubtful struct {
	wire.JSON
	Warn func(*wire.Error)
}

func (doubtful) Internal() any { return describe.Type[doubtful](describe.Codec{}) }

func (d doubtful) Decode(src []byte) (wire.Value, error) {
	d.Warn(&wire.Error{Format: "doubtful", Code: "missing_trailer"})
	return d.JSON.Decode(src)
}

// TestWarnings: what a codec warns of is noted on standard error.
func TestWarnings(t *testing.T) {
	var notes strings.Builder
	c := &Console{Err: &notes}
	_, err := c.Warned(doubtful{}).Decode([]byte("1"))
	require.NoError(t, err)
	require.Equal(t, "wirekit: warning: doubtful: missing_trailer\n", notes.String())
}
