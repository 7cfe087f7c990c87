package growth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/growth"
)

// recorder is a test that remembers whether it failed.
type recorder struct {
	testing.TB
	message string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { r.message = args[0].(string) }

var sink int

func TestLinear(t *testing.T) {
	growth.Linear(t, 5_000, func(n int) func() {
		s := strings.Repeat("a.", n)
		return func() { sink += strings.Count(s, ".") + len([]byte(s)) }
	})
}

func TestQuadraticIsFound(t *testing.T) {
	t.Run("time", func(t *testing.T) {
		// A loaded machine can make the small sizes look slow once.
		r := &recorder{TB: t}
		for range 10 {
			growth.Linear(r, 300, func(n int) func() {
				return func() {
					for range n {
						for i := range n {
							sink += i
						}
					}
				}
			})
			if r.message != "" {
				break
			}
		}
		require.Contains(t, r.message, "the time grows")
	})
	t.Run("memory", func(t *testing.T) {
		r := &recorder{TB: t}
		growth.Linear(r, 400, func(n int) func() {
			return func() {
				var s string
				for range 4 * n {
					s += strings.Repeat("a", 16)
				}
				sink += len(s)
			}
		})
		require.NotEmpty(t, r.message)
	})
}
