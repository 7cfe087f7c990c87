package parallel_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/parallel"
)

func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 1000} {
			calls := make([]atomic.Int32, n)
			require.NoError(t, parallel.Each(workers, n, func(worker, i int) error {
				require.Less(t, worker, max(workers, 1))
				calls[i].Add(1)
				return nil
			}))
			for i := range calls {
				require.EqualValues(t, 1, calls[i].Load())
			}
		}
		failed := errors.New("failed")
		var calls atomic.Int32
		err := parallel.Each(workers, 1000, func(_, i int) error {
			calls.Add(1)
			return failed
		})
		require.Equal(t, failed, err)
		require.LessOrEqual(t, int(calls.Load()), max(workers, 1))
	}
}
