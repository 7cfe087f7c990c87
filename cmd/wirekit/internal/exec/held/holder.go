package held

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A holder holds what a command prints, and finds out as early as possible that it is not
// JSON, or not one object or array. What it does not refuse the reader of the whole text
// checks.
type holder struct {
	Copier
	in     *bufio.Reader
	held   []byte
	passes bool  // what is held, and what follows, is to be copied
	err    error // of in

	isJSON bool // so far
	open   int  // brackets
	values int  // that have ended
}

// hold reads until the end, or until the text passes.
func (h *holder) hold() {
	const mark = "\ufeff"
	if first, _ := h.in.Peek(1); string(first) == mark[:1] {
		first, _ = h.in.Peek(len(mark))
		h.held = append(h.held, first[:len(first)-len(scan.TrimBOM(first))]...)
		_, _ = h.in.Discard(len(h.held))
	}
	h.scan(json.NewDecoder(h))
	if h.err == nil && !h.passes {
		h.isJSON, h.open, h.values = false, 0, 0
		_, _ = io.Copy(io.Discard, h)
	}
}

// Read reads on as long as the text is held.
func (h *holder) Read(p []byte) (n int, err error) {
	most := h.Text
	if h.isJSON || h.YAML {
		most = h.Most
	}
	line := h.isJSON && !h.Lines && !h.YAML && h.Text == 0 && h.whole() > 0 && endsLine(h.held) && len(h.held) < h.Least
	if h.passes = line || len(h.held) > most; h.passes {
		return 0, io.EOF
	}
	n, h.err = h.in.Read(p)
	h.held = append(h.held, p[:n]...)
	return n, h.err
}

// whole returns of how many values the text is one with nothing else, or 0.
func (h *holder) whole() int {
	if h.open > 0 {
		return 0
	}
	return h.values
}

// maxDepth is how deep the reader of JSON goes.
const maxDepth = 512

// scan reads the text as far as it is JSON.
func (h *holder) scan(d *json.Decoder) {
	d.UseNumber()
	for h.open > 0 || h.opens(d) {
		t, err := d.Token()
		bracket, isBracket := t.(json.Delim)
		switch {
		case err != nil, h.open > maxDepth:
			return
		case bracket == '{' || bracket == '[':
			h.open++
		case isBracket:
			if h.open--; h.open == 0 {
				h.values++
			}
		}
	}
}

// opens reports whether another value may follow, and one that is an object or array does.
func (h *holder) opens(d *json.Decoder) bool {
	var first [1]byte
	d.More() // waits for it
	_, _ = d.Buffered().Read(first[:])
	return (h.Lines || h.values == 0) && (first[0] == '{' || first[0] == '[')
}
