package lineio

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestCuts(t *testing.T) {
	for _, c := range []struct {
		name string
		cut  func([]byte, int) Cut
		text string
		want Cut
	}{
		{"lines", ByLines, "a\nb\nc", Cut{End: 4, Records: 2}},
		{"blank lines", ByLines, "a\n\nb\n\r\n", Cut{End: 7, Records: 2}},
		{"no line", ByLines, "abc", Cut{}},
		{"rows of a table", Table{','}.Cut, "a,b\n\"x\ny\",1\n2,\"\n", Cut{End: 12, Records: 2}},
		{"a quoted end", Table{','}.Cut, "\"a\n\"\"b\n", Cut{}},
		{"blank lines may end a table", Table{','}.Cut, "1\n2\n\n\r\n", Cut{End: 4, Records: 2}},
		{"rows of separators may, too", Table{','}.Cut, "1,2\n,\r\n3,4\n,\n\n", Cut{End: 11, Records: 3}},
		{"a quotation mark between tabs", Table{'\t'}.Cut, "1\t5\"\n\"a\"\"\t\"\n\"x\ny\"\tb\n", Cut{End: 20, Records: 3}},
		{"nothing but blank lines", Table{','}.Cut, "\n\n", Cut{}},
		{"plain rows", (&Rows{Plain: plain, Most: -1}).Cut, "|a\n|b\n|c", Cut{End: 6, Records: 2}},
		{"another line", (&Rows{Plain: plain, Most: -1}).Cut, "|a\n|b\n#c\n|d\n", Cut{End: 3, Records: 1, Stop: true}},
		{"no plain row", (&Rows{Plain: plain, Most: -1}).Cut, "#c\n|d\n", Cut{Stop: true}},
		{"so many rows", (&Rows{Plain: plain, Most: 2}).Cut, "|a\n|b\n|c\n", Cut{End: 3, Records: 1, Stop: true}},
		{"the last row waits", (&Rows{Plain: plain, Most: -1, Ahead: true}).Cut, "|a\n|b\n|c", Cut{End: 3, Records: 1}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, c.cut([]byte(c.text), 0)) })
	}
}

func plain(line []byte) bool { return line[0] == '|' }

// TestParts: parts are the stream, with what is before each, and its error comes
// with the last.
func TestParts(t *testing.T) {
	broken := errors.New("broken")
	text := strings.Repeat("a line\n", 50_000)
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "late": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			in := reader(io.MultiReader(strings.NewReader(text+"half"), iotest.ErrReader(broken)))
			p := NewParts(nil, in, 1<<20, ByLines)
			var got strings.Builder
			for n := 0; ; n++ {
				part := p.Next(nil)
				require.Equal(t, got.Len(), part.Offset)
				require.Equal(t, strings.Count(got.String(), "\n"), part.Lines)
				got.Write(part.Text)
				if part.Rest == nil {
					require.Equal(t, strings.Count(string(part.Text), "\n"), part.Records)
					require.Less(t, len(part.Text), 2*partSize)
					continue
				}
				require.Equal(t, "half", string(part.Text))
				_, err := io.ReadAll(part.Rest)
				require.Equal(t, broken, err)
				require.Equal(t, text+"half", got.String())
				require.Greater(t, n, 1)
				return
			}
		})
	}
	t.Run("a long record", func(t *testing.T) {
		p := NewParts(nil, strings.NewReader(strings.Repeat("x", 1<<20)), 1<<19, ByLines)
		part := p.Next(nil)
		require.Greater(t, len(part.Text), 1<<19)
		rest, err := io.ReadAll(part.Rest)
		require.NoError(t, err)
		require.Equal(t, 1<<20, len(part.Text)+len(rest))
	})
}
