package lineio_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
)

// TestPieces reads texts in portions of several sizes, and takes a line of each
// piece at a time.
func TestPieces(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	failed := errors.New("failed")
	for _, c := range []struct {
		name, text string
		want       string // what comes before the end
		err        error
		at         int // of the fault in the stream
		cut        bool
	}{
		{name: "nothing"},
		{name: "a line", text: "a\n", want: "a\n"},
		{name: "no line feed at the end", text: "a\nb", want: "a\nb", cut: true},
		{name: "long lines", text: long + "\n" + long + "\n", want: long + "\n" + long + "\n"},
		{name: "a line that is too long", text: "a\n" + long + long + long + "\n", want: "a\n", err: lineio.ErrTooLong, at: 2 + 300_000},
		{name: "bad bytes", text: "a\nb\n c\xffd\ne\n", want: "a\nb\n", err: lineio.ErrUTF8, at: 6},
		{name: "a reader that fails", text: "a\nb\nc", want: "a\nb\n", err: failed},
	} {
		readers := faulty.Readers([]byte(c.text))
		if c.err == failed {
			readers = faulty.Failing([]byte(c.text), failed)
		}
		for name, r := range readers {
			p := lineio.NewPieces(r, 300_000)
			var got strings.Builder
			var err error
			for {
				if p.Len() > 0 {
					n := 1 + strings.IndexByte(string(p.Text()), '\n')
					if n == 0 {
						n = p.Len()
					}
					require.Equal(t, got.Len(), p.Offset(), c.name)
					require.Equal(t, strings.Count(got.String(), "\n"), p.Lines(), c.name)
					got.Write(p.Text()[:n])
					p.Done(n)
					continue
				}
				var more bool
				if more, err = p.More(); !more {
					break
				}
			}
			require.Equal(t, c.err, err, "%s, %s", c.name, name)
			require.True(t, c.want == got.String(), "%s, %s", c.name, name)
			require.Equal(t, c.cut, p.Cut(), "%s, %s", c.name, name)
			require.Equal(t, err == nil, p.Ended(), "%s, %s", c.name, name)
			if c.at > 0 {
				_, at := p.Fault()
				require.Equal(t, c.at, p.Offset()+at, "%s, %s", c.name, name)
			}
		}
	}
	stuck := lineio.NewPieces(faulty.Stuck(nil), 10)
	_, err := stuck.More()
	require.ErrorIs(t, err, io.ErrNoProgress)
}
