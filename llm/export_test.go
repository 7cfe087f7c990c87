package llm

import "github.com/wirekit/wirekit/internal/splice"

// Edits returns what is changed in a body, for tests that look at every place.
func (r *Rewriter) Edits(body []byte, shape Shape) ([]splice.Edit, Report) {
	return r.edits(body, shape)
}
