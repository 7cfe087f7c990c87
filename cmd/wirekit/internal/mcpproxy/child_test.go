package mcpproxy

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func request(t *testing.T, c *child, id string) *reply {
	t.Helper()
	r, err := c.request(readMessage([]byte(`{"id":`+id+`,"method":"m"}`)), true)
	require.NoError(t, err)
	return r
}

func write(t *testing.T, to io.Writer, format string, args ...any) {
	t.Helper()
	_, err := fmt.Fprintf(to, format, args...)
	require.NoError(t, err)
}

// TestUnsent: a server that does not read holds no more than a bound, but one
// message of any size.
func TestUnsent(t *testing.T) {
	c := newChild(false)
	require.NoError(t, c.tell(make([]byte, maxUnsent+1)))
	require.ErrorIs(t, c.tell([]byte("{}")), errBusy)
	_, err := c.request(readMessage([]byte(`{"id":1,"method":"m"}`)), false)
	require.ErrorIs(t, err, errBusy)
	require.Empty(t, c.replies)
	c.input.take()
	require.NoError(t, c.tell(make([]byte, maxUnsent/2)))
	require.NoError(t, c.tell([]byte("{}")))
	require.ErrorIs(t, c.tell(make([]byte, maxUnsent/2)), errBusy)
}

// TestUnread: of what a client does not read, on a stream of its own or on that
// of a request, the newest is held; the answer always is.
func TestUnread(t *testing.T) {
	for name, listening := range map[string]bool{"a listener": true, "a request's stream": false} {
		t.Run(name, func(t *testing.T) {
			c := newChild(false)
			r := request(t, c, "1")
			box := r.box
			if listening {
				require.True(t, c.listening.CompareAndSwap(false, true))
				box = c.events
			}
			padding := strings.Repeat("x", 1000)
			for i := range 5000 {
				write(t, c.output(), `{"method":"n","params":{"n":%d,"x":"%s"}}`+"\n", i, padding)
				require.LessOrEqual(t, box.size, maxUnread)
			}
			write(t, c.output(), `{"id":1,"result":"%s"}`+"\n", strings.Repeat("y", 2*maxUnread))
			answer, _ := r.box.take()
			require.Greater(t, len(answer), 2*maxUnread)
			if !listening {
				return
			}
			c.listening.Store(false)
			require.True(t, c.listening.CompareAndSwap(false, true), "the next one gets what is left")
			n, last := 0, ""
			for {
				text, _ := box.take()
				if text == nil {
					break
				}
				n, last = n+1, string(text)
			}
			require.Greater(t, n, 900)
			require.Contains(t, last, `"n":4999`)
		})
	}
}

// TestAnswers: when clients do not take their answers no further requests are
// taken.
func TestAnswers(t *testing.T) {
	c := newChild(false)
	r := request(t, c, "1")
	r.size, c.answers = maxAnswers, maxAnswers // as after so long an answer
	other := request(t, c, "2")
	write(t, c.output(), "{\"id\":2,\"result\":1}\n")
	_, err := c.request(readMessage([]byte(`{"id":3,"method":"m"}`)), false)
	require.ErrorIs(t, err, errBusy)
	c.forget(r)
	c.forget(other)
	require.Zero(t, c.answers)
	request(t, c, "3")
}

// TestLongAnswers: of a line that is too long little is held, and the request
// that it answers is answered with an error, wherever the line has its id.
func TestLongAnswers(t *testing.T) {
	for name, line := range map[string][2]string{
		"the id comes first": {`{"jsonrpc":"2.0","id":"a","result":{"id":2,"text":"`, `"}}`},
		"alone":              {`{"id": "a" ,"result":{"text":"`, `"}}`},
		"the id comes last":  {`{"result":{"text":"`, `"},"jsonrpc":"2.0","id":"a"}`},
		"before the version": {`{"result":{"text":"`, `","id":2}, "id":"a","jsonrpc":"2.0" } `},
		"no request":         {`{"result":{"text":"`, `","id":"a"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChild(false)
			r, out := request(t, c, `"a"`), c.output()
			write(t, out, "%s", line[0])
			piece := bytes.Repeat([]byte("x"), 64<<10)
			for range 100 {
				_, err := out.Write(piece)
				require.NoError(t, err)
				require.LessOrEqual(t, cap(out.long), 8*endSize)
			}
			write(t, out, "%s", line[1])
			write(t, out, "\n")
			text, more := r.box.take()
			if name == "no request" {
				require.Nil(t, text)
				write(t, out, "{\"id\":\"a\",\"result\":7}\n")
				text, more = r.box.take()
				require.Equal(t, `{"id":"a","result":7}`, string(text))
			} else {
				require.Contains(t, string(text), `"id":"a","error":`)
				require.Contains(t, string(text), "--max-line")
			}
			require.False(t, more)
		})
	}
}

// TestJustTooLong: an answer that is longer than the proxy looks at is refused, also if
// it is read at once.
func TestJustTooLong(t *testing.T) {
	for _, long := range []int{101, 5000, 200_000} {
		c := newChild(false)
		r := request(t, c, "1")
		line := `{"id":1,"result":"` + strings.Repeat("x", long) + `"}` + "\n"
		require.NoError(t, copyLines(c.output(), strings.NewReader(line), long, func([]byte) []byte { panic("it is looked at") }))
		answer, _ := r.box.take()
		require.Contains(t, string(answer), "--max-line", long)
	}
}

// TestEnding: a proxy that is about to end takes no request, whether the process that
// would have it has ended or not.
func TestEnding(t *testing.T) {
	for _, id := range []string{"", "session"} {
		s := &Spawner{closed: true, children: map[string]*child{"": newChild(true)}}
		_, err := s.begin(id)
		require.ErrorContains(t, err, "about to end")
	}
}
