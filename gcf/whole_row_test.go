package gcf

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// TestRowsBeforeErrors: rows of which nothing can follow are given before the
// error after them, however the reader cuts its chunks.
func TestRowsBeforeErrors(t *testing.T) {
	gone := errors.New("disk full")
	for _, c := range []struct {
		header, row, behind string
		want                int
	}{
		{"## [?]{a}\n", "%d\n", "", 17},
		{"## [?]{a}\n", "%d\n", "9", 17},
		{"## [?]{a}\n", "%d\n", "\xff\n9\n", 17},
		{"## [?]{a}\n", "@%d ^\n.a [1]: 5\n", "", 16}, // more of the last could follow
		{"## [?]\n", "@%d {}\n  a=1\n", "", 16},
	} {
		text := "GCF profile=generic\n" + c.header
		for i := range 17 {
			text += strings.ReplaceAll(c.row, "%d", strconv.Itoa(i))
		}
		text += c.behind
		for name, r := range map[string]io.Reader{
			"whole":        io.MultiReader(strings.NewReader(text), iotest.ErrReader(gone)),
			"bytes":        iotest.OneByteReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(gone))),
			"with the end": iotest.DataErrReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(gone))),
		} {
			n := 0
			for _, err := range (Codec{}).Records(r) {
				if err == nil {
					n++
				}
			}
			require.Equal(t, c.want, n, "%s, %q behind %q", name, c.behind, c.row)
		}
	}
}
