package quiz

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// Grade reports whether an answer is right. It is taken without white space, one pair of
// quotation marks or backquotes, and a full stop around it; what is left must be the right
// answer, byte for byte. Sums and counts may be spelled otherwise, with a fraction of
// zeros, words in other case. Where a tool was asked for, only its argument counts.
func Grade(q Record, a Answer) bool {
	if q.Right == nil {
		return false
	}
	if q.Tool != "" {
		return a.Called && a.Call == *q.Right
	}
	given := strings.TrimSpace(a.Text)
	if given == *q.Right {
		return true
	}
	for _, marks := range []string{"\"", "`", "'"} {
		if inner, ok := strings.CutPrefix(given, marks); ok {
			given = strings.TrimSuffix(strings.TrimSuffix(inner, "."), marks)
			break
		}
	}
	given = strings.TrimSuffix(given, ".")
	switch q.Kind {
	case Count, Sum, Minimum:
		v, err := wire.Number(given)
		want, wantErr := wire.Number(*q.Right)
		return err == nil && wantErr == nil && wire.Equal(v, want)
	case Absent, Whole:
		return strings.EqualFold(given, *q.Right)
	}
	return given == *q.Right
}
