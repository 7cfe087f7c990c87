package columns

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// TestSetKeys: keys do not point into the text that their names are in.
func TestSetKeys(t *testing.T) {
	for _, text := range []string{"id", "id,name"} {
		s := Source{Src: []byte(text)}
		s.Load()
		from := uintptr(unsafe.Pointer(unsafe.StringData(s.Str)))
		require.NoError(t, s.SetKeys(strings.Split(s.Str[:s.End], ","), nil))
		for _, name := range s.Keys.All() {
			at := uintptr(unsafe.Pointer(unsafe.StringData(name)))
			require.False(t, at >= from && at < from+uintptr(len(s.Str)), name)
		}
	}
	s := Source{Src: []byte("id,id")}
	s.Load()
	err := s.SetKeys(strings.Split(s.Str[:s.End], ","), func(i int) int { return 3 * i })
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
	require.ErrorContains(t, err, "column 4")
}
