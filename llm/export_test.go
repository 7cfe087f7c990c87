package llm

import (
	"testing"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
)

// Edits returns what is changed in a body, for tests that look at every place.
func (r *Rewriter) Edits(body []byte, shape Shape) ([]splice.Edit, Report) {
	return r.edits(body, shape)
}

// SetRefusalTime sets how long the body of an answer with status 400 is waited for.
func SetRefusalTime(t *testing.T, d time.Duration) {
	before := refusalTime
	refusalTime = d
	t.Cleanup(func() { refusalTime = before })
}
