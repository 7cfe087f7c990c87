package mcpproxy

import (
	"testing"
	"time"
)

// SetBodyTime sets how long a body may take to begin with.
func SetBodyTime(t *testing.T, d time.Duration) {
	before := bodyTime
	bodyTime = d
	t.Cleanup(func() { bodyTime = before })
}
