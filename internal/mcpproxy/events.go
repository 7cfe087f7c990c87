package mcpproxy

import (
	"bufio"
	"bytes"
	"io"
)

// events reads an event stream (HTML standard, section 9.2) and changes the
// data of its events. An event in which nothing is to be changed passes byte
// for byte, as do comments and fields of other names. An event comes out as
// soon as its blank line is there. Lines end with LF or CRLF; a stream whose
// lines end with CR alone comes out when it ends.
type events struct {
	in   *bufio.Reader
	src  io.Closer
	most int // the longest event that is looked at
	f    func(message []byte) []byte

	out     []byte // ready to be read
	event   []byte // the lines of the event so far
	start   int    // of its last line
	tooLong bool   // the event passes as it comes
	err     error
	fields  // of the event
}

// fields are what the lines of an event say.
type fields struct {
	data  []byte
	n     int  // how many lines of data there are
	other bool // it is an event of another name than message
}

func newEvents(src io.ReadCloser, most int, f func([]byte) []byte) *events {
	return &events{in: bufio.NewReaderSize(src, 64<<10), src: src, most: most, f: f}
}

func (e *events) Close() error { return e.src.Close() }

func (e *events) Read(p []byte) (int, error) {
	for len(e.out) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.more()
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	return n, nil
}

// more reads a line, or a part of one that is longer than the buffer.
func (e *events) more() {
	part, err := e.in.ReadSlice('\n')
	whole := err == nil
	if err == bufio.ErrBufferFull {
		err = nil
	}
	if e.err = err; err != nil {
		e.out = append(e.event, part...) // the end of an event that is not whole
		e.event = nil
		return
	}
	if e.tooLong {
		e.out = append(e.out[:0], part...)
		e.tooLong = !(whole && isBlank(part))
		return
	}
	e.event = append(e.event, part...)
	switch {
	case len(e.event) > e.most:
		e.out, e.tooLong = e.event, !(whole && isBlank(e.event[e.start:]))
		e.reset()
	case !whole:
	case isBlank(e.event[e.start:]):
		e.out = e.finished()
		e.reset()
	default:
		e.read(e.event[e.start:])
		e.start = len(e.event)
	}
}

func (e *events) reset() { e.event, e.start, e.fields = nil, 0, fields{} }

func isBlank(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }

// read takes note of a line.
func (f *fields) read(line []byte) (name, value []byte) {
	name, value, _ = bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if f.n++; f.n > 1 {
			f.data = append(f.data, '\n')
		}
		f.data = append(f.data, value...)
	case "event":
		f.other = string(value) != "message" && len(value) > 0
	}
	return name, value
}

// isMessage reports whether the event has a message.
func (f *fields) isMessage() bool { return f.n > 0 && !f.other }

// finished returns the event with its data changed.
func (e *events) finished() []byte {
	if !e.isMessage() {
		return e.event
	}
	changed := e.f(e.data)
	if bytes.Equal(changed, e.data) {
		return e.event
	}
	var out []byte
	written := false
	for line := range bytes.Lines(e.event) {
		name, _, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		if string(name) != "data" {
			out = append(out, line...)
			continue
		}
		if written {
			continue
		}
		written = true
		end := line[len(bytes.TrimRight(line, "\r\n")):]
		for part := range bytes.SplitSeq(changed, []byte("\n")) {
			out = append(append(append(out, "data: "...), part...), end...)
		}
	}
	return out
}
