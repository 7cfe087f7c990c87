package pack

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// applied makes the later text of the earlier one.
func applied(t *testing.T, before []byte, hunks []bcp.DiffHunk) string {
	t.Helper()
	lines := slices.Collect(strings.Lines(string(before)))
	var out bytes.Buffer
	at := 0
	for _, h := range hunks {
		for ; at < int(h.OldStart)-1; at++ {
			out.WriteString(lines[at])
		}
		require.Equal(t, int(h.NewStart), bytes.Count(out.Bytes(), []byte("\n"))+1)
		text := strings.ReplaceAll(string(h.Lines), "\n\\ No newline at end of file\n", "")
		for line := range strings.Lines(text) {
			switch line[0] {
			case '+':
				out.WriteString(line[1:])
			default:
				require.Equal(t, lines[at], line[1:])
				at++
				if line[0] == ' ' {
					out.WriteString(line[1:])
				}
			}
		}
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String()
}

func TestLineDiff(t *testing.T) {
	hunks, ok := lineDiff([]byte("a\nb\nc\nd\ne\nf\n"), []byte("a\nb\nc\nd\nE\nf\n"))
	require.True(t, ok)
	require.Equal(t, []bcp.DiffHunk{{OldStart: 2, NewStart: 2, Lines: []byte(" b\n c\n d\n-e\n+E\n f\n")}}, hunks)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var a, b strings.Builder
		for range r.IntN(30) {
			line := string(rune('a'+r.IntN(6))) + "\n"
			if r.IntN(6) > 0 {
				a.WriteString(line)
			}
			if r.IntN(6) > 0 {
				b.WriteString(line)
			}
		}
		before, after := a.String(), b.String()
		hunks, ok := lineDiff([]byte(before), []byte(after))
		require.True(t, ok)
		require.Equal(t, after, applied(t, []byte(before), hunks), "%q %q %q", before, after, hunks)
	}
	_, ok = lineDiff([]byte(strings.Repeat("a\n", 5000)), []byte(strings.Repeat("b\n", 5000)))
	require.False(t, ok)
}

func TestLineDiffGrowth(t *testing.T) {
	growth.Linear(t, 4000, func(n int) func() {
		a, b := []byte(strings.Repeat("a\nc\n", n)), []byte("x\n"+strings.Repeat("a\nc\n", n/2)+"y\n"+strings.Repeat("a\nc\n", n-n/2)+"z\n")
		return func() { lineDiff(a, b) }
	})
}
