// Package held copies what a command prints as it comes, and holds back only what may
// be rewritten: a JSON object or array, from its first byte to its last.
package held

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"regexp"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// A Copier copies the output of one command.
type Copier struct {
	// Most is how many bytes are held. Longer output passes as it came.
	Most int
	// Least is the length in bytes below which a text is never rewritten.
	Least int
	// Lines holds JSON Lines too. Otherwise they pass: a line of Least bytes or more
	// when the next one has come, a shorter one at once.
	Lines bool
	// YAML holds output that is not JSON too. A text with comments passes.
	YAML bool
	// Text is how many bytes are held of a text that is none of these; 0 for none.
	Text int
	// Rewrite returns what takes the place of a text that the codec reads; nil is for
	// a JSON object or array, and for a text of Text.
	Rewrite func(text []byte, codec wire.Codec) []byte
}

// Copy copies src to dst until the end of src.
func (c Copier) Copy(dst io.Writer, src io.Reader) error {
	h := holder{Copier: c, in: bufio.NewReaderSize(src, 64<<10), isJSON: true}
	h.hold()
	out := h.held
	if !h.passes {
		out = c.whole(out, h.whole())
	}
	_, failed := dst.Write(out)
	if h.passes && failed == nil {
		_, h.err = io.Copy(dst, h.in)
	}
	if h.err == io.EOF {
		h.err = nil
	}
	return cmp.Or(failed, h.err)
}

// endsLine reports whether a line has ended since the last byte that is not blank.
func endsLine(text []byte) bool {
	return bytes.IndexByte(text[len(bytes.TrimRight(text, " \t\r\n")):], '\n') >= 0
}

// whole returns what takes the place of all that a command has printed: so many objects and
// arrays of JSON, or another text. A line end at the end stays one.
func (c Copier) whole(text []byte, values int) []byte {
	var codec wire.Codec
	read := text
	if values > 0 {
		read = scan.TrimBOM(text)
	}
	switch {
	case values == 1:
	case values > 1:
		codec = jsonl.Codec{RejectDuplicates: true}
	case c.YAML && !comment.Match(text):
		codec = yaml.Codec{}
	case len(text) > c.Text:
		return text
	}
	out := c.Rewrite(read, codec)
	if bytes.Equal(out, read) {
		return text
	}
	if bytes.HasSuffix(text, []byte("\n")) && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(bytes.Clone(out), '\n')
	}
	return out
}

// comment matches a number sign that begins a comment of YAML, or is in a string where one
// could begin.
var comment = regexp.MustCompile(`(?:^|[ \t\r\n])#`)

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
	h.held = append(h.held, lineio.SkipMark(h.in)...)
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
