package bound_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
)

func TestAdd(t *testing.T) {
	require.Equal(t, 5, bound.Add(2, 3))
	require.Equal(t, math.MaxInt, bound.Add(math.MaxInt, 0))
	require.Equal(t, math.MaxInt, bound.Add(1, math.MaxInt))
	require.Equal(t, math.MaxInt, bound.Add(math.MaxInt, math.MaxInt))
}
