package gcx_test

import (
	"bufio"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
)

// readAsReference reads the rows of a payload of one section as the decoders do
// that other programs have: lines without the CR before their LF, blank lines
// and those that begin with # passed over, a new section wherever GCX1 begins a
// line, and a backslash before any other character than t and n standing for
// that character.
func readAsReference(payload string) (rows [][]string, sections int) {
	lines := bufio.NewScanner(strings.NewReader(payload))
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "", line[0] == '#':
			continue
		case strings.HasPrefix(line, "GCX1"):
			sections++
			continue
		}
		var row []string
		for _, cell := range strings.Split(line, "\t") {
			row = append(row, unescapeAsReference(cell))
		}
		rows = append(rows, row)
	}
	return rows, sections
}

func unescapeAsReference(cell string) string {
	var b strings.Builder
	for i := 0; i < len(cell); i++ {
		c := cell[i]
		if c == '\\' && i+1 < len(cell) {
			i++
			switch c = cell[i]; c {
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// TestReadByReference: what sections and layouts write, other programs read as
// the same cells, without their carriage returns. The blank line of a single
// empty cell is the one thing that they pass over.
func TestReadByReference(t *testing.T) {
	r := randomValues{rand.New(rand.NewPCG(3, 5))}
	for range 20_000 {
		s := section("t", strings.Join([]string{"a", "b", "c", "d"}[:1+r.IntN(4)], ","))
		for range r.IntN(5) {
			row := make([]string, len(s.Fields))
			for i := range row {
				row[i] = r.text()
			}
			s.Rows = append(s.Rows, row)
		}
		payload, err := gcx.Codec{}.AppendSections(nil, s)
		require.NoError(t, err)
		got, sections := readAsReference(string(payload))
		require.Equal(t, 1, sections, "%q", payload)
		var want [][]string
		for _, row := range withoutCR(s).Rows {
			if len(row) > 1 || row[0] != "" {
				want = append(want, row)
			}
		}
		require.Equal(t, want, got, "%q", payload)
	}
	payload, err := gcx.Codec{}.AppendResult(nil, &layouts.SearchSymbols{Symbols: []layouts.Symbol{{Node: layouts.Node{ID: "#1"}, Sig: "func Foo() {\r"}}})
	require.NoError(t, err)
	rows, _ := readAsReference(string(payload))
	require.Equal(t, [][]string{{"#1", "", "", "", "0", "func Foo() {"}}, rows)
}
