package mcpproxy

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// lineEnds are those that an event stream may have (HTML standard, section 9.2.5).
var lineEnds = []string{"\n", "\r\n", "\r"}

// pieces reads a text in pieces of these lengths, again and again.
type pieces struct {
	text    string
	lengths []int
	n       int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(len(p.text), p.lengths[p.n%len(p.lengths)])])
	p.text, p.n = p.text[n:], p.n+1
	return n, nil
}

// TestLineEnds: streams of any line ends, also mixed, and cut anywhere, have the events that
// they have with LF, and pass byte for byte but for what is changed.
func TestLineEnds(t *testing.T) {
	const byteOrderMark = "\ufeff"
	r := rand.New(rand.NewPCG(1, 2))
	lines := []string{"", "", "data: {\"n\":1,", "data:2}", "data", "event: other", "event: message", "id: 7", ": comment", "retry: 5", "data: x", "other: y"}
	for range 3000 {
		var stream strings.Builder
		if r.IntN(4) == 0 {
			stream.WriteString(byteOrderMark)
		}
		end := lineEnds[r.IntN(3)]
		for range r.IntN(30) {
			if r.IntN(5) == 0 {
				end = lineEnds[r.IntN(3)]
			}
			stream.WriteString(lines[r.IntN(len(lines))] + end)
		}
		text := stream.String()
		bare := strings.TrimPrefix(text, byteOrderMark)
		want := messagesOf(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(bare))
		in := &pieces{text: text, lengths: []int{1 + r.IntN(3), 1 + r.IntN(9), 1 + r.IntN(3)}}
		var have []string
		out, err := io.ReadAll(newEvents(io.NopCloser(in), 1<<10, func(message []byte) []byte {
			have = append(have, string(message))
			return message
		}))
		require.NoError(t, err)
		require.Equal(t, bare, string(out))
		require.Equal(t, want, have, "%q", text)
		changed, err := io.ReadAll(newEvents(io.NopCloser(iotest.OneByteReader(strings.NewReader(text))), 1<<10, func([]byte) []byte { return []byte("A\nB") }))
		require.NoError(t, err)
		for i := range want {
			want[i] = "A\nB"
		}
		require.Equal(t, want, messagesOf(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(changed))), "%q", text)
	}
}

// messagesOf are the messages of a stream whose lines end with LF.
func messagesOf(stream string) (messages []string) {
	var data []string
	other := false
	for line := range strings.Lines(stream) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "\n":
			if data != nil && !other {
				messages = append(messages, strings.Join(data, "\n"))
			}
			data, other = nil, false
		case name == "data":
			data = append(data, value)
		case name == "event":
			other = value == "other"
		}
	}
	return messages
}

// TestEventsAtOnce: an event comes out when its blank line is there, whatever ends it.
func TestEventsAtOnce(t *testing.T) {
	for _, end := range lineEnds {
		read, write := io.Pipe()
		in := newEvents(read, 1<<10, func([]byte) []byte { return []byte("changed") })
		buf := make([]byte, 100)
		for i := range 3 {
			go fmt.Fprintf(write, "id: %d%[2]sdata: x%[2]s%[2]s", i, end)
			n, err := in.Read(buf)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("id: %d%[2]sdata: changed%[2]s%[2]s", i, end), string(buf[:n]))
		}
	}
}

// TestOneLineEach: the messages of a command are events, whatever is between their tokens.
func TestOneLineEach(t *testing.T) {
	box := newMailbox(1<<20, true)
	for _, end := range append(lineEnds, " \r\r", "\t") {
		box.put([]byte(`{"jsonrpc":"2.0",` + end + `"id":"q",` + end + `"result":{"x":` + end + `1}}`))
	}
	box.close()
	w := httptest.NewRecorder()
	stream(t.Context(), w, []byte("{\r}"), box)
	events := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(w.Body.String())
	messages := messagesOf(events)
	require.Len(t, messages, 6)
	for _, m := range messages[1:] {
		require.JSONEq(t, `{"jsonrpc":"2.0","id":"q","result":{"x":1}}`, m)
	}
}
