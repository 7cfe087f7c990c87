package mcpproxy

import (
	"bytes"
	"io"
	"strconv"
	"time"
)

// events reads an event stream (HTML standard, section 9.2) and changes the
// data of its events. An event in which nothing is to be changed passes byte
// for byte, as do comments and fields of other names. An event comes out as
// soon as its blank line is there. Lines end with LF or CRLF; a stream whose
// lines end with CR alone comes out when it ends.
type events struct {
	*scanner
	io.Closer
	f   func(message []byte) []byte
	out []byte // ready to be read
	err error
}

func newEvents(src io.ReadCloser, most int, f func([]byte) []byte) *events {
	return &events{scanner: newScanner(src, most, isBlank), Closer: src, f: f}
}

func isBlank(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }

func (e *events) Read(p []byte) (int, error) {
	for len(e.out) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		var whole bool
		if e.out, whole, e.err = e.next(); whole && e.err == nil {
			e.out = e.changed(e.out)
		}
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	return n, nil
}

// An event is what its lines say.
type event struct {
	data  []byte
	n     int  // how many lines of data there are
	other bool // it is of another name than message
	// What a stream says of how it goes on: the last event's id, and how long to wait.
	id    string
	retry time.Duration
}

// field returns the name and the value of a line, and its end.
func field(line []byte) (name string, value, end []byte) {
	text := bytes.TrimRight(line, "\r\n")
	before, value, _ := bytes.Cut(text, []byte(":"))
	return string(before), bytes.TrimPrefix(value, []byte(" ")), line[len(text):]
}

// read takes note of the lines of an event.
func (e *event) read(text []byte) {
	for line := range bytes.Lines(text) {
		switch name, value, _ := field(line); name {
		case "data":
			if e.n++; e.n > 1 {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
		case "event":
			e.other = string(value) != "message" && len(value) > 0
		case "id":
			e.id = string(value)
		case "retry":
			if n, err := strconv.Atoi(string(value)); err == nil && n >= 0 {
				e.retry = min(time.Duration(n)*time.Millisecond, retryMost)
			}
		}
	}
}

// isMessage reports whether the event has a message.
func (e *event) isMessage() bool { return e.n > 0 && !e.other }

// changed returns an event with its data changed.
func (e *events) changed(text []byte) []byte {
	var was event
	was.read(text)
	if !was.isMessage() {
		return text
	}
	data := e.f(was.data)
	if bytes.Equal(data, was.data) {
		return text
	}
	var out []byte
	written := false
	for line := range bytes.Lines(text) {
		name, _, end := field(line)
		if name != "data" {
			out = append(out, line...)
			continue
		}
		if written {
			continue
		}
		written = true
		for part := range bytes.SplitSeq(data, []byte("\n")) {
			out = append(append(append(out, "data: "...), part...), end...)
		}
	}
	return out
}
