package bound_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/bound"
)

func TestAdd(t *testing.T) {
	require.Equal(t, 5, bound.Add(2, 3))
	require.Equal(t, math.MaxInt, bound.Add(math.MaxInt, 0))
	require.Equal(t, math.MaxInt, bound.Add(1, math.MaxInt))
	require.Equal(t, math.MaxInt, bound.Add(math.MaxInt, math.MaxInt))
}

func TestTimes(t *testing.T) {
	require.Equal(t, 6, bound.Times(2, 3))
	require.Zero(t, bound.Times(0, math.MaxInt))
	require.Zero(t, bound.Times(math.MaxInt, 0))
	require.Equal(t, math.MaxInt, bound.Times(2, math.MaxInt))
	require.Equal(t, math.MaxInt, bound.Times(math.MaxInt/2+1, 2))
}
