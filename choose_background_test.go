package wirekit_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A bursting codec panics when it decodes.
type bursting struct{ glyph.Codec }

func (bursting) Decode([]byte) (wire.Value, error) { panic("burst") }

// A failingBase counts nothing.
type failingBase struct{ tokens.O200k }

func (failingBase) Count([]byte) (int, error) { return 0, errors.New("out of order") }

func (failingBase) CountUpTo([]byte, int) (int, error) { return 0, errors.New("out of order") }

// TestBackground: what is done on another core is the same as what is done on one,
// fails as it does, and is done when the choice is.
func TestBackground(t *testing.T) {
	rows := valueOf(t, sample.Rows(2000))
	measures := []wirekit.Precision{wirekit.PrecisionCounted, wirekit.PrecisionSampled}
	for _, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		t.Cleanup(func() { runtime.GOMAXPROCS(before) })
		for _, measure := range measures {
			burst, err := wire.NewRegistry(wire.JSON{}, bursting{})
			require.NoError(t, err)
			require.PanicsWithValue(t, "burst", func() {
				_, _ = wirekit.Chooser{Registry: burst, Formats: []string{"glyph"}, Precision: measure}.Choose(t.Context(), rows)
			}, "on %d cores", cores)
			_, err = wirekit.Chooser{Counter: tokens.Estimate{Base: failingBase{}}, Precision: measure}.Choose(t.Context(), rows)
			require.ErrorContains(t, err, "out of order")
			ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
			best, err := wirekit.Chooser{Precision: measure}.Choose(ctx, rows)
			cancel()
			require.NoError(t, err)
			require.Equal(t, "json", best.Name())
		}
	}
	for _, text := range [][]byte{sample.Rows(2000), sample.Orders(300), sample.API(300)} {
		require.Greater(t, len(text), 100<<10) // shorter ones are not worth another core
		v := valueOf(t, text)
		for _, measure := range measures {
			for _, identical := range []bool{false, true} {
				c := wirekit.Chooser{Precision: measure, Exact: identical}
				runtime.GOMAXPROCS(1)
				alone, err := c.Choose(t.Context(), v)
				require.NoError(t, err)
				runtime.GOMAXPROCS(4)
				together, err := c.Choose(t.Context(), v)
				require.NoError(t, err)
				require.Equal(t, string(alone.Encoded), string(together.Encoded))
				require.Equal(t, alone.Tokens(), together.Tokens())
			}
		}
	}
}

func valueOf(t *testing.T, text []byte) wire.Value {
	v, err := wire.ParseJSON(text)
	require.NoError(t, err)
	return v
}
