package manual

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoffLine: nothing of a text is a request to the formatter.
func TestRoffLine(t *testing.T) {
	require.Equal(t, `\&.gitignore`, roffLine(".gitignore"))
	require.Equal(t, `\&'a' \e \-\-x`, roffLine(`'a' \ --x`))
}
