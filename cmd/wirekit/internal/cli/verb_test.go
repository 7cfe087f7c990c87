package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// TestContentSize holds the room that a verb gives its output to follow from the
// length of the document, not from how many members the value has.
func TestContentSize(t *testing.T) {
	text := `{"a":["` + strings.Repeat("x", 1000) + `"]}`
	doc, err := Selection{At: "/a"}.Read(&Console{In: strings.NewReader(text)}, "", wire.JSON{})
	require.NoError(t, err)
	require.Equal(t, 1, doc.Value.Len())
	require.Len(t, doc.Src, len(text))
}
