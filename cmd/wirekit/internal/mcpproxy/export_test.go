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

// SetRefusalTime sets how long the body of an answer that is not one may take.
func SetRefusalTime(t *testing.T, d time.Duration) {
	before := refusalTime
	refusalTime = d
	t.Cleanup(func() { refusalTime = before })
}
