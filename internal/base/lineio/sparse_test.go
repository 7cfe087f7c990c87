package lineio_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/lineio"
)

// rowsUntil returns how many rows an Output of so many columns holds.
func rowsUntil(columns int, missing, row string, outputBytes, most int) int {
	o := lineio.NewOutput(io.Discard)
	o.Columns(columns, missing, outputBytes)
	n := 0
	for n < most && o.Holds([]byte(row)) {
		n++
	}
	return n
}

func TestColumns(t *testing.T) {
	const free, most = 16 << 20, 1 << 16
	empty, full := strings.Repeat("\t", 999)+"\n", strings.Repeat("1\t", 999)+"1\n"
	tilde := strings.Repeat("~|", 999) + "~\n"
	for _, test := range []struct {
		name, missing, row         string
		columns, outputBytes, want int
	}{
		{"empty rows", "", empty, 1000, 0, free / (1000 - 64)},
		{"a mark in each cell", "~", tilde, 1000, 0, free / (2000 - 64)},
		{"OutputBytes", "", empty, 1000, 2 * free, 2 * free / (1000 - 64)},
		{"a smaller OutputBytes", "", empty, 1000, 10, free / (1000 - 64)},
		{"full rows", "", full, 1000, 0, most},
		{"full rows with the mark in their cells", "~", strings.ReplaceAll(tilde, "~", "~x"), 1000, 0, most},
		{"few columns", "", strings.Repeat("\t", 63) + "\n", 64, 0, most},
	} {
		require.Equal(t, test.want, rowsUntil(test.columns, test.missing, test.row, test.outputBytes, most), test.name)
	}
}

// TestJoinSparse: rows of which one is too much are not taken, and those before it
// can be.
func TestJoinSparse(t *testing.T) {
	var out bytes.Buffer
	o := lineio.NewOutput(&out)
	o.Columns(8<<20, "", 0)
	row := bytes.Repeat([]byte{'\t'}, 8<<20)
	text := bytes.Repeat(row, 3)
	ends := []int{len(row), 2 * len(row), 3 * len(row)}
	require.Equal(t, lineio.ErrSparse, o.Join(text, ends))
	require.Zero(t, out.Len())
	require.NoError(t, o.Join(text[:ends[1]], ends[:2]))
	require.Equal(t, ends[1], out.Len())
	require.False(t, o.Holds(row))
}
