package lineio_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
)

func TestNext(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"one without an end", "a", []string{"a"}},
		{"one", "a\n", []string{"a"}},
		{"blank lines", "\n\na\n\n", []string{"", "", "a", ""}},
		{"CRLF", "a\r\n\r\nb\r\n", []string{"a", "", "b"}},
		{"CR inside", "a\rb\r", []string{"a\rb\r"}},
		{"byte order marks", "\ufeffa\n\ufeffb\n\ufeff\ufeffc \ufeff", []string{"a", "b", "\ufeffc \ufeff"}},
		{"longer than the buffer", long + "\n" + long, []string{long, long}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, r := range faulty.Readers([]byte(c.text)) {
				lr := lineio.NewReader(r, 1<<20)
				var got []string
				for {
					line, err := lr.Next()
					if err == io.EOF {
						break
					}
					require.NoError(t, err, name)
					require.Equal(t, string(line), c.text[lr.Offset():lr.Offset()+len(line)])
					got = append(got, string(line))
					require.Equal(t, len(got), lr.Number())
				}
				require.Equal(t, c.want, got, name)
				_, err := lr.Next()
				require.Equal(t, io.EOF, err)
			}
		})
	}
}

func TestNextLimit(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", ""} {
		for _, n := range []int{10, 100_000} {
			exact := strings.Repeat("x", n)
			line, err := lineio.NewReader(strings.NewReader(exact+end), n).Next()
			require.NoError(t, err)
			require.Equal(t, exact, string(line))
			_, err = lineio.NewReader(strings.NewReader("x"+exact+end), n).Next()
			require.ErrorIs(t, err, lineio.ErrTooLong)
		}
	}
	// A line without end is refused before it is read whole.
	r := &counter{}
	_, err := lineio.NewReader(r, 1<<20).Next()
	require.ErrorIs(t, err, lineio.ErrTooLong)
	require.Less(t, r.n, 2<<20)
}

// counter is an endless reader.
type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte{'x'}, len(p)))
	c.n += len(p)
	return len(p), nil
}

func TestNextPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	lr := lineio.NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	line, err := lr.Next()
	require.NoError(t, err)
	require.Equal(t, "a", string(line))
	_, err = lr.Next()
	require.Equal(t, broken, err)
}

// TestAppendAndSlice reads texts with lines of all lengths around that of the
// buffer and the limit, through readers of all kinds.
func TestAppendAndSlice(t *testing.T) {
	const max = 60
	for n := range 80 {
		text := strings.Repeat("x", n) + "\nlast"
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "late end": iotest.DataErrReader,
		} {
			for _, slice := range []bool{false, true} {
				r := bufio.NewReaderSize(wrap(strings.NewReader(text)), 16)
				var buf []byte
				next := func() ([]byte, error) {
					if slice {
						return lineio.Slice(&buf, r, max)
					}
					return lineio.Append(nil, r, max)
				}
				line, err := next()
				if n+1 > max {
					require.ErrorIs(t, err, lineio.ErrTooLong, name)
					require.Greater(t, len(line), max)
					require.LessOrEqual(t, len(line), max+16)
					continue
				}
				require.NoError(t, err, name)
				require.Equal(t, text[:n+1], string(line))
				line, err = next()
				require.Equal(t, io.EOF, err)
				require.Equal(t, "last", string(line))
				line, err = next()
				require.Equal(t, io.EOF, err)
				require.Empty(t, line)
			}
		}
	}
	r := bufio.NewReaderSize(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(io.ErrClosedPipe)), 16)
	line, err := lineio.Append([]byte("before "), r, max)
	require.NoError(t, err)
	require.Equal(t, "before a\n", string(line))
	line, err = lineio.Append(line, r, max)
	require.Equal(t, io.ErrClosedPipe, err)
	require.Equal(t, "before a\nb", string(line))
}

// TestEach: every line is seen, what is too long as that, however the reader gives it.
func TestEach(t *testing.T) {
	const most = 40
	for _, text := range []string{"", "a", "a\n", "\n\n", "a\nb", strings.Repeat("x", most) + "\n", strings.Repeat("x", most-1) + "\nb\n",
		strings.Repeat("x", 500), strings.Repeat("x", 500) + "\n", "a\n" + strings.Repeat("x", most+1) + "\n\nb\n" + strings.Repeat("y", most), strings.Repeat("x", 16)} {
		var want []string
		for line := range strings.Lines(text) {
			if len(line) > most {
				line = "too long"
			}
			want = append(want, line)
		}
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text)), "halves": iotest.HalfReader(strings.NewReader(text))} {
			var got []string
			require.NoError(t, lineio.Each(bufio.NewReaderSize(in, 16), most, func(line []byte, tooLong bool) {
				require.False(t, tooLong && line != nil)
				if tooLong {
					line = []byte("too long")
				}
				got = append(got, string(line))
			}))
			require.Equal(t, want, got, name)
		}
	}
	broken := errors.New("broken")
	n := 0
	err := lineio.Each(bufio.NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))), most, func([]byte, bool) { n++ })
	require.Equal(t, broken, err)
	require.Equal(t, 2, n, "what is there of the last line is seen")
}
