package gcf

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// TestLastLineNotUTF8: a last line that is not UTF-8 says so, and does not make the
// row before it one that is cut, in whatever portions they come.
func TestLastLineNotUTF8(t *testing.T) {
	const head, last = "GCF profile=generic\n## [?]{a,b}\n1|2\n3|4\n", "5|\xc3"
	for name, r := range map[string]io.Reader{
		"whole":        strings.NewReader(head + last),
		"byte by byte": iotest.OneByteReader(strings.NewReader(head + last)),
		"with the end": iotest.DataErrReader(strings.NewReader(head + last)),
		"line alone":   io.MultiReader(strings.NewReader(head), iotest.DataErrReader(strings.NewReader(last))),
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			var failed error
			for _, err := range (Codec{}).Records(r) {
				if failed = err; err == nil {
					n++
				}
			}
			require.Equal(t, 2, n)
			require.ErrorIs(t, failed, wire.ErrUTF8)
		})
	}
}

// TestSplitRows: flat rows are cut into parts, and from the first row with an
// attached value on everything is the last part.
func TestSplitRows(t *testing.T) {
	rows := strings.Repeat("1|2\n", 100)
	attached := "@100 3|^\n.b {x}\n9\n"
	p := records.Split(splitter{}, iotest.HalfReader(strings.NewReader("GCF profile=generic\n## [?]{a,b}\n"+rows+attached+rows)))
	before, text := 0, ""
	for {
		part, err := p.Next(nil)
		require.NoError(t, err)
		if part.Rest != nil {
			rest, err := io.ReadAll(part.Rest)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(part.Text)+string(rest), "1|2\n"+attached[:4]), "a row before it is left to the last part")
			require.Equal(t, 99, before)
			require.Equal(t, strings.Repeat("1|2\n", 99), text)
			return
		}
		require.Equal(t, strings.Count(string(part.Text), "\n"), part.Records)
		require.Equal(t, 2+before, part.Lines)
		before += part.Records
		text += string(part.Text)
	}
}
